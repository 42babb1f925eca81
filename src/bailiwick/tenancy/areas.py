"""Where the areas hook in: the tenancy knows none of them and calls whoever registered here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from bailiwick.access.world import records
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.handed_over import end_what_was_handed_over
from bailiwick.tenancy.models import Group, Member


@dataclass(frozen=True)
class Given:
    """A level or role that a group was given, with what it is on or in."""

    group_id: UUID
    what: str  # a level or a role
    kind: str
    id: UUID
    name: str
    at: datetime
    by_id: UUID | None
    expires_at: datetime | None


# The projects that give these members, or groups they are in, a role; with the grants that do so.
read_projects: list[Callable[[Session, Collection[records.Member]], Iterable[records.Project]]] = []

# The tenant is being made: whatever was there before it is as new as the tenant itself.
tenant_made: list[Callable[[Session], None]] = []

# A member was removed from the tenant: drop what they were granted and what they own.
member_removed: list[Callable[[Session, Member], None]] = []

# Roles may have risen or fallen for these members; None stands for everyone.
roles_changed: list[Callable[[Session, Collection[UUID] | None], None]] = []

# What a group was granted and would take along when it is deleted, each in words and with what it takes to find it.
group_grants: list[Callable[[Session, Group], list[dict[str, Any]]]] = []

# The latest of what these groups were given and still have, at most so many.
given_to_groups: list[Callable[[Session, Collection[UUID], int], list[Given]]] = []

# Which of these lakehouse tables a caller may see.
seen_tables: list[Callable[[Session, Caller, Collection[UUID]], Collection[UUID]]] = []


def tell_tenant_made(session: Session) -> None:
    for react in tenant_made:
        react(session)


def tell_member_removed(session: Session, member: Member) -> None:
    for react in member_removed:
        react(session, member)


def tell_roles_changed(session: Session, members: Collection[UUID] | None) -> None:
    end_what_was_handed_over(session, members)
    for react in roles_changed:
        react(session, members)


def grants_of(session: Session, group: Group) -> list[dict[str, Any]]:
    return [grant for read in group_grants for grant in read(session, group)]


def given_lately(session: Session, groups: Collection[UUID], limit: int) -> list[Given]:
    found = [given for read in given_to_groups for given in read(session, groups, limit)]
    return sorted(found, key=lambda given: given.at, reverse=True)[:limit]


def tables_seen_by(session: Session, caller: Caller, tables: Collection[UUID]) -> set[UUID]:
    return {id_ for look in seen_tables for id_ in look(session, caller, tables)}
