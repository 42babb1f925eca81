"""Queries that somebody asks: what comes back, to whom, and what does not."""

from __future__ import annotations

import csv
import io
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pyarrow.parquet as pq
import pytest
from python_calamine import CalamineWorkbook

from bailiwick.database.base import utc_now
from bailiwick.database.engine import Database
from bailiwick.lakehouse.queries import adhoc, results
from bailiwick.runs.models import Run, WorkerBeat
from bailiwick.settings import Settings
from bailiwick.worker.working import Worker
from tests.lakehouse.deltas import MakeDelta
from tests.lakehouse.making import make_grant
from tests.people import SignInAs, TestClient, make_member

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)  # what is stored is little; Spark is slow

ORDERS = "SELECT id, cast(id * 1.5 AS decimal(10,2)) AS amount, concat('c', id % 3) AS customer FROM range(1, 11)"


@pytest.fixture
def people(database: Database) -> dict[str, Any]:
    with database.session() as session:
        return {
            name: make_member(session, name, role=role)
            for name, role in {"Ada": "none", "Bob": "none", "Olga": "owner"}.items()
        }


def asked(client: TestClient, worker: Worker, sql: str, **more: Any) -> dict[str, Any]:
    """A query, asked, done by the worker, and looked at."""
    started = client.post("/api/v1/queries?wait=0", json={"sql": sql, **more})
    assert started.status_code == 202, started.text
    worker.drain()
    answer: dict[str, Any] = client.get(f"/api/v1/queries/{started.json()['id']}").json()
    return answer


def rows(client: TestClient, query: dict[str, Any], **params: Any) -> list[list[Any]]:
    answer = client.get(f"/api/v1/queries/{query['id']}/rows", params=params)
    assert answer.status_code == 200, answer.text
    found: list[list[Any]] = answer.json()["rows"]
    return found


def test_a_viewer_reads_rows(
    database: Database, people: dict[str, Any], make_delta: MakeDelta, worker: Worker, sign_in_as: SignInAs
) -> None:
    orders = make_delta("raw.orders", ORDERS)
    with database.session() as session:
        make_grant(session, orders, people["Ada"], "Viewer")
    client = sign_in_as(people["Ada"])
    query = asked(client, worker, "SELECT id, amount, customer FROM raw.orders WHERE id <= 2 ORDER BY id DESC")
    assert query["state"] == "succeeded", query
    assert query["columns"] == [
        {"name": "id", "type": "bigint"},
        {"name": "amount", "type": "decimal(10,2)"},
        {"name": "customer", "type": "string"},
    ]
    assert query["reads"] == [{"id": str(orders.id), "name": "raw.orders"}]
    assert rows(client, query) == [[2, "3.00", "c2"], [1, "1.50", "c1"]]


def test_what_may_not_be_read_is_what_is_not_there(
    database: Database, people: dict[str, Any], make_delta: MakeDelta, worker: Worker, sign_in_as: SignInAs
) -> None:
    make_delta("raw.orders", ORDERS)
    client = sign_in_as(people["Bob"])
    hidden = asked(client, worker, "SELECT * FROM raw.orders")
    absent = asked(client, worker, "SELECT * FROM raw.nothin")
    mistaken = asked(client, worker, "SELECT FROM WHERE")
    assert hidden["state"] == absent["state"] == mistaken["state"] == "failed"
    assert [one["problem"]["refused"] for one in (hidden, absent, mistaken)] == [True, True, False]
    assert hidden["problem"]["message"].replace("raw.orders", "raw.nothin") == absent["problem"]["message"]
    assert (hidden["problem"]["code"], hidden["problem"]["fix"]) == (
        absent["problem"]["code"],
        absent["problem"]["fix"],
    )


