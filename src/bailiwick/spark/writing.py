"""Writing to a Delta table: one commit a run, whatever happens in between, and what is known of the table after it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import NullType, StructType

from bailiwick.spark.errors import SparkProblem
from bailiwick.spark.jobs import Column, Written
from bailiwick.spark.jvm import java_class
from bailiwick.spark.problems import explained

Mode = Literal["overwrite", "append", "merge"]
DELTA = "org.apache.spark.sql.delta"

# Whose commit it is stands in the commit itself, beside what the caller wants to find there again.
MARK = "bailiwick"
LOOK_BACK = 1000  # commits of others after ours, before we give up looking for it
IDEMPOTENT = "spark.databricks.delta.write.txnAppId", "spark.databricks.delta.write.txnVersion"
USER_METADATA = "spark.databricks.delta.commitInfo.userMetadata"
NOT_IN_NAMES = set(" ,;{}()\n\t=")  # what Parquet cannot keep
# A column can become wider later only if the table has known this from the start.
NEW_TABLE = {
    "delta.enableTypeWidening": "true",
    # Maintenance decides how far back a table can go; its log reaches far enough for that.
    "delta.logRetentionDuration": "interval 366 days",
}


def write(
    session: SparkSession,
    df: DataFrame,
    location: str,
    *,
    mode: Mode,
    keys: Sequence[str] = (),
    app_id: str,
    version: int,
    metadata: Mapping[str, Any],
    evolve: bool = False,
    before: Callable[[], None] | None = None,
) -> Written:
    """Commit `df` to the table there, once for this `app_id` and `version`.

    If that was committed before, nothing is written and the answer is what was written then. `evolve` lets the
    table's columns follow those of `df`: an overwrite takes exactly them, append and merge add new ones and widen
    types. A merge replaces rows with the same keys and adds the others. `before` is called last of all before the
    data is written, and stops it by raising."""
    done = written_before(session, location, app_id, version)
    if done is not None:
        return done
    require_storable(df.schema)
    exists = is_table(session, location)
    if mode == "merge":
        _require_keys(df, keys)
    if before is not None:
        before()
    said = marked(app_id, version, metadata)
    with explained():
        if mode == "merge" and exists:
            _merge(session, df, location, keys, app_id, version, said, evolve)
        else:
            writer = df.write.format("delta").mode("overwrite" if mode == "overwrite" else "append")
            if evolve and exists:
                writer = writer.option("overwriteSchema" if mode == "overwrite" else "mergeSchema", "true")
            if not exists:
                writer = writer.options(**NEW_TABLE)
            writer.options(txnAppId=app_id, txnVersion=str(version), userMetadata=said).save(location)
    written = find(session, location, app_id, version)
    if written is None:
        message = "The data was written, and the commit cannot be found in the table's log."
        raise SparkProblem("commit_lost", message, "Start the run again.", passing=True)
    return written


def committed(session: SparkSession, location: str, app_id: str, version: int) -> dict[str, Any] | None:
    """What was handed over with this commit, if it is there already; costs a look at the table's state."""
    done = written_before(session, location, app_id, version)
    return None if done is None else dict(done.metadata)


def is_table(session: SparkSession, location: str) -> bool:
    """Whether there is a Delta table, in any version."""
    return bool(log_of(session, location).tableExists())


def state_of(session: SparkSession, location: str) -> Written:
    """The table as it is, where nothing had to be written."""
    log = log_of(session, location)
    now = log.unsafeVolatileSnapshot()
    rows, size = _count(session, location, now), _size(now)
    return Written(location, now.version(), 0, rows, size, columns_of(_schema(now)), {}, again=True)


def columns_of(schema: StructType) -> tuple[Column, ...]:
    """The columns of a schema, types in Spark's words."""
    return tuple(Column(field.name, field.dataType.simpleString(), field.nullable) for field in schema.fields)


def table_columns(session: SparkSession, location: str) -> tuple[Column, ...]:
    """The columns the table has now; none if there is no table."""
    log = log_of(session, location)
    return columns_of(_schema(log.unsafeVolatileSnapshot())) if log.tableExists() else ()


