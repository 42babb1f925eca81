"""Random worlds: people, groups and every kind of resource, with plain ids, for every test that needs a world."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import chain
from typing import Any, TypeVar

from hypothesis import strategies as st

from bailiwick.access.roles import SECURITY_ROLES
from bailiwick.access.tables.standing import PROJECT_ROLES, TENANT_ROLES
from bailiwick.access.world.people import ALL, World
from bailiwick.access.world.records import (
    Connection,
    DataMart,
    DataMartTrigger,
    DataProduct,
    DataProject,
    DataTask,
    Destination,
    Gateway,
    Group,
    Id,
    Integration,
    Lakehouse,
    Layer,
    Member,
    Pipeline,
    Project,
    ProjectMembership,
    Query,
    Report,
    ReportTrigger,
    Resource,
    SavedQuery,
    Space,
    Storage,
    Table,
    Tenant,
    Volume,
)

PLANS = ("starter", "growth", "custom")
LEVELS = ("Viewer", "Editor", "Manager")
DATA_PRODUCT_ROLES = ("admin", "developer", "curator", "viewer")
SPACE_ROLES = ("Can view", "Can view data", "Can consume data", "Can manage", "Can operate", "Can edit")

Anything = TypeVar("Anything")


@dataclass(frozen=True)
class Everything:
    """All there is in one tenant. A record that names another holds it whole: a report its data mart, and so on."""

    tenant: Tenant = Tenant()  # noqa: RUF009  it is frozen
    members: tuple[Member, ...] = ()
    groups: tuple[Group, ...] = ()  # All is one of them
    projects: tuple[Project, ...] = ()
    storages: tuple[Storage, ...] = ()
    destinations: tuple[Destination, ...] = ()
    data_marts: tuple[DataMart, ...] = ()
    data_mart_triggers: tuple[DataMartTrigger, ...] = ()
    reports: tuple[Report, ...] = ()
    report_triggers: tuple[ReportTrigger, ...] = ()
    data_products: tuple[DataProduct, ...] = ()
    layers: tuple[Layer, ...] = ()
    tables: tuple[Table, ...] = ()
    volumes: tuple[Volume, ...] = ()
    pipelines: tuple[Pipeline, ...] = ()
    integrations: tuple[Integration, ...] = ()
    queries: tuple[Query, ...] = ()
    saved_queries: tuple[SavedQuery, ...] = ()
    spaces: tuple[Space, ...] = ()
    data_projects: tuple[DataProject, ...] = ()
    data_tasks: tuple[DataTask, ...] = ()
    gateways: tuple[Gateway, ...] = ()
    connections: tuple[Connection, ...] = ()

    def world(self) -> World:
        return World(self.members, self.tenant, self.projects, self.data_products)

    def resources(self) -> Iterator[Resource]:
        """Everything that can be asked about, always in the same order."""
        yield self.tenant
        yield from chain.from_iterable(getattr(self, field.name) for field in fields(self) if field.name != "tenant")
        yield from map(ProjectMembership, self.projects)
        yield Lakehouse()

    @property
    def active(self) -> tuple[Member, ...]:
        return tuple(member for member in self.members if member.active)


def changed(thing: Anything, kind: type, record_id: Id, **changes: Any) -> Anything:
    """The same thing, with one record of it different wherever it is held."""
    rebuilt: Anything = _rebuilt(thing, kind, record_id, changes)
    return rebuilt


def _rebuilt(thing: Any, kind: type, record_id: Id, changes: dict[str, Any]) -> Any:
    if isinstance(thing, tuple):
        return tuple(_rebuilt(one, kind, record_id, changes) for one in thing)
    if not is_dataclass(thing) or isinstance(thing, type):
        return thing
    held = {field.name: _rebuilt(getattr(thing, field.name), kind, record_id, changes) for field in fields(thing)}
    here = changes if type(thing) is kind and held.get("id", "") == record_id else {}
    return replace(thing, **{**held, **here})


# Strategies ----------------------------------------------------------------------------------------------------------


def subsets(of: Sequence[str], at_least: int = 0) -> st.SearchStrategy[frozenset[str]]:
    if len(of) <= at_least:
        return st.just(frozenset(of))
    return st.frozensets(st.sampled_from(of), min_size=at_least, max_size=3)


def ladder_grants(holders: Sequence[Id], ladder: Sequence[str]) -> st.SearchStrategy[dict[Id, str]]:
    return st.dictionaries(st.sampled_from(holders), st.sampled_from(ladder), max_size=3)


def role_sets(holders: Sequence[Id], roles: Sequence[str]) -> st.SearchStrategy[dict[Id, frozenset[str]]]:
    return st.dictionaries(st.sampled_from(holders), subsets(roles, at_least=1), max_size=3)


@st.composite
def everythings(draw: st.DrawFn) -> Everything:
    """A tenant with a few of everything. The first member is active; others may be suspended."""
    groups = ids("group", draw(st.integers(0, 2)))
    members = tuple(
        Member(
            member,
            draw(st.sampled_from(TENANT_ROLES)),
            draw(subsets(SECURITY_ROLES)),
            draw(subsets(groups)) if groups else frozenset(),
            active=number == 0 or draw(st.integers(0, 9)) > 0,
        )
        for number, member in enumerate(ids("member", draw(st.integers(1, 5))))
    )
    people = [member.id for member in members]
    return Everything(
        tenant=draw(st.builds(Tenant, st.sampled_from(PLANS), st.booleans())),
        members=members,
        groups=(Group(ALL, is_all=True), *map(Group, groups)),
        **draw(_projects_and_marts(people, [*people, *groups, ALL])),
        **draw(_lakehouses(people, [*people, *groups, ALL])),
        **draw(_all_spaces(people, [*people, *groups, ALL])),
    )


@st.composite
def _projects_and_marts(draw: st.DrawFn, people: list[Id], holders: list[Id]) -> dict[str, Any]:
    some, flag = subsets(people), st.booleans()
    projects = tuple(
        Project(project, draw(ladder_grants(holders, PROJECT_ROLES[1:])), draw(flag), draw(flag))
        for project in ids("project", draw(st.integers(0, 2)))
    )
    if not projects:
        return {}
    project = st.sampled_from(projects)
    marts = tuple(
        DataMart(mart, draw(project), draw(some), draw(some), draw(flag), draw(flag))
        for mart in ids("data_mart", draw(st.integers(1, 2)))
    )
    mart = st.sampled_from(marts)
    reports = tuple(
        Report(report, draw(mart), draw(some), draw(flag)) for report in ids("report", draw(st.integers(1, 2)))
    )
    return {
        "projects": projects,
        "storages": tuple(
            Storage(storage, draw(project), draw(some), draw(flag), draw(flag)) for storage in ids("storage", 1)
        ),
        "destinations": tuple(
            Destination(destination, draw(project), draw(some), draw(flag), draw(flag), draw(flag))
            for destination in ids("destination", 2)
        ),
        "data_marts": marts,
        "data_mart_triggers": tuple(DataMartTrigger(trigger, draw(mart)) for trigger in ids("data_mart_trigger", 1)),
        "reports": reports,
        "report_triggers": tuple(
            ReportTrigger(trigger, draw(st.sampled_from(reports))) for trigger in ids("report_trigger", 1)
        ),
        "data_products": tuple(
            DataProduct(product, draw(project), draw(role_sets(holders, DATA_PRODUCT_ROLES)))
            for product in ids("data_product", draw(st.integers(0, 2)))
        ),
    }


@st.composite
def _lakehouses(draw: st.DrawFn, people: list[Id], holders: list[Id]) -> dict[str, Any]:
    names, grants = ids("layer", 2), ladder_grants(holders, LEVELS)
    table_grants = {table: (draw(st.sampled_from(names)), draw(grants)) for table in ids("table", 2)}
    volume_grants = {volume: (draw(st.sampled_from(names)), draw(grants)) for volume in ids("volume", 1)}
    below = [*table_grants.values(), *volume_grants.values()]
    layers = {
        name: Layer(name, draw(grants), frozenset(holder for layer, held in below if layer == name for holder in held))
        for name in names
    }
    tables = tuple(Table(table, layers[layer], held) for table, (layer, held) in table_grants.items())
    volumes = tuple(Volume(volume, layers[layer], held) for volume, (layer, held) in volume_grants.items())
    layer = st.sampled_from(tuple(layers.values()))
    readable: list[Table | Volume] = [*tables, *volumes]
    writable: list[Table | Volume | Layer] = [*readable, *layers.values()]
    inputs, outputs, reads = _some(readable), _some(writable), _some(tables)
    return {
        "layers": tuple(layers.values()),
        "tables": tables,
        "volumes": volumes,
        "pipelines": tuple(
            Pipeline(pipeline, draw(inputs), draw(outputs), draw(st.none() | layer)) for pipeline in ids("pipeline", 2)
        ),
        "integrations": tuple(
            Integration(integration, draw(inputs), draw(outputs), draw(st.none() | layer))
            for integration in ids("integration", 1)
        ),
        "queries": tuple(Query(query, draw(reads)) for query in ids("query", 1)),
        "saved_queries": tuple(
            SavedQuery(query, draw(st.sampled_from(people)), draw(reads), draw(st.booleans()))
            for query in ids("saved_query", 1)
        ),
    }


@st.composite
def _all_spaces(draw: st.DrawFn, people: list[Id], holders: list[Id]) -> dict[str, Any]:
    person = st.none() | st.sampled_from(people)
    spaces = tuple(
        Space(space, draw(person), draw(role_sets(holders, SPACE_ROLES)))
        for space in ids("space", draw(st.integers(1, 2)))
    )
    space = st.sampled_from(spaces)
    data_projects = tuple(DataProject(project, draw(space), draw(person)) for project in ids("data_project", 1))
    gateways = tuple(Gateway(gateway, draw(space), draw(person)) for gateway in ids("gateway", 1))
    return {
        "spaces": spaces,
        "data_projects": data_projects,
        "data_tasks": tuple(DataTask(task, draw(st.sampled_from(data_projects))) for task in ids("data_task", 1)),
        "gateways": gateways,
        "connections": tuple(
            Connection(connection, draw(space), draw(person), draw(st.none() | st.sampled_from(gateways)))
            for connection in ids("connection", 2)
        ),
    }


def ids(kind: str, count: int) -> list[Id]:
    return [f"{kind}{number}" for number in range(1, count + 1)]


def _some(of: Sequence[Anything]) -> st.SearchStrategy[tuple[Anything, ...]]:
    return st.lists(st.sampled_from(of), max_size=2, unique_by=_id).map(tuple)


def _id(record: Any) -> Id:
    return str(record.id)


def holders_of(everything: Everything) -> list[Id]:
    """Whoever can be granted something: every member and every group."""
    return [record.id for record in chain[Member | Group](everything.members, everything.groups)]


def held_by(everything: Everything, holder: Id) -> Iterable[Id]:
    """The active members that a grant to this member or group is for."""
    return [member.id for member in everything.active if holder in (member.id, *member.groups, ALL)]
