"""What the document on spaces says: roles in a space, security roles, and what a data task needs before it runs."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from bailiwick.access.world import preflight
from bailiwick.access.world.people import World
from bailiwick.access.world.records import Connection, DataProject, DataTask, Gateway, Layer, Member, Resource, Space
from tests.access.documents.people import LEVEL_NAMES, can, ticked

SPACE_ROLES = ("Is owner", "Can view", "Can consume data", "Can manage", "Can operate", "Can edit", "Can view data")
SECURITY_ROLES = ("Tenant admin", "Data admin", "Data space creator")

# The three member tables, a letter a column: owner, view, consume, manage, operate, edit; then can view data.
SPACE = {
    "See data space in Data Integration home": "YYYYYY Y",
    "Change space name, description, members, and roles": "Y--Y-- -",
    "Change space name and description": "Y--Y-- -",
    "Add members with roles": "Y--Y-- -",
    "Delete space": "Y--Y-- -",
    "Preview and sample data": "Y----- Y",
    # What the document asks for before something else can happen; the space's owner meets every requirement.
    "Own a data project whose tasks run here": "Y----Y -",
    "Use a connection of this space as source or target": "Y-YY-Y -",
    "Use a gateway of this space": "Y-YY-Y -",
    "Create a connection through a gateway here": "Y--Y-- -",
    "Use a data task's output outside this space": "Y-Y--- -",
}
DATA_PROJECT = {
    "List data projects": "YYYYYY Y",
    "Create project": "Y----Y -",
    "Update project": "Y----Y -",
    "Open project": "YY--YY -",
    "Delete project": "Y----Y -",
    "Operate project": "Y---Y- -",
}
DATA_TASK = {
    "Create data task": "Y----Y -",
    "List data tasks and information about tasks": "YYYYYY Y",
    "Edit data task attribute": "Y----Y -",
    "Open data task": "YY--YY -",
    "Update data task": "Y----Y -",
    "Delete data task": "Y----Y -",
    "Control data task": "Y---Y- -",
    "Preview and sample data": "Y----- Y",
}
CONNECTION = {
    "List data resources (data connections)": "YYYYYY Y",
    "Add data connection": "Y--Y-- -",
    "Delete data connection": "Y--Y-- -",
}
# The three tables with security roles: tenant admin, data admin, data space creator
SPACE_SECURITY = {
    "Create data space": "YYY",
    "See data space in Data Integration home": "YY-",
    "Change space name and description": "YY-",
    "Add members with roles": "YY-",
    "Delete space": "YY-",
    "Change space owner": "YY-",
}
DATA_PROJECT_SECURITY = {
    "List data projects": "YY-",
    "Open project": "YY-",
    "Delete project": "YY-",
    "Change owner of project": "YY-",
}
DATA_TASK_SECURITY = {
    "List data tasks and information about tasks": "YY-",
    "Open data task": "YY-",
    "Delete data task": "YY-",
    "Change owner of data task": "YY-",
}
CONNECTION_SECURITY = {
    "List data resources (data connections)": "YY-",
    "Delete data connection": "YY-",
    "Change owner of data connection": "YY-",
    "Change space of data connection": "YY-",
}
KINDS = {
    "space": (SPACE, SPACE_SECURITY),
    "data project": (DATA_PROJECT, DATA_PROJECT_SECURITY),
    "data task": (DATA_TASK, DATA_TASK_SECURITY),
    "connection": (CONNECTION, CONNECTION_SECURITY),
    "gateway": (CONNECTION, CONNECTION_SECURITY),
}
OFFICE = World(
    [
        *(Member(name) for name in ("sam", "sue")),
        Member("tom", tenant_role="admin"),
        Member("own", tenant_role="owner"),
        Member("dan", security_roles=frozenset({"data admin"})),
        Member("cat", security_roles=frozenset({"data space creator"})),
        Member("gil", groups=frozenset({"crew"})),
    ]
)


def space(*roles: str, member: str = "sam", **more: Iterable[str]) -> Space:
    """A space in which the member has these roles."""
    given = {member: frozenset(roles) - {"Is owner"}, **{holder: frozenset(names) for holder, names in more.items()}}
    return Space("lab", member if "Is owner" in roles else None, given)


def inside(kind: str, lab: Space, owner: str | None = None) -> Resource:
    resources: dict[str, Resource] = {
        "space": lab,
        "data project": DataProject("dp", lab, owner),
        "data task": DataTask("dt", DataProject("dp", lab, owner)),
        "connection": Connection("c", lab, owner),
        "gateway": Gateway("g", lab, owner),
    }
    return resources[kind]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("role", SPACE_ROLES)
def test_a_space_role_gives_what_the_tables_say_and_no_more(kind: str, role: str) -> None:
    members, _ = KINDS[kind]
    assert can(inside(kind, space(role)), "sam", OFFICE) == ticked(members, [SPACE_ROLES.index(role)])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("member", "column"), [("tom", 0), ("own", 0), ("dan", 1), ("cat", 2)], ids=["admin", "owner", "data", "creator"]
)
def test_a_security_role_gives_what_the_tables_say_and_no_more(kind: str, member: str, column: int) -> None:
    _, security = KINDS[kind]
    assert can(inside(kind, space()), member, OFFICE) == ticked(security, [column])


@pytest.mark.parametrize("kind", KINDS)
def test_several_space_roles_give_the_union_also_through_groups(kind: str) -> None:
    members, security = KINDS[kind]
    lab = space("Can view", member="gil", crew=["Can operate"], All=["Can view data"])
    expected = ticked(members, [SPACE_ROLES.index(role) for role in ("Can view", "Can operate", "Can view data")])
    assert can(inside(kind, lab), "gil", OFFICE) == expected
    assert can(inside(kind, lab), "dan", OFFICE) == ticked(members, [6]) | ticked(security, [1])


@pytest.mark.parametrize("kind", KINDS)
def test_without_any_role_nothing_of_a_space_exists(kind: str) -> None:
    assert can(inside(kind, space()), "sue", OFFICE) == set()


@pytest.mark.parametrize("kind", ["connection", "gateway"])
@pytest.mark.parametrize("role", SPACE_ROLES)
def test_a_connection_is_edited_by_its_owner_who_sees_the_space_and_by_nobody_else(kind: str, role: str) -> None:
    lab = space(role, sue=["Can manage", "Can edit"])
    assert "Edit data connection" in can(inside(kind, lab, "sam"), "sam", OFFICE)
    assert "Edit data connection" not in can(inside(kind, lab, "sam"), "sue", OFFICE)
    assert "Edit data connection" not in can(inside(kind, lab, "sue"), "sam", OFFICE)


def test_a_connections_owner_who_no_longer_sees_the_space_cannot_edit_it() -> None:
    assert can(Connection("c", space("Can edit", member="sue"), owner="sam"), "sam", OFFICE) == set()


@pytest.mark.parametrize("kind", ["space", "data project", "data task", "connection"])
@pytest.mark.parametrize("member", ["tom", "own", "dan", "cat"])
def test_security_roles_neither_run_nor_create_nor_see_data_inside_a_space(kind: str, member: str) -> None:
    inside_only = {
        *("Create project", "Update project", "Operate project", "Create data task", "Edit data task attribute"),
        *("Update data task", "Control data task", "Add data connection", "Edit data connection"),
        *("Preview and sample data", "Change space name, description, members, and roles"),
    }
    assert not can(inside(kind, space()), member, OFFICE) & inside_only


def test_changing_owners_is_for_security_roles_alone() -> None:
    for kind in KINDS:
        owner_of_all = can(inside(kind, space("Is owner"), "sam"), "sam", OFFICE)
        assert not {action for action in owner_of_all if action.startswith(("Change owner", "Change space owner"))}


# Preflight: what the owner of a data project holds in each space → whether a data task may be prepared, run, scheduled
EDIT, USE = ("Is owner", "Can edit"), ("Is owner", "Can consume data", "Can edit", "Can manage")


def passes(checks: Iterable[tuple[Any, Any]]) -> bool:
    return all(decision.allowed for _, decision in checks)


@pytest.mark.parametrize("role", SPACE_ROLES)
def test_the_owner_of_a_data_project_needs_can_edit_in_its_space(role: str) -> None:
    task = DataTask("dt", DataProject("dp", space(role), "sam"))
    assert passes(preflight.of_data_task(OFFICE, task, [])) is (role in EDIT)


@pytest.mark.parametrize("role", SPACE_ROLES)
def test_the_owner_of_a_data_project_needs_to_use_the_spaces_of_its_connections_and_gateways(role: str) -> None:
    task = DataTask("dt", DataProject("dp", space("Can edit"), "sam"))
    elsewhere, allowed = replace(space(role), id="elsewhere"), space("Can manage")
    connection = Connection("c", elsewhere, "sue")
    through = Connection("c", allowed, "sue", Gateway("g", elsewhere))
    assert passes(preflight.of_data_task(OFFICE, task, [connection])) is (role in USE)
    assert passes(preflight.of_data_task(OFFICE, task, [through])) is (role in USE)
    assert not passes(preflight.of_data_task(OFFICE, task, [connection, Connection("d", Space("closed"))]))


@pytest.mark.parametrize("granted", LEVEL_NAMES)
def test_a_data_task_into_the_lakehouse_needs_editor_on_the_output_layer(granted: str) -> None:
    task = DataTask("dt", DataProject("dp", space("Can edit"), "sam"))
    output = Layer("sales", {"sam": granted}, frozenset({"sam"}))
    assert passes(preflight.of_data_task(OFFICE, task, [], output)) is (granted in ("Editor", "Manager"))


def test_a_data_task_acts_as_the_owner_of_its_data_project_whoever_asks() -> None:
    lab = space("Can view", sue=["Can edit"])
    assert not passes(preflight.of_data_task(OFFICE, DataTask("dt", DataProject("dp", lab, "sam")), []))
    assert passes(preflight.of_data_task(OFFICE, DataTask("dt", DataProject("dp", lab, "sue")), []))
    assert not passes(preflight.of_data_task(OFFICE, DataTask("dt", DataProject("dp", lab, "tom")), []))


def test_a_failed_preflight_says_where_and_what_is_missing() -> None:
    task = DataTask("dt", DataProject("dp", space("Can edit"), "sam"))
    closed = Space("closed")
    failed = [
        (where, d) for where, d in preflight.of_data_task(OFFICE, task, [Connection("c", closed)]) if not d.allowed
    ]
    ((where, decision),) = failed
    assert where == closed
    assert {way[0].fact for way in decision.missing} == {
        *("owner of the space", "Can consume data", "Can manage", "Can edit"),
    }


@pytest.mark.parametrize(("here", "there"), list(product(SPACE_ROLES, SPACE_ROLES)))
def test_a_connection_through_a_gateway_needs_can_manage_here_and_use_where_the_gateway_is(
    here: str, there: str
) -> None:
    checks = preflight.of_gateway_connection(OFFICE, "sam", space(here), Gateway("g", replace(space(there), id="gw")))
    assert passes(checks) is (here in ("Is owner", "Can manage") and there in USE)
