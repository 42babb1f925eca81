"""What runs belong to: the areas say here how their subjects are seen, started and named."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, select
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision
from bailiwick.runs.models import Run, Trigger
from bailiwick.tenancy.caller import Caller


@dataclass(frozen=True)
class Named:
    """A subject, by the name it has now."""

    type: str
    id: UUID
    name: str
    kind: str | None = None


@dataclass(frozen=True)
class Subject:
    """One type of subject.

    `decide` answers for "see", "start" and "edit" in the words of the subject's document, and raises NotFound for an id
    that is not there. `start` puts a run into the queue: for a caller, or by a trigger when there is none. `names`
    are the id, the name and, where there are kinds, the kind of each. `ways_to_see` are conditions on Run.subject_id,
    each a way on which the caller sees runs of this type."""

    type: str
    decide: Callable[[Session, Caller, UUID, str], Decision]
    start: Callable[[Session, Caller | None, UUID, Trigger | None, datetime | None], Run]
    names: Callable[[], Select[UUID, str, str | None]]
    ways_to_see: Callable[[Session, Caller], list[ColumnElement[bool]]]
    row: Any = None  # the mapped class: what it is in the database, where a trigger may name it
    by_trigger: bool = True  # whether a trigger may start it
    # For which of these `decide` would answer yes, asked together: for lists, in which there are many of them.
    allowed: Callable[[Session, Caller, Collection[UUID], str], Collection[UUID]] | None = None
    shares_results: bool = False  # they hold counts and names, for whoever sees its runs
    # Whether a run of it can be had again; else it is asked for anew.
    repeats: Callable[[Session, Run], bool] = lambda session, run: True
    # By run: the names of parts of its subject that the caller may not see, so that it tells them nothing of these.
    untold: Callable[[Session, Caller, Sequence[Run]], Mapping[UUID, Collection[str]]] | None = None
    work: str | None = None  # the kind of its runs that is work; others are looks, on the way to something else

    def named(self, session: Session, ids: Collection[UUID]) -> dict[UUID, Named]:
        """Those of these that are there, by the names they have now."""
        there = self.names().subquery()
        found = session.execute(select(there).where(there.columns[0].in_(ids)))
        return {id_: Named(self.type, id_, name, kind) for id_, name, kind in found}

    def name_of(self, session: Session, id_: UUID) -> str | None:
        found = self.named(session, [id_])
        return found[id_].name if id_ in found else None

    def name_at(self, id_: ColumnElement[UUID]) -> ColumnElement[str]:
        """The name that belongs to the id in a column."""
        there = self.names().subquery()
        its_id, name, _ = there.columns
        return select(name).where(its_id == id_).correlate_except(there).scalar_subquery()

    def only_work(self) -> list[ColumnElement[bool]]:
        """Conditions that leave out looks."""
        return [] if self.work is None else [Run.kind == self.work]


SUBJECTS: dict[str, Subject] = {}

# What a run that lacked a right, or its lineage, may name: by type of resource, which of these the caller may see.
SEEN: dict[str, Callable[[Session, Caller, Collection[UUID]], Collection[UUID]]] = {}
