"""Runs for people: seen with what they belong to, cancelled and run again by who may start them, deleted by Admins."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, and_, or_, select
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision, require
from bailiwick.database.listing import NEWEST, Order, has_in_name, page_merged
from bailiwick.database.paging import Page, page_of, read_cursor, read_id
from bailiwick.errors import Conflict, NotFound
from bailiwick.runs import ending
from bailiwick.runs.deciding import allowed, may_delete, may_start, require_run_seen, seen_of
from bailiwick.runs.ending import name_on_record
from bailiwick.runs.errors import NotSeen
from bailiwick.runs.models import ENDED, LineageEdge, Run, RunLog, RunState
from bailiwick.runs.readiness import why_it_waits
from bailiwick.runs.subjects import SUBJECTS
from bailiwick.runs.untold import lines_without, problem_without, result_without, untold
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Member

LISTED = SimpleNamespace(id=Run.id, name=Run.subject_name)  # what a list is ordered by
NUMBERED = re.compile(r"(?P<name>.*?)\s*#(?P<number>\d{1,9})")


@dataclass(frozen=True)
class SeenRun:
    """A run as the caller sees it. Its result is for who started it, and not for who views as them, unless its subject
    shares results; what a right was missing on, for who sees that."""

    run: Run
    started_by: str | None
    acts_as: str
    missing: Sequence[dict[str, Any]]
    hidden: int  # of what is missing
    result: dict[str, Any] | None
    problem: dict[str, Any] | None
    actions: Sequence[str]
    note: str | None = None  # why it has not begun
    private: bool = False  # the caller may stop it, and not know what it is


@dataclass(frozen=True)
class Lineage:
    edges: Sequence[LineageEdge]
    hidden: int


def list_runs(
    session: Session,
    caller: Caller,
    *,
    states: Collection[RunState] = (),
    kind: str | None = None,
    subject_type: str | None = None,
    subject_id: UUID | None = None,
    project_id: UUID | None = None,
    trigger_id: UUID | None = None,
    mine: bool = False,
    looks: bool = True,
    search: str | None = None,
    sort: str = NEWEST,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[SeenRun]:
    """Newest first, unless another order is asked for. Without `looks`, only those that are work."""
    exact = {Run.kind: kind, Run.subject_id: subject_id, Run.project_id: project_id, Run.trigger_id: trigger_id}
    wanted: list[ColumnElement[bool]] = [column == value for column, value in exact.items() if value is not None]
    if states:
        wanted.append(Run.state.in_(sorted(states)))
    if mine:
        wanted.append(Run.started_by_id == caller.member.id)
    if search:
        wanted.append(named_like(search))
    ways = [
        and_(Run.subject_type == subject.type, way, *([] if looks else subject.only_work()))
        for subject in SUBJECTS.values()
        if subject_type in (None, subject.type)
        for way in subject.ways_to_see(session, caller)
    ]
    page = page_merged(session, Run, Order(sort), cursor, limit, [(LISTED, way) for way in ways], lambda _: wanted)
    return Page(seen_runs(session, caller, page.items), page.next_cursor)


def named_like(search: str) -> ColumnElement[bool]:
    """Those with this in the name of what ran; “Deliveries #3” is the third of them, “#3” the third of anything."""
    named = has_in_name(Run.subject_name, search)
    told = NUMBERED.fullmatch(search)
    if told is None:
        return named
    of_number = Run.number == int(told["number"])
    return or_(named, of_number & has_in_name(Run.subject_name, told["name"]) if told["name"] else of_number)


def get_run(session: Session, caller: Caller, run_id: UUID) -> SeenRun:
    (seen,) = seen_runs(session, caller, [require_run_seen(session, caller, run_id)])
    return replace(seen, note=why_it_waits(session)) if seen.run.state == RunState.QUEUED else seen


def read_log(
    session: Session, caller: Caller, run_id: UUID, *, cursor: str | None = None, limit: int = 50
) -> Page[RunLog]:
    """A run's log, oldest line first."""
    run = require_run_seen(session, caller, run_id)
    last = read_cursor(cursor, 1)
    lines = lines_after(session, caller, run, read_id(last[0]) if last else None, limit + 1)
    return page_of(lines, limit, lambda line: (str(line.id),))


def lines_after(session: Session, caller: Caller, run: Run, line_id: UUID | None, limit: int) -> Sequence[RunLog]:
    """Of a run that the caller sees."""
    beyond = [] if line_id is None else [RunLog.id > line_id]
    told = lines_without(untold(session, caller, [run]).get(run.id, ()))
    lines = select(RunLog).where(RunLog.run_id == run.id, *beyond, *told)
    return session.scalars(lines.order_by(RunLog.id).limit(limit)).all()


def get_lineage(session: Session, caller: Caller, run_id: UUID) -> Lineage:
    """Which columns went where, as far as the caller sees the tables. Only the latest run of its subject tells."""
    require_run_seen(session, caller, run_id)
    edges = session.scalars(select(LineageEdge).where(LineageEdge.run_id == run_id).order_by(LineageEdge.id)).all()
    tables = {id_ for edge in edges for id_ in (edge.from_table_id, edge.to_table_id) if id_}
    unseen = tables - seen_of(session, caller, "table", tables)
    shown = [edge for edge in edges if edge.from_table_id not in unseen and edge.to_table_id not in unseen]
    return Lineage(shown, len(edges) - len(shown))


