"""The SQL editor: a question is written, asked, drawn and kept; stopped; refused, asked for and given; and mistaken."""

from __future__ import annotations

import re
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, expect

from bailiwick.tenancy.models import Member
from tests.e2e.conftest import House, Window
from tests.e2e.journeys import time_is_up
from tests.lakehouse.making import make_grant, make_layer
from tests.people import make_member

SPARK = 240_000  # milliseconds: for a run of Spark on a busy machine


@pytest.fixture
def word() -> str:
    return uuid4().hex[:8]


@pytest.fixture
def anna(house: House, word: str) -> Member:
    """She reads what lies in the layer service, and nothing else."""
    with house.database.session() as session:
        anna = make_member(session, f"Anna {word}")
        make_grant(session, make_layer(session, "service"), anna, "Viewer")
        return anna


def editor(page: Page) -> Locator:
    return page.get_by_role("textbox", name="SQL", exact=True)


def write(page: Page, sql: str) -> None:
    """In place of what stands there."""
    editor(page).click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(sql)


def run(page: Page) -> None:
    page.keyboard.press("ControlOrMeta+Enter")


def rows(page: Page) -> Locator:
    return page.get_by_role("grid", name="Rows of the result")


def take_offer(page: Page, begun: str, offer: str) -> None:
    """Write the beginning, and choose what the editor offers."""
    page.keyboard.type(begun)
    page.get_by_role("option", name=offer).first.click()


def test_a_question_is_written_asked_drawn_kept_and_found_again(
    window: Window, anna: Member, word: str, tmp_path: Path
) -> None:
    page = window.page
    window.sign_in(anna)
    page.get_by_role("link", name="SQL", exact=True).click()
    expect(page.get_by_text("What comes of it is shown here")).to_be_visible()
    window.look()

    # Written with what the editor offers: a layer's table, and its columns under the name it was given.
    editor(page).click()
    page.keyboard.press("ControlOrMeta+k")
    expect(page.get_by_label("Go to", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_label("Go to", exact=True)).to_be_hidden()  # nothing takes the keys away any more
    expect(editor(page)).to_be_focused()
    page.keyboard.type("select d.shop, sum(d.turnover) as turnover from ")
    take_offer(page, "service.da", "service.daily_sales")
    page.keyboard.type(" as d where d.")
    expect(page.get_by_role("option", name="d.category")).to_be_visible()
    window.look()
    take_offer(page, "sold", "d.sold_on")
    page.keyboard.type(" is not null\ngroup by all order by turnover desc limit 5")
    page.keyboard.press("Escape")
    run(page)
    expect(page.get_by_text("5 rows", exact=True)).to_be_visible(timeout=SPARK)
    expect(rows(page)).to_have_attribute("aria-rowcount", "6")
    rows(page).focus()
    page.keyboard.press("ArrowDown")
    window.look()
    nothing_shines_through_the_head(page)

    chart_of(window)
    with page.expect_download() as downloaded:
        page.get_by_role("button", name="Download").click()
        page.get_by_role("menuitem", name="CSV").click()
    file = tmp_path / "result.csv"
    downloaded.value.save_as(file)
    head, *lines = file.read_text().splitlines()
    assert head == "shop,turnover"
    assert len(lines) == 5

    saved_and_found_again(window, word)


def nothing_shines_through_the_head(page: Page) -> None:
    """Rows go under it: in light and in dark it has a ground, and so has the corner over the numbers of the rows."""
    head = rows(page).locator("thead")
    for colours in ("dark", "light"):
        page.emulate_media(color_scheme=colours)
        for one in (head, head.get_by_role("columnheader").first):
            expect(one).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")


def chart_of(window: Window) -> None:
    page = window.page
    page.get_by_text("Chart", exact=True).click()
    expect(page.get_by_role("figure", name="Bars: turnover by shop.")).to_be_visible()
    expect(page.locator("figure .mark-rect path")).to_have_count(5)
    page.get_by_text("Points", exact=True).click()
    expect(page.get_by_role("figure", name="Points: turnover by shop.")).to_be_visible()
    window.look()
    assert "chart=" in page.url
    page.reload()  # the choice is in the address
    expect(page.get_by_role("figure", name="Points: turnover by shop.")).to_be_visible()


def saved_and_found_again(window: Window, word: str) -> None:
    page, name = window.page, f"Best shops {word}"
    editor(page).click()
    page.keyboard.press("ControlOrMeta+s")
    dialog = page.get_by_role("dialog", name="Save this query")
    dialog.get_by_label("Name").fill(name)
    expect(dialog.get_by_role("switch", name="Show it as a chart")).to_be_checked()
    window.look()
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_text(f"“{name}” is saved.")).to_be_visible(timeout=SPARK)
    expect(page).to_have_url(re.compile("saved="))

    # A change that is not saved yet outlives a reload, and a walk to another page.
    editor(page).click()
    page.keyboard.press("ControlOrMeta+End")
    page.keyboard.type(" -- for the board")
    expect(page.get_by_text("not saved")).to_be_visible()
    page.reload()
    expect(editor(page)).to_contain_text("for the board")
    page.get_by_role("link", name="Tables", exact=True).click()
    expect(page.get_by_role("heading", name="Tables")).to_be_visible()
    page.get_by_role("link", name="SQL", exact=True).click()
    expect(editor(page)).to_contain_text("for the board")
    editor(page).click()
    page.keyboard.press("ControlOrMeta+s")
    expect(page.get_by_text("not saved")).to_be_hidden(timeout=SPARK)

    page.get_by_role("button", name="New query").click()
    expect(editor(page)).not_to_contain_text("for the board")
    page.get_by_text("Saved", exact=True).click()
    page.get_by_role("searchbox", name="Find a saved query").fill(word)
    page.get_by_role("button", name=name).click()
    expect(editor(page)).to_contain_text("for the board")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text("5 rows", exact=True)).to_be_visible(timeout=SPARK)
    expect(page.get_by_role("figure", name="Points: turnover by shop.")).to_be_visible()  # as it was saved
    page.get_by_text("Lines", exact=True).click()
    expect(page.get_by_text("not saved")).to_be_visible()
    page.get_by_role("button", name=f"More about {name}").click()
    page.get_by_role("menuitem", name="Back to what is saved").click()
    expect(page.get_by_role("figure", name="Points: turnover by shop.")).to_be_visible()
    expect(page.get_by_text("not saved")).to_be_hidden()

    page.get_by_role("button", name=f"More about {name}").click()
    page.get_by_role("menuitem", name="Rename, describe, share").click()
    page.get_by_role("dialog").get_by_label("Name").fill(f"{name}, renamed")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    page.get_by_role("button", name=f"More about {name}, renamed").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("button", name="Delete it").click()
    expect(page.get_by_text(f"“{name}, renamed” is deleted.")).to_be_visible()

    # What was asked is in the history, with its rows.
    page.get_by_text("History", exact=True).click()
    page.get_by_role("complementary").get_by_role("button", name="for the board").first.click()
    expect(page.get_by_text("5 rows", exact=True)).to_be_visible()
    window.look()


