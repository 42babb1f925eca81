"""Everything of a type that a caller may see, some at a time, with people placed towards it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement
from sqlalchemy.orm import Session

from bailiwick.access.compiled import ResourceType
from bailiwick.access.world import records
from bailiwick.access.world.people import World
from bailiwick.access.world.placing import Placed, place
from bailiwick.database.listing import Kind, page_by_name
from bailiwick.lakehouse.standing import tenant_of
from bailiwick.projects.models import Project
from bailiwick.projects.standing import as_record, reaching
from bailiwick.questions import asking, lakehouse, resources
from bailiwick.questions.resources import Asked
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Group, Member, MemberState
from bailiwick.tenancy.standing import standing_of, world_around

AT_ONCE = 1000  # members or resources read at a time
PEOPLE_AT_ONCE = 100  # members as resources: each needs a world of its own

ACTIVE = Member.state == MemberState.ACTIVE


def in_chunks(
    session: Session, cursor: str | None, *among: ColumnElement[bool], counting: ColumnElement[bool] = ACTIVE
) -> Iterator[Sequence[Member]]:
    """Active members by name, some at a time."""
    return _rows(session, Member, cursor, AT_ONCE, counting, *among)


def listed(
    session: Session,
    caller: Caller,
    resource_type: ResourceType,
    people: Collection[records.Member],
    cursor: str | None,
    only_where_run: bool,
) -> Iterator[tuple[Asked, Placed]]:
    """Every resource of the type that the caller may see, with these people placed towards it."""
    if resource_type.name in ("project", "project_membership"):
        yield from _listed_projects(session, caller, resource_type.name, people, cursor, only_where_run)
    elif resource_type.name == "member":
        yield from _listed_members(session, caller, people, cursor)
    elif resource_type.name in lakehouse.KINDS:
        yield from _listed_rows(session, caller, resource_type, people, cursor)
    elif resource_type.name == "group":
        for groups in _rows(session, Group, cursor, AT_ONCE):
            for group in groups:
                asked = resources.of_group(group)
                yield asked, resources.scene(session, asked, people).placed
    elif cursor is None:
        only = resources.the_lakehouse() if resource_type.name == "lakehouse" else resources.the_tenant_itself(session)
        yield only, resources.scene(session, only, people).placed


def _listed_projects(
    session: Session,
    caller: Caller,
    type_: str,
    people: Collection[records.Member],
    cursor: str | None,
    only_where_run: bool,
) -> Iterator[tuple[Asked, Placed]]:
    world = World(people)
    for projects in _rows(session, Project, cursor, AT_ONCE):
        grants: dict[Any, list[Any]] = {project.id: [] for project in projects}
        for grant in session.scalars(reaching(projects, people)):
            grants[grant.project_id].append(grant)
        for project in projects:
            record = as_record(project, grants[project.id])
            itself = place(world, record)
            people_of_it = place(world, records.ProjectMembership(record))
            if only_where_run and not people_of_it.allows(caller.id, asking.CHANGE_ROLE):
                continue
            if not itself.allows(caller.id, "See project"):
                continue
            if type_ == "project":
                yield resources.of_project(project), itself
            else:
                yield resources.of_membership(project), people_of_it


def _listed_rows(
    session: Session,
    caller: Caller,
    resource_type: ResourceType,
    people: Collection[records.Member],
    cursor: str | None,
) -> Iterator[tuple[Asked, Placed]]:
    """What is stored in the lakehouse, by its own name."""
    see = resource_type.see
    assert see is not None
    type_ = resource_type.name
    where = [lakehouse.is_of(type_)] if type_ in ("pipeline", "integration") else []
    world = World(people, tenant_of(session))
    ways = lakehouse.ways_to_see(session, caller, type_)
    for rows in _rows(session, lakehouse.KINDS[type_], cursor, AT_ONCE, *where, ways=ways):
        found = lakehouse.records_of(session, people, rows)
        for row in rows:
            placed = place(world, found[row.id])
            if placed.allows(caller.id, see):
                yield resources.of_row(session, row), placed


def _listed_members(
    session: Session, caller: Caller, people: Collection[records.Member], cursor: str | None
) -> Iterator[tuple[Asked, Placed]]:
    here = Member.state != MemberState.REMOVED
    for members in _rows(session, Member, cursor, PEOPLE_AT_ONCE, here):
        targets = standing_of(session, members, as_if_active=True)
        around = world_around(session, [*people, *targets])
        for member, target in zip(members, targets, strict=True):
            others = [one for one in people if one.id != target.id]
            world = World([*others, target], around.tenant, around.projects.values())
            placed = place(world, target)
            if placed.allows(caller.id, "See"):
                yield resources.of_member(member), placed


def _rows(
    session: Session,
    kind: type[Kind],
    cursor: str | None,
    at_once: int,
    *where: ColumnElement[bool],
    ways: Sequence[ColumnElement[bool]] | None = None,
) -> Iterator[Sequence[Kind]]:
    while True:
        page = page_by_name(session, kind, cursor, at_once, *where, ways=ways)
        if page.items:
            yield page.items
        cursor = page.next_cursor
        if cursor is None:
            return
