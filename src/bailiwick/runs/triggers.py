"""Triggers: when a subject runs by itself, and who may say so."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import Any
from uuid import UUID

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision
from bailiwick.database.base import utc_now
from bailiwick.database.locks import KEPT, LOCKED, hold
from bailiwick.errors import Conflict, Invalid, NotFound
from bailiwick.runs.bell import FIRE, ring
from bailiwick.runs.deciding import require_edit, require_seen
from bailiwick.runs.ending import ask_to_cancel
from bailiwick.runs.firing import forget_successes
from bailiwick.runs.models import ENDED, LineageEdge, Run, Trigger, TriggerKind, TriggerUpstream
from bailiwick.runs.schedules import Schedule, read_schedule
from bailiwick.runs.seeing_triggers import (
    FIRINGS,
    SeenTrigger,
    name_of,
    named_if_seen,
    seen_trigger,
    upstream,
)
from bailiwick.runs.subjects import SUBJECTS
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Member
from bailiwick.tenancy.versions import require_unchanged

MOST_TRIGGERS = 50  # of one subject
TRUSTED_CLOCK = timedelta(days=1)
WHAT = "trigger"


def preview(cron: str, time_zone: str) -> tuple[str, list[datetime]]:
    """A schedule in words, and its next firings."""
    schedule = read_schedule(cron, time_zone)
    return schedule.words, list(islice(schedule.firings(utc_now()), FIRINGS))


def get_trigger(session: Session, caller: Caller, trigger_id: UUID) -> SeenTrigger:
    return seen_trigger(session, caller, _find(session, caller, trigger_id))


def create_trigger(
    session: Session,
    caller: Caller,
    subject_type: str,
    subject_id: UUID,
    *,
    cron: str | None = None,
    time_zone: str | None = None,
    after: Sequence[tuple[str, UUID]] = (),
    needs_all: bool = False,
) -> SeenTrigger:
    """Fire at times, or after others have succeeded."""
    decision = require_edit(session, caller, subject_type, subject_id, subject_type)
    if not SUBJECTS[subject_type].by_trigger:
        raise Conflict("It is asked by somebody, not by a trigger. Make it a pipeline query.")
    _keep(session, subject_type, subject_id)
    if (cron is None) == (not after):
        raise Invalid("cron", "Give either times, or what it waits for.", "Give one of cron and after, and not both.")
    trigger = Trigger(
        subject_type=subject_type,
        subject_id=subject_id,
        kind=TriggerKind.CRON if cron else TriggerKind.AFTER,
        time_zone=time_zone or caller.member.time_zone,
        needs_all=needs_all,
        saved_by_id=caller.member.id,
    )
    own = session.scalars(select(Trigger.id).where(Trigger.subject_id == subject_id)).all()
    if len(own) >= MOST_TRIGGERS:
        raise Conflict(f"It has {len(own)} triggers already, and cannot have more. Remove one first.")
    if cron:
        _set_schedule(trigger, read_schedule(cron, trigger.time_zone))
    session.add(trigger)
    session.flush()
    if after:
        _wait_for(session, caller, trigger, after)
    return _saved(session, caller, trigger, "create_trigger", decision, None)


def edit_trigger(
    session: Session, caller: Caller, trigger_id: UUID, changes: dict[str, Any], *, if_match: str | None
) -> SeenTrigger:
    """Change its times, or what it waits for; times stay times."""
    trigger, decision = _to_change(session, caller, trigger_id, if_match)
    before = _said_of(session, trigger)
    of_times, of_others = {"cron", "time_zone"} & set(changes), {"after", "needs_all"} & set(changes)
    wrong = of_others if trigger.kind == TriggerKind.CRON else of_times
    if wrong:
        kind = "fires at times" if trigger.kind == TriggerKind.CRON else "waits for others"
        raise Invalid(min(wrong), f"This trigger {kind}.", "Add another trigger in its place.")
    if of_times:
        zone = changes.get("time_zone", trigger.time_zone)
        _set_schedule(trigger, read_schedule(changes.get("cron") or trigger.cron or "", zone))
    if "needs_all" in changes:
        trigger.needs_all = changes["needs_all"]
    if "after" in changes:
        _wait_for(session, caller, trigger, changes["after"])
    return _saved(session, caller, trigger, "edit_trigger", decision, before)


def pause_trigger(session: Session, caller: Caller, trigger_id: UUID, *, if_match: str | None) -> SeenTrigger:
    trigger, decision = _to_change(session, caller, trigger_id, if_match)
    if trigger.paused:
        return seen_trigger(session, caller, trigger)
    before = _said_of(session, trigger)
    trigger.paused, trigger.next_at = True, None
    return _saved(session, caller, trigger, "pause_trigger", decision, before)


def resume_trigger(session: Session, caller: Caller, trigger_id: UUID, *, if_match: str | None) -> SeenTrigger:
    """Go on from now: what would have fired meanwhile does not."""
    trigger, decision = _to_change(session, caller, trigger_id, if_match)
    if not trigger.paused:
        return seen_trigger(session, caller, trigger)
    before = _said_of(session, trigger)
    trigger.paused, trigger.note = False, ""
    if trigger.cron:
        _set_schedule(trigger, Schedule(trigger.cron, trigger.time_zone))
    elif not upstream(session, trigger):
        raise Conflict("What it waited for is gone. Say first what it waits for, or remove it.")
    else:
        forget_successes(session, trigger.id)
    return _saved(session, caller, trigger, "resume_trigger", decision, before)


def remove_trigger(session: Session, caller: Caller, trigger_id: UUID, *, if_match: str | None) -> None:
    trigger, decision = _to_change(session, caller, trigger_id, if_match)
    before = _said_of(session, trigger)
    session.delete(trigger)
    session.flush()
    _record(session, caller, "remove_trigger", trigger, decision, before, None)


def forget_subject(session: Session, member: Member, subject_type: str, subject_id: UUID) -> None:
    """A subject is being deleted by this member. Its runs stay told: what waits is cancelled, what runs is asked to
    stop. Its triggers go along; what waited for it alone is paused, and says why."""
    living = select(Run).where(Run.subject_type == subject_type, Run.subject_id == subject_id, Run.state.not_in(ENDED))
    for run in session.scalars(living.with_for_update(**LOCKED)):
        ask_to_cancel(session, run, member)
    session.execute(delete(LineageEdge).where(LineageEdge.subject_id == subject_id))
    session.execute(delete(Trigger).where(Trigger.subject_type == subject_type, Trigger.subject_id == subject_id))
    of_it = TriggerUpstream.subject_id == subject_id
    waited = session.scalars(select(TriggerUpstream.trigger_id).where(of_it)).all()
    session.execute(delete(TriggerUpstream).where(of_it))
    still = select(TriggerUpstream.trigger_id)
    session.execute(
        update(Trigger)
        .where(Trigger.id.in_(waited), Trigger.id.not_in(still))
        .values(paused=True, next_at=None, note="What it waited for was deleted.", version=Trigger.version + 1)
    )


# Parts ---------------------------------------------------------------------------------------------------------------


def _find(session: Session, caller: Caller, trigger_id: UUID) -> Trigger:
    trigger = session.get(Trigger, trigger_id)
    if trigger is None:
        raise NotFound(WHAT)
    require_seen(session, caller, trigger.subject_type, trigger.subject_id, WHAT)
    return trigger


def _to_change(session: Session, caller: Caller, trigger_id: UUID, if_match: str | None) -> tuple[Trigger, Decision]:
    trigger = _find(session, caller, trigger_id)
    decision = require_edit(session, caller, trigger.subject_type, trigger.subject_id, WHAT)
    hold(session, Trigger, trigger.id, LOCKED, WHAT)  # it fires before this change, or after it
    require_unchanged(if_match, trigger.version, WHAT)
    return trigger, decision


def _set_schedule(trigger: Trigger, schedule: Schedule) -> None:
    trigger.cron, trigger.time_zone = schedule.cron, schedule.time_zone
    if trigger.paused:
        return
    now, last = utc_now(), trigger.last_scheduled_for
    # A clock that was set back must not let it fire again; one that was wrong by days must not hold it up for ever.
    ahead = last is not None and now < last < now + TRUSTED_CLOCK
    trigger.next_at = schedule.next_after(last if ahead and last is not None else now)


def _wait_for(session: Session, caller: Caller, trigger: Trigger, after: Sequence[tuple[str, UUID]]) -> None:
    """Whoever saves it has to see what it waits for: its firing tells that it succeeded."""
    wanted = dict.fromkeys(after)
    if not wanted:
        raise Invalid("after", "It has to wait for something.", "Name at least one, or remove the trigger.")
    for type_, id_ in wanted:
        if not named_if_seen(session, caller, [(type_, id_)]):
            raise Invalid("after", f"There is no such {type_}: {id_}.", "Take ids of what you may see.")
        _keep(session, type_, id_)
    _refuse_circle(session, trigger.subject_id, [id_ for _, id_ in wanted])
    session.execute(delete(TriggerUpstream).where(TriggerUpstream.trigger_id == trigger.id))
    session.add_all(TriggerUpstream(trigger_id=trigger.id, subject_id=id_, subject_type=type_) for type_, id_ in wanted)
    trigger.next_at = None
    session.flush()


def _keep(session: Session, subject_type: str, subject_id: UUID) -> None:
    """Until this is saved nobody deletes what the trigger names: it would be left without it."""
    if row := SUBJECTS[subject_type].row:
        hold(session, row, subject_id, KEPT, subject_type)


def _refuse_circle(session: Session, subject_id: UUID, waits_for: Sequence[UUID]) -> None:
    """What waits for itself, be it through others, would never stop running."""
    seen: set[UUID] = set()
    look = set(waits_for)
    while look:
        if subject_id in look:
            raise Conflict("It would wait for itself, perhaps through others, and never come to rest.")
        seen |= look
        before = select(TriggerUpstream.subject_id).join(Trigger, Trigger.id == TriggerUpstream.trigger_id)
        look = set(session.scalars(before.where(Trigger.subject_id.in_(look)))) - seen


def _saved(
    session: Session,
    caller: Caller,
    trigger: Trigger,
    action: str,
    decision: Decision,
    before: dict[str, Any] | None,
) -> SeenTrigger:
    after = _said_of(session, trigger)
    if before != after:
        if before is not None:
            trigger.saved_by_id, trigger.saved_at = caller.member.id, utc_now()
        session.flush()
        _record(session, caller, action, trigger, decision, before, after)
        ring(session, FIRE)
    return seen_trigger(session, caller, trigger)


def _said_of(session: Session, trigger: Trigger) -> dict[str, Any]:
    said: dict[str, Any] = {"subject_id": str(trigger.subject_id), "paused": trigger.paused}
    if trigger.cron:
        return {**said, "cron": trigger.cron, "time_zone": trigger.time_zone}
    return {
        **said,
        "after": [str(part.subject_id) for part in upstream(session, trigger)],
        "needs_all": trigger.needs_all,
    }


def _record(
    session: Session,
    caller: Caller,
    action: str,
    trigger: Trigger,
    decision: Decision,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
) -> None:
    caller.record(
        session,
        action,
        WHAT,
        resource_id=trigger.id,
        resource_name=name_of(session, trigger),
        before=before,
        after=after,
        decision=decision,
    )
