"""Coming in: by password, by a link that is confirmed and works once, and to the page one wanted."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from bailiwick.demo import people as p
from bailiwick.demo.story import member_of
from bailiwick.tenancy.links import link_to, make_link
from bailiwick.tenancy.models import LinkPurpose, Member
from bailiwick.tenancy.passwords import hash_password
from tests.e2e.conftest import House, Window
from tests.lakehouse.making import make_grant, make_table

PASSWORD = "correct horse battery"


@pytest.fixture
def ben(house: House) -> Member:
    """Without a role in the tenant, he sees one table of two."""
    with house.database.session() as session:
        ben = member_of(session, p.BEN)
        ben.password_hash = hash_password(PASSWORD)
        make_table(session, "hidden", rows=7)
        make_grant(session, make_table(session, "orders", rows=12_345), ben, "Viewer")
        return ben


def test_a_password_leads_to_the_page_that_was_asked_for(window: Window, ben: Member) -> None:
    page = window.page
    window.go("/tables")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.get_by_label("E-mail address").fill(ben.email)
    page.get_by_label("Password").first.fill(PASSWORD)
    window.look()
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Tables")).to_be_visible()
    expect(page.get_by_role("link", name="raw.orders")).to_be_visible()
    expect(page.get_by_text("12,345")).to_be_visible()
    expect(page.get_by_text("hidden")).to_have_count(0)
    window.look()
    page.get_by_role("link", name="raw.orders").click()
    expect(page.get_by_role("heading", name="raw.orders")).to_be_visible()
    window.look()


def test_a_wrong_password_is_said_to_be_wrong_and_nothing_else(window: Window, ben: Member) -> None:
    window.expected = ["401"]
    page = window.page
    window.go("/sign-in")
    page.get_by_label("E-mail address").fill(ben.email)
    page.get_by_label("Password").first.fill("something else entirely")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("password")
    window.look()


def test_a_link_is_confirmed_and_works_once(window: Window, house: House, ben: Member) -> None:
    window.expected = ["410"]
    with house.database.session() as session:
        secret = make_link(session, session.get_one(Member, ben.id), LinkPurpose.SIGN_IN)
    link = link_to(house.settings, LinkPurpose.SIGN_IN, secret).partition(":")[2]
    path = "/" + re.sub(r"^//[^/]+/", "", link)
    page = window.page
    window.go(path)
    expect(page.get_by_text("The link works once.")).to_be_visible()
    assert "#" not in page.url  # neither the history nor whoever looks over the shoulder keeps it
    window.look()
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name=f"Hello, {ben.name.split()[0]}")).to_be_visible()
    window.look()
    page.get_by_role("button", name=f"{ben.name}: account").click()
    page.get_by_role("menuitem", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    window.go(path)
    expect(page.get_by_role("alert")).to_contain_text("link")


def test_who_may_not_see_the_directory_is_told_so(window: Window, ben: Member) -> None:
    window.expected = ["403"]
    page = window.page
    window.go("/members")
    page.get_by_label("E-mail address").fill(ben.email)
    page.get_by_label("Password").first.fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Members")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("“See members” is not for you here")
    expect(page.get_by_role("alert")).to_contain_text("It takes tenant role admin (it is none)")
    expect(page.get_by_role("searchbox")).to_have_count(0)  # nor is there anything to be looked for
    expect(page.get_by_role("navigation", name="Pages").get_by_role("link", name="Members")).to_have_count(0)
    window.look()