def require_storable(schema: StructType) -> None:
    """Refuse columns that a table cannot keep, by name and with what to do."""
    if not schema.fields:
        raise SparkProblem("no_columns", "There is no column to write.", "Select at least one column.")
    seen: dict[str, str] = {}
    for field in schema.fields:
        bad = sorted(NOT_IN_NAMES & set(field.name))
        if bad or not field.name:
            shown = " ".join(repr(letter) for letter in bad)
            raise SparkProblem(
                "column_name",
                f"A table cannot have a column called “{field.name}”: {shown} cannot be kept in a name.",
                "Give it another name, in a query with AS.",
            )
        if field.name.lower() in seen:
            other = seen[field.name.lower()]
            message = f"Two columns have the same name, “{other}” and “{field.name}”; case does not count."
            raise SparkProblem("column_twice", message, "Give one of them another name, in a query with AS.")
        seen[field.name.lower()] = field.name
        if isinstance(field.dataType, NullType):
            message = f"The column “{field.name}” holds nothing but NULL and has no type."
            raise SparkProblem("column_type", message, f"Give it one, such as CAST(NULL AS string) AS {field.name}.")


def _merge(
    session: SparkSession,
    df: DataFrame,
    location: str,
    keys: Sequence[str],
    app_id: str,
    version: int,
    said: str,
    evolve: bool,
) -> None:
    from delta.tables import DeltaTable

    same = " AND ".join(f"t.{quoted(key)} = s.{quoted(key)}" for key in keys)
    with idempotent(session, app_id, version, said):
        merge = DeltaTable.forPath(session, location).alias("t").merge(df.alias("s"), same)
        if evolve:
            merge = merge.withSchemaEvolution()
        merge.whenMatchedUpdateAll().whenNotMatchedInsertAll().execute()


@contextmanager
def idempotent(session: SparkSession, app_id: str, version: int, said: str) -> Iterator[None]:
    """Let every commit in this session be this one, for commands that take no options; then forget it again."""
    names = (*IDEMPOTENT, USER_METADATA)
    for name, value in zip(names, (app_id, str(version), said), strict=True):
        session.conf.set(name, value)
    try:
        yield
    finally:
        for name in names:
            session.conf.unset(name)


def marked(app_id: str, version: int, metadata: Mapping[str, Any]) -> str:
    """What a commit says of itself, for commands that are not made by `write`."""
    return json.dumps({MARK: {"app": app_id, "version": version}, **metadata}, default=str)


def quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _require_keys(df: DataFrame, keys: Sequence[str]) -> None:
    """Two rows with one key cannot both become that row, and a row without a key would be added at every run."""
    if not keys:
        raise SparkProblem("no_keys", "A merge needs at least one key column.", "Name the columns that identify a row.")
    there = {name.lower() for name in df.columns}
    absent = [key for key in keys if key.lower() not in there]
    if absent:
        message = f"There is no column {', '.join(absent)} to merge by; there are {', '.join(df.columns)}."
        raise SparkProblem("key_absent", message, "Name key columns that the data has.")
    columns = [F.col(quoted(key)) for key in keys]
    missing = F.lit(False)
    for column in columns:
        missing = missing | column.isNull()
    with explained():
        found = df.groupBy(*columns).agg(F.count(F.lit(1)).alias("n")).where((F.col("n") > 1) | missing).limit(1)
        bad = found.collect()
    if bad:
        row = bad[0].asDict()
        shown = ", ".join(f"{key} = {row.get(key, next(iter(row.values())))}" for key in keys)
        if any(row.get(key) is None for key in keys):
            message = f"There are rows without a key ({shown})."
            raise SparkProblem("key_null", message, "Leave out rows whose key is NULL, or merge by other columns.")
        message = f"The key {shown} occurs {row['n']} times in the data; only one row can have it."
        raise SparkProblem("key_twice", message, "Keep one row a key, or merge by more columns.")


# What the table’s log says --------------------------------------------------------------------------------------------


def log_of(session: SparkSession, location: str) -> Any:
    """Delta's own view of the table, brought up to date."""
    context = session.sparkContext
    log = java_class(context, f"{DELTA}.DeltaLog").forTable(session._jsparkSession, location)
    nothing = java_class(context, "scala.Option").empty()
    log.update(False, nothing, nothing)
    return log


def _schema(snapshot: Any) -> StructType:
    return StructType.fromJson(json.loads(snapshot.schema().json()))


def written_before(session: SparkSession, location: str, app_id: str, version: int) -> Written | None:
    last = last_committed(session, location, app_id)
    if last is None or last < version:
        return None
    found = find(session, location, app_id, version, again=True)
    if found is None:
        message = "A later run has written to the table already."
        raise SparkProblem("outrun", message, "Start a new run if this one is still wanted.")
    return found


