"""Everything of a type that a caller may see, or the part of it that is wanted, with people placed towards it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import ColumnElement
from sqlalchemy.orm import Session

from bailiwick.access.compiled import ResourceType
from bailiwick.access.world import records
from bailiwick.access.world.people import World
from bailiwick.access.world.placing import Placed, place
from bailiwick.database.listing import BY_NAME, Kind, Order, has_in_name, page_by_name
from bailiwick.database.paging import Page, page_of
from bailiwick.lakehouse.models import Table, Volume
from bailiwick.lakehouse.seeing_data import named_like
from bailiwick.lakehouse.standing import tenant_of
from bailiwick.projects.models import Project
from bailiwick.projects.near import shares_a_project
from bailiwick.projects.service import ways_to_see as ways_to_see_projects
from bailiwick.projects.standing import as_record, reaching
from bailiwick.questions import asking, lakehouse, resources
from bailiwick.questions.resources import Asked
from bailiwick.tenancy import directory
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Group, Member, MemberState
from bailiwick.tenancy.standing import standing_of, world_around

AT_ONCE = 1000  # members or resources read at a time
PEOPLE_AT_ONCE = 100  # members as resources: each needs a world of its own

ACTIVE = Member.state == MemberState.ACTIVE

Found = TypeVar("Found")


@dataclass(frozen=True)
class Wanted:
    """Which part of a list: with this in the name, in this order, after the page before."""

    search: str | None = None
    sort: str = BY_NAME
    cursor: str | None = None
    limit: int = 50

    def page(self, found: Iterable[Found], at: Callable[[Found], tuple[str, UUID | str]]) -> Page[Found]:
        return page_of(list(islice(found, self.limit + 1)), self.limit, lambda one: Order(self.sort).key(*at(one)))

    def named(self, name: str) -> bool:
        return self.search is None or self.search.casefold() in name.casefold()


EVERYTHING = Wanted()


def in_chunks(
    session: Session,
    *among: ColumnElement[bool],
    counting: ColumnElement[bool] = ACTIVE,
    wanted: Wanted = EVERYTHING,
) -> Iterator[Sequence[Member]]:
    """Active members, some at a time; it is for who asks to say among whom is searched."""
    return _rows(session, Member, wanted, AT_ONCE, counting, *among)


def listed(
    session: Session,
    caller: Caller,
    resource_type: ResourceType,
    people: Collection[records.Member],
    wanted: Wanted,
    only_where_run: bool,
) -> Iterator[tuple[Asked, Placed]]:
    """The resources of the type that the caller may see, with these people placed towards them."""
    if resource_type.name in ("project", "project_membership"):
        yield from _listed_projects(session, caller, resource_type.name, people, wanted, only_where_run)
    elif resource_type.name == "member":
        yield from _listed_members(session, caller, people, wanted)
    elif resource_type.name in lakehouse.KINDS:
        yield from _listed_rows(session, caller, resource_type, people, wanted)
    elif resource_type.name == "group":
        for groups in _rows(session, Group, wanted, AT_ONCE, *_named(session, Group, wanted)):
            for group in groups:
                asked = resources.of_group(group)
                yield asked, resources.scene(session, asked, people).placed
    elif wanted.cursor is None:
        only = resources.the_lakehouse() if resource_type.name == "lakehouse" else resources.the_tenant_itself(session)
        if wanted.named(only.name):
            yield only, resources.scene(session, only, people).placed


def _listed_projects(
    session: Session,
    caller: Caller,
    type_: str,
    people: Collection[records.Member],
    wanted: Wanted,
    only_where_run: bool,
) -> Iterator[tuple[Asked, Placed]]:
    world = World(people)
    ways = ways_to_see_projects(caller)
    for projects in _rows(session, Project, wanted, AT_ONCE, *_named(session, Project, wanted), ways=ways):
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
    wanted: Wanted,
) -> Iterator[tuple[Asked, Placed]]:
    """What is stored in the lakehouse, by its own name."""
    see = resource_type.see
    assert see is not None
    type_ = resource_type.name
    kind = lakehouse.KINDS[type_]
    of_type = [lakehouse.is_of(type_)] if type_ in ("pipeline", "integration") else []
    where = [*_named(session, kind, wanted), *of_type]
    world = World(people, tenant_of(session))
    ways = lakehouse.ways_to_see(session, caller, type_)
    for rows in _rows(session, kind, wanted, AT_ONCE, *where, ways=ways):
        found = lakehouse.records_of(session, people, rows)
        for row in rows:
            placed = place(world, found[row.id])
            if placed.allows(caller.id, see):
                yield resources.of_row(session, row), placed


def _listed_members(
    session: Session, caller: Caller, people: Collection[records.Member], wanted: Wanted
) -> Iterator[tuple[Asked, Placed]]:
    where = [Member.state != MemberState.REMOVED]
    sees_everybody = directory.sees_everybody(caller)
    if not sees_everybody:  # how long it takes would tell who else is there, in a search as well
        where.append(shares_a_project(session, caller))
    elif wanted.search:
        where.append(directory.fits(session, wanted.search))
    for members in _rows(session, Member, wanted, PEOPLE_AT_ONCE, *where):
        targets = standing_of(session, members, as_if_active=True)
        around = world_around(session, [*people, *targets])
        for member, target in zip(members, targets, strict=True):
            others = [one for one in people if one.id != target.id]
            world = World([*others, target], around.tenant, around.projects.values())
            placed = place(world, target)
            if placed.allows(caller.id, "See") and (sees_everybody or wanted.named(member.name)):
                yield resources.of_member(member), placed


def _rows(
    session: Session,
    kind: type[Kind],
    wanted: Wanted,
    at_once: int,
    *where: ColumnElement[bool],
    ways: Sequence[ColumnElement[bool]] | None = None,
) -> Iterator[Sequence[Kind]]:
    """A few at first, which are mostly enough for a page, and more and more of them from then on."""
    cursor, few = wanted.cursor, wanted.limit + 1
    while True:
        page = page_by_name(session, kind, cursor, min(few, at_once), *where, ways=ways, sort=wanted.sort)
        few *= 2
        if page.items:
            yield page.items
        cursor = page.next_cursor
        if cursor is None:
            return


def _named(session: Session, kind: type[Any], wanted: Wanted) -> Sequence[ColumnElement[bool]]:
    if kind in (Table, Volume):
        return named_like(session, wanted.search)(kind)
    return [has_in_name(kind.name, wanted.search)] if wanted.search else []
