"""Tokens for chosen tables: what they reach of their maker's rights, and that everything else is not there."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from bailiwick.database.base import new_id
from bailiwick.lakehouse import catalogue, standing
from bailiwick.lakehouse.models import Grant
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import ApiToken
from tests.lakehouse.company import API, Company
from tests.lakehouse.making import make_saved_query
from tests.people import make_token


def through(company: Company, who: str, *tables: Any, read_only: bool = False) -> Any:
    """The API for somebody through a token for these tables."""
    chosen = [str(table.id) for table in tables]
    return company.sign_in_as(company.people[who], token={"tables": chosen, "read_only": read_only})


@pytest.mark.parametrize("who", ["adam", "mia", "vic"])
def test_such_a_token_sees_its_tables_and_no_others(company: Company, who: str) -> None:
    client = through(company, who, company.orders)
    listed = client.get(f"{API}/tables").json()["items"]
    assert [item["full_name"] for item in listed] == ["raw.orders"]
    in_layer = client.get(f"{API}/tables", params={"layer": str(company.raw.id)}).json()["items"]
    assert [item["full_name"] for item in in_layer] == ["raw.orders"]
    assert client.get(f"{API}/tables/{company.orders.id}").status_code == 200
    assert client.get(f"{API}/tables/{company.orders.id}/access").status_code == 200
    hidden = client.get(f"{API}/tables/{company.customers.id}")
    assert (hidden.status_code, hidden.json()["detail"]) == (404, "There is no such table.")
    offered = client.get(f"{API}/completion", params={"prefix": ""}).json()["items"]
    assert [one["text"] for one in offered] == ["raw.orders"]
    columns = client.get(f"{API}/completion", params={"prefix": "raw.customers."}).json()["items"]
    assert columns == []


def test_such_a_token_reaches_no_further_than_its_maker(company: Company) -> None:
    client = through(company, "tab", company.orders, company.customers)
    assert [item["full_name"] for item in client.get(f"{API}/tables").json()["items"]] == ["raw.orders"]
    assert client.get(f"{API}/tables/{company.customers.id}").status_code == 404
    with company.database.session() as session:
        session.delete(session.scalars(select(Grant).where(Grant.member_id == company.id("tab"))).one())
    assert client.get(f"{API}/tables").json()["items"] == []


def test_such_a_token_describes_its_tables_unless_it_is_read_only(company: Company) -> None:
    client, reader = through(company, "eve", company.orders), through(company, "eve", company.orders, read_only=True)
    body = {"description": "By a program."}
    assert client.patch(f"{API}/tables/{company.orders.id}", json=body).status_code == 200
    assert client.patch(f"{API}/tables/{company.customers.id}", json=body).status_code == 404
    refused = reader.patch(f"{API}/tables/{company.orders.id}", json=body)
    assert refused.status_code == 403
    assert refused.json()["decision"]["row"] == "Read-only"
    assert reader.get(f"{API}/tables/{company.orders.id}").status_code == 200
    entry = company.audited("edit_table")[-1]
    assert entry.token_id is not None


def test_everything_else_stays_closed_to_such_a_token(company: Company) -> None:
    client = through(company, "adam", company.orders)
    for path in (
        *("layers", f"layers/{company.raw.id}", "volumes", f"volumes/{company.files.id}", "members", "projects"),
        *(f"tables/{company.orders.id}/used-by", f"tables/{company.orders.id}/lineage", "audit", "groups"),
        *(f"tables/{company.orders.id}/grants", f"volumes/{company.files.id}/files"),
    ):
        answer = client.get(f"{API}/{path}")
        assert answer.status_code == 403, path
        assert answer.json()["decision"]["column"] == "Chosen tables"
    assert client.delete(f"{API}/tables/{company.orders.id}?confirm=orders").status_code == 403
    body = {"layer": str(company.raw.id), "name": "mine", "columns": [{"name": "a", "type": "int"}]}
    assert client.post(f"{API}/tables?wait=0", json=body).status_code == 403
    give = {"member": "nora@example.com", "level": "Viewer"}
    assert client.post(f"{API}/tables/{company.orders.id}/grants", json=give).status_code == 403
    assert client.put(f"{API}/volumes/{company.files.id}/files/a.csv", content=b"x").status_code == 403


def test_a_token_is_made_for_tables_that_its_maker_sees(company: Company) -> None:
    def make(who: str, *tables: Any) -> Any:
        body = {"name": "A program", "read_only": True, "tables": [str(table) for table in tables]}
        return company.as_(who).post(f"{API}/tokens", json=body)

    made = make("tab", company.orders.id)
    assert made.status_code == 201
    assert made.json()["tables"] == [str(company.orders.id)]
    hidden, missing = make("tab", company.orders.id, company.customers.id), make("tab", new_id())
    assert hidden.status_code == missing.status_code == 422
    assert str(company.orders.id) not in hidden.json()["detail"]
    assert hidden.json()["errors"][0]["field"] == "tables"
    assert make("tab").status_code == 422  # a token for no table at all is a mistake


def test_towards_what_such_a_token_does_not_reach_nobody_stands(company: Company) -> None:
    adam = company.people["adam"]
    with company.database.session() as session:
        token, _ = make_token(session, adam, tables=[str(company.orders.id)])
        query = make_saved_query(session, "Both", adam, reads=[company.orders, company.customers])
    with company.database.read() as session:
        caller = Caller(adam, token=session.get_one(ApiToken, token.id))
        for placed, action in (
            (standing.on_lakehouse(session, caller), "Create layers"),
            (standing.on_layer(session, caller, company.raw), "See layers"),
            (standing.on_thing(session, caller, company.customers), "See tables"),
            (standing.on_thing(session, caller, company.files), "See tables"),
            (standing.on_query(session, caller, [company.orders, company.customers]), "Execute queries"),
            (standing.on_saved_queries(session, caller, [query])[query.id], "See"),
        ):
            assert not placed.check(caller.id, action).allowed
            assert placed.actions(caller.id) == ()
        assert standing.on_query(session, caller, [company.orders]).check(caller.id, "Execute queries").allowed
        names = [("raw", "orders"), ("raw", "customers")]
        assert list(catalogue.readable(session, caller, names)) == [("raw", "orders")]
