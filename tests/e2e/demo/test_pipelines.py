"""Pipelines: a query made with a dry run, scheduled, run and watched; and one that its owner's lost level restricts."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import select

from bailiwick.lakehouse.models import Layer, Pipeline, Table
from bailiwick.tenancy.models import Member
from tests.e2e.conftest import House, Window
from tests.e2e.journeys import choose
from tests.lakehouse.making import make_grant, make_layer, make_pipeline
from tests.people import make_member

SPARK = 240_000  # milliseconds: for a run of Spark on a busy machine
SHOPS = "SELECT count(DISTINCT shop_id) AS shops FROM raw.shops"


@pytest.fixture
def word() -> str:
    return uuid4().hex[:8]


@pytest.fixture
def shops(house: House) -> UUID:
    with house.database.read() as session:
        found = select(Table.id).join(Layer, Layer.id == Table.layer_id)
        return session.scalars(found.where(Layer.name == "raw", Table.name == "shops")).one()


@pytest.fixture
def paul(house: House, word: str, shops: UUID) -> Member:
    """Editor of service and of one table of raw."""
    with house.database.session() as session:
        paul = make_member(session, f"Paul {word}")
        make_grant(session, make_layer(session, "service"), paul, "Editor")
        make_grant(session, session.get_one(Table, shops), paul, "Editor")
        return paul


def write_sql(page: Page, sql: str) -> None:
    """In the place of what is there. Typed as by a keyboard: to be filled like a plain field is not for an editor."""
    page.get_by_role("textbox", name="SQL").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(sql)
    page.keyboard.press("Escape")


def test_a_query_is_dry_run_saved_scheduled_run_and_watched(window: Window, paul: Member, word: str) -> None:
    page = window.page
    window.sign_in(paul)
    page.get_by_role("link", name="Pipeline queries", exact=True).click()
    page.get_by_role("link", name="Add a pipeline query").click()
    page.get_by_role("textbox", name="Name").fill(f"Shops {word}")
    write_sql(page, "SELECT count(*) AS shops FROM raw.sales")
    choose(page, "Layer", "service")
    page.get_by_role("textbox", name="Table").fill(f"shops_{word}")
    # What he may not read does not come to light by a dry run either.
    window.expected.append("422")
    page.get_by_role("button", name="Dry run").click()
    expect(page.get_by_role("alert")).to_be_visible(timeout=SPARK)
    write_sql(page, SHOPS)
    page.get_by_role("button", name="Expect something").click()
    page.get_by_role("combobox", name="Column").fill("shops")
    page.get_by_role("button", name="Dry run").click()
    outlook = page.get_by_role("region", name="Dry run")
    expect(outlook).to_contain_text("You may save it.", timeout=SPARK)
    expect(outlook.get_by_role("row", name="raw.shops")).to_contain_text("Editor")
    expect(outlook.get_by_text("shops bigint", exact=True)).to_be_visible()
    window.look()
    page.get_by_role("button", name="Add it").click()
    expect(page.get_by_role("heading", name=f"Shops {word}")).to_be_visible(timeout=SPARK)
    page.get_by_role("tab", name="Triggers").click()
    page.get_by_role("button", name="Add a trigger").click()
    choose(page, "How often", "Every month")
    choose(page, "Day of the month", "the last day")
    page.get_by_role("button", name="Add the trigger").click()
    expect(page.get_by_role("article", name="on the last day of the month")).to_be_visible()
    page.get_by_role("button", name="Run now").click()
    expect(page.get_by_role("heading", name=f"Shops {word} #1")).to_be_visible()
    expect(page.get_by_text("succeeded", exact=True)).to_be_visible(timeout=SPARK)
    expect(page.get_by_role("row", name="not null: shops")).to_contain_text("yes")
    expect(page.get_by_role("region", name="Log").or_(page.get_by_role("log"))).to_be_visible()
    expect(page.get_by_role("link", name="raw.shops").first).to_be_visible()
    window.look()
    page.get_by_role("link", name="Runs", exact=True).click()
    expect(page.get_by_role("row", name=f"Shops {word} #1")).to_contain_text("succeeded")
    window.look()


@pytest.fixture
def query(house: House, paul: Member, word: str, shops: UUID) -> Pipeline:
    with house.database.session() as session:
        return make_pipeline(
            session,
            f"Counted {word}",
            session.get_one(Member, paul.id),
            reads=[session.get_one(Table, shops)],
            output_layer=make_layer(session, "service"),
            output_name=f"counted_{word}",
            settings={"sql": SHOPS, "mode": "overwrite", "keys": [], "replace_schema": False, "expectations": []},
        )


def set_level(page: Page, layer: str, member: Member, level: str) -> None:
    """By the API, as whoever is signed in there."""
    script = """async ([layer, member, level]) => {
        const { csrf_token } = await (await fetch("/api/v1/session")).json();
        const layers = await (await fetch("/api/v1/layers?limit=200")).json();
        const grants = `/api/v1/layers/${layers.items.find((one) => one.name === layer).id}/grants`;
        const { items } = await (await fetch(`${grants}?limit=200`)).json();
        const { id } = items.find((grant) => grant.holder.id === member);
        const headers = { "X-CSRF-Token": csrf_token, "Content-Type": "application/json" };
        const answer = await fetch(`${grants}/${id}`, { method: "PATCH", headers, body: JSON.stringify({ level }) });
        return (await answer.json()).level;
    }"""
    assert page.evaluate(script, [layer, str(member.id), level]) == level


def test_a_pipeline_is_restricted_when_its_owner_loses_a_level_and_repaired(
    window: Window, another: Window, paul: Member, query: Pipeline, word: str
) -> None:
    page = window.page
    window.sign_in(paul)
    window.go(f"/pipeline-queries/{query.id}")
    page.get_by_role("button", name="Run now").click()
    expect(page.get_by_text("succeeded", exact=True)).to_be_visible(timeout=SPARK)
    # Paul keeps Viewer: he sees it, and may not start it any more. Olivia may, and it still runs as Paul.
    another.sign_in_as("Olivia Hart")
    set_level(another.page, "service", paul, "Viewer")
    window.go(f"/pipeline-queries/{query.id}")
    expect(page.get_by_role("button", name="Run now")).to_be_disabled()
    page.get_by_role("button", name="Why?").last.click()
    expect(page.get_by_text("is not for you here")).to_be_visible()
    another.go(f"/pipeline-queries/{query.id}")
    another.page.get_by_role("button", name="Run now").click()
    expect(another.page.get_by_text("restricted", exact=True)).to_be_visible(timeout=SPARK)
    window.go(f"/pipeline-queries/{query.id}")
    notice = page.get_by_role("alert")
    expect(notice).to_contain_text(f"It is restricted: {paul.name}, whom it acts as, lacks a level")
    expect(notice).to_contain_text(f"It takes Editor on table service.counted_{word}; {paul.name} has Viewer there.")
    window.look()
    # Given again, it runs.
    set_level(another.page, "service", paul, "Editor")
    window.go(f"/pipeline-queries/{query.id}")
    notice.get_by_role("button", name="Run again").click()
    expect(page.get_by_text("succeeded", exact=True)).to_be_visible(timeout=SPARK)
    page.get_by_role("link", name=f"Counted {word}", exact=True).click()
    expect(page.get_by_role("link", name="#3")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
