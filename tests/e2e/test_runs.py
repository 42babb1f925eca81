"""Runs in the browser: what ran, why it failed, and its log."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect
from sqlalchemy.orm import Session

from bailiwick.demo import people as p
from bailiwick.demo.story import member_of
from bailiwick.lakehouse import versions
from bailiwick.lakehouse.queries import adhoc
from bailiwick.runs import ending, queue
from bailiwick.runs.errors import RunProblem
from bailiwick.runs.models import Run
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Member
from tests.e2e.conftest import House, Window
from tests.lakehouse.making import make_grant, make_table

SQL = "SELECT 1 / 0"


@pytest.fixture
def ben(house: House) -> Member:
    with house.database.read() as session:
        return member_of(session, p.BEN)


def failed_query(session: Session, member: Member, **how: Any) -> Run:
    asked = adhoc.ask(session, Caller(session.get_one(Member, member.id)), SQL, limit=None)
    run = queue.claim(session, "a worker", queue.Wanted([asked.kind]))
    assert run is not None
    ending.log_line(session, run, "Reading nothing at all.")
    ending.fail(session, run, RunProblem("divide_by_zero", "It divides by zero.", "Use try_divide.", **how))
    return run


def test_a_run_says_why_it_failed_and_what_it_logged(window: Window, house: House, ben: Member) -> None:
    with house.database.session() as session:
        failed_query(session, ben)
    page = window.page
    window.sign_in(ben)
    page.get_by_role("link", name="Runs", exact=True).click()
    expect(page.get_by_role("heading", name="Runs")).to_be_visible()
    window.look()
    page.get_by_role("link", name=SQL).click()
    expect(page.get_by_text("It divides by zero.", exact=True)).to_be_visible()
    expect(page.get_by_text("Use try_divide.", exact=True)).to_be_visible()
    expect(page.get_by_text("Reading nothing at all.")).to_be_visible()
    window.look()


def test_filters_are_part_of_the_address(window: Window, house: House, ben: Member) -> None:
    with house.database.session() as session:
        failed_query(session, ben)
    page = window.page
    window.sign_in(ben)
    window.go('/runs?state=["succeeded"]')
    expect(page.get_by_text("Nothing fits the filters.")).to_be_visible()
    page.get_by_role("button", name="Clear the filters").click()
    expect(page.get_by_role("link", name=SQL)).to_be_visible()
    expect(page).not_to_have_url(re.compile("state="))
    window.go("/runs?state=failed")  # as somebody writes it
    expect(page.get_by_role("link", name=SQL)).to_be_visible()


def test_work_is_listed_looks_on_demand_and_what_was_refused_says_so(window: Window, house: House, ben: Member) -> None:
    with house.database.session() as session:
        failed_query(session, ben, refused=True)
        table = make_table(session, "orders")
        make_grant(session, table, ben, "Viewer")
        name = f"raw.{table.name}"
        versions.ask_sample(session, Caller(session.get_one(Member, ben.id)), table.id, rows=1, version=None)
    page = window.page
    window.sign_in(ben)
    window.go("/runs")
    expect(page.get_by_role("row", name=SQL)).to_contain_text("refused")
    expect(page.get_by_role("link", name=name)).to_have_count(0)
    page.get_by_role("switch", name="Looks and tests").click()
    expect(page.get_by_role("row", name=name)).to_contain_text("Look at a table")
    expect(page).to_have_url(re.compile("looks=true"))
    window.look()
