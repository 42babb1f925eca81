"""What was asked for by a name before there was such a thing: it reaches those who decide once there is."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import delete

from bailiwick.database.base import utc_now
from bailiwick.database.engine import DatabaseUnavailable
from bailiwick.lakehouse.models import Table
from bailiwick.projects.models import Project
from bailiwick.requests import arriving
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


@pytest.mark.parametrize("asked_for", ["project:Marketing", "landing", "landing.orders", "volume:landing.files"])
def test_what_was_there_before_and_is_renamed_was_not_meant(
    company: Company, settings: Settings, sales: Project, asked_for: str
) -> None:
    with company.later(minutes=5):
        asked(company, "nora", asked_for, "Business User" if ":M" in asked_for else "Viewer")
        renamed = company.as_("adam").patch(f"{API}/layers/{company.raw.id}", json={"name": "landing"})
        assert renamed.status_code == 200, renamed.text
        renamed = company.as_("adam").patch(f"{API}/projects/{sales.id}", json={"name": "marketing"})
        assert renamed.status_code == 200, renamed.text
        find(company, settings)
        assert waiting(company, "adam") == []
    assert told(company) == set()


def test_what_is_renamed_does_not_stand_before_what_is_made(
    company: Company, settings: Settings, sales: Project
) -> None:
    with company.later(minutes=5):
        project, table = (
            asked(company, "nora", name, wanted)
            for name, wanted in (("project:Marketing", "Admin"), ("landing.new", "Viewer"))
        )
        company.as_("adam").patch(f"{API}/layers/{company.raw.id}", json={"name": "landing"})
        new = make(company, "table", "new")
        with company.database.session() as session:
            session.get_one(Project, sales.id).name = "Marketing"
        made = make(company, "project", "MARKETING")
        find(company, settings)
        assert see(company, "adam", table).json()["resource"]["id"] == str(new.id)
        assert see(company, "adam", project).json()["resource"]["id"] == str(made.id)


def test_what_was_made_in_the_same_moment_is_meant(company: Company, settings: Settings) -> None:
    """Who asked did not see it yet: it was not committed."""
    request = asked(company, "nora", "raw.at_once")
    table = make(company, "table", "at_once")
    with company.database.session() as session:
        session.get_one(Table, table.id).created_at = utc_now() - timedelta(seconds=50)
    find(company, settings)
    assert waiting(company, "mia") == [request["id"]]


def test_what_is_given_is_told_by_the_name_it_has(company: Company, settings: Settings) -> None:
    request = asked(company, "nora", "project:marketing", "Business User")
    project = make(company, "project", "Marketing")
    find(company, settings)
    company.as_("adam").patch(f"{API}/projects/{project.id}", json={"name": "Research"})
    assert do(company, "mia", "grant", request).status_code == 200
    (message,) = mail(company, "nora")
    assert "Research" in (message.text or "")
    assert "marketing" not in (message.text or "").lower()


def test_what_one_saw_is_not_granted_on_what_took_its_name(company: Company, settings: Settings) -> None:
    """The version is the same, so that who asked does not learn of it."""
    request = asked(company, "nora", "raw.orders")
    seen = see(company, "mia", request).json()["resource"]["id"]
    with company.database.session() as session:
        session.execute(delete(Table).where(Table.id == company.orders.id))
    again = make(company, "table", "orders")
    find(company, settings)
    stale = do(company, "mia", "grant", request, resource_id=seen)
    assert (stale.status_code, "Read it again" in stale.json()["detail"]) == (409, True)
    assert waiting(company, "mia") == [request["id"]]
    assert do(company, "mia", "grant", request, resource_id=str(again.id)).json()["state"] == "granted"


def test_one_that_fails_does_not_hold_up_the_others(
    company: Company, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = asked(company, "nora", "raw.bad"), asked(company, "nora", "raw.good")
    make(company, "table", "bad")
    make(company, "table", "good")

    def failing(*given: Any) -> None:
        if given[2].name == "raw.bad":
            raise problem

    monkeypatch.setattr(arriving, "tell_deciders", failing)
    problem: Exception = DatabaseUnavailable("Too busy.")
    with pytest.raises(DatabaseUnavailable):
        find(company, settings)
    assert waiting(company, "mia") == []
    problem = ValueError("a bug")
    find(company, settings)
    assert waiting(company, "mia") == [good["id"]]
    monkeypatch.undo()
    find(company, settings)
    assert waiting(company, "mia") == [good["id"], bad["id"]]


def test_what_is_looked_for_is_what_is_found(company: Company, settings: Settings) -> None:
    """However the database makes letters small: none is said to be there and then not found, again and again."""
    exact, _ = (asked(company, "nora" if n == "ÖL" else "vic", f"project:{n}", "Admin") for n in ("ÖL", "öl"))
    make(company, "project", "ÖL")
    find(company, settings)
    assert exact["id"] in waiting(company, "adam")
    with company.database.read() as session:
        assert list(arriving._come(session)) == []


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
