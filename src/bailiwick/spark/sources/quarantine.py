"""Rows that could not land, kept beside the table with the reason."""

from __future__ import annotations

from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from bailiwick.spark.problems import explained
from bailiwick.spark.sources.reading import REASON, RECORD
from bailiwick.spark.writing import is_table


def put_aside(
    session: SparkSession,
    rejected: DataFrame,
    count: int,
    location: str,
    *,
    run_id: str,
    number: int,
    stream: str,
    after: int | None,
) -> bool:
    """Write what is rejected in this run, in place of what runs put there that never came to their end: those with a
    number above `after`, the last run that did. None: this run reads everything, so its rejects are all there are.

    Whether there is a quarantine table at all; where nothing was ever rejected there is none."""
    exists = is_table(session, location)
    if count == 0 and (not exists or _is_clean(session, location, after)):
        return exists
    rows = rejected.select(
        F.current_timestamp().alias("rejected_at"),
        F.lit(run_id).alias("run_id"),
        F.lit(number).cast("bigint").alias("run"),
        F.lit(stream).alias("stream"),
        F.col(REASON).alias("reason"),
        F.col(RECORD).alias("record"),
    )
    writer: Any = rows.write.format("delta").mode("overwrite" if exists else "append")
    if exists and after is not None:
        writer = writer.option("replaceWhere", f"run > {int(after)}")
    with explained():
        writer.save(location)
    return True


def _is_clean(session: SparkSession, location: str, after: int | None) -> bool:
    there = session.read.format("delta").load(location)
    with explained():
        return (there if after is None else there.where(F.col("run") > after)).isEmpty()
