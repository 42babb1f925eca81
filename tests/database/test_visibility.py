"""Lists show exactly what checks allow: on random worlds, page by page, on both databases, and by the indexes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import ColumnElement, Connection, Select, insert, select

from bailiwick.access.compiled import ResourceType
from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.shapes import NOTHING, AccessTable, Row, actions
from bailiwick.access.tables.ownership.data_mart import ACTIONS, OWNERSHIP_ADDS
from bailiwick.access.tables.ownership.facts import BUSINESS_OWNER, REPORTING_COLUMNS, TECHNICAL_OWNER
from bailiwick.access.tables.standing import PROJECT_ROLE, PROJECT_ROLES, TENANT_ROLES
from bailiwick.access.world import records
from bailiwick.access.world.people import ALL, World
from bailiwick.access.world.placing import place
from bailiwick.access.world.review import review
from bailiwick.database.engine import Database
from bailiwick.database.visibility import Listing
from tests.mart_shape import LISTING, PROJECT_ID, BusinessOwner, DataMart, MartBase, TechnicalOwner, fill, member_id

BY_NAME, BY_ID = LISTING, replace(LISTING, order=())
PAGE = 50
GROUP = "0f7f2f0e-0000-7000-8000-000000000001"


@dataclass(frozen=True)
class Company:
    """People, their projects and the projects' data marts, as the access core knows them."""

    members: Sequence[records.Member]
    projects: Sequence[records.Project]
    marts: Sequence[records.DataMart]

    @property
    def world(self) -> World:
        return World(self.members, projects=self.projects)


def ids(kind: int, count: int) -> list[str]:
    return [str(UUID(int=kind << 64 | number)) for number in range(count)]


@st.composite
def companies(draw: st.DrawFn) -> Company:
    flag = st.booleans()
    people = ids(1, draw(st.integers(1, 4)))
    members = [
        records.Member(
            person, draw(st.sampled_from(TENANT_ROLES)), groups=draw(st.sampled_from([frozenset(), frozenset({GROUP})]))
        )
        for person in people
    ]
    grants = st.dictionaries(st.sampled_from([*people, GROUP, ALL]), st.sampled_from(PROJECT_ROLES[1:]), max_size=3)
    projects = [
        records.Project(project, draw(grants), ownership_adds_to_availability=draw(flag)) for project in ids(2, 2)
    ]
    owners = st.frozensets(st.sampled_from(people), max_size=2)
    marts = [
        records.DataMart(mart, draw(st.sampled_from(projects)), draw(owners), draw(owners), draw(flag), draw(flag))
        for mart in ids(3, draw(st.integers(0, 12)))
    ]
    return Company(members, projects, marts)


def every_combination() -> Company:
    """A member of each role, and in a project for each value of its setting, a data mart of each kind, twice."""
    people = ids(1, len(PROJECT_ROLES))
    members = [records.Member(person) for person in people]
    grants = {person: role for person, role in zip(people, PROJECT_ROLES, strict=True) if role != "none"}
    projects = [
        records.Project(project, grants, ownership_adds_to_availability=adds)
        for project, adds in zip(ids(2, 2), (False, True), strict=True)
    ]
    everybody, nobody = frozenset(people), frozenset[str]()
    kinds = list(product(projects, (nobody, everybody), (nobody, everybody), (False, True), (False, True)))
    marts = [records.DataMart(mart, *kind) for mart, kind in zip(ids(3, 2 * len(kinds)), kinds * 2, strict=True)]
    return Company(members, projects, marts)


@contextmanager
def stored(database: Database, marts: Sequence[records.DataMart]) -> Iterator[Connection]:
    """A transaction in which the database holds these; it is rolled back."""
    rows = [
        {
            "id": UUID(mart.id),
            "project_id": UUID(mart.project.id),
            "name": f"mart {number * 7 % 5}",  # not in the order of the ids, and some alike
            "available_for_reporting": mart.available_for_reporting,
            "available_for_maintenance": mart.available_for_maintenance,
        }
        for number, mart in enumerate(marts)
    ]
    technical = [(mart.id, owner) for mart in marts for owner in mart.technical_owners]
    business = [(mart.id, owner) for mart in marts for owner in mart.business_owners]
    with database.engine.connect() as connection, connection.begin() as transaction:
        if rows:
            connection.execute(insert(DataMart), rows)
        for table, pairs in ((TechnicalOwner, technical), (BusinessOwner, business)):
            if pairs:
                owners = [{"data_mart_id": UUID(mart), "member_id": UUID(member)} for mart, member in pairs]
                connection.execute(insert(table), owners)
        yield connection
        transaction.rollback()


@pytest.fixture
def marts(database: Database) -> Database:
    """A database with the tables of the data marts, empty."""
    MartBase.metadata.create_all(database.engine)
    return database