def test_what_may_not_be_read_is_on_record_and_nothing_of_it_for_who_asked(
    database: Database, people: dict[str, Any], make_delta: MakeDelta, worker: Worker, sign_in_as: SignInAs
) -> None:
    orders, _ = make_delta("raw.orders", ORDERS), make_delta("raw.seen", "SELECT 1 AS a")
    client, owner = sign_in_as(people["Bob"]), sign_in_as(people["Olga"])
    refused = ("SELECT * FROM RAW.orders", "EXPLAIN SELECT 1 FROM raw.orders", "DESCRIBE raw.orders")
    runs = [asked(client, worker, sql)["id"] for sql in (*refused, "SHOW TABLES IN raw")]
    for sql in ("SELECT * FROM raw.nothin", "DESCRIBE raw.nothin", "DELETE FROM raw.orders", "SELECT FROM WHERE"):
        asked(client, worker, sql)
    assert client.get("/api/v1/audit").json()["items"] == []
    entries = owner.get("/api/v1/audit", params={"outcome": "refused"}).json()["items"][::-1]
    assert [entry["after"]["run_id"] for entry in entries] == runs
    *of_table, of_layer = [(entry["resource_type"], entry["resource_name"], entry["said"]) for entry in entries]
    assert of_table == [("table", "raw.orders", "tried “Execute queries”")] * 3
    assert of_layer == ("layer", "raw", "tried “See layers”")
    assert {entry["resource_id"] for entry in entries[:3]} == {str(orders.id)}
    assert {entry["actor"]["name"] for entry in entries} == {"Bob"}


def test_a_query_is_refused_whole(
    database: Database, people: dict[str, Any], make_delta: MakeDelta, worker: Worker, sign_in_as: SignInAs
) -> None:
    seen = make_delta("raw.seen", "SELECT 1 AS a")
    make_delta("raw.hidden", "SELECT 2 AS a")
    with database.session() as session:
        make_grant(session, seen, people["Ada"], "Manager")
    query = asked(sign_in_as(people["Ada"]), worker, "SELECT a FROM raw.seen UNION ALL SELECT a FROM raw.hidden")
    assert (query["state"], query["row_count"]) == ("failed", None)


@pytest.mark.parametrize("wide", [False, True])
def test_values_that_files_or_python_do_not_know_are_told_alike_on_every_way(
    people: dict[str, Any], worker: Worker, sign_in_as: SignInAs, wide: bool
) -> None:
    client = sign_in_as(people["Ada"])
    width = ", repeat('x', 20000)" if wide else ""
    query = asked(
        client,
        worker,
        "SELECT date'+12345-01-01', array(interval '1' day), array(interval '1' month), array(), time'10:00:00', "
        f"array(parse_json('{{\"a\":1}}')), named_struct('i', interval '2' hour){width}",
    )
    assert query["state"] == "succeeded", query["problem"]
    (row,) = rows(client, query)
    assert row[0] == "12345-01-01"
    assert row[3:6] == ["[]", "10:00:00", '[{"a":1}]']
    assert [type(value) for value in row[:7]] == [str] * 7


def test_what_waits_says_why(database: Database, people: dict[str, Any], sign_in_as: SignInAs) -> None:
    with database.session() as session:
        session.add(WorkerBeat(name="a worker", spark="starting", problem="", slots=1, started_at=utc_now()))
    waiting = sign_in_as(people["Ada"]).post("/api/v1/queries?wait=0", json={"sql": "SELECT 1"}).json()
    assert (waiting["state"], waiting["note"].split(";")[0]) == ("queued", "Spark is still starting")


def test_nobody_else_sees_a_query_or_its_rows(
    people: dict[str, Any], make_delta: MakeDelta, worker: Worker, sign_in_as: SignInAs
) -> None:
    ada = sign_in_as(people["Ada"])
    query = asked(ada, worker, "SELECT 42 AS answer")
    assert rows(ada, query) == [[42]]
    for other in ("Bob", "Olga"):
        client = sign_in_as(people[other])
        for path in ("", "/rows", "/download"):
            assert client.get(f"/api/v1/queries/{query['id']}{path}").status_code == 404
        assert client.get("/api/v1/queries").json()["items"] == []


