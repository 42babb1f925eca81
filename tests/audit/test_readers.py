"""Who reads what in the audit: nothing in it tells what the rest of the platform keeps to itself."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from bailiwick.audit.models import AuditEntry
from bailiwick.database.base import new_id
from bailiwick.database.engine import Database
from tests.people import SignInAs, TestClient, make_group, make_member, make_project

SECRETS = ("bwt_", "bws_", "bwl_", "argon2", "violet tram", "csrf")


def read(client: TestClient, **query: Any) -> list[dict[str, Any]]:
    answer = client.get("/api/v1/audit", params={"limit": 200, **query})
    assert answer.status_code == 200, answer.text
    items: list[dict[str, Any]] = answer.json()["items"]
    return items


def test_whoever_looked_in_vain_does_not_learn_from_the_record_that_something_is_there(
    database: Database, sign_in_as: SignInAs
) -> None:
    with database.session() as session:
        olga, nia = make_member(session, "Olga", role="owner"), make_member(session, "Nia")
        ann, cleo = make_member(session, "Ann"), make_member(session, "Cleo", email="cleo@example.com")
        project = make_project(session, "Secret", olga)
        own = make_project(session, "Own", olga, {ann: "Admin"})
    client = sign_in_as(nia)
    for path in (f"projects/{project.id}", f"projects/{new_id()}", f"members/{olga.id}", f"members/{new_id()}"):
        assert client.get(f"/api/v1/{path}").status_code == 404
    assert client.get("/api/v1/members").status_code == 403
    assert {(entry["action"], entry["outcome"]) for entry in read(client)} == {("see_members", "refused")}
    # The Admin of a project asks about addresses, one of somebody who is here and one of nobody.
    asking = sign_in_as(ann)
    for address in (cleo.email, "nobody@example.com"):
        question = {"action": "see_project", "resource": {"type": "project", "id": str(own.id)}, "subject": address}
        assert asking.post("/api/v1/access/check", json=question).status_code == 404
    assert not read(asking, outcome="refused")
    refused = [entry for entry in read(sign_in_as(olga), outcome="refused") if entry["action"].startswith("see")]
    assert {entry["actor"]["name"] for entry in refused} == {"Nia", "Ann"}  # who may read everything sees who tried


def test_an_address_in_the_record_is_for_who_may_see_its_member(database: Database, sign_in_as: SignInAs) -> None:
    with database.session() as session:
        olga, bea = make_member(session, "Olga", role="owner"), make_member(session, "Bea")
        ann, nia = make_member(session, "Ann"), make_member(session, "Nia")
        project = make_project(session, "Sales", olga, {ann: "Admin", bea: "Business User"})
        make_group(session, "Readers")
    assert sign_in_as(nia).get(f"/api/v1/projects/{project.id}").status_code == 404
    invited = sign_in_as(ann).post(
        f"/api/v1/projects/{project.id}/members", json={"email": "nia@example.com", "role": "Business User"}
    )
    assert invited.status_code == 201
    as_bea = {entry["action"]: entry for entry in read(sign_in_as(bea))}
    assert as_bea["invite_to_project"]["actor"]["email"] == "ann@example.com"
    assert as_bea["invite_to_project"]["about"]["email"] == "nia@example.com"
    assert as_bea["invite_to_project"]["after"]["email"] == "nia@example.com"
    assert sign_in_as(ann).delete(f"/api/v1/projects/{project.id}/members/{nia.id}").status_code == 200
    (tried,) = [entry for entry in read(sign_in_as(ann)) if entry["action"] == "see_project"]
    assert (tried["actor"]["name"], tried["actor"]["email"]) == ("Nia", None)
    # Nia is gone from the project, and what the record kept of her address goes with her.
    for reader in (ann, bea):
        (entry,) = [one for one in read(sign_in_as(reader)) if one["action"] == "invite_to_project"]
        assert (entry["about"]["name"], entry["about"]["email"]) == ("Nia", None)
        assert entry["after"] == {"role": "Business User", "state": "active", "expires_at": None}
    as_owner = {entry["action"]: entry for entry in read(sign_in_as(olga))}
    assert as_owner["see_project"]["actor"]["email"] == "nia@example.com"
    assert as_owner["invite_to_project"]["after"]["email"] == "nia@example.com"


@pytest.mark.usefixtures("quick_passwords")
def test_no_secret_and_no_hash_of_one_is_ever_on_record(
    database: Database, sign_in_as: SignInAs, app_client: TestClient
) -> None:
    with database.session() as session:
        olga, mia = make_member(session, "Olga", role="owner"), make_member(session, "Mia")
    owner = sign_in_as(olga)
    link = owner.post(f"/api/v1/members/{mia.id}/links", json={"purpose": "reset_password", "show": True}).json()[
        "link"
    ]
    body = {"secret": link.split("#")[1], "password": "violet tram in the rain", "as": "bearer"}
    secret = app_client.post("/api/v1/links/reset-password", json=body).json()["secret"]
    bearer = {"Authorization": f"Bearer {secret}"}
    passwords = {"old_password": "violet tram in the rain", "new_password": "violet tram in the snow"}
    assert app_client.post("/api/v1/me/password", json=passwords, headers=bearer).status_code == 204
    token = app_client.post("/api/v1/tokens", json={"name": "ci"}, headers=bearer).json()["secret"]
    through = {"Authorization": f"Bearer {token}"}
    assert app_client.post("/api/v1/tokens", json={"name": "ci"}, headers=through).status_code == 403
    assert app_client.get("/api/v1/members", headers={**through, "X-Request-Id": "the-refusal"}).status_code == 403
    added = {"email": "new@example.com", "name": "New", "tenant_role": "viewer"}
    assert owner.post("/api/v1/members", json=added).status_code == 201
    with database.read() as session:
        entries = session.scalars(select(AuditEntry)).all()
        (refused,) = (entry for entry in entries if entry.request_id == "the-refusal")
    assert (refused.actor_id, refused.outcome, refused.token_id is not None) == (mia.id, "refused", True)
    on_record = str([(entry.before, entry.after, entry.resource_name, entry.decision) for entry in entries])
    assert not any(word in on_record for word in SECRETS)
