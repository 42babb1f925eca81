"""What the documents say, written down by hand a second time: every cell, every example, every settled reading."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.roles import inherited_data_product_roles, inherited_project_role
from bailiwick.access.world import preflight
from bailiwick.access.world.people import World
from bailiwick.access.world.placing import place
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
from tests.access.test_pages import shown


def can(resource: Resource, member: str, world: World) -> set[str]:
    return set(place(world, resource).actions(member))


def words(names: str) -> frozenset[str]:
    return frozenset(names.split(", ")) if names else frozenset()


# Document "access rights" ----------------------------------------------------------------------------------------

ROLES = ("Admin", "Technical User", "Business User", "none")
ALICE, TESS, BOB, NORA = "alice", "tess", "bob", "nora"
WITH_ROLE = {"Admin": ALICE, "Technical User": TESS, "Business User": BOB, "none": NORA}
SHOP = Project("shop", {ALICE: "Admin", TESS: "Technical User", BOB: "Business User"})
PEOPLE = World([Member(name) for name in WITH_ROLE.values()], projects=[SHOP])
TOGGLES = ((False, False), (True, False), (False, True), (True, True))

NOTHING = words("")
SEE_USE = words("See, Use")
ALL_OF_STORAGE = words("See, Use, Edit, Delete, Copy Credentials, Configure Availability, Manage Owners")
ALL_OF_DATA_MART = words("See, Use, Edit, Delete, Configure Availability, Manage Owners, Manage Triggers")
KEEP_UP = words("See, Use, Copy Credentials, Edit, Delete")
KEEP_UP_DATA_MART = words("See, Use, Edit, Delete, Manage Triggers")
CONTROL = words("Edit, Delete, Run, Manage Owners, Manage Triggers")
SEE = words("See")

Cells = tuple[frozenset[str], frozenset[str], frozenset[str], frozenset[str]]
NONE_OF_IT: Cells = (NOTHING, NOTHING, NOTHING, NOTHING)

# Role and whether an owner → not available, available for use, for maintenance, for both
STORAGE: Mapping[tuple[str, bool], Cells] = {
    ("Admin", True): (ALL_OF_STORAGE,) * 4,
    ("Admin", False): (ALL_OF_STORAGE,) * 4,
    ("Technical User", True): (ALL_OF_STORAGE,) * 4,
    ("Technical User", False): (NOTHING, SEE_USE, KEEP_UP, KEEP_UP),
    ("Business User", True): NONE_OF_IT,
    ("Business User", False): NONE_OF_IT,
    ("none", True): NONE_OF_IT,
    ("none", False): NONE_OF_IT,
}
DESTINATION: Mapping[tuple[str, bool], Cells] = {
    ("Admin", True): (ALL_OF_STORAGE,) * 4,
    ("Admin", False): (ALL_OF_STORAGE,) * 4,
    ("Technical User", True): (ALL_OF_STORAGE,) * 4,
    ("Technical User", False): (NOTHING, SEE_USE, KEEP_UP, KEEP_UP),
    ("Business User", True): (ALL_OF_STORAGE,) * 4,
    ("Business User", False): (NOTHING, SEE_USE, KEEP_UP, KEEP_UP),
    ("none", True): NONE_OF_IT,
    ("none", False): NONE_OF_IT,
}
RESTORE = words("See, Restore")
DELETED_DESTINATION: Mapping[tuple[str, bool], Cells] = {
    ("Admin", True): (RESTORE,) * 4,
    ("Admin", False): (RESTORE,) * 4,
    ("Technical User", True): (RESTORE,) * 4,
    ("Technical User", False): (NOTHING, NOTHING, RESTORE, RESTORE),
    ("Business User", True): (RESTORE,) * 4,
    ("Business User", False): NONE_OF_IT,
    ("none", True): NONE_OF_IT,
    ("none", False): NONE_OF_IT,
}
# Role and ownership (T: Technical Owner, B: Business Owner) → not available, for reporting, for maintenance, for both
DATA_MART: Mapping[tuple[str, str], Cells] = {
    **{("Admin", owner): (ALL_OF_DATA_MART,) * 4 for owner in ("", "T", "B", "TB")},
    **{("none", owner): NONE_OF_IT for owner in ("", "T", "B", "TB")},
    ("Technical User", "T"): (ALL_OF_DATA_MART,) * 4,
    ("Technical User", "TB"): (ALL_OF_DATA_MART,) * 4,
    ("Technical User", "B"): (SEE_USE,) * 4,
    ("Technical User", ""): (NOTHING, SEE_USE, KEEP_UP_DATA_MART, KEEP_UP_DATA_MART),
    ("Business User", "T"): (SEE_USE,) * 4,
    ("Business User", "TB"): (SEE_USE,) * 4,
    ("Business User", "B"): (SEE_USE,) * 4,
    ("Business User", ""): (NOTHING, SEE_USE, NOTHING, SEE_USE),
}
MANAGE = words("See, Manage")
DATA_MART_TRIGGER: Mapping[tuple[str, str], Cells] = {
    **{("Admin", owner): (MANAGE,) * 4 for owner in ("", "T", "B", "TB")},
    **{("none", owner): NONE_OF_IT for owner in ("", "T", "B", "TB")},
    ("Technical User", "T"): (MANAGE,) * 4,
    ("Technical User", "TB"): (MANAGE,) * 4,
    ("Technical User", "B"): (SEE,) * 4,
    ("Technical User", ""): (NOTHING, SEE, MANAGE, MANAGE),
    ("Business User", "T"): (SEE,) * 4,
    ("Business User", "TB"): (SEE,) * 4,
    ("Business User", "B"): (SEE,) * 4,
    ("Business User", ""): (NOTHING, SEE, NOTHING, SEE),
}


def owned(kind: type[Storage] | type[Destination], owner: str | None, toggles: tuple[bool, bool]) -> Any:
    return kind("it", SHOP, frozenset({owner} if owner else ()), *toggles)


def mart(owner: str = "", member: str = "", toggles: tuple[bool, bool] = (False, False), **switches: bool) -> DataMart:
    mine = frozenset({member})
    technical, business = (mine if kind in owner else frozenset[str]() for kind in "TB")
    return DataMart("mart", replace(SHOP, **switches), technical, business, *toggles)  # type: ignore[arg-type]


def owner_cells(table: Mapping[tuple[str, bool], Cells]) -> list[Any]:
    return [
        pytest.param(role, owner, toggles, expected, id=f"{role}{'-owner' * owner}-{toggles}")
        for (role, owner), cells in table.items()
        for toggles, expected in zip(TOGGLES, cells, strict=True)
    ]


def mart_cells(table: Mapping[tuple[str, str], Cells]) -> list[Any]:
    return [
        pytest.param(role, owner, toggles, expected, id=f"{role}-{owner}-{toggles}")
        for (role, owner), cells in table.items()
        for toggles, expected in zip(TOGGLES, cells, strict=True)
    ]


@pytest.mark.parametrize(("role", "owner", "toggles", "expected"), owner_cells(STORAGE))
def test_a_storage_gives_what_its_table_says(
    role: str, owner: bool, toggles: tuple[bool, bool], expected: frozenset[str]
) -> None:
    member = WITH_ROLE[role]
    assert can(owned(Storage, member if owner else None, toggles), member, PEOPLE) == expected


@pytest.mark.parametrize(("role", "owner", "toggles", "expected"), owner_cells(DESTINATION))
def test_a_destination_gives_what_its_table_says(
    role: str, owner: bool, toggles: tuple[bool, bool], expected: frozenset[str]
) -> None:
    member = WITH_ROLE[role]
    assert can(owned(Destination, member if owner else None, toggles), member, PEOPLE) == expected


@pytest.mark.parametrize(("role", "owner", "toggles", "expected"), owner_cells(DELETED_DESTINATION))
def test_a_deleted_destination_is_restored_by_owners_admins_and_technical_users_who_may_edit_it(
    role: str, owner: bool, toggles: tuple[bool, bool], expected: frozenset[str]
) -> None:
    member = WITH_ROLE[role]
    deleted = replace(owned(Destination, member if owner else None, toggles), deleted=True)
    assert can(deleted, member, PEOPLE) == expected


@pytest.mark.parametrize(("role", "owner", "toggles", "expected"), mart_cells(DATA_MART))
def test_a_data_mart_gives_what_its_table_says(
    role: str, owner: str, toggles: tuple[bool, bool], expected: frozenset[str]
) -> None:
    member = WITH_ROLE[role]
    assert can(mart(owner, member, toggles), member, PEOPLE) == expected


@pytest.mark.parametrize(("role", "owner", "toggles", "expected"), mart_cells(DATA_MART_TRIGGER))
def test_a_data_mart_trigger_gives_what_its_table_says(
    role: str, owner: str, toggles: tuple[bool, bool], expected: frozenset[str]
) -> None:
    member = WITH_ROLE[role]
    assert can(DataMartTrigger("trigger", mart(owner, member, toggles)), member, PEOPLE) == expected


# Ownership of the data mart, its toggles, owner of the report?, destination exists? → what a member may do
Standing = tuple[str, tuple[bool, bool], bool, bool]
CLOSED, REPORTING, MAINTENANCE, BOTH = TOGGLES
REPORT: Mapping[str, tuple[str, Standing, frozenset[str]]] = {
    "Technical Owner with Technical User role": ("Technical User", ("T", CLOSED, False, True), SEE | CONTROL),
    "the same, destination deleted": ("Technical User", ("T", CLOSED, False, False), SEE | CONTROL),
    "the same, owner of the report too": ("Technical User", ("T", CLOSED, True, False), SEE | CONTROL),
    "Technical and Business Owner": ("Technical User", ("TB", CLOSED, False, False), SEE | CONTROL),
    "Technical User, for maintenance": ("Technical User", ("", MAINTENANCE, False, True), SEE | CONTROL),
    "Technical User, for both": ("Technical User", ("", BOTH, False, False), SEE | CONTROL),
    "Report Owner (Technical User), data mart closed": ("Technical User", ("", CLOSED, True, True), SEE | CONTROL),
    "Report Owner (Business User), data mart closed": ("Business User", ("", CLOSED, True, True), SEE | CONTROL),
    "Report Owner (Business User), for maintenance": ("Business User", ("", MAINTENANCE, True, True), SEE | CONTROL),
    "Report Owner (Technical User), deleted": ("Technical User", ("", REPORTING, True, False), SEE),
    "Report Owner (Business User), deleted": ("Business User", ("", REPORTING, True, False), SEE),
    "Report Owner, deleted, data mart closed": ("Business User", ("", CLOSED, True, False), SEE),
    "Report Owner who is Business Owner": ("Business User", ("B", CLOSED, True, True), SEE | CONTROL),
    "Report Owner who is Business Owner, deleted": ("Business User", ("B", CLOSED, True, False), SEE),
    "Business Owner (Technical User)": ("Technical User", ("B", CLOSED, False, True), SEE),
    "Business Owner (Technical User), for maintenance": ("Technical User", ("B", BOTH, False, True), SEE),
    "Business Owner (Business User)": ("Business User", ("B", CLOSED, False, True), SEE),
    "Technical Owner (Business User)": ("Business User", ("T", MAINTENANCE, False, True), SEE),
    "non-owner Technical User, for reporting": ("Technical User", ("", REPORTING, False, True), SEE),
    "non-owner Business User, for reporting": ("Business User", ("", REPORTING, False, True), SEE),
    "non-owner Business User, for both": ("Business User", ("", BOTH, False, True), SEE),
    "non-owner Technical User, closed": ("Technical User", ("", CLOSED, False, True), NOTHING),
    "non-owner Business User, closed": ("Business User", ("", CLOSED, False, True), NOTHING),
    "non-owner Business User, for maintenance": ("Business User", ("", MAINTENANCE, False, True), NOTHING),
    "Project Admin": ("Admin", ("", CLOSED, False, True), SEE | CONTROL),
    "Project Admin, destination deleted": ("Admin", ("", CLOSED, False, False), SEE | CONTROL),
    "Report Owner without a role in the project": ("none", ("TB", BOTH, True, True), NOTHING),
}


def report(member: str, standing: Standing, **switches: bool) -> Report:
    owner, toggles, owns_report, exists = standing
    return Report(
        "report", mart(owner, member, toggles, **switches), frozenset({member} if owns_report else ()), exists
    )


@pytest.mark.parametrize(("role", "standing", "expected"), REPORT.values(), ids=REPORT.keys())
def test_a_report_gives_what_its_table_says(role: str, standing: Standing, expected: frozenset[str]) -> None:
    member = WITH_ROLE[role]
    assert can(report(member, standing), member, PEOPLE) == expected


@pytest.mark.parametrize(("role", "standing", "expected"), REPORT.values(), ids=REPORT.keys())
def test_a_report_trigger_is_managed_by_who_controls_the_report_and_seen_by_who_sees_it(
    role: str, standing: Standing, expected: frozenset[str]
) -> None:
    member = WITH_ROLE[role]
    managed = MANAGE if "Edit" in expected else expected
    assert can(ReportTrigger("trigger", report(member, standing)), member, PEOPLE) == managed


# Who → Data Mart (as Technical Owner), Storage, Destination, Report (its destination there)
FULL_CONTROL = {
    "Admin": (True, True, True, True),
    "Technical User": (True, True, True, True),
    "Business User": (False, False, True, True),
}
ALL_OF = (ALL_OF_DATA_MART, ALL_OF_STORAGE, ALL_OF_STORAGE, SEE | CONTROL)


@pytest.mark.parametrize("role", FULL_CONTROL)
def test_full_control_takes_a_technical_role_on_data_marts_and_storages_only(role: str) -> None:
    member = WITH_ROLE[role]
    owns = [
        mart("T", member),
        owned(Storage, member, CLOSED),
        owned(Destination, member, CLOSED),
        report(member, ("", CLOSED, True, True)),
    ]
    everything = [can(one, member, PEOPLE) == full for one, full in zip(owns, ALL_OF, strict=True)]
    assert tuple(everything) == FULL_CONTROL[role]


# Resource → those who may, of: owner (Technical, of a data mart) and non-owner of each role, with everything available
OWNERS_WHO_CONFIGURE = {
    "Data Mart": {("Admin", True), ("Admin", False), ("Technical User", True)},
    "Storage": {("Admin", True), ("Admin", False), ("Technical User", True)},
    "Destination": {("Admin", True), ("Admin", False), ("Technical User", True), ("Business User", True)},
}


@pytest.mark.parametrize("action", ["Configure Availability", "Manage Owners"])
@pytest.mark.parametrize("kind", OWNERS_WHO_CONFIGURE)
def test_availability_is_configured_and_owners_are_managed_by_owners_in_full_control_and_admins(
    kind: str, action: str
) -> None:
    allowed = set()
    for (role, member), owner in product(WITH_ROLE.items(), (True, False)):
        mine = member if owner else None
        resource = {
            "Data Mart": mart("T" if owner else "", member, BOTH),
            "Storage": owned(Storage, mine, BOTH),
            "Destination": owned(Destination, mine, BOTH),
        }[kind]
        if action in can(resource, member, PEOPLE):
            allowed.add((role, owner))
    assert allowed == OWNERS_WHO_CONFIGURE[kind]


def test_business_owners_neither_configure_availability_nor_manage_owners() -> None:
    for member, toggles in product((TESS, BOB), TOGGLES):
        assert can(mart("B", member, toggles), member, PEOPLE) == SEE_USE


# Technical User with maintenance access; Report Owner with active destination; Project Admin
OWNERS_OF_A_REPORT = {
    ("Technical User", ("", MAINTENANCE, False, False)): True,
    ("Technical User", ("T", CLOSED, False, False)): True,
    ("Technical User", ("", REPORTING, False, True)): False,
    ("Technical User", ("B", BOTH, False, True)): False,
    ("Technical User", ("", CLOSED, True, True)): True,
    ("Technical User", ("", CLOSED, True, False)): False,
    ("Business User", ("", CLOSED, True, True)): True,
    ("Business User", ("", CLOSED, True, False)): False,
    ("Business User", ("T", BOTH, False, True)): False,
    ("Admin", ("", CLOSED, False, False)): True,
}


@pytest.mark.parametrize(("who", "expected"), OWNERS_OF_A_REPORT.items())
def test_the_owners_of_a_report_are_managed_by_maintainers_active_owners_and_admins(
    who: tuple[str, Standing], expected: bool
) -> None:
    role, standing = who
    assert ("Manage Owners" in can(report(WITH_ROLE[role], standing), WITH_ROLE[role], PEOPLE)) is expected


def test_a_technical_owner_with_too_low_a_role_is_warned_of_since_full_control_awaits_the_role() -> None:
    now = mart("T", BOB)
    assert can(now, BOB, PEOPLE) == SEE_USE
    decision = place(PEOPLE, now).check(BOB, "Edit")
    assert [(way[0].fact, way[0].needs) for way in decision.missing if len(way) == 1] == [
        ("project role", "Technical User")
    ]
    raised = replace(now, project=Project("raised", {BOB: "Technical User"}))
    assert can(raised, BOB, PEOPLE) == ALL_OF_DATA_MART


def test_a_storage_owner_who_is_a_business_user_has_no_access_until_the_role_is_raised() -> None:
    now = Storage("storage", SHOP, frozenset({BOB}))
    assert can(now, BOB, PEOPLE) == NOTHING
    assert can(replace(now, project=Project("raised", {BOB: "Technical User"})), BOB, PEOPLE) == ALL_OF_STORAGE


# Business Owner who is a Technical User, with the switch on → not available, for reporting, for maintenance, for both
WITH_OWNERSHIP_ADDING = (SEE_USE, SEE_USE, KEEP_UP_DATA_MART, KEEP_UP_DATA_MART)


@pytest.mark.parametrize(("toggles", "expected"), list(zip(TOGGLES, WITH_OWNERSHIP_ADDING, strict=True)))
def test_ownership_adds_to_availability_for_business_owners_who_are_technical_users(
    toggles: tuple[bool, bool], expected: frozenset[str]
) -> None:
    data_mart = mart("B", TESS, toggles, ownership_adds_to_availability=True)
    maintains = "Edit" in expected
    assert can(data_mart, TESS, PEOPLE) == expected
    assert can(DataMartTrigger("trigger", data_mart), TESS, PEOPLE) == (MANAGE if maintains else SEE)
    assert can(Report("report", data_mart), TESS, PEOPLE) == (SEE | CONTROL if maintains else SEE)


@pytest.mark.parametrize(("role", "owner", "toggles", "expected"), mart_cells(DATA_MART))
def test_the_switch_ownership_adds_to_availability_changes_nothing_for_anybody_else(
    role: str, owner: str, toggles: tuple[bool, bool], expected: frozenset[str]
) -> None:
    if (role, owner) != ("Technical User", "B"):
        member = WITH_ROLE[role]
        assert can(mart(owner, member, toggles, ownership_adds_to_availability=True), member, PEOPLE) == expected


@pytest.mark.parametrize(("role", "standing", "expected"), REPORT.values(), ids=REPORT.keys())
def test_technical_users_control_all_reports_they_see_where_the_project_says_so(
    role: str, standing: Standing, expected: frozenset[str]
) -> None:
    member = WITH_ROLE[role]
    switched = report(member, standing, technical_users_control_all_reports=True)
    wider = SEE | CONTROL if role == "Technical User" and expected else expected
    assert can(switched, member, PEOPLE) == wider
    managed = MANAGE if "Edit" in wider else wider
    assert can(ReportTrigger("trigger", switched), member, PEOPLE) == managed


def test_a_report_turns_read_only_for_its_owner_while_the_destination_is_deleted_and_back_when_it_is_restored() -> None:
    mine = report(BOB, ("", REPORTING, True, True))
    assert can(mine, BOB, PEOPLE) == SEE | CONTROL
    assert can(replace(mine, destination_exists=False), BOB, PEOPLE) == SEE
    reassigned = replace(mine, owners=frozenset({TESS}), destination_exists=False)
    assert can(reassigned, TESS, PEOPLE) == SEE
    (way,) = (w for w in place(PEOPLE, reassigned).check(TESS, "Run").missing if w[0].fact == "destination exists")
    assert way[0].given_by == "whoever may restore the destination"


def test_new_resources_start_with_both_toggles_off() -> None:
    for resource in (Storage("s", SHOP), Destination("d", SHOP), DataMart("m", SHOP)):
        assert can(resource, TESS, PEOPLE) == can(resource, BOB, PEOPLE) == NOTHING


# Document "roles" ------------------------------------------------------------------------------------------------

# Admin, Technical User, Business User
CAPABILITIES = {
    "See members": (True, True, True),
    "Invite Admin": (True, False, False),
    "Invite Technical User": (True, True, False),
    "Invite Business User": (True, True, True),
    "Change a member's role": (True, False, False),
    "Reset passwords and generate magic links": (True, False, False),
    "Delete members": (True, False, False),
    "Create data marts": (True, True, False),
    "Create storages": (True, True, False),
    "Create destinations": (True, True, True),
    "Create reports": (True, True, True),
    "Delete runs": (True, False, False),
    "See project settings": (True, True, False),
    "Set project switches": (True, False, False),
    "Manage notification receivers": (True, False, False),
}
NOTIFICATIONS = {
    "Subscribed to every channel upon joining": (True, True, False),
    "May be added as a receiver": (True, True, True),
    "Removed from the receivers on falling to this role": (False, False, True),
}


@pytest.mark.parametrize(("position", "role"), list(enumerate(ROLES[:3])))
def test_a_role_can_do_across_the_project_what_the_document_says(position: int, role: str) -> None:
    expected = {action for action, cells in CAPABILITIES.items() if cells[position]}
    assert can(ProjectMembership(SHOP), WITH_ROLE[role], PEOPLE) == expected


@pytest.mark.parametrize(("position", "role"), list(enumerate(ROLES[:3])))
def test_a_role_stands_to_notifications_as_the_document_says(position: int, role: str) -> None:
    rules = RESOURCE_TYPES["notification_rule"]
    expected = {rule for rule, cells in NOTIFICATIONS.items() if cells[position]}
    assert set(rules.allowed_actions(rules.pack({"project role": role}))) == expected


def test_without_a_role_nothing_is_done_across_a_project() -> None:
    assert can(ProjectMembership(SHOP), NORA, PEOPLE) == set()


def test_admins_edit_and_delete_any_resource_whoever_created_it() -> None:
    theirs = frozenset({BOB})
    for resource in (
        Storage("s", SHOP, theirs),
        Destination("d", SHOP, theirs),
        DataMart("m", SHOP, theirs),
        Report("r", DataMart("m", SHOP, theirs), theirs, destination_exists=False),
    ):
        assert {"See", "Edit", "Delete", "Manage Owners"} <= can(resource, ALICE, PEOPLE)
    assert "Manage" in can(DataMartTrigger("t", DataMart("m", SHOP)), ALICE, PEOPLE)
    assert "Manage" in can(ReportTrigger("t", Report("r", DataMart("m", SHOP))), ALICE, PEOPLE)


def test_business_users_view_shared_data_marts_and_their_triggers_and_report_on_them() -> None:
    shared = mart(toggles=REPORTING)
    assert can(shared, BOB, PEOPLE) == SEE_USE
    assert can(DataMartTrigger("t", shared), BOB, PEOPLE) == SEE


# Document "lakehouse" --------------------------------------------------------------------------------------------

# The lowest who may: V viewer, E editor, M manager, A admins and owners, O owners
WHAT_EACH_LEVEL_CAN_DO = {
    **dict.fromkeys(("See layers", "See tables", "See pipelines", "See runs"), "V"),
    **dict.fromkeys(("Execute queries", "Edit queries", "Save queries individually", "Delete saved queries"), "V"),
    **dict.fromkeys(("Change descriptions", "Create tables and volumes", "Add pipelines", "Edit pipelines"), "E"),
    **dict.fromkeys(("Activate or deactivate pipelines", "Trigger pipelines"), "E"),
    "Delete shared saved queries of others": "E",
    **dict.fromkeys(("Manage users (Viewer, Editor)", "Delete pipelines", "Delete the resource"), "M"),
    **dict.fromkeys(("Manage users (Manager)", "Create layers", "See all layers", "See settings"), "A"),
    **dict.fromkeys(("Manage users and roles", "Create groups", "Add users"), "A"),
    "Add, edit, activate, trigger and delete integrations": "A",
    "Manage billing": "O",
}
LADDER = "-VEMAO"  # no level, then each step up
STANDINGS = {
    ("none", "Member"): "-",
    ("Viewer", "Member"): "V",
    ("Editor", "Member"): "E",
    ("Manager", "Member"): "M",
    **{(level, "Admin"): "A" for level in ("none", "Viewer", "Editor", "Manager")},
    **{(level, "Owner"): "O" for level in ("none", "Viewer", "Editor", "Manager")},
}
ON_DATA = ("Change descriptions", "Delete the resource", "Manage users (Viewer, Editor)", "Manage users (Manager)")
ON_EACH = {
    "layer": {"See layers", "Create tables and volumes", "Add pipelines", *ON_DATA},
    "table": {"See tables", "Execute queries", *ON_DATA},
    "volume": {"See tables", *ON_DATA},
    "pipeline": {
        *("See pipelines", "Edit pipelines", "Activate or deactivate pipelines", "Trigger pipelines"),
        *("Delete pipelines", "See runs"),
    },
    "integration": {"See pipelines", "See runs", "Add, edit, activate, trigger and delete integrations"},
    "query": {
        *("Execute queries", "Edit queries", "Save queries individually", "Delete saved queries"),
        "Delete shared saved queries of others",
    },
    "lakehouse": {
        *("Create layers", "See all layers", "See settings", "Manage users and roles", "Create groups", "Add users"),
        "Manage billing",
    },
}


@pytest.mark.parametrize("kind", ON_EACH)
@pytest.mark.parametrize(("level", "standing"), STANDINGS)
def test_a_level_can_do_what_the_table_says_and_no_more(kind: str, level: str, standing: str) -> None:
    resource_type = RESOURCE_TYPES[kind]
    step = LADDER.index(STANDINGS[level, standing])
    allowed = resource_type.allowed_actions(resource_type.pack({"level": level, "standing": standing}))
    assert set(allowed) == {a for a in resource_type.actions if LADDER.index(WHAT_EACH_LEVEL_CAN_DO[a]) <= step}


@pytest.mark.parametrize("kind", ON_EACH)
def test_a_lakehouse_resource_is_asked_the_rows_that_are_about_it(kind: str) -> None:
    assert set(RESOURCE_TYPES[kind].actions) == ON_EACH[kind]


def test_integrations_are_seen_like_pipelines_and_changed_by_admins_and_owners_only() -> None:
    changed = "Add, edit, activate, trigger and delete integrations"
    table = Table("orders", Layer("sales", {"mia": "Manager"}))
    it = Integration("integration", inputs=(table,))
    assert can(it, "mia", LAKE) == {"See pipelines", "See runs"}
    assert can(it, "ann", LAKE) == {"See pipelines", "See runs", changed}


def test_every_row_of_the_level_table_is_asked_of_some_resource() -> None:
    asked = {action for kind in ON_EACH for action in RESOURCE_TYPES[kind].actions}
    assert asked == set(WHAT_EACH_LEVEL_CAN_DO)


LAKE = World(
    [
        *(Member(name) for name in ("mia", "max", "zoe")),
        Member("gus", groups=frozenset({"analysts", "finance"})),
        Member("ann", tenant_role="admin"),
        Member("olga", tenant_role="owner"),
        Member("ed", tenant_role="editor"),
    ]
)
LEVEL_NAMES = ("none", "Viewer", "Editor", "Manager")


def level(resource: Resource, member: str, world: World = LAKE) -> str:
    placed = place(world, resource)
    return placed.type.in_words(placed.index(member))["level"]


def layer(grants: Mapping[str, str] | None = None, below: Iterable[str] = ()) -> Layer:
    return Layer("sales", grants or {}, frozenset(below))


@pytest.mark.parametrize("granted", LEVEL_NAMES[1:])
def test_a_grant_on_a_layer_flows_down_to_its_tables_and_volumes(granted: str) -> None:
    sales = layer({"mia": granted})
    assert level(sales, "mia") == level(Table("t", sales), "mia") == level(Volume("v", sales), "mia") == granted
    assert level(Table("elsewhere", Layer("other")), "mia") == "none"


@pytest.mark.parametrize("granted", LEVEL_NAMES[1:])
def test_a_grant_on_a_table_lets_its_layer_be_seen_and_flows_no_further(granted: str) -> None:
    sales = layer(below={"mia"})
    assert level(Table("orders", sales, {"mia": granted}), "mia") == granted
    assert level(sales, "mia") == "Viewer"
    assert can(sales, "mia", LAKE) == {"See layers"}
    assert level(Table("sibling", sales), "mia") == level(Volume("files", sales), "mia") == "none"


@pytest.mark.parametrize(("on_layer", "on_table"), list(product(LEVEL_NAMES, LEVEL_NAMES)))
def test_on_a_table_the_higher_of_its_own_grant_and_its_layers_holds(on_layer: str, on_table: str) -> None:
    sales = layer({"mia": on_layer}, {"mia"})
    highest = max(on_layer, on_table, key=LEVEL_NAMES.index)
    assert level(Table("t", sales, {"mia": on_table}), "mia") == highest
    assert level(Volume("v", sales, {"mia": on_table}), "mia") == highest
    assert level(sales, "mia") == max(on_layer, "Viewer", key=LEVEL_NAMES.index)


def test_of_a_members_own_grant_and_those_of_their_groups_the_highest_holds() -> None:
    grants = {"gus": "Viewer", "analysts": "Editor", "strangers": "Manager"}
    assert level(Table("t", layer(), grants), "gus") == "Editor"
    assert level(Table("t", layer({"finance": "Manager"}), grants), "gus") == "Manager"
    assert level(Table("t", layer({"finance": "Manager"}), grants), "mia") == "none"


def test_a_grant_to_the_group_all_reaches_everybody_and_lowers_nobody() -> None:
    table = Table("t", layer({"mia": "Manager"}), {"All": "Viewer", "analysts": "Editor"})
    assert {name: level(table, name) for name in ("mia", "max", "gus")} == {
        "mia": "Manager",
        "max": "Viewer",
        "gus": "Editor",
    }
    assert level(layer(below={"All"}), "zoe") == "Viewer"


def test_admins_and_owners_are_not_restricted_by_levels_and_other_tenant_roles_give_none() -> None:
    table = Table("t", layer())
    assert {"Delete the resource", "Manage users (Manager)"} <= can(table, "ann", LAKE)
    assert can(table, "ann", LAKE) == can(table, "olga", LAKE)
    assert can(table, "ed", LAKE) == can(table, "mia", LAKE) == set()


def test_on_starter_every_member_manages_all_data_whatever_was_granted() -> None:
    starter = World(LAKE.members.values(), Tenant("starter"))
    sales = layer({"mia": "Viewer"})
    orders = Table("t", sales)
    source = Pipeline("source", outputs=(orders,))
    resources: tuple[Resource, ...] = (sales, orders, Volume("v", sales), source)
    for resource, member in product(resources, ("mia", "max", "gus")):
        assert level(resource, member, starter) == "Manager"
    assert "Manage users (Manager)" not in can(orders, "mia", starter)


@pytest.mark.parametrize(("on_one", "on_other"), list(product(LEVEL_NAMES, LEVEL_NAMES)))
def test_a_pipelines_level_is_the_lowest_on_all_its_inputs_and_outputs(on_one: str, on_other: str) -> None:
    one, other = Table("a", layer(), {"mia": on_one}), Volume("b", layer(), {"mia": on_other})
    lowest = min(on_one, on_other, key=LEVEL_NAMES.index)
    assert level(Pipeline("p", inputs=(one,), outputs=(Table("b", layer(), {"mia": on_other}),)), "mia") == lowest
    assert level(Pipeline("p", inputs=(one, other)), "mia") == lowest
    assert level(Pipeline("p", outputs=(one, other)), "mia") == lowest


# Level on the input, level on the output → level on the pipeline
READING_NEEDS_ONLY_VIEWER = {
    ("none", "Manager"): "none",
    ("Viewer", "none"): "none",
    ("Viewer", "Viewer"): "Viewer",
    ("Viewer", "Editor"): "Editor",
    ("Viewer", "Manager"): "Manager",
    ("Editor", "Viewer"): "Viewer",
    ("Editor", "Manager"): "Manager",
    ("Manager", "Editor"): "Editor",
}


@pytest.mark.parametrize(("levels", "expected"), READING_NEEDS_ONLY_VIEWER.items())
def test_reading_needs_only_viewer_where_the_tenant_says_so(levels: tuple[str, str], expected: str) -> None:
    read, written = (Table("t", layer(), {"mia": granted}) for granted in levels)
    tenant = World(LAKE.members.values(), Tenant(reading_needs_only_viewer=True))
    assert level(Pipeline("p", inputs=(read,), outputs=(written,)), "mia", tenant) == expected
    assert level(Pipeline("p", outputs=(read, written)), "mia", tenant) == min(levels, key=LEVEL_NAMES.index)


def test_a_stream_whose_table_does_not_exist_yet_counts_as_its_output_layer() -> None:
    exists = Table("t", layer(), {"mia": "Editor"})
    assert level(Pipeline("p", outputs=(exists, layer({"mia": "Viewer"}))), "mia") == "Viewer"
    assert level(Pipeline("p", outputs=(exists, layer({"mia": "Manager"}))), "mia") == "Editor"
    assert level(Pipeline("p", outputs=(exists, layer(below={"mia"}))), "mia") == "none"


def test_without_an_enabled_stream_a_pipeline_falls_back_to_its_output_layer() -> None:
    assert level(Pipeline("p", output_layer=layer({"mia": "Editor"})), "mia") == "Editor"
    assert level(Pipeline("p", output_layer=layer(below={"mia"})), "mia") == "none"
    exists = Table("t", layer(), {"mia": "Viewer"})
    assert level(Pipeline("p", outputs=(exists,), output_layer=layer({"mia": "Manager"})), "mia") == "Viewer"


def test_a_pipeline_with_nothing_left_is_for_admins_and_owners() -> None:
    nothing_left = Pipeline("p")
    assert can(nothing_left, "mia", LAKE) == set()
    assert can(nothing_left, "mia", World(LAKE.members.values(), Tenant("starter"))) == set()
    assert "Delete pipelines" in can(nothing_left, "ann", LAKE)


@pytest.mark.parametrize("granted", LEVEL_NAMES)
def test_a_query_runs_with_viewer_on_everything_it_reads(granted: str) -> None:
    reads = (Table("a", layer(), {"mia": "Manager"}), Table("b", layer(), {"mia": granted}))
    assert ("Execute queries" in can(Query("q", reads), "mia", LAKE)) is (granted != "none")


# Author?, shared?, level (or standing) → see, execute, edit, delete
SAVED_QUERIES = {
    (True, False, "none"): "",
    (True, False, "Viewer"): "See, Execute, Edit, Delete",
    (True, True, "Editor"): "See, Execute, Edit, Delete",
    (False, True, "none"): "",
    (False, True, "Viewer"): "See, Execute",
    (False, True, "Editor"): "See, Execute, Delete",
    (False, True, "Manager"): "See, Execute, Delete",
    (False, True, "Admin"): "See, Execute, Delete",
    (False, False, "Viewer"): "",
    (False, False, "Manager"): "",
    (False, False, "Admin"): "See, Execute, Delete",
}


@pytest.mark.parametrize(("case", "expected"), SAVED_QUERIES.items())
def test_saved_queries_are_ones_own_and_shared_ones_are_deleted_by_editors(
    case: tuple[bool, bool, str], expected: str
) -> None:
    author, shared, granted = case
    member = "ann" if granted == "Admin" else "mia"
    reads = (Table("t", layer(), {} if granted == "Admin" else {member: granted}),)
    saved = SavedQuery("q", member if author else "zoe", reads, shared)
    assert can(saved, member, LAKE) == words(expected)


# The document's examples, each with its hand-written answer; docs/access/lakehouse.md lists the same in the same words.
SALES = layer({"mia": "Editor", "max": "Viewer"})
ORDERS, INVOICES = Table("orders", SALES, {"zoe": "Editor"}), Table("invoices", SALES)
SOURCE = Pipeline("source", outputs=(ORDERS,), output_layer=SALES)
ONLY_BY_TABLE = layer(below={"zoe"})
OWN_TABLE = Table("own", ONLY_BY_TABLE, {"zoe": "Editor"})
TWO_STREAMS = Pipeline("source", outputs=(OWN_TABLE, Table("another", ONLY_BY_TABLE)), output_layer=ONLY_BY_TABLE)
EXAMPLES: Mapping[str, tuple[Resource | None, str, str, str]] = {
    "A Member with Manager on every layer creates a layer": (None, "Manager", "Create layers", "no"),
    "A Member without any level on a layer sees the layer": (SALES, "gus", "See layers", "no"),
    "A Member without any level on a layer sees a source that writes only there": (
        SOURCE,
        "gus",
        "See pipelines",
        "no",
    ),
    "A Member with Viewer on a layer sees a source that writes only there": (SOURCE, "max", "See pipelines", "yes"),
    "A Member with Viewer on the output layer creates a source": (SALES, "max", "Add pipelines", "no"),
    "A Member with Editor on the output layer creates a source": (SALES, "mia", "Add pipelines", "yes"),
    "A Member with Editor on a layer edits a source that writes there": (SOURCE, "mia", "Edit pipelines", "yes"),
    "A Member with Editor on a layer adds a stream to a source that writes there": (
        SALES,
        "mia",
        "Create tables and volumes",
        "yes",
    ),
    "A Member with Editor on all output tables of a source, and not on the layer, edits the source": (
        Pipeline("source", outputs=(OWN_TABLE,), output_layer=ONLY_BY_TABLE),
        "zoe",
        "Edit pipelines",
        "yes",
    ),
    "The same Member adds a stream to it": (ONLY_BY_TABLE, "zoe", "Create tables and volumes", "no"),
    "A Member with Editor on one of two output tables edits the source": (TWO_STREAMS, "zoe", "Edit pipelines", "no"),
    "The same Member edits it when the stream of the other table is disabled": (
        replace(TWO_STREAMS, outputs=(OWN_TABLE,)),
        "zoe",
        "Edit pipelines",
        "yes",
    ),
}


@pytest.mark.parametrize(("resource", "who", "action", "answer"), EXAMPLES.values(), ids=EXAMPLES.keys())
def test_the_lakehouse_examples_answer_as_the_document_does(
    resource: Resource | None, who: str, action: str, answer: str
) -> None:
    if resource is None:
        lakehouse = RESOURCE_TYPES["lakehouse"]
        allowed = lakehouse.check(lakehouse.pack({"level": who}), action).allowed
    else:
        allowed = place(LAKE, resource).check(who, action).allowed
    assert ("yes" if allowed else "no") == answer


def test_the_page_lists_the_same_examples_with_the_same_answers() -> None:
    (table,) = shown()["lakehouse#examples"]
    assert list(table.rows) == [(case, answer) for case, (*_, answer) in EXAMPLES.items()]


# Document "projects" ---------------------------------------------------------------------------------------------

INHERITED = {
    "owner": "Admin",
    "admin": "Admin",
    "editor": "Technical User",
    "viewer": "Business User",
    "none": "none",
}
# Tenant role → admin, editor, viewer of every project
INHERITED_SETS = {
    "owner": (True, True, True),
    "admin": (True, True, True),
    "editor": (False, True, True),
    "viewer": (False, False, True),
    "none": (False, False, False),
}


@pytest.mark.parametrize("tenant_role", INHERITED)
def test_the_tenant_role_gives_project_roles(tenant_role: str) -> None:
    assert inherited_project_role(tenant_role) == INHERITED[tenant_role]
    table = RESOURCE_TYPES["inherited_project_role"]
    given = table.allowed_actions(table.pack({"tenant role": tenant_role}))
    assert tuple(role in given for role in ROLES[:3]) == INHERITED_SETS[tenant_role]


@pytest.mark.parametrize(("tenant_role", "granted", "to_group"), list(product(INHERITED, ROLES, ROLES)))
def test_the_effective_role_is_the_highest_of_inherited_granted_and_through_a_group(
    tenant_role: str, granted: str, to_group: str
) -> None:
    world = World([Member("kim", tenant_role, groups=frozenset({"team"}))])
    project = Project("p", {"kim": granted, "team": to_group})
    highest = min(INHERITED[tenant_role], granted, to_group, key=ROLES.index)
    assert world.project_roles(project).get("kim", "none") == highest
    origins = world.role_origins(world.members["kim"], project)
    assert (origins[0].role if origins else "none") == highest


# Admin, Technical User (editor), Business User (viewer), only a role on a data product
PROJECT_PERMISSIONS = {
    "See project": (True, True, True, True),
    "List data products": (True, True, True, False),
    "Edit project metadata": (True, True, False, False),
    "Delete project": (True, False, False, False),
    "Add sources": (True, True, False, False),
    "View all sources": (True, True, False, False),
    "Edit sources": (True, True, False, False),
    "Delete sources": (True, False, False, False),
    "Add, view, and manage workflows": (True, False, False, False),
    "Add, view, and manage destinations": (True, False, False, False),
    "Add data products": (True, True, False, False),
}


@pytest.mark.parametrize(("position", "member"), list(enumerate((ALICE, TESS, BOB, NORA))))
def test_a_project_role_permits_what_the_table_says(position: int, member: str) -> None:
    product_of_shop = DataProduct("customers", SHOP, {NORA: frozenset({"viewer"})})
    world = World(PEOPLE.members.values(), projects=[SHOP], data_products=[product_of_shop])
    expected = {action for action, cells in PROJECT_PERMISSIONS.items() if cells[position]}
    assert can(SHOP, member, world) == expected


def test_without_any_role_a_project_and_its_data_products_do_not_exist() -> None:
    assert can(SHOP, NORA, PEOPLE) == can(DataProduct("customers", SHOP), NORA, PEOPLE) == set()


def test_a_role_on_one_data_product_opens_no_other() -> None:
    mine, other = DataProduct("mine", SHOP, {NORA: frozenset({"curator"})}), DataProduct("other", SHOP)
    assert "View insights" in can(mine, NORA, PEOPLE)
    assert can(other, NORA, PEOPLE) == set()


# admin, developer, curator, viewer
DATA_PRODUCT = {
    "View 360 pages": "ADCV",
    "View insights": "ADC",
    "View golden and source record pages": "ADC",
    "Add a publish configuration": "AD",
    "Edit a publish configuration": "AD",
    "Delete a publish configuration": "AD",
    "Run a publish configuration": "AD",
    "Override attributes": "AC",
    "Override clusters": "AC",
    "Verify source records": "AC",
    "View curation tasks": "AC",
    "Create curation tasks": "AC",
    "Edit curation tasks": "AC",
    "Delete curation tasks": "AC",
    "Delete views": "AC",
    "Set the global default view": "AC",
    "Create and edit views": "ADC",
    "Set a personal default view": "ADC",
    "Configure the data product": "AD",
    "Refresh the data product": "AD",
    "Edit metadata": "AD",
    "Copy the data product": "AD",
    "View role assignments": "ADC",
    "Delete the data product": "A",
    "Manage role assignments": "A",
    "See sensitive attributes": "ADC",
}
DATA_PRODUCT_ROLES = {"A": "admin", "D": "developer", "C": "curator", "V": "viewer"}
INHERITED_ON_DATA_PRODUCTS = {"Admin": "ADCV", "Technical User": "DCV", "Business User": "V", "none": ""}


def on_data_product(letters: str) -> set[str]:
    return {action for action, who in DATA_PRODUCT.items() if set(who) & set(letters)}


@pytest.mark.parametrize("letters", ["", "A", "D", "C", "V", "DC", "DV", "CV", "DCV", "ADCV"])
def test_data_product_roles_are_a_set_that_gives_the_union(letters: str) -> None:
    granted = frozenset(DATA_PRODUCT_ROLES[letter] for letter in letters)
    assert can(DataProduct("customers", SHOP, {NORA: granted}), NORA, PEOPLE) == on_data_product(letters)


@pytest.mark.parametrize("role", ROLES)
def test_the_project_role_gives_data_product_roles(role: str) -> None:
    letters = INHERITED_ON_DATA_PRODUCTS[role]
    assert inherited_data_product_roles(role) == {DATA_PRODUCT_ROLES[letter] for letter in letters}
    assert can(DataProduct("customers", SHOP), WITH_ROLE[role], PEOPLE) == on_data_product(letters)


def test_granted_data_product_roles_add_to_inherited_ones_also_through_groups() -> None:
    world = World([Member(BOB, groups=frozenset({"stewards"})), Member(TESS)])
    customers = DataProduct("customers", SHOP, {"stewards": frozenset({"curator"}), TESS: frozenset({"admin"})})
    assert can(customers, BOB, world) == on_data_product("CV")
    assert can(customers, TESS, world) == on_data_product("ADCV")


# Document "spaces" -----------------------------------------------------------------------------------------------

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


def ticked(table: Mapping[str, str], columns: Iterable[int]) -> set[str]:
    return {action for action, ticks in table.items() if any(ticks.replace(" ", "")[c] == "Y" for c in columns)}


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


# The tenant ------------------------------------------------------------------------------------------------------

TENANT_ROLES = ("owner", "admin", "editor", "viewer", "none")
TENANT = {
    "See members": "YY---",
    "See settings": "YY---",
    "Change settings": "YY---",
    "Add members": "YY---",
    "Confirm newcomers": "YY---",
    "Grant tenant roles": "YY---",
    "Make and unmake owners": "Y----",
    "Grant security roles": "YY---",
    "See groups": "YYYYY",
    "Create groups": "YY---",
    "Create projects": "YY---",
    "Grant and remove project roles": "YY---",
    "Ask about anybody's access": "YY---",
    "See every audit entry": "YY---",
    "Manage billing": "Y----",
}
OF_OTHERS = words(
    "See, Change tenant role, Grant security roles, Confirm, Suspend, Remove, Reset password, Make a magic link, "
    "See the link, Ask about their access"
)
OF_MYSELF = words("See, Edit profile, Ask about their access")
LINKS = words("See, Reset password, Make a magic link")
LOOK = words("See, Ask about their access")
GRANT = words("Grant security roles")


@pytest.mark.parametrize(("position", "role"), list(enumerate(TENANT_ROLES)))
def test_a_tenant_role_can_do_what_the_table_says(position: int, role: str) -> None:
    world = World([Member("kim", role)])
    assert can(world.tenant, "kim", world) == ticked(TENANT, [position])


def test_the_tenant_and_the_lakehouse_agree_on_what_both_name() -> None:
    tenant, lakehouse = RESOURCE_TYPES["tenant"], RESOURCE_TYPES["lakehouse"]
    calls_it = {"owner": "Owner", "admin": "Admin", "editor": "Member", "viewer": "Member", "none": "Member"}
    for role, standing in calls_it.items():
        mine, theirs = tenant.pack({"tenant role": role}), lakehouse.pack({"standing": standing, "level": "Manager"})
        for action in set(tenant.actions) & set(lakehouse.actions):
            assert tenant.allows(mine, action) == lakehouse.allows(theirs, action), action


def company() -> World:
    shop = Project("shop", {"pam": "Admin", "pat": "Admin", "tia": "Technical User", "ben": "Business User"})
    lab = Project("lab", {"pat": "Business User", "tia": "Admin"})
    return World(
        [
            Member("olga", "owner"),
            Member("otto", "owner"),
            Member("ann", "admin"),
            Member("abe", "admin"),
            *(Member(name) for name in ("pam", "pat", "tia", "ben", "loner")),
            Member("vic", "viewer"),
            Member("dan", security_roles=frozenset({"data admin"})),
        ],
        projects=[shop, lab],
    )


# (who, on whom) → what they may do
MEMBERS: Mapping[tuple[str, str], frozenset[str]] = {
    ("olga", "olga"): OF_MYSELF | GRANT,
    ("olga", "otto"): OF_OTHERS,  # owners unmake owners
    ("olga", "ann"): OF_OTHERS,
    ("olga", "dan"): OF_OTHERS,  # tenant owners and admins cover every security role
    ("ann", "ann"): OF_MYSELF | GRANT,  # nobody changes their own tenant role
    ("ann", "olga"): LOOK | GRANT,  # owners and admins grant the security roles
    ("ann", "abe"): OF_OTHERS,
    ("ann", "pam"): OF_OTHERS,
    ("ann", "dan"): OF_OTHERS,
    ("pam", "pam"): OF_MYSELF,
    ("pam", "ben"): LINKS,
    ("pam", "tia"): SEE,  # Admin of the lab, where pam is nothing
    ("pam", "pat"): SEE,  # as high in the shop, and Business User of the lab besides
    ("pat", "pam"): LINKS,
    ("pat", "tia"): SEE,
    ("pam", "vic"): SEE,  # a viewer of the tenant, which pam is not
    ("pam", "olga"): SEE,  # tenant owners inherit a role in every project
    ("pam", "loner"): NOTHING,
    ("ben", "pam"): SEE,
    ("ben", "loner"): NOTHING,
    ("loner", "loner"): OF_MYSELF,
    ("loner", "ben"): NOTHING,
    ("dan", "ben"): NOTHING,
}


@pytest.mark.parametrize(("pair", "expected"), MEMBERS.items())
def test_a_member_may_do_with_another_what_their_roles_say(pair: tuple[str, str], expected: frozenset[str]) -> None:
    world = company()
    who, whom = pair
    assert can(world.members[whom], who, world) == expected


# Whether the second's roles lie within the first's, so that entering as them gives nothing new
@pytest.mark.parametrize(
    ("maker", "target", "within"),
    [
        (Member("a", "admin"), Member("b", "owner"), False),
        (Member("a", "owner"), Member("b", "owner"), True),
        (Member("a", "admin"), Member("b", security_roles=frozenset({"data admin", "data space creator"})), True),
        (Member("a", "editor"), Member("b", security_roles=frozenset({"data space creator"})), False),
        (
            Member("a", security_roles=frozenset({"data admin"})),
            Member("b", security_roles=frozenset({"data admin"})),
            True,
        ),
        (Member("a", "viewer"), Member("b", "editor"), False),
        (Member("a", "editor"), Member("b", "viewer"), True),
        (Member("a"), Member("b", groups=frozenset({"leads"})), False),
        (Member("a", groups=frozenset({"leads"})), Member("b"), True),
        (Member("a", groups=frozenset({"leads"})), Member("b", groups=frozenset({"builders"})), True),
        (Member("a", groups=frozenset({"builders"})), Member("b", groups=frozenset({"leads"})), False),
    ],
)
def test_links_are_made_for_members_whose_roles_lie_within_the_makers(
    maker: Member, target: Member, within: bool
) -> None:
    projects = [Project("p", {"leads": "Admin", "builders": "Technical User"}), Project("q", {"All": "Business User"})]
    assert World([maker, target], projects=projects).roles_lie_within(target, maker) is within


# Tenant role, in the group? → on the group All, on any other
GROUPS = {
    ("owner", False): ("See, See who is in it", "See, See who is in it, Edit, Delete"),
    ("admin", True): ("See, See who is in it", "See, See who is in it, Edit, Delete"),
    ("editor", True): ("See", "See, See who is in it"),
    ("none", True): ("See", "See, See who is in it"),
    ("viewer", False): ("See", "See"),
    ("none", False): ("See", "See"),
}


@pytest.mark.parametrize(("who", "expected"), GROUPS.items())
def test_groups_are_edited_by_owners_and_admins_and_the_group_all_by_nobody(
    who: tuple[str, bool], expected: tuple[str, str]
) -> None:
    role, inside_it = who
    world = World([Member("kim", role, groups=frozenset({"team"} if inside_it else ()))])
    assert can(Group("All", is_all=True), "kim", world) == words(expected[0])
    assert can(Group("team"), "kim", world) == words(expected[1])


def test_ownership_and_security_roles_are_never_held_through_a_group() -> None:
    world = World([Member(TESS, groups=frozenset({"team"}))])
    team = frozenset({"team"})
    assert can(Storage("s", SHOP, team), TESS, world) == NOTHING
    assert can(Destination("d", SHOP, team), TESS, world) == NOTHING
    assert can(DataMart("m", SHOP, team, team), TESS, world) == NOTHING
    assert can(Report("r", DataMart("m", SHOP), team), TESS, world) == NOTHING
    assert can(Space("s", owner="team"), TESS, world) == set()


def test_a_suspended_or_removed_member_is_in_no_world() -> None:
    world = World([Member("kim", active=False)])
    assert "kim" not in world.members


# Narrowed to reading?, to chosen tables? → what of its maker's rights is left
TOKENS = {
    ("yes", "yes"): "Read, Change, Read its tables, Change its tables",
    ("no", "yes"): "Read, Read its tables",
    ("yes", "no"): "Read its tables, Change its tables",
    ("no", "no"): "Read its tables",
}


@pytest.mark.parametrize(("narrowed", "expected"), TOKENS.items())
def test_a_token_is_narrowed_to_reading_and_to_chosen_tables(narrowed: tuple[str, str], expected: str) -> None:
    token = RESOURCE_TYPES["api_token"]
    may_change, reaches_all = narrowed
    facts = {"token may change things": may_change, "token reaches beyond chosen tables": reaches_all}
    assert set(token.allowed_actions(token.pack(facts))) == words(expected)
