"""Making an empty Delta table with the columns it was asked for."""

from __future__ import annotations

from typing import Any

from bailiwick.spark.engine import Engine
from bailiwick.spark.jobs import Context, Written
from bailiwick.spark.problems import explained
from bailiwick.spark.tables.jobs import NewTable
from bailiwick.spark.writing import quoted, write


def execute(engine: Engine, job: NewTable, context: Context) -> Written:
    session = engine.session_for(context.run_id)
    with explained():
        nothing: list[tuple[Any, ...]] = []
        schema = ", ".join(f"{quoted(column.name)} {column.type}" for column in job.columns)
        return write(
            session,
            session.createDataFrame(nothing, schema),
            job.location,
            mode="overwrite",
            app_id=job.app_id,
            version=job.version,
            metadata={},
            evolve=True,
            before=context.confirm,
        )
