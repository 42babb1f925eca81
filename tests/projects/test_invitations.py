"""Inviting into a project: who may, what it does for whom, and what two at once make of it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import func, select

from bailiwick.audit.models import AuditEntry
from bailiwick.projects.models import ProjectGrant
from bailiwick.tenancy.models import Member, MemberState
from tests.people import TestClient, emails_to, make_group, make_member, make_project
from tests.projects.company import ADMIN, BUSINESS, DONE, TECHNICAL, Company, grant

NEW = "new@example.com"
MAY_INVITE = {ADMIN: {ADMIN, TECHNICAL, BUSINESS}, TECHNICAL: {TECHNICAL, BUSINESS}, BUSINESS: {BUSINESS}}


def emails(company: Company, address: str) -> list[str]:
    with company.database.read() as session:
        return [email.text or "" for email in emails_to(session, address)]


def member_at(company: Company, email: str) -> Member:
    with company.database.read() as session:
        return session.scalars(select(Member).where(Member.email == email)).one()


@pytest.mark.parametrize(
    ("who", "is_"),
    [
        *(("olga", ADMIN), ("adam", ADMIN), ("edda", TECHNICAL), ("vera", BUSINESS)),
        *(("ann", ADMIN), ("tim", TECHNICAL), ("bea", BUSINESS), ("gus", TECHNICAL)),
    ],
)
def test_everybody_invites_as_the_table_says(company: Company, who: str, is_: str) -> None:
    for role in (ADMIN, TECHNICAL, BUSINESS):
        email = f"{role.split()[0].lower()}@example.com"
        answer = company.invite(email, role, by=who)
        if role in MAY_INVITE[is_]:
            assert (answer.status_code, answer.json()["role"]) == (201, role), answer.text
        else:
            assert answer.status_code == 403
            assert answer.json()["decision"]["table"] == "Who can invite whom"
            assert answer.json()["decision"]["row"] == is_


def test_who_is_here_already_has_the_role_at_once_and_is_told(company: Company) -> None:
    answer = company.invite("NORA@Example.com", TECHNICAL, by="tim")
    assert (answer.status_code, answer.json()["state"], answer.json()["role"]) == (201, "active", TECHNICAL)
    assert company.as_("nora").get(company.at).json()["role"] == TECHNICAL
    assert answer.headers["Location"] == f"{company.at}/members/{company.id('nora')}"
    (text,) = emails(company, "nora@example.com")
    assert "Tim made you Technical User in the project Sales" in text
    with company.database.read() as session:
        (entry,) = session.scalars(select(AuditEntry).where(AuditEntry.action == "invite_to_project", DONE))
        role = {"role": TECHNICAL, "expires_at": None}
        assert entry.after == {**role, "email": "nora@example.com", "state": "active"}
        assert (entry.about_id, entry.project_id) == (company.id("nora"), company.sales.id)


@pytest.mark.parametrize("who", ["bea", "edda", "gus", "ann"])
def test_who_is_in_the_project_already_is_not_invited_again(company: Company, who: str) -> None:
    answer = company.invite(f"{who}@example.com", BUSINESS)
    assert answer.status_code == 409
    assert "Change the role instead" in answer.json()["detail"]


def test_who_is_invited_already_is_not_invited_again(company: Company) -> None:
    assert company.invite(NEW, BUSINESS, by="bea").status_code == 201
    assert company.invite(NEW, ADMIN).status_code == 409


def test_who_is_suspended_is_not_invited_and_who_may_not_see_them_learns_neither_name_nor_state(
    company: Company,
) -> None:
    with company.database.session() as session:
        sabina = make_member(session, "Sabina Secret", email="s@example.com", state=MemberState.SUSPENDED)
    assert company.as_("bea").get(f"/api/v1/members/{sabina.id}").status_code == 404
    for by, told in (("adam", True), ("ann", False), ("bea", False)):
        answer = company.invite("s@example.com", BUSINESS, by=by)
        assert answer.status_code == 409
        assert ("Sabina" in answer.text, "suspended" in answer.text) == (told, told)


def test_a_newcomer_waits_for_an_admin_then_joins_and_has_the_role(company: Company, app_client: TestClient) -> None:
    invited = company.invite(NEW, BUSINESS, by="bea")
    assert (invited.status_code, invited.json()["state"], invited.json()["name"]) == (201, "waiting", "new")
    assert "withdraw_invitation" in invited.json()["actions"]
    newcomer = member_at(company, NEW)
    assert (newcomer.tenant_role, newcomer.invited_by_id) == ("none", company.id("bea"))
    assert emails(company, NEW) == []
    for admin in ("olga", "adam"):
        (asked,) = emails(company, f"{admin}@example.com")
        assert "Bea (bea@example.com) invited new (new@example.com)" in asked
        assert "the project Sales as Business User" in asked
    assert emails(company, "edda@example.com") == []
    in_list = company.as_("tim").get(f"{company.at}/members", params={"state": "waiting"}).json()["items"]
    assert [item["email"] for item in in_list] == [NEW]

    assert company.as_("ann").post(f"/api/v1/members/{newcomer.id}/confirm").status_code in (403, 404)
    assert company.as_("adam").post(f"/api/v1/members/{newcomer.id}/confirm").status_code == 200
    assert company.member("bea")["state"] == "active"
    (joining,) = emails(company, NEW)
    secret = joining.partition("/join#")[2].split()[0]
    body = {"secret": secret, "password": "correct horse battery", "name": "Nell New", "as": "bearer"}
    joined = app_client.post("/api/v1/links/join", json={k: v for k, v in body.items() if k != "as"})
    assert joined.is_success, joined.text
    with company.database.read() as session:
        nell = session.get_one(Member, newcomer.id)
    client = company.sign_in_as(nell)
    assert client.get(company.at).json()["role"] == BUSINESS
    assert client.get("/api/v1/projects").json()["items"][0]["name"] == "Sales"


@pytest.mark.parametrize("who", ["olga", "adam"])
def test_a_newcomer_invited_by_a_tenant_owner_or_admin_gets_the_link_at_once(company: Company, who: str) -> None:
    answer = company.as_(who).post(f"{company.at}/members", json={"email": NEW, "role": ADMIN, "name": "Nell"})
    assert (answer.json()["state"], answer.json()["name"]) == ("invited", "Nell")
    (text,) = emails(company, NEW)
    assert "/join#bwl_" in text
    assert emails(company, "adam@example.com") == []


def test_an_admin_who_invites_somebody_that_waits_confirms_them(company: Company) -> None:
    company.invite(NEW, BUSINESS, by="bea")
    with company.database.session() as session:
        other = make_project(session, "Other", company.people["olga"])
    answer = company.as_("adam").post(f"/api/v1/projects/{other.id}/members", json={"email": NEW, "role": TECHNICAL})
    assert (answer.status_code, answer.json()["state"]) == (201, "invited")
    (text,) = emails(company, NEW)
    assert "/join#" in text


def test_who_was_removed_from_the_tenant_comes_back_as_somebody_new(company: Company) -> None:
    assert company.as_("olga").delete(f"/api/v1/members/{company.id('tim')}").status_code == 200
    answer = company.invite("tim@example.com", BUSINESS, by="bea")
    assert (answer.status_code, answer.json()["state"], answer.json()["role"]) == (201, "waiting", BUSINESS)
    assert answer.json()["id"] == str(company.id("tim"))
    assert company.as_("tim").get(company.at).status_code == 401


@pytest.mark.parametrize("who", ["bea", "ann"])
def test_the_inviter_and_project_admins_withdraw_an_invitation_altogether(company: Company, who: str) -> None:
    newcomer = company.invite(NEW, BUSINESS, by="bea").json()["id"]
    path = f"{company.at}/members/{newcomer}"
    assert company.as_("tim").delete(path).status_code == 403
    assert company.as_(who).delete(path).status_code == 200
    assert member_at(company, NEW).state == MemberState.REMOVED
    with company.database.read() as session:
        actions = session.scalars(select(AuditEntry.action).where(AuditEntry.actor_id == company.id(who))).all()
    assert {"remove_project_member", "withdraw_invitation"} <= set(actions)
    assert company.invite(NEW, BUSINESS, by="bea").status_code == 201


def test_the_inviter_cannot_remove_whom_they_invited_once_they_have_joined(company: Company) -> None:
    company.invite("nora@example.com", BUSINESS, by="bea")
    assert company.remove("nora", by="bea").status_code == 403


def test_a_link_that_was_sent_opens_nothing_once_the_invitation_is_withdrawn(
    company: Company, app_client: TestClient
) -> None:
    newcomer = company.invite(NEW, BUSINESS, by="adam").json()["id"]
    (text,) = emails(company, NEW)
    assert company.as_("ann").delete(f"{company.at}/members/{newcomer}").status_code == 200
    secret = text.partition("/join#")[2].split()[0]
    body = {"secret": secret, "password": "correct horse battery"}
    assert app_client.post("/api/v1/links/join", json=body).status_code in (404, 410)


def other_project(company: Company) -> dict[str, Any]:
    with company.database.session() as session:
        project = make_project(session, "Other", company.people["olga"], {company.people["bea"]: BUSINESS})
    return {"url": f"/api/v1/projects/{project.id}/members", "id": project.id}


def test_a_newcomer_invited_twice_stays_while_one_invitation_is_left(company: Company) -> None:
    newcomer = company.invite(NEW, BUSINESS, by="tim").json()["id"]
    other = other_project(company)
    second = company.as_("bea").post(other["url"], json={"email": NEW, "role": BUSINESS})
    assert (second.status_code, second.json()["id"]) == (201, newcomer)
    assert company.as_("tim").delete(f"{company.at}/members/{newcomer}").status_code == 200
    assert member_at(company, NEW).state == MemberState.WAITING
    assert company.as_("bea").delete(f"{other['url']}/{newcomer}").status_code == 200
    assert member_at(company, NEW).state == MemberState.REMOVED


def test_whom_an_admin_invited_into_the_tenant_stays_invited_when_a_project_lets_go_of_them(company: Company) -> None:
    with company.database.session() as session:
        ivy = make_member(session, "Ivy", state=MemberState.INVITED, invited_by=company.people["adam"])
        vic = make_member(session, "Vic", state=MemberState.WAITING, invited_by=company.people["bea"])
        make_group(session, "Newcomers", vic)
        grant(session, company.sales, vic, BUSINESS, company.people["bea"])
    company.people |= {"ivy": ivy, "vic": vic}
    assert company.invite("ivy@example.com", BUSINESS, by="bea").json()["state"] == "invited"
    for who in ("ivy", "vic"):
        assert company.remove(who, by="bea").status_code == 200
    assert member_at(company, "ivy@example.com").state == MemberState.INVITED
    assert member_at(company, "vic@example.com").state == MemberState.WAITING


def test_two_who_invite_the_same_newcomer_at_once_make_one_member_with_both_roles(company: Company) -> None:
    other = other_project(company)
    clients = company.as_("tim"), company.as_("bea")
    urls = f"{company.at}/members", other["url"]
    for number in range(4):
        email = f"new{number}@example.com"
        with ThreadPoolExecutor(2) as pool:
            answers = list(
                pool.map(lambda c, u, e=email: c.post(u, json={"email": e, "role": BUSINESS}), clients, urls)
            )
        assert [answer.status_code for answer in answers] == [201, 201], [answer.text for answer in answers]
        with company.database.read() as session:
            newcomer = session.scalars(select(Member).where(Member.email == email)).one()
            grants = select(func.count()).where(ProjectGrant.member_id == newcomer.id)
            assert session.scalar(grants) == 2


@pytest.mark.parametrize(
    "body",
    [
        {"email": "no address", "role": BUSINESS},
        {"email": NEW, "role": "none"},
        {"email": NEW},
        {"role": BUSINESS},
        {"email": NEW, "role": BUSINESS, "name": ""},
        {"email": NEW, "role": BUSINESS, "name": "a\0"},
        {"email": "x" * 400 + "@example.com", "role": BUSINESS},
        {"email": NEW, "role": BUSINESS, "tenant_role": "owner"},
        {"email": NEW, "role": BUSINESS, "expires_at": "soon"},
    ],
)
def test_a_wrong_invitation_names_the_field(company: Company, body: Any) -> None:
    answer = company.as_("ann").post(f"{company.at}/members", json=body)
    assert answer.status_code == 422
    assert answer.json()["errors"]


def test_nobody_sends_the_admins_more_newcomers_than_they_can_look_at(
    company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bailiwick.projects.invitations.MOST_WAITING", 2)
    answers = [company.invite(f"new{number}@example.com", BUSINESS, by="bea") for number in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 409]
    assert "confirmation" in answers[2].json()["detail"]
    assert company.invite("another@example.com", BUSINESS, by="tim").status_code == 201
    assert company.invite("new2@example.com", BUSINESS, by="adam").status_code == 201
