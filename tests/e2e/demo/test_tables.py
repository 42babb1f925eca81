"""One table from all sides: its rows, its versions and going back to one, where its columns come from; and a layer from
its beginning to its end."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from bailiwick.tenancy.models import Member
from tests.e2e.conftest import House, Window
from tests.lakehouse.making import make_grant, make_layer
from tests.people import make_member

SPARK = 240_000  # milliseconds: for a run of Spark on a busy machine
SERVICE = "00000000-0000-7000-8000-0000000001a3"


@pytest.fixture
def word() -> str:
    return uuid4().hex[:8]


@pytest.fixture
def vera(house: House, word: str) -> Member:
    """She may only read what lies in the layer service."""
    with house.database.session() as session:
        vera = make_member(session, f"Vera {word}")
        make_grant(session, make_layer(session, "service"), vera, "Viewer")
        return vera


def asked(window: Window, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
    """The API, as whoever is signed in there."""
    api, request = f"{window.house.address}/api/v1", window.page.request
    headers = {"X-CSRF-Token": request.get(f"{api}/session").json()["csrf_token"]}
    answer = request.fetch(f"{api}{path}", method=method, data=body, headers=headers, timeout=SPARK)
    assert answer.ok, answer.text()
    return answer.json()


def written_twice(window: Window, word: str) -> str:
    """A table that a query has added the shops to, twice."""
    query = asked(
        window,
        "POST",
        "/pipeline-queries?wait=60",
        {
            "name": f"Shops {word}",
            "sql": "SELECT shop_id, name FROM raw.shops",
            "mode": "append",
            "output_layer_id": SERVICE,
            "output_name": f"shops_{word}",
        },
    )
    for _ in range(2):
        started = asked(window, "POST", f"/pipeline-queries/{query['id']}/runs")
        while asked(window, "GET", f"/runs/{started['run_id']}")["ended_at"] is None:
            window.page.wait_for_timeout(200)
    return f"service.shops_{word}"


def test_a_version_is_looked_at_and_gone_back_to(window: Window, another: Window, word: str, vera: Member) -> None:
    page = window.page
    window.sign_in_as("Olivia Hart")
    name = written_twice(window, word)
    page.get_by_role("link", name="Tables", exact=True).click()
    page.get_by_role("searchbox").fill(word)
    page.get_by_role("link", name=name).click()
    expect(page.get_by_text("40", exact=True)).to_be_visible()
    page.get_by_role("tab", name="Sample").click()
    expect(page.get_by_role("grid")).to_contain_text("Greenwich", timeout=SPARK)
    window.look()

    page.get_by_role("tab", name="Versions").click()
    page.get_by_role("button", name="Look at version 0").click(timeout=SPARK)
    expect(page.get_by_role("dialog")).to_contain_text("All of it: 20 rows.", timeout=SPARK)
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Restore version 0").click()
    expect(page.get_by_role("dialog")).to_contain_text("so it can be taken back")
    window.look()
    page.get_by_role("dialog").get_by_role("button", name="Restore version 0").click()
    page.get_by_role("tab", name="Fields").click()  # what comes of it is told there, too
    expect(page.get_by_text("again what it was in version 0")).to_be_visible(timeout=SPARK)
    expect(page.get_by_text("20", exact=True)).to_be_visible()
    expect(page.get_by_role("alert").get_by_text(f"{name} is restored.")).to_be_visible()
    page.get_by_role("tab", name="Versions").click()
    restored = page.get_by_role("row", name="Restored to version 0")
    expect(restored).to_contain_text("Olivia Hart", timeout=SPARK)
    # Nobody counted which rows that changed.
    expect(restored.get_by_role("cell").nth(3)).to_have_text("–")
    expect(page.get_by_role("row").filter(has_text=f"Shops {word}").first).to_contain_text("started by Olivia Hart")
    window.look()
    page.get_by_role("tab", name="History").click()
    expect(page.get_by_text("took a table back to an earlier version").first).to_be_visible()

    # Who may only read looks, and is told why there is no going back for them.
    another.sign_in(vera)
    another.go(new_part(page.url, "versions"))
    restore = another.page.get_by_role("button", name="Restore version 0")
    expect(restore).to_be_disabled(timeout=SPARK)
    another.page.get_by_role("row").filter(has=restore).get_by_role("button", name="Why?").click()
    expect(another.page.get_by_text("level Editor (it is Viewer)")).to_be_visible()


def new_part(address: str, part: str) -> str:
    return f"/{address.split('/', 3)[3].partition('?')[0]}?part={part}"


def test_lineage_is_followed_by_table_and_by_column(window: Window) -> None:
    page = window.page
    window.sign_in_as("Olivia Hart")
    page.get_by_role("link", name="Tables", exact=True).click()
    page.get_by_role("searchbox").fill("daily_sales")
    page.get_by_role("link", name="service.daily_sales").click()
    page.get_by_role("tab", name="Lineage").click()
    for name in ("raw.sales", "Clean sales", "trusted.sales", "Sales by day", "raw.shops"):
        expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()
    window.look()
    page.get_by_text("Columns", exact=True).click()
    page.get_by_role("button", name="turnover").click()
    expect(page.get_by_text("The way of service.daily_sales.turnover")).to_be_visible()
    expect(page.get_by_text("raw.sales.price goes into trusted.sales.amount, through Clean sales")).to_be_visible()
    window.look()
    page.reload()
    expect(page.get_by_text("The way of service.daily_sales.turnover")).to_be_visible()
    page.get_by_role("link", name="trusted.sales", exact=True).click()
    expect(page.get_by_role("heading", name="trusted.sales")).to_be_visible()
    page.get_by_role("tab", name="Who uses it").click()
    page.get_by_role("link", name="Clean sales").click()
    expect(page.get_by_role("heading", name="Clean sales")).to_be_visible()


def test_who_sees_only_the_end_is_shown_no_beginning(window: Window, vera: Member) -> None:
    window.sign_in(vera)
    window.page.get_by_role("link", name="Tables", exact=True).click()
    window.page.get_by_role("link", name="service.daily_sales").click()
    window.page.get_by_role("tab", name="Lineage").click()
    expect(window.page.get_by_text("No way of its data that you may see is known yet")).to_be_visible()
    expect(window.page.get_by_text("trusted.sales")).to_be_hidden()


def test_a_layer_is_made_filled_kept_in_order_and_deleted(window: Window, word: str) -> None:
    page, layer = window.page, f"shelf_{word}"
    window.sign_in_as("Olivia Hart")
    page.get_by_role("link", name="Layers", exact=True).click()
    page.get_by_role("button", name="New layer").click()
    page.get_by_label("Name").fill(layer)
    page.get_by_label("What lies in it").fill("What is on the shelves.")
    page.get_by_role("button", name="Create the layer").click()
    expect(page.get_by_role("heading", name=layer)).to_be_visible()
    page.get_by_role("button", name="New table").click()
    page.get_by_role("textbox", name="Name", exact=True).fill("jars")
    page.get_by_label("Name of column 1").fill("jar")
    page.get_by_role("button", name="Another column").click()
    page.get_by_label("Name of column 2").fill("grams")
    page.get_by_role("combobox", name="Type of column 2").fill("int")
    window.look()
    page.get_by_role("button", name="Create the table").click()
    expect(page.get_by_role("heading", name=f"{layer}.jars")).to_be_visible(timeout=SPARK)
    expect(page.get_by_role("row", name="grams")).to_contain_text("int")

    page.get_by_role("link", name=layer, exact=True).click()
    page.get_by_role("tab", name="Maintenance").click()
    page.get_by_label("Days that versions are kept").fill("90")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Run it now").click()
    expect(page.get_by_text(f"The tables of {layer} are in order.")).to_be_visible(timeout=SPARK)
    window.look()

    # A layer in which something lies stays, and says what holds it.
    window.expected.append("409")
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("button", name=f"Delete {layer}").click()
    asked = page.get_by_role("dialog", name="Delete the layer")
    expect(asked.get_by_role("alert")).to_contain_text(f"the table {layer}.jars")
    asked.get_by_role("button", name="Close").click()
    page.get_by_role("tab", name="Tables").click()
    page.get_by_role("link", name=f"{layer}.jars").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_label("To be sure, type").fill(f"{layer}.jars")
    page.get_by_role("button", name=f"Delete {layer}.jars").click()
    expect(page.get_by_role("heading", name="Tables")).to_be_visible()
    page.get_by_role("link", name="Layers", exact=True).click()
    page.get_by_role("link", name=layer, exact=True).click()
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("button", name=f"Delete {layer}").click()
    expect(page.get_by_role("heading", name="Layers")).to_be_visible()
    expect(page.get_by_role("link", name=layer)).to_be_hidden()
