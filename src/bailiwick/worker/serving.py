"""One worker process, from its start to the signal that stops it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable

import bailiwick.areas  # noqa: F401 - ties the areas to each other
from bailiwick.database.engine import Database
from bailiwick.settings import Settings
from bailiwick.worker.engine import Engine
from bailiwick.worker.process import Process


def work_until_stopped(database: Database, settings: Settings) -> None:
    """Work until SIGINT or SIGTERM, then end what is nearly done and give back the rest."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())

    def start_engine(on_progress: Callable[[str], None]) -> Engine:
        # Imported here, so that what needs no Spark is taken up while it loads.
        from bailiwick.spark.engine import Engine as Spark

        return Spark.start(settings, on_progress)

    process = Process(database, settings, start_engine)
    process.start()
    stop.wait()
    process.stop()
