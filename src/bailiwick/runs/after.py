"""Triggers that wait for others: noting a success, in the transaction in which it happens."""

from __future__ import annotations

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from bailiwick.database.base import observe, utc_now
from bailiwick.database.locks import LOCKED
from bailiwick.runs.bell import FIRE, ring
from bailiwick.runs.models import Run, Trigger, TriggerUpstream


def note_success(session: Session, run: Run) -> None:
    """Make those triggers due that waited for this, or for this last of all."""
    waited = select(TriggerUpstream.trigger_id).where(TriggerUpstream.subject_id == run.subject_id)
    # Locked in one order, and before anything is counted: two that succeed at once would each miss the other.
    waiting = select(Trigger).where(Trigger.id.in_(waited), Trigger.paused.is_(False)).order_by(Trigger.id)
    triggers = session.scalars(waiting.with_for_update(**LOCKED).execution_options(populate_existing=True)).all()
    now = utc_now()
    for trigger in triggers:
        this = (TriggerUpstream.trigger_id == trigger.id) & (TriggerUpstream.subject_id == run.subject_id)
        session.execute(update(TriggerUpstream).where(this).values(succeeded_at=now))
        rest = select(TriggerUpstream.subject_id).where(
            TriggerUpstream.trigger_id == trigger.id, TriggerUpstream.succeeded_at.is_(None)
        )
        if trigger.next_at is None and not (trigger.needs_all and session.execute(rest).first()):
            observe(session, Trigger, trigger.id, next_at=now)
    if triggers:
        ring(session, FIRE)
