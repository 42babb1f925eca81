"""Pipeline queries: what they write, when they stop, whose rights count, and what an attempt that was lost leaves."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select

from bailiwick.database.base import new_id
from bailiwick.database.engine import Database
from bailiwick.lakehouse.models import Grant, Pipeline, PipelineInput, Table
from bailiwick.lakehouse.queries import pipeline as queries
from bailiwick.runs.models import LineageEdge, Run
from bailiwick.settings import Settings
from bailiwick.spark.queries import expectations
from bailiwick.spark.queries import pipeline as on_spark
from bailiwick.tenancy.models import Tenant
from bailiwick.worker import querying
from bailiwick.worker.working import Worker
from tests.lakehouse.deltas import MakeDelta, RowsOf
from tests.lakehouse.making import make_grant, make_layer
from tests.people import SignInAs, TestClient, make_member

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)

ORDERS = "SELECT id, id % 3 AS customer, id * 10 AS amount FROM range(1, 7)"
TOTALS = "SELECT customer, sum(amount) AS total FROM raw.orders GROUP BY customer"


@pytest.fixture
def ed(database: Database) -> Any:
    """An Editor on raw and trusted."""
    with database.session() as session:
        ed = make_member(session, "Ed")
        for layer in ("raw", "trusted"):
            make_grant(session, make_layer(session, layer), ed, "Editor")
        return ed


def layer_id(database: Database, name: str = "trusted") -> str:
    with database.session() as session:
        return str(make_layer(session, name).id)


def saved(
    client: TestClient, worker: Worker, path: str, body: dict[str, Any], method: str = "POST", expect: int = 201
) -> dict[str, Any]:
    """What takes an analysis: asked for, analysed by the worker, and repeated with that."""
    started = client.request(method, f"{path}?wait=0", json=body)
    assert started.status_code == 202, started.text
    worker.drain()
    answer = client.request(method, f"{path}?analysis={started.json()['run_id']}", json=body)
    assert answer.status_code == expect, answer.text
    found: dict[str, Any] = answer.json()
    return found


def added(client: TestClient, worker: Worker, database: Database, sql: str = TOTALS, **more: Any) -> dict[str, Any]:
    body = {"name": "Totals", "sql": sql, "output_layer_id": layer_id(database), "output_name": "totals", **more}
    return saved(client, worker, "/api/v1/pipeline-queries", body)


def ran(client: TestClient, worker: Worker, database: Database, pipeline: dict[str, Any]) -> Run:
    started = client.post(f"/api/v1/pipeline-queries/{pipeline['id']}/runs")
    assert started.status_code == 202, started.text
    worker.drain()
    with database.session() as session:
        return session.get_one(Run, UUID(started.json()["run_id"]))


def output(database: Database, pipeline: dict[str, Any]) -> Table:
    with database.session() as session:
        found = session.get_one(Pipeline, UUID(pipeline["id"]))
        return session.get_one(Table, found.output_table_id)


def test_a_pipeline_query_makes_its_table(
    database: Database, ed: Any, make_delta: MakeDelta, rows_of: RowsOf, worker: Worker, sign_in_as: SignInAs
) -> None:
    orders = make_delta("raw.orders", ORDERS)
    client = sign_in_as(ed)
    pipeline = added(client, worker, database)
    assert pipeline["inputs"] == [{"id": str(orders.id), "name": "raw.orders"}]
    assert pipeline["output_table_id"] is None
    run = ran(client, worker, database, pipeline)
    assert (run.state, run.rows_written) == ("succeeded", 3), run.problem
    totals = output(database, pipeline)
    # 1..6 by id % 3: {1,4} = 50, {2,5} = 70, {3,6} = 90
    assert rows_of(totals, "customer, total") == [(0, 90), (1, 50), (2, 70)]
    assert (totals.name, totals.rows, totals.data_version) == ("totals", 3, 0)
    assert [column["name"] for column in totals.columns] == ["customer", "total"]
    assert run.executed_sql == TOTALS
    with database.session() as session:
        edges = {(e.from_column, e.to_column) for e in session.scalars(select(LineageEdge))}
    assert {("customer", "customer"), ("amount", "total")} <= edges


@pytest.mark.parametrize(
    ("mode", "keys", "expected"),
    [
        ("overwrite", [], [(2, "b2"), (3, "b3")]),
        ("append", [], [(1, "a1"), (2, "a2"), (2, "b2"), (3, "b3")]),
        ("merge", ["id"], [(1, "a1"), (2, "b2"), (3, "b3")]),
    ],
)
def test_rows_are_written_in_the_way_that_was_chosen(
    database: Database,
    ed: Any,
    make_delta: MakeDelta,
    rows_of: RowsOf,
    worker: Worker,
    sign_in_as: SignInAs,
    mode: str,
    keys: list[str],
    expected: list[Any],
) -> None:
    make_delta("raw.things", "SELECT id, concat('a', id) AS name FROM range(1, 3)")
    client = sign_in_as(ed)
    pipeline = added(client, worker, database, "SELECT id, name FROM raw.things", mode=mode, keys=keys)
    assert ran(client, worker, database, pipeline).state == "succeeded"
    make_delta("raw.things", "SELECT id, concat('b', id) AS name FROM range(2, 4)", version=2)
    assert ran(client, worker, database, pipeline).state == "succeeded"
    assert rows_of(output(database, pipeline), "id, name") == expected


@pytest.mark.parametrize("mode", ["overwrite", "append", "merge"])
def test_a_run_whose_worker_was_lost_after_the_commit_writes_nothing_twice(
    database: Database,
    settings: Settings,
    ed: Any,
    make_delta: MakeDelta,
    rows_of: RowsOf,
    worker: Worker,
    sign_in_as: SignInAs,
    monkeypatch: pytest.MonkeyPatch,
    mode: str,
) -> None:
    make_delta("raw.orders", ORDERS)
    client = sign_in_as(ed)
    more: dict[str, Any] = {"mode": mode, "keys": ["customer"] if mode == "merge" else []}
    expected_of = [
        {"kind": "unique", "column": "customer", "stop": True},
        {"kind": "row_count", "least": 100},
    ]
    pipeline = added(client, worker, database, expectations=expected_of, **more)
    assert ran(client, worker, database, pipeline).state == "succeeded"
    make_delta("raw.orders", ORDERS.replace("* 10", "* 100"), version=2)

    class Lost(BaseException):
        """As if the process had died."""

    def dies(*_: object, **__: object) -> None:
        raise Lost

    with monkeypatch.context() as patch:
        patch.setattr(queries, "finish", dies)
        dying = Worker(database, settings, worker.engine, kinds=querying.kinds(settings))
        started = client.post(f"/api/v1/pipeline-queries/{pipeline['id']}/runs").json()
        with pytest.raises(Lost):
            dying.run_next()
    with database.session() as session:
        run = session.get_one(Run, UUID(started["run_id"]))
        assert run.state == "running"
        run.lease_until = run.created_at  # its lease runs out
    with monkeypatch.context() as patch:
        patch.setattr(on_spark, "admit", dies)  # the second attempt must not even read again
        worker.drain()
    with database.session() as session:
        run = session.get_one(Run, UUID(started["run_id"]))
        assert (run.state, run.attempt) == ("succeeded", 2), run.problem
        assert run.result is not None
        assert [(one["kind"], one["met"]) for one in run.result["expectations"]] == [
            ("unique", True),
            ("row_count", False if mode == "merge" else None),
        ]
    second = [(0, 900), (1, 500), (2, 700)]
    first = [(0, 90), (1, 50), (2, 70)]
    expected = sorted(first + second, key=repr) if mode == "append" else second
    table = output(database, pipeline)
    assert rows_of(table, "customer, total") == expected
    assert table.data_version == 1


def test_an_expectation_that_stops_leaves_the_table_as_it_was(
    database: Database, ed: Any, make_delta: MakeDelta, rows_of: RowsOf, worker: Worker, sign_in_as: SignInAs
) -> None:
    make_delta("raw.orders", ORDERS)
    client = sign_in_as(ed)
    wanted = [
        {"kind": "not_null", "column": "customer", "stop": True},
        {"kind": "range", "column": "total", "least": 60},
        {"kind": "accepted_values", "column": "customer", "values": [0, 1, 2]},
    ]
    pipeline = added(client, worker, database, expectations=wanted)
    run = ran(client, worker, database, pipeline)
    assert run.state == "succeeded", run.problem
    assert run.result is not None
    assert [(one["kind"], one["met"], one["found"]) for one in run.result["expectations"]] == [
        ("not_null", True, "0 rows are NULL"),
        ("range", False, "1 row is outside"),
        ("accepted_values", True, "0 rows are something else"),
    ]
    make_delta("raw.orders", ORDERS.replace("id % 3 AS", "nullif(id % 3, 1) AS"), version=2)
    run = ran(client, worker, database, pipeline)
    assert run.state == "failed"
    assert run.problem == {
        "code": "expectation",
        "message": "Expected customer never to be NULL, but 1 row is NULL.",
        "fix": "Correct the data or the statement, or let this expectation warn.",
    }
    assert rows_of(output(database, pipeline), "customer, total") == [(0, 90), (1, 50), (2, 70)]


@pytest.mark.parametrize("mode", ["overwrite", "merge"])
def test_no_rows_are_checked_too(
    database: Database, ed: Any, make_delta: MakeDelta, worker: Worker, sign_in_as: SignInAs, mode: str
) -> None:
    make_delta("raw.orders", ORDERS)
    client = sign_in_as(ed)
    wanted = [{"kind": "row_count", "least": 1}, {"kind": "freshness", "column": "at", "minutes": 5}]
    sql = "SELECT id, current_timestamp() AS at FROM raw.orders WHERE false"
    keys = ["id"] if mode == "merge" else []
    pipeline = added(client, worker, database, sql, expectations=wanted, mode=mode, keys=keys)
    run = ran(client, worker, database, pipeline)
    assert run.state == "succeeded", run.problem
    assert run.result is not None
    assert [(one["met"], one["found"]) for one in run.result["expectations"]] == [
        (False, "there are 0 rows"),
        (False, "there is no value"),
    ]


def test_a_merge_with_a_key_that_occurs_twice_says_which(
    database: Database, ed: Any, make_delta: MakeDelta, worker: Worker, sign_in_as: SignInAs
) -> None:
    make_delta("raw.orders", ORDERS)
    client = sign_in_as(ed)
    sql = "SELECT customer, amount FROM raw.orders WHERE customer = 1"
    pipeline = added(client, worker, database, sql, mode="merge", keys=["customer"])
    run = ran(client, worker, database, pipeline)
    assert run.state == "failed"
    assert run.problem is not None
    assert "customer = 1 occurs 2 times" in run.problem["message"]


def test_columns_are_added_and_widened_and_nothing_else(
    database: Database, ed: Any, make_delta: MakeDelta, rows_of: RowsOf, worker: Worker, sign_in_as: SignInAs
) -> None:
    make_delta("raw.things", "SELECT 1 AS id, 'x' AS name")
    client = sign_in_as(ed)
    pipeline = added(client, worker, database, "SELECT * FROM raw.things")
    assert ran(client, worker, database, pipeline).state == "succeeded"
    make_delta("raw.things", "SELECT 2L AS id, true AS fresh", version=2)
    run = ran(client, worker, database, pipeline)
    assert run.state == "succeeded", run.problem
    table = output(database, pipeline)
    assert {(one["name"], one["type"]) for one in table.columns} == {
        ("id", "bigint"),
        ("name", "string"),
        ("fresh", "boolean"),
    }
    assert rows_of(table, "id, name, fresh") == [(2, None, True)]
    make_delta("raw.things", "SELECT 'three' AS id", version=3)
    run = ran(client, worker, database, pipeline)
    assert (run.state, run.problem and run.problem["code"]) == ("failed", "schema_changed")
    saved(
        client,
        worker,
        f"/api/v1/pipeline-queries/{pipeline['id']}",
        {"replace_schema": True},
        method="PATCH",
        expect=200,
    )
    assert ran(client, worker, database, pipeline).state == "succeeded"
    assert rows_of(output(database, pipeline)) == [("three",)]


def test_adding_asks_editor_on_the_layer_and_on_what_is_read(
    database: Database, ed: Any, make_delta: MakeDelta, worker: Worker, sign_in_as: SignInAs
) -> None:
    with database.session() as session:
        viewer = make_member(session, "Vic")
        make_grant(session, make_layer(session, "trusted"), viewer, "Viewer")
        reader = make_member(session, "Rea")
        make_grant(session, make_layer(session, "trusted"), reader, "Editor")
        make_grant(session, make_layer(session, "raw"), reader, "Viewer")
    make_delta("raw.orders", ORDERS)
    body = {"name": "X", "sql": TOTALS, "output_layer_id": layer_id(database), "output_name": "x"}
    assert sign_in_as(viewer).post("/api/v1/pipeline-queries?wait=0", json=body).status_code == 403
    client = sign_in_as(reader)
    # Reading is not enough to make tables of it, unless the tenant says so.
    refused = saved(client, worker, "/api/v1/pipeline-queries", body, expect=403)
    assert refused["decision"]["facts"]["level"] == "Viewer"
    judged = saved(client, worker, "/api/v1/pipeline-queries/dry-run", _without_name(body), expect=200)
    assert judged["allowed"] is False
    assert [(one["name"], one["level"], one["needs"]) for one in judged["inputs"]] == [
        ("raw.orders", "Viewer", "Editor")
    ]
    with database.session() as session:
        session.get_one(Tenant, 1).reading_needs_only_viewer = True
    saved(client, worker, "/api/v1/pipeline-queries", body)


def _without_name(body: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in body.items() if key != "name"}


def test_a_dry_run_tells_columns_and_what_would_change(
    database: Database, ed: Any, make_delta: MakeDelta, worker: Worker, sign_in_as: SignInAs
) -> None:
    make_delta("raw.orders", ORDERS)
    make_delta("trusted.totals", "SELECT 1L AS customer")
    body = {"sql": TOTALS, "output_layer_id": layer_id(database), "output_name": "totals"}
    judged = saved(sign_in_as(ed), worker, "/api/v1/pipeline-queries/dry-run", body, expect=200)
    assert (judged["allowed"], judged["output"]["exists"], judged["problem"]) == (True, True, None)
    assert judged["columns"] == [{"name": "customer", "type": "bigint"}, {"name": "total", "type": "bigint"}]
    assert judged["changes"] == ["total bigint is added"]


def test_a_run_is_restricted_when_its_owner_lost_a_right(
    database: Database, ed: Any, make_delta: MakeDelta, worker: Worker, sign_in_as: SignInAs
) -> None:
    make_delta("raw.orders", ORDERS)
    client = sign_in_as(ed)
    pipeline = added(client, worker, database)
    started = client.post(f"/api/v1/pipeline-queries/{pipeline['id']}/runs").json()
    with database.session() as session:
        raw = make_layer(session, "raw")
        session.scalars(select(Grant).where(Grant.member_id == ed.id, Grant.layer_id == raw.id)).one().level = "Viewer"
    worker.drain()
    with database.session() as session:
        run = session.get_one(Run, UUID(started["run_id"]))
        assert run.state == "restricted"
        assert run.missing is not None
        assert [(one["name"], one["has"], one["needs"]) for one in run.missing] == [("raw.orders", "Viewer", "Editor")]
        assert session.scalars(select(Table).where(Table.name == "totals")).one_or_none() is None


def test_a_right_lost_while_it_runs_counts_before_anything_is_visible(
    database: Database,
    ed: Any,
    make_delta: MakeDelta,
    rows_of: RowsOf,
    worker: Worker,
    sign_in_as: SignInAs,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_delta("raw.orders", ORDERS)
    client = sign_in_as(ed)
    pipeline = added(client, worker, database)
    assert ran(client, worker, database, pipeline).state == "succeeded"
    make_delta("raw.orders", ORDERS.replace("* 10", "* 100"), version=2)
    checked = expectations.check_before

    def lose(*given: Any) -> Any:
        with database.session() as session:
            for grant in session.scalars(select(Grant).where(Grant.member_id == ed.id)):
                session.delete(grant)
        return checked(*given)

    monkeypatch.setattr(on_spark, "check_before", lose)
    run = ran(client, worker, database, pipeline)
    assert run.state == "restricted"
    assert rows_of(output(database, pipeline), "customer, total") == [(0, 90), (1, 50), (2, 70)]


@pytest.mark.parametrize("how", ["given another output", "deleted"])
def test_a_run_notes_the_table_it_wrote_whatever_became_of_the_pipeline_meanwhile(
    database: Database,
    ed: Any,
    make_delta: MakeDelta,
    worker: Worker,
    sign_in_as: SignInAs,
    monkeypatch: pytest.MonkeyPatch,
    how: str,
) -> None:
    make_delta("raw.orders", ORDERS)
    client = sign_in_as(ed)
    pipeline = added(client, worker, database)
    assert ran(client, worker, database, pipeline).state == "succeeded"
    first = output(database, pipeline)
    checked = expectations.check_before

    def change(*given: Any) -> Any:
        with database.session() as session:
            row = session.get_one(Pipeline, UUID(pipeline["id"]))
            row.output_table_id, row.planned_table_id = None, new_id()
            row.settings = {**row.settings, "sql": "SELECT 1 AS one"}
            if how == "deleted":
                session.delete(session.get_one(Table, first.id))
            else:
                row.output_name = "others"
        return checked(*given)

    monkeypatch.setattr(on_spark, "check_before", change)
    run = ran(client, worker, database, pipeline)
    with database.read() as session:
        tables = {table.name: table.data_version for table in session.scalars(select(Table))}
        reads = session.scalars(select(PipelineInput).where(PipelineInput.pipeline_id == UUID(pipeline["id"]))).all()
        assert session.get_one(Pipeline, UUID(pipeline["id"])).output_table_id is None
    if how == "deleted":
        assert run.problem is not None
        assert (run.state, run.problem["code"]) == ("failed", "output_gone")
        assert "totals" not in tables
    else:
        assert (run.state, tables["totals"], "others" in tables) == ("succeeded", 1, False)
    assert len(reads) == 1, "What is read is what the statement that was saved last says, once it ran."


def test_two_pipelines_append_to_one_table_at_once(
    database: Database, ed: Any, make_delta: MakeDelta, rows_of: RowsOf, worker: Worker, sign_in_as: SignInAs
) -> None:
    import threading

    make_delta("raw.orders", ORDERS)
    client = sign_in_as(ed)
    first = added(client, worker, database, mode="append")
    assert ran(client, worker, database, first).state == "succeeded"
    second = added(client, worker, database, name="Totals again", mode="append")
    for pipeline in (first, second, first, second):
        assert client.post(f"/api/v1/pipeline-queries/{pipeline['id']}/runs").status_code == 202
    others = [Worker(database, worker._settings, worker.engine) for _ in range(2)]
    threads = [threading.Thread(target=one.drain) for one in others]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    worker.drain()
    with database.session() as session:
        states = [run.state for run in session.scalars(select(Run).where(Run.kind == "pipeline_query"))]
    assert states == ["succeeded"] * 5
    assert len(rows_of(output(database, first))) == 15


def test_what_it_reads_is_refreshed_at_each_run(
    database: Database, ed: Any, make_delta: MakeDelta, worker: Worker, sign_in_as: SignInAs
) -> None:
    make_delta("raw.orders", ORDERS)
    client = sign_in_as(ed)
    pipeline = added(client, worker, database)
    with database.session() as session:
        session.query(PipelineInput).delete()
    assert ran(client, worker, database, pipeline).state == "succeeded"
    shown = client.get(f"/api/v1/pipeline-queries/{pipeline['id']}").json()
    assert [one["name"] for one in shown["inputs"]] == ["raw.orders"]


def test_only_another_name_needs_no_analysis(
    database: Database, ed: Any, make_delta: MakeDelta, worker: Worker, sign_in_as: SignInAs
) -> None:
    make_delta("raw.orders", ORDERS)
    client = sign_in_as(ed)
    pipeline = added(client, worker, database)
    answer = client.patch(f"/api/v1/pipeline-queries/{pipeline['id']}?wait=0", json={"name": "Renamed"})
    assert (answer.status_code, answer.json()["name"]) == (200, "Renamed")


def test_what_is_not_active_does_not_start(
    database: Database, ed: Any, make_delta: MakeDelta, worker: Worker, sign_in_as: SignInAs
) -> None:
    make_delta("raw.orders", ORDERS)
    client = sign_in_as(ed)
    path = f"/api/v1/pipeline-queries/{added(client, worker, database)['id']}"
    assert client.post(f"{path}/deactivate").json()["active"] is False
    assert client.post(f"{path}/runs").status_code == 409
    assert client.post(f"{path}/activate").json()["active"] is True
    assert client.post(f"{path}/runs").status_code == 202
    assert client.delete(path).status_code == 403  # Editors do not delete pipelines
