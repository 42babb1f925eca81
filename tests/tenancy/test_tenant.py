"""The tenant over HTTP: its first owner, its settings, and its plan with the way down to starter."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from bailiwick.access.tables.standing import TENANT_ROLES
from bailiwick.audit.models import AuditEntry
from bailiwick.database.base import utc_now
from bailiwick.database.engine import Database
from bailiwick.errors import Conflict, Invalid
from bailiwick.lakehouse.models import Layer
from bailiwick.tenancy.links import look_at
from bailiwick.tenancy.models import LinkPurpose, Member, MemberState, Tenant
from bailiwick.tenancy.tenant import create_tenant, data_grants_refused
from tests.people import SignInAs, make_member

TENANT = "/api/v1/tenant"


@pytest.fixture
def as_olga(database: Database, sign_in_as: SignInAs) -> TestClient:
    """A tenant owner."""
    return sign_in_as(made(database, "Olga", role="owner"))


@pytest.fixture
def as_adam(database: Database, sign_in_as: SignInAs) -> TestClient:
    """A tenant admin."""
    return sign_in_as(made(database, "Adam", role="admin"))


@pytest.fixture
def as_mia(database: Database, sign_in_as: SignInAs) -> TestClient:
    """A member with no tenant role."""
    return sign_in_as(made(database, "Mia"))


def made(database: Database, name: str, **what: Any) -> Member:
    with database.session() as session:
        return make_member(session, name, **what)


def entries(database: Database, action: str) -> list[AuditEntry]:
    with database.read() as session:
        return list(
            session.scalars(select(AuditEntry).where(AuditEntry.action == action, AuditEntry.outcome == "done"))
        )


def test_the_first_owner_is_invited_with_a_link(database: Database) -> None:
    with database.session() as session:
        owner, secret = create_tenant(session, "Northwind", "Olga@Example.com", "Olga")
    assert (owner.email, owner.tenant_role, owner.state) == ("olga@example.com", "owner", "invited")
    with database.read() as session:
        assert session.get_one(Tenant, 1).name == "Northwind"
        assert look_at(session, secret, LinkPurpose.JOIN).member_id == owner.id
    assert entries(database, "create_tenant")[0].actor_id is None
    assert entries(database, "add_member")[0].about_id == owner.id


def test_the_first_layers_are_as_old_as_the_tenant(database: Database) -> None:
    before = utc_now()
    with database.session() as session:
        create_tenant(session, "Northwind", "olga@example.com", "Olga")
    with database.read() as session:
        layers = session.scalars(select(Layer)).all()
    assert {layer.name for layer in layers} == {"raw", "trusted", "service"}
    assert all(before <= layer.created_at <= utc_now() for layer in layers)


def test_there_is_no_second_first_owner(database: Database) -> None:
    with database.session() as session:
        create_tenant(session, "Northwind", "olga@example.com", "Olga")
    with pytest.raises(Conflict), database.session() as session:
        create_tenant(session, "Southwind", "eve@example.com", "Eve")
    with database.read() as session:
        assert [member.name for member in session.scalars(select(Member))] == ["Olga"]


def test_a_first_owner_needs_an_address(database: Database) -> None:
    with pytest.raises(Invalid), database.session() as session:
        create_tenant(session, "Northwind", "olga", "Olga")
    with database.read() as session:
        assert session.get(Tenant, 1) is None


def test_everybody_sees_name_and_plan_and_settings_only_owners_and_admins(
    as_olga: TestClient, as_adam: TestClient, as_mia: TestClient
) -> None:
    for client, sees in ((as_olga, True), (as_adam, True), (as_mia, False)):
        answer = client.get(TENANT)
        body = answer.json()
        assert (body["name"], body["plan"], answer.headers["ETag"]) == ("Northwind", "growth", '"1"')
        assert (body["settings"] is not None) == sees
        assert ("change_settings" in body["actions"]) == sees
        assert client.get(f"{TENANT}/settings").status_code == (200 if sees else 403)
    assert "manage_billing" in as_olga.get(TENANT).json()["actions"]
    assert "manage_billing" not in as_adam.get(TENANT).json()["actions"]
    assert as_mia.get(TENANT).json()["actions"] == ["see_groups"]


def test_settings_are_changed_on_record(database: Database, as_adam: TestClient, as_mia: TestClient) -> None:
    path = f"{TENANT}/settings"
    assert as_mia.patch(path, json={"name": "Mine"}).status_code == 403
    changed = as_adam.patch(path, json={"name": " Südwind "}, headers={"If-Match": '"1"'})
    assert changed.json() == {"name": "Südwind", "reading_needs_only_viewer": False, "version": 2}
    assert as_adam.patch(path, json={"reading_needs_only_viewer": True}).json()["reading_needs_only_viewer"] is True
    assert as_adam.patch(path, json={"name": "X"}, headers={"If-Match": '"1"'}).status_code == 409
    assert as_adam.patch(path, json={"name": "Südwind"}).json()["version"] == 3
    recorded = sorted(entries(database, "change_settings"), key=lambda entry: entry.id)
    assert [entry.before for entry in recorded] == [{"name": "Northwind"}, {"reading_needs_only_viewer": False}]
    assert [entry.after for entry in recorded] == [{"name": "Südwind"}, {"reading_needs_only_viewer": True}]


def test_two_admins_changing_the_settings_at_once_notice(as_olga: TestClient, as_adam: TestClient) -> None:
    with ThreadPoolExecutor(2) as threads:
        running = [
            threads.submit(
                partial(client.patch, f"{TENANT}/settings", json={"name": name}, headers={"If-Match": '"1"'})
            )
            for client, name in ((as_olga, "One"), (as_adam, "Two"))
        ]
        assert sorted(answer.result().status_code for answer in running) == [200, 409]


def test_wrong_input_names_the_field(as_olga: TestClient) -> None:
    for method, path, body, field in (
        ("PATCH", "/settings", {}, "body"),
        ("PATCH", "/settings", {"name": ""}, "name"),
        ("PATCH", "/settings", {"name": "x" * 201}, "name"),
        ("PATCH", "/settings", {"name": "a\0"}, "name"),
        ("PATCH", "/settings", {"reading_needs_only_viewer": "yes"}, "reading_needs_only_viewer"),
        ("PATCH", "/settings", {"plan": "custom"}, "plan"),
        ("PUT", "/plan", {}, "plan"),
        ("PUT", "/plan", {"plan": "free"}, "plan"),
        ("PUT", "/plan", {"plan": "starter", "confirm": "yes"}, "confirm"),
        ("GET", "/plan/preview", None, "plan"),
        ("GET", "/plan/preview?plan=free", None, "plan"),
        ("GET", "/plan/preview?plan=starter&cursor=x", None, "cursor"),
    ):
        answer = as_olga.request(method, TENANT + path, json=body)
        assert answer.status_code == 422, (method, path, body)
        assert answer.json()["errors"][0]["field"] == field


def test_the_plan_is_for_owners(as_adam: TestClient, as_mia: TestClient) -> None:
    for client in (as_adam, as_mia):
        for answer in (
            client.get(f"{TENANT}/plan/preview?plan=starter"),
            client.put(f"{TENANT}/plan", json={"plan": "starter", "confirm": True}),
            client.put(f"{TENANT}/plan", json={"plan": "custom"}),
        ):
            assert answer.status_code == 403
            assert answer.json()["decision"]["row"] == "Manage billing"


def test_going_down_to_starter_shows_who_gains_what_and_asks(database: Database, as_olga: TestClient) -> None:
    with database.session() as session:
        for role in TENANT_ROLES:
            make_member(session, f"{role.title()} one", role=role)
        make_member(session, "Sleeping", state=MemberState.SUSPENDED)
        make_member(session, "Gone", state=MemberState.REMOVED)
        make_member(session, "Waiting", state=MemberState.WAITING)
    gain, names = "Manager level on all data", ["Editor one", "None one", "Sleeping", "Viewer one"]
    preview = as_olga.get(f"{TENANT}/plan/preview?plan=starter&limit=3").json()
    assert (preview["gain"], preview["members"], preview["needs_confirmation"]) == (gain, 4, True)
    rest = as_olga.get(f"{TENANT}/plan/preview?plan=starter&cursor={preview['next_cursor']}").json()
    assert [item["name"] for item in preview["items"] + rest["items"]] == names
    assert as_olga.get(f"{TENANT}/plan/preview?plan=custom").json()["needs_confirmation"] is False

    asked = as_olga.put(f"{TENANT}/plan", json={"plan": "starter"})
    assert asked.status_code == 409
    assert asked.json()["preview"] == {"plan": "starter", "gain": gain, "members": 4}
    assert as_olga.get(TENANT).json()["plan"] == "growth"
    done = as_olga.put(f"{TENANT}/plan", json={"plan": "starter", "confirm": True})
    assert (done.json()["plan"], done.headers["ETag"]) == ("starter", '"2"')
    assert as_olga.get(f"{TENANT}/plan/preview?plan=starter").json()["members"] == 0
    (entry,) = entries(database, "change_plan")
    assert (entry.before, entry.after) == ({"plan": "growth"}, {"plan": "starter"})
    assert entry.decision is not None
    assert entry.decision["row"] == "Manage billing"


def test_going_up_needs_no_confirmation(database: Database, as_olga: TestClient) -> None:
    as_olga.put(f"{TENANT}/plan", json={"plan": "starter", "confirm": True})
    with database.read() as session:
        assert "starter" in str(data_grants_refused(session))
    assert as_olga.put(f"{TENANT}/plan", json={"plan": "starter"}).status_code == 200
    assert as_olga.put(f"{TENANT}/plan", json={"plan": "growth"}).json()["plan"] == "growth"
    with database.read() as session:
        assert data_grants_refused(session) is None
    stale = as_olga.put(f"{TENANT}/plan", json={"plan": "custom"}, headers={"If-Match": '"1"'})
    assert stale.status_code == 409
