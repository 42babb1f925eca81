"""Links to join that whoever invited somebody sees, to hand them over: where no mail server is set, the only way in."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select, update

from bailiwick.audit.models import AuditEntry
from bailiwick.database.base import utc_now
from bailiwick.database.engine import Database
from bailiwick.errors import NotSignedIn
from bailiwick.tenancy.authentication import authenticate
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import LinkPurpose, Member, MemberState, OneTimeLink, SignInSession
from bailiwick.tenancy.tokens import create_token
from tests.people import SignInAs, TestClient, emails_to, make_member, make_project, make_session

MEMBERS = "/api/v1/members"
NEW = {"email": "new@example.com", "name": "New Person"}
PASSWORD = "seven green umbrellas"

pytestmark = pytest.mark.usefixtures("quick_passwords")


class House:
    def __init__(self, database: Database, app: FastAPI, sign_in_as: SignInAs) -> None:
        self.database, self.app, self.sign_in_as = database, app, sign_in_as
        with database.session() as session:
            self.olga = make_member(session, "Olga", role="owner")
            self.adam = make_member(session, "Adam", role="admin")
        self.as_olga, self.as_adam = sign_in_as(self.olga), sign_in_as(self.adam)

    def invite(self, by: TestClient, **more: Any) -> dict[str, Any]:
        answer = by.post(MEMBERS, json={**NEW, "show": True, **more})
        assert answer.status_code == 201, answer.text
        invited: dict[str, Any] = answer.json()
        return invited

    def join(self, link: str) -> Any:
        body = {"secret": link.partition("#")[2], "password": PASSWORD, "as": "bearer"}
        return TestClient(self.app, raise_server_exceptions=False).post("/api/v1/links/join", json=body)

    def joined(self, link: str) -> TestClient:
        answer = self.join(link)
        assert answer.status_code == 200, answer.text
        return TestClient(self.app, headers={"Authorization": f"Bearer {answer.json()['secret']}"})

    def signs_in(self) -> bool:
        body = {"email": NEW["email"], "password": PASSWORD, "as": "bearer"}
        return bool(TestClient(self.app).post("/api/v1/session", json=body).status_code == 200)


@pytest.fixture
def house(database: Database, app: FastAPI, sign_in_as: SignInAs) -> House:
    return House(database, app, sign_in_as)


def test_without_a_mail_server_nothing_is_promised_and_the_link_is_handed_over(house: House) -> None:
    assert house.as_adam.get("/api/v1/me").json()["tenant"]["sends_email"] is False
    invited = house.invite(house.as_adam)
    assert "nothing was sent to new@example.com" in invited["detail"]
    assert house.joined(invited["link"]).get("/api/v1/me").json()["name"] == "New Person"
    asked = TestClient(house.app).post("/api/v1/links", json={"email": "new@example.com"})
    assert "No mail server is set" in asked.json()["detail"]
    with house.database.read() as session:
        entry = session.scalars(select(AuditEntry).where(AuditEntry.action == "add_member")).one()
        assert (entry.after or {})["link_shown"] is True
        assert invited["link"].partition("#")[2] not in str(vars(entry))


def test_with_one_it_is_on_its_way_and_seen_only_by_who_asks(house: House) -> None:
    settings = house.app.state.settings.model_copy(update={"smtp_host": "mail.example.com"})
    house.app.state.settings = settings
    assert house.as_adam.get("/api/v1/me").json()["tenant"]["sends_email"] is True
    invited = house.invite(house.as_adam, show=False)
    assert (invited["link"], invited["detail"]) == (None, "A link to join is on its way to new@example.com.")
    asked = TestClient(house.app).post("/api/v1/links", json={"email": "new@example.com"})
    assert "on its way" in asked.json()["detail"]
    resent = house.as_adam.post(f"{MEMBERS}/{invited['id']}/resend-invitation", json={"show": True}).json()
    assert house.join(resent["link"]).status_code == 200


def test_whoever_waits_is_let_in_with_a_link_to_hand_over(house: House) -> None:
    with house.database.session() as session:
        waiting = make_member(session, "Wes", state=MemberState.WAITING, invited_by=house.adam)
        project = make_project(session, "Atlas", house.olga)
    confirmed = house.as_adam.post(f"{MEMBERS}/{waiting.id}/confirm", json={"show": True}).json()
    assert house.join(confirmed["link"]).status_code == 200
    body = {"email": "other@example.com", "role": "Business User", "show": True}
    invited = house.as_adam.post(f"/api/v1/projects/{project.id}/members", json=body).json()
    assert "nothing was sent" in invited["note"]
    assert house.join(invited["link"]).status_code == 200


def test_nobody_sees_a_link_that_leads_upwards_and_no_token_sees_one(house: House) -> None:
    owner = house.invite(house.as_olga, tenant_role="owner")
    again = f"{MEMBERS}/{owner['id']}/resend-invitation"
    refused = house.as_adam.post(again, json={"show": True})
    assert refused.status_code == 403
    assert refused.json()["decision"]["action"] == "see_the_link"
    assert house.as_adam.post(again).status_code == 200
    program = house.sign_in_as(house.olga, token={})
    assert program.post(MEMBERS, json={**NEW, "email": "third@example.com", "show": True}).status_code == 403
    with house.database.read() as session:
        assert session.scalars(select(Member).where(Member.email == "third@example.com")).all() == []


def test_a_link_that_was_seen_opens_nothing_once_its_member_has_risen(house: House) -> None:
    invited = house.invite(house.as_adam)
    role = house.as_olga.put(f"{MEMBERS}/{invited['id']}/tenant-role", json={"tenant_role": "owner"})
    assert role.status_code == 200
    assert house.join(invited["link"]).status_code == 410


@pytest.mark.parametrize(
    ("maker", "role", "stays"), [("adam", "admin", True), ("adam", "owner", False), ("olga", "owner", True)]
)
def test_who_joined_by_it_starts_anew_when_they_rise_above_who_saw_it(
    house: House, maker: str, role: str, stays: bool
) -> None:
    """Whoever saw the link may be the one who joined."""
    invited = house.invite(getattr(house, f"as_{maker}"))
    theirs = house.joined(invited["link"])
    made = theirs.post("/api/v1/tokens", json={"name": "To stay"}).json()
    token = TestClient(house.app, headers={"Authorization": f"Bearer {made['secret']}"})
    risen = house.as_olga.put(f"{MEMBERS}/{invited['id']}/tenant-role", json={"tenant_role": role})
    assert risen.status_code == 200
    expected = 200 if stays else 401
    assert theirs.get("/api/v1/me").status_code == token.get("/api/v1/me").status_code == expected
    assert house.signs_in() is stays


def test_what_ended_is_on_record_and_told_to_who_has_to_begin_anew(house: House) -> None:
    invited = house.invite(house.as_adam)
    house.joined(invited["link"]).post("/api/v1/tokens", json={"name": "To stay"})
    house.as_olga.put(f"{MEMBERS}/{invited['id']}/tenant-role", json={"tenant_role": "owner"})
    with house.database.read() as session:
        entry = session.scalars(select(AuditEntry).where(AuditEntry.action == "change_tenant_role")).one()
        ended = {name: said for name, said in (entry.after or {}).items() if name.endswith("_ended")}
        assert ended == {"sessions_ended": 1, "tokens_ended": 1, "password_ended": True}
        assert emails_to(session, "new@example.com")[-1].subject.endswith("anew")


def test_who_joined_by_a_link_that_nobody_saw_stays(house: House) -> None:
    """A later link ended the one that was seen."""
    invited = house.invite(house.as_adam)
    house.as_olga.post(f"{MEMBERS}/{invited['id']}/resend-invitation", json={})
    with house.database.read() as session:
        sent = emails_to(session, "new@example.com")[-1].text
    found = re.search(r"#(\S+)", sent or "")
    assert found
    theirs = house.joined(f"#{found[1]}")
    house.as_olga.put(f"{MEMBERS}/{invited['id']}/tenant-role", json={"tenant_role": "owner"})
    assert theirs.get("/api/v1/me").status_code == 200


def test_of_two_who_resend_at_once_one_link_works(house: House) -> None:
    invited = house.invite(house.as_adam)
    for _ in range(5):

        def resend(client: TestClient) -> str:
            answer = client.post(f"{MEMBERS}/{invited['id']}/resend-invitation", json={"show": True})
            return str(answer.json()["link"])

        with ThreadPoolExecutor(2) as threads:
            made = list(threads.map(resend, [house.as_adam, house.as_olga]))
        assert len(set(made)) == 2
        with house.database.read() as session:
            unused = select(OneTimeLink).where(OneTimeLink.used_at.is_(None), OneTimeLink.purpose == LinkPurpose.JOIN)
            assert len(session.scalars(unused).all()) == 1


def test_a_session_that_ends_at_this_moment_makes_no_token(house: House) -> None:
    with house.database.session() as session:
        member = make_member(session, "Nora")
        kept, _ = make_session(session, member)
        kept_id, member_id = kept.id, member.id
    with house.database.session() as session:
        caller = Caller(
            session.get_one(Member, member_id), frozenset(), session=session.get_one(SignInSession, kept_id)
        )
        with house.database.engine.connect() as other:  # as who ends it does, before ours begins to write
            if other.dialect.name == "sqlite":
                session.execute(update(SignInSession).values(revoked_at=utc_now()))
            else:
                other.execute(update(SignInSession).values(revoked_at=utc_now()))
                other.commit()
        with pytest.raises(NotSignedIn):
            create_token(session, caller, "To stay")


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_change_to_its_member_at_this_moment_is_no_reason_to_make_none(house: House) -> None:
    with house.database.session() as session:
        member = make_member(session, "Nora")
        _, secret = make_session(session, member)
    with house.database.session() as session:
        caller = authenticate(session, secret)
        with house.database.session() as other:
            other.get_one(Member, member.id).name = "Nora Norden"
        token, _ = create_token(session, caller, "To stay")
        assert token.member_id == member.id