def cancel_run(session: Session, caller: Caller, run_id: UUID) -> SeenRun:
    """By who may start it; and by who may delete it, though they may not see what it does."""
    run, seen = _reach(session, caller, run_id)
    decision = may_delete(session, caller, run)
    if not decision.allowed:
        decision = require(may_start(session, caller, run))
    if run.state in ENDED:
        raise Conflict(f"It has ended already: {run.state}.")
    if run.cancel_asked_at is None:
        before = {"state": run.state}
        ending.ask_to_cancel(session, run, caller.member)
        after = {"state": run.state if run.state in ENDED else "to be cancelled"}  # as soon as its worker hears of it
        _record(session, caller, "cancel_run", run, decision, before=before, after=after)
    (told,) = seen_runs(session, caller, [run])
    return told if seen else replace(told, private=True)


def run_again(session: Session, caller: Caller, run_id: UUID) -> SeenRun:
    """A new run of the same subject, as if it were started by hand."""
    run = require_run_seen(session, caller, run_id)
    subject = SUBJECTS.get(run.subject_type)
    if subject is None or subject.name_of(session, run.subject_id) is None:
        raise Conflict("What it belonged to is gone, so it cannot be run again.")
    decision = require(may_start(session, caller, run))
    if run.state not in ENDED:
        raise Conflict(f"It is {run.state} still. Wait for it to end, or cancel it first.")
    new = subject.start(session, caller, run.subject_id, None, None)
    _record(session, caller, "run_again", run, decision, after={"run_id": str(new.id)})
    (seen,) = seen_runs(session, caller, [new])
    return seen


def delete_run(session: Session, caller: Caller, run_id: UUID) -> None:
    """The run, its log and its result; what the audit says of it stays."""
    run, _ = _reach(session, caller, run_id)
    decision = require(may_delete(session, caller, run))
    if run.state not in ENDED:
        raise Conflict(f"It is {run.state} still. Cancel it first.")
    told = {"number": run.number, "state": run.state, "kind": run.kind, "subject_id": str(run.subject_id)}
    _record(session, caller, "delete_run", run, decision, before=told)
    session.delete(run)
    session.flush()


def _reach(session: Session, caller: Caller, run_id: UUID) -> tuple[Run, bool]:
    """To stop or delete a run, locked: seen by the caller, or within what they may delete; and whether it is seen."""
    try:
        return require_run_seen(session, caller, run_id, lock=True), True
    except (NotSeen, NotFound):
        run = session.get(Run, run_id)
        if run is None or not may_delete(session, caller, run).allowed:
            raise
        return run, False


# As seen -------------------------------------------------------------------------------------------------------------


def seen_runs(session: Session, caller: Caller, runs: Sequence[Run]) -> list[SeenRun]:
    ids = {id_ for run in runs for id_ in (run.started_by_id, run.acts_as_id) if id_}
    names = dict(session.execute(select(Member.id, Member.name).where(Member.id.in_(ids))).all())
    unseen, unnamed = _unseen(session, caller, runs), untold(session, caller, runs)
    types = {run.subject_type for run in runs}
    subjects = {type_: {run.subject_id for run in runs if run.subject_type == type_} for type_ in types}
    starts = {type_: allowed(session, caller, type_, ids, "start") for type_, ids in subjects.items()}
    found = []
    for run in runs:
        missing = [lack for lack in run.missing or () if _key(lack) not in unseen]
        found.append(
            SeenRun(
                run,
                names.get(run.started_by_id) if run.started_by_id else None,
                names[run.acts_as_id],
                missing,
                len(run.missing or ()) - len(missing),
                result_without(run.result, unnamed.get(run.id, ())) if _may_see_result(caller, run) else None,
                problem_without(run.problem, unnamed.get(run.id, ())),
                _actions(
                    session, run, run.subject_id in starts[run.subject_type], may_delete(session, caller, run).allowed
                ),
            )
        )
    return found


def _may_see_result(caller: Caller, run: Run) -> bool:
    subject = SUBJECTS.get(run.subject_type)
    if subject is not None and subject.shares_results:
        return True
    return run.started_by_id == caller.member.id and caller.viewer is None


def _actions(session: Session, run: Run, start: bool, delete: bool) -> list[str]:
    ended, subject = run.state in ENDED, SUBJECTS.get(run.subject_type)
    may = {
        "see": True,
        "cancel": (start or delete) and not ended,
        "run_again": start and ended and subject is not None and subject.repeats(session, run),
        "delete": delete and ended,
    }
    return [action for action, allows in may.items() if allows]


def _unseen(session: Session, caller: Caller, runs: Iterable[Run]) -> set[tuple[str, str]]:
    """What these runs lacked a right on and the caller may not see."""
    named: dict[str, set[str]] = defaultdict(set)
    for run in runs:
        for lack in run.missing or ():
            type_, id_ = _key(lack)
            named[type_].add(id_)
    hidden: set[tuple[str, str]] = set()
    for type_, ids in named.items():
        seen = {str(id_) for id_ in seen_of(session, caller, type_, [UUID(id_) for id_ in ids])}
        hidden |= {(type_, id_) for id_ in ids - seen}
    return hidden


def _key(lack: dict[str, Any]) -> tuple[str, str]:
    return str(lack["resource_type"]), str(lack["resource_id"])


def _record(session: Session, caller: Caller, action: str, run: Run, decision: Decision, **what: Any) -> None:
    caller.record(
        session,
        action,
        "run",
        resource_id=run.id,
        resource_name=name_on_record(run),
        project_id=run.project_id,
        seen_from="Admin" if run.project_id else None,
        decision=decision,
        **what,
    )
