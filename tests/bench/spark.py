"""Spark for the benches: one engine as the platform starts it, in a home that goes away afterwards."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame

from bailiwick.settings import Settings, load_settings
from bailiwick.spark.engine import Engine
from bailiwick.spark.jars import find_jars
from bailiwick.spark.jobs import TableRef
from tests.spark.conftest import CACHE


@dataclass(frozen=True)
class Running:
    """An engine and the home folder it has."""

    engine: Engine
    settings: Settings
    folder: Path


@contextmanager
def new_home(**given: Any) -> Iterator[Settings]:
    """Settings of a home of its own, for which nothing has to be fetched a second time."""
    jars = find_jars(Settings(home=CACHE))[0].parent
    with tempfile.TemporaryDirectory(prefix="bw-") as home:
        yield load_settings(home=Path(home), **{"spark_jars": jars, "spark_archive": False, **given})


@contextmanager
def running(**given: Any) -> Iterator[Running]:
    """Spark, started for this bench; or the one that runs in this process already, for there can be only one."""
    with new_home(**given) as settings:
        if Engine._running is not None:
            yield Running(Engine._running, settings, settings.home)
            return
        engine = Engine.start(settings)
        try:
            yield Running(engine, settings, settings.home)
        finally:
            engine.stop()


@contextmanager
def bare(engine: Engine, tables: Collection[TableRef]) -> Iterator[Callable[[str], DataFrame]]:
    """What asks Spark itself, with nothing between: the same tables, in Spark's own catalogue while this lasts."""
    session = engine.spark.newSession()
    layers = {table.layer for table in tables}
    for layer in layers:
        session.sql(f"CREATE DATABASE bare_{layer}")
    try:
        for table in tables:
            place = Path(table.location).as_uri()
            session.sql(f"CREATE TABLE bare_{table.layer}.{table.name} USING delta LOCATION '{place}'")
        yield lambda sql: session.sql(_in_bare(sql, layers))
    finally:
        for layer in layers:
            session.sql(f"DROP DATABASE bare_{layer} CASCADE")


def _in_bare(sql: str, layers: Iterable[str]) -> str:
    for layer in layers:
        sql = sql.replace(f"{layer}.", f"bare_{layer}.")
    return sql
