"""Lists are sorted by the heads of their columns, and the order stands in the address."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from playwright.sync_api import expect

from bailiwick.demo import people as p
from bailiwick.demo.story import member_of
from tests.e2e.conftest import House, Window
from tests.lakehouse.making import make_grant, make_table

NAMES = {"apples": 3, "bananas": None, "cherries": 12}  # and the day on which each changed


def test_a_list_is_sorted_by_the_head_of_a_column(house: House, window: Window) -> None:
    with house.database.session() as session:
        ben = member_of(session, p.BEN)
        for name, day in NAMES.items():
            changed = datetime(2026, 7, day, tzinfo=UTC) if day else None
            make_grant(session, make_table(session, name, changed_at=changed), ben)
    window.sign_in(ben)
    window.go("/tables")
    page = window.page
    names = page.get_by_role("row").get_by_role("link")

    def listed(*wanted: str) -> None:
        expect(names).to_have_text(list(wanted))

    by_name, by_change = (page.get_by_role("columnheader", name=name) for name in ("Table", "Changed"))
    listed("apples", "bananas", "cherries")
    expect(by_name).to_have_attribute("aria-sort", "ascending")
    by_name.get_by_role("button").click()
    listed("cherries", "bananas", "apples")
    expect(by_name).to_have_attribute("aria-sort", "descending")
    by_change.get_by_role("button").click()
    listed("cherries", "apples", "bananas")
    expect(page).to_have_url(re.compile("sort=-changed"))
    window.look()
    page.get_by_role("searchbox", name="Find a table").fill("s")
    expect(page).to_have_url(re.compile("search=s"))
    page.reload()
    listed("cherries", "apples", "bananas")
    expect(by_change).to_have_attribute("aria-sort", "descending")
    by_change.get_by_role("button").press("Enter")
    listed("bananas", "apples", "cherries")
    by_name.get_by_role("button").click()
    listed("apples", "bananas", "cherries")
    expect(page).not_to_have_url(re.compile("sort="))
