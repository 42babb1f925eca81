"""Firing: what is due starts its subject, each time once, whoever is quicker and whatever the clock does."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from sqlalchemy import Select, delete, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from bailiwick.access.decision import Refused
from bailiwick.database.base import observe, utc_now
from bailiwick.database.locks import LOCKED
from bailiwick.errors import Conflict, Invalid, NotFound
from bailiwick.runs.errors import Restricted
from bailiwick.runs.models import Run, RunState, Trigger, TriggerKind, TriggerUpstream
from bailiwick.runs.queue import LIVING
from bailiwick.runs.schedules import Schedule
from bailiwick.runs.subjects import SUBJECTS

log = structlog.get_logger(__name__)

BATCH = 50  # in one transaction, so that several workers share what is due and nobody waits for long
LATER = timedelta(seconds=5)
LONGEST_NOTE = 500


def fire_due(session: Session, now: datetime | None = None, limit: int = BATCH) -> int:
    """Fire up to so many triggers that are due, the longest due first; how many there were.

    A trigger that missed several times fires once. Where a run of its subject is waiting or running already, it starts
    no other: a time of the clock is left out, and what waited for others fires when that run is over."""
    now = now or utc_now()
    due = session.scalars(_due(now, limit).with_for_update(skip_locked=True, **LOCKED)).all()
    busy = _busy(session, [trigger.subject_id for trigger in due])
    for trigger in due:
        _fire(session, trigger, now, busy)
    return len(due)


def next_due(session: Session) -> datetime | None:
    """When there is something to fire."""
    return session.scalar(select(func.min(Trigger.next_at)).where(Trigger.paused.is_(False)))


def _due(now: datetime, limit: int) -> Select[Trigger]:
    due = select(Trigger).where(Trigger.next_at <= now, Trigger.paused.is_(False))
    return due.order_by(Trigger.next_at, Trigger.id).limit(limit).execution_options(populate_existing=True)


def _busy(session: Session, subjects: Sequence[UUID]) -> dict[UUID, str]:
    """The state of the subjects' runs that have not ended."""
    living = select(Run.subject_id, Run.state).where(LIVING, Run.subject_id.in_(subjects))
    found: dict[UUID, str] = {}
    for subject_id, state in session.execute(living):
        if found.get(subject_id) != RunState.QUEUED:  # one that waits will see whatever is there by then
            found[subject_id] = state
    return found


def _fire(session: Session, trigger: Trigger, now: datetime, busy: dict[UUID, str]) -> None:
    assert trigger.next_at is not None
    scheduled_for = trigger.next_at
    state = busy.get(trigger.subject_id)
    if trigger.kind == TriggerKind.AFTER and state == RunState.RUNNING:
        _write(session, trigger, next_at=now + LATER, note="It fires as soon as the run in hand has ended.")
        return
    note = ""
    if state is not None:
        note = f"Left out at {scheduled_for:%Y-%m-%d %H:%M} UTC: a run was {state} still."
    else:
        try:
            with session.begin_nested():
                run = SUBJECTS[trigger.subject_type].start(session, None, trigger.subject_id, trigger, scheduled_for)
                busy[trigger.subject_id] = run.state
        except NotFound:
            session.execute(delete(Trigger).where(Trigger.id == trigger.id))
            return
        except (Conflict, Invalid, Refused, Restricted) as error:
            note = f"Nothing was started at {scheduled_for:%Y-%m-%d %H:%M} UTC: {error}"
        except IntegrityError:
            log.info("a firing had happened already", trigger_id=str(trigger.id))
        except Exception:  # whatever it is, the other triggers fire
            note = "Nothing was started: something went wrong on our side."
            log.exception("a trigger could not fire", trigger_id=str(trigger.id))
    values = {"last_scheduled_for": scheduled_for, "next_at": _next(trigger, max(now, scheduled_for)), "note": note}
    _write(session, trigger, **values, **({} if note else {"last_fired_at": now}))
    if trigger.kind == TriggerKind.AFTER:
        forget_successes(session, trigger.id)


def _next(trigger: Trigger, after: datetime) -> datetime | None:
    """Of several times that were missed none comes later."""
    return Schedule(trigger.cron, trigger.time_zone).next_after(after) if trigger.cron else None


def forget_successes(session: Session, trigger_id: UUID) -> None:
    """Wait for all of them anew."""
    session.execute(update(TriggerUpstream).where(TriggerUpstream.trigger_id == trigger_id).values(succeeded_at=None))


def _write(session: Session, trigger: Trigger, **values: object) -> None:
    values["note"] = str(values["note"])[:LONGEST_NOTE]
    observe(session, Trigger, trigger.id, **values)
