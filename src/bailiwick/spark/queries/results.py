"""Rows of a result into Parquet files, which the API reads without Spark.

Few rows come through the driver, which is quickest. Where there may be many, or wide ones, the executors write them:
no result is too large for the driver's memory. The files have no dictionaries: a value that occurs a million times
would look small in the file, and fill the memory of whoever reads it."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from py4j.protocol import Py4JError
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.conversion import LocalDataToArrowConversion
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    CalendarIntervalType,
    DataType,
    DateType,
    DayTimeIntervalType,
    MapType,
    NullType,
    NumericType,
    StringType,
    StructField,
    StructType,
    TimestampNTZType,
    TimestampType,
    TimeType,
    VariantType,
    YearMonthIntervalType,
)

from bailiwick.spark.errors import SparkProblem
from bailiwick.spark.jvm import java_class
from bailiwick.spark.problems import explain, explained
from bailiwick.spark.queries.jobs import ResultFiles
from bailiwick.spark.writing import columns_of

FEW_ROWS = 5_000  # of all, or of a partition; so many come through the driver
SMALL_BYTES = 32 << 20  # what is expected to be smaller is worth a try
GROUP_BYTES = 16 << 20  # of a file are read at once
LOOK_SECONDS = 0.5
WIDE_BYTES = 16 << 10  # a row of more does not come through the driver
TOO_WIDE = "bailiwick: a wide row"
LOST = "TaskResultLost"  # what Spark says of rows that were too wide to keep until they are fetched
# What files cannot keep.
IN_WORDS = (NullType, CalendarIntervalType, DayTimeIntervalType, YearMonthIntervalType, TimeType)
OF_A_KNOWN_SIZE = (NumericType, BooleanType, DateType, TimestampType, TimestampNTZType)


@dataclass(frozen=True)
class Bounds:
    """How much of a result is kept: more rows are cut off, more bytes are refused, and `cancel` ends the writing."""

    rows: int
    bytes: int
    cancel: Callable[[], None]


def keep(session: SparkSession, df: DataFrame, folder: Path, bounds: Bounds) -> ResultFiles:
    """Put the rows into the folder, as many as are kept, and say whether there were more."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for left in folder.iterdir():  # of an attempt before this one
        left.unlink() if left.is_file() else shutil.rmtree(left)
    columns = columns_of(df.schema)
    if not columns:
        return ResultFiles(())
    df = _in_kept_types(df)
    if bounds.rows <= FEW_ROWS:
        df = df.limit(bounds.rows + 1)
    with explained():
        at_most, size = _expected(df)
    if at_most is not None and at_most <= FEW_ROWS:
        table = _tried(lambda: _as_table(df))
    else:
        table = _tried(lambda: _through_driver(session, df)) if size <= SMALL_BYTES else None
    if table is None:
        with _no_more_than(bounds, folder):
            files, cut = _through_executors(session, df, folder, bounds.rows)
        return ResultFiles(columns, files, cut)
    name = "part-0.parquet"
    rows = min(table.num_rows, bounds.rows)
    group = max(1, table.num_rows * GROUP_BYTES // max(1, table.nbytes))
    with _no_more_than(bounds, folder):
        pq.write_table(
            table.slice(0, rows), folder / name, row_group_size=group, use_dictionary=False, compression="zstd"
        )
    return ResultFiles(columns, ((name, rows),) if rows else (), table.num_rows > bounds.rows)


@contextmanager
def _no_more_than(bounds: Bounds, folder: Path) -> Iterator[None]:
    """Look at what is written while it is written, so that no statement fills the disk."""
    done, exceeded = threading.Event(), threading.Event()

    def is_over() -> bool:
        return _size(folder) > bounds.bytes

    def watch() -> None:
        while not done.wait(LOOK_SECONDS):
            if is_over():
                exceeded.set()
                bounds.cancel()  # again at each look: Spark may have gone on to its next stage

    watching = threading.Thread(target=watch, name="size of a result", daemon=True)
    watching.start()
    try:
        yield
        if not is_over():
            return
    except Exception:
        if not exceeded.is_set():
            raise
    finally:
        done.set()
        watching.join()
    shutil.rmtree(folder, ignore_errors=True)
    message = f"The result is larger than {bounds.bytes >> 20} MB, which is what is kept of one."
    raise SparkProblem(
        "result_too_large", message, "Ask for fewer rows or columns, or write it to a table with a pipeline query."
    )


def _size(folder: Path) -> int:
    """What is in there; Spark moves and removes folders while one looks."""
    size = 0
    for inside, _, files in os.walk(folder):
        for file in files:
            with suppress(OSError):
                size += Path(inside, file).stat().st_size
    return size


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
    if not any(_holds(field.dataType, (*IN_WORDS, VariantType)) for field in fields):
        return df
    renamed = df.toDF(*_names(len(fields)))
    chosen = []
    for name, field in zip(_names(len(fields)), fields, strict=True):
        if _holds(field.dataType, (VariantType,)):
            chosen.append(F.to_json(F.col(name)).alias(name))
        elif _holds(field.dataType, IN_WORDS):
            chosen.append(F.col(name).cast("string").alias(name))
        else:
            chosen.append(F.col(name))
    return renamed.select(*chosen)


def _holds(type_: DataType, kinds: tuple[type[DataType], ...]) -> bool:
    """Whether it is of such a type, or has one inside."""
    if isinstance(type_, ArrayType):
        return _holds(type_.elementType, kinds)
    if isinstance(type_, MapType):
        return _holds(type_.keyType, kinds) or _holds(type_.valueType, kinds)
    if isinstance(type_, StructType):
        return any(_holds(field.dataType, kinds) for field in type_.fields)
    return isinstance(type_, kinds)


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
    rows, schema = _narrow(df).collect(), StructType(fields)
    return LocalDataToArrowConversion.convert(rows, schema, False) if rows else to_arrow_schema(schema).empty_table()


def _through_driver(session: SparkSession, df: DataFrame) -> pa.Table | None:
    """All rows at once, or None when there are more than was expected."""
    table = limited(session, _narrow(df), FEW_ROWS + 1).toArrow()
    return table if table.num_rows <= FEW_ROWS else None


def _narrow(df: DataFrame) -> DataFrame:
    """The same rows as c0, c1, …, which fail where one is wide: Spark collects whatever there is, and its estimates
    know nothing of how long a text is. Spark moves the check below a limit by itself."""
    renamed = df.toDF(*_names(len(df.columns)))
    long = [field for field in renamed.schema.fields if not isinstance(field.dataType, OF_A_KNOWN_SIZE)]
    if not long:
        return renamed
    sizes = [F.coalesce(F.octet_length(_measurable(field)), F.lit(0)) for field in long]
    fits = sum(sizes[1:], sizes[0]) <= WIDE_BYTES
    checked = F.when(fits, F.col("c0")).otherwise(F.raise_error(F.lit(TOO_WIDE)))
    return renamed.withColumn("c0", checked)


def _measurable(field: StructField) -> Column:
    column = F.col(field.name)
    return column if isinstance(field.dataType, (StringType, BinaryType)) else column.cast("string")


def _tried(collect: Callable[[], pa.Table | None]) -> pa.Table | None:
    """None when the rows are too wide, or too strange, to come through the driver."""
    try:
        return collect()
    except Exception as error:
        problem = explain(error)
        if problem.code == "result_too_large" or LOST in problem.message or TOO_WIDE in str(error):
            return None
        if isinstance(error, (ValueError, OverflowError, NotImplementedError)) and not isinstance(error, Py4JError):
            return None  # values that Python does not know, such as dates after the year 9999
        raise problem from error


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
        writer = renamed.write.mode("overwrite").option("parquet.enable.dictionary", "false")
        writer = writer.option("parquet.block.size", str(GROUP_BYTES)).option("compression", "zstd")
        writer.parquet(target.as_uri())
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

    def of_sql(name: str) -> Any:
        return java_class(session.sparkContext, f"org.apache.spark.sql.{name}")

    literal = of_sql("catalyst.expressions.Literal").create(most, of_sql("types.DataTypes").IntegerType)
    plan = of_sql("catalyst.plans.logical.LocalLimit")(literal, df._jdf.queryExecution().analyzed())
    jdf = of_sql("classic.Dataset").ofRows(session._jsparkSession, plan)
    return DataFrame(jdf, session)


def _names(number: int) -> list[str]:
    return [f"c{at}" for at in range(number)]
