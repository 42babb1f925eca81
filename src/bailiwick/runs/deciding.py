"""Who may see, start and change what runs: as the subject's own document says."""

from __future__ import annotations

from collections.abc import Callable, Collection
from uuid import UUID

from sqlalchemy import ColumnElement
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision, Refused, require
from bailiwick.database.locks import LOCKED
from bailiwick.errors import NotFound
from bailiwick.runs.errors import NotSeen
from bailiwick.runs.models import Run
from bailiwick.runs.subjects import SEEN, SUBJECTS
from bailiwick.tenancy.caller import Caller

DELETE_RUNS = "Delete runs"
EVERY_RUN: ColumnElement[bool] = Run.subject_id.is_not(None)  # of a type: whatever it belongs to, and of what is gone

# Whether the caller may delete the runs of a project; the projects say so themselves.
of_project: list[Callable[[Session, Caller, UUID], Decision]] = []


def decide(session: Session, caller: Caller, subject_type: str, subject_id: UUID, action: str) -> Decision:
    """Of the subject's type; NotFound where there is no such subject any more."""
    subject = SUBJECTS.get(subject_type)
    if subject is None:
        raise NotFound(subject_type)
    return subject.decide(session, caller, subject_id, action)


def allowed(session: Session, caller: Caller, subject_type: str, ids: Collection[UUID], action: str) -> set[UUID]:
    """Of which of these subjects the caller may do it; of what is gone, or not for them to see, nothing."""
    subject = SUBJECTS.get(subject_type)
    if subject is not None and subject.allowed is not None:
        return set(subject.allowed(session, caller, ids, action))
    return {id_ for id_ in ids if _is_allowed(session, caller, subject_type, id_, action)}


def _is_allowed(session: Session, caller: Caller, subject_type: str, subject_id: UUID, action: str) -> bool:
    try:
        return decide(session, caller, subject_type, subject_id, action).allowed
    except (NotFound, Refused):
        return False


def require_seen(session: Session, caller: Caller, subject_type: str, subject_id: UUID, what: str) -> Decision:
    """Raise as if there were no such run or trigger, where the caller may not see what it belongs to."""
    try:
        decision = decide(session, caller, subject_type, subject_id, "see")
    except NotFound:
        raise NotFound(what) from None
    if not decision.allowed:
        raise NotSeen(decision, what)
    return decision


def require_run_seen(session: Session, caller: Caller, run_id: UUID, *, lock: bool = False) -> Run:
    """A run the caller sees. Of what is gone, its runs are there for those who may delete them; what somebody asked
    once is theirs alone."""
    run = session.get(Run, run_id, with_for_update=LOCKED if lock else None, populate_existing=lock)
    if run is None:
        raise NotFound("run")
    try:
        require_seen(session, caller, run.subject_type, run.subject_id, "run")
    except NotFound:
        if run.subject_id == run.id or not may_delete(session, caller, run).allowed:
            raise
    return run


def may_start(session: Session, caller: Caller, run: Run) -> Decision:
    """Whether the caller may start the like of it; for what is gone, whether they may delete its runs."""
    try:
        return decide(session, caller, run.subject_type, run.subject_id, "start")
    except NotFound:
        return may_delete(session, caller, run)


def may_delete(session: Session, caller: Caller, run: Run) -> Decision:
    if run.project_id is not None:
        return of_project[0](session, caller, run.project_id)
    return caller.on_tenant(DELETE_RUNS)


def sees_what_is_left(caller: Caller) -> bool:
    """Of what is gone, its runs are there for who may delete them: of what has no project, for tenant owners and
    admins, who see everything that is there, too."""
    return caller.chosen_tables is None and caller.on_tenant(DELETE_RUNS).allowed


def require_edit(session: Session, caller: Caller, subject_type: str, subject_id: UUID, what: str) -> Decision:
    """Whoever sees the subject and may not change it is refused with the reason."""
    require_seen(session, caller, subject_type, subject_id, what)
    return require(decide(session, caller, subject_type, subject_id, "edit"))


def seen_of(session: Session, caller: Caller, resource_type: str, ids: Collection[UUID]) -> set[UUID]:
    """Which of these the caller may see; of a type that nobody speaks for, none."""
    look = SEEN.get(resource_type)
    return set(look(session, caller, ids)) if look and ids else set()
