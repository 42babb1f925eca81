"""What tests on Spark share: one engine for all of them in a process, and jars that are fetched once for all runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from bailiwick.settings import Settings, load_settings
from bailiwick.spark.engine import Engine
from bailiwick.spark.jars import find_jars
from tests.spark.scripts import small

ENGINE = pytest.StashKey[Engine]()
# Kept from run to run, so that only the first one needs a network.
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "bailiwick"


@pytest.fixture(scope="session")
def jars() -> Path:
    """The folder of the jars that Spark does not bring."""
    return find_jars(Settings(home=CACHE))[0].parent


@pytest.fixture(scope="session")
def spark_settings(jars: Path, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings of a small Spark."""
    return load_settings(**small(jars, tmp_path_factory.mktemp("engine")))


@pytest.fixture(scope="session")
def engine(spark_settings: Settings, pytestconfig: pytest.Config) -> Engine:
    """Spark, started once for all tests of this process, also when other folders borrow this fixture."""
    if ENGINE not in pytestconfig.stash:
        pytestconfig.stash[ENGINE] = engine = Engine.start(spark_settings)
        pytestconfig.add_cleanup(engine.stop)
    return pytestconfig.stash[ENGINE]


@pytest.fixture
def spark(engine: Engine, request: pytest.FixtureRequest) -> SparkSession:
    """A session of the test's own."""
    return engine.session_for(request.node.name)