def test_a_query_cannot_write(
    people: dict[str, Any], make_delta: MakeDelta, worker: Worker, sign_in_as: SignInAs
) -> None:
    make_delta("raw.orders", ORDERS)
    client = sign_in_as(people["Olga"])
    for sql in ("DELETE FROM raw.orders", "DROP TABLE raw.orders", "INSERT INTO raw.orders VALUES (1, 1, 'x')"):
        refused = asked(client, worker, sql)
        assert (refused["state"], refused["problem"]["refused"]) == ("failed", True)
    assert rows(client, asked(client, worker, "SELECT count(*) FROM raw.orders")) == [[10]]


def test_values_of_every_kind_come_as_json(people: dict[str, Any], worker: Worker, sign_in_as: SignInAs) -> None:
    client = sign_in_as(people["Ada"])
    sql = """SELECT 9007199254740993L, cast(1.10 AS decimal(5,2)), date'2026-03-01', timestamp'2026-03-01 10:00:00',
        timestamp_ntz'2026-03-01 10:00:00', X'00ff', array(1, NULL), named_struct('a', 1, 'b', date'2026-03-01'),
        map('k', 1.5D), double('NaN'), NULL, true, interval '1' day, 'a' AS same, 'b' AS same"""
    query = asked(client, worker, sql)
    assert query["state"] == "succeeded", query
    assert rows(client, query) == [
        [
            *("9007199254740993", "1.10", "2026-03-01", "2026-03-01T10:00:00Z", "2026-03-01T10:00:00", "AP8="),
            *([1, None], {"a": 1, "b": "2026-03-01"}, [["k", 1.5]], "nan", None, True, "INTERVAL '1' DAY", "a", "b"),
        ]
    ]


