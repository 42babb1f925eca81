"""What tests that execute runs share: a worker on the process's one Spark, which does its work in the test's thread."""

from __future__ import annotations

import pytest

from bailiwick.database.engine import Database
from bailiwick.settings import Settings
from bailiwick.spark.engine import Engine
from bailiwick.worker.working import Worker
from tests.spark.conftest import engine, jars, spark_settings

__all__ = ["engine", "jars", "spark_settings", "worker"]


@pytest.fixture
def worker(database: Database, settings: Settings, engine: Engine) -> Worker:
    """`worker.drain()` executes whatever is in the queue, on Spark."""
    return Worker(database, settings, engine)
