"""Histories through the platform: snapshots run by run, and an attempt that was lost."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select

from bailiwick.database.engine import Database
from bailiwick.lakehouse import histories
from bailiwick.lakehouse.models import HistorySnapshot, Pipeline, Table
from bailiwick.runs.models import Run
from bailiwick.settings import Settings
from bailiwick.worker import querying
from bailiwick.worker.working import Worker
from tests.lakehouse.deltas import MakeDelta, RowsOf
from tests.lakehouse.making import make_grant, make_layer
from tests.people import SignInAs, TestClient, make_member

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.fixture
def client(database: Database, sign_in_as: SignInAs) -> TestClient:
    """The API for an Editor on raw and trusted."""
    with database.session() as session:
        ed = make_member(session, "Ed")
        for layer in ("raw", "trusted"):
            make_grant(session, make_layer(session, layer), ed, "Editor")
    return sign_in_as(ed)


def added(client: TestClient, database: Database, table: Table, **more: Any) -> dict[str, Any]:
    with database.session() as session:
        layer = make_layer(session, "trusted")
    body = {
        **{"name": "Past", "table_id": str(table.id), "keys": ["id"]},
        **{"output_layer_id": str(layer.id), "output_name": "past", **more},
    }
    answer = client.post("/api/v1/histories", json=body)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def start(client: TestClient, history: dict[str, Any]) -> UUID:
    return UUID(client.post(f"/api/v1/histories/{history['id']}/runs").json()["run_id"])


def test_each_run_takes_a_snapshot(
    database: Database, client: TestClient, make_delta: MakeDelta, rows_of: RowsOf, worker: Worker
) -> None:
    people = make_delta("raw.people", "SELECT * FROM VALUES (1, 'Ann'), (2, 'Bob') AS t(id, name)")
    history = added(client, database, people)
    moments = []
    for version, rows in enumerate(("(1, 'Ann'), (2, 'Bob')", "(1, 'Anna')"), start=2):
        make_delta("raw.people", f"SELECT * FROM VALUES {rows} AS t(id, name)", version=version)
        run_id = start(client, history)
        worker.drain()
        with database.session() as session:
            run = session.get_one(Run, run_id)
            assert run.state == "succeeded", run.problem
            assert run.started_at is not None
            moments.append(int(run.started_at.timestamp() * 1_000_000))
    with database.session() as session:
        past = session.scalars(select(Table).where(Table.name == "past")).one()
        kept = session.scalars(select(HistorySnapshot.taken_at)).all()
    first, second = moments
    assert sorted(kept) == moments
    columns = "id, name, unix_micros(valid_from), unix_micros(valid_until), is_deleted"
    assert rows_of(past, columns) == [
        (1, "Ann", first, second, False),
        (1, "Anna", second, None, False),
        (2, "Bob", first, second, True),
    ]
    assert past.rows == 3


def test_a_run_whose_worker_was_lost_after_the_commit_is_the_same_snapshot(
    database: Database,
    client: TestClient,
    settings: Settings,
    make_delta: MakeDelta,
    rows_of: RowsOf,
    worker: Worker,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    people = make_delta("raw.people", "SELECT 1 AS id, 'Ann' AS name")
    history = added(client, database, people)

    class Lost(BaseException):
        """As if the process had died."""

    def dies(*_: object, **__: object) -> None:
        raise Lost

    with monkeypatch.context() as patch:
        patch.setattr(histories, "finish", dies)
        dying = Worker(database, settings, worker.engine, kinds=querying.kinds(settings))
        run_id = start(client, history)
        with pytest.raises(Lost):
            dying.run_next()
    with database.session() as session:
        run = session.get_one(Run, run_id)
        run.lease_until = run.created_at
        assert session.scalars(select(Table).where(Table.name == "past")).one_or_none() is None  # nothing is visible
    make_delta("raw.people", "SELECT 1 AS id, 'later' AS name", version=2)
    worker.drain()
    with database.session() as session:
        run = session.get_one(Run, run_id)
        assert (run.state, run.attempt) == ("succeeded", 2), run.problem
        past = session.scalars(select(Table).where(Table.name == "past")).one()
        assert len(session.scalars(select(HistorySnapshot)).all()) == 1
    assert rows_of(past, "id, name, is_deleted") == [(1, "Ann", False)]


def test_a_history_needs_a_table_of_its_own_and_columns_that_are_there(
    database: Database, client: TestClient, make_delta: MakeDelta
) -> None:
    people = make_delta("raw.people", "SELECT 1 AS id, 'Ann' AS name")
    make_delta("trusted.taken", "SELECT 1 AS a")
    with database.session() as session:
        layer = make_layer(session, "trusted")
    body = {"name": "Past", "table_id": str(people.id), "keys": ["id"], "output_layer_id": str(layer.id)}
    path = "/api/v1/histories"
    assert client.post(path, json={**body, "output_name": "taken"}).status_code == 409
    assert client.post(path, json={**body, "output_name": "past", "keys": ["nothing"]}).status_code == 422
    assert client.post(path, json={**body, "output_name": "past"}).status_code == 201
    with database.session() as session:
        assert session.scalars(select(Pipeline)).one().settings["keys"] == ["id"]
