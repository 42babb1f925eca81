"""Lists are sorted by the heads of their columns, and the order stands in the address."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from playwright.sync_api import expect

from bailiwick.demo import people as p
from bailiwick.demo.story import member_of
from bailiwick.lakehouse.pipeline_runs import SUBJECT
from bailiwick.runs.models import RunState, Trigger
from bailiwick.runs.queue import enqueue
from tests.e2e.conftest import House, Window
from tests.lakehouse.making import make_grant, make_pipeline, make_table
from tests.people import make_session, make_token

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
    listed("apples", "cherries", "bananas")  # which never changed
    by_name.get_by_role("button").click()
    listed("apples", "bananas", "cherries")
    expect(page).not_to_have_url(re.compile("sort="))


def test_runs_and_triggers_are_found_and_sorted(house: House, window: Window) -> None:
    with house.database.session() as session:
        priya = member_of(session, p.PRIYA)
        table = make_table(session, "orders")
        make_grant(session, table, priya, "Editor")
        for name, day in (("Bread by day", 3), ("Apples by day", None), ("Cakes by week", 2)):
            pipeline = make_pipeline(session, name, priya, output=table, settings={"sql": "SELECT 1 AS one"})
            about: dict[str, Any] = {"subject_type": SUBJECT, "subject_id": pipeline.id}
            enqueue(session, kind="pipeline_query", subject_name=name, acts_as=priya, started_by=priya, **about)
            fires = datetime(2030, 7, day, tzinfo=UTC) if day else None
            cron = {"kind": "cron", "cron": "0 6 * * *", "saved_by_id": priya.id}
            session.add(Trigger(**about, **cron, next_at=fires, paused=fires is None))
    window.sign_in(priya)
    page = window.page

    def listed(*wanted: str) -> None:
        expect(page.get_by_role("row").get_by_role("link")).to_have_text(list(wanted))

    window.go("/runs")
    listed("Cakes by week #1", "Apples by day #1", "Bread by day #1")
    expect(page.get_by_role("columnheader", name="Created")).to_have_attribute("aria-sort", "descending")
    page.get_by_role("columnheader", name="Run").get_by_role("button").click()
    listed("Apples by day #1", "Bread by day #1", "Cakes by week #1")
    page.get_by_role("searchbox", name="Find a run").fill("DAY")
    listed("Apples by day #1", "Bread by day #1")
    expect(page).to_have_url(re.compile("search=DAY"))
    window.look()
    page.get_by_role("searchbox", name="Find a run").fill("bread by day #1")
    listed("Bread by day #1")

    window.go("/triggers")
    listed("Cakes by week", "Apples by day", "Bread by day")
    page.get_by_role("columnheader", name="Next").get_by_role("button").click()
    listed("Cakes by week", "Bread by day", "Apples by day")  # which rests, and does not fire again
    page.get_by_role("searchbox", name="Find what is started").fill("day")
    listed("Bread by day", "Apples by day")
    page.get_by_role("combobox", name="Paused or not").click()
    page.get_by_role("option", name="Not paused").click()
    listed("Bread by day")
    window.look()
    page.reload()
    listed("Bread by day")
    expect(page).to_have_url(re.compile("paused=false"))


def test_lists_within_a_page_are_found_and_sorted(house: House, window: Window) -> None:
    with house.database.session() as session:
        priya = member_of(session, p.PRIYA)
        table = make_table(session, "orders")
        make_grant(session, table, priya, "Editor")
        pipeline = make_pipeline(session, "Bread by day", priya, output=table, settings={"sql": "SELECT 1 AS one"})
        for _ in range(3):
            run = enqueue(
                session,
                kind="pipeline_query",
                subject_type=SUBJECT,
                subject_id=pipeline.id,
                subject_name=pipeline.name,
                acts_as=priya,
                started_by=priya,
            )
            run.state = RunState.SUCCEEDED  # the next one takes its turn
            session.flush()
    window.sign_in(priya)
    page = window.page

    def listed(*wanted: str) -> None:
        expect(page.get_by_role("row").get_by_role("link")).to_have_text(list(wanted))

    window.go(f"/pipeline-queries/{pipeline.id}?part=runs")
    listed("Bread by day #3", "Bread by day #2", "Bread by day #1")
    page.get_by_role("columnheader", name="Created").get_by_role("button").click()
    listed("Bread by day #1", "Bread by day #2", "Bread by day #3")
    page.get_by_role("searchbox", name="Find a run").fill("#2")
    listed("Bread by day #2")
    page.reload()
    listed("Bread by day #2")
    window.look()

    page.get_by_role("tab", name="History").click()
    expect(page).not_to_have_url(re.compile("search="))
    expect(page.get_by_role("searchbox", name="Find a name")).to_have_value("")


def test_sessions_and_tokens_are_found_and_sorted(house: House, window: Window) -> None:
    with house.database.session() as session:
        ben = member_of(session, p.BEN)
        for name, day in (("Nightly", 2), ("Export", None), ("Night watch", 3)):
            token, _ = make_token(session, ben, name=name)
            token.last_used_at = datetime(2026, 7, day, tzinfo=UTC) if day else None
        elsewhere, _ = make_session(session, ben)
        elsewhere.client = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    window.sign_in(ben)
    page = window.page
    revoke = page.get_by_role("button", name=re.compile("^Revoke the token"))

    def listed(*wanted: str) -> None:
        expect(page.get_by_role("row").filter(has=revoke).locator("td:first-child p")).to_have_text(list(wanted))

    window.go("/account?part=tokens")
    listed("Night watch", "Export", "Nightly")
    page.get_by_role("columnheader", name="Last used").get_by_role("button").click()
    listed("Night watch", "Nightly", "Export")  # which was never used
    page.get_by_role("searchbox", name="Find a token").fill("night")
    listed("Night watch", "Nightly")
    window.look()
    page.reload()
    listed("Night watch", "Nightly")
    expect(page).to_have_url(re.compile("sort=-used"))

    page.get_by_role("tab", name="Sessions").click()
    expect(page.get_by_text("this one")).to_be_visible()
    page.get_by_role("searchbox", name="Find a session").fill("FIREFOX")
    expect(page.get_by_text("this one")).to_have_count(0)
    expect(page.get_by_role("button", name="End it")).to_have_count(1)
