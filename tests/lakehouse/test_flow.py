"""The whole flow: from sources to destinations, with the last runs, and nothing of what the caller may not see."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import event

from bailiwick.database.base import utc_now
from bailiwick.lakehouse.models import Pipeline, Table
from bailiwick.runs.models import LineageEdge
from tests.lakehouse.company import Company
from tests.lakehouse.making import make_grant, make_pipeline, make_stream, make_table, make_volume


class River:
    """What flows in the tests: files → shop → raw.orders → clean → trusted.revenue → boards, and a history of
    raw.customers."""

    def __init__(self, company: Company) -> None:
        self.company = company
        with company.database.session() as session:
            eve = company.people["eve"]
            self.shop = make_pipeline(session, "Shop", eve, kind="source")
            make_stream(session, self.shop, table=company.orders, reads=[company.files])
            self.clean = make_pipeline(session, "Clean", eve, reads=[company.orders], output=company.revenue)
            self.boards = make_pipeline(session, "Boards", eve, kind="destination", reads=[company.revenue])
            self.past_table = make_table(session, "customers_past", layer=company.raw)
            self.past = make_pipeline(
                session, "Past", eve, kind="history", reads=[company.customers], output=self.past_table, active=False
            )

    def seen(self, name: str, **query: Any) -> tuple[set[str], set[str]]:
        """The names of the nodes and of the edges that somebody sees."""
        answer = self.company.get(name, "/flow", **query)
        assert answer.status_code == 200, answer.text
        names = {node["id"]: node["name"] for node in answer.json()["nodes"]}
        return set(names.values()), {f"{names[one['from']]} → {names[one['to']]}" for one in answer.json()["edges"]}


@pytest.fixture
def river(company: Company) -> River:
    return River(company)


ALONG = {"files → Shop", "Shop → orders", "orders → Clean", "Clean → revenue", "revenue → Boards"}
PAST = {"customers → Past", "Past → customers_past"}


def test_an_owner_sees_all_that_flows(river: River) -> None:
    nodes, edges = river.seen("olga")
    assert edges == ALONG | PAST
    along = {"files", "Shop", "orders", "Clean", "revenue", "Boards"}
    assert nodes == along | {"customers", "Past", "customers_past"}


def test_nodes_say_what_they_are(river: River) -> None:
    nodes = {node["name"]: node for node in river.company.get("olga", "/flow").json()["nodes"]}
    assert nodes["Shop"] == {
        "id": str(river.shop.id),
        "type": "source",
        "name": "Shop",
        "layer": None,
        "state": "active",
        "last_run": None,
    }
    assert nodes["orders"]["type"] == "table"
    assert (nodes["orders"]["layer"], nodes["orders"]["state"]) == ("raw", None)
    assert nodes["files"]["type"] == "volume"
    assert nodes["Past"]["state"] == "inactive"
    assert {nodes[name]["type"] for name in ("Clean", "Boards", "Past")} == {"query", "destination", "history"}


def test_a_node_has_its_last_run_and_a_table_that_of_its_writer(river: River) -> None:
    company = river.company
    with company.database.session() as session:
        first = company.make_run(session, river.clean, state="failed", ended_at=utc_now())
        last = company.make_run(session, river.shop, state="succeeded", ended_at=utc_now())
        first.number = 0
        session.flush()
        second = company.make_run(session, river.clean, state="running")
    nodes = {node["name"]: node["last_run"] for node in company.get("olga", "/flow").json()["nodes"]}
    assert nodes["Clean"] == nodes["revenue"]
    assert {**nodes["Clean"], "number": 1, "created_at": None} == {
        "id": str(second.id),
        "number": 1,
        "state": "running",
        "created_at": None,
        "ended_at": None,
    }
    assert nodes["orders"]["id"] == str(last.id)
    assert nodes["orders"]["ended_at"]
    assert nodes["Boards"] is None
    assert nodes["files"] is None


def test_a_table_or_volume_that_is_hidden_takes_its_pipelines_and_their_runs_along(river: River) -> None:
    """Vic sees the layer raw and not trusted: of what reads raw.orders into trusted there is no sign."""
    with river.company.database.session() as session:
        river.company.make_run(session, river.clean, state="failed")
    nodes, edges = river.seen("vic")
    assert edges == {"files → Shop", "Shop → orders"} | PAST
    assert nodes == {"files", "Shop", "orders", "customers", "Past", "customers_past"}
    assert str(river.clean.id) not in river.company.get("vic", "/flow").text
    assert river.seen("nora") == (set(), set())


def test_nothing_leads_past_a_hidden_table_between_two_that_are_seen(river: River) -> None:
    """Tab sees the first and the last table, and neither what lies between nor that anything does."""
    company = river.company
    with company.database.session() as session:
        end = make_table(session, "end", layer=company.raw)
        make_pipeline(session, "On", company.people["eve"], reads=[company.revenue], output=end)
        make_grant(session, end, company.people["tab"])
    assert river.seen("tab") == (set(), set())
    assert river.seen("tab", around=str(company.orders.id)) == ({"orders"}, set())
    assert river.seen("tab", around=str(end.id)) == ({"end"}, set())
    _, all_of_it = river.seen("olga", around=str(end.id))
    assert {"files → Shop", "orders → Clean", "Clean → revenue", "revenue → On", "On → end"} == all_of_it - {
        "Shop → orders"
    }


def test_what_is_hidden_is_nothing_to_look_around(river: River) -> None:
    company = river.company
    hidden = company.get("vic", "/flow", around=str(company.revenue.id))
    nowhere = company.get("vic", "/flow", around=str(company.people["vic"].id))
    assert hidden.status_code == nowhere.status_code == 404
    assert hidden.json()["detail"] == nowhere.json()["detail"]
    assert company.get("vic", "/flow", around=str(river.clean.id)).status_code == 404
    assert company.get("vic", "/flow", layer=str(company.trusted.id)).status_code == 404


def test_through_a_disabled_stream_nothing_flows_and_nothing_shows(river: River) -> None:
    """Whoever sees a source need not see what its disabled streams read and write, nor learn of it by searching."""
    company = river.company
    with company.database.session() as session:
        secret = make_table(session, "secret_plans", layer=company.trusted)
        make_stream(session, session.merge(river.shop), "second", table=secret, enabled=False, reads=[company.revenue])
        make_stream(session, session.merge(river.shop), "third", table=company.customers, enabled=False)
    assert "secret_plans" not in river.seen("olga")[0]
    assert river.seen("vic")[1] == {"files → Shop", "Shop → orders"} | PAST
    for search in ("secret", "revenue"):
        assert river.seen("vic", search=search) == (set(), set())


def test_rejects_show_to_who_sees_their_table(river: River) -> None:
    company = river.company
    with company.database.session() as session:
        rejects = make_table(session, "bad_orders", layer=company.trusted)
        source = make_pipeline(session, "Bad", company.people["eve"], kind="source")
        make_stream(session, source, "bad", table=company.customers, rejects_table_id=rejects.id)
    assert "Bad → bad_orders" in river.seen("olga")[1]
    nodes, edges = river.seen("vic")
    assert "Bad → customers" in edges
    assert "bad_orders" not in nodes
    assert river.seen("vic", search="bad_orders") == (set(), set())


def test_what_a_run_told_stands_in_for_what_is_not_declared(river: River) -> None:
    company = river.company
    with company.database.session() as session:
        raw = company.raw
        book = make_pipeline(session, "Book", company.people["eve"], kind="notebook", output_layer=raw)
        for column in ("id", "amount"):
            told = {"subject_type": "pipeline", "subject_id": book.id, "from_column": column, "to_column": column}
            session.add(LineageEdge(from_table_id=company.orders.id, to_table_id=company.customers.id, **told))
            session.add(LineageEdge(from_table_id=company.revenue.id, to_table_id=company.customers.id, **told))
        # Of a pipeline that says itself what it does, only that counts.
        told = {"subject_type": "pipeline", "subject_id": river.clean.id}
        session.add(LineageEdge(from_table_id=company.customers.id, to_table_id=company.revenue.id, **told))
    edges = river.seen("olga")[1]
    assert edges == ALONG | PAST | {"orders → Book", "revenue → Book", "Book → customers"}
    assert river.seen("vic")[1] == {"files → Shop", "Shop → orders", "orders → Book", "Book → customers"} | PAST
    _, around = river.seen("vic", around=str(company.customers.id))
    assert around == {"files → Shop", "Shop → orders", "orders → Book", "Book → customers"} | PAST


def test_by_layer_and_by_name(river: River) -> None:
    company = river.company
    assert river.seen("olga", layer=str(company.trusted.id))[1] == {
        "orders → Clean",
        "Clean → revenue",
        "revenue → Boards",
    }
    assert river.seen("olga", layer=str(company.raw.id), search="past")[1] == PAST
    assert river.seen("olga", search="CLEA")[1] == {"orders → Clean", "Clean → revenue"}
    assert river.seen("olga", search="file")[1] == {"files → Shop", "Shop → orders"}
    assert river.seen("olga", search="100%") == (set(), set())


def test_around_a_node_is_what_leads_to_it_and_what_comes_from_it(river: River) -> None:
    company = river.company
    with company.database.session() as session:
        # A second stream of the source, and a second reader of the files: beside the way, not on it.
        make_stream(session, session.merge(river.shop), "people", table=company.customers)
        make_pipeline(session, "Other", company.people["eve"], reads=[company.files], output_layer=company.raw)
    assert river.seen("olga", around=str(company.revenue.id))[1] == ALONG
    assert river.seen("olga", around=str(river.clean.id))[1] == ALONG
    narrowed = river.seen("olga", around=str(river.clean.id), search="shop")
    assert narrowed == ({"files", "Shop", "orders", "Clean"}, ALONG - {"Clean → revenue", "revenue → Boards"})


def test_a_circle_ends(river: River) -> None:
    company = river.company
    with company.database.session() as session:
        make_pipeline(session, "Back", company.people["eve"], reads=[company.revenue], output=company.orders)
    assert river.seen("olga", around=str(company.orders.id))[1] == ALONG | {"revenue → Back", "Back → orders"}


def test_there_are_as_many_nodes_as_asked_for_and_it_says_that_there_are_more(river: River) -> None:
    company = river.company
    whole = company.get("olga", "/flow").json()
    assert whole["truncated"] is False
    for query in ({}, {"around": str(company.revenue.id)}):
        for limit in (1, 4):
            answer = company.get("olga", "/flow", limit=limit, **query).json()
            assert (len(answer["nodes"]), answer["truncated"]) == (limit, True)
            there = {node["id"] for node in answer["nodes"]}
            assert all({edge["from"], edge["to"]} <= there for edge in answer["edges"])
    exactly = company.get("olga", "/flow", limit=len(whole["nodes"])).json()
    assert exactly == whole
    assert company.get("olga", "/flow", limit=1001).status_code == 422


def test_the_whole_flow_takes_as_many_queries_however_long_it_is(river: River) -> None:
    company = river.company
    asked: list[str] = []
    event.listen(company.database.engine, "before_cursor_execute", lambda *args: asked.append(args[2]))

    def queries() -> int:
        asked.clear()
        assert company.get("vic", "/flow").status_code == 200
        return len(asked)

    few = queries()
    with company.database.session() as session:
        for number in range(30):
            _lengthen(session, company, number)
    assert len(company.get("vic", "/flow").json()["nodes"]) > 60
    assert queries() <= few + 1


def _lengthen(session: Any, company: Company, number: int) -> tuple[Pipeline, Table]:
    table = make_table(session, f"more_{number}", layer=company.raw)
    make_volume(session, f"files_{number}", layer=company.raw)
    return make_pipeline(session, f"More {number}", company.people["eve"], reads=[company.orders], output=table), table


def test_on_starter_everybody_sees_all_that_flows(river: River) -> None:
    river.company.change_plan("starter")
    assert river.seen("nora")[1] == ALONG | PAST
