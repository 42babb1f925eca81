"""A run of a source: each stream read, checked and committed, so that no row is lost or doubled however it ends."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from py4j.protocol import Py4JError
from pyspark import StorageLevel
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F

from bailiwick.spark.engine import Engine
from bailiwick.spark.errors import Interrupted, SparkProblem
from bailiwick.spark.jobs import Context, Written
from bailiwick.spark.problems import explain, explained
from bailiwick.spark.sources import http
from bailiwick.spark.sources.checking import with_keys
from bailiwick.spark.sources.evolution import changes, fitted
from bailiwick.spark.sources.file_formats import read_files, read_json_lines, told_types
from bailiwick.spark.sources.files import copied, find_files, unread
from bailiwick.spark.sources.jobs import FilesAt, HttpAt, PostgresqlAt, StreamJob, StreamOutcome, SyncJob, SyncOutcome
from bailiwick.spark.sources.postgresql import read_postgresql
from bailiwick.spark.sources.quarantine import put_aside
from bailiwick.spark.sources.reading import REASON, RECORD, Reading, only
from bailiwick.spark.sources.tables import cursor_in, read_table
from bailiwick.spark.words import how_many
from bailiwick.spark.writing import Mode, last_committed, latest_version, quoted, table_schema, write, written_before

DAY = 86_400


def sync(engine: Engine, job: SyncJob, context: Context) -> SyncOutcome:
    """Every stream in turn. One that is stopped holds up no other; what stopped it is told at the end."""
    outcomes: list[StreamOutcome] = []
    rows = 0
    for number, stream in enumerate(job.streams):
        context.check()
        context.progress(stages_done=number, stages_total=len(job.streams), note=f"reading {stream.name}")
        outcome = _one(engine, job, stream, context)
        outcomes.append(outcome)
        rows += outcome.rows_written
        context.progress(rows_written=rows)
    context.progress(stages_done=len(job.streams), stages_total=len(job.streams), note="")
    return SyncOutcome(tuple(outcomes))


def _one(engine: Engine, job: SyncJob, stream: StreamJob, context: Context) -> StreamOutcome:
    session = engine.session_for(job.run_id)
    try:
        outcome = Landing(session, job, stream, context).land()
    except Interrupted:
        raise
    except (SparkProblem, Py4JError, PySparkException, OSError, EOFError) as error:
        context.check()  # Spark complains of what was cancelled, too
        problem = error if isinstance(error, SparkProblem) else explain(error)
        context.log(f"{stream.name}: {problem.message} {problem.fix}".strip(), "error")
        said = {"code": problem.code, "message": problem.message, "fix": problem.fix, "passing": problem.passing}
        return StreamOutcome(stream.id, stream.name, problem=said)
    if outcome.committed:
        rejected = f", {outcome.rows_rejected} rejected" if outcome.rows_rejected else ""
        context.log(f"{stream.name}: {how_many(outcome.rows_written, 'row')} written{rejected}.")
    else:
        context.log(f"{stream.name}: nothing new.")
    return outcome


@dataclass
class Landing:
    """One stream on its way into its table."""

    session: SparkSession
    job: SyncJob
    stream: StreamJob
    context: Context

    def land(self) -> StreamOutcome:
        stream, location = self.stream, self.stream.output.location
        done = written_before(self.session, location, stream.id, self.job.number)
        if done is not None:
            self.context.log(f"{stream.name}: an earlier attempt had written it already.")
            return self._outcome(done)
        last = last_committed(self.session, location, stream.id)
        unnoted = self._unnoted(last)
        noted: Mapping[str, Any] = {} if stream.start_over else stream.state
        state = unnoted.metadata.get("state", {}) if unnoted is not None else noted
        with self._staging() as staging, self._read(state, staging) as reading:
            if reading is None and unnoted is not None:  # nothing new, and something to note
                return replace(self._outcome(unnoted), rows_written=0, rows_rejected=0)
            if reading is None:
                return StreamOutcome(stream.id, stream.name)
            self.context.check()
            with self._held(reading) as rows:
                return self._outcome(self._write(reading, rows, state, last))

    def _unnoted(self, last: int | None) -> Written | None:
        """The last commit of this stream, if it was not noted: a run may have committed and not have come so far. Then
        the table's log knows better how far the stream has read."""
        if last is None or self.stream.start_over or last == self.stream.state.get("number"):
            return None
        return written_before(self.session, self.stream.output.location, self.stream.id, last)

    # Reading ---------------------------------------------------------------------------------------------------------

    @contextmanager
    def _read(self, state: Mapping[str, Any], staging: Path) -> Iterator[Reading | None]:
        place, stream = self.job.place, self.stream
        if isinstance(place, PostgresqlAt):
            with read_postgresql(self.session, place, stream, state, self.context) as reading:
                yield reading
        elif isinstance(place, FilesAt):
            yield self._files(place, state, staging)
        elif isinstance(place, HttpAt):
            yield self._http(place, state, staging)
        else:
            yield read_table(self.session, stream, state)

    def _files(self, place: FilesAt, state: Mapping[str, Any], staging: Path) -> Reading | None:
        stream = self.stream
        there = find_files(place.folder, stream.read["pattern"])
        new = unread(there, state) if stream.mode == "incremental" else there
        if not new:
            if stream.mode == "incremental":
                return None
            message = f"No file fits the pattern {stream.read['pattern']}."
            raise SparkProblem("no_files", message, "Put files there, or correct the pattern.")
        known: Mapping[str, str] = state.get("files", {})
        for file in new:
            if stream.mode == "incremental" and file.name in known:
                self.context.log(f"{file.name} has changed since it was read, and is read again.", "warning")
        self.context.log(f"{stream.name}: reading {len(new)} of {how_many(len(there), 'file')}.")
        reading = read_files(self.session, copied(new, staging), place, self._types())
        files = {file.name: known[file.name] for file in there if file.name in known}
        files |= {file.name: file.mark for file in new}
        rows = only(reading.rows, stream.only_columns)
        return replace(reading, rows=rows, state={"files": files} if stream.mode == "incremental" else {})

    def _http(self, place: HttpAt, state: Mapping[str, Any], staging: Path) -> Reading | None:
        stream = self.stream
        with http.Api(place, self.context.check) as api:
            got = http.staged(api, stream, staging, state.get("cursor"))
        self.context.log(f"{stream.name}: {how_many(got.records, 'record')} on {how_many(got.pages, 'page')}.")
        if got.records == 0:
            if stream.mode == "incremental" or table_schema(self.session, stream.output.location) is None:
                return None
            # A full reading of nothing: the table is emptied, its columns stay.
            empty = self.session.createDataFrame([], table_schema(self.session, stream.output.location))
            return Reading(empty, may_lack_columns=True)
        reading = read_json_lines(self.session, [got.path], self._types())
        rows = only(reading.rows, stream.only_columns)
        if stream.mode == "full":
            return replace(reading, rows=rows)
        column = cursor_in(rows.columns, stream)
        type_ = rows.schema[column].dataType
        last = state.get("cursor")
        if last is not None:
            edge = F.lit(last).cast(type_)
            grown = F.col(quoted(column)) >= edge if stream.primary_key else F.col(quoted(column)) > edge
            rows = rows.where(grown | F.col(REASON).isNotNull())
        with explained():
            upper = rows.where(F.col(REASON).isNull()).agg(F.max(quoted(column)).cast("string")).collect()[0][0]
            if upper is None and rows.isEmpty():
                return None
        return replace(reading, rows=rows, state={"cursor": last if upper is None else upper})

    def _types(self) -> Any:
        """What somebody set counts first, then what the table has, then what was discovered."""
        schema = None if self.stream.start_over else table_schema(self.session, self.stream.output.location)
        has = {field.name: field.dataType.simpleString() for field in schema.fields} if schema else {}
        return told_types(self.stream.types, has, {column.name: column.type for column in self.stream.known})

    # Writing ---------------------------------------------------------------------------------------------------------

    @contextmanager
    def _held(self, reading: Reading) -> Iterator[DataFrame]:
        """The rows to write. Where some may be rejected they are kept meanwhile: read once, they are the same rows
        that the table and the quarantine get."""
        rows = reading.rows
        keys = [self._spelt(rows, key) for key in self.stream.primary_key]
        if keys and (reading.can_reject or not isinstance(self.job.place, PostgresqlAt)):
            rows = with_keys(rows, keys)
        if REASON not in rows.columns:
            yield rows
            return
        rows = rows.persist(StorageLevel.MEMORY_AND_DISK)
        try:
            yield rows
        finally:
            with suppress(Exception):  # a Spark that is gone keeps nothing
                rows.unpersist()

    def _write(self, reading: Reading, rows: DataFrame, state: Mapping[str, Any], last: int | None) -> Written:
        stream = self.stream
        replaces = stream.mode == "full" or stream.start_over
        good, rejected, set_aside = rows, 0, False
        keys = [self._spelt(rows, key) for key in stream.primary_key]
        with explained():
            if REASON in rows.columns:
                if keys and stream.mode == "full":
                    rows = _only_first(rows, keys)
                good = rows.where(F.col(REASON).isNull()).drop(REASON, RECORD)
                bad = rows.where(F.col(REASON).isNotNull())
                rejected = bad.count()
            if keys and stream.mode == "incremental":
                good = _only_last(good, keys, stream.cursor_column)
            schema = None if stream.start_over else table_schema(self.session, stream.output.location)
            good = fitted(good, schema, stream.name, may_lack=reading.may_lack_columns)
        for change in changes(good, schema):
            self.context.log(f"{stream.name}: {change}.")
        if REASON in rows.columns:
            self.context.confirm()
            set_aside = put_aside(
                self.session,
                bad,
                rejected,
                stream.rejects.location,
                run_id=self.job.run_id,
                number=self.job.number,
                stream=stream.name,
                after=None if replaces else last or 0,
            )
        mode: Mode = "overwrite" if replaces else "merge" if keys else "append"
        metadata = {
            "state": {**reading.state, "number": self.job.number},
            "rejected": rejected,
            "rejects": set_aside,
            "run_id": self.job.run_id,
            "start_over": stream.start_over,
        }
        return write(
            self.session,
            good,
            stream.output.location,
            mode=mode,
            keys=keys,
            app_id=stream.id,
            version=self.job.number,
            metadata=metadata,
            evolve=True,
            before=lambda: self._still_alone(last),
        )

    def _still_alone(self, last: int | None) -> None:
        """Another run of this source that wrote meanwhile has read what we have: writing it again would double it."""
        self.context.confirm()
        if last_committed(self.session, self.stream.output.location, self.stream.id) != last:
            message = "Another run of this source has written to the table meanwhile."
            raise SparkProblem("write_conflict", message, "Run it again.", passing=True)

    def _outcome(self, done: Written) -> StreamOutcome:
        stream = self.stream
        rejects_version = rejects_rows = None
        if done.metadata.get("rejects"):
            rejects_version = latest_version(self.session, stream.rejects.location)
            with explained():
                rejects_rows = self.session.read.format("delta").load(stream.rejects.location).count()
        return StreamOutcome(
            stream.id,
            stream.name,
            committed=True,
            state=done.metadata.get("state", {}),
            columns=done.columns,
            version=done.delta_version,
            rows_written=done.rows_written,
            rows_rejected=int(done.metadata.get("rejected", 0)),
            bytes=done.bytes,
            rows=done.rows,
            rejects_version=rejects_version,
            rejects_rows=rejects_rows,
            output_id=stream.output.id,
            started_over=bool(done.metadata.get("start_over")),
        )

    def _spelt(self, rows: DataFrame, key: str) -> str:
        found = [name for name in rows.columns if name.lower() == key.lower()]
        if not found:
            message = f"{self.stream.name} has no column {key}, its primary key."
            raise SparkProblem("no_key", message, f"Choose among {', '.join(rows.columns[:20])}.")
        return found[0]

    @contextmanager
    def _staging(self) -> Iterator[Path]:
        """A folder for this stream in this run, gone afterwards; what runs left that were killed is swept out."""
        place = self.job.place
        if not isinstance(place, FilesAt | HttpAt):
            yield Path()
            return
        root = Path(place.staging)
        with suppress(OSError):
            for old in root.iterdir():
                if time.time() - old.stat().st_mtime > DAY:
                    shutil.rmtree(old, ignore_errors=True)
        folder = root / f"{self.job.run_id}-{self.stream.id}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _only_first(rows: DataFrame, keys: list[str]) -> DataFrame:
    """Of rows with the same key one lands; the others are rejected."""
    same = Window.partitionBy(F.col(REASON).isNull(), *(F.col(quoted(key)) for key in keys)).orderBy(RECORD)
    number = F.row_number().over(same)
    said = F.lit(f"primary key {', '.join(keys)}: another row has the same")
    marked = rows.withColumn("_number", number)
    again = F.when(F.col(REASON).isNull() & (F.col("_number") > 1), said)
    return marked.withColumn(REASON, F.coalesce(F.col(REASON), again)).drop("_number")


def _only_last(rows: DataFrame, keys: list[str], cursor: str | None) -> DataFrame:
    """Of several rows with the same key the one with the highest cursor."""
    spelt = next((name for name in rows.columns if name.lower() == (cursor or "").lower()), None)
    order = [F.col(quoted(spelt)).desc_nulls_last()] if spelt else []
    order.append(F.to_json(F.struct(*(F.col(quoted(name)) for name in rows.columns))).desc())
    same = Window.partitionBy(*(F.col(quoted(key)) for key in keys)).orderBy(*order)
    return rows.withColumn("_number", F.row_number().over(same)).where(F.col("_number") == 1).drop("_number")
