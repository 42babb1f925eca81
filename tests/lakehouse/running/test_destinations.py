"""Lakehouse destinations through the platform: from a table to a file in a volume, secrets, and addresses."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from bailiwick.database.engine import Database
from bailiwick.lakehouse.files import folder_of
from bailiwick.lakehouse.models import Pipeline, Volume
from bailiwick.runs.models import Run
from bailiwick.settings import Settings
from bailiwick.worker.working import Worker
from tests.lakehouse.deltas import MakeDelta
from tests.lakehouse.making import make_grant, make_layer, make_volume
from tests.people import SignInAs, TestClient, make_member

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.fixture
def client(database: Database, sign_in_as: SignInAs) -> TestClient:
    with database.session() as session:
        ed = make_member(session, "Ed")
        make_grant(session, make_layer(session, "raw"), ed, "Editor")
    return sign_in_as(ed)


@pytest.fixture
def volume(database: Database) -> Volume:
    with database.session() as session:
        return make_volume(session, "exports")


def ran(client: TestClient, worker: Worker, database: Database, destination: dict[str, Any]) -> Run:
    started = client.post(f"/api/v1/lakehouse-destinations/{destination['id']}/runs").json()
    worker.drain()
    with database.session() as session:
        return session.get_one(Run, UUID(started["run_id"]))


def test_a_table_goes_to_a_file_in_a_volume(
    database: Database,
    settings: Settings,
    client: TestClient,
    volume: Volume,
    make_delta: MakeDelta,
    worker: Worker,
) -> None:
    table = make_delta("raw.things", "SELECT id, concat('n', id) AS name, id * 2 AS hidden FROM range(3)")
    target = {"type": "file", "volume_id": str(volume.id), "path": "out/things-{number}.csv", "format": "csv"}
    body = {"name": "Out", "table_id": str(table.id), "columns": ["id", "name"], "target": target}
    answer = client.post("/api/v1/lakehouse-destinations", json=body)
    assert answer.status_code == 201, answer.text
    run = ran(client, worker, database, answer.json())
    assert (run.state, run.rows_written) == ("succeeded", 3), run.problem
    lines = (folder_of(settings, volume) / "out" / "things-1.csv").read_text().splitlines()
    assert lines[0] == "id,name"
    assert sorted(lines[1:]) == ["0,n0", "1,n1", "2,n2"]
    assert not (settings.results_folder / str(run.id)).exists()


def test_a_private_address_is_refused_when_it_runs(
    database: Database, client: TestClient, make_delta: MakeDelta, worker: Worker
) -> None:
    table = make_delta("raw.things", "SELECT 1 AS id")
    target = {"type": "webhook", "url": "http://127.0.0.1:9/rows"}
    body = {"name": "Hook", "table_id": str(table.id), "target": target}
    destination = client.post("/api/v1/lakehouse-destinations", json=body).json()
    run = ran(client, worker, database, destination)
    assert (run.state, run.problem and run.problem["code"]) == ("failed", "address_refused")


def test_a_secret_stays_where_it_belongs(database: Database, client: TestClient, make_delta: MakeDelta) -> None:
    table = make_delta("raw.things", "SELECT 1 AS id")
    target = {"type": "webhook", "url": "https://one.example.com/rows", "authentication": "bearer"}
    body = {"name": "Hook", "table_id": str(table.id), "target": target, "secret": "hush hush"}
    answer = client.post("/api/v1/lakehouse-destinations", json=body)
    assert answer.json()["has_secret"] is True
    path = f"/api/v1/lakehouse-destinations/{answer.json()['id']}"
    assert "hush" not in answer.text + client.get(path).text
    same = client.patch(path, json={"target": {**target, "url": "https://one.example.com/other"}})
    assert same.json()["has_secret"] is True
    elsewhere = client.patch(path, json={"target": {**target, "url": "https://two.example.com/rows"}})
    assert elsewhere.json()["has_secret"] is False
    with database.session() as session:
        assert session.get_one(Pipeline, UUID(answer.json()["id"])).credentials is None


def test_a_path_that_leads_out_is_refused(client: TestClient, volume: Volume, make_delta: MakeDelta) -> None:
    table = make_delta("raw.things", "SELECT 1 AS id")
    for path in ("../x.csv", "/etc/x.csv", "a/../../x.csv", "{secret}.csv", "{date.year}.csv", "x.csv/"):
        target = {"type": "file", "volume_id": str(volume.id), "path": path, "format": "csv"}
        body = {"name": "Out", "table_id": str(table.id), "target": target}
        assert client.post("/api/v1/lakehouse-destinations", json=body).status_code == 422, path
