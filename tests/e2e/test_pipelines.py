"""Pipelines that need no Spark to be made: histories, destinations, notebooks and integrations; made, seen, deleted."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from bailiwick.demo import people as p
from bailiwick.demo.story import member_of
from bailiwick.tenancy.models import Member
from tests.e2e.conftest import House, Window
from tests.e2e.journeys import choose, go_to
from tests.lakehouse.making import make_layer, make_table, make_volume


@dataclass(frozen=True)
class Shop:
    owner: Member
    layer: str


@pytest.fixture
def shop(house: House) -> Shop:
    """Orders and a volume, in a layer of their own."""
    columns = [{"name": name, "type": "string", "nullable": True} for name in ("order_id", "state")]
    with house.database.session() as session:
        owner = member_of(session, p.OLIVIA)
        layer = make_layer(session, "shop")
        make_table(session, "orders", layer=layer, columns=columns)
        make_volume(session, "out", layer=layer)
    return Shop(owner, layer.name)


def begin(page: Page, place: str, one: str, name: str) -> None:
    go_to(page, place)
    page.get_by_role("link", name=f"Add {one}").click()
    page.get_by_role("textbox", name="Name", exact=True).fill(name)


def delete(page: Page, place: str, name: str) -> None:
    """From its page; then its list does not have it any more."""
    page.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Delete").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name=f"Delete {name}")).to_be_disabled()
    dialog.get_by_role("textbox").fill(name)
    dialog.get_by_role("button", name=f"Delete {name}").click()
    expect(page.get_by_role("heading", name=place, exact=True)).to_be_visible()
    expect(page.get_by_role("link", name=name)).to_have_count(0)


def test_a_history_and_a_destination(window: Window, shop: Shop) -> None:
    page, orders = window.page, f"{shop.layer}.orders"
    window.sign_in(shop.owner)
    history = "Orders over time"
    begin(page, "Histories", "a history", history)
    choose(page, "Of which table", orders, typed="orders")
    page.get_by_label("A row is known by").first.fill("order_id")
    page.keyboard.press("Enter")
    choose(page, "Layer", shop.layer)
    page.get_by_role("textbox", name="Table", exact=True).fill("orders_history")
    window.look()
    page.get_by_role("button", name="Add it").click()
    expect(page.get_by_role("heading", name=history)).to_be_visible()
    expect(page.get_by_text(f"{shop.layer}.orders_history (made by its first run)")).to_be_visible()
    window.look()

    destination = "Orders to a file"
    begin(page, "Destinations", "a destination", destination)
    choose(page, "Which table", orders, typed="orders")
    choose(page, "Volume", f"{shop.layer}.out", typed="out")
    page.get_by_role("textbox", name="Folders and name").fill("orders-{date}.csv")
    page.get_by_role("button", name="Add it").click()
    expect(page.get_by_text("orders-{date}.csv (csv)")).to_be_visible()
    # The other kinds of places ask for what they need; of a secret, nothing is ever shown.
    page.get_by_role("link", name="Edit").click()
    choose(page, "Where to", "A table in PostgreSQL")
    expect(page.get_by_role("textbox", name="Host")).to_be_visible()
    expect(page.get_by_role("textbox", name="Password")).to_be_visible()
    choose(page, "Where to", "A web address")
    choose(page, "How it knows us", "A token (Authorization: Bearer …)")
    expect(page.get_by_role("textbox", name="Token")).to_be_visible()
    window.look()
    go_to(page, "Destinations")
    page.get_by_role("link", name=destination).click()
    delete(page, "Destinations", destination)
    go_to(page, "Histories")
    page.get_by_role("link", name=history).click()
    delete(page, "Histories", history)


def test_a_notebook_and_an_integration(window: Window, shop: Shop) -> None:
    page = window.page
    window.sign_in(shop.owner)
    notebook = "Exploring"
    begin(page, "Notebooks", "a notebook", notebook)
    page.get_by_role("textbox", name="The notebook").fill("orders.groupBy('state').count()")
    choose(page, "Tables it reads", f"{shop.layer}.orders", typed="orders")
    page.keyboard.press("Escape")
    choose(page, "Layer", shop.layer)
    page.get_by_role("button", name="Add it").click()
    expect(page.get_by_text("orders.groupBy('state').count()")).to_be_visible()
    expect(page.get_by_role("button", name="Run now")).to_have_count(0)
    window.look()
    delete(page, "Notebooks", notebook)

    integration = "Campaigns"
    begin(page, "Integrations", "an integration", integration)
    page.get_by_role("textbox", name="Settings").fill("region: north")
    choose(page, "Layer", shop.layer)
    page.get_by_role("button", name="Add it").click()
    expect(page.get_by_text("north", exact=True)).to_be_visible()
    page.get_by_role("link", name="Edit").click()
    page.get_by_role("textbox", name="Settings").fill("region: south")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("south", exact=True)).to_be_visible()
    window.look()
    delete(page, "Integrations", integration)
