"""What runs belong to: the areas say here how their subjects are seen, started and named."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, literal
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision
from bailiwick.runs.models import Run, Trigger
from bailiwick.tenancy.caller import Caller


@dataclass(frozen=True)
class Subject:
    """One type of subject.

    `decide` answers for "see", "start" and "edit" in the words of the subject's document, and raises NotFound for an id
    that is not there. `start` puts a run into the queue: for a caller, or by a trigger when there is none. `named`
    looks up the name that belongs to an id. `ways_to_see` are conditions on Run.subject_id, each a way on which the
    caller sees runs of this type."""

    type: str
    decide: Callable[[Session, Caller, UUID, str], Decision]
    start: Callable[[Session, Caller | None, UUID, Trigger | None, datetime | None], Run]
    named: Callable[[ColumnElement[UUID]], Select[str]]
    ways_to_see: Callable[[Session, Caller], list[ColumnElement[bool]]]
    row: Any = None  # the mapped class: what it is in the database, where a trigger may name it
    by_trigger: bool = True  # whether a trigger may start it
    kind_of: Callable[[Session, UUID], str | None] | None = None  # where there are kinds of it
    shares_results: bool = False  # they hold counts and names, for whoever sees its runs
    work: str | None = None  # the kind of its runs that is work; others are looks, on the way to something else

    def name_of(self, session: Session, id_: UUID) -> str | None:
        return session.scalar(self.named(literal(id_)))

    def only_work(self) -> list[ColumnElement[bool]]:
        """Conditions that leave out looks."""
        return [] if self.work is None else [Run.kind == self.work]


SUBJECTS: dict[str, Subject] = {}

# What a run that lacked a right, or its lineage, may name: by type of resource, which of these the caller may see.
SEEN: dict[str, Callable[[Session, Caller, Collection[UUID]], Collection[UUID]]] = {}
