"""Links that their maker looked at: what they opened never leads upwards."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from bailiwick.audit.models import AuditEntry
from bailiwick.database.engine import Database
from bailiwick.tenancy.models import Member
from tests.people import SignInAs, TestClient, emails_to, make_group, make_member, make_project

PASSWORD = "a password nobody has"

pytestmark = pytest.mark.usefixtures("quick_passwords")


class Company:
    def __init__(self, database: Database, app: FastAPI, sign_in_as: SignInAs) -> None:
        with database.session() as session:
            self.olga = make_member(session, "Olga", role="owner")
            self.adam = make_member(session, "Adam", role="admin")
            self.bruno = make_member(session, "Bruno", role="admin")
            self.edda = make_member(session, "Edda", role="editor")
            self.group = make_group(session, "Admins")
            self.project = make_project(session, "Sales", self.olga, {self.group: "Admin"})
        self.app, self.database = app, database
        self.as_olga, self.as_adam = sign_in_as(self.olga), sign_in_as(self.adam)

    def secret_for(self, member: Member, purpose: str, by: TestClient | None = None) -> str:
        path = f"/api/v1/members/{member.id}/links"
        made = (by or self.as_adam).post(path, json={"purpose": purpose, "show": True})
        return str(made.json()["link"]).partition("#")[2]

    def opened(self, member: Member, by: TestClient | None = None) -> TestClient:
        secret = self.secret_for(member, "sign_in", by)
        return self.client(self.post("/links/sign-in", secret=secret, **{"as": "bearer"}))

    def token_of(self, client: TestClient) -> TestClient:
        made = client.post("/api/v1/tokens", json={"name": "To stay"}).json()
        return TestClient(self.app, headers={"Authorization": f"Bearer {made['secret']}"})

    def dismiss(self, change: str) -> None:
        path = f"/api/v1/members/{self.adam.id}"
        if change == "remove":
            done = self.as_olga.delete(path)
        elif change == "suspend":
            done = self.as_olga.post(f"{path}/suspend")
        else:
            done = self.as_olga.put(f"{path}/tenant-role", json={"tenant_role": change})
        assert done.status_code == 200, done.text

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


@pytest.mark.parametrize("change", ["none", "suspend", "remove"])
def test_who_is_dismissed_stays_in_as_nobody_else(company: Company, change: str) -> None:
    as_bruno = company.opened(company.bruno)
    token = company.token_of(as_bruno)
    secret = company.secret_for(company.edda, "reset_password")
    company.client(company.post("/links/reset-password", secret=secret, password=PASSWORD, **{"as": "bearer"}))
    company.dismiss(change)
    assert as_bruno.get("/api/v1/me").status_code == token.get("/api/v1/me").status_code == 401
    by_password = {"email": company.edda.email, "password": PASSWORD, "as": "bearer"}
    assert company.post("/session", **by_password).status_code == 401
    with company.database.read() as session:
        entry = session.scalars(select(AuditEntry).where(AuditEntry.resource_id == str(company.adam.id))).one()
        ended = {name: number for name, number in (entry.after or {}).items() if name.endswith("_ended")}
        assert ended == {"passwords_of_others_ended": 1, "sessions_of_others_ended": 2, "tokens_of_others_ended": 1}
        said = emails_to(session, company.edda.email)[-1].text or ""
        assert "your password, where you were signed in" in said
        said = emails_to(session, company.bruno.email)[-1].text or ""
        assert "where you were signed in, tokens made there" in said


def test_nor_through_a_link_seen_as_somebody_else(company: Company) -> None:
    as_bruno = company.opened(company.bruno)
    as_edda = company.opened(company.edda, as_bruno)
    kept = company.secret_for(company.edda, "sign_in", as_bruno)
    assert as_bruno.delete("/api/v1/session").status_code == 204
    company.dismiss("none")
    assert as_edda.get("/api/v1/me").status_code == 401
    assert company.post("/links/sign-in", secret=kept, **{"as": "bearer"}).status_code == 410


def test_what_others_saw_or_nobody_stays(company: Company, sign_in_as: SignInAs) -> None:
    as_edda = company.opened(company.edda, sign_in_as(company.bruno))
    own = sign_in_as(company.bruno)
    company.opened(company.bruno)
    company.dismiss("suspend")
    assert as_edda.get("/api/v1/me").status_code == own.get("/api/v1/me").status_code == 200
    with company.database.read() as session:
        assert "Something" not in emails_to(session, company.edda.email)[-1].subject


def test_a_link_used_at_the_moment_of_dismissal_opens_nothing_that_stays(company: Company) -> None:
    """Whoever comes first: the other one waits for it."""
    for _ in range(5):
        secret = company.secret_for(company.bruno, "sign_in")
        gate = Barrier(2)

        def use(secret: str = secret, gate: Barrier = gate) -> Any:
            gate.wait()
            return company.post("/links/sign-in", secret=secret, **{"as": "bearer"})

        def dismiss(gate: Barrier = gate) -> None:
            gate.wait()
            company.dismiss("editor")

        with ThreadPoolExecutor(2) as threads:
            used, dismissed = threads.submit(use), threads.submit(dismiss)
            dismissed.result()
        if used.result().status_code == 200:
            assert company.client(used.result()).get("/api/v1/me").status_code == 401
        company.dismiss("admin")
