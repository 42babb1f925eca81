"""Another table of the lakehouse, as it is at one version."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from bailiwick.spark.errors import SparkProblem
from bailiwick.spark.problems import explained
from bailiwick.spark.sources.jobs import StreamJob
from bailiwick.spark.sources.reading import Reading, only
from bailiwick.spark.writing import latest_version, quoted


def read_table(session: SparkSession, stream: StreamJob, state: Mapping[str, Any]) -> Reading | None:
    """Its rows, or those whose cursor has grown; None when nothing has."""
    assert stream.table is not None
    version = latest_version(session, stream.table.location)
    if version is None:
        raise SparkProblem("no_table", f"The table {stream.table.name} holds nothing yet.", "Fill it first.")
    if stream.mode == "incremental" and state.get("version") == version:
        return None
    with explained():
        rows = session.read.format("delta").option("versionAsOf", version).load(stream.table.location)
        if stream.mode == "full":
            return Reading(only(rows, stream.only_columns), {"version": version})
        column = cursor_in(rows.columns, stream)
        type_ = rows.schema[column].dataType
        if (last := state.get("cursor")) is not None:
            edge = F.lit(last).cast(type_)
            # With a key, what stands exactly there is read again: more of the same moment may have come.
            rows = rows.where(F.col(quoted(column)) >= edge if stream.primary_key else F.col(quoted(column)) > edge)
        upper = rows.agg(F.max(quoted(column)).cast("string")).collect()[0][0]
        if upper is None:
            return None
    return Reading(only(rows, stream.only_columns), {"version": version, "cursor": upper})


def cursor_in(columns: list[str], stream: StreamJob) -> str:
    """The cursor column as it is spelt there."""
    wanted = (stream.cursor_column or "").lower()
    found = [name for name in columns if name.lower() == wanted]
    if not found:
        message = f"The stream {stream.name} has no column {stream.cursor_column} to go on by."
        raise SparkProblem("no_cursor", message, f"Choose one of {', '.join(columns[:20])}.")
    return found[0]
