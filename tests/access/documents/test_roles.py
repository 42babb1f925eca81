"""What the document on roles says: what each can do across a project."""

import pytest

from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.world.records import (
    DataMart,
    DataMartTrigger,
    Destination,
    ProjectMembership,
    Report,
    ReportTrigger,
    Storage,
)
from tests.access.documents.people import (
    ALICE,
    BOB,
    NORA,
    PEOPLE,
    REPORTING,
    ROLES,
    SEE,
    SEE_USE,
    SHOP,
    WITH_ROLE,
    can,
    mart,
)

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
