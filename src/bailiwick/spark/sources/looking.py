"""Looking at a source without landing anything: whether it answers, its streams, and what their rows look like."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from itertools import accumulate, islice
from pathlib import Path
from typing import Any

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from bailiwick.spark.engine import Engine
from bailiwick.spark.errors import SparkProblem
from bailiwick.spark.jobs import Context
from bailiwick.spark.problems import explain, explained
from bailiwick.spark.sources import http
from bailiwick.spark.sources import postgresql as pg
from bailiwick.spark.sources.file_formats import read_files, read_json_lines, told_types
from bailiwick.spark.sources.files import SeenFile, copied, find_files
from bailiwick.spark.sources.jobs import (
    FilesAt,
    HttpAt,
    LookJob,
    LookOutcome,
    PostgresqlAt,
    SeenStream,
    StreamJob,
)
from bailiwick.spark.sources.reading import REASON, RECORD
from bailiwick.spark.sources.suggesting import suggested
from bailiwick.spark.words import how_many
from bailiwick.spark.writing import columns_of, latest_version

SUFFIXES = {
    "csv": (".csv", ".tsv", ".txt"),
    "json_lines": (".jsonl", ".ndjson", ".json"),
    "parquet": (".parquet",),
    "excel": (".xlsx", ".xls", ".xlsb", ".ods"),
}
MOST_STREAMS, MOST_WITH_SAMPLE = 200, 20
MOST_FILES, SOON_READ = 50, 8 * 1024 * 1024  # of one stream: bytes, but for the newest, which is read in any case
LONGEST_TEXT = 200
TRIED = (SparkProblem, Py4JError, PySparkException, OSError)


def try_connection(engine: Engine, job: LookJob, context: Context) -> LookOutcome:
    """What the source says to a first question; a problem if it does not let us in."""
    place = job.place
    if isinstance(place, PostgresqlAt):
        with pg.connected(place) as connection:
            found = connection.execute("SELECT current_setting('server_version')").fetchone()
            tables = len(pg.list_tables(connection))
        return LookOutcome(f"PostgreSQL {found[0] if found else ''} answers; {how_many(tables, 'table')} can be read.")
    if isinstance(place, HttpAt):
        with http.Api(place, context.check) as api:
            if not job.streams:
                _, answer = api.get(place.url, {})
                return LookOutcome(f"{api.name} answers with {answer.status_code}.")
            first = next(http.pages(api, job.streams[0]))
        return LookOutcome(
            f"{api.name} answers; the first page of {job.streams[0].name} has {how_many(len(first), 'record')}."
        )
    if isinstance(place, FilesAt):
        files = find_files(place.folder, "**/*")
        return LookOutcome(f"The folder can be read, with {how_many(len(files), 'file')} in it.")
    return LookOutcome("The lakehouse is here.")


def discover(engine: Engine, job: LookJob, context: Context) -> LookOutcome:
    """The streams of the source, and those it could have, with their columns and a few rows."""
    place = job.place
    if isinstance(place, PostgresqlAt):
        return LookOutcome(streams=tuple(_tables(place, job, context)))
    if isinstance(place, FilesAt):
        return LookOutcome(streams=tuple(_files(engine, place, job, context)))
    return LookOutcome(streams=tuple(_each(engine, job, context)))


# PostgreSQL ----------------------------------------------------------------------------------------------------------


def _tables(place: PostgresqlAt, job: LookJob, context: Context) -> Iterator[SeenStream]:
    known = {(str(stream.read["schema"]), str(stream.read["table"])): stream for stream in job.streams}
    with pg.connected(place) as connection:
        listed = pg.list_tables(connection)
        wanted = [*known, *(name for name in ((s, t) for s, t, _ in listed) if name not in known)][:MOST_STREAMS]
        rows = {(schema, table): count for schema, table, count in listed}
        for number, (schema, table) in enumerate(wanted):
            context.check()
            stream = known.get((schema, table))
            name = stream.name if stream else table if schema == "public" else f"{schema}.{table}"
            id_ = stream.id if stream else None
            try:
                fields = pg.fields_of(connection, schema, table)
            except SparkProblem as problem:
                yield SeenStream(name, id_, problem=problem.message)
                continue
            shown = stream is not None or number < MOST_WITH_SAMPLE
            sample = pg.sample(connection, schema, table, fields, job.rows) if shown else []
            yield SeenStream(
                name,
                id_,
                pg.as_columns(fields),
                tuple(field.name for field in fields if field.in_key),
                {"type": "postgresql", "schema": schema, "table": table},
                tuple(_plain(row) for row in sample),
                f"about {how_many(rows.get((schema, table), 0), 'row')}",
            )


# Files ---------------------------------------------------------------------------------------------------------------


def _files(engine: Engine, place: FilesAt, job: LookJob, context: Context) -> Iterator[SeenStream]:
    covered: set[str] = set()
    for stream in job.streams:
        context.check()
        files = find_files(place.folder, stream.read["pattern"])
        covered |= {file.name for file in files}
        yield _seen_files(engine, place, job, stream.name, stream.read["pattern"], files, stream)
    others = [file for file in find_files(place.folder, "**/*") if file.name not in covered]
    for pattern, (name, files) in islice(suggested(others, SUFFIXES[place.format]).items(), MOST_WITH_SAMPLE):
        context.check()
        yield _seen_files(engine, place, job, name, pattern, files, None)


def _seen_files(
    engine: Engine,
    place: FilesAt,
    job: LookJob,
    name: str,
    pattern: str,
    files: list[SeenFile],
    stream: StreamJob | None,
) -> SeenStream:
    """The newest files tell what the others are like: as many as are soon read."""
    id_ = stream.id if stream else None
    read = {"type": "files", "pattern": pattern}
    size = sum(file.size for file in files)
    about = f"{how_many(len(files), 'file')}, {how_many(size, 'byte')}"
    if not files:
        return SeenStream(name, id_, read=read, about=about, problem="No file fits the pattern.")
    with _staging(place.staging, job.run_id) as folder:
        try:
            types = told_types(stream.types if stream else {})
            rows = read_files(engine.session_for(job.run_id), copied(_newest(files), folder), place, types).rows
            columns, sample = _look_at(rows, job.rows)
        except TRIED as error:
            return SeenStream(name, id_, read=read, about=about, problem=_words(error))
    return SeenStream(name, id_, columns, read=read, sample=sample, about=about)


def _newest(files: list[SeenFile]) -> list[SeenFile]:
    first, *others = sorted(files, key=lambda file: (file.mtime_ns, file.name), reverse=True)[:MOST_FILES]
    sizes = accumulate([first.size, *(file.size for file in others)])
    return [first, *(file for file, size in zip(others, islice(sizes, 1, None), strict=True) if size <= SOON_READ)]


# APIs and tables -----------------------------------------------------------------------------------------------------


def _each(engine: Engine, job: LookJob, context: Context) -> Iterator[SeenStream]:
    for stream in job.streams:
        context.check()
        try:
            yield _one(engine, job, stream, context)
        except TRIED as error:
            yield SeenStream(stream.name, stream.id, read=stream.read, problem=_words(error))


def _one(engine: Engine, job: LookJob, stream: StreamJob, context: Context) -> SeenStream:
    session = engine.session_for(job.run_id)
    if isinstance(job.place, HttpAt):
        with http.Api(job.place, context.check) as api, _staging(job.place.staging, job.run_id) as folder:
            first = next(http.pages(api, stream))
            if not first:
                return SeenStream(stream.name, stream.id, read=stream.read, about="the first page is empty")
            path = folder / "records.jsonl"
            path.write_text("".join(f"{http.as_line(record)}\n" for record in first), encoding="utf-8")
            rows = read_json_lines(session, [str(path)], told_types(stream.types)).rows
            columns, sample = _look_at(rows, job.rows)
        about = f"{len(first)} records on the first page"
        return SeenStream(stream.name, stream.id, columns, read=stream.read, sample=sample, about=about)
    assert stream.table is not None
    version = latest_version(session, stream.table.location)
    if version is None:
        raise SparkProblem("no_table", f"The table {stream.table.name} holds nothing yet.", "Fill it first.")
    with explained():
        columns, sample = _look_at(session.read.format("delta").load(stream.table.location), job.rows)
    return SeenStream(stream.name, stream.id, columns, read=stream.read, sample=sample, about=f"version {version}")


# Shared --------------------------------------------------------------------------------------------------------------


def _look_at(rows: DataFrame, number: int) -> tuple[Any, tuple[Mapping[str, Any], ...]]:
    with explained():
        if REASON in rows.columns:
            rows = rows.where(F.col(REASON).isNull()).drop(REASON, RECORD)
        found = tuple(_plain(row.asDict(recursive=True)) for row in rows.limit(number).collect())
        return columns_of(rows.schema), found


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _value(value) for name, value in row.items()}


def _value(value: Any) -> Any:
    """A value as JSON can show it, long ones cut."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else str(value)
    if isinstance(value, datetime | date | Decimal):
        return str(value)
    if isinstance(value, bytes | bytearray):
        return bytes(value[:LONGEST_TEXT]).hex()
    text = str(value).replace("\0", "\N{REPLACEMENT CHARACTER}")
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


def _words(error: Exception) -> str:
    """What is wrong with one stream. What may pass is not its fault: then the whole look is repeated."""
    problem = error if isinstance(error, SparkProblem) else explain(error)
    if problem.passing:
        raise problem
    return problem.message


@contextmanager
def _staging(root: str, run_id: str) -> Iterator[Path]:
    folder = Path(root) / f"{run_id}-look"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
