"""A platform with a worker on Spark, and people at terminals before it."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from bailiwick.spark.engine import Engine
from bailiwick.worker.working import Worker
from tests.cli.conftest import platform, sqlite_database
from tests.cli.terminal import Platform
from tests.spark.conftest import engine, jars, spark_settings

__all__ = ["engine", "jars", "platform", "spark_settings", "sqlite_database", "working"]


@pytest.fixture
def working(platform: Platform, engine: Engine) -> Iterator[Platform]:
    """The platform, while a worker takes up whatever is asked."""
    stop = threading.Event()
    worker = Worker(platform.database, platform.settings, engine)

    def work() -> None:
        while not stop.is_set():
            if not worker.run_next():
                stop.wait(0.02)

    thread = threading.Thread(target=work)
    thread.start()
    yield platform
    stop.set()
    thread.join()
