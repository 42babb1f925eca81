"""Samples, versions, going back to one, and the maintenance that removes old ones."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select

from bailiwick.audit.models import AuditEntry
from bailiwick.database.engine import Database
from bailiwick.lakehouse.models import Grant, Table
from bailiwick.runs.models import Run, Trigger, TriggerKind
from bailiwick.runs.subjects import SUBJECTS
from bailiwick.worker.working import Worker
from tests.lakehouse.deltas import MakeDelta, RowsOf
from tests.lakehouse.making import make_grant, make_layer
from tests.people import SignInAs, make_member

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.fixture
def people(database: Database) -> dict[str, Any]:
    """A Viewer, an Editor and a Manager of raw."""
    with database.session() as session:
        raw = make_layer(session, "raw")
        found = {level: make_member(session, level) for level in ("Viewer", "Editor", "Manager")}
        for level, member in found.items():
            make_grant(session, raw, member, level)
        return found


def test_samples_and_versions(
    database: Database, people: dict[str, Any], make_delta: MakeDelta, worker: Worker, sign_in_as: SignInAs
) -> None:
    make_delta("raw.things", "SELECT 1 AS id, 'old' AS name")
    table = make_delta("raw.things", "SELECT id, 'new' AS name FROM range(5)", version=2)
    client = sign_in_as(people["Viewer"])
    path = f"/api/v1/tables/{table.id}"
    looks = {}
    for name, params in {"now": {"rows": 3}, "then": {"version": 0}}.items():
        looks[name] = client.get(f"{path}/sample", params={"wait": 0, **params}).json()["id"]
    asked: list[dict[str, int]] = [
        {},
        {"limit": 1},
        {"before": 1, "limit": 1},
        {"before": 0},
        {"before": 99, "limit": 1},
    ]
    listed, *pages = [client.get(f"{path}/versions", params={"wait": 0, **one}).json()["run_id"] for one in asked]
    worker.drain()
    found = [client.get(f"/api/v1/runs/{page}").json()["result"] for page in pages]
    assert [([one["version"] for one in page["versions"]], page["more"]) for page in found] == [
        ([1], True),
        ([0], False),
        ([], False),
        ([1], True),
    ]
    now = client.get(f"/api/v1/queries/{looks['now']}/rows").json()
    assert [row[1] for row in now["rows"]] == ["new"] * 3
    assert client.get(f"/api/v1/queries/{looks['then']}/rows").json()["rows"] == [[1, "old"]]
    run = client.get(f"/api/v1/runs/{listed}").json()
    assert [(one["version"], one["operation"], one["rows"]) for one in run["result"]["versions"]] == [
        (1, "write", 5),
        (0, "write", 1),
    ]


def test_an_editor_goes_back_to_a_version_and_forth_again(
    database: Database,
    people: dict[str, Any],
    make_delta: MakeDelta,
    rows_of: RowsOf,
    worker: Worker,
    sign_in_as: SignInAs,
) -> None:
    make_delta("raw.things", "SELECT 1 AS id")
    table = make_delta("raw.things", "SELECT id FROM range(3)", version=2)
    path = f"/api/v1/tables/{table.id}/restore"
    assert sign_in_as(people["Viewer"]).post(path, json={"version": 0}).status_code == 403
    client = sign_in_as(people["Editor"])
    for version, expected in ((0, [(1,)]), (1, [(0,), (1,), (2,)])):
        started = client.post(path, json={"version": version}).json()
        worker.drain()
        assert client.get(f"/api/v1/runs/{started['run_id']}").json()["state"] == "succeeded"
        assert rows_of(table, "id") == expected
    with database.session() as session:
        kept = session.get_one(Table, table.id)
        assert (kept.data_version, kept.rows) == (3, 3)
        on_record = select(AuditEntry).where(AuditEntry.action == "restore_table").order_by(AuditEntry.id)
        restored = session.scalars(on_record).all()
        said = [((entry.before or {})["version"], (entry.after or {})["version"]) for entry in restored]
        assert said == [(1, 0), (2, 1)]
    lost = client.post(path, json={"version": 99}).json()
    listed = client.get(f"/api/v1/tables/{table.id}/versions", params={"wait": 0}).json()["run_id"]
    worker.drain()
    assert client.get(f"/api/v1/runs/{lost['run_id']}").json()["problem"]["code"] == "no_such_version"
    last, *_ = client.get(f"/api/v1/runs/{listed}").json()["result"]["versions"]
    told = {key: last[key] for key in ("version", "operation", "restored", "rows", "started_by", "run_id")}
    assert told == {
        **{"version": 3, "operation": "restore", "restored": 1, "rows": None},
        **{"started_by": people["Editor"].name, "run_id": started["run_id"]},
    }


def test_a_right_lost_while_it_waits_restores_nothing(
    database: Database,
    people: dict[str, Any],
    make_delta: MakeDelta,
    rows_of: RowsOf,
    worker: Worker,
    sign_in_as: SignInAs,
) -> None:
    make_delta("raw.things", "SELECT 1 AS id")
    table = make_delta("raw.things", "SELECT 2 AS id", version=2)
    started = sign_in_as(people["Editor"]).post(f"/api/v1/tables/{table.id}/restore", json={"version": 0}).json()
    with database.session() as session:
        session.scalars(select(Grant).where(Grant.member_id == people["Editor"].id)).one().level = "Viewer"
    worker.drain()
    with database.session() as session:
        run = session.get_one(Run, UUID(started["run_id"]))
        assert run.state == "restricted"
        assert run.missing is not None
        assert run.missing[0]["needs"] == "Editor"
    assert rows_of(table, "id") == [(2,)]


def test_maintenance_joins_files_and_keeps_the_rows(
    database: Database,
    people: dict[str, Any],
    make_delta: MakeDelta,
    rows_of: RowsOf,
    worker: Worker,
    sign_in_as: SignInAs,
) -> None:
    for version in range(1, 5):
        table = make_delta("raw.things", f"SELECT {version} AS id", mode="append", version=version)
    with database.session() as session:
        raw = make_layer(session, "raw")
    path = f"/api/v1/layers/{raw.id}/maintenance"
    assert sign_in_as(people["Editor"]).put(path, json={}).status_code == 403
    client = sign_in_as(people["Manager"])
    assert client.get(path).json()["active"] is False
    assert client.put(path, json={"keep_days": 3}).status_code == 422
    assert client.put(path, json={"keep_days": 7}).json()["owner"]["name"] == "Manager"
    started = client.post(f"{path}/runs").json()
    worker.drain()
    run = client.get(f"/api/v1/runs/{started['run_id']}").json()
    assert run["state"] == "succeeded", run["problem"]
    assert run["result"] == {"tables": 1, "files_before": 4, "files_after": 1, "problems": []}
    assert rows_of(table, "id") == [(1,), (2,), (3,), (4,)]
    with database.session() as session:
        assert session.get_one(Table, table.id).rows == 4


def test_a_trigger_maintains_as_who_saved_it_last(
    database: Database, people: dict[str, Any], make_delta: MakeDelta, worker: Worker, sign_in_as: SignInAs
) -> None:
    make_delta("raw.things", "SELECT 1 AS id")
    with database.session() as session:
        raw = make_layer(session, "raw")
    client = sign_in_as(people["Manager"])
    client.put(f"/api/v1/layers/{raw.id}/maintenance", json={})
    with database.session() as session:
        me = people["Manager"].id
        trigger = Trigger(
            subject_type="layer", subject_id=raw.id, kind=TriggerKind.CRON, cron="0 3 * * *", saved_by_id=me
        )
        session.add(trigger)
        session.flush()
        run = SUBJECTS["layer"].start(session, None, raw.id, trigger, None)
        assert (run.acts_as_id, run.started_by_id) == (me, None)
        session.scalars(select(Grant).where(Grant.member_id == me)).one().level = "Editor"
        run_id = run.id
    worker.drain()
    with database.session() as session:
        assert session.get_one(Run, run_id).state == "restricted"
