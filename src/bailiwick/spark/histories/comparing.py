"""Snapshots into a history, whenever they come in.

What a snapshot says holds from its moment until that of the next one, and nothing else changes. So a late snapshot
finds its place between those that are known, and the order in which snapshots come in makes no difference. Every row
of the history is a stretch of time in which a key had the same values; `is_deleted` says that it ended because the key
was gone, not because it changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from typing import Any

from pyspark.sql import Column as Expression
from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F
from pyspark.sql.types import LongType, MapType, StructField, StructType

from bailiwick.spark.engine import Engine
from bailiwick.spark.errors import SparkProblem
from bailiwick.spark.histories.jobs import IS_DELETED, OWN_COLUMNS, VALID_FROM, VALID_UNTIL, History, HistoryWritten
from bailiwick.spark.jobs import Context, Written
from bailiwick.spark.problems import explained
from bailiwick.spark.queries.evolution import changes
from bailiwick.spark.queries.pipeline import aligned
from bailiwick.spark.writing import (
    columns_of,
    idempotent,
    is_table,
    marked,
    quoted,
    require_storable,
    state_of,
    table_columns,
    write,
    written_before,
)

FOREVER = 2**62  # after every moment there is
AT, FROM, UNTIL = "__at", "__from", "__until"
MOST_SNAPSHOTS = 10_000
Stretch = tuple[int, int]


@dataclass(frozen=True)
class Taken:
    """The rows of the input with the moment of each, and the moments that are new."""

    rows: DataFrame
    moments: tuple[int, ...]
    columns: tuple[str, ...]  # keys first


def execute(engine: Engine, job: History, context: Context) -> HistoryWritten:
    session = engine.session_for(context.run_id)
    with explained():
        done = written_before(session, job.output_location, job.app_id, job.version)
        if done is not None:
            context.log("An attempt before this one had written the history already.")
            return HistoryWritten(done, tuple(done.metadata["taken"]), tuple(done.metadata["columns"]))
        taken = _take(session, job)
        context.check()
        if not taken.moments:
            context.log("These snapshots are in the history already; nothing changes.")
            return HistoryWritten(state_of(session, job.output_location), (), taken.columns)
        _require_one_row_a_key(taken, job.keys)
        said = {"taken": taken.moments, "columns": taken.columns}
        written = _bring_in(session, job, taken, said, context)
        context.progress(rows_written=written.rows_written)
    return HistoryWritten(written, taken.moments, taken.columns)


def _take(session: SparkSession, job: History) -> Taken:
    df = session.read.format("delta").load(job.input_location)
    names = {name.lower(): name for name in df.columns}
    for reserved in OWN_COLUMNS:
        if reserved in names:
            message = f"The table has a column {reserved}, which the history makes itself."
            raise SparkProblem("column_twice", message, "Rename it in a query, and take the history of its output.")
    wanted = [*job.keys, *(job.columns if job.columns is not None else df.columns)]
    absent = [
        name for name in [*wanted, *([job.as_of_column] if job.as_of_column else [])] if name.lower() not in names
    ]
    if absent:
        message = f"There is no column {absent[0]}; there are {', '.join(df.columns)}."
        raise SparkProblem("column_absent", message, "Choose columns that the table has.")
    as_of = job.as_of_column.lower() if job.as_of_column else None
    columns = tuple(dict.fromkeys(names[name.lower()] for name in wanted if name.lower() != as_of))
    moment = F.unix_micros(F.col(quoted(names[as_of])).cast("timestamp")) if as_of else F.lit(job.taken_at)
    rows = df.select(moment.cast("bigint").alias(AT), *(F.col(quoted(name)) for name in columns))
    require_storable(rows.schema)
    if as_of is None:
        found = [job.taken_at]
    else:
        found = [row[0] for row in rows.select(AT).distinct().limit(MOST_SNAPSHOTS + 1).collect()]
        if None in found:
            message = f"There are rows without a {job.as_of_column}, so it is not known when they were seen."
            raise SparkProblem("as_of_null", message, "Fill it, or leave such rows out.")
        if len(found) > MOST_SNAPSHOTS:
            message = f"{job.as_of_column} has more than {MOST_SNAPSHOTS} values, each of which is a snapshot."
            raise SparkProblem("too_many_snapshots", message, "Choose a column with a moment for each snapshot.")
    return Taken(rows, tuple(sorted(set(found) - set(job.known))), columns)


def _require_one_row_a_key(taken: Taken, keys: Sequence[str]) -> None:
    columns = [F.col(quoted(key)) for key in keys]
    missing = reduce(lambda one, other: one | other, (column.isNull() for column in columns))
    new = taken.rows.where(F.col(AT).isin(list(taken.moments)))
    bad = new.groupBy(AT, *columns).agg(F.count(F.lit(1)).alias("n")).where((F.col("n") > 1) | missing).limit(1)
    for row in bad.collect():
        shown = ", ".join(f"{key} = {row[at + 1]}" for at, key in enumerate(keys))
        if any(row[at + 1] is None for at in range(len(keys))):
            raise SparkProblem("key_null", f"There are rows without a key ({shown}).", "Leave them out, in a query.")
        fix = "Keep one row a key, or choose more key columns."
        raise SparkProblem("key_twice", f"The key {shown} occurs {row['n']} times in one snapshot.", fix)


# Stretches of time ---------------------------------------------------------------------------------------------------


def windows_of(new: Sequence[int], known: Sequence[int]) -> list[Stretch]:
    """What each new snapshot speaks for: from its moment until that of the next, new or known."""
    every = [*sorted({*new, *known}), FOREVER]
    following = dict(pairwise(every))
    return [(moment, following[moment]) for moment in sorted(new)]


def gaps_of(windows: Sequence[Stretch]) -> list[Stretch]:
    """What no new snapshot speaks for."""
    gaps, begin = [], -FOREVER
    for start, end in windows:
        if start > begin:
            gaps.append((begin, start))
        begin = end
    return [*gaps, (begin, FOREVER)] if begin < FOREVER else gaps


def _bring_in(session: SparkSession, job: History, taken: Taken, said: dict[str, Any], context: Context) -> Written:
    windows = windows_of(taken.moments, job.known)
    exists = is_table(session, job.output_location)
    if exists and not set(OWN_COLUMNS) <= {one.name for one in table_columns(session, job.output_location)}:
        raise SparkProblem("not_a_history", "The table there is no history.", "Give the history another output.")
    there = (
        [one for one in table_columns(session, job.output_location) if one.name not in OWN_COLUMNS] if exists else []
    )
    rows = aligned(taken.rows, there, fill=True) if there else taken.rows
    for change in changes(there, [one for one in columns_of(rows.schema) if one.name != AT]) if there else ():
        context.log(f"The history's columns change: {change}.")
    names = [name for name in rows.columns if name != AT]
    keys = [name for name in names if name.lower() in {key.lower() for key in job.keys}]
    speaks = _stretches(session, windows)
    new = rows.join(F.broadcast(speaks), F.col(AT) == F.col(FROM)).select(FROM, UNTIL, *map(_column, names))
    if not exists:
        told = _as_told(_joined(new, keys, names), names)
        return write(
            session,
            told,
            job.output_location,
            mode="overwrite",
            app_id=job.app_id,
            version=job.version,
            metadata=said,
            before=context.confirm,
        )
    old = _old(session, job, windows[0][0], names)
    gaps = F.broadcast(_stretches(session, gaps_of(windows), "gap"))
    kept = old.join(gaps, (F.col(FROM) < F.col("gap_until")) & (F.col(UNTIL) > F.col("gap_from"))).select(
        F.greatest(FROM, "gap_from").alias(FROM),
        F.least(UNTIL, "gap_until").alias(UNTIL),
        *map(_column, names),
    )
    wanted = _joined(kept.unionByName(new, allowMissingColumns=True), keys, names)
    difference = _difference(wanted, old, keys, names)
    context.confirm()
    return _merge(session, job, _as_told(difference, names, "__op"), keys, names, said)


def _old(session: SparkSession, job: History, since: int, names: Sequence[str]) -> DataFrame:
    """What the history says of the time from then on, and of what ended right then."""
    df = session.read.format("delta").load(job.output_location)
    until = F.coalesce(F.unix_micros(F.col(VALID_UNTIL)), F.lit(FOREVER))
    for name in names:  # a column that is new
        if name.lower() not in {one.lower() for one in df.columns}:
            df = df.withColumn(name, F.lit(None))
    chosen = df.select(
        F.unix_micros(F.col(VALID_FROM)).alias(FROM), until.alias(UNTIL), F.col(IS_DELETED), *map(_column, names)
    )
    return chosen.where(F.col(UNTIL) >= F.lit(since))


def _joined(stretches: DataFrame, keys: Sequence[str], names: Sequence[str]) -> DataFrame:
    """Stretches that touch and say the same become one; each learns whether the key was gone at its end."""
    of_key = Window.partitionBy(*map(_column, keys)).orderBy(FROM)
    before = F.lag("__values").over(of_key)
    begins = F.col("__values").eqNullSafe(before) & (F.lag(UNTIL).over(of_key) == F.col(FROM))
    numbered = (
        stretches.withColumn("__values", _values(stretches, keys, names))
        .withColumn("__begins", F.when(F.coalesce(begins, F.lit(False)), 0).otherwise(1))
        .withColumn("__number", F.sum("__begins").over(of_key))
    )
    others = [name for name in names if name not in keys]
    joined = numbered.groupBy(*map(_column, keys), "__number").agg(
        F.min(FROM).alias(FROM), F.max(UNTIL).alias(UNTIL), *(F.first(_column(name)).alias(name) for name in others)
    )
    goes_on = F.coalesce(F.lead(FROM).over(of_key) == F.col(UNTIL), F.lit(False))
    gone = (F.col(UNTIL) != F.lit(FOREVER)) & ~goes_on
    return joined.withColumn(IS_DELETED, gone).select(FROM, UNTIL, IS_DELETED, *map(_column, names))


def _difference(wanted: DataFrame, old: DataFrame, keys: Sequence[str], names: Sequence[str]) -> DataFrame:
    """The rows to write, and with `__op` those to remove; what stays as it is does not appear."""
    new, was = wanted.alias("n"), old.alias("o")
    same = reduce(
        lambda one, other: one & other,
        [F.col(f"n.{quoted(key)}") == F.col(f"o.{quoted(key)}") for key in keys],
        F.col(f"n.{FROM}") == F.col(f"o.{FROM}"),
    )
    others = [name for name in names if name not in keys]

    def side(which: str) -> list[Expression]:
        return [F.col(f"{which}.{UNTIL}"), F.col(f"{which}.{IS_DELETED}"), *_comparable(wanted, others, which)]

    gone, fresh = F.col(f"n.{FROM}").isNull(), F.col(f"o.{FROM}").isNull()
    differs = ~F.struct(*side("n")).eqNullSafe(F.struct(*side("o")))
    op = F.when(gone, F.lit("gone")).when(fresh | differs, F.lit("new"))
    return (
        new.join(was, same, "full_outer")
        .select(
            op.alias("__op"),
            *(F.coalesce(F.col(f"n.{c}"), F.col(f"o.{c}")).alias(c) for c in (FROM, UNTIL)),
            F.col(f"n.{IS_DELETED}").alias(IS_DELETED),
            *(F.coalesce(F.col(f"n.{quoted(k)}"), F.col(f"o.{quoted(k)}")).alias(k) for k in keys),
            *(F.col(f"n.{quoted(name)}").alias(name) for name in others),
        )
        .where(F.col("__op").isNotNull())
    )


def _merge(
    session: SparkSession,
    job: History,
    rows: DataFrame,
    keys: Sequence[str],
    names: Sequence[str],
    said: dict[str, Any],
) -> Written:
    from delta.tables import DeltaTable

    same = " AND ".join(f"t.{quoted(name)} = s.{quoted(name)}" for name in (*keys, VALID_FROM))
    values: dict[str, str | Expression] = {quoted(name): f"s.{quoted(name)}" for name in (*names, *OWN_COLUMNS)}
    with idempotent(session, job.app_id, job.version, marked(job.app_id, job.version, said)):
        (
            DeltaTable.forPath(session, job.output_location)
            .alias("t")
            .merge(rows.alias("s"), same)
            .withSchemaEvolution()
            .whenMatchedDelete("s.__op = 'gone'")
            .whenMatchedUpdate(set=values)
            .whenNotMatchedInsert("s.__op = 'new'", values=values)
            .execute()
        )
    found = written_before(session, job.output_location, job.app_id, job.version)
    return found if found is not None else state_of(session, job.output_location)


def _as_told(stretches: DataFrame, names: Sequence[str], *more: str) -> DataFrame:
    """Moments as people read them; what lasts has no end yet."""
    until = F.when(F.col(UNTIL) != F.lit(FOREVER), F.timestamp_micros(F.col(UNTIL)))
    return stretches.select(
        *more,
        *map(_column, names),
        F.timestamp_micros(F.col(FROM)).alias(VALID_FROM),
        until.alias(VALID_UNTIL),
        F.col(IS_DELETED),
    )


def _stretches(session: SparkSession, stretches: Sequence[Stretch], prefix: str = "_") -> DataFrame:
    fields = [StructField(f"{prefix}_from", LongType()), StructField(f"{prefix}_until", LongType())]
    return session.createDataFrame(list(stretches), StructType(fields))


def _values(df: DataFrame, keys: Sequence[str], names: Sequence[str]) -> Expression:
    others = [name for name in names if name not in keys]
    return F.struct(F.lit(1), *_comparable(df, others))


def _comparable(df: DataFrame, names: Sequence[str], side: str | None = None) -> list[Expression]:
    """Columns in a form that can be compared: maps have no order, so they are compared as text."""
    maps = {field.name for field in df.schema.fields if isinstance(field.dataType, MapType)}
    chosen = []
    for name in names:
        column = F.col(f"{side}.{quoted(name)}" if side else quoted(name))
        chosen.append(F.to_json(column) if name in maps else column)
    return chosen


def _column(name: str) -> Expression:
    return F.col(quoted(name))
