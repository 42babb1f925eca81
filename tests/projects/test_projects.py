"""Projects over HTTP: who sees, makes, edits and deletes them, and that nothing leaks to anybody else."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import select

from bailiwick.audit.models import AuditEntry
from bailiwick.projects.models import NotificationChannel, Project, ProjectEntry, ProjectGrant
from bailiwick.tenancy.caller import ALL_GROUP_ID
from bailiwick.tenancy.models import Group, Member
from tests.people import TestClient, make_project
from tests.projects.company import ADMIN, BUSINESS, DONE, TECHNICAL, Company, grant

PROJECTS = "/api/v1/projects"


def names(client: TestClient, **query: Any) -> list[str]:
    """Every name of the list, page by page."""
    found, cursor = [], None
    while True:
        answer = client.get(PROJECTS, params={**query, **({"cursor": cursor} if cursor else {})})
        assert answer.status_code == 200, answer.text
        found += [item["name"] for item in answer.json()["items"]]
        cursor = answer.json()["next_cursor"]
        if cursor is None:
            return found


@pytest.mark.parametrize(
    ("who", "role"),
    [
        *(("olga", ADMIN), ("adam", ADMIN), ("edda", TECHNICAL), ("vera", BUSINESS)),
        *(("ann", ADMIN), ("tim", TECHNICAL), ("bea", BUSINESS), ("gus", TECHNICAL)),
    ],
)
def test_everybody_with_a_role_sees_the_project_with_that_role(company: Company, who: str, role: str) -> None:
    (listed,) = company.as_(who).get(PROJECTS).json()["items"]
    opened = company.as_(who).get(company.at)
    assert listed["role"] == opened.json()["role"] == role
    assert listed == opened.json()
    assert opened.headers["ETag"] == '"1"'


def test_actions_follow_from_the_role(company: Company) -> None:
    of_ann, of_tim, of_bea = (company.as_(who).get(company.at).json()["actions"] for who in ("ann", "tim", "bea"))
    assert {"see_project", "delete_project", "invite_admin", "set_project_switches"} <= set(of_ann)
    assert "edit_project_metadata" in of_tim
    assert "delete_project" not in of_tim
    assert "invite_technical_user" in of_tim
    assert "invite_admin" not in of_tim
    assert "edit_project_metadata" not in of_bea
    assert "invite_business_user" in of_bea
    assert not any("subscribed" in action or "receiver" in action for action in of_bea)


def test_who_has_no_role_sees_no_project_and_cannot_tell_it_from_one_that_is_not_there(company: Company) -> None:
    nora = company.as_("nora")
    assert nora.get(PROJECTS).json() == {"items": [], "next_cursor": None}
    somebody = company.id("tim")
    routes: list[tuple[str, str, Any]] = [
        ("GET", "", None),
        ("PATCH", "", {"name": "X"}),
        ("DELETE", "", None),
        ("GET", "/settings", None),
        ("PATCH", "/settings", {"ownership_adds_to_availability": True}),
        ("GET", "/members", None),
        ("POST", "/members", {"email": "new@example.com", "role": BUSINESS}),
        ("GET", f"/members/{somebody}", None),
        ("PATCH", f"/members/{somebody}", {"role": BUSINESS}),
        ("DELETE", f"/members/{somebody}", None),
        ("GET", "/groups", None),
        ("PUT", f"/groups/{company.analysts.id}", {"role": BUSINESS}),
        ("DELETE", f"/groups/{company.analysts.id}", None),
        ("GET", "/notifications", None),
        ("PATCH", "/notifications/run_failed", {"is_on": False}),
        ("GET", "/notifications/run_failed/receivers", None),
        ("PUT", f"/notifications/run_failed/receivers/{somebody}", None),
        ("DELETE", f"/notifications/run_failed/receivers/{somebody}", None),
    ]
    for method, path, body in routes:
        there, nowhere = (
            nora.request(method, f"{PROJECTS}/{id_}{path}", json=body, headers={"X-Request-Id": "same"})
            for id_ in (company.sales.id, uuid4())
        )
        assert there.status_code == nowhere.status_code == 404, (method, path, there.text)
        assert there.content == nowhere.content, (method, path)
        assert "Sales" not in there.text


def test_a_refused_look_is_on_record_and_leaves_nothing_behind(company: Company) -> None:
    company.as_("nora").get(company.at)
    with company.database.read() as session:
        (entry,) = session.scalars(select(AuditEntry).where(AuditEntry.actor_id == company.id("nora")))
        assert (entry.outcome, entry.resource_id) == ("refused", str(company.sales.id))
        assert session.get(ProjectEntry, (company.sales.id, company.id("nora"))) is None


def test_a_role_of_the_group_all_opens_a_project_to_everybody(company: Company) -> None:
    with company.database.session() as session:
        everyone = session.get_one(Group, ALL_GROUP_ID)
        grant(session, company.sales, everyone, BUSINESS, company.people["olga"])
    assert company.as_("nora").get(company.at).json()["role"] == BUSINESS
    assert names(company.as_("nora")) == ["Sales"]
    assert company.as_("tim").get(company.at).json()["role"] == TECHNICAL


def test_pages_hold_every_project_once_for_whoever_sees_all_and_for_whoever_sees_some(company: Company) -> None:
    gus, olga = company.people["gus"], company.people["olga"]
    with company.database.session() as session:
        for number in range(45):
            # To Gus himself, to his group, to both, or to neither.
            roles: dict[Member | Group, str] = {gus: BUSINESS} if number % 2 else {}
            if number % 3 == 0:
                roles[company.analysts] = ADMIN
            make_project(session, f"Project {number % 9 * 5 + number // 9:02}", olga, roles)
        mine = set(session.scalars(select(Project.name).join(ProjectGrant).where(ProjectGrant.member_id == gus.id)))
        ours = select(Project.name).join(ProjectGrant).where(ProjectGrant.group_id == company.analysts.id)
        mine |= set(session.scalars(ours))
    every = sorted(["Sales", *(f"Project {number:02}" for number in range(45))])
    for limit in (1, 7, 50):
        assert names(company.as_("vera"), limit=limit) == every
        assert names(company.as_("gus"), limit=limit) == sorted(mine)
        assert names(company.as_("nora"), limit=limit) == []
    assert names(company.as_("vera"), search="JECT 1", limit=3) == [f"Project {number}" for number in range(10, 20)]
    assert names(company.as_("gus"), search="%") == []


@pytest.mark.parametrize("cursor", ["x", "WyJhIiwgImIiXQ", "WyJcdWQ4MDAiLCAiYiJd", "WyJhXHUwMDAwIiwgIngiXQ", "W10"])
def test_a_made_up_cursor_is_refused(company: Company, cursor: str) -> None:
    answer = company.as_("vera").get(PROJECTS, params={"cursor": cursor})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "cursor"


@pytest.mark.parametrize("who", ["olga", "adam"])
def test_tenant_owners_and_admins_create_projects(company: Company, who: str) -> None:
    answer = company.as_(who).post(PROJECTS, json={"name": "  Finance ", "description": "Books"})
    assert answer.status_code == 201
    made = answer.json()
    assert (made["name"], made["role"], made["version"]) == ("Finance", ADMIN, 1)
    assert company.as_(who).get(answer.headers["Location"]).json() == made
    with company.database.read() as session:
        channels = session.scalars(
            select(NotificationChannel).where(NotificationChannel.project_id == UUID(made["id"]))
        )
        assert {channel.kind: channel.is_on for channel in channels} == {"run_failed": True, "run_succeeded": False}
        (entry,) = session.scalars(select(AuditEntry).where(AuditEntry.action == "create_project", DONE))
        assert entry.after == {"name": "Finance", "description": "Books"}
        assert str(entry.project_id) == made["id"]
        assert entry.decision is not None
        assert entry.decision["row"] == "Create projects"


@pytest.mark.parametrize("who", ["edda", "vera", "ann", "nora"])
def test_nobody_else_creates_projects(company: Company, who: str) -> None:
    answer = company.as_(who).post(PROJECTS, json={"name": "Finance"})
    assert answer.status_code == 403
    assert answer.json()["decision"]["row"] == "Create projects"


def test_names_are_taken_in_any_case(company: Company) -> None:
    assert company.as_("olga").post(PROJECTS, json={"name": "SALES"}).status_code == 409
    assert company.as_("olga").post(PROJECTS, json={"name": "Finance"}).status_code == 201
    assert company.as_("tim").patch(company.at, json={"name": "finance"}).status_code == 409
    assert company.as_("tim").patch(company.at, json={"name": "SALES"}).json()["name"] == "SALES"
    for taken in ("Büro ÖL", "İzmir 5 \N{KELVIN SIGN}", "100%_\\"):
        for name, expected in ((taken, 201), (taken.lower(), 409), (taken.upper(), 409), (f"{taken}!", 201)):
            assert company.as_("olga").post(PROJECTS, json={"name": name}).status_code == expected, name
    for free in ("Bäro Öl", "100 percent", "100%_/"):
        assert company.as_("olga").post(PROJECTS, json={"name": free}).status_code == 201, free


def test_of_many_who_take_a_name_at_once_in_any_case_one_does(company: Company) -> None:
    client, gate = company.as_("olga"), Barrier(4)

    def make(name: str) -> int:
        gate.wait()
        return int(client.post(PROJECTS, json={"name": name}).status_code)

    with ThreadPoolExecutor(4) as threads:
        for number in range(3):
            names = [f"Race {number}", f"RACE {number}", f"race {number}", f"rACE {number}"]
            assert sorted(threads.map(make, names)) == [201, 409, 409, 409]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": ""},
        {"name": " "},
        {"name": "x" * 201},
        {"name": "a\0b"},
        {"name": "x", "role": "y"},
        {"name": 3},
        [],
    ],
)
def test_wrong_input_names_the_field(company: Company, body: Any) -> None:
    answer = company.as_("olga").post(PROJECTS, json=body)
    assert answer.status_code == 422
    assert answer.json()["errors"]


def test_technical_users_edit_metadata_and_business_users_do_not(company: Company) -> None:
    edited = company.as_("tim").patch(company.at, json={"description": "Numbers"})
    assert (edited.status_code, edited.json()["description"], edited.json()["version"]) == (200, "Numbers", 2)
    refused = company.as_("bea").patch(company.at, json={"description": "Mine"})
    assert refused.status_code == 403
    assert refused.json()["decision"]["table"] == "Project role permissions"
    with company.database.read() as session:
        (entry,) = session.scalars(select(AuditEntry).where(AuditEntry.action == "edit_project", DONE))
        assert (entry.before, entry.after) == ({"description": ""}, {"description": "Numbers"})
        assert entry.seen_from == BUSINESS


def test_a_change_based_on_an_old_version_is_refused(company: Company) -> None:
    tim = company.as_("tim")
    seen = tim.get(company.at).headers["ETag"]
    assert tim.patch(company.at, json={"name": "Sales 2"}, headers={"If-Match": seen}).status_code == 200
    for path, body in (("", {"name": "Sales 3"}), ("/settings", {"ownership_adds_to_availability": True})):
        stale = company.as_("ann").patch(company.at + path, json=body, headers={"If-Match": seen})
        assert stale.status_code == 409
    deleted = company.as_("ann").delete(company.at, params={"confirm": "Sales 2"}, headers={"If-Match": seen})
    assert deleted.status_code == 409
    assert tim.patch(company.at, json={"name": "S"}, headers={"If-Match": "nonsense"}).status_code == 422


def test_a_change_that_changes_nothing_is_not_recorded(company: Company) -> None:
    answer = company.as_("tim").patch(company.at, json={"name": "Sales"})
    assert (answer.status_code, answer.json()["version"]) == (200, 1)
    with company.database.read() as session:
        assert not session.scalars(select(AuditEntry).where(AuditEntry.action == "edit_project", DONE)).all()


def test_deleting_says_what_goes_with_it_and_wants_the_name(company: Company) -> None:
    ann = company.as_("ann")
    for confirm in ({}, {"confirm": "sales"}):
        asked = ann.delete(company.at, params=confirm)
        assert asked.status_code == 409
        assert asked.json()["goes_with_it"] == {"members": 3, "groups": 1}
    assert company.as_("tim").delete(company.at, params={"confirm": "Sales"}).status_code == 403
    assert ann.delete(company.at, params={"confirm": "Sales"}).status_code == 204
    assert ann.get(company.at).status_code == 404
    with company.database.read() as session:
        assert not session.scalars(select(ProjectGrant)).all()
        (entry,) = session.scalars(select(AuditEntry).where(AuditEntry.action == "delete_project", DONE))
        assert entry.before == {"name": "Sales", "description": "", "members": 3, "groups": 1}


def test_admins_set_switches_technical_users_see_them_business_users_do_not(company: Company) -> None:
    settings = f"{company.at}/settings"
    change = {"technical_users_control_all_reports": True}
    assert company.as_("tim").patch(settings, json=change).status_code == 403
    answer = company.as_("ann").patch(settings, json=change)
    assert answer.status_code == 200
    seen = company.as_("tim").get(settings)
    assert seen.json()["technical_users_control_all_reports"] is True
    assert seen.json()["ownership_adds_to_availability"] is False
    assert seen.json()["warnings"] == []
    assert seen.headers["ETag"] == answer.headers["ETag"] == '"2"'
    assert company.as_("bea").get(settings).status_code == 403
    with company.database.read() as session:
        (entry,) = session.scalars(select(AuditEntry).where(AuditEntry.action == "set_project_switches", DONE))
        assert entry.seen_from == TECHNICAL
        assert (entry.before, entry.after) == ({"technical_users_control_all_reports": False}, change)


def test_opening_a_project_is_entering_it_once(company: Company) -> None:
    for _ in range(2):
        assert company.as_("edda").get(company.at).status_code == 200
    with company.database.read() as session:
        assert session.get(ProjectEntry, (company.sales.id, company.id("edda"))) is not None
        entered = session.scalars(select(AuditEntry).where(AuditEntry.action == "enter_project", DONE))
        assert [entry.about_id for entry in entered] == [company.id("edda")]


def test_a_read_only_token_opens_a_project_without_entering_it(company: Company) -> None:
    client = company.sign_in_as(company.people["edda"], token={"read_only": True})
    assert client.get(company.at).status_code == 200
    assert client.patch(company.at, json={"name": "X"}).status_code == 403
    with company.database.read() as session:
        assert session.get(ProjectEntry, (company.sales.id, company.id("edda"))) is None
