"""Statements whose rows somebody wants to look at, and what a statement would read and give."""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

from bailiwick.spark.engine import Engine
from bailiwick.spark.errors import SparkProblem
from bailiwick.spark.gate import Admitted, Explain, Question, admit, read
from bailiwick.spark.jobs import Column, Context
from bailiwick.spark.jvm import java_class
from bailiwick.spark.problems import explained
from bailiwick.spark.queries.evolution import changes
from bailiwick.spark.queries.expectations import require_columns
from bailiwick.spark.queries.jobs import Analysed, Answer, DryRun, Query, ResultFiles, TableLook
from bailiwick.spark.queries.results import Bounds, keep
from bailiwick.spark.writing import columns_of, require_storable, table_columns

PLACES = re.compile(r"(?:file|s3a?|hdfs|abfss?|gs|wasbs?):/{1,3}[^\s,\])]*|Location: [^\n]*")


def execute(engine: Engine, job: Query, context: Context) -> Answer:
    """Run a statement for its rows. SHOW and DESCRIBE come back as the question they ask."""
    session = engine.session_for(context.run_id)
    with explained():
        statement = read(session, job.sql)
        context.check()
        if isinstance(statement, Question):
            return Answer(None, question=statement)
        context.executed(job.sql)
        folder = Path(job.folder)
        if isinstance(statement, Explain):
            admitted = statement.select.admit(context.resolve)
            return _answer(admitted, _plan(session, admitted, statement.mode, folder))
        admitted = statement.admit(context.resolve)
        context.check()
        bounds = Bounds(job.most_rows, job.most_bytes, lambda: engine.cancel(context.run_id))
        return _answer(admitted, keep(session, admitted.dataframe, folder, bounds))


def look(engine: Engine, job: TableLook, context: Context) -> Answer:
    """Some rows of a table, as it is or as it was."""
    session = engine.session_for(context.run_id)
    with explained():
        reader = session.read.format("delta")
        if job.version is not None:
            reader = reader.option("versionAsOf", str(job.version))
        bounds = Bounds(job.rows, job.most_bytes, lambda: engine.cancel(context.run_id))
        result = keep(session, reader.load(job.location), Path(job.folder), bounds)
    return Answer(ResultFiles(result.columns, result.files))  # there is always more; it is a sample


def dry_run(engine: Engine, job: DryRun, context: Context) -> Analysed:
    """What a statement reads and gives, and what writing that would change. Nothing is executed."""
    session = engine.session_for(context.run_id)
    with explained():
        admitted = admit(session, job.sql, context.resolve)
        reads = tuple(ref.id for ref in admitted.reads)
        columns, lineage = tuple(admitted.columns), tuple(admitted.lineage)
        if job.mode is None:
            return Analysed(reads, columns, lineage)
        try:
            changed = _would_change(session, admitted.dataframe, job)
        except SparkProblem as problem:
            said = {"code": problem.code, "message": problem.message, "fix": problem.fix}
            return Analysed(reads, columns, lineage, problem=said)
        return Analysed(reads, columns, lineage, changed)


def _would_change(session: SparkSession, df: DataFrame, job: DryRun) -> tuple[str, ...]:
    require_storable(df.schema)
    require_columns(df.schema, job.keys, job.expectations)
    new = columns_of(df.schema)
    there = table_columns(session, job.output_location) if job.output_location else ()
    if not there:
        return tuple(f"{column.name} {column.type} is new" for column in new)
    return changes(there, new, replace=job.mode == "overwrite" and job.replace_schema)


def _answer(admitted: Admitted, result: ResultFiles) -> Answer:
    return Answer(result, tuple(ref.id for ref in admitted.reads), tuple(admitted.lineage))


def _plan(session: SparkSession, admitted: Admitted, mode: str, folder: Path) -> ResultFiles:
    """How Spark would go about it, a line a row, without where tables lie."""
    mode_of = java_class(session.sparkContext, "org.apache.spark.sql.execution.ExplainMode").fromString
    text = str(admitted.dataframe._jdf.queryExecution().explainString(mode_of(mode.lower())))
    for ref in admitted.reads:
        text = text.replace(ref.location, f"{ref.layer}.{ref.name}")
    lines = PLACES.sub("Location: …", text).splitlines()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    pq.write_table(pa.table({"c0": pa.array(lines, pa.string())}), folder / "part-0.parquet")
    return ResultFiles((Column("plan", "string", False),), (("part-0.parquet", len(lines)),))
