"""Sharing: a table given to a group, seen by one of its members, and taken again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from uuid import UUID

import pytest
from playwright.sync_api import expect

from bailiwick.demo import people as p
from bailiwick.demo.story import member_of
from bailiwick.tenancy.models import Member, Tenant
from tests.e2e.conftest import House, Window
from tests.lakehouse.making import make_grant, make_layer, make_pipeline, make_table


@dataclass(frozen=True)
class Company:
    owner: Member
    tessa: Member  # manages the table
    carlo: Member  # in the group, sees nothing yet; a pipeline over the table acts as him
    table: str
    table_id: UUID

    group = "Finance"  # Carlo and Vera


@pytest.fixture
def company(house: House) -> Company:
    with house.database.session() as session:
        owner, tessa, carlo = (member_of(session, person) for person in (p.OLIVIA, p.TESSA, p.CARLO))
        layer = make_layer(session, "gold")
        table = make_table(session, "margins", layer=layer, rows=3)
        make_grant(session, table, tessa, "Manager", by=owner)
        make_grant(session, layer, owner, "Viewer", by=owner)
        make_pipeline(session, "Margins by shop", carlo, reads=[table], output=table)
        return Company(owner, tessa, carlo, f"{layer.name}.margins", table.id)


def test_a_table_is_shared_with_a_group_and_taken_again(window: Window, another: Window, company: Company) -> None:
    page = window.page
    window.sign_in(company.owner)
    window.go(f"/tables/{company.table_id}")
    expect(page.get_by_text("everything, by your role")).to_be_visible()  # whatever she was given besides
    page.get_by_role("button", name="Share").click()
    panel = page.get_by_role("dialog", name=f"Who reaches {company.table}")
    expect(panel.get_by_text("by your role in the tenant")).to_be_visible()
    expect(panel.get_by_role("listitem", name=company.tessa.name)).to_contain_text("Manager")
    expect(panel.get_by_text("Given on its layer, and so here too")).to_be_visible()
    panel.get_by_text("A group", exact=True).click()
    panel.get_by_role("combobox", name="Group").fill(company.group)
    page.get_by_role("option", name=company.group).click()
    panel.get_by_role("combobox", name="For how long").click()
    page.get_by_role("option", name="for 30 days").click()
    outlook = panel.get_by_role("region", name="Who gains and loses what")
    expect(outlook).to_contain_text("2 people gain")
    expect(outlook).to_contain_text(company.carlo.name)
    expect(outlook).to_contain_text("gains See tables, Execute queries")
    window.look()
    panel.get_by_role("button", name="Give Viewer").click()
    given = panel.get_by_role("listitem", name=company.group)
    expect(given).to_contain_text("Viewer")
    expect(given).to_contain_text("ends in 30 days")

    another.sign_in(company.carlo)
    changed = another.page.get_by_role("region", name="What changed for you")
    expect(changed).to_contain_text(f"gave your group {company.group} Viewer on {company.table}, for a time")
    another.page.get_by_role("link", name="Tables", exact=True).click()
    another.page.get_by_role("link", name=company.table).click()
    another.page.get_by_role("button", name="Share").click()
    theirs = another.page.get_by_role("dialog", name=f"Who reaches {company.table}")
    expect(another.page).to_have_url(re.compile("share=true"))
    another.page.reload()
    expect(theirs.get_by_text(f"to the group {company.group}")).to_be_visible()
    expect(theirs.get_by_role("button", name="Give access")).to_be_disabled()
    another.look()

    given.get_by_role("button", name="Change").click()
    given.get_by_role("combobox", name="Level").click()
    page.get_by_role("option", name="Editor").click()
    expect(outlook).to_contain_text("gains Change descriptions")
    expect(outlook.get_by_role("alert", name="These pipelines would work again")).to_contain_text("Margins by shop")
    given.get_by_role("button", name="Save").click()
    expect(given).to_contain_text("Editor")
    given.get_by_role("button", name="Take", exact=True).click()
    expect(outlook).to_contain_text("loses See tables")
    expect(outlook.get_by_role("alert", name="These pipelines would stop")).to_contain_text("Margins by shop")
    window.look()
    given.get_by_role("button", name=f"Take Editor from {company.group}").click()
    expect(given).to_have_count(0)

    another.go("/tables")
    expect(another.page.get_by_text("No table to see yet")).to_be_visible()


def test_a_manager_shares_by_address_and_makes_no_managers(window: Window, company: Company) -> None:
    page = window.page
    window.sign_in(company.tessa)
    window.go(f"/tables/{company.table_id}")
    page.get_by_role("button", name="Share").click()
    panel = page.get_by_role("dialog", name=f"Who reaches {company.table}")
    panel.get_by_role("textbox", name="Person").fill(company.carlo.email)
    panel.get_by_role("combobox", name="Level").click()
    expect(page.get_by_role("option", name="Manager")).to_have_attribute("data-combobox-disabled", "true")
    page.get_by_role("option", name="Editor").click()
    expect(panel.get_by_role("region", name="Who gains and loses what")).to_contain_text(company.carlo.name)
    panel.get_by_role("button", name="Give Editor").click()
    expect(panel.get_by_role("listitem", name=company.carlo.name)).to_contain_text("for good")
    # Managers are made and unmade by owners and admins.
    expect(panel.get_by_role("listitem", name=company.tessa.name).get_by_role("button")).to_have_count(0)


def test_on_the_plan_starter_levels_sleep(window: Window, house: House, company: Company) -> None:
    with house.database.session() as session:
        session.get_one(Tenant, 1).plan = "starter"
    page = window.page
    window.sign_in(company.owner)
    window.go(f"/tables/{company.table_id}")
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_text("Levels sleep on the plan starter")).to_be_visible()
    expect(page.get_by_text("Give access")).to_have_count(0)
    window.look()
