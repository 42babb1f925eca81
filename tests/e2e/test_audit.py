"""The audit in the browser: found by name, read with its before and after, and whole."""

from __future__ import annotations

from playwright.sync_api import expect

from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.audit.service import record
from bailiwick.demo import people as p
from bailiwick.demo.story import member_of
from bailiwick.lakehouse.models import Table
from bailiwick.tenancy.models import Member
from tests.e2e.conftest import House, Window
from tests.lakehouse.making import make_table

REFUSED = RESOURCE_TYPES["tenant"].check(0, "Create groups")


def some_history(house: House) -> tuple[Member, Member, Table]:
    """Olivia, an owner, and Tessa, who described a table and tried to create a group."""
    with house.database.session() as session:
        olivia, tessa = member_of(session, p.OLIVIA), member_of(session, p.TESSA)
        table = make_table(session, "payroll")
        record(
            session,
            action="edit_table",
            resource_type="table",
            resource_id=table.id,
            resource_name=f"raw.{table.name}",
            actor_id=tessa.id,
            request_id=f"change-{table.name}",
            before={"description": "Salaries", "tags": ["old"]},
            after={"description": "What everybody earns", "tags": ["old"]},
        )
        record(
            session,
            action="create_groups",
            resource_type="tenant",
            resource_name=p.COMPANY,
            actor_id=tessa.id,
            request_id=f"try-{table.name}",
            outcome="refused",
            decision=REFUSED,
            after={"viewing_as": {"id": str(olivia.id), "name": "Somebody else"}},
        )
    return olivia, tessa, table


def test_a_change_is_found_and_read_with_its_before_and_after(window: Window, house: House) -> None:
    olivia, tessa, table = some_history(house)
    page = window.page
    window.sign_in(olivia)
    page.get_by_role("link", name="Audit").click()
    expect(page.get_by_text("The chain is whole")).to_be_visible()
    page.set_viewport_size({"width": 820, "height": 1180})
    expect(page.get_by_role("columnheader", name="Outcome")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("columnheader", name="Change")).to_be_hidden()
    window.look()
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.get_by_role("columnheader", name="Change")).to_be_visible()
    page.get_by_role("searchbox", name="Find a name").fill(table.name)
    expect(page.get_by_role("button", name="create groups")).to_have_count(0)
    page.get_by_role("button", name="described a table").click()
    opened = page.get_by_role("dialog", name="What happened")
    expect(opened).to_contain_text(f"{tessa.name} described a table: table raw.{table.name}")
    expect(opened.get_by_role("row", name="description Salaries What everybody earns")).to_be_visible()
    expect(opened.get_by_text("old")).to_have_count(0)  # the same before and after
    window.look()
    page.go_back()
    expect(opened).to_have_count(0)
    expect(page.get_by_role("searchbox", name="Find a name")).to_have_value(table.name)
    page.get_by_role("button", name="described a table").click()
    expect(opened).to_be_visible()

    # An address of its own, and from there to everything else of the same request.
    page.reload()
    expect(opened.get_by_role("row", name="description Salaries What everybody earns")).to_be_visible()
    opened.get_by_role("link", name=f"change-{table.name}").click()
    expect(opened).to_have_count(0)
    expect(page.get_by_role("button", name="described a table")).to_have_count(1)


def test_refusals_of_one_member_and_the_chain(window: Window, house: House) -> None:
    olivia, tessa, table = some_history(house)
    page = window.page
    window.sign_in(olivia)
    window.go("/audit?actor=nobody&search=%00")  # what cannot be looked for narrows nothing
    page.get_by_role("combobox", name="Outcome").click()
    page.get_by_role("option", name="refused").click()
    page.get_by_role("button", name="More filters").click()
    page.get_by_role("combobox", name="Who did it").fill(tessa.name)
    page.get_by_role("option", name=tessa.name).click()
    expect(page.get_by_role("button", name="create groups")).to_have_count(1)
    window.look()
    page.get_by_role("button", name="create groups").click()
    opened = page.get_by_role("dialog", name="What happened")
    expect(opened).to_contain_text("while viewing as Somebody else")
    expect(opened).to_contain_text("row “Create groups”")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="The chain is whole").click()
    expect(page.get_by_text("Nothing was changed or left out.")).to_be_visible()
    window.look()

    # Linked from other pages as the history of one thing; who did it reads it too, without the rest.
    window.sign_in(tessa)
    window.go(f"/audit?resource_type=table&resource_id={table.id}")
    expect(page.get_by_role("button", name="described a table")).to_be_visible()
    expect(page.get_by_text("The chain is whole")).to_have_count(0)
    window.look()
