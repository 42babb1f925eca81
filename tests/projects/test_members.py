"""The members of a project: effective roles with every origin, changing and taking grants, and the list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import select

from bailiwick.audit.models import AuditEntry
from bailiwick.tenancy.caller import ALL_GROUP_ID
from bailiwick.tenancy.models import Group, MemberState
from tests.people import make_group, make_member
from tests.projects.company import ADMIN, BUSINESS, DONE, TECHNICAL, Company, grant


def listed(company: Company, by: str = "olga", **query: Any) -> Iterator[dict[str, Any]]:
    """Every member of the list, page by page."""
    cursor = None
    while True:
        params = {**query, **({"cursor": cursor} if cursor else {})}
        answer = company.as_(by).get(f"{company.at}/members", params=params)
        assert answer.status_code == 200, answer.text
        yield from answer.json()["items"]
        cursor = answer.json()["next_cursor"]
        if cursor is None:
            return


def names(company: Company, by: str = "olga", **query: Any) -> list[str]:
    return [item["name"] for item in listed(company, by, **query)]


def origins(found: dict[str, Any]) -> list[tuple[str, str, str | None]]:
    return [(o["source"], o["role"], o["group"] and o["group"]["name"]) for o in found["origins"]]


def to_all(company: Company, role: str) -> None:
    with company.database.session() as session:
        grant(session, company.sales, session.get_one(Group, ALL_GROUP_ID), role, company.people["olga"])


def test_a_role_is_shown_with_where_it_comes_from(company: Company) -> None:
    found = {item["name"]: item for item in listed(company)}
    assert {name: (item["role"], origins(item)) for name, item in found.items()} == {
        "Adam": (ADMIN, [("tenant role", ADMIN, None)]),
        "Ann": (ADMIN, [("grant", ADMIN, None)]),
        "Bea": (BUSINESS, [("grant", BUSINESS, None)]),
        "Edda": (TECHNICAL, [("tenant role", TECHNICAL, None)]),
        "Gus": (TECHNICAL, [("group", TECHNICAL, "Analysts")]),
        "Olga": (ADMIN, [("tenant role", ADMIN, None)]),
        "Tim": (TECHNICAL, [("grant", TECHNICAL, None)]),
        "Vera": (BUSINESS, [("tenant role", BUSINESS, None)]),
    }
    assert found["Ann"]["granted_role"] == ADMIN
    assert found["Olga"]["granted_role"] is None


def test_the_highest_of_all_origins_is_the_role_and_all_of_them_are_shown(company: Company) -> None:
    with company.database.session() as session:
        leads = make_group(session, "Leads", company.people["vera"])
        grant(session, company.sales, leads, ADMIN, company.people["olga"])
        grant(session, company.sales, company.people["vera"], TECHNICAL, company.people["olga"])
    to_all(company, BUSINESS)
    vera = company.member("vera")
    assert vera["role"] == ADMIN
    assert sorted(origins(vera), key=str) == [
        ("grant", TECHNICAL, None),
        ("group", ADMIN, "Leads"),
        ("group", BUSINESS, "All"),
        ("tenant role", BUSINESS, None),
    ]


def test_which_group_gives_a_role_is_told_only_to_who_may_look_into_the_group(company: Company) -> None:
    """Naming it would tell who is in it."""
    for who, name in (("olga", "Analysts"), ("gus", "Analysts"), ("ann", None), ("bea", None)):
        assert origins(company.member("gus", seen_by=who)) == [("group", TECHNICAL, name)]
    told = company.change_role("gus", BUSINESS, by="ann").json()["detail"]
    assert "through a group they are in" in told
    assert "Analysts" not in told
    assert "the group Analysts" in company.change_role("gus", BUSINESS, by="olga").json()["detail"]


def test_everybody_in_the_project_sees_its_members_with_their_own_actions(company: Company) -> None:
    assert names(company, "bea") == names(company, "olga")
    assert company.member("bea", seen_by="tim")["actions"] == ["see"]
    of_ann = company.member("bea", seen_by="ann")["actions"]
    assert {"change_a_member_s_role", "delete_members", "make_a_magic_link"} <= set(of_ann)
    assert "see_the_link" not in of_ann


def test_who_is_in_no_project_is_no_member_of_it(company: Company) -> None:
    ann = company.as_("ann")
    for id_ in (company.id("nora"), uuid4()):
        answers = [
            ann.get(f"{company.at}/members/{id_}"),
            ann.patch(f"{company.at}/members/{id_}", json={"role": BUSINESS}),
            ann.delete(f"{company.at}/members/{id_}"),
        ]
        assert [(answer.status_code, answer.json()["detail"]) for answer in answers] == [
            (404, "There is no such member.")
        ] * 3


@pytest.mark.parametrize("everyone", [None, BUSINESS, TECHNICAL, ADMIN])
def test_pages_hold_everybody_once_and_filters_fit_the_effective_role(company: Company, everyone: str | None) -> None:
    with company.database.session() as session:
        both = make_group(session, "Both")
        for number in range(60):
            role = ("none", "viewer", "editor", "admin")[number % 4]
            state = (MemberState.ACTIVE, MemberState.SUSPENDED, MemberState.INVITED, MemberState.WAITING)[
                number % 7 % 4
            ]
            member = make_member(session, f"M {number * 11 % 60:02}", role=role, state=state)
            if number % 3 == 0:
                grant(session, company.sales, member, (BUSINESS, TECHNICAL, ADMIN)[number % 9 // 3], member)
        make_member(session, "Gone", role="none", state=MemberState.REMOVED)
        grant(session, company.sales, both, ADMIN, company.people["olga"])
    if everyone:
        to_all(company, everyone)
    every = list(listed(company, limit=200))
    assert "Gone" not in [item["name"] for item in every]
    assert [item["name"] for item in every] == sorted(item["name"] for item in every)
    assert len({item["id"] for item in every}) == len(every)
    assert ("Nora" in [item["name"] for item in every]) is bool(everyone)
    for limit in (1, 9):
        assert names(company, limit=limit) == [item["name"] for item in every]
    for role in (ADMIN, TECHNICAL, BUSINESS):
        assert names(company, role=role, limit=9) == [item["name"] for item in every if item["role"] == role]
        for state in MemberState:
            fitting = [item["name"] for item in every if (item["role"], item["state"]) == (role, state)]
            assert names(company, role=role, state=state, limit=9) == fitting
    assert names(company, search="m 1", limit=4) == [item["name"] for item in every if item["name"].startswith("M 1")]
    assert names(company, search="EDDA@", limit=4) == ["Edda"]


def test_project_admins_change_what_was_granted(company: Company) -> None:
    answer = company.change_role("bea", TECHNICAL)
    assert (answer.status_code, answer.json()["role"], answer.json()["note"]) == (200, TECHNICAL, None)
    assert company.as_("bea").get(company.at).json()["role"] == TECHNICAL
    with company.database.read() as session:
        (entry,) = session.scalars(select(AuditEntry).where(AuditEntry.action == "change_project_role", DONE))
        assert entry.before == {"role": BUSINESS, "expires_at": None}
        assert entry.after == {"role": TECHNICAL, "expires_at": None}
        assert (entry.about_id, entry.project_id) == (company.id("bea"), company.sales.id)
        assert entry.seen_from == BUSINESS
        assert entry.decision is not None
        assert entry.decision["row"] == "Change a member's role"


@pytest.mark.parametrize("who", ["tim", "bea", "edda", "vera", "gus"])
def test_nobody_else_changes_roles_or_removes_members(company: Company, who: str) -> None:
    for answer in (company.change_role("bea", BUSINESS, by=who), company.remove("bea", by=who)):
        assert answer.status_code == 403
        assert answer.json()["decision"]["table"] == "Capabilities"


@pytest.mark.parametrize(
    ("who", "role", "origin"),
    [
        *(("olga", TECHNICAL, "the tenant role owner"), ("edda", TECHNICAL, "the tenant role editor")),
        *(("edda", BUSINESS, "the tenant role editor"), ("vera", BUSINESS, "the tenant role viewer")),
        ("gus", BUSINESS, "a group they are in"),
    ],
)
def test_a_role_from_elsewhere_is_not_lowered_here_and_its_origin_named(
    company: Company, who: str, role: str, origin: str
) -> None:
    answer = company.change_role(who, role)
    assert answer.status_code == 409
    assert origin in answer.json()["detail"]


@pytest.mark.parametrize(("who", "origin"), [("edda", "the tenant role editor"), ("gus", "a group they are in")])
def test_a_role_from_elsewhere_cannot_be_removed_here(company: Company, who: str, origin: str) -> None:
    answer = company.remove(who)
    assert answer.status_code == 409
    assert origin in answer.json()["detail"]
    assert company.member(who)["role"] == TECHNICAL


def test_more_than_the_inherited_role_can_be_granted(company: Company) -> None:
    answer = company.change_role("vera", TECHNICAL)
    assert (answer.status_code, answer.json()["role"]) == (200, TECHNICAL)
    assert origins(answer.json()) == [("grant", TECHNICAL, None), ("tenant role", BUSINESS, None)]


def test_lowering_a_grant_below_another_origin_leaves_that_standing_and_says_so(company: Company) -> None:
    assert company.change_role("edda", ADMIN).json()["role"] == ADMIN
    answer = company.change_role("edda", BUSINESS)
    assert (answer.status_code, answer.json()["role"], answer.json()["granted_role"]) == (200, TECHNICAL, BUSINESS)
    assert answer.json()["note"] == "Edda stays Technical User, through the tenant role editor."
    left = company.remove("edda")
    assert left.status_code == 200
    assert left.json() == {"role": TECHNICAL, "note": "Edda stays Technical User, through the tenant role editor."}
    assert company.member("edda")["granted_role"] is None


def test_removing_a_member_takes_the_project_and_leaves_the_tenant(company: Company) -> None:
    left = company.remove("tim")
    assert (left.status_code, left.json()) == (200, {"role": None, "note": None})
    assert company.as_("tim").get(company.at).status_code == 404
    assert company.as_("tim").get("/api/v1/projects").json()["items"] == []
    assert company.remove("tim").status_code == 404
    with company.database.read() as session:
        (entry,) = session.scalars(select(AuditEntry).where(AuditEntry.action == "remove_project_member", DONE))
        assert entry.before == {"role": TECHNICAL, "expires_at": None}
        assert (entry.after, entry.about_id) == (None, company.id("tim"))


def test_a_role_somebody_else_changed_meanwhile_is_not_changed(company: Company) -> None:
    path = f"{company.at}/members/{company.id('bea')}"
    seen = company.as_("ann").get(path).headers["ETag"]
    assert company.change_role("bea", ADMIN, by="olga").status_code == 200
    for answer in (
        company.as_("ann").patch(path, json={"role": TECHNICAL}, headers={"If-Match": seen}),
        company.as_("ann").delete(path, headers={"If-Match": seen}),
    ):
        assert answer.status_code == 409
    assert company.member("bea")["role"] == ADMIN


def test_a_member_removed_from_the_tenant_is_out_of_the_project_for_good(company: Company) -> None:
    assert company.as_("olga").delete(f"/api/v1/members/{company.id('tim')}").status_code == 200
    assert "Tim" not in names(company)
    assert company.as_("olga").get(f"{company.at}/members/{company.id('tim')}").status_code == 404


@pytest.mark.parametrize("role", ["none", "Owner", "", None, 3])
def test_only_the_three_roles_can_be_granted(company: Company, role: Any) -> None:
    answer = company.as_("ann").patch(f"{company.at}/members/{company.id('bea')}", json={"role": role})
    assert answer.status_code == 422
