"""From a closed door to an open one: asked by name, decided by who can give it, and a reasoned no."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from playwright.sync_api import expect
from sqlalchemy import select

from bailiwick.demo import people as p
from bailiwick.demo.story import member_of
from bailiwick.lakehouse.models import Table
from bailiwick.tenancy.models import Member
from tests.e2e.conftest import House, Window
from tests.e2e.journeys import choose, time_is_up
from tests.lakehouse.making import make_grant, make_table


@dataclass(frozen=True)
class Two:
    nina: Member
    tessa: Member
    table: str


@pytest.fixture
def two(house: House) -> Two:
    """Nina, who sees nothing, and Tessa, who manages one table."""
    with house.database.session() as session:
        nina, tessa = member_of(session, p.NINA), member_of(session, p.TESSA)
        make_grant(session, make_table(session, "salaries", rows=3), tessa, "Manager")
    return Two(nina, tessa, "raw.salaries")


def ask(window: Window, table: str) -> None:
    page = window.page
    page.get_by_role("link", name="Requests", exact=True).click()
    expect(page.get_by_text("You have asked for nothing")).to_be_visible()
    page.get_by_role("button", name="Ask for access").click()
    page.get_by_label("Its name").fill(table)
    page.get_by_label("Why").fill("I build the payroll report.")
    window.look()
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.get_by_role("heading", name=f"Viewer on table {table}")).to_be_visible()
    expect(page.get_by_text("waiting", exact=True)).to_be_visible()


def test_who_asks_is_given_it_and_sees_it_until_the_time_is_up(window: Window, another: Window, two: Two) -> None:
    window.sign_in(two.nina)
    ask(window, two.table)
    window.look()

    another.sign_in(two.tessa)
    another.page.get_by_role("link", name="Requests 1 wait for your decision").click()
    another.page.get_by_text("Waiting for me (1)", exact=True).click()
    another.page.get_by_role("link", name=f"Viewer on table {two.table}").click()
    page = another.page
    expect(page.get_by_text("I build the payroll report.")).to_be_visible()
    expect(page.get_by_role("region", name="Who asks")).to_contain_text(f"{two.nina.name} {two.nina.email}")
    expect(page.get_by_role("region", name="Who asks")).to_contain_text("Has no level there yet")
    expect(page.get_by_role("region", name="Who gains and loses what")).to_contain_text("1 person gains")
    expect(page.get_by_role("combobox", name="For how long")).to_have_value("as asked for")
    expect(page.get_by_role("link", name=two.table)).to_be_visible()
    another.look()
    choose(page, "For how long", "for 7 days")
    page.get_by_role("button", name="Give it").click()
    expect(page.get_by_text("granted", exact=True)).to_be_visible()
    expect(page.get_by_text(f"{two.tessa.name} gave Viewer until")).to_be_visible()
    expect(page.get_by_text("Asked until", exact=True)).to_be_visible()  # which was a month
    expect(page.get_by_role("link", name="Requests", exact=True)).to_be_visible()  # and nothing waits any more
    another.look()

    # Nina sees the table, and of its layer nothing else: she has no level there.
    window.page.get_by_role("link", name="Layers", exact=True).click()
    expect(window.page.get_by_role("row", name="raw")).to_contain_text("only on some of it")
    window.look()
    window.page.get_by_role("link", name="Home", exact=True).click()
    changed = window.page.get_by_role("region", name="What changed for you")
    expect(changed).to_contain_text(f"gave you Viewer on {two.table}, as you had asked, for a time")
    expect(window.page.get_by_role("region", name="Your data")).to_contain_text("only on some of it")
    window.page.get_by_role("link", name="Tables", exact=True).click()
    expect(window.page.get_by_role("link", name=two.table)).to_be_visible()

    # It ends by itself: what she had on her screen leads nowhere any more, and nothing of it is left.
    time_is_up(window.house, two.nina)
    window.expected = ["404"]
    window.page.get_by_role("link", name=two.table).click()
    expect(window.page.get_by_role("heading", name="There is no such page")).to_be_visible()
    window.page.get_by_role("link", name="Go to Tables").click()
    expect(window.page.get_by_text("No table to see yet")).to_be_visible()
    window.page.get_by_role("link", name="Layers", exact=True).click()
    expect(window.page.get_by_role("row", name="raw")).to_have_count(0)
    window.page.get_by_role("link", name="Requests", exact=True).click()
    expect(window.page.get_by_role("row", name=f"Viewer on table {two.table}")).to_contain_text("ended")
    window.look()


def test_a_no_comes_with_its_reason(window: Window, another: Window, two: Two) -> None:
    window.sign_in(two.nina)
    ask(window, two.table)
    another.sign_in(two.tessa)
    another.go("/requests?which=waiting")
    another.page.get_by_role("link", name=f"Viewer on table {two.table}").click()
    another.page.get_by_label("Or decline").fill("Ask for the monthly sums instead.")
    another.page.get_by_role("button", name="Decline").click()
    expect(another.page.get_by_text("declined", exact=True)).to_be_visible()
    window.page.reload()
    expect(window.page.get_by_text("Ask for the monthly sums instead.")).to_be_visible()
    window.look()


def test_a_table_that_is_not_there_is_asked_for_like_one_that_is(window: Window, two: Two) -> None:
    """Found nowhere, it is asked for from where it was looked for."""
    page = window.page
    window.sign_in(two.nina)
    for name in (two.table, "raw.there_is_no_such_table"):
        if name == two.table:
            page.keyboard.press("Control+k")
            page.get_by_label("Go to", exact=True).fill(name)
            page.get_by_role("button", name=f"Ask for access to {name}").click()
        else:
            window.go("/access?part=check&type=table")
            page.get_by_role("combobox", name="Which one").fill(name)
            expect(page.get_by_text("You see no table that is called so")).to_be_visible()
            window.look()
            page.get_by_role("link", name=f"Ask for access to {name}").click()
        expect(page.get_by_role("dialog", name="Ask for access").get_by_label("Its name")).to_have_value(name)
        page.get_by_label("Why").fill("I build the payroll report.")
        window.look()
        page.get_by_role("button", name="Ask", exact=True).click()
        expect(page.get_by_role("heading", name=f"Viewer on table {name}")).to_be_visible()
    page.get_by_role("button", name="Withdraw it").click()
    expect(page.get_by_text("withdrawn", exact=True)).to_be_visible()


def test_whoever_has_nothing_is_led_to_the_form(window: Window, two: Two) -> None:
    page, form = window.page, window.page.get_by_role("dialog", name="Ask for access")
    window.sign_in(two.nina)
    for link, kind in (("ask for it", "A table"), ("ask for a role", "A project")):
        page.get_by_role("link", name=link).click()
        expect(form.get_by_role("combobox", name="Of what")).to_have_value(kind)
        expect(form.get_by_label("Its name")).to_have_value("")
        page.keyboard.press("Escape")
        expect(form).to_have_count(0)
        page.get_by_role("link", name="Home", exact=True).click()
    page.get_by_role("link", name="Projects", exact=True).click()
    page.get_by_role("link", name="Ask for access").click()
    expect(form.get_by_role("combobox", name="Of what")).to_have_value("A project")
    window.look()


def test_a_control_out_of_reach_says_why_and_leads_to_asking(window: Window, another: Window, two: Two) -> None:
    with window.house.database.session() as session:
        table = session.scalars(select(Table).where(Table.name == two.table.removeprefix("raw."))).one()
        make_grant(session, table, two.nina, "Viewer")
    page = window.page
    window.sign_in(two.nina)
    page.get_by_role("link", name="Tables", exact=True).click()
    page.get_by_role("link", name=two.table).click()
    expect(page.get_by_role("button", name="Describe")).to_be_disabled()
    page.get_by_role("button", name="Why?").first.click()
    expect(page.get_by_text("level Editor (it is Viewer)")).to_be_visible()
    expect(page.get_by_text("row “Change descriptions”")).to_be_visible()
    window.look()
    page.get_by_role("button", name="Ask for Editor").click()
    page.get_by_label("Why", exact=False).last.fill("I know what the columns mean.")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.get_by_role("heading", name=f"Editor on table {two.table}")).to_be_visible()

    another.sign_in(two.tessa)
    another.go("/requests?which=waiting")
    another.page.get_by_role("link", name=f"Editor on table {two.table}").click()
    # Viewer for good would become Editor for a month, and then nothing: that is said, and has to be meant.
    warned = another.page.get_by_role("alert").filter(has_text="at its end nothing is left")
    expect(warned).to_be_visible()
    another.page.get_by_role("button", name="Give it").click()
    another.expected = ["409"]
    expect(another.page.get_by_text("Choose an end, or none, to grant it so")).to_be_visible()
    another.look()
    choose(another.page, "For how long", "for good")
    another.page.get_by_role("button", name="Give it").click()
    expect(another.page.get_by_text("granted", exact=True)).to_be_visible()

    page.get_by_role("link", name="Tables", exact=True).click()
    page.get_by_role("link", name=two.table).click()
    page.get_by_role("button", name="Describe").click()
    page.get_by_label("The table").fill("Who earns what.")
    window.look()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Who earns what.").first).to_be_visible()