def test_a_long_query_is_stopped(window: Window, anna: Member) -> None:
    page = window.page
    window.sign_in(anna)
    window.go("/sql")
    write(page, "select sum(id % 7) as s from range(100000000000000)")
    run(page)
    progress = page.get_by_role("region", name="Progress")
    expect(progress.get_by_text("It is running")).to_be_visible(timeout=SPARK)
    expect(progress.get_by_text("stages")).to_be_visible(timeout=SPARK)
    progress.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("The query was stopped before it gave anything.")).to_be_visible(timeout=SPARK)
    window.look()
    write(page, "select 1 as one, 'a''b' as text, array(1, 2) as list, cast(null as int) as nothing")
    run(page)
    expect(page.get_by_text("1 row", exact=True)).to_be_visible(timeout=SPARK)
    page.get_by_role("gridcell", name="[1,2]").click()
    expect(page.get_by_role("dialog", name="Whole value of list")).to_be_visible()
    window.look()


def test_what_is_refused_is_asked_for_given_and_read_until_the_time_is_up(
    window: Window, another: Window, anna: Member
) -> None:
    page = window.page
    window.sign_in(anna)
    window.go("/sql")
    write(page, "select count(*) as sales from trusted.sales")
    run(page)
    refused = page.get_by_role("alert").filter(has_text="You do not see trusted.sales")
    expect(refused).to_be_visible(timeout=SPARK)
    expect(refused).to_contain_text("you need the level Viewer")
    window.look()
    refused.get_by_role("button", name="Ask for Viewer").click()
    page.get_by_label("Why").fill(f"{anna.name} counts what was sold.")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(refused.get_by_text("waiting", exact=True)).to_be_visible()

    another.sign_in_as("Tessa Green")  # Manager of the layer
    another.go("/requests?which=waiting")
    row = another.page.get_by_role("row").filter(has_text=anna.name)
    row.get_by_role("link", name="Viewer on table trusted.sales").click()
    another.page.get_by_role("button", name="Give it").click()
    expect(another.page.get_by_text("granted", exact=True)).to_be_visible()

    refused.get_by_role("button", name="Run it again").click()
    expect(page.get_by_text("1 row", exact=True)).to_be_visible(timeout=SPARK)
    expect(page.get_by_role("columnheader", name="sales")).to_be_visible()

    time_is_up(window.house, anna)
    page.get_by_role("button", name="Run", exact=True).click()
    expect(refused).to_be_visible(timeout=SPARK)
    expect(page.get_by_role("columnheader", name="sales")).to_have_count(0)
    # What was given is over: it can be asked for again.
    expect(refused.get_by_role("button", name="Ask for Viewer")).to_be_visible()
    expect(refused).not_to_contain_text("You asked for Viewer")
    window.look()


def test_a_mistake_is_shown_where_it_is(window: Window, anna: Member) -> None:
    page = window.page
    window.sign_in(anna)
    window.go("/sql")
    write(page, "select shop,\n  sum(turnove) as turnover\nfrom service.daily_sales\ngroup by all")
    run(page)
    expect(page.get_by_role("alert")).to_contain_text("cannot be resolved", timeout=SPARK)
    expect(page.locator(".cm-mistake")).to_have_text("turnove")
    window.look()
    page.get_by_role("button", name="Line 2, position 7").click()
    page.keyboard.press("ControlOrMeta+Delete")
    page.keyboard.type("turnover")
    page.keyboard.press("Escape")
    run(page)
    expect(rows(page)).to_be_visible(timeout=SPARK)

    # Escape and then Tab leaves the editor, for those who use no mouse.
    editor(page).click()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(editor(page)).not_to_be_focused()

    # The table's own name and columns come from the list at the side.
    page.get_by_role("button", name="New query").click()
    page.get_by_role("searchbox", name="Find a table").fill("carr")
    page.get_by_role("button", name="Columns of service.carriers").click()
    editor(page).click()
    page.keyboard.type("select * from ")
    page.get_by_role("button", name="Write service.carriers").click()
    expect(editor(page)).to_contain_text("from service.carriers")
    run(page)
    expect(page.get_by_text("3 rows", exact=True)).to_be_visible(timeout=SPARK)
