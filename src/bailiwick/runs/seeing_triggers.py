"""Triggers as somebody sees them: in words, with their next firings, what they wait for and what may be done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from types import SimpleNamespace
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, and_, select
from sqlalchemy.orm import Session
from sqlalchemy.sql.visitors import iterate, replacement_traverse

from bailiwick.database.base import utc_now
from bailiwick.database.paging import Page
from bailiwick.errors import NotFound
from bailiwick.runs.deciding import decide
from bailiwick.runs.models import Run, Trigger, TriggerKind, TriggerUpstream
from bailiwick.runs.schedules import Schedule
from bailiwick.runs.subjects import SUBJECTS, Subject
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.listing import NEWEST, Order, has_in_name, page_merged
from bailiwick.tenancy.models import Member

FIRINGS = 5


@dataclass(frozen=True)
class Named:
    """A subject, by the name it has now."""

    type: str
    id: UUID
    name: str
    kind: str | None = None


@dataclass(frozen=True)
class SeenTrigger:
    """A trigger as the caller sees it: what it waits for is named as far as they may see that."""

    trigger: Trigger
    subject: Named
    after: Sequence[Named]
    hidden: int  # of what it waits for
    words: str
    firings: Sequence[datetime]
    saved_by: str
    actions: Sequence[str]


def list_triggers(
    session: Session,
    caller: Caller,
    *,
    subject_type: str | None = None,
    subject_id: UUID | None = None,
    after_id: UUID | None = None,
    kind: TriggerKind | None = None,
    paused: bool | None = None,
    search: str | None = None,
    sort: str = NEWEST,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[SeenTrigger]:
    """Newest first, unless another order is asked for: of one subject, or of all that the caller sees; or what waits
    for one they see. A search is for the name of what they start."""
    exact = {Trigger.subject_id: subject_id, Trigger.kind: kind, Trigger.paused: paused}
    wanted: list[ColumnElement[bool]] = [column == value for column, value in exact.items() if value is not None]
    if after_id is not None:
        waits = TriggerUpstream.subject_id == after_id
        type_ = session.scalar(select(TriggerUpstream.subject_type).where(waits).limit(1))
        if type_ is None or named_if_seen(session, caller, type_, after_id) is None:
            return Page([])
        wanted.append(Trigger.id.in_(select(TriggerUpstream.trigger_id).where(waits)))

    looked_at = [
        (_beside_its_name(subject), and_(Trigger.subject_type == subject.type, way))
        for subject in SUBJECTS.values()
        if subject.by_trigger and subject_type in (None, subject.type)
        for way in _of_triggers(subject.ways_to_see(session, caller))
    ]
    page = page_merged(
        session,
        Trigger,
        Order(sort),
        cursor,
        limit,
        looked_at,
        lambda thing: [*wanted, *([has_in_name(thing.name, search)] if search else [])],
    )
    return Page([seen_trigger(session, caller, trigger) for trigger in page.items], page.next_cursor)


def _beside_its_name(subject: Subject) -> SimpleNamespace:
    """What a list of triggers is ordered by: columns of their own, and the name of what they start."""
    own = Trigger.__table__.c
    name = subject.named(own.subject_id).scalar_subquery().correlate(Trigger)
    return SimpleNamespace(id=own.id, name=name, next_at=own.next_at, last_fired_at=own.last_fired_at)


def seen_trigger(session: Session, caller: Caller, trigger: Trigger) -> SeenTrigger:
    parts = upstream(session, trigger) if trigger.kind == TriggerKind.AFTER else []
    after = [named for part in parts if (named := named_if_seen(session, caller, part.subject_type, part.subject_id))]
    firings: list[datetime] = []
    if trigger.cron:
        schedule = Schedule(trigger.cron, trigger.time_zone)
        words = schedule.words
        firings = [] if trigger.paused else list(islice(schedule.firings(utc_now()), FIRINGS))
    else:
        words = _waiting_words(after, len(parts) - len(after), trigger.needs_all)
    edit = decide(session, caller, trigger.subject_type, trigger.subject_id, "edit").allowed
    pause = "resume" if trigger.paused else "pause"
    saved_by = session.scalar(select(Member.name).where(Member.id == trigger.saved_by_id)) or ""
    type_, id_ = trigger.subject_type, trigger.subject_id
    subject = Named(type_, id_, name_of(session, trigger), _kind_of(session, type_, id_))
    actions = ["see", *(["edit", pause, "remove"] if edit else [])]
    return SeenTrigger(trigger, subject, after, len(parts) - len(after), words, firings, saved_by, actions)


def _waiting_words(after: Sequence[Named], hidden: int, needs_all: bool) -> str:
    names = [f"“{one.name}”" for one in after] + ([f"{hidden} that you may not see"] if hidden else [])
    if not names:
        return "After nothing any more: what it waited for is gone"
    if len(names) == 1:
        return f"After {names[0]} succeeded"
    return f"After {'all' if needs_all else 'any'} of {', '.join(names)} succeeded"


def named_if_seen(session: Session, caller: Caller, type_: str, id_: UUID) -> Named | None:
    try:
        allowed = decide(session, caller, type_, id_, "see").allowed
    except NotFound:
        return None
    name = SUBJECTS[type_].name_of(session, id_) if allowed else None
    return Named(type_, id_, name, _kind_of(session, type_, id_)) if name is not None else None


def _kind_of(session: Session, type_: str, id_: UUID) -> str | None:
    kind_of = SUBJECTS[type_].kind_of
    return kind_of(session, id_) if kind_of else None


def name_of(session: Session, trigger: Trigger) -> str:
    return SUBJECTS[trigger.subject_type].name_of(session, trigger.subject_id) or ""


def upstream(session: Session, trigger: Trigger) -> Sequence[TriggerUpstream]:
    found = select(TriggerUpstream).where(TriggerUpstream.trigger_id == trigger.id)
    return session.scalars(found.order_by(TriggerUpstream.subject_id)).all()


def _of_triggers(ways: Sequence[ColumnElement[bool]]) -> Iterator[ColumnElement[bool]]:
    """Conditions on runs' subjects, as the same conditions on triggers' subjects. One that asks more of a run, such as
    who started it, is about things that run once and have no trigger."""

    def replace(element: Any, **_: Any) -> Any:
        return Trigger.__table__.c.subject_id if _is_of_run(element) and element.key == "subject_id" else None

    for way in ways:
        adapted: ColumnElement[bool] = replacement_traverse(way, {}, replace)
        if not any(_is_of_run(element) for element in iterate(adapted)):
            yield adapted


def _is_of_run(element: Any) -> bool:
    return getattr(element, "table", None) is Run.__table__
