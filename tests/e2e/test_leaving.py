"""Whoever leaves takes along what they saw: the next person, and the same one without a session, find nothing of it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from bailiwick.demo import people as p
from bailiwick.demo.story import member_of
from bailiwick.tenancy.models import Member
from tests.e2e.conftest import House, Window

DROP = """async () => {
    const answer = await fetch("/api/v1/view-as", { method: "DELETE", headers: { "X-CSRF-Token": "csrf" } });
    return answer.status;
}"""


@pytest.fixture
def olivia(house: House) -> Member:
    with house.database.read() as session:
        return member_of(session, p.OLIVIA)


@pytest.fixture
def nina(house: House) -> Member:
    with house.database.read() as session:
        return member_of(session, p.NINA)


def test_a_session_that_ended_elsewhere_leads_to_signing_in_and_back(window: Window, olivia: Member) -> None:
    page = window.page
    window.sign_in(olivia)
    page.get_by_role("link", name="Members", exact=True).click()
    expect(page.get_by_text(olivia.email)).to_be_visible()
    page.get_by_role("link", name="Runs", exact=True).click()
    expect(page.get_by_role("heading", name="Runs")).to_be_visible()
    page.wait_for_load_state("networkidle")
    window.expected = ["401"]
    page.context.clear_cookies()
    page.get_by_role("link", name="Members", exact=True).click()
    expect(page).to_have_url(re.compile(r"/sign-in\?to=%2Fmembers"))
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    expect(page.get_by_text(olivia.email)).to_have_count(0)


def test_what_one_wrote_is_not_there_for_the_next_person(window: Window, olivia: Member, nina: Member) -> None:
    page = window.page
    window.sign_in(olivia)
    window.go("/sql")
    page.locator(".cm-content").fill("select 'only for olivia'")
    page.reload()
    expect(page.locator(".cm-content")).to_contain_text("only for olivia")
    page.get_by_role("button", name=f"{olivia.name}: account").click()
    page.get_by_role("menuitem", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    window.sign_in(nina)
    window.go("/sql")
    expect(page.locator(".cm-content")).to_be_visible()
    expect(page.locator(".cm-content")).not_to_contain_text("only for olivia")


def test_a_viewing_that_ended_elsewhere_says_so_and_shows_nothing_of_it(
    window: Window, olivia: Member, nina: Member
) -> None:
    page = window.page
    window.sign_in(olivia)
    window.go(f"/members/{nina.id}")
    page.get_by_role("button", name="View as").click()
    banner = page.get_by_label("Viewing as another member")
    expect(banner).to_contain_text(nina.name)
    window.expected = ["403"]
    assert page.evaluate(DROP) == 204
    page.get_by_role("link", name="Projects", exact=True).click()
    expect(banner).to_have_count(0)
    expect(page.get_by_text("you are yourself again")).to_be_visible()
    expect(page.get_by_role("button", name=f"{olivia.name}: account")).to_be_visible()


@pytest.mark.parametrize(
    ("path", "back"),
    [("/tables/x", "Tables"), ("/runs/0199c0de-0000-7000-8000-000000000001", "Runs"), ("/no/where", "")],
)
def test_what_is_not_there_says_so_and_leads_home(window: Window, nina: Member, path: str, back: str) -> None:
    window.sign_in(nina)
    window.expected = ["404", "422"]
    window.go(path)
    page = window.page
    expect(page.get_by_role("heading", name="There is no such page")).to_be_visible()
    expect(page.get_by_role("navigation", name="Pages")).to_be_visible()  # the frame stays
    if back:
        page.get_by_role("link", name=f"Go to {back}").click()
        expect(page.get_by_role("heading", name=back)).to_be_visible()
        page.go_back()
    page.get_by_role("link", name="Go home").click()
    expect(page.get_by_role("heading", name="Hello")).to_be_visible()
