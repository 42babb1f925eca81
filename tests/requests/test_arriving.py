"""What was asked for by a name before there was such a thing: it reaches those who decide once there is."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import delete

from bailiwick.lakehouse.models import Table
from bailiwick.projects.models import Project
from bailiwick.requests.arriving import find_what_came
from bailiwick.settings import Settings
from bailiwick.tenancy.models import Member, MemberState
from tests.lakehouse.company import API, Company
from tests.lakehouse.making import make_layer, make_table, make_volume
from tests.people import make_project
from tests.requests.asking import AT, ask, asked, do, listed, mail, see, told, waiting


def find(company: Company, settings: Settings) -> None:
    find_what_came(company.database, settings)


def make(company: Company, kind: str, name: str, layer: Any = None) -> Any:
    with company.database.session() as session:
        if kind == "layer":
            return make_layer(session, name)
        if kind == "project":
            return make_project(session, name, company.people["olga"], {company.people["mia"]: "Admin"})
        make_it = make_table if kind == "table" else make_volume
        return make_it(session, name, layer=layer or company.raw)


@pytest.mark.parametrize(
    ("asked_for", "kind", "name", "wanted", "decided_by"),
    [
        ("raw.Invoices", "table", "invoices", "Viewer", "mia"),
        ("volume:raw.scans", "volume", "scans", "Editor", "mia"),
        ("finance", "layer", "finance", "Viewer", "adam"),
        ("project:Marketing", "project", "Marketing", "Business User", "mia"),
        ("project:marketing", "project", "Marketing", "Business User", "mia"),
    ],
)
def test_it_reaches_those_who_can_give_it_once_it_is_there(
    company: Company, settings: Settings, asked_for: str, kind: str, name: str, wanted: str, decided_by: str
) -> None:
    request = asked(company, "nora", asked_for, wanted)
    find(company, settings)
    assert told(company) == set()
    assert waiting(company, decided_by) == waiting(company, "adam") == []
    before = see(company, "nora", request)
    thing = make(company, kind, name)
    find(company, settings)
    find(company, settings)
    assert waiting(company, decided_by) == waiting(company, "adam") == [request["id"]]
    assert see(company, decided_by, request).json()["resource"]["id"] == str(thing.id)
    assert len(mail(company, decided_by)) == 1
    # Whoever asked learns nothing by it, not even that anything happened.
    after = see(company, "nora", request)
    assert (after.json(), after.headers["ETag"]) == (before.json(), before.headers["ETag"])
    assert len(company.as_("nora").get(f"{API}/audit", params={"resource_id": request["id"]}).json()["items"]) == 1
    granted = do(company, decided_by, "grant", request)
    assert (granted.status_code, granted.json()["state"]) == (200, "granted")
    assert see(company, "nora", request).json()["resource"]["id"] == str(thing.id)


def test_a_layer_that_takes_the_name_brings_its_tables(company: Company, settings: Settings) -> None:
    request = asked(company, "nora", "landing.orders")
    company.as_("adam").patch(f"{API}/layers/{company.raw.id}", json={"name": "landing"})
    find(company, settings)
    assert waiting(company, "mia") == [request["id"]]


def test_what_is_made_anew_after_it_was_deleted_is_meant_again(company: Company, settings: Settings) -> None:
    """To who asked it waited all the time, and now it does so for those who decide too."""
    request = asked(company, "nora", "raw.orders")
    seen = asked(company, "vic", "raw.orders", "Editor")
    with company.database.session() as session:
        session.execute(delete(Table).where(Table.id == company.orders.id))
    assert waiting(company, "mia") == []
    again = make(company, "table", "orders")
    find(company, settings)
    assert waiting(company, "mia") == [request["id"]]
    assert see(company, "mia", request).json()["resource"]["id"] == str(again.id)
    assert see(company, "vic", seen).json()["state"] == "lapsed"  # it meant what they saw


def test_what_waits_no_longer_is_left_alone(company: Company, settings: Settings) -> None:
    withdrawn, late, gone = (asked(company, "nora", f"raw.{name}") for name in ("a", "b", "c"))
    do(company, "nora", "withdraw", withdrawn)
    make(company, "table", "a")
    find(company, settings)
    make(company, "table", "b")
    with company.later(days=31):
        find(company, settings)
    with company.database.session() as session:
        session.get_one(Member, company.id("nora")).state = MemberState.SUSPENDED
    make(company, "table", "c")
    find(company, settings)
    assert told(company) == set()
    with company.database.session() as session:
        session.get_one(Member, company.id("nora")).state = MemberState.ACTIVE
    find(company, settings)
    assert set(waiting(company, "mia")) == {late["id"], gone["id"]}


def test_on_starter_nobody_hears_of_levels(company: Company, settings: Settings) -> None:
    data, role = asked(company, "nora", "raw.later"), asked(company, "nora", "project:Later", "Admin")
    company.change_plan("starter")
    make(company, "table", "later")
    make(company, "project", "Later")
    find(company, settings)
    assert listed(company, "adam") == [role["id"]]
    company.change_plan("growth")
    find(company, settings)
    assert waiting(company, "mia") == [role["id"], data["id"]]


def test_two_who_look_at_once_tell_once(company: Company, settings: Settings) -> None:
    for number in range(5):
        asked(company, "nora", f"raw.t{number}")
        make(company, "table", f"t{number}")
    with ThreadPoolExecutor(2) as two:
        list(two.map(lambda _: find(company, settings), range(2)))
    assert len(mail(company, "mia")) == 5


def test_a_hidden_thing_and_one_that_comes_are_answered_alike(
    company: Company, settings: Settings, sales: Project
) -> None:
    """All that Nora is told of a request, whether it was there all the time, came meanwhile, or never did."""

    def story(name: str) -> list[tuple[int, str | None, list[str] | None]]:
        answers = [ask(company, "nora", name)]
        request = answers[0].json()
        if name == "raw.comes":
            make(company, "table", "comes")
        find(company, settings)
        answers += [see(company, "nora", request), ask(company, "nora", name), do(company, "nora", "grant", request)]
        answers += [company.as_("nora").get(AT, params={"state": "waiting"}), do(company, "nora", "withdraw", request)]
        bodies = [answer.json() for answer in answers]
        return [
            (answer.status_code, answer.headers.get("ETag"), body.get("actions"))
            for answer, body in zip(answers, bodies, strict=True)
        ]

    assert story("raw.comes") == story("raw.orders") == story("raw.never")
