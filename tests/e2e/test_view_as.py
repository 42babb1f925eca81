"""Viewing as another member: seeing what they see, changing nothing, and being on record."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import select

from bailiwick.demo import people as p
from bailiwick.demo.story import member_of
from bailiwick.runs import ending
from bailiwick.runs.models import Run
from bailiwick.tenancy.models import Member
from tests.e2e.conftest import House, Window
from tests.lakehouse.making import make_grant, make_pipeline, make_table


@dataclass(frozen=True)
class Three:
    owner: Member
    ben: Member
    seen: str  # a table that Ben edits
    hidden: str  # one that only owners and admins see


@pytest.fixture
def three(house: House) -> Three:
    with house.database.session() as session:
        owner, ben = member_of(session, p.OLIVIA), member_of(session, p.BEN)
        seen, hidden = "seen", "hidden"
        table = make_table(session, seen, rows=3)
        make_grant(session, table, ben, "Editor")
        make_table(session, hidden, rows=3)
        pipeline = make_pipeline(session, f"Sums of {seen}", ben, reads=[table], output=table)
        run = Run(
            kind="pipeline_query",
            subject_type="pipeline",
            subject_id=pipeline.id,
            subject_name=pipeline.name,
            number=1,
            acts_as_id=ben.id,
            time_limit_seconds=60,
        )
        session.add(run)
        session.flush()
        ending.log_line(session, run, "Reading nothing at all.")
    return Three(owner, ben, f"raw.{seen}", f"raw.{hidden}")


def begin(page: Page, viewer: Member, viewed: Member) -> None:
    page.get_by_role("button", name=f"{viewer.name}: account").click()
    page.get_by_role("menuitem", name="View as somebody").click()
    expect(page.get_by_role("combobox", name="Who")).to_be_focused()
    page.get_by_role("combobox", name="Who").fill(viewed.name)
    page.get_by_role("option", name=viewed.name).click()


def test_an_owner_sees_what_a_member_sees_and_changes_nothing(window: Window, house: House, three: Three) -> None:
    page, banner = window.page, window.page.get_by_role("region", name="Viewing as another member")
    window.sign_in(three.owner)
    page.get_by_role("link", name="Tables", exact=True).click()
    expect(page.get_by_role("link", name=three.hidden)).to_be_visible()
    expect(banner).to_have_count(0)

    begin(page, three.owner, three.ben)
    window.look()
    page.get_by_role("button", name="View as them").click()
    expect(banner).to_contain_text(f"You see what {three.ben.name} sees. Nothing can be changed.")
    expect(banner).to_contain_text("minutes left")
    page.get_by_role("link", name="Tables", exact=True).click()
    expect(page.get_by_role("link", name=three.seen)).to_be_visible()
    expect(page.get_by_role("link", name=three.hidden)).to_have_count(0)
    expect(page.get_by_role("link", name="Members")).to_have_count(0)

    # It outlives a reload, and what Ben could do is shown without being possible.
    page.reload()
    expect(banner).to_be_visible()
    page.get_by_role("link", name=three.seen).click()
    expect(page.get_by_role("button", name="Describe")).to_be_disabled()
    expect(page.get_by_role("img", name=f"{three.ben.name} can do this; you only look").first).to_be_visible()
    window.look()
    page.get_by_role("tab", name="History").click()
    expect(page.get_by_text("Nothing is on record yet")).to_be_visible()
    page.get_by_role("tab", name="Sample").click()
    window.expected = ["403"]
    expect(page.get_by_role("alert")).to_contain_text(f"You see what {three.ben.name} sees, but no rows")
    window.go("/requests")
    page.get_by_role("button", name="Ask for access").click()
    page.get_by_label("Its name").fill(three.hidden)
    page.get_by_label("Why").fill("To see whether it works.")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("cannot change or start anything")

    window.go("/account?part=tokens")
    expect(page.get_by_text(f"Password, sessions and tokens are {three.ben.name}'s alone")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)

    # Runs are asked for instead of listened to: a stream would be the viewer's own.
    window.go("/runs")
    page.get_by_role("link", name=f"Sums of {three.seen.removeprefix('raw.')}").first.click()
    expect(page.get_by_text("Reading nothing at all.")).to_be_visible()
    with house.database.session() as session:
        run = session.scalars(select(Run).where(Run.acts_as_id == three.ben.id)).one()
        ending.log_line(session, run, "Still nothing.")
    expect(page.get_by_text("Still nothing.")).to_be_visible()

    banner.get_by_role("button", name="Stop").click()
    expect(banner).to_have_count(0)
    expect(page.get_by_role("link", name=three.hidden)).to_be_visible()  # back where the owner was
    window.go(f"/audit?about={three.ben.id}")
    expect(page.get_by_role("button", name="stopped viewing as somebody")).to_be_visible()
    expect(page.get_by_role("button", name="began to view as somebody")).to_be_visible()


def test_from_a_members_page_and_over_when_they_are_gone(window: Window, house: House, three: Three) -> None:
    page, banner = window.page, window.page.get_by_role("region", name="Viewing as another member")
    window.sign_in(three.owner)
    window.go(f"/members/{three.ben.id}")
    page.get_by_role("button", name="View as").click()
    expect(banner).to_be_visible()
    with house.database.session() as session:
        session.get_one(Member, three.ben.id).state = "suspended"
    window.expected = ["404"]
    page.reload()
    expect(page.get_by_role("button", name=f"{three.owner.name}: account")).to_be_visible()
    expect(banner).to_have_count(0)
    page.get_by_role("button", name=f"{three.owner.name}: account").click()
    expect(page.get_by_role("menuitem", name="View as somebody")).to_be_visible()
