"""Links that their maker looked at: what they opened never leads upwards."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi import FastAPI

from bailiwick.database.engine import Database
from bailiwick.tenancy.models import Member
from tests.people import SignInAs, TestClient, make_group, make_member, make_project

PASSWORD = "a password nobody has"

pytestmark = pytest.mark.usefixtures("quick_passwords")


class Company:
    def __init__(self, database: Database, app: FastAPI, sign_in_as: SignInAs) -> None:
        with database.session() as session:
            self.olga = make_member(session, "Olga", role="owner")
            self.adam = make_member(session, "Adam", role="admin")
            self.edda = make_member(session, "Edda", role="editor")
            self.group = make_group(session, "Admins")
            self.project = make_project(session, "Sales", self.olga, {self.group: "Admin"})
        self.app = app
        self.as_olga, self.as_adam = sign_in_as(self.olga), sign_in_as(self.adam)

    def secret_for(self, member: Member, purpose: str) -> str:
        made = self.as_adam.post(f"/api/v1/members/{member.id}/links", json={"purpose": purpose, "show": True})
        return str(made.json()["link"]).partition("#")[2]

    def client(self, answer: Any) -> TestClient:
        assert answer.status_code == 200, answer.text
        return TestClient(self.app, headers={"Authorization": f"Bearer {answer.json()['secret']}"})

    def post(self, path: str, **body: str) -> Any:
        return TestClient(self.app, raise_server_exceptions=False).post(f"/api/v1{path}", json=body)

    def promote(self) -> None:
        role = self.as_olga.put(f"/api/v1/members/{self.edda.id}/tenant-role", json={"tenant_role": "owner"})
        assert role.status_code == 200


@pytest.fixture
def company(database: Database, app: FastAPI, sign_in_as: SignInAs) -> Company:
    return Company(database, app, sign_in_as)


def test_a_session_and_its_tokens_end_when_the_member_rises(company: Company) -> None:
    secret = company.secret_for(company.edda, "sign_in")
    as_edda = company.client(company.post("/links/sign-in", secret=secret, **{"as": "bearer"}))
    made = as_edda.post("/api/v1/tokens", json={"name": "To stay"}).json()
    token = TestClient(company.app, headers={"Authorization": f"Bearer {made['secret']}"})
    assert as_edda.get("/api/v1/me").status_code == token.get("/api/v1/me").status_code == 200
    company.promote()
    assert as_edda.get("/api/v1/me").status_code == token.get("/api/v1/me").status_code == 401


def test_a_password_set_through_it_ends_too_even_after_it_was_changed(company: Company) -> None:
    secret = company.secret_for(company.edda, "reset_password")
    as_edda = company.client(
        company.post("/links/reset-password", secret=secret, password=PASSWORD, **{"as": "bearer"})
    )
    changed = {"old_password": PASSWORD, "new_password": f"{PASSWORD}, again"}
    assert as_edda.post("/api/v1/me/password", json=changed).status_code == 204
    by_password = {"email": company.edda.email, "password": f"{PASSWORD}, again", "as": "bearer"}
    second = company.client(company.post("/session", **by_password))
    company.promote()
    assert second.get("/api/v1/me").status_code == 401
    assert company.post("/session", **by_password).status_code == 401


def test_a_role_through_a_group_counts(company: Company) -> None:
    secret = company.secret_for(company.edda, "sign_in")
    as_edda = company.client(company.post("/links/sign-in", secret=secret, **{"as": "bearer"}))
    put = company.as_olga.post(
        f"/api/v1/groups/{company.group.id}/members", json={"member_ids": [str(company.edda.id)]}
    )
    assert put.status_code == 200
    assert as_edda.get("/api/v1/me").status_code == 401


def test_what_the_member_opened_themselves_stays(company: Company, sign_in_as: SignInAs) -> None:
    own = sign_in_as(company.edda)
    company.promote()
    assert own.get("/api/v1/me").json()["tenant_role"] == "owner"
