"""Connecting a source: files in a volume, looked at, chosen, synced and watched, until their rows are in a table."""

from __future__ import annotations

from uuid import uuid4

import pytest
from playwright.sync_api import expect

from bailiwick.tenancy.models import Member
from tests.e2e.conftest import House, Window
from tests.e2e.journeys import choose
from tests.lakehouse.making import make_grant, make_layer
from tests.people import make_member

ORDERS = "order_id,ordered_on,amount\n1,2026-01-31,12.50\n2,2026-02-01,7.00\n3,2026-02-01,not a number\n"
SPARK = 240_000  # milliseconds: for a run of Spark on a busy machine


@pytest.fixture
def word() -> str:
    return uuid4().hex[:8]


@pytest.fixture
def pia(house: House, word: str) -> Member:
    """Editor of raw, with a file at hand and no volume yet."""
    with house.database.session() as session:
        pia = make_member(session, f"Pia {word}")
        make_grant(session, make_layer(session, "raw"), pia, "Editor")
        return pia


def test_a_source_is_connected_looked_at_synced_and_its_rows_are_there(
    window: Window, house: House, pia: Member, word: str
) -> None:
    page = window.page
    window.sign_in(pia)
    page.get_by_role("link", name="Sources", exact=True).click()
    page.get_by_role("link", name="Add a source").click()
    page.get_by_role("radio", name="Files").click()
    # There is no volume and no file yet: both come about right here.
    page.get_by_role("button", name="New volume").click()
    name = page.get_by_role("dialog").get_by_role("textbox", name="Name")
    name.fill(f"Shop {word}")
    expect(page.get_by_role("dialog")).to_contain_text(f"Here shop_{word} would do.")
    name.fill(f"shop_{word}")
    page.get_by_role("button", name="Create the volume").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_role("combobox", name="Volume")).to_have_value(f"raw.shop_{word}")
    page.locator("input[type=file]").set_input_files(
        {"name": "orders.csv", "mimeType": "text/csv", "buffer": ORDERS.encode()}
    )
    expect(page.get_by_text("There is orders.csv.")).to_be_visible()
    page.get_by_role("textbox", name="Name").fill(f"Web shop {word}")
    choose(page, "Layer", "raw")
    window.look()
    page.get_by_role("button", name="Connect it").click()
    # Nothing is read before somebody chose what.
    expect(page.get_by_role("heading", name="What shall it read?")).to_be_visible()
    expect(page.get_by_role("button", name="Run now")).to_be_disabled()
    expect(page.get_by_text("It reads nothing yet: choose its streams first.")).to_be_visible()
    page.get_by_role("button", name="Test the connection").click()
    expect(page.get_by_text("It answers", exact=True)).to_be_visible(timeout=SPARK)
    page.get_by_role("button", name="Look at the source").click()
    orders = page.get_by_role("article", name="orders")
    expect(orders.get_by_role("cell", name="12.50")).to_be_visible(timeout=SPARK)
    expect(orders.get_by_role("checkbox")).to_be_checked()
    orders.get_by_role("textbox", name="Table").fill(f"orders_{word}")
    window.look()
    page.get_by_role("button", name="Add 1 stream").click()
    stream = page.get_by_role("row", name=f"raw.orders_{word}")
    expect(stream).to_contain_text("made by its first run")
    # An amount that is no number is set aside, once somebody says that amounts are numbers.
    stream.get_by_role("button", name="actions").click()
    page.get_by_role("menuitem", name="Edit").click()
    page.get_by_label("Types").fill("amount: decimal(10,2)")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    # However fast it is clicked, it runs once.
    page.get_by_role("button", name="Fill the tables").dblclick()
    expect(page.get_by_text("succeeded", exact=True)).to_be_visible(timeout=SPARK)
    counts = page.get_by_role("row", name="orders")
    expect(counts.get_by_role("cell").nth(1)).to_have_text("2")
    expect(counts.get_by_role("cell").nth(2)).to_have_text("1")
    window.look()
    page.get_by_role("link", name=f"Web shop {word}").click()
    expect(page.get_by_role("link", name="rows set aside")).to_be_visible()
    stream.get_by_role("button", name="actions").click()
    page.get_by_role("menuitem", name="Start over").click()
    page.get_by_role("button", name="Start over").click()
    expect(stream).to_contain_text("the next run starts over")
    page.get_by_role("tab", name="Runs").click()
    expect(page.get_by_role("row", name=f"Web shop {word} #1")).to_contain_text("succeeded")
    expect(page.get_by_role("link", name=f"Web shop {word} #2")).to_have_count(0)
    page.get_by_role("tab", name="Streams").click()
    page.get_by_role("link", name=f"raw.orders_{word}", exact=True).click()
    expect(page.get_by_role("heading", name=f"raw.orders_{word}")).to_be_visible()
    expect(page.get_by_text("decimal(10,2)")).to_be_visible()
    window.look()
