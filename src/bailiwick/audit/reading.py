"""Reading the audit: each way of seeing entries is its own indexed query, and they are merged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, and_, tuple_
from sqlalchemy.orm import Session

from bailiwick.access.decision import slug
from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.audit.models import AuditEntry
from bailiwick.database.base import first_id_at
from bailiwick.database.listing import NEWEST, Order, page_merged
from bailiwick.database.paging import Page

MOST_WAYS = 100  # projects that are read one by one; SQLite joins no more than 500 lists

# An entry's id is made a little before its time is taken; no more than this lies between.
APART = timedelta(seconds=1)

# Whoever sees a table may read it, so that a statement is refused one only by who does not see it.
EXECUTE_QUERIES = "Execute queries"

# What is seen by who sees what it belongs to: looking for one of these is refused by that document's word for seeing.
OF_SOMETHING = ("access_request", "run", "trigger")

# What one may not see answers like what is not there; only the record tells them apart, so not to whoever tried.
LOOKED_IN_VAIN = and_(
    AuditEntry.outcome == "refused",
    tuple_(AuditEntry.resource_type, AuditEntry.action).in_(
        [(name, slug(type_.see)) for name, type_ in RESOURCE_TYPES.items() if type_.see]
        + [("table", slug(EXECUTE_QUERIES))]
        + [
            (name, see)
            for name in OF_SOMETHING
            for see in sorted({slug(t.see) for t in RESOURCE_TYPES.values() if t.see})
        ]
    ),
)


@dataclass(frozen=True)
class Reader:
    """What somebody may read: everything, or what they did, what was done to them, and what their roles show."""

    member: UUID
    everything: bool = False
    seen_everywhere: Sequence[str] = ()  # roles inherited by every project
    seen_in: Sequence[tuple[UUID, Sequence[str]]] = ()  # project → roles it is read from

    def ways(self) -> list[ColumnElement[bool]]:
        if self.everything:
            return [AuditEntry.id.is_not(None)]
        found = [and_(AuditEntry.actor_id == self.member, ~LOOKED_IN_VAIN), AuditEntry.about_id == self.member]
        if self.seen_everywhere:
            found.append(and_(AuditEntry.project_id.is_not(None), AuditEntry.seen_from.in_(self.seen_everywhere)))
        if len(self.seen_in) <= MOST_WAYS:
            places = [(AuditEntry.project_id == project, roles) for project, roles in self.seen_in]
        else:
            by_roles: dict[tuple[str, ...], list[UUID]] = defaultdict(list)
            for project, roles in self.seen_in:
                by_roles[tuple(roles)].append(project)
            places = [(AuditEntry.project_id.in_(projects), roles) for roles, projects in by_roles.items()]
        return [*found, *(and_(there, AuditEntry.seen_from.in_(roles)) for there, roles in places)]


@dataclass(frozen=True)
class Wanted:
    """What a reader looks for; what is left out matches everything."""

    actor: UUID | None = None
    about: UUID | None = None
    project: UUID | None = None
    action: str | None = None
    outcome: str | None = None
    resource_type: str | None = None
    resource_id: str | None = None
    request_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    named: ColumnElement[bool] | None = None
    conditions: tuple[ColumnElement[bool], ...] = field(init=False)

    def __post_init__(self) -> None:
        exact = {
            AuditEntry.actor_id: self.actor,
            AuditEntry.about_id: self.about,
            AuditEntry.project_id: self.project,
            AuditEntry.action: self.action,
            AuditEntry.outcome: self.outcome,
            AuditEntry.resource_type: self.resource_type,
            AuditEntry.resource_id: self.resource_id,
            AuditEntry.request_id: self.request_id,
        }
        found: list[ColumnElement[bool]] = [column == value for column, value in exact.items() if value is not None]
        # Entries lie by id, and ids are in the order of time: only what lies between is looked at.
        if self.since is not None:
            found += [AuditEntry.at >= self.since, AuditEntry.id >= first_id_at(_moved(self.since, -APART))]
        if self.until is not None:
            found += [AuditEntry.at < self.until, AuditEntry.id < first_id_at(_moved(self.until, APART))]
        if self.named is not None:
            found.append(self.named)
        object.__setattr__(self, "conditions", tuple(found))


def _moved(moment: datetime, by: timedelta) -> datetime:
    try:
        return moment + by
    except OverflowError:  # the calendar's first or last second
        return moment


def read(
    session: Session, reader: Reader, wanted: Wanted, cursor: str | None, limit: int, sort: str = NEWEST
) -> Page[AuditEntry]:
    """A page of entries, newest first unless another order is asked for."""
    looked_at = [(AuditEntry, way) for way in reader.ways()]
    return page_merged(session, AuditEntry, Order(sort), cursor, limit, looked_at, lambda _: wanted.conditions)
