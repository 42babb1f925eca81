"""The tables over the API are the literals, and the types say what can be asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.shapes import AccessTable
from bailiwick.questions.descriptions import DESCRIPTIONS
from bailiwick.questions.resources import ASKABLE
from tests.questions.company import Company

PAGES = Path(__file__).parents[2] / "docs" / "access"


def test_every_cell_of_every_table_is_shown(company: Company) -> None:
    shown = {
        (table["document"], table["page"], table["name"], *table["governs"]): table
        for table in company.as_("nils").get("/api/v1/access/tables").json()["items"]
    }
    tables = {id(table): table for kind in RESOURCE_TYPES.values() for table in kind.tables}
    assert len(shown) == len(tables)
    for table in tables.values():
        governs = [kind.name for kind in RESOURCE_TYPES.values() if any(table is other for other in kind.tables)]
        found = shown[(table.document, table.page, table.name, *governs)]
        cells = iter(table.rules())
        for row in found["rows"]:
            for column, cell in zip(found["columns"], row["cells"], strict=True):
                rule = next(cells)
                assert (row["name"], column["name"]) == (rule.row, rule.column)
                assert cell["allowed"] == bool(rule.grants)
                if isinstance(table, AccessTable):
                    assert set(cell["actions"]) == rule.grants
        assert next(cells, None) is None


def test_a_conditional_tick_says_its_condition(company: Company) -> None:
    (table, *_) = company.as_("nils").get("/api/v1/access/tables/spaces/data-tasks-and-resources").json()["items"]
    row = next(row for row in table["rows"] if row["name"] == "Edit data connection")
    assert row["cells"][0] == {"allowed": True, "actions": [], "only_if": {"owner of the connection": ["yes"]}}


@pytest.mark.parametrize("page", ["spaces", "lakehouse", "roles", "projects", "tenant", "ownership-and-availability"])
def test_a_page_shows_its_tables_and_its_headings_one_each(company: Company, page: str) -> None:
    client = company.as_("nils")
    tables = client.get(f"/api/v1/access/tables/{page}").json()["items"]
    assert tables
    assert (PAGES / f"{page}.md").exists()
    for table in tables:
        assert table["page"].startswith(f"{page}#")
        for address in (table["page"].replace("#", "/"), table["page"].replace("#", "%23")):
            assert table in client.get(f"/api/v1/access/tables/{address}").json()["items"]


def test_a_page_that_does_not_exist_is_not_found(company: Company) -> None:
    assert company.as_("nils").get("/api/v1/access/tables/nowhere").status_code == 404


def test_types_say_actions_facts_and_how_to_describe(company: Company) -> None:
    types = {item["name"]: item for item in company.as_("nils").get("/api/v1/access/types").json()["items"]}
    assert list(types) == list(ASKABLE)
    for name, item in types.items():
        kind = RESOURCE_TYPES[name]
        assert [action["name"] for action in item["actions"]] == list(kind.actions)
        assert len({action["slug"] for action in item["actions"]}) == len(kind.actions)
        assert [fact["name"] for fact in item["facts"]] == [fact.name for fact in kind.facts]
        assert (item["properties"] is not None) == (name in DESCRIPTIONS)
    assert "technical_owners" in types["data_mart"]["properties"]["properties"]


def test_every_type_can_be_asked_about_but_those_that_only_lead_to_a_role() -> None:
    not_asked = set(RESOURCE_TYPES) - set(ASKABLE)
    assert not_asked == {
        "api_token",
        "inherited_project_role",
        "inherited_data_product_role",
        "notification_rule",
        "deleted_destination",  # a destination with `deleted`
    }