def in_project(
    listing: Listing, world: World, project: records.Project, member: str, action: str, **more: Any
) -> Select[Any]:
    """The list as a service asks for it."""
    known = {
        PROJECT_ROLE: world.project_roles(project).get(member, "none"),
        OWNERSHIP_ADDS: "yes" if project.ownership_adds_to_availability else "no",
    }
    scope = [DataMart.project_id == UUID(project.id), *more.pop("scope", ())]
    return listing.allowed(action, UUID(member), known, scope=scope, **more)


def listed(connection: Connection, limit: int, listing: Listing, *where: Any, **more: Any) -> list[str]:
    """All pages, one after the other."""
    found: list[Any] = []
    while True:
        after = found[-1] if found else None
        page = connection.execute(in_project(listing, *where, after=after, limit=limit, **more)).all()
        found += page
        if len(page) < limit:
            return [str(row.id) for row in found]


def in_order(connection: Connection, listing: Listing, project: records.Project) -> list[str]:
    every = select(DataMart.id).where(DataMart.project_id == UUID(project.id))
    return [str(id_) for id_ in connection.scalars(every.order_by(*listing.order, DataMart.id))]


def assert_lists_agree(connection: Connection, company: Company, listing: Listing, limit: int) -> None:
    world = company.world
    placed = {mart.id: place(world, mart) for mart in company.marts}
    reviewed = review(RESOURCE_TYPES["data_mart"], list(world.members), placed.values())
    for action in ACTIONS:
        pairs = set(reviewed.allowed(action))
        by_review = {(member, company.marts[number].id) for member, number in pairs}
        for project in company.projects:
            order = in_order(connection, listing, project)
            for member in world.members:
                by_check = [mart for mart in order if placed[mart].check(member, action).allowed]
                assert listed(connection, limit, listing, world, project, member, action) == by_check
                assert [mart for mart in order if (member, mart) in by_review] == by_check


# What lists show -----------------------------------------------------------------------------------------------------


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(company=companies(), listing=st.sampled_from([BY_NAME, BY_ID]), limit=st.integers(1, 5))
def test_list_check_and_review_agree_in_random_worlds(
    marts: Database, company: Company, listing: Listing, limit: int
) -> None:
    with stored(marts, company.marts) as connection:
        assert_lists_agree(connection, company, listing, limit)


@pytest.mark.parametrize("listing", [BY_NAME, BY_ID], ids=["by name", "by id"])
def test_list_check_and_review_agree_on_every_combination_of_facts(marts: Database, listing: Listing) -> None:
    company = every_combination()
    with stored(marts, company.marts) as connection:
        assert_lists_agree(connection, company, listing, limit=7)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cells=st.lists(st.booleans(), min_size=16, max_size=16))
def test_lists_agree_with_any_table_over_the_same_facts(marts: Database, cells: list[bool]) -> None:
    """Also with tables that no document has, where each kind of owner gains some columns and loses others."""
    cell = iter(actions("See") if allowed else NOTHING for allowed in cells)
    who = product((TECHNICAL_OWNER.no, TECHNICAL_OWNER.yes), (BUSINESS_OWNER.no, BUSINESS_OWNER.yes))
    rows = tuple(Row("", technical & business, tuple(islice(cell, 4))) for technical, business in who)
    table = AccessTable(document="", page="", name="", actions=("See",), columns=REPORTING_COLUMNS, rows=rows)
    listing = replace(BY_ID, type=ResourceType("made up", table))
    member, project = ids(1, 1)[0], records.Project(ids(2, 1)[0])
    me, nobody = frozenset({member}), frozenset[str]()
    kinds = list(product((nobody, me), (nobody, me), (False, True), (False, True)))
    every = [
        records.DataMart(mart, project, technical, business, reporting, maintenance)
        for mart, (technical, business, maintenance, reporting) in zip(ids(3, 16), kinds, strict=True)
    ]
    with stored(marts, every) as connection:
        found = connection.execute(listing.allowed("See", UUID(member), {}, limit=PAGE)).scalars()
        assert [str(id_) for id_ in found] == [mart.id for mart, allowed in zip(every, cells, strict=True) if allowed]


def test_a_business_owner_is_left_out_where_owning_takes_maintenance_away(marts: Database) -> None:
    steward, colleague = ids(1, 2)
    roles = dict.fromkeys((steward, colleague), "Technical User")
    project = records.Project(ids(2, 1)[0], roles)
    owned, owned_by_both = (
        records.DataMart(mart, project, technical, frozenset({steward}), available_for_maintenance=True)
        for mart, technical in zip(ids(3, 2), (frozenset[str](), frozenset({steward})), strict=True)
    )
    world = World(map(records.Member, roles), projects=[project])
    adding = replace(project, ownership_adds_to_availability=True)
    with stored(marts, [owned, owned_by_both]) as connection:
        assert listed(connection, 5, BY_ID, world, project, steward, "Edit") == [owned_by_both.id]
        assert listed(connection, 5, BY_ID, world, project, colleague, "Edit") == [owned.id, owned_by_both.id]
        assert listed(connection, 5, BY_ID, world, adding, steward, "Edit") == [owned.id, owned_by_both.id]
        assert listed(connection, 5, BY_ID, world, project, steward, "See") == [owned.id, owned_by_both.id]


