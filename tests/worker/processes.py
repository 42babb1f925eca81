"""A worker as a process of its own, without Spark, whose one kind of run does what its parameters say."""

from __future__ import annotations

import signal
import sys
import threading
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import bailiwick.models  # noqa: F401 - a table alone does not know what it refers to
from bailiwick.database import encryption
from bailiwick.database.engine import Database, make_engine
from bailiwick.runs import queue
from bailiwick.runs.models import Run
from bailiwick.settings import load_settings
from bailiwick.worker import keeping, process
from bailiwick.worker.context import RunContext
from bailiwick.worker.kinds import Kind


def execute(engine: Any, job: dict[str, Any], context: RunContext) -> None:
    """Note each beginning in a file; then work for as long as this attempt should."""
    with Path(job["file"]).open("a") as file:
        file.write(f"{job['attempt']}\n")
    end = time.monotonic() + (job["seconds"] if job["attempt"] == 1 else 0)
    while time.monotonic() < end:
        context.check()
        time.sleep(0.01)


def prepare(session: Any, run: Run) -> dict[str, Any]:
    return {**run.parameters, "attempt": run.attempt}


KINDS = {"errand": Kind(prepare, execute, lambda session, run, outcome: None, needs_spark=False)}


def main(url: str, lease_seconds: str) -> None:
    encryption.use_keys(["dGVzdHMgdGVzdHMgdGVzdHMgdGVzdHMgdGVzdHMgISE="])
    queue.LEASE = timedelta(seconds=float(lease_seconds))
    keeping.RENEW_SECONDS = float(lease_seconds) / 4
    process.GRACE_SECONDS = 0.2
    database = Database(make_engine(url))
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    working = process.Process(database, load_settings(database_url=url), None, kinds=KINDS)
    working.start()
    sys.stdout.write("working\n")
    sys.stdout.flush()
    stop.wait()
    working.stop()
    database.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
