"""The access explorer: from a control out of reach to the row that decided, who can, what they can, and what if."""

from __future__ import annotations

import re
from dataclasses import dataclass
from uuid import UUID

import pytest
from playwright.sync_api import expect

from bailiwick.demo import people as p
from bailiwick.demo.story import member_of
from bailiwick.tenancy.models import Member
from tests.e2e.conftest import House, Window
from tests.lakehouse.making import make_grant, make_table


@dataclass(frozen=True)
class Company:
    olivia: Member  # an owner
    ben: Member  # Viewer of the table; through his group, Business User in the project
    tessa: Member  # manages the table
    table: str
    table_id: UUID

    group, project = "Sales analysts", p.SALES


@pytest.fixture
def company(house: House) -> Company:
    with house.database.session() as session:
        olivia, ben, tessa = (member_of(session, person) for person in (p.OLIVIA, p.BEN, p.TESSA))
        table = make_table(session, "orders", rows=3)
        make_grant(session, table, ben, "Viewer")
        make_grant(session, table, tessa, "Manager")
        return Company(olivia, ben, tessa, f"raw.{table.name}", table.id)


def test_a_refusal_leads_to_the_row_that_decided(window: Window, company: Company) -> None:
    page = window.page
    window.sign_in(company.ben)
    window.go(f"/tables/{company.table_id}")
    expect(page.get_by_role("button", name="Describe")).to_be_disabled()
    page.get_by_role("button", name="Why?").first.click()
    page.get_by_role("link", name="See it in the table").click()
    expect(page.get_by_role("status")).to_contain_text("You may not")
    expect(page.get_by_role("status")).to_contain_text(f"Change descriptions, table {company.table}")
    expect(page.get_by_role("combobox", name="Which one")).to_have_value(company.table)
    table = page.get_by_role("region", name="Table What each level can do")
    lit = table.locator("tr[aria-current=true]")
    expect(lit.get_by_role("rowheader")).to_have_text("Change descriptions")
    expect(lit.locator("td[data-decided]")).to_have_count(1)
    expect(lit.locator("td[data-decided]")).to_be_in_viewport()
    expect(page.get_by_role("region", name="The facts").get_by_role("row", name="level Viewer")).to_be_visible()
    window.look()

    page.get_by_role("button", name="Ask for Editor").click()
    expect(page.get_by_role("dialog", name="Ask for access")).to_be_visible()
    page.keyboard.press("Escape")
    # About others only those may ask who look after them.
    window.expected = ["403"]
    page.get_by_role("textbox", name="Who").fill(company.tessa.email)
    page.get_by_role("textbox", name="Who").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Ask about anybody's access")
    window.look()


def test_an_owner_asks_about_anybody(window: Window, company: Company) -> None:
    page = window.page
    window.sign_in(company.olivia)
    page.get_by_role("link", name="Access", exact=True).click()
    page.get_by_role("searchbox", name="Find in the tables").fill("billing")
    expect(page.get_by_role("heading", name="Tenant roles")).to_be_visible()
    expect(page.get_by_role("heading", name="Data Mart", exact=True)).to_have_count(0)
    window.look()
    page.get_by_role("searchbox", name="Find in the tables").fill("")
    page.get_by_role("navigation", name="Tables").get_by_role("button", name="Data Mart", exact=True).click()
    row = page.get_by_role("row", name="Non-owner Business User")
    expect(row.get_by_role("cell")).to_have_text(["no–", "See, Use", "no–", "See, Use"])

    page.get_by_role("tab", name="May they, and why").click()
    page.get_by_role("combobox", name="Who").fill(company.ben.name)
    page.get_by_role("option", name=company.ben.name).click()
    page.get_by_role("combobox", name="Kind of thing").click()
    page.get_by_role("option", name="project", exact=True).click()
    page.get_by_role("combobox", name="Which one").fill(company.project)
    page.get_by_role("option", name=company.project).click()
    page.get_by_role("combobox", name="Action").click()
    page.get_by_role("option", name="Edit project metadata").click()
    expect(page.get_by_role("status")).to_contain_text(f"{company.ben.name} may not")
    decided = page.locator("tr[aria-current=true]")
    expect(decided.get_by_role("rowheader")).to_have_text("Edit project metadata")
    expect(page.get_by_text("It takes project role Technical User (it is Business User)")).to_be_visible()

    page.get_by_role("link", name="What else they can").click()
    expect(page.get_by_role("row", name="See project may Seeing a project")).to_be_visible()
    page.get_by_role("tab", name="Who can").click()
    page.get_by_role("combobox", name="Action").click()
    page.get_by_role("option", name="Delete project").click()
    expect(page.get_by_role("cell", name=company.olivia.name, exact=True)).to_be_visible()
    expect(page.get_by_role("cell", name=company.ben.name, exact=True)).to_have_count(0)
    page.get_by_role("searchbox", name="Find somebody").fill("nobody of this name")
    expect(page.get_by_role("cell", name=company.olivia.name, exact=True)).to_have_count(0)
    page.get_by_role("searchbox", name="Find somebody").fill(company.olivia.name.split()[0].lower())
    expect(page.get_by_role("cell", name=company.olivia.name, exact=True)).to_be_visible()
    page.get_by_role("columnheader", name="Name").get_by_role("button").click()
    expect(page.get_by_role("columnheader", name="Name")).to_have_attribute("aria-sort", "descending")
    window.look()
    # The address is the question: whoever it is sent to asks it with their own rights.
    page.reload()
    expect(page.get_by_role("combobox", name="Which one")).to_have_value(company.project)
    page.get_by_role("link", name=f"Why {company.olivia.name} can").click()
    expect(page.get_by_role("status")).to_contain_text("You may")

    page.get_by_role("tab", name="What can they").click()
    expect(page).not_to_have_url(re.compile("search=|sort="))


def test_what_would_change_if(window: Window, company: Company) -> None:
    page = window.page
    window.sign_in(company.olivia)
    window.go("/access?part=what-if")
    page.get_by_role("combobox", name="What would be different").click()
    page.get_by_role("option", name="Change a level").click()
    page.get_by_role("combobox", name="Which one").fill(company.table.removeprefix("raw."))
    page.get_by_role("option", name=company.table).click()
    page.get_by_role("combobox", name="Who").fill(company.ben.name)
    page.get_by_role("option", name=company.ben.name).click()
    page.get_by_role("combobox", name="Level").click()
    page.get_by_role("option", name="Editor").click()
    page.get_by_role("button", name="Look at it").click()
    outlook = page.get_by_role("region", name="Who gains and loses what")
    expect(outlook).to_contain_text(company.ben.name)
    expect(outlook).to_contain_text("gains Change descriptions")
    page.get_by_role("combobox", name="What would be different").click()
    page.get_by_role("option", name="Take out of a group").click()
    page.get_by_role("combobox", name="Group").fill(company.group)
    page.get_by_role("option", name=company.group).click()
    page.get_by_role("combobox", name="Who").fill(company.ben.name)
    page.get_by_role("option", name=company.ben.name).click()
    page.get_by_role("button", name="Look at it").click()
    expect(outlook).to_contain_text("1 person gains, 1 loses")
    expect(outlook).to_contain_text("loses See project")
    window.look()
    page.reload()
    expect(page.get_by_role("region", name="The changes")).to_contain_text(f"group {company.group}")
    page.get_by_role("button", name="Leave it out").first.click()
    expect(outlook).not_to_contain_text("gains")
