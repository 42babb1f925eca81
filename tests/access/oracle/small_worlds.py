"""Small worlds, exhaustively: every way each fact can come about, one or a few members at a time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, product

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
    Integration,
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
from tests.access.worlds import DATA_PRODUCT_ROLES, LEVELS, SPACE_ROLES, Everything

Case = tuple[Everything, tuple[Resource, ...]]
TENANT_ROLES = ("none", "viewer", "editor", "admin", "owner")
SECURITY_ROLES = ("data admin", "data space creator")
GRANTED = (None, "Business User", "Technical User", "Admin")
NO_OR_LEVEL = (None, *LEVELS)
NO_YES = (False, True)
ME = "me"
HOLDERS = (ME, "group", "All")  # the three ways a grant can reach me


def small_worlds() -> Iterator[Case]:
    """Each is a world and what to ask about in it."""
    return chain(
        _project_roles(), _people(), _groups(), _data_products(), _owned(), _marts(), _levels(), _pipelines(), _spaces()
    )


def _me(tenant_role: str = "none", *security_roles: str) -> Member:
    return Member(ME, tenant_role, frozenset(security_roles), frozenset({"group"}))


def _granted(*given: str | None) -> dict[str, str]:
    """One grant, or none, for each of the three holders."""
    return {holder: grant for holder, grant in zip(HOLDERS, given, strict=False) if grant is not None}


def _subsets(of: tuple[str, ...]) -> Iterator[frozenset[str]]:
    return (frozenset(chosen) for size in range(len(of) + 1) for chosen in combinations(of, size))


# Tenant and projects -------------------------------------------------------------------------------------------------


def _project_roles() -> Iterator[Case]:
    for role, *grants in product(TENANT_ROLES, GRANTED, GRANTED, GRANTED):
        project = Project("project", _granted(*grants))
        everything = Everything(members=(_me(role),), projects=(project,))
        yield everything, (everything.tenant, project, ProjectMembership(project))


def _people() -> Iterator[Case]:
    """Two members towards each other: with no project, and with every pair of grants in two."""
    security = tuple(_subsets(SECURITY_ROLES))
    for mine, theirs, my_roles, their_roles in product(TENANT_ROLES, TENANT_ROLES, security, security):
        me, them = Member(ME, mine, my_roles), Member("them", theirs, their_roles)
        yield Everything(members=(me, them)), (me, them)
    for mine, theirs in product(TENANT_ROLES, TENANT_ROLES):
        me, them = Member(ME, mine), Member("them", theirs)
        for grants in product(GRANTED, repeat=4):
            pairs = (grants[:2], grants[2:])
            projects = tuple(
                Project(name, {who: role for who, role in zip((ME, "them"), pair, strict=True) if role is not None})
                for name, pair in zip(("project1", "project2"), pairs, strict=True)
            )
            yield Everything(members=(me, them), projects=projects), (me, them)


def _groups() -> Iterator[Case]:
    groups = (Group("All", is_all=True), Group("group"), Group("another"))
    for role in TENANT_ROLES:
        yield Everything(members=(_me(role),), groups=groups), groups


def _data_products() -> Iterator[Case]:
    for project_role, holder, roles in product(GRANTED, HOLDERS, _subsets(DATA_PRODUCT_ROLES)):
        project = Project("project", _granted(project_role))
        data_product = DataProduct("data_product", project, {holder: roles} if roles else {})
        elsewhere = Project("elsewhere")
        everything = Everything(members=(_me(),), projects=(project, elsewhere), data_products=(data_product,))
        yield everything, (project, elsewhere, data_product)


# Ownership and availability ------------------------------------------------------------------------------------------


def _owned() -> Iterator[Case]:
    for role, is_owner, use, maintenance in product(GRANTED, NO_YES, NO_YES, NO_YES):
        project = Project("project", _granted(role))
        owners = frozenset({ME} if is_owner else {"somebody else"})
        yield (
            Everything(members=(_me(),), projects=(project,)),
            (
                Storage("storage", project, owners, use, maintenance),
                Destination("destination", project, owners, use, maintenance),
                Destination("deleted", project, owners, use, maintenance, deleted=True),
            ),
        )


def _marts() -> Iterator[Case]:
    for role, technical, business, adds, controls in product(GRANTED, NO_YES, NO_YES, NO_YES, NO_YES):
        project = Project("project", _granted(role), controls, adds)
        resources: list[Resource] = []
        for reporting, maintenance in product(NO_YES, NO_YES):
            mart = DataMart("data_mart", project, _only_me(technical), _only_me(business), reporting, maintenance)
            resources += [mart, DataMartTrigger("trigger", mart)]
            for is_owner, exists in product(NO_YES, NO_YES):
                report = Report("report", mart, _only_me(is_owner), exists)
                resources += [report, ReportTrigger("trigger", report)]
        yield Everything(members=(_me(),), projects=(project,)), tuple(resources)


def _only_me(if_so: bool) -> frozenset[str]:
    return frozenset({ME} if if_so else ())


# Lakehouse -----------------------------------------------------------------------------------------------------------


def _levels() -> Iterator[Case]:
    """Grants on a layer, on one table of it and on one volume, to me, to a group and to All, on every plan."""
    for plan, on_layer, on_table in product(
        ("starter", "growth", "custom"), product(NO_OR_LEVEL, repeat=3), product(NO_OR_LEVEL, repeat=3)
    ):
        given = _granted(*on_table)
        layer = Layer("layer", _granted(*on_layer), frozenset(given))
        table, sibling = Table("table", layer, given), Table("sibling", layer)
        tenant = Tenant(plan)
        everything = Everything(tenant, (_me(),), layers=(layer,), tables=(table, sibling))
        yield everything, (layer, table, sibling, Query("query", (table, sibling)))
    for role, layer_level, volume_level in product(TENANT_ROLES, NO_OR_LEVEL, NO_OR_LEVEL):
        given = _granted(volume_level)
        layer = Layer("layer", _granted(layer_level), frozenset(given))
        volume = Volume("volume", layer, given)
        yield Everything(members=(_me(role),), layers=(layer,), volumes=(volume,)), (layer, volume)


def _pipelines() -> Iterator[Case]:
    """Up to two inputs and two outputs of every level, outputs that do not exist yet, and the layer to fall back to."""
    layers = [Layer(f"layer{level}", _granted(level), frozenset({ME})) for level in NO_OR_LEVEL]
    tables = [Table(f"table{level}", Layer("layer", {}, frozenset({ME})), _granted(level)) for level in NO_OR_LEVEL]
    inputs = [*combinations(tables, 0), *combinations(tables, 1), *combinations(tables, 2)]
    writable: list[Table | Layer] = [*tables, *layers]
    outputs = [*combinations(writable, 0), *combinations(writable, 1), *combinations(writable, 2)]
    pipelines: list[Resource] = []
    for read, written, layer in product(inputs, outputs, (None, *layers)):
        pipelines += [Pipeline("pipeline", read, written, layer), Integration("integration", read, written, layer)]
    queries = [
        SavedQuery("query", author, reads, shared)
        for author, reads, shared in product((ME, "somebody else"), inputs, NO_YES)
    ]
    for plan, only_viewer in product(("starter", "growth"), NO_YES):
        yield Everything(Tenant(plan, only_viewer), (_me(),)), tuple(pipelines)
    for role in TENANT_ROLES:
        some_of_each = (*tables, *pipelines[::51], *queries, *(Query("query", reads) for reads in inputs))
        yield Everything(members=(_me(role),)), some_of_each


# Spaces --------------------------------------------------------------------------------------------------------------


def _spaces() -> Iterator[Case]:
    for role, security, owns_space in product(("none", "admin"), _subsets(SECURITY_ROLES), NO_YES):
        resources: list[Resource] = []
        for holder, roles in product(HOLDERS, _subsets(SPACE_ROLES)):
            space = Space("space", ME if owns_space else "somebody else", {holder: roles} if roles else {})
            data_project = DataProject("data_project", space, ME)
            resources += [space, data_project, DataTask("data_task", data_project)]
            for owner in (ME, None):
                resources += [Connection("connection", space, owner), Gateway("gateway", space, owner)]
        yield Everything(members=(_me(role, *security),)), tuple(resources)
    for role in TENANT_ROLES:
        space = Space("space", None, {ME: frozenset({"Can view"}), "group": frozenset({"Can edit"})})
        yield Everything(members=(_me(role),)), (space,)
