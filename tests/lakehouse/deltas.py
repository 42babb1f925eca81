"""Real tables for the tests of queries: Delta on the process's one Spark, and a worker that reads them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from bailiwick.database.engine import Database
from bailiwick.lakehouse.models import Table
from bailiwick.settings import Settings
from bailiwick.spark.engine import Engine
from bailiwick.spark.writing import columns_of, write
from tests.lakehouse.making import make_layer, make_table
from tests.worker.conftest import engine, jars, spark_settings, worker

__all__ = ["engine", "jars", "make_delta", "rows_of", "spark_settings", "worker"]

MakeDelta = Callable[..., Table]
RowsOf = Callable[..., list[tuple[Any, ...]]]


@pytest.fixture
def make_delta(database: Database, settings: Settings, engine: Engine) -> MakeDelta:
    """`make_delta("raw.orders", "SELECT …")`: a table with the rows of a statement, in the catalogue and on disk."""

    def made(name: str, sql: str, *, mode: Any = "overwrite", version: int = 1) -> Table:
        layer_name, _, table_name = name.partition(".")
        session = engine.session_for("making")
        df = session.sql(sql)
        with database.session() as db:
            layer = make_layer(db, layer_name)
            found = select(Table).where(Table.layer_id == layer.id, Table.name == table_name)
            table = db.scalars(found).one_or_none() or make_table(db, table_name, layer=layer)
            done = write(
                session,
                df,
                f"{settings.warehouse}/{table.location}",
                mode=mode,
                app_id="test",
                version=version,
                metadata={},
                evolve=True,
            )
            table.columns = [vars(column) for column in columns_of(df.schema)]
            table.data_version, table.rows, table.bytes = done.delta_version, done.rows, done.bytes
        return table

    return made


@pytest.fixture
def rows_of(settings: Settings, engine: Engine) -> RowsOf:
    """`rows_of(table, "id, name")`: what is in a table, sorted; read by Spark itself, past the platform."""

    def read(table: Table, columns: str = "*", version: int | None = None) -> list[tuple[Any, ...]]:
        reader = engine.session_for("reading").read.format("delta")
        if version is not None:
            reader = reader.option("versionAsOf", version)
        df = reader.load(f"{settings.warehouse}/{table.location}").selectExpr(*columns.split(", "))
        return sorted((tuple(row) for row in df.collect()), key=repr)

    return read