def test_a_result_is_read_in_pages_in_its_order(
    people: dict[str, Any], worker: Worker, sign_in_as: SignInAs, settings: Settings
) -> None:
    client = sign_in_as(people["Ada"])
    query = asked(client, worker, "SELECT id FROM range(0, 25000, 1, 7) ORDER BY id DESC")
    found: list[int] = []
    cursor = None
    while True:
        params = {"limit": 4000, **({"cursor": cursor} if cursor else {})}
        page = client.get(f"/api/v1/queries/{query['id']}/rows", params=params).json()
        found += [row[0] for row in page["rows"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert found == list(range(24999, -1, -1))


@pytest.mark.parametrize("limit", [None, 50])
def test_what_is_too_much_is_cut_and_says_so(
    people: dict[str, Any],
    worker: Worker,
    sign_in_as: SignInAs,
    limit: int | None,
    database: Database,
    settings: Settings,
) -> None:
    small = Worker(database, settings.model_copy(update={"result_rows": 30_000}), worker.engine)
    client = sign_in_as(people["Ada"])
    # Its size cannot be told beforehand, so executors write it.
    sql = "SELECT explode(sequence(1, 100000)) AS n, repeat('x', 1000) FROM range(0, 3, 1, 3)"
    query = asked(client, small, sql, limit=limit)
    assert (query["state"], query["cut"], query["row_count"]) == ("succeeded", True, limit or 30_000), query["problem"]
    assert [row[0] for row in rows(client, query, limit=3)] == [1, 2, 3]


def test_downloads_hold_what_the_result_holds(people: dict[str, Any], worker: Worker, sign_in_as: SignInAs) -> None:
    client = sign_in_as(people["Ada"])
    sql = "SELECT * FROM VALUES (1, '=1+1', 1.5, date'2026-03-01'), (2, NULL, 2.5, NULL) AS t(id, text, number, day)"
    query = asked(client, worker, sql)
    path = f"/api/v1/queries/{query['id']}/download"
    listed = list(csv.reader(io.StringIO(client.get(path).text)))
    assert listed == [["id", "text", "number", "day"], ["1", "'=1+1", "1.5", "2026-03-01"], ["2", "", "2.5", ""]]
    exact = list(csv.reader(io.StringIO(client.get(path, params={"escape_formulas": False}).text)))
    assert exact[1] == ["1", "=1+1", "1.5", "2026-03-01"]
    parquet = pq.read_table(io.BytesIO(client.get(path, params={"format": "parquet"}).content))
    assert parquet.column_names == ["id", "text", "number", "day"]
    assert parquet.column("text").to_pylist() == ["=1+1", None]
    book = CalamineWorkbook.from_filelike(io.BytesIO(client.get(path, params={"format": "xlsx"}).content))
    sheet = book.get_sheet_by_index(0).to_python()
    assert sheet[0] == ["id", "text", "number", "day"]
    assert sheet[1][:3] == [1.0, "=1+1", 1.5]


def test_an_empty_result_is_a_result(people: dict[str, Any], worker: Worker, sign_in_as: SignInAs) -> None:
    client = sign_in_as(people["Ada"])
    query = asked(client, worker, "SELECT 1 AS a, 'x' AS b WHERE false")
    assert (query["state"], query["row_count"], rows(client, query)) == ("succeeded", 0, [])
    for kind in ("csv", "parquet", "xlsx"):
        assert client.get(f"/api/v1/queries/{query['id']}/download", params={"format": kind}).status_code == 200


def test_show_and_describe_tell_only_what_is_seen(
    database: Database, people: dict[str, Any], make_delta: MakeDelta, worker: Worker, sign_in_as: SignInAs
) -> None:
    orders = make_delta("raw.orders", ORDERS)
    make_delta("raw.secret", "SELECT 1 AS a")
    with database.session() as session:
        make_grant(session, orders, people["Ada"], "Viewer")
    client = sign_in_as(people["Ada"])
    assert rows(client, asked(client, worker, "SHOW TABLES IN raw")) == [["raw", "orders", ""]]
    described = rows(client, asked(client, worker, "DESCRIBE raw.orders"))
    assert [row[:2] for row in described] == [["id", "bigint"], ["amount", "decimal(10,2)"], ["customer", "string"]]
    assert asked(client, worker, "DESCRIBE raw.secret")["state"] == "failed"


def test_explain_tells_the_plan_and_not_where_tables_lie(
    people: dict[str, Any], make_delta: MakeDelta, worker: Worker, sign_in_as: SignInAs, settings: Settings
) -> None:
    make_delta("raw.orders", ORDERS)
    client = sign_in_as(people["Olga"])
    query = asked(client, worker, "EXPLAIN EXTENDED SELECT * FROM raw.orders WHERE id > 3")
    plan = "\n".join(row[0] for row in rows(client, query))
    assert "Filter" in plan
    assert settings.warehouse not in plan


def test_a_result_is_removed_when_its_time_is_over(
    database: Database, people: dict[str, Any], worker: Worker, sign_in_as: SignInAs, settings: Settings
) -> None:
    client = sign_in_as(people["Ada"])
    query = asked(client, worker, "SELECT 1")
    folder = settings.results_folder / query["id"]
    assert folder.is_dir()
    with database.session() as session:
        run = session.query(Run).one()
        run.result_expires_at = utc_now() - timedelta(seconds=1)
        assert adhoc.forget_results(session, settings) == 1
    assert not folder.exists()
    assert client.get(f"/api/v1/queries/{query['id']}/rows").status_code == 409


def test_a_token_for_chosen_tables_reads_these(
    database: Database, people: dict[str, Any], make_delta: MakeDelta, worker: Worker, sign_in_as: SignInAs
) -> None:
    orders, others = make_delta("raw.orders", ORDERS), make_delta("raw.others", "SELECT 1 AS a")
    client = sign_in_as(people["Olga"], token={"tables": [str(orders.id)], "read_only": True})
    assert rows(client, asked(client, worker, "SELECT count(*) FROM raw.orders")) == [[10]]
    assert asked(client, worker, "SELECT * FROM raw.others")["state"] == "failed"
    everything = sign_in_as(people["Olga"])
    query = asked(everything, worker, f"SELECT * FROM raw.{others.name}")
    assert client.get(f"/api/v1/queries/{query['id']}/rows").status_code == 404


def test_a_right_lost_while_the_query_waits_counts(
    database: Database, people: dict[str, Any], make_delta: MakeDelta, worker: Worker, sign_in_as: SignInAs
) -> None:
    orders = make_delta("raw.orders", ORDERS)
    with database.session() as session:
        grant = make_grant(session, orders, people["Ada"], "Viewer")
    client = sign_in_as(people["Ada"])
    started = client.post("/api/v1/queries?wait=0", json={"sql": "SELECT * FROM raw.orders"}).json()
    with database.session() as session:
        session.delete(session.merge(grant))
    worker.drain()
    assert client.get(f"/api/v1/queries/{started['id']}").json()["state"] == "failed"


@contextmanager
def working(worker: Worker) -> Iterator[None]:
    """The worker beside who waits."""
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            worker.run_next() or stop.wait(0.02)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def test_a_row_too_large_to_be_shown_is_no_failure_of_its_query(
    people: dict[str, Any], worker: Worker, sign_in_as: SignInAs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "ROW_BYTES", 1000)
    with working(worker):
        answer = sign_in_as(people["Ada"]).post("/api/v1/queries?wait=60", json={"sql": "SELECT repeat('b', 2000)"})
    assert answer.status_code == 200
    query = answer.json()
    assert (query["state"], query["row_count"], query["rows"]) == ("succeeded", 1, None)
    assert "too large to be shown. Download it" in query["note"]


def test_an_answer_within_the_wait_holds_the_first_rows(
    people: dict[str, Any], worker: Worker, sign_in_as: SignInAs
) -> None:
    client = sign_in_as(people["Ada"])
    with working(worker):
        answer = client.post("/api/v1/queries?wait=60", json={"sql": "SELECT id FROM range(250) ORDER BY id"})
    assert answer.status_code == 200
    body = answer.json()
    assert (body["state"], body["row_count"], len(body["rows"]), body["rows"][:2]) == (
        "succeeded",
        250,
        100,
        [[0], [1]],
    )
    following = client.get(f"/api/v1/queries/{body['id']}/rows", params={"cursor": body["next_cursor"]}).json()
    assert following["rows"][0] == [100]


def test_ones_queries_are_listed_the_latest_first(people: dict[str, Any], worker: Worker, sign_in_as: SignInAs) -> None:
    client = sign_in_as(people["Ada"])
    for number in range(3):
        asked(client, worker, f"SELECT {number}")
    first = client.get("/api/v1/queries", params={"limit": 2}).json()
    assert [one["sql"] for one in first["items"]] == ["SELECT 2", "SELECT 1"]
    rest = client.get("/api/v1/queries", params={"limit": 2, "cursor": first["next_cursor"]}).json()
    assert [one["sql"] for one in rest["items"]] == ["SELECT 0"]


def test_a_query_that_runs_is_stopped(
    database: Database, people: dict[str, Any], worker: Worker, sign_in_as: SignInAs, settings: Settings
) -> None:
    client = sign_in_as(people["Ada"])
    endless = "SELECT sum(a.id * b.id) FROM range(0, 10000000) AS a CROSS JOIN range(0, 10000000) AS b"
    query = client.post("/api/v1/queries?wait=0", json={"sql": endless}).json()
    thread = threading.Thread(target=worker.drain)
    thread.start()
    try:
        end = time.monotonic() + 60
        while client.get(f"/api/v1/queries/{query['id']}").json()["state"] != "running" and time.monotonic() < end:
            time.sleep(0.05)
        time.sleep(1)  # into the work
        assert client.post(f"/api/v1/runs/{query['id']}/cancel").status_code in (200, 202)
    finally:
        thread.join(60)
    assert not thread.is_alive()
    assert client.get(f"/api/v1/queries/{query['id']}").json()["state"] == "cancelled"
    assert client.get(f"/api/v1/queries/{query['id']}/rows").status_code == 409
