"""The pictures in README and docs, taken from the demo as it is: `make pictures` puts them where pages show them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect
from sqlalchemy import select

from bailiwick.lakehouse.models import Table
from tests.e2e.conftest import House, Window

ROOT = Path(__file__).parents[3]
TAKEN = ROOT / "build" / "pictures"
SHOWN = re.compile(r"!\[[^\]]*\]\((?:[\w./]*/)?pictures/([\w-]+)\.png\)")
BY_SHOP = "SELECT shop, category, sum(turnover) AS turnover\nFROM service.daily_sales\nGROUP BY shop, category"


def home(window: Window) -> None:
    window.sign_in_as("Olivia Hart")
    expect(window.page.get_by_role("region", name="Latest runs").get_by_role("link").first).to_be_visible()


def sql(window: Window) -> None:
    page = window.page
    window.sign_in_as("Ben Walsh")
    window.go("/sql")
    page.locator(".cm-content").fill(BY_SHOP)
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_role("grid")).to_be_visible()
    page.get_by_text("Chart", exact=True).click()
    expect(page.locator("canvas, svg.marks").first).to_be_visible()


def lineage(window: Window) -> None:
    window.sign_in_as("Olivia Hart")
    window.go(f"/tables/{table_id(window.house, 'daily_sales')}?part=lineage")
    expect(window.page.locator(".react-flow__node").first).to_be_visible()


def flow(window: Window) -> None:
    window.page.set_viewport_size({"width": 1680, "height": 860})
    window.sign_in_as("Olivia Hart")
    window.go("/flow")
    expect(window.page.locator(".react-flow__node").first).to_be_visible()
    window.page.get_by_role("button", name="All of it").click()
    window.page.mouse.move(0, 0)  # off the button, which says what it does


def sharing(window: Window) -> None:
    page = window.page
    window.sign_in_as("Olivia Hart")
    window.go(f"/tables/{table_id(window.house, 'daily_sales')}")
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("form", name="Give a level")).to_be_visible()


def why(window: Window) -> None:
    page = window.page
    window.sign_in_as("Ben Walsh")
    window.go(f"/tables/{table_id(window.house, 'daily_sales')}")
    page.get_by_role("button", name="Why?").first.click()
    expect(page.get_by_text("is not for you here")).to_be_visible()


def access(window: Window) -> None:
    ben, table = window.house.member("Ben Walsh").id, table_id(window.house, "daily_sales")
    window.sign_in_as("Olivia Hart")
    window.go(f"/access?part=check&member={ben}&type=table&id={table}&action=change_descriptions")
    expect(window.page.get_by_text("Change descriptions").first).to_be_visible()


def run(window: Window) -> None:
    page = window.page
    window.sign_in_as("Olivia Hart")
    page.get_by_role("link", name="Runs", exact=True).click()
    page.get_by_role("link", name=re.compile("daily_sales|Sales by day")).first.click()
    expect(page.get_by_role("heading", name="Log")).to_be_visible()


PICTURES: dict[str, Callable[[Window], None]] = {
    "home": home,
    "sql": sql,
    "lineage": lineage,
    "flow": flow,
    "sharing": sharing,
    "why": why,
    "access": access,
    "run": run,
}


def table_id(house: House, name: str) -> str:
    with house.database.read() as session:
        return str(session.scalars(select(Table.id).where(Table.name == name)).one())


def shown() -> set[str]:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    return {name for page in pages for name in SHOWN.findall(page.read_text())}


def test_every_picture_of_the_pages_is_one_of_the_app(window: Window) -> None:
    assert shown() == set(PICTURES)
    TAKEN.mkdir(parents=True, exist_ok=True)
    for name, go_there in PICTURES.items():
        go_there(window)
        settle(window.page)
        window.page.screenshot(path=TAKEN / f"{name}.png", animations="disabled")
        window.page.set_viewport_size({"width": 1280, "height": 800})


def settle(page: Page) -> None:
    page.wait_for_load_state("networkidle")
    expect(page.locator(".mantine-Skeleton-root, .mantine-Loader-root")).to_have_count(0)
    page.mouse.move(0, 0)
