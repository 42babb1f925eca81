"""kill -9 of the worker, of its JVM and of the API, at random moments of a sync, an overwrite and a merge at once.

By default each is killed once; make endure does it twenty times."""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet
from sqlalchemy import select

from bailiwick.cli.home import opened_database
from bailiwick.database.engine import Database
from bailiwick.lakehouse.models import Table
from bailiwick.runs.models import Run, RunState
from tests.lakehouse.making import make_layer, make_pipeline, make_stream
from tests.people import make_member, make_session
from tests.worker.platform import PATIENCE_SECONDS, Platform

KILLS = int(os.environ.get("BAILIWICK_TEST_KILLS", "1"))
ROWS = 20_000  # of a file
KINDS = ("sources", "pipeline-queries", "pipeline-queries")


@contextmanager
def running(home: Path, jars: Path) -> Iterator[tuple[Platform, Database, list[str]]]:
    platform = Platform(home, jars)
    with opened_database(platform.settings) as database:
        with database.session() as session:
            owner = make_member(session, "Ola", role="owner")
            _, secret = make_session(session, owner)
            trusted = make_layer(session, "trusted")
            folder = {"type": "files", "folder": str(platform.incoming), "format": "parquet"}
            source = make_pipeline(
                session, "Events", owner, kind="source", settings=folder, output_layer=make_layer(session)
            )
            how = {"read": {"type": "files", "pattern": "*.parquet"}, "mode": "incremental"}
            make_stream(session, source, "events", settings=how)
            pipelines = [source]
            for name, mode, sql, keys in (
                ("twice", "overwrite", "SELECT id, value * 2 AS twice FROM raw.events", []),
                ("latest", "merge", "SELECT id, max(value) AS value FROM raw.events GROUP BY id", ["id"]),
            ):
                said = {"sql": sql, "mode": mode, "keys": keys, "replace_schema": False, "expectations": []}
                pipelines.append(
                    make_pipeline(session, name, owner, settings=said, output_layer=trusted, output_name=name)
                )
            ids = [str(pipeline.id) for pipeline in pipelines]
        platform.client.headers["Authorization"] = f"Bearer {secret}"
        try:
            platform.start("serve")
            platform.start("worker")
            yield platform, database, ids
        finally:
            platform.stop()


def test_whatever_is_killed_no_row_is_lost_or_doubled(tmp_path: Path, jars: Path) -> None:
    chance = random.Random()
    with running(tmp_path / "home", jars) as (platform, database, pipelines):
        rounds = ["none", *chance.sample(["worker", "jvm", "serve"] * KILLS, 3 * KILLS)]
        took = 1.0
        for number, victim in enumerate(rounds):
            drop_file(platform.incoming, number)
            began = time.monotonic()
            if number == 0:
                platform.begin(KINDS[0], pipelines[0])
                until_all_ended(database)
            for kind, pipeline in zip(KINDS, pipelines, strict=True):
                platform.begin(kind, pipeline)
            if victim != "none":
                time.sleep(chance.uniform(0, took))
                platform.kill(victim)
            until_all_ended(database)
            took = time.monotonic() - began if victim == "none" else took
            whole_files_only(platform, database)
        for kind, pipeline in zip(KINDS[1:], pipelines[1:], strict=True):
            platform.begin(kind, pipeline)
        until_all_ended(database)
        everything = Counter(range(len(rounds) * ROWS))
        tables = {name: platform.read(database, name) for name in ("events", "twice", "latest")}
        for name, rows in tables.items():
            assert Counter(rows.column("id").to_pylist()) == everything, name
        assert sum(tables["twice"].column("twice").to_pylist()) == 2 * sum(tables["events"].column("value").to_pylist())
        with database.read() as session:
            counted = {table.name: table.rows for table in session.scalars(select(Table))}
        assert counted == dict.fromkeys(tables, len(everything))


def drop_file(folder: Path, number: int) -> None:
    """A file of rows that no other file has, there as a whole or not at all."""
    ids = range(number * ROWS, (number + 1) * ROWS)
    draft = folder / f".{number}"
    parquet.write_table(pa.table({"id": list(ids), "value": [id_ * 7 % 1000 for id_ in ids]}), draft)
    draft.rename(folder / f"{number:04}.parquet")


def until_all_ended(database: Database) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        with database.read() as session:
            runs = session.scalars(select(Run)).all()
        bad = [
            (run.subject_name, run.state, run.problem)
            for run in runs
            if run.state in (RunState.FAILED, RunState.RESTRICTED)
        ]
        assert not bad
        if all(run.state == RunState.SUCCEEDED for run in runs):
            return
        time.sleep(0.2)
    raise AssertionError([(run.subject_name, run.state, run.attempt, run.progress) for run in runs])


def whole_files_only(platform: Platform, database: Database) -> None:
    """Nobody ever sees a part of what a run writes."""
    ids = set(platform.read(database, "events").column("id").to_pylist())
    assert all(len(ids & set(range(at, at + ROWS))) in (0, ROWS) for at in range(0, max(ids) + 1, ROWS))
