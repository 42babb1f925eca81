"""Sources from the API to the table: what a worker makes of them, as whom, and what is left when it goes wrong."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select, update

from bailiwick.database.base import utc_now
from bailiwick.lakehouse.models import Grant, Stream, Table
from bailiwick.runs.models import LineageEdge, Run, RunState
from bailiwick.settings import Settings
from bailiwick.spark.engine import Engine
from bailiwick.worker.working import Worker
from tests.lakehouse.company import Company
from tests.worker.conftest import engine, jars, spark_settings, worker

__all__ = ["engine", "jars", "spark_settings", "worker"]

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
SOURCES = "/api/v1/sources"


@pytest.fixture
def landing(company: Company, settings: Settings) -> Path:
    """The folder of the volume raw.files."""
    folder = settings.volumes_folder / str(company.files.id)
    folder.mkdir(parents=True)
    return folder


def add(company: Company, *patterns: str, **how: Any) -> str:
    streams = [
        {"name": pattern.partition(".")[0], "settings": {"read": {"type": "files", "pattern": pattern}, **how}}
        for pattern in patterns
    ]
    connection = {"type": "files", "volume_id": str(company.files.id), "format": "csv"}
    body = {"name": "Shop", "connection": connection, "output_layer_id": str(company.raw.id), "streams": streams}
    added = company.as_("eve").post(SOURCES, json=body)
    assert added.status_code == 201, added.text
    return str(added.json()["id"])


def sync(company: Company, worker: Worker, source: str) -> dict[str, Any]:
    started = company.as_("eve").post(f"{SOURCES}/{source}/runs")
    assert started.status_code == 202, started.text
    worker.drain()
    run: dict[str, Any] = company.get("eve", f"/runs/{started.json()['run_id']}").json()
    return run


def table(company: Company, name: str) -> Table | None:
    with company.database.read() as session:
        return session.scalars(select(Table).where(Table.name == name)).one_or_none()


def rows(engine: Engine, settings: Settings, found: Table | None) -> list[tuple[Any, ...]]:
    assert found is not None
    read = engine.spark.read.format("delta").load(f"{settings.warehouse}/{found.location}")
    return sorted(tuple(row) for row in read.collect())


def test_a_file_becomes_a_table_that_its_readers_see(
    company: Company, landing: Path, worker: Worker, engine: Engine, settings: Settings
) -> None:
    (landing / "sales.csv").write_text("id,amount\n1,2.5\n2,x\n")
    source = add(company, "sales.csv", types={"amount": "double"}, primary_key=["id"])
    asked = company.as_("eve").post(f"{SOURCES}/{source}/discover", params={"wait": 0})
    worker.drain()
    seen = company.get("eve", f"/runs/{asked.json()['run_id']}").json()["result"]["streams"][0]
    assert [(column["name"], column["type"]) for column in seen["columns"]] == [("id", "bigint"), ("amount", "double")]
    assert seen["sample"] == [{"id": 1, "amount": 2.5}]
    (stream,) = company.get("eve", f"/sources/{source}/streams").json()["items"]
    assert [column["name"] for column in stream["columns"]] == ["id", "amount"]
    assert table(company, "sales") is None

    run = sync(company, worker, source)
    assert (run["state"], run["rows_written"], run["rows_read"]) == ("succeeded", 1, 2)
    assert run["result"]["streams"] == [{"name": "sales", "rows_written": 1, "rows_rejected": 1, "problem": None}]
    landed = table(company, "sales")
    assert landed is not None
    assert rows(engine, settings, landed) == [(1, 2.5)]
    assert (landed.rows, [column["name"] for column in landed.columns]) == (1, ["id", "amount"])
    assert landed.created_by_id == company.id("eve")
    assert {"raw.sales", "raw.sales_rejects"} <= set(company.names("vic", "/tables"))
    assert "raw.sales" not in company.names("tab", "/tables")
    with company.database.read() as session:
        assert session.scalars(select(LineageEdge.to_table_id)).all() == [landed.id]
    (stream,) = company.get("eve", f"/sources/{source}/streams").json()["items"]
    assert stream["output_table_id"] == str(landed.id)
    assert stream["rejects_table_id"] is not None


def test_who_edits_what_a_run_writes_meanwhile_is_not_told_that_somebody_was_faster(
    company: Company, landing: Path, worker: Worker
) -> None:
    (landing / "one.csv").write_text("id\n1\n")
    source = add(company, "*.csv")
    assert sync(company, worker, source)["state"] == "succeeded"
    (stream,) = company.get("eve", f"/sources/{source}/streams").json()["items"]
    shown = company.get("eve", f"/tables/{stream['output_table_id']}")
    (landing / "two.csv").write_text("id\n2\n")
    assert sync(company, worker, source)["state"] == "succeeded"

    seen = {"If-Match": f'"{stream["version"]}"'}
    edited = company.as_("eve").patch(
        f"{SOURCES}/{source}/streams/{stream['id']}", json={"enabled": False}, headers=seen
    )
    assert edited.status_code == 200, edited.text
    said = {"description": "What the shop sent."}
    described = company.as_("eve").patch(
        f"/api/v1/tables/{stream['output_table_id']}", json=said, headers={"If-Match": shown.headers["ETag"]}
    )
    assert described.status_code == 200, described.text
    assert (described.json()["rows"], described.json()["description"]) == (2, "What the shop sent.")


def test_a_stopped_stream_holds_up_no_other_and_the_run_says_which(
    company: Company, landing: Path, worker: Worker, engine: Engine, settings: Settings
) -> None:
    (landing / "good.csv").write_text("id\n1\n")
    source = add(company, "good.csv", "missing.csv")
    run = sync(company, worker, source)
    assert run["state"] == "failed"
    assert run["problem"]["code"] == "no_files"
    assert run["problem"]["message"].startswith("missing: No file fits")
    assert rows(engine, settings, table(company, "good")) == [(1,)]
    assert table(company, "missing") is None


def test_an_owner_who_lost_the_level_writes_nothing(company: Company, landing: Path, worker: Worker) -> None:
    (landing / "sales.csv").write_text("id\n1\n")
    source = add(company, "sales.csv")
    started = company.as_("mia").post(f"{SOURCES}/{source}/runs").json()["run_id"]
    with company.database.session() as session:
        session.execute(update(Grant).where(Grant.member_id == company.id("eve")).values(level="Viewer"))
    worker.drain()
    run = company.get("mia", f"/runs/{started}").json()
    assert run["state"] == "restricted"
    assert {(one["name"], one["has"], one["needs"]) for one in run["missing"]} == {
        ("raw.files", "Viewer", "Editor"),
        ("raw", "Viewer", "Editor"),
    }
    assert table(company, "sales") is None


@pytest.mark.parametrize("how", [{"mode": "incremental"}, {"mode": "incremental", "primary_key": ["id"]}])
def test_a_worker_that_dies_before_it_notes_the_end_doubles_nothing(
    company: Company,
    landing: Path,
    worker: Worker,
    engine: Engine,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    how: dict[str, Any],
) -> None:
    (landing / "a.csv").write_text("id\n1\n2\n")
    source = add(company, "*.csv", **how)

    def gone(*_: Any) -> None:
        raise RuntimeError("the worker is gone")

    monkeypatch.setattr(worker, "_end", gone)
    lost = sync(company, worker, source)
    assert lost["state"] == RunState.RUNNING
    assert company.names("eve", "/tables", search="t_") == []  # nothing half-written is seen
    monkeypatch.undo()
    with company.database.session() as session:
        session.execute(update(Run).values(lease_until=utc_now() - timedelta(seconds=1)))
    worker.drain()
    assert company.get("eve", f"/runs/{lost['id']}").json()["state"] == RunState.SUCCEEDED
    (landing / "b.csv").write_text("id\n3\n")
    assert sync(company, worker, source)["state"] == "succeeded"
    with company.database.read() as session:
        stream = session.scalars(select(Stream).where(Stream.pipeline_id == UUID(source))).one()
        landed = session.get(Table, stream.output_table_id)
    assert rows(engine, settings, landed) == [(1,), (2,), (3,)]


def test_private_addresses_are_not_reached(company: Company, worker: Worker) -> None:
    for name, connection in (
        ("Metadata", {"type": "http", "url": "http://169.254.169.254/latest"}),
        ("Inside", {"type": "postgresql", "host": "127.0.0.1", "database": "x", "user": "y"}),
    ):
        read = {"type": connection["type"], "table": "t"} if connection["type"] == "postgresql" else {"type": "http"}
        body = {
            "name": name,
            "connection": connection,
            "output_layer_id": str(company.raw.id),
            "streams": [{"name": f"{name} stream", "settings": {"read": read}}],
        }
        source = company.as_("eve").post(SOURCES, json=body).json()["id"]
        run = sync(company, worker, source)
        assert (run["state"], run["problem"]["code"]) == ("failed", "address_refused")
        assert "allowed_addresses" in run["problem"]["message"]
