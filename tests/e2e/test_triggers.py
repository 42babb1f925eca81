"""Triggers in the browser: a schedule built by choosing, in words and with its next firings, paused and resumed."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from bailiwick.demo import people as p
from bailiwick.demo.story import member_of
from bailiwick.lakehouse.models import Pipeline
from bailiwick.tenancy.models import Member
from tests.e2e.conftest import House, Window
from tests.e2e.journeys import choose
from tests.lakehouse.making import make_grant, make_layer, make_pipeline, make_table


@pytest.fixture
def priya(house: House) -> Member:
    """Editor of what her pipelines read and write."""
    with house.database.session() as session:
        priya = member_of(session, p.PRIYA)
        make_grant(session, make_layer(session, "raw"), priya, "Editor")
        return priya


@pytest.fixture
def pipelines(house: House, priya: Member) -> tuple[Pipeline, Pipeline]:
    with house.database.session() as session:
        table = make_table(session, "orders")
        made = [
            make_pipeline(session, name, priya, output=table, settings={"sql": "SELECT 1 AS one"})
            for name in ("Orders by day", "Clean orders")
        ]
        return made[0], made[1]


def test_a_schedule_is_chosen_said_in_words_paused_and_resumed(
    window: Window, priya: Member, pipelines: tuple[Pipeline, Pipeline]
) -> None:
    page, (pipeline, _) = window.page, pipelines
    window.expected = ["422"]
    window.sign_in(priya)
    window.go(f"/pipeline-queries/{pipeline.id}?part=triggers")
    expect(page.get_by_text("It runs only when somebody starts it")).to_be_visible()
    page.get_by_role("button", name="Add a trigger").click()
    choose(page, "How often", "Every weekday, Monday to Friday")
    page.locator("input[type=time]").fill("18:05")
    choose(page, "Time zone", "Asia/Tokyo", typed="Tokyo")
    preview = page.get_by_role("region", name="When it fires")
    expect(preview.get_by_text("At 18:05, Monday through Friday, Asia/Tokyo time")).to_be_visible()
    expect(preview.get_by_role("listitem")).to_have_count(5)
    # By the trigger's clock, and by that of whoever reads.
    expect(preview.get_by_role("listitem").first).to_contain_text(re.compile(r", 18:05 · 14:35 for you"))
    for weekend in ("Sat,", "Sun,"):
        expect(preview.get_by_text(weekend)).to_have_count(0)
    window.look()
    page.get_by_role("button", name="Add the trigger").click()
    trigger = page.get_by_role("article", name="At 18:05, Monday through Friday, Asia/Tokyo time")
    expect(trigger.get_by_role("listitem")).to_have_count(5)
    trigger.get_by_role("button", name="Pause").click()
    expect(trigger.get_by_text("paused")).to_be_visible()
    expect(trigger.get_by_role("listitem")).to_have_count(0)
    window.look()
    trigger.get_by_role("button", name="Resume").click()
    expect(trigger.get_by_role("listitem")).to_have_count(5)
    # What was chosen is found again; who speaks cron goes on from there.
    trigger.get_by_role("button", name="Edit").click()
    expect(page.locator("input[type=time]")).to_have_value("18:05")
    choose(page, "How often", "As cron")
    expect(page.get_by_label("Cron")).to_have_value("5 18 * * MON-FRI")
    page.get_by_label("Cron").fill("61 * * * *")
    expect(page.get_by_role("alert")).to_have_count(1)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_enabled()
    expect(page.get_by_role("alert")).to_have_count(1)
    page.get_by_label("Cron").fill("*/20 6 L * *")
    expect(preview.get_by_text("Every 20 minutes, between 06:00 and 06:59")).to_be_visible()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("article", name=re.compile("^Every 20 minutes"))).to_be_visible()


def test_a_trigger_waits_for_another_pipeline_and_is_deleted_by_name(
    window: Window, house: House, priya: Member, pipelines: tuple[Pipeline, Pipeline]
) -> None:
    page, (pipeline, other) = window.page, pipelines
    window.sign_in(priya)
    window.go(f"/pipeline-queries/{pipeline.id}?part=triggers")
    page.get_by_role("button", name="Add a trigger").click()
    page.get_by_text("After others").click()
    choose(page, "After", other.name, typed=other.name)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Add the trigger").click()
    expect(page.get_by_role("article", name=f"After “{other.name}” succeeded")).to_be_visible()
    page.get_by_role("link", name="Triggers", exact=True).click()
    row = page.get_by_role("row", name=other.name)
    expect(row.get_by_role("link", name=pipeline.name)).to_be_visible()
    window.look()
    row.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("dialog", name=f"Delete this trigger of {pipeline.name}?")).to_be_visible()
    page.get_by_role("button", name="Delete the trigger").click()
    expect(row).to_have_count(0)
    # Who may only look sees the same pipeline with its triggers out of reach, and why.
    with house.database.session() as session:
        ben = member_of(session, p.BEN)
        make_grant(session, make_layer(session, "raw"), ben, "Viewer")
    window.sign_in(ben)
    window.go(f"/pipeline-queries/{pipeline.id}?part=triggers")
    expect(page.get_by_role("button", name="Add a trigger")).to_be_disabled()
    page.get_by_role("tab", name="Access").click()
    expect(page.get_by_role("row", name="Run it no").get_by_role("button", name="Why?")).to_be_visible()
    window.look()
