"""Made-up work for tests of runs: a subject that knows only its friends, and kinds that need no Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, literal, null, select, union_all
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision
from bailiwick.database.base import new_id
from bailiwick.errors import Conflict, NotFound
from bailiwick.runs.models import Run, Trigger
from bailiwick.runs.queue import enqueue
from bailiwick.runs.subjects import SUBJECTS, Subject
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Member
from bailiwick.worker.kinds import Kind

ERRAND = "errand"


def decision(action: str, allowed: bool) -> Decision:
    return Decision(
        allowed, "pipeline", action, "lakehouse", "What each level can do", "lakehouse", "row", "column", {}
    )


@dataclass
class Errands:
    """Things to run, by id, with the names of who may see, start and edit them."""

    names: dict[UUID, str] = field(default_factory=dict)
    friends: dict[UUID, dict[str, set[UUID]]] = field(default_factory=dict)
    owners: dict[UUID, Member] = field(default_factory=dict)
    active: dict[UUID, bool] = field(default_factory=dict)

    def add(self, name: str, owner: Member, *, see: Any = (), start: Any = (), edit: Any = ()) -> UUID:
        id_ = new_id()
        self.names[id_], self.owners[id_], self.active[id_] = name, owner, True
        self.friends[id_] = {
            action: {member.id for member in [owner, *people]}
            for action, people in (("see", [*see, *start, *edit]), ("start", start), ("edit", edit))
        }
        return id_

    def decide(self, session: Session, caller: Caller, id_: UUID, action: str) -> Decision:
        if id_ not in self.names:
            raise NotFound("errand")
        word = {"see": "See pipelines", "start": "Trigger pipelines", "edit": "Edit pipelines"}[action]
        return decision(word, caller.member.id in self.friends[id_][action])

    def start(
        self,
        session: Session,
        caller: Caller | None,
        id_: UUID,
        trigger: Trigger | None = None,
        scheduled_for: datetime | None = None,
    ) -> Run:
        if id_ not in self.names:
            raise NotFound("errand")
        if not self.active[id_]:
            raise Conflict(f"“{self.names[id_]}” is not active. Activate it first.")
        return enqueue(
            session,
            kind="errand",
            subject_type=ERRAND,
            subject_id=id_,
            subject_name=self.names[id_],
            acts_as=self.owners[id_],
            started_by=caller.member if caller else None,
            trigger=trigger,
            scheduled_for=scheduled_for,
        )

    def names_there(self) -> Select[UUID, str, str | None]:
        known = {UUID(int=0): "", **self.names}.items()  # the database takes no list of nothing
        rows = union_all(*(select(literal(one).label("id"), literal(name).label("name")) for one, name in known))
        there = rows.subquery()
        return select(there.c.id, there.c.name, null().label("kind"))

    def ways_to_see(self, session: Session, caller: Caller) -> list[ColumnElement[bool]]:
        seen = [id_ for id_, friends in self.friends.items() if caller.member.id in friends["see"]]
        return [Run.subject_id.in_(seen[:1]), Run.subject_id.in_(seen)] if seen else []


@contextmanager
def errands_known() -> Iterator[Errands]:
    made = Errands()
    SUBJECTS[ERRAND] = Subject(ERRAND, made.decide, made.start, made.names_there, made.ways_to_see)
    try:
        yield made
    finally:
        del SUBJECTS[ERRAND]


def kind(
    execute: Callable[[Any, Any, Any], Any] = lambda engine, job, context: job,
    *,
    prepare: Callable[[Session, Run], Any] = lambda session, run: dict(run.parameters),
    finish: Callable[[Session, Run, Any], None] = lambda session, run, outcome: None,
    **more: Any,
) -> Kind:
    """A kind without Spark."""
    return Kind(prepare, execute, finish, **{"needs_spark": False, **more})


def make_run(session: Session, member: Member, *, subject_id: UUID | None = None, **more: Any) -> Run:
    """A run in the queue."""
    given = {"kind": "errand", "subject_type": ERRAND, "subject_name": "An errand", "started_by": member}
    return enqueue(session, subject_id=subject_id or new_id(), acts_as=member, **{**given, **more})
