"""What the document on access rights says: storages, destinations, data marts, reports and their triggers."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from bailiwick.access.world.placing import place
from bailiwick.access.world.records import (
    DataMart,
    DataMartTrigger,
    Destination,
    Project,
    Report,
    ReportTrigger,
    Storage,
)
from tests.access.documents.people import (
    BOB,
    BOTH,
    CLOSED,
    MAINTENANCE,
    NOTHING,
    PEOPLE,
    REPORTING,
    SEE,
    SEE_USE,
    SHOP,
    TESS,
    TOGGLES,
    WITH_ROLE,
    can,
    mart,
    words,
)

ALL_OF_STORAGE = words("See, Use, Edit, Delete, Copy Credentials, Configure Availability, Manage Owners")
ALL_OF_DATA_MART = words("See, Use, Edit, Delete, Configure Availability, Manage Owners, Manage Triggers")
KEEP_UP = words("See, Use, Copy Credentials, Edit, Delete")
KEEP_UP_DATA_MART = words("See, Use, Edit, Delete, Manage Triggers")
CONTROL = words("Edit, Delete, Run, Manage Owners, Manage Triggers")

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
