"""The first owner's first minute: from the link that `init` prints to a platform that says what it still lacks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import expect

from bailiwick.cli.home import opened_database
from tests.e2e.conftest import House, Window
from tests.worker.platform import Platform

OWNER = ("--email", "ada@example.com", "--name", "Ada Lovelace", "--company", "Northwind")


@dataclass(frozen=True)
class NewHouse(House):
    """As somebody has it who has just installed it, with the link that `init` printed."""

    link: str


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NewHouse]:
    platform = Platform(tmp_path_factory.mktemp("platform"), tmp_path_factory.mktemp("jars"))
    link = platform.ask("init", *OWNER)["link"]
    with opened_database(platform.settings) as database:
        try:
            platform.start("serve")
            house = NewHouse(platform.settings, database, link)
            house.until_it_answers()
            yield house
        finally:
            platform.stop()


def test_from_the_link_to_the_first_steps(window: Window, house: NewHouse) -> None:
    page = window.page
    page.goto(house.link)
    page.get_by_role("textbox", name="Password").fill("four words in a row")
    window.look()
    page.get_by_role("textbox", name="Password").press("Enter")
    expect(page.get_by_role("heading", name="Hello, Ada")).to_be_visible()
    steps = page.get_by_role("region", name="First steps")
    expect(steps.get_by_role("link", name="Invite somebody")).to_be_visible()
    expect(steps.get_by_text("1 of 6 done")).to_be_visible()  # the password
    expect(page.get_by_role("region", name="Your projects")).to_contain_text("There is no project yet")
    window.look()
    for step, heading in (
        ("Connect a source", "Connect a source"),
        ("Invite somebody", "Members"),
        ("Make a project", "Projects"),
        ("Let it run by itself", "Triggers"),
    ):
        steps.get_by_role("link", name=step).click()
        expect(page.get_by_role("heading", name=heading, level=1)).to_be_visible()
        window.look()
        page.go_back()
    steps.get_by_role("button", name="Hide the first steps").click()
    expect(steps).to_have_count(0)
    page.reload()
    expect(page.get_by_role("heading", name="Hello, Ada")).to_be_visible()
    expect(steps).to_have_count(0)
