"""Triggers as somebody sees them: in words, with their next firings, what they wait for and what may be done."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from types import SimpleNamespace
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import ColumnElement, and_, select
from sqlalchemy.orm import Session
from sqlalchemy.sql.visitors import iterate, replacement_traverse

from bailiwick.database.base import utc_now
from bailiwick.database.listing import NEWEST, Order, has_in_name, page_merged
from bailiwick.database.paging import Page
from bailiwick.runs.deciding import allowed
from bailiwick.runs.models import Run, Trigger, TriggerKind, TriggerUpstream
from bailiwick.runs.schedules import Schedule
from bailiwick.runs.subjects import SUBJECTS, Named, Subject
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Member

FIRINGS = 5
Key = tuple[str, UUID]  # a subject's type and id
Found = TypeVar("Found")


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
    order = Order(sort)
    order.position(cursor)  # a wrong one is refused whatever there is
    if after_id is not None:
        waits = TriggerUpstream.subject_id == after_id
        type_ = session.scalar(select(TriggerUpstream.subject_type).where(waits).limit(1))
        if type_ is None or not named_if_seen(session, caller, [(type_, after_id)]):
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
        order,
        cursor,
        limit,
        looked_at,
        lambda thing: [*wanted, *([has_in_name(thing.name, search)] if search else [])],
    )
    return Page(seen_triggers(session, caller, page.items), page.next_cursor)


def _beside_its_name(subject: Subject) -> SimpleNamespace:
    """What a list of triggers is ordered by: columns of their own, and the name of what they start."""
    own = Trigger.__table__.c
    name = subject.name_at(own.subject_id)
    return SimpleNamespace(id=own.id, name=name, next_at=own.next_at, last_fired_at=own.last_fired_at)


def seen_trigger(session: Session, caller: Caller, trigger: Trigger) -> SeenTrigger:
    (only,) = seen_triggers(session, caller, [trigger])
    return only


def seen_triggers(session: Session, caller: Caller, triggers: Sequence[Trigger]) -> list[SeenTrigger]:
    """Triggers that the caller sees, with everything else read together."""
    parts = _upstreams(session, [trigger.id for trigger in triggers if trigger.kind == TriggerKind.AFTER])
    started = [(trigger.subject_type, trigger.subject_id) for trigger in triggers]
    subjects = _each(started, lambda type_, ids: SUBJECTS[type_].named(session, ids))
    edited = _each(started, lambda type_, ids: dict.fromkeys(allowed(session, caller, type_, ids, "edit"), True))
    waited_for = [(part.subject_type, part.subject_id) for own in parts.values() for part in own]
    after = named_if_seen(session, caller, waited_for)
    savers = select(Member.id, Member.name).where(Member.id.in_({trigger.saved_by_id for trigger in triggers}))
    names = dict(session.execute(savers).all())
    return [
        _seen(
            trigger,
            subjects.get(key) or Named(*key, name=""),
            [after.get((part.subject_type, part.subject_id)) for part in parts[trigger.id]],
            names.get(trigger.saved_by_id, ""),
            key in edited,
        )
        for trigger, key in zip(triggers, started, strict=True)
    ]


def _seen(trigger: Trigger, subject: Named, upstream: Sequence[Named | None], saved_by: str, edit: bool) -> SeenTrigger:
    after = [named for named in upstream if named is not None]
    hidden = len(upstream) - len(after)
    firings: list[datetime] = []
    if trigger.cron:
        schedule = Schedule(trigger.cron, trigger.time_zone)
        words = schedule.words
        firings = [] if trigger.paused else list(islice(schedule.firings(utc_now()), FIRINGS))
    else:
        words = _waiting_words(after, hidden, trigger.needs_all)
    pause = "resume" if trigger.paused else "pause"
    actions = ["see", *(["edit", pause, "remove"] if edit else [])]
    return SeenTrigger(trigger, subject, after, hidden, words, firings, saved_by, actions)


def _waiting_words(after: Sequence[Named], hidden: int, needs_all: bool) -> str:
    names = [f"“{one.name}”" for one in after] + ([f"{hidden} that you may not see"] if hidden else [])
    if not names:
        return "After nothing any more: what it waited for is gone"
    if len(names) == 1:
        return f"After {names[0]} succeeded"
    return f"After {'all' if needs_all else 'any'} of {', '.join(names)} succeeded"


def named_if_seen(session: Session, caller: Caller, subjects: Collection[Key]) -> dict[Key, Named]:
    """Those of these subjects that are there and that the caller may see."""
    return _each(
        subjects,
        lambda type_, ids: SUBJECTS[type_].named(session, allowed(session, caller, type_, ids, "see")),
    )


def _each(keys: Collection[Key], look_up: Callable[[str, set[UUID]], Mapping[UUID, Found]]) -> dict[Key, Found]:
    """Looked up together, type by type."""
    types = {type_ for type_, _ in keys if type_ in SUBJECTS}
    ids = {type_: {id_ for other, id_ in keys if other == type_} for type_ in types}
    return {(type_, id_): found for type_ in types for id_, found in look_up(type_, ids[type_]).items()}


def name_of(session: Session, trigger: Trigger) -> str:
    return SUBJECTS[trigger.subject_type].name_of(session, trigger.subject_id) or ""


def upstream(session: Session, trigger: Trigger) -> Sequence[TriggerUpstream]:
    return _upstreams(session, [trigger.id])[trigger.id]


def _upstreams(session: Session, trigger_ids: Collection[UUID]) -> dict[UUID, list[TriggerUpstream]]:
    found: dict[UUID, list[TriggerUpstream]] = defaultdict(list)
    if trigger_ids:
        parts = select(TriggerUpstream).where(TriggerUpstream.trigger_id.in_(trigger_ids))
        for part in session.scalars(parts.order_by(TriggerUpstream.subject_id)):
            found[part.trigger_id].append(part)
    return found


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
