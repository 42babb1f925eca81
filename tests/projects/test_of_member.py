"""The projects that somebody is in, for whoever is in them too."""

from __future__ import annotations

from typing import Any

from bailiwick.tenancy.models import MemberState
from tests.people import make_member, make_project
from tests.projects.company import BUSINESS, TECHNICAL, Company


def projects_of(company: Company, name: str, seen_by: str, **query: Any) -> Any:
    return company.as_(seen_by).get(f"/api/v1/members/{company.id(name)}/projects", params=query)


def said(company: Company, name: str, seen_by: str) -> list[tuple[str, str, list[str]]]:
    """Each project, the role in it and where it comes from."""
    items = projects_of(company, name, seen_by).json()["items"]
    return [
        (one["project"]["name"], one["there"]["role"], [origin["source"] for origin in one["there"]["origins"]])
        for one in items
    ]


def test_owners_see_all_of_them_with_every_origin_and_others_those_they_share(company: Company) -> None:
    with company.database.session() as session:
        make_project(session, "Atlas", company.people["olga"], {company.people["gus"]: TECHNICAL})
    both = said(company, "gus", "olga")
    assert [name for name, _, _ in both] == ["Atlas", company.sales.name]
    assert both[0][1:] == (TECHNICAL, ["grant"])
    assert both[1][2] == ["group"]
    assert [name for name, _, _ in said(company, "gus", "ann")] == [company.sales.name]
    assert said(company, "gus", "gus") == both


def test_an_inherited_role_is_in_every_project_and_pages_hold_each_once(company: Company) -> None:
    with company.database.session() as session:
        for name in ("Atlas", "Birch"):
            make_project(session, name, company.people["olga"])
    found, cursor = [], None
    while True:
        page = projects_of(company, "edda", "olga", limit=1, **({"cursor": cursor} if cursor else {})).json()
        found += [one["project"]["name"] for one in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert found == ["Atlas", "Birch", company.sales.name]


def test_of_who_is_invited_the_role_to_come_is_shown_and_of_who_is_gone_nothing(company: Company) -> None:
    with company.database.session() as session:
        company.people["ivy"] = make_member(session, "Ivy", state=MemberState.INVITED)
        company.people["rex"] = make_member(session, "Rex", state=MemberState.REMOVED)
        make_project(session, "Atlas", company.people["olga"], {company.people["ivy"]: BUSINESS})
    assert said(company, "ivy", "olga") == [("Atlas", BUSINESS, ["grant"])]
    assert said(company, "rex", "olga") == []


def test_whom_one_does_not_see_one_learns_nothing_of(company: Company) -> None:
    with company.database.session() as session:
        company.people["sam"] = make_member(session, "Sam")
    assert projects_of(company, "ann", "sam").status_code == 404
    assert said(company, "sam", "sam") == []
