"""Searches in lists: by what the list tells, whatever its order, and by nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import event

from bailiwick.lakehouse.models import Layer, Table
from bailiwick.lakehouse.queries import adhoc
from bailiwick.projects.models import Project
from bailiwick.tenancy.models import Group, Member
from tests.lakehouse.company import API, Company
from tests.people import as_caller, make_group, make_project


@pytest.fixture
def sales(company: Company) -> Project:
    """Of the project Sales Mia is Admin, Vic Business User, and Val through the group Sellers."""
    with company.database.session() as session:
        people = {name: session.merge(member) for name, member in company.people.items()}
        roles: dict[Member | Group, str] = {people["mia"]: "Admin", people["vic"]: "Business User"}
        roles[make_group(session, "Sellers", people["val"])] = roles[make_group(session, "Buyers")] = "Technical User"
        make_project(session, "Sales of old", people["olga"], {people["vic"]: "Admin"})
        return make_project(session, "Sales", people["olga"], roles)


def found(company: Company, who: str, path: str, told: str = "name", **query: Any) -> list[str]:
    """What stands in the list, page by page."""
    names: list[str] = []
    while True:
        answer = company.get(who, path, limit=2, **query)
        assert answer.status_code == 200, answer.text
        for item in answer.json()["items"]:
            value = item
            for part in told.split("."):
                value = value[part]
            names.append(str(value))
        if (cursor := answer.json()["next_cursor"]) is None:
            return names
        query["cursor"] = cursor


def test_who_is_in_a_group(company: Company) -> None:
    with company.database.session() as session:
        path = f"/groups/{make_group(session, 'Team', *map(session.merge, company.people.values())).id}/members"
    assert found(company, "vic", path) == sorted(member.name for member in company.people.values())
    assert found(company, "vic", path, sort="-name")[:2] == ["Vic", "Val"]
    assert found(company, "vic", path, search="A") == ["Adam", "Edda", "Mia", "Nora", "Olga", "Tab", "Val"]
    assert found(company, "vic", path, search="a", sort="-name")[-1] == "Adam"
    # By an address for those alone who are told it.
    assert found(company, "olga", path, search="nora@") == ["Nora"]
    assert found(company, "vic", path, search="nora@") == found(company, "vic", path, search="example") == []


def test_who_is_in_a_project_and_which_groups(company: Company, sales: Project) -> None:
    members, groups = f"/projects/{sales.id}/members", f"/projects/{sales.id}/groups"
    assert found(company, "mia", members) == ["Adam", "Edda", "Mia", "Olga", "Val", "Vic"]
    assert found(company, "mia", members, sort="-name") == ["Vic", "Val", "Olga", "Mia", "Edda", "Adam"]
    assert found(company, "mia", members, sort="-name", search="v") == ["Vic", "Val"]
    assert found(company, "mia", groups, "group.name") == ["Buyers", "Sellers"]
    assert found(company, "mia", groups, "group.name", sort="-name") == ["Sellers", "Buyers"]
    assert found(company, "mia", groups, "group.name", search="SELL") == ["Sellers"]
    assert company.get("nora", groups, search="sell").status_code == 404


def test_the_projects_that_somebody_is_in(company: Company, sales: Project) -> None:
    path = f"/members/{company.id('vic')}/projects"
    assert found(company, "olga", path, "project.name", search="sales") == ["Sales", "Sales of old"]
    assert found(company, "olga", path, "project.name", sort="-name") == ["Sales of old", "Sales"]
    assert found(company, "olga", path, "project.name", search="OLD") == ["Sales of old"]
    assert found(company, "mia", path, "project.name", search="old") == []  # in which she is not


def test_who_receives_news(company: Company, sales: Project) -> None:
    of_project = f"/projects/{sales.id}/notifications/run_failed/receivers"
    of_tenant = "/tenant/notifications/run_failed/receivers"
    assert found(company, "mia", of_project, sort="-name") == found(company, "mia", of_project)[::-1]
    assert found(company, "mia", of_project, search="mi") == ["Mia"]
    assert found(company, "mia", of_project, search="vic") == []
    assert found(company, "olga", of_tenant, sort="-name") == ["Olga", "Adam"]
    assert found(company, "olga", of_tenant, search="adam@example") == ["Adam"]


def test_who_was_given_a_level(company: Company) -> None:
    company.grant(company.raw, "group")
    path = f"/layers/{company.raw.id}/grants"
    assert found(company, "mia", path, "holder.name", search="v") == ["Vic", "Eve"]
    assert found(company, "mia", path, "holder.name", search="ANALY") == ["Analysts"]
    assert found(company, "mia", path, "holder.name", search="a") == ["Mia", "Analysts"]
    assert found(company, "mia", path, "holder.name", search="v", sort="-created") == ["Eve", "Vic"]
    of_table = f"/tables/{company.orders.id}/grants"
    everybody = found(company, "mia", of_table, "holder.name")
    assert found(company, "mia", of_table, "holder.name", sort="-created") == everybody[::-1]
    assert set(everybody) == {"Vic", "Eve", "Mia", "Tab", "Analysts"}  # with those of its layer
    assert found(company, "olga", path, "holder.name", search="eve@") == ["Eve"]
    assert found(company, "mia", path, "holder.name", search="eve@") == []
    assert found(company, "mia", f"/tables/{company.orders.id}/grants", "holder.name", search="tab") == ["Tab"]
    assert company.get("vic", path, search="eve").status_code == 403


def test_what_happened_to_one_thing_is_found_by_whom_it_concerns(company: Company) -> None:
    path = f"/tables/{company.orders.id}/grants"
    for holder in ({"group": str(company.group.id)}, {"member": str(company.id("nora"))}):
        assert company.as_("mia").post(f"{API}{path}", json={**holder, "level": "Viewer"}).status_code == 201

    def happened(search: str) -> list[str]:
        one = {"resource_type": "table", "resource_id": str(company.orders.id)}
        return found(company, "olga", "/audit", "action", search=search, **one)

    assert happened("ANALY") == ["give_level"]
    assert happened("nora") == ["give_level"]
    assert happened("Mia") == ["give_level", "give_level"]
    assert happened("orders") == []  # which says nothing here


def test_files_of_a_folder(company: Company) -> None:
    path = f"/volumes/{company.files.id}/files"
    for name in ("Ärger.csv", "b.csv", "c.txt", "old/d.csv"):
        assert company.as_("olga").put(f"{API}{path}/{name}", content=b"1").status_code == 201
    assert found(company, "val", path) == ["b.csv", "c.txt", "old", "Ärger.csv"]
    assert found(company, "val", path, sort="-name") == ["Ärger.csv", "old", "c.txt", "b.csv"]
    assert found(company, "val", path, search="CSV") == ["b.csv", "Ärger.csv"]
    assert found(company, "val", path, search="äR") == ["Ärger.csv"]
    assert found(company, "val", path, search="d.csv", folder="old") == ["d.csv"]
    assert found(company, "val", path, search="d.csv") == []
    cursor = company.get("val", path, limit=1).json()["next_cursor"]
    assert company.get("val", path, limit=1, sort="-name", cursor=cursor).status_code == 422
    assert company.get("nora", path, search="csv").status_code == 404


def test_what_somebody_asked(company: Company) -> None:
    long = "SELECT 1 AS " + "x" * 300 + ", 2 AS at_the_end"
    with company.database.session() as session:
        asked = [("vic", "SELECT * FROM raw.orders"), ("vic", long), ("mia", "SELECT 'Vic''s' FROM raw.orders")]
        for who, sql in asked:
            adhoc.ask(session, as_caller(session.merge(company.people[who])), sql)
    assert found(company, "vic", "/queries", "sql") == [long, "SELECT * FROM raw.orders"]
    assert found(company, "vic", "/queries", "sql", sort="created") == ["SELECT * FROM raw.orders", long]
    assert found(company, "vic", "/queries", "sql", search="RAW.orders") == ["SELECT * FROM raw.orders"]
    assert found(company, "vic", "/queries", "sql", search="at_the_end") == [long]
    assert found(company, "mia", "/queries", "sql", search="vic''s") == ["SELECT 'Vic''s' FROM raw.orders"]
    assert found(company, "vic", "/queries", "sql", search="%") == []
    with company.database.session() as session:
        for sql in ("SELECT 'été'", "SELECT 'ÉTÉ'", "SELECT 'Été'"):
            adhoc.ask(session, as_caller(session.merge(company.people["vic"])), sql)
    for search in ("été", "ÉTÉ", "Été"):
        assert len(found(company, "vic", "/queries", "sql", search=search)) == 3


def test_requests(company: Company, sales: Project) -> None:
    def ask(who: str, name: str, wanted: str) -> None:
        kind, _, called = name.rpartition(":")
        given = "role" if kind == "project" else "level"
        resource = {"type": kind or "table", "name": called}
        body = {"resource": resource, given: wanted, "reason": "For the report."}
        answer = company.as_(who).post(f"{API}/access-requests", json=body)
        assert answer.status_code == 201, answer.text

    ask("nora", "raw.orders", "Viewer")
    ask("gus", "raw.customers", "Viewer")
    ask("gus", "project:Sales", "Business User")

    def names(who: str, **query: Any) -> list[str]:
        return found(company, who, "/access-requests", "resource.name", **query)

    assert names("olga") == ["Sales", "raw.customers", "raw.orders"]
    assert names("olga", sort="created") == ["raw.orders", "raw.customers", "Sales"]
    assert names("olga", sort="created", search="gus") == ["raw.customers", "Sales"]
    cursor = company.get("olga", "/access-requests", limit=1).json()["next_cursor"]
    assert company.get("olga", "/access-requests", sort="created", cursor=cursor).status_code == 422
    assert names("olga", search="RAW.") == ["raw.customers", "raw.orders"]
    assert names("olga", search="gus") == ["Sales", "raw.customers"]
    assert names("mia", search="gus", waiting_for_me=True) == ["Sales", "raw.customers"]
    assert names("gus", search="sale", mine=True) == ["Sales"]
    assert names("vic", search="raw") == []
    # By the name that it has now for who sees it, by the name they wrote for who does not.
    with company.database.session() as session:
        session.get_one(Table, company.orders.id).name = "deals"
    assert names("olga", search="deals") == ["raw.deals"]
    assert names("olga", search="orders") == []
    assert names("nora", search="deals") == []
    assert names("nora", search="orders") == ["raw.orders"]
    assert names("gus", search="customers") == ["raw.customers"]
    company.grant(company.customers, "gus")
    with company.database.session() as session:
        session.get_one(Table, company.customers.id).name = "clients"
        session.delete(session.get_one(Table, company.orders.id))
    assert names("gus", search="raw.clients") == ["raw.clients"]
    assert names("gus", search="customers") == []
    assert names("nora", search="orders") == names("olga", search="orders") == ["raw.orders"]  # which is gone
    with company.database.session() as session:
        session.get_one(Member, company.id("nora")).name = "Noor"
    assert names("olga", search="noor") == ["raw.orders"]


def test_a_search_for_a_hidden_name_costs_what_one_for_nothing_costs(company: Company) -> None:
    """Nora asked for raw.orders, which she does not see; what it is called now is not hers to find out by waiting."""
    body = {"resource": {"type": "table", "name": "raw.orders"}, "level": "Viewer", "reason": "For the report."}
    assert company.as_("nora").post(f"{API}/access-requests", json=body).status_code == 201
    with company.database.session() as session:
        session.get_one(Layer, company.raw.id).name = "acquisition"
    statements: list[str] = []

    def count(connection: Any, cursor: Any, statement: str, *more: Any) -> None:
        statements.append(statement)

    event.listen(company.database.engine, "before_cursor_execute", count)
    asked = {}
    for search in ("acqui", "zzz", "orders", "acqui"):
        statements.clear()
        assert len(company.get("nora", "/access-requests", search=search).json()["items"]) == (search == "orders")
        asked[search] = len(statements)
    assert asked["acqui"] == asked["zzz"] < asked["orders"]


def test_data_is_found_by_its_layer_unless_one_layer_is_looked_at(company: Company) -> None:
    assert company.names("olga", "/tables", search="RA") == ["raw.customers", "raw.orders"]
    assert company.names("olga", "/tables", search="ra.") == []
    assert company.names("olga", "/tables", search="trusted") == ["trusted.revenue"]
    assert company.names("olga", "/tables", search="e") == ["raw.customers", "raw.orders", "trusted.revenue"]
    assert company.names("tab", "/tables", search="raw") == ["raw.orders"]
    assert company.names("olga", "/volumes", search="raw") == ["raw.files"]
    of_layer = {"layer": str(company.raw.id)}
    assert company.names("olga", "/tables", search="raw", **of_layer) == []
    assert company.names("olga", "/tables", search="ord", **of_layer) == ["raw.orders"]


def test_spaces_around_what_is_sought_are_nobodys_name(company: Company) -> None:
    assert company.names("olga", "/tables", search=" orders ") == ["raw.orders"]
    refused = company.get("olga", "/tables", search="  ")
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "search")


def test_entries_are_found_by_the_words_in_which_they_are_told(company: Company) -> None:
    body = {"member": str(company.id("nora")), "level": "Viewer"}
    assert company.as_("mia").post(f"{API}/tables/{company.orders.id}/grants", json=body).status_code == 201
    for action in ("give_level", "gave a level", "Gave  a level"):
        assert found(company, "mia", "/audit", "action", action=action) == ["give_level"], action
    assert found(company, "mia", "/audit", "action", action="gave") == []
