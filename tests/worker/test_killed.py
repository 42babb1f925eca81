"""kill -9 of the worker, of its JVM and of the API, at random moments of a sync, an overwrite and a merge at once.

By default each is killed once; make endure does it twenty times."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil
import pyarrow as pa
from pyarrow import parquet
from sqlalchemy import select

from bailiwick.cli.home import opened_database
from bailiwick.database.engine import Database
from bailiwick.lakehouse.models import Table
from bailiwick.runs.models import Run, RunState
from bailiwick.settings import load_settings
from tests.lakehouse.making import make_layer, make_pipeline, make_stream
from tests.people import make_member, make_session
from tests.ports import free_port
from tests.spark.scripts import small

KILLS = int(os.environ.get("BAILIWICK_TEST_KILLS", "1"))
ROWS = 20_000  # of a file
PATIENCE_SECONDS = 300
KINDS = ("sources", "pipeline-queries", "pipeline-queries")


class Platform:
    """An API and a worker, each started again when it was killed."""

    def __init__(self, home: Path, jars: Path) -> None:
        self.incoming = home / "incoming"
        self.incoming.mkdir(parents=True)
        port = free_port()
        given = {**small(jars, home), "port": port, "source_folders": [self.incoming], "worker_slots": 3}
        self.settings = load_settings(**given)
        lines = [
            f"{name} = {json.dumps(str(value) if isinstance(value, Path) else value, default=str)}"
            for name, value in given.items()
            if name != "home"
        ]
        (home / "bailiwick.toml").write_text("\n".join(lines))
        self._environment = {**os.environ, "BAILIWICK_HOME": str(home), "BAILIWICK_LOG_LEVEL": "error"}
        self._processes: dict[str, psutil.Popen] = {}
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{port}/api/v1", timeout=30)

    def start(self, part: str) -> None:
        self._processes[part] = psutil.Popen([sys.executable, "-m", "bailiwick.cli", part], env=self._environment)

    def kill(self, victim: str) -> None:
        """The process is gone without a word; only the JVM is started again by its worker."""
        if victim == "jvm":
            for child in self._processes["worker"].children(recursive=True):
                if "java" in child.name():
                    child.send_signal(signal.SIGKILL)
            return
        self._processes[victim].send_signal(signal.SIGKILL)
        self._processes[victim].wait()
        self.start(victim)

    def stop(self) -> None:
        self.client.close()
        for process in self._processes.values():
            process.terminate()
        for process in self._processes.values():
            try:
                process.wait(20)
            except psutil.TimeoutExpired:
                process.kill()


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
                begin(platform, KINDS[0], pipelines[0])
                until_all_ended(database)
            for kind, pipeline in zip(KINDS, pipelines, strict=True):
                begin(platform, kind, pipeline)
            if victim != "none":
                time.sleep(chance.uniform(0, took))
                platform.kill(victim)
            until_all_ended(database)
            took = time.monotonic() - began if victim == "none" else took
            whole_files_only(platform, database)
        for kind, pipeline in zip(KINDS[1:], pipelines[1:], strict=True):
            begin(platform, kind, pipeline)
        until_all_ended(database)
        everything = Counter(range(len(rounds) * ROWS))
        tables = {name: read(platform, database, name) for name in ("events", "twice", "latest")}
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


def begin(platform: Platform, kind: str, pipeline: str) -> None:
    """Start it, as soon as there is an API to ask."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        try:
            answer = platform.client.post(f"/{kind}/{pipeline}/runs")
        except httpx.TransportError:
            time.sleep(0.2)
            continue
        assert answer.status_code == 202, answer.text
        return
    raise AssertionError("the API did not answer")


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
    ids = set(read(platform, database, "events").column("id").to_pylist())
    assert all(len(ids & set(range(at, at + ROWS))) in (0, ROWS) for at in range(0, max(ids) + 1, ROWS))


def read(platform: Platform, database: Database, name: str) -> Any:
    """The rows of a table by a reading of our own: its log says which files are part of it."""
    with database.read() as session:
        table = session.scalars(select(Table).where(Table.name == name)).one()
    folder = Path(platform.settings.warehouse) / table.location
    files: set[str] = set()
    for commit in sorted((folder / "_delta_log").glob("*.json")):
        for line in commit.read_text().splitlines():
            action = json.loads(line)
            if "add" in action:
                assert not action["add"].get("deletionVector")
                files.add(action["add"]["path"])
            elif "remove" in action:
                files.discard(action["remove"]["path"])
    return pa.concat_tables([parquet.ParquetFile(folder / file).read() for file in sorted(files)])