def find(
    session: SparkSession,
    location: str,
    app_id: str,
    version: int,
    again: bool = False,
    look_back: int = LOOK_BACK,
) -> Written | None:
    """The commit with this mark, the newest commits first: it is the newest unless somebody else wrote since."""
    log = log_of(session, location)
    newest = log.unsafeVolatileSnapshot()
    latest = newest.version()
    for at in range(latest, max(-1, latest - look_back), -1):
        commit = commit_info(session, log, at)
        if commit is None:
            return None
        said = said_in(commit)
        if said.get(MARK) != {"app": app_id, "version": version}:
            continue
        metrics = commit.get("operationMetrics") or {}
        rows, size = None, None
        if commit.get("operation") == "WRITE" and commit["operationParameters"].get("mode") == "Overwrite":
            rows, size = int(metrics.get("numOutputRows", 0)), int(metrics.get("numOutputBytes", 0))
        elif at == latest:
            rows = _count(session, location, newest)
        size = _size(newest) if size is None else size
        said.pop(MARK)
        return Written(location, at, rows_changed(metrics) or 0, rows, size, columns_of(_schema(newest)), said, again)
    return None


def commit_info(session: SparkSession, log: Any, version: int) -> dict[str, Any] | None:
    """What the table's log says of one version; None where the log no longer reaches."""
    path = java_class(session.sparkContext, "org.apache.hadoop.fs.Path")(log.logPath(), f"{version:020d}.json")
    history = java_class(session.sparkContext, f"{DELTA}.DeltaHistoryManager")
    try:
        found = history.getCommitInfoOpt(log.store(), path, log.newDeltaHadoopConf())
    except Exception as error:
        if "FileNotFound" in str(error) or "NoSuchFile" in str(error):
            return None
        raise
    if not found.isDefined():
        return {}
    info: dict[str, Any] = json.loads(found.get().json())["commitInfo"]
    return info


def said_in(commit: Mapping[str, Any]) -> dict[str, Any]:
    try:
        said = json.loads(commit.get("userMetadata") or "{}")
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def rows_changed(metrics: Mapping[str, str]) -> int | None:
    """Rows that a commit added, changed or removed; None where it does not say, as when a version is restored."""
    merged = ("numTargetRowsInserted", "numTargetRowsUpdated", "numTargetRowsDeleted")
    if any(name in metrics for name in merged):
        return sum(int(metrics.get(name, 0)) for name in merged)
    return int(metrics["numOutputRows"]) if "numOutputRows" in metrics else None


# Beside a commit Delta keeps what is true of the table since: read there, it takes no job. Not every commit of others
# has it, and of a table of many files or writers it names none of them; then Spark reads the whole log.


def _last_of(snapshot: Any, app_id: str) -> int | None:
    """The last version that was committed for this app."""
    checksum = snapshot.checksumOpt()
    if checksum.isDefined() and (known := checksum.get().setTransactions()).isDefined():
        return next((int(each.version()) for each in _each(known.get()) if each.appId() == app_id), None)
    last = snapshot.transactions().get(app_id)
    return int(last.get()) if last.isDefined() else None


def _size(snapshot: Any) -> int:
    checksum = snapshot.checksumOpt()
    return int(checksum.get().tableSizeBytes() if checksum.isDefined() else snapshot.sizeInBytes())


def _count(session: SparkSession, location: str, snapshot: Any) -> int:
    """The number of rows, from the statistics in the log: no data is read."""
    checksum = snapshot.checksumOpt()
    if checksum.isDefined() and checksum.get().allFiles().isDefined():
        counts = [file.numLogicalRecords() for file in _each(checksum.get().allFiles().get())]
        if all(count.isDefined() for count in counts):
            return sum(int(count.get()) for count in counts)
    return session.read.format("delta").load(location).count()


def _each(sequence: Any) -> Iterator[Any]:
    return (sequence.apply(at) for at in range(sequence.size()))


# For whoever goes on where the last run ended ------------------------------------------------------------------------


def latest_version(session: SparkSession, location: str) -> int | None:
    """The table's version now; None if there is no table."""
    with explained():
        log = log_of(session, location)
        return int(log.unsafeVolatileSnapshot().version()) if log.tableExists() else None


def table_schema(session: SparkSession, location: str) -> StructType | None:
    """The table's columns now; None if there is no table."""
    with explained():
        log = log_of(session, location)
        return _schema(log.unsafeVolatileSnapshot()) if log.tableExists() else None


def last_committed(session: SparkSession, location: str, app_id: str) -> int | None:
    """The highest version that was committed for this `app_id`, by `write` or by a command made `idempotent`."""
    with explained():
        log = log_of(session, location)
        if not log.tableExists():
            return None
        return _last_of(log.unsafeVolatileSnapshot(), app_id)
