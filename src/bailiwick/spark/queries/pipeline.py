"""A statement whose rows go into a table: checked against what is expected, then written in one commit."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from bailiwick.spark.engine import Engine
from bailiwick.spark.gate import admit
from bailiwick.spark.jobs import Column, ColumnEdge, Context, Written
from bailiwick.spark.problems import explained
from bailiwick.spark.queries.evolution import changes
from bailiwick.spark.queries.expectations import OnTheWay, check_before, in_words, require_columns, stop_if_not_met
from bailiwick.spark.queries.jobs import Checked, Expectation, PipelineQuery, QueryWritten
from bailiwick.spark.widening import is_wider
from bailiwick.spark.writing import columns_of, quoted, require_storable, table_columns, write, written_before


def execute(engine: Engine, job: PipelineQuery, context: Context) -> QueryWritten:
    session = engine.session_for(context.run_id)
    with explained():
        done = written_before(session, job.location, job.app_id, job.version)
        if done is not None:
            context.log("An attempt before this one had written the rows already.")
            return _as_before(done, job)
        admitted = admit(session, job.sql, context.resolve)
        context.executed(job.sql)
        context.check()
        df = admitted.dataframe
        require_storable(df.schema)
        require_columns(df.schema, job.keys, job.expectations)
        there = table_columns(session, job.location)
        replace = job.mode == "overwrite" and job.replace_schema
        for change in changes(there, columns_of(df.schema), replace=replace) if there else ():
            context.log(f"The table's columns change: {change}.")
        way = OnTheWay(job.expectations, job.mode)
        checks = check_before(df, [one for one in job.expectations if one not in way.wanted])
        stop_if_not_met(checks)
        reads = tuple(ref.id for ref in admitted.reads)
        lineage = tuple(admitted.lineage)
        written = write(
            session,
            aligned(way.watching(df), () if replace else there, fill=job.mode == "overwrite"),
            job.location,
            mode=job.mode,
            keys=job.keys,
            app_id=job.app_id,
            version=job.version,
            metadata={
                "reads": reads,
                "lineage": [[e.from_table_id, e.from_column, e.to_column] for e in lineage],
                "checks": [[job.expectations.index(one.expectation), one.met, one.found] for one in checks],
            },
            evolve=True,
            before=context.confirm,
        )
        context.progress(rows_written=written.rows_written)
        checks += way.checked(written_now=not written.again)
        for one in checks:
            if one.met is False:
                context.log(f"Expected {in_words(one.expectation)}, but {one.found}.", "warning")
    return QueryWritten(written, reads, lineage, _in_order(checks, job.expectations))


def aligned(df: DataFrame, there: Sequence[Column], *, fill: bool) -> DataFrame:
    """The data in the table's columns: a narrower type in the table's, columns that the data lacks empty if they are
    to be filled, new ones at the end."""
    has = {name.lower(): (name, kind) for name, kind in _types(df)}
    chosen = []
    for column in there:
        name, kind = has.pop(column.name.lower(), (None, ""))
        if name is not None:
            found = F.col(quoted(name))
            chosen.append((found.cast(column.type) if is_wider(kind, column.type) else found).alias(column.name))
        elif fill:
            chosen.append(F.lit(None).cast(column.type).alias(column.name))
    return df.select(*chosen, *(F.col(quoted(name)) for name, _ in has.values()))


def _types(df: DataFrame) -> list[tuple[str, str]]:
    return [(column.name, column.type) for column in columns_of(df.schema)]


def _as_before(written: Written, job: PipelineQuery) -> QueryWritten:
    """The outcome of an attempt that wrote and was lost, from what its commit says."""
    said = written.metadata
    known = [Checked(job.expectations[at], met, found) for at, met, found in said.get("checks", ())]
    way = OnTheWay(job.expectations, job.mode)
    return QueryWritten(
        written,
        tuple(said.get("reads", ())),
        tuple(ColumnEdge(*edge) for edge in said.get("lineage", ())),
        _in_order([*known, *way.checked(written_now=False)], job.expectations),
    )


def _in_order(checks: list[Checked], expectations: tuple[Expectation, ...]) -> tuple[Checked, ...]:
    return tuple(sorted(checks, key=lambda one: expectations.index(one.expectation)))
