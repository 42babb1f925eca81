"""One's own account: a token that is made, used and revoked; a name and a time zone; sessions."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import expect

from bailiwick.demo import people as p
from bailiwick.demo.story import member_of
from bailiwick.tenancy.models import Member
from tests.e2e.conftest import House, Window


@pytest.fixture
def ben(house: House) -> Member:
    with house.database.read() as session:
        return member_of(session, p.BEN)


def test_a_token_works_from_when_it_is_made_until_it_is_revoked(window: Window, house: House, ben: Member) -> None:
    page = window.page
    window.sign_in(ben)
    page.get_by_role("button", name=f"{ben.name}: account").click()
    page.get_by_role("menuitem", name="Your account").click()
    page.get_by_role("tab", name="API tokens").click()
    page.get_by_label("What it is for").fill("Nightly job")
    page.get_by_role("button", name="Make a token").click()
    secret = page.get_by_role("status").locator("code").inner_text()
    window.look()

    def used() -> int:
        return httpx.get(f"{house.address}/api/v1/me", headers={"Authorization": f"Bearer {secret}"}).status_code

    assert used() == 200
    page.get_by_role("button", name="Revoke the token Nightly job").click()
    expect(page.get_by_role("dialog")).to_contain_text("Whatever uses this token is refused")
    window.look()
    page.get_by_role("button", name="Revoke Nightly job", exact=True).click()
    expect(page.get_by_text("You have no token")).to_be_visible()
    assert used() == 401


def test_a_changed_name_and_time_zone_are_used_at_once(window: Window, ben: Member) -> None:
    page = window.page
    window.sign_in(ben)
    window.go("/account")
    page.get_by_role("tab", name="Profile").press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("Go to a page")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_have_count(0)
    expect(page.get_by_role("tab", name="Profile")).to_be_focused()
    page.get_by_role("textbox", name="Name").press("Control+k")
    expect(page.get_by_label("Go to", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    page.get_by_role("textbox", name="Name").fill("Benedict Walsh")
    page.get_by_role("combobox", name="Time zone").click()
    page.keyboard.type("Lisbon")  # in place of the one that stands there
    page.get_by_role("option", name="Europe/Lisbon").click()
    window.look()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="Benedict Walsh: account")).to_be_visible()
    expect(page.get_by_role("banner")).to_contain_text("Times are in Europe/Lisbon")
    window.go("/requests")
    window.go("/account?part=sessions")
    expect(page.get_by_text("this one")).to_be_visible()  # and the one in which he once joined
    page.get_by_role("button", name="End it").click()
    expect(page.get_by_role("dialog")).to_contain_text("signed out at once")
    window.look()
    page.get_by_role("dialog").get_by_role("button", name="End it").click()
    expect(page.get_by_role("button", name="End it")).to_have_count(0)
