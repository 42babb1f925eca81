"""The rows of a table into files, from which they are sent: however many there are, no memory holds them all."""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import functions as F

from bailiwick.spark.destinations.jobs import Delivery
from bailiwick.spark.engine import Engine
from bailiwick.spark.errors import SparkProblem
from bailiwick.spark.jobs import Context
from bailiwick.spark.problems import explained
from bailiwick.spark.queries.jobs import ResultFiles
from bailiwick.spark.queries.results import spill
from bailiwick.spark.writing import quoted


def execute(engine: Engine, job: Delivery, context: Context) -> ResultFiles:
    session = engine.session_for(context.run_id)
    with explained():
        df = session.read.format("delta").load(job.location)
        if job.columns is not None:
            there = {name.lower() for name in df.columns}
            absent = [name for name in job.columns if name.lower() not in there]
            if absent:
                message = f"The table has no column {absent[0]} any more; it has {', '.join(df.columns)}."
                raise SparkProblem("column_absent", message, "Choose other columns for the destination.")
            df = df.select(*(F.col(quoted(name)) for name in job.columns))
        found = spill(session, df, Path(job.folder))
    context.progress(rows_read=found.rows)
    return found