def test_who_has_no_role_sees_nothing_not_even_what_they_own(marts: Database) -> None:
    outsider, stranger = ids(1, 2)
    project = records.Project(ids(2, 1)[0])
    mart = records.DataMart(ids(3, 1)[0], project, frozenset({outsider}), frozenset({outsider}), True, True)
    world = World(map(records.Member, (outsider, stranger)), projects=[project])
    with stored(marts, [mart]) as connection:
        for member, action in product((outsider, stranger), ACTIONS):
            assert listed(connection, 5, BY_NAME, world, project, member, action) == []


def test_a_scope_narrows_every_way_of_being_allowed(marts: Database) -> None:
    company = every_combination()
    world, project = company.world, company.projects[0]
    called: Sequence[ColumnElement[bool]] = [DataMart.name == "mart 3"]
    with stored(marts, company.marts) as connection:
        named = {str(id_) for id_ in connection.scalars(select(DataMart.id).where(*called))}
        for member in world.members:
            every = listed(connection, 3, BY_NAME, world, project, member, "See")
            expected = [mart for mart in every if mart in named]
            assert listed(connection, 3, BY_NAME, world, project, member, "See", scope=called) == expected


def test_a_list_refuses_what_it_cannot_work_out() -> None:
    with pytest.raises(ValueError, match=r"cannot work out.*project role"):
        BY_NAME.allowed("See", UUID(int=1), {OWNERSHIP_ADDS: "no"}, limit=PAGE)
    reports = replace(BY_NAME, type=RESOURCE_TYPES["report"])
    with pytest.raises(ValueError, match=r"cannot work out.*access to the data mart"):
        reports.allowed("See", UUID(int=1), {PROJECT_ROLE: "Admin"}, limit=PAGE)


# How they find it ----------------------------------------------------------------------------------------------------

FEW, MANY, OWNED = 2_000, 20_000, 10
CASES = [
    (role, action, after)
    for role, action in (
        ("Technical User", "See"),
        ("Technical User", "Edit"),
        ("Technical User", "Manage Owners"),
        ("Business User", "See"),
        ("Admin", "See"),
    )
    for after in (None, ("mart 5", UUID(int=5)))
]


def page(role: str, action: str, after: Sequence[Any] | None) -> Select[Any]:
    known = {PROJECT_ROLE: role, OWNERSHIP_ADDS: "no"}
    scope = [DataMart.project_id == PROJECT_ID]
    return BY_NAME.allowed(action, member_id(3), known, scope=scope, after=after, limit=PAGE)


def test_no_page_scans_a_table(database: Database) -> None:
    fill(database.engine, MANY, OWNED)
    with database.engine.connect() as connection:
        for case in CASES:
            ways_in = list(ways_into_tables(connection, page(*case)))
            assert ways_in, case
            # PostgreSQL sometimes fetches what an index found by way of a bitmap; that is an index all the same.
            assert all("INDEX" in way.upper() or "BITMAP" in way.upper() for way in ways_in), (case, ways_in)


def test_a_page_of_a_long_list_is_no_more_work_than_one_of_a_short_list(database: Database) -> None:
    work = []
    for count in (FEW, MANY):
        fill(database.engine, count, OWNED)
        with database.engine.connect() as connection:
            work.append([work_of(connection, page(*case)) for case in CASES])
        MartBase.metadata.drop_all(database.engine)
    for case, short, long in zip(CASES, *work, strict=True):
        assert long < 3 * short, case  # the list is ten times as long


def ways_into_tables(connection: Connection, statement: Select[Any]) -> Iterator[str]:
    """How each table is read, in the database's own words."""
    sql = written_out(connection, statement)
    if connection.dialect.name == "sqlite":
        for *_, step in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}"):
            if " shape_" in step:
                yield step
    else:
        yield from (node["Node Type"] for node in scans(connection, f"EXPLAIN (FORMAT JSON) {sql}"))


def work_of(connection: Connection, statement: Select[Any]) -> int:
    """SQLite: steps of its machine, in tens; PostgreSQL: rows read from tables and indexes."""
    sql = written_out(connection, statement)
    if connection.dialect.name == "postgresql":
        read = scans(connection, f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}")
        return sum(int(n["Actual Loops"] * (n["Actual Rows"] + n.get("Rows Removed by Filter", 0))) for n in read)
    steps = 0

    def step() -> None:
        nonlocal steps
        steps += 1

    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    driver.set_progress_handler(step, 10)
    connection.exec_driver_sql(sql).all()
    driver.set_progress_handler(None, 0)
    return steps


def scans(connection: Connection, explain: str) -> Iterator[dict[str, Any]]:
    (plan,) = connection.exec_driver_sql(explain).scalar_one()
    nodes = [plan["Plan"]]
    for node in nodes:
        nodes += node.get("Plans", ())
        if "Relation Name" in node:
            yield node


def written_out(connection: Connection, statement: Select[Any]) -> str:
    return str(statement.compile(connection, compile_kwargs={"literal_binds": True}))
