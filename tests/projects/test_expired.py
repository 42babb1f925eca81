"""Roles that end: without effect from that moment on, wherever one looks; they make room, and are dropped later."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import func, select

from bailiwick.audit.models import AuditEntry
from bailiwick.projects.expired import drop_expired
from bailiwick.projects.models import ProjectEntry, ProjectGrant
from bailiwick.tenancy.caller import ALL_GROUP_ID
from bailiwick.tenancy.models import Member, MemberState
from tests.people import emails_to, make_group, make_member, make_project
from tests.projects.company import ADMIN, BUSINESS, DONE, TECHNICAL, Company, grant

NEW = "new@example.com"
Give = Callable[..., Any]


def readers(company: Company) -> UUID:
    with company.database.session() as session:
        return make_group(session, "Readers", company.people["nora"]).id


def to_nora(company: Company, role: str, **end: Any) -> Any:
    return company.invite("nora@example.com", role, **end)


def to_her_group(company: Company, role: str, **end: Any) -> Any:
    return company.grant_to_group(readers(company), role=role, **end)


def to_all(company: Company, role: str, **end: Any) -> Any:
    return company.grant_to_group(ALL_GROUP_ID, role=role, **end)


def drop(company: Company) -> int:
    with company.database.session() as session:
        return drop_expired(session)


def state_of(company: Company, email: str) -> str:
    with company.database.read() as session:
        return session.scalars(select(Member.state).where(Member.email == email)).one()


def stored(company: Company) -> int:
    with company.database.read() as session:
        return session.scalar(select(func.count()).select_from(ProjectGrant)) or 0


@pytest.mark.parametrize("give", [to_nora, to_her_group, to_all])
def test_a_role_ends_by_itself_wherever_one_looks(company: Company, give: Give) -> None:
    answer = give(company, TECHNICAL, expires_at=company.in_(hours=1))
    assert answer.is_success, answer.text
    nora, ann = company.as_("nora"), company.as_("ann")

    def looks() -> dict[str, bool]:
        listed = {item["name"] for item in ann.get(f"{company.at}/members").json()["items"]}
        technical = ann.get(f"{company.at}/members", params={"role": TECHNICAL}).json()["items"]
        received = ann.get(f"{company.at}/notifications/run_failed/receivers").json()["items"]
        groups = ann.get(f"{company.at}/groups").json()["items"]
        goes = company.as_("olga").delete(company.at).json()["goes_with_it"]
        about = {"type": "project", "id": str(company.sales.id)}
        asked = {"action": "See project", "resource": about, "subject": str(company.id("nora"))}
        check = company.as_("olga").post("/api/v1/access/check", json=asked)
        who = company.as_("olga").post("/api/v1/access/who", json={"action": "See project", "resource": about})
        return {
            "opened": nora.get(company.at).status_code == 200,
            "in her projects": bool(nora.get("/api/v1/projects").json()["items"]),
            "a member": ann.get(f"{company.at}/members/{company.id('nora')}").status_code == 200,
            "listed": "Nora" in listed,
            "listed by role": "Nora" in {item["name"] for item in technical},
            "receives": "Nora" in {item["name"] for item in received},
            "counted": goes["members"] + goes["groups"] > 4,
            "allowed": check.json()["decision"]["allowed"],
            "who": "Nora" in {item["name"] for item in who.json()["items"]},
            "in the audit": bool(nora.get("/api/v1/audit", params={"action": "edit_project"}).json()["items"]),
            "granted": give is to_nora or len(groups) > 1,
        }

    company.as_("ann").patch(company.at, json={"description": "For everybody"})
    assert set(looks().values()) == {True}, looks()
    with company.later(hours=2):
        over = looks()
        assert over.pop("granted") is (give is to_nora)
        assert set(over.values()) == {False}, over
    if give is to_her_group:
        held = company.as_("olga").get(f"/api/v1/groups/{answer.json()['group']['id']}/grants").json()
        assert [item["role"] for item in held["items"]] == [TECHNICAL]
        with company.later(hours=2):
            held = company.as_("olga").get(f"/api/v1/groups/{answer.json()['group']['id']}/grants").json()
            assert held["items"] == []


def test_what_other_origins_give_stays(company: Company) -> None:
    end = company.in_(hours=1)
    assert company.change_role("vera", ADMIN, expires_at=end).json()["role"] == ADMIN
    with company.later(hours=2):
        vera = company.member("vera")
        assert (vera["role"], vera["granted_role"], vera["expires_at"], vera["version"]) == (BUSINESS, None, None, None)
        assert [origin["source"] for origin in vera["origins"]] == ["tenant role"]
        assert "the tenant role viewer" in company.remove("vera").json()["detail"]


def test_an_end_is_shown_told_and_on_record(company: Company) -> None:
    end = "2031-02-03T04:05:06+02:00"
    invited = company.invite("nora@example.com", BUSINESS, expires_at=end).json()
    assert invited["expires_at"] == end
    shown = company.member("nora")
    assert shown["expires_at"] == shown["origins"][0]["expires_at"] == "2031-02-03T02:05:06Z"
    listed = company.as_("bea").get(f"{company.at}/members").json()["items"]
    assert [item["expires_at"] for item in listed if item["name"] == "Nora"] == [shown["expires_at"]]
    with company.database.read() as session:
        (mail,) = emails_to(session, "nora@example.com")
        assert "made you Business User until 2031-02-03 02:05 UTC in the project Sales" in (mail.text or "")
        (entry,) = session.scalars(select(AuditEntry).where(AuditEntry.action == "invite_to_project", DONE))
        assert entry.after is not None
        assert entry.after["expires_at"] == "2031-02-03T02:05:06+00:00"


def test_an_end_is_moved_taken_away_and_kept_when_only_the_role_changes(company: Company) -> None:
    soon, late = company.in_(hours=1), company.in_(hours=9)
    path, ann = f"{company.at}/members/{company.id('bea')}", company.as_("ann")
    assert ann.patch(path, json={"expires_at": soon}).json()["role"] == BUSINESS
    kept = ann.patch(path, json={"role": TECHNICAL}).json()
    assert (kept["granted_role"], kept["expires_at"] is None, kept["version"]) == (TECHNICAL, False, 3)
    ann.patch(path, json={"expires_at": late})
    with company.later(hours=2):
        assert company.member("bea")["role"] == TECHNICAL
    assert ann.patch(path, json={"expires_at": None}).json()["expires_at"] is None
    assert ann.patch(path, json={"expires_at": None}).json()["version"] == 5
    with company.later(hours=10):
        assert company.member("bea")["role"] == TECHNICAL
    with company.database.read() as session:
        changed = select(AuditEntry).where(AuditEntry.action == "change_project_role", DONE).order_by(AuditEntry.id)
        said = [((e.before or {})["expires_at"], (e.after or {})["expires_at"]) for e in session.scalars(changed)]
    assert said == [(None, soon), (soon, soon), (soon, late), (late, None)]


def test_the_end_of_a_groups_role_is_moved_taken_away_and_kept_too(company: Company) -> None:
    analysts, soon = company.analysts.id, company.in_(hours=1)
    assert company.grant_to_group(analysts, role=TECHNICAL, expires_at=soon).json()["expires_at"] is not None
    assert company.grant_to_group(analysts, role=ADMIN).json()["expires_at"] is not None
    (listed,) = company.as_("bea").get(f"{company.at}/groups").json()["items"]
    assert (listed["role"], listed["expires_at"] is None, listed["version"]) == (ADMIN, False, 3)
    with company.later(hours=2):
        assert company.as_("gus").get(company.at).status_code == 404
        assert company.as_("ann").delete(f"{company.at}/groups/{analysts}").status_code == 404
    assert company.grant_to_group(analysts, role=ADMIN, expires_at=None).json()["expires_at"] is None
    with company.database.read() as session:
        granted = select(AuditEntry).where(AuditEntry.action == "grant_project_role_to_group", DONE)
        entries = session.scalars(granted.order_by(AuditEntry.id))
        said = [(entry.after or {})["expires_at"] for entry in entries]
    assert said == [soon, soon, None]


def test_when_a_group_s_role_ends_is_told_only_to_who_may_look_into_the_group(company: Company) -> None:
    """The list of groups says which of them ends when: the end would tell who is in it."""
    company.grant_to_group(company.analysts.id, role=TECHNICAL, expires_at=company.in_(hours=1))
    for who, told in (("olga", True), ("gus", True), ("ann", False), ("bea", False)):
        (origin,) = company.member("gus", seen_by=who)["origins"]
        assert (origin["expires_at"] is not None) is told, who
    company.grant_to_group(ALL_GROUP_ID, role=ADMIN, expires_at=company.in_(hours=1))
    assert company.member("gus", seen_by="bea")["origins"][0]["expires_at"] is not None


@pytest.mark.parametrize("end", [{"days": -1}, {"days": 3652}, "2031-01-01T00:00:00", "soon", 10**40])
def test_an_end_that_has_passed_or_is_too_far_away_is_refused(company: Company, end: Any) -> None:
    expires_at = company.in_(**end) if isinstance(end, dict) else end
    for answer in (
        company.invite("nora@example.com", BUSINESS, expires_at=expires_at),
        company.invite(NEW, BUSINESS, expires_at=expires_at),
        company.change_role("bea", TECHNICAL, expires_at=expires_at),
        company.change_role("edda", ADMIN, expires_at=expires_at),
        company.grant_to_group(company.analysts.id, role=ADMIN, expires_at=expires_at),
        company.grant_to_group(ALL_GROUP_ID, role=ADMIN, expires_at=expires_at),
    ):
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "expires_at"), answer.text
    assert stored(company) == 4


def test_only_what_was_granted_here_can_end_here(company: Company) -> None:
    ann, end = company.as_("ann"), {"expires_at": company.in_(hours=1)}
    refused = ann.patch(f"{company.at}/members/{company.id('edda')}", json=end)
    assert (refused.status_code, "the tenant role editor" in refused.json()["detail"]) == (409, True)
    assert ann.patch(f"{company.at}/members/{company.id('nora')}", json=end).status_code == 404
    assert ann.patch(f"{company.at}/members/{company.id('bea')}", json={}).status_code == 422
    assert company.as_("tim").patch(f"{company.at}/members/{company.id('bea')}", json=end).status_code == 403
    assert company.as_("ann").put(f"{company.at}/groups/{company.analysts.id}", json=end).status_code == 422


def test_what_expired_does_not_stand_in_the_way_of_another_role(company: Company) -> None:
    end, late = company.in_(hours=1), company.in_(hours=9)
    company.invite("nora@example.com", BUSINESS, expires_at=end)
    company.change_role("edda", ADMIN, expires_at=end)
    company.grant_to_group(company.analysts.id, role=ADMIN, expires_at=end)
    held = stored(company)
    with company.later(hours=2):
        invited = company.invite("nora@example.com", TECHNICAL, expires_at=late)
        assert (invited.status_code, invited.json()["role"]) == (201, TECHNICAL), invited.text
        raised = company.change_role("edda", ADMIN)
        assert (raised.status_code, raised.json()["role"], raised.json()["expires_at"]) == (200, ADMIN, None)
        granted = company.grant_to_group(company.analysts.id, role=BUSINESS)
        assert (granted.status_code, granted.json()["expires_at"]) == (200, None), granted.text
        assert company.as_("gus").get(company.at).json()["role"] == BUSINESS
        assert stored(company) == held
        assert drop(company) == 0
    with company.later(hours=10):
        assert company.as_("nora").get(company.at).status_code == 404
        assert company.as_("edda").get(company.at).json()["role"] == ADMIN


def test_a_role_that_ends_before_it_is_answered_is_no_failure(company: Company) -> None:
    """The moments between the check and the answer are enough for it to end."""
    for milliseconds in (2, 5, 10, 20, 40):
        end = company.in_(milliseconds=milliseconds)
        for answer in (
            company.change_role("bea", ADMIN, expires_at=end),
            company.invite("nora@example.com", ADMIN, expires_at=end),
            company.grant_to_group(company.analysts.id, role=ADMIN, expires_at=end),
        ):
            assert answer.status_code in (200, 201, 404, 409, 422), answer.text


def test_expired_roles_are_dropped_once_and_nothing_else_is(company: Company) -> None:
    company.invite("nora@example.com", BUSINESS, expires_at=company.in_(hours=1))
    company.change_role("tim", TECHNICAL, expires_at=company.in_(hours=9))
    company.grant_to_group(ALL_GROUP_ID, role=BUSINESS, expires_at=company.in_(hours=1))
    held = stored(company)
    assert drop(company) == 0
    with company.later(hours=2):
        assert [drop(company), drop(company), held - stored(company)] == [2, 0, 2]
        assert company.as_("tim").get(company.at).json()["role"] == TECHNICAL
        assert state_of(company, "nora@example.com") == MemberState.ACTIVE


def test_that_a_role_has_ended_is_on_record_once_for_who_held_it(company: Company) -> None:
    end = company.in_(hours=1)
    company.invite("nora@example.com", BUSINESS, expires_at=end)
    company.change_role("edda", ADMIN, expires_at=end)
    company.grant_to_group(company.analysts.id, role=ADMIN, expires_at=end)
    with company.later(hours=2):
        assert company.change_role("edda", ADMIN).status_code == 200  # makes room for itself
        assert [drop(company), drop(company)] == [2, 0]
        (read,) = company.as_("nora").get("/api/v1/audit", params={"action": "end_project_role"}).json()["items"]
    assert (read["actor"], read["about"]["name"], read["resource_name"]) == (None, "Nora", "Sales")
    assert (read["before"], read["after"]) == ({"role": BUSINESS, "expires_at": end}, None)
    with company.database.read() as session:
        entries = session.scalars(select(AuditEntry).where(AuditEntry.action == "end_project_role")).all()
    held_by = {(entry.before or {}).get("group") or entry.about_id for entry in entries}
    assert (len(entries), held_by) == (3, {company.id("nora"), company.id("edda"), company.analysts.name})


def test_whoever_left_because_their_role_expired_has_not_entered_any_more(company: Company) -> None:
    company.invite("nora@example.com", BUSINESS, expires_at=company.in_(hours=1))
    company.as_("nora").get(company.at)
    key = company.sales.id, company.id("nora")
    with company.later(hours=2):
        drop(company)
        with company.database.read() as session:
            assert session.get(ProjectEntry, key) is None


def test_a_newcomer_goes_with_the_invitation_that_expired(company: Company) -> None:
    """Somebody who waits, and somebody an admin invited: neither was asked for anything else."""
    company.invite(NEW, BUSINESS, by="bea", expires_at=company.in_(hours=1))
    company.invite("newer@example.com", BUSINESS, by="adam", expires_at=company.in_(hours=1))
    with company.later(hours=2):
        assert drop(company) == 2
        for email in (NEW, "newer@example.com"):
            assert state_of(company, email) == MemberState.REMOVED
        with company.database.read() as session:
            entries = session.scalars(select(AuditEntry).where(AuditEntry.action == "withdraw_invitation")).all()
            assert [(entry.actor_id, entry.after) for entry in entries] == [(None, {"state": "removed"})] * 2
        assert company.invite(NEW, BUSINESS, by="bea").json()["state"] == "waiting"


def test_a_newcomer_stays_for_whatever_else_they_are_invited_to(company: Company) -> None:
    end = company.in_(hours=1)
    with company.database.session() as session:
        ivy = make_member(session, "Ivy", state=MemberState.INVITED, invited_by=company.people["adam"])
        vic = make_member(session, "Vic", state=MemberState.WAITING, invited_by=company.people["bea"])
        wes = make_member(session, "Wes", state=MemberState.WAITING, invited_by=company.people["bea"])
        make_group(session, "Newcomers", vic)
        make_project(session, "Other", company.people["olga"], {wes: BUSINESS})
    for who in (ivy, vic, wes):
        assert company.invite(who.email, BUSINESS, by="bea", expires_at=end).status_code == 201
    with company.later(hours=2):
        assert drop(company) == 3
        states = {state_of(company, who.email) for who in (vic, wes)}
        assert (states, state_of(company, ivy.email)) == ({MemberState.WAITING}, MemberState.INVITED)


def test_a_role_elsewhere_that_expired_keeps_no_newcomer_when_the_last_one_is_taken(company: Company) -> None:
    with company.database.session() as session:
        other = make_project(session, "Other", company.people["olga"], {company.people["bea"]: BUSINESS})
    newcomer = company.invite(NEW, BUSINESS, by="bea").json()["id"]
    body = {"email": NEW, "role": BUSINESS, "expires_at": company.in_(hours=1)}
    assert company.as_("bea").post(f"/api/v1/projects/{other.id}/members", json=body).status_code == 201
    with company.later(hours=2):
        assert company.as_("bea").delete(f"{company.at}/members/{newcomer}").status_code == 200
        assert state_of(company, NEW) == MemberState.REMOVED


def test_links_ask_for_the_roles_that_hold(company: Company) -> None:
    """Tim is above Ann while he is Admin elsewhere; and Ann, once she is no Admin any more, makes no link."""
    with company.database.session() as session:
        other = make_project(session, "Other", company.people["olga"])
        grant(session, other, company.people["tim"], BUSINESS, company.people["olga"], expires_at=None)
    path = f"/api/v1/projects/{other.id}/members/{company.id('tim')}"
    link = f"/api/v1/members/{company.id('tim')}/links"
    ann, body = company.as_("ann"), {"purpose": "sign_in"}
    assert ann.post(link, json=body).status_code == 403
    assert company.as_("olga").patch(path, json={"expires_at": company.in_(hours=1)}).status_code == 200
    ends = {"expires_at": company.in_(hours=3)}
    assert company.as_("olga").patch(f"{company.at}/members/{company.id('ann')}", json=ends).status_code == 200
    assert ann.post(link, json=body).status_code == 403
    with company.later(hours=2):
        assert ann.post(link, json=body).status_code == 201
    with company.later(hours=4):
        assert ann.post(link, json=body).status_code in (403, 404)


def test_of_dropping_and_granting_at_the_same_moment_nothing_is_lost(company: Company) -> None:
    with company.database.session() as session:
        for number in range(6):
            member = make_member(session, f"M{number}")
            company.people[f"m{number}"] = member
    for number in range(6):
        company.invite(f"m{number}@example.com", BUSINESS, expires_at=company.in_(milliseconds=60))
    client = company.as_("ann")

    def again(number: int) -> int:
        body = {"email": f"m{number}@example.com", "role": TECHNICAL}
        while (answer := client.post(f"{company.at}/members", json=body)).status_code == 409:
            assert "already" in answer.json()["detail"]
        return int(answer.status_code)

    with ThreadPoolExecutor(3) as pool:
        granted = [pool.submit(again, number) for number in range(6)]
        dropped = [pool.submit(drop, company) for _ in range(4)]
        assert [one.result() for one in granted] == [201] * 6
        for one in dropped:
            one.result()
    for number in range(6):
        assert company.member(f"m{number}")["role"] == TECHNICAL
