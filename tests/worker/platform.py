"""The platform as its users have it: an API and a worker as processes of their own, on SQLite and real Spark."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import psutil
import pyarrow as pa
from pyarrow import parquet
from sqlalchemy import select

from bailiwick.database.engine import Database
from bailiwick.lakehouse.models import Table
from bailiwick.settings import load_settings
from tests.ports import free_port
from tests.spark.scripts import small

PATIENCE_SECONDS = 300


class Platform:
    """An API and a worker, each started again when it was killed."""

    def __init__(self, home: Path, jars: Path, **more: Any) -> None:
        self.incoming = home / "incoming"
        self.incoming.mkdir(parents=True)
        port = free_port()
        given = {**small(jars, home), "port": port, "source_folders": [self.incoming], "worker_slots": 3, **more}
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

    def ask(self, *words: str) -> Any:
        """What a command says, as JSON."""
        command = [sys.executable, "-m", "bailiwick.cli", *words, "--json"]
        return json.loads(subprocess.run(command, env=self._environment, capture_output=True, check=True).stdout)

    def kill(self, victim: str) -> None:
        """The process is gone without a word; only the JVM is started again by its worker."""
        if victim == "jvm":
            for jvm in self.jvms():
                jvm.send_signal(signal.SIGKILL)
            return
        self._processes[victim].send_signal(signal.SIGKILL)
        self._processes[victim].wait()
        self.start(victim)

    def jvms(self) -> list[psutil.Process]:
        return [child for child in self._processes["worker"].children(recursive=True) if "java" in child.name()]

    def stop(self) -> None:
        self.client.close()
        for process in self._processes.values():
            process.terminate()
        for process in self._processes.values():
            try:
                process.wait(20)
            except psutil.TimeoutExpired:
                process.kill()

    def begin(self, kind: str, pipeline: str) -> str:
        """Start a pipeline, as soon as there is an API to ask. The id of its run."""
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            try:
                answer = self.client.post(f"/{kind}/{pipeline}/runs")
            except httpx.TransportError:
                time.sleep(0.2)
                continue
            assert answer.status_code == 202, answer.text
            return str(answer.json()["run_id"])
        raise AssertionError("the API did not answer")

    def read(self, database: Database, name: str) -> Any:
        """The rows of a table by a reading of our own: its log says which files are part of it."""
        with database.read() as session:
            table = session.scalars(select(Table).where(Table.name == name)).one()
        folder = Path(self.settings.warehouse) / table.location
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
