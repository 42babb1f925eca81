"""Rows of a result into Parquet files, which the API reads without Spark.

Few rows come through the driver, which is quickest. Where there may be many, the executors write them: no result is
too large for the driver's memory."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.conversion import LocalDataToArrowConversion
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import (
    CalendarIntervalType,
    DayTimeIntervalType,
    NullType,
    StructField,
    StructType,
    VariantType,
    YearMonthIntervalType,
)

from bailiwick.spark.problems import explain, explained
from bailiwick.spark.queries.jobs import ResultFiles
from bailiwick.spark.writing import columns_of

FEW_ROWS = 5_000  # of all, or of a partition; so many come through the driver
SMALL_BYTES = 32 * 1024 * 1024  # what is expected to be smaller is worth a try
LOST = "TaskResultLost"  # what Spark says of rows that were too wide to keep until they are fetched
IN_WORDS = (NullType, CalendarIntervalType, DayTimeIntervalType, YearMonthIntervalType)  # what files cannot keep


def keep(session: SparkSession, df: DataFrame, folder: Path, most_rows: int) -> ResultFiles:
    """Put the rows into the folder, no more than `most_rows`, and say whether there were more."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for left in folder.iterdir():  # of an attempt before this one
        left.unlink() if left.is_file() else shutil.rmtree(left)
    columns = columns_of(df.schema)
    if not columns:
        return ResultFiles(())
    df = _in_kept_types(df)
    if most_rows <= FEW_ROWS:
        df = df.limit(most_rows + 1)
    with explained():
        at_most, size = _expected(df)
    if at_most is not None and at_most <= FEW_ROWS:
        with explained():
            table = _as_table(df)
    else:
        found = _through_driver(session, df) if size <= SMALL_BYTES else None
        if found is None:
            files, cut = _through_executors(session, df, folder, most_rows)
            return ResultFiles(columns, files, cut)
        table = found
    name = "part-0.parquet"
    rows = min(table.num_rows, most_rows)
    pq.write_table(table.slice(0, rows), folder / name)
    return ResultFiles(columns, ((name, rows),) if rows else (), table.num_rows > most_rows)


def spill(session: SparkSession, df: DataFrame, folder: Path) -> ResultFiles:
    """Put all rows into the folder, however many, to be sent elsewhere; the executors write them."""
    if folder.is_dir():  # of an attempt before this one
        shutil.rmtree(folder)
    folder.mkdir(mode=0o700, parents=True)
    columns = columns_of(df.schema)
    files, _ = _through_executors(session, _in_kept_types(df), folder, None)
    return ResultFiles(columns, files)


def _in_kept_types(df: DataFrame) -> DataFrame:
    """Columns whose type no file keeps, in words. Where there is none the plan stays as it is: it may be one that
    Spark takes a few rows of without looking at the others."""
    fields = df.schema.fields
    if not any(isinstance(field.dataType, (*IN_WORDS, VariantType)) for field in fields):
        return df
    renamed = df.toDF(*_names(len(fields)))
    chosen = []
    for name, field in zip(_names(len(fields)), fields, strict=True):
        if isinstance(field.dataType, VariantType):
            chosen.append(F.to_json(F.col(name)).alias(name))
        elif isinstance(field.dataType, IN_WORDS):
            chosen.append(F.col(name).cast("string").alias(name))
        else:
            chosen.append(F.col(name))
    return renamed.select(*chosen)


def _expected(df: DataFrame) -> tuple[int | None, int]:
    """How many rows there are at most, if that is known beforehand, and about how many bytes."""
    plan = df._jdf.queryExecution().optimizedPlan()
    most = plan.maxRows()
    return (most.get() if most.isDefined() else None), int(str(plan.stats().sizeInBytes()))


def _as_table(df: DataFrame) -> pa.Table:
    fields = [
        StructField(name, field.dataType, True)
        for name, field in zip(_names(len(df.schema.fields)), df.schema.fields, strict=True)
    ]
    rows, schema = df.collect(), StructType(fields)
    return LocalDataToArrowConversion.convert(rows, schema, False) if rows else to_arrow_schema(schema).empty_table()


def _through_driver(session: SparkSession, df: DataFrame) -> pa.Table | None:
    """All rows at once, or None when there are more than was expected."""
    try:
        table = limited(session, df.toDF(*_names(len(df.columns))), FEW_ROWS + 1).toArrow()
    except Exception as error:
        problem = explain(error)
        if problem.code == "result_too_large" or LOST in problem.message:
            return None
        raise problem from error
    return table if table.num_rows <= FEW_ROWS else None


def _through_executors(
    session: SparkSession, df: DataFrame, folder: Path, most_rows: int | None
) -> tuple[tuple[tuple[str, int], ...], bool]:
    """Every partition writes a file of its own, in the order of the result, none more than what is kept of all."""
    target = folder / "parts"
    renamed = df.toDF(*_names(len(df.columns)))
    if most_rows is not None:
        renamed = limited(session, renamed, most_rows + 1)
    session.conf.set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
    with explained():
        renamed.write.mode("overwrite").parquet(target.as_uri())
    files: list[tuple[str, int]] = []
    left, cut = sys.maxsize if most_rows is None else most_rows, False
    for part in sorted(target.glob("part-*.parquet")):
        rows = pq.read_metadata(part).num_rows
        if left == 0 or rows == 0:
            cut = cut or rows > 0
            continue
        taken = min(rows, left)
        cut = cut or taken < rows
        left -= taken
        name = f"part-{len(files)}.parquet"
        part.replace(folder / name)
        files.append((name, taken))
    shutil.rmtree(target)
    return tuple(files), cut


def limited(session: SparkSession, df: DataFrame, most: int) -> DataFrame:
    """So many rows of every partition at most. Unlike a limit of the whole, it moves no row and keeps the order."""
    jvm: Any = session.sparkContext._jvm
    logical = jvm.org.apache.spark.sql.catalyst.plans.logical
    literal = jvm.org.apache.spark.sql.catalyst.expressions.Literal.create(
        most, jvm.org.apache.spark.sql.types.DataTypes.IntegerType
    )
    plan = logical.LocalLimit(literal, df._jdf.queryExecution().analyzed())
    jdf = jvm.org.apache.spark.sql.classic.Dataset.ofRows(session._jsparkSession, plan)
    return DataFrame(jdf, session)


def _names(number: int) -> list[str]:
    return [f"c{at}" for at in range(number)]
