"""A PostgreSQL database: its tables as they are at one moment, read in parts over several connections at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from itertools import pairwise
from typing import Any
from urllib.parse import quote

import psycopg
from psycopg import sql
from pyspark.sql import SparkSession

from bailiwick.spark.errors import SparkProblem
from bailiwick.spark.jobs import Column, Context
from bailiwick.spark.problems import explained
from bailiwick.spark.sources.jobs import PostgresqlAt, StreamJob
from bailiwick.spark.sources.reading import Reading, with_clean_names

WAIT_SECONDS = 15
REFUSED = re.compile(r"password|no pg_hba\.conf entry|role \".*\" does not exist|authentication")
NO_DATABASE = re.compile(r"database \".*\" does not exist")
FETCH = 10_000
WHOLE = {"smallint": "smallint", "integer": "int", "bigint": "bigint"}
# Types that arrive as they are; a moment without a zone is taken for UTC, everything else arrives as text.
AS_IT_IS = {
    **WHOLE,
    "real": "float",
    "double precision": "double",
    "boolean": "boolean",
    "date": "date",
    "timestamp with time zone": "timestamp",
    "bytea": "binary",
    "text": "string",
}
LISTED = """
SELECT n.nspname, c.relname, greatest(c.reltuples, 0)::bigint
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
  AND n.nspname NOT LIKE 'pg\\_%%' AND NOT c.relispartition AND has_table_privilege(c.oid, 'SELECT')
ORDER BY 1, 2 LIMIT 2000
"""
COLUMNS = """
SELECT a.attname, format_type(t.base, t.modifier), format_type(t.base, NULL), a.attnotnull,
       coalesce(a.attnum = ANY (k.conkey), false), information_schema._pg_numeric_precision(t.base, t.modifier),
       information_schema._pg_numeric_scale(t.base, t.modifier)
FROM pg_catalog.pg_attribute a
JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_type y ON y.oid = a.atttypid
CROSS JOIN LATERAL (
    SELECT CASE WHEN y.typtype = 'd' THEN y.typbasetype ELSE a.atttypid END AS base,
           CASE WHEN y.typtype = 'd' THEN y.typtypmod ELSE a.atttypmod END AS modifier
) t
LEFT JOIN pg_catalog.pg_constraint k ON k.conrelid = c.oid AND k.contype = 'p'
WHERE n.nspname = %s AND c.relname = %s AND a.attnum > 0 AND NOT a.attisdropped AND has_table_privilege(c.oid, 'SELECT')
ORDER BY a.attnum
"""


@dataclass(frozen=True)
class Field:
    """A column there: its name, type and how it is asked for."""

    name: str
    full_type: str
    type: str
    not_null: bool
    in_key: bool
    precision: int | None
    scale: int | None

    @property
    def spark_type(self) -> str:
        if self.type == "numeric":
            fits = self.precision is not None and self.precision <= 38
            return f"decimal({self.precision},{self.scale})" if fits else "decimal(38,18)"
        if self.type == "timestamp without time zone":
            return "timestamp"
        return AS_IT_IS.get(self.type, "string")

    @property
    def selected(self) -> sql.Composed:
        name = sql.Identifier(self.name)
        if self.type == "timestamp without time zone":
            return sql.SQL("{} AT TIME ZONE 'UTC' AS {}").format(name, name)
        if self.type.endswith("[]"):
            return sql.SQL("to_jsonb({})::text AS {}").format(name, name)
        if self.type in AS_IT_IS or self.type == "numeric":
            return sql.SQL("{}").format(name)
        return sql.SQL("{}::text AS {}").format(name, name)


@contextmanager
def connected(at: PostgresqlAt) -> Iterator[psycopg.Connection]:
    """A connection that reads only, to the address that was allowed."""
    try:
        connection = psycopg.connect(
            host=at.host,
            hostaddr=at.address,
            port=at.port,
            dbname=at.database,
            user=at.user,
            password=at.password or "",
            sslmode=at.encryption,
            connect_timeout=WAIT_SECONDS,
            application_name="bailiwick",
            passfile="/dev/null",  # only what was entered for this source
        )
    except psycopg.OperationalError as error:
        raise _explain(error) from None
    try:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        connection.execute("SET TIME ZONE 'UTC'")
        connection.execute("SET datestyle TO 'ISO'")
        connection.commit()
        yield connection
    except psycopg.Error as error:
        raise _explain(error) from None
    finally:
        connection.close()


def list_tables(connection: psycopg.Connection) -> list[tuple[str, str, int]]:
    """What this user may read: schema, name and about how many rows."""
    return [(str(schema), str(name), int(rows)) for schema, name, rows in connection.execute(LISTED)]


def fields_of(connection: psycopg.Connection, schema: str, table: str) -> list[Field]:
    found = [Field(*row) for row in connection.execute(COLUMNS, (schema, table))]
    if not found:
        message = f"There is no table {schema}.{table}, or {connection.info.user} may not read it."
        raise SparkProblem("no_table", message, "Correct the name, or have the right to read it granted there.")
    return found


def as_columns(fields: Sequence[Field]) -> tuple[Column, ...]:
    return tuple(Column(field.name, field.spark_type, not field.not_null) for field in fields)


def sample(
    connection: psycopg.Connection, schema: str, table: str, fields: Sequence[Field], rows: int
) -> list[dict[str, Any]]:
    asked = sql.SQL("SELECT {} FROM {} LIMIT {}").format(_list(fields), sql.Identifier(schema, table), rows)
    names = [field.name for field in fields]
    return [dict(zip(names, row, strict=True)) for row in connection.execute(asked)]


@contextmanager
def read_postgresql(
    session: SparkSession, at: PostgresqlAt, stream: StreamJob, state: Mapping[str, Any], context: Context
) -> Iterator[Reading | None]:
    """The table's rows, or those whose cursor has grown, all as they were at one moment: every connection of Spark's
    looks at the snapshot of ours, which is kept open until the rows are written. None when there is nothing new."""
    schema, table = stream.read["schema"], stream.read["table"]
    with connected(at) as connection:
        fields = fields_of(connection, schema, table)
        if stream.only_columns is not None:
            wanted = {name.lower() for name in stream.only_columns}
            fields = [field for field in fields if field.name.lower() in wanted]
        place = sql.Identifier(schema, table)
        where, upper = _newer(connection, place, fields, stream, state, context)
        if stream.mode == "incremental" and upper is None:
            yield None
            return
        parts = _parts(connection, place, where, fields, stream)
        asked = sql.SQL("(SELECT {} FROM {} WHERE {}) AS t").format(_list(fields), place, where).as_string(connection)
        context.executed(asked)
        with explained():
            rows = session.read.jdbc(
                f"jdbc:postgresql://{_in_url(at.address)}:{at.port}/{quote(at.database, safe='')}",
                asked,
                predicates=[part.as_string(connection) for part in parts],
                properties={
                    "driver": "org.postgresql.Driver",
                    "user": at.user,
                    "password": at.password or "",
                    "sslmode": at.encryption,
                    "fetchsize": str(FETCH),
                    "connectTimeout": str(WAIT_SECONDS),
                    "tcpKeepAlive": "true",
                    "ApplicationName": "bailiwick",
                    "sessionInitStatement": _same_moment(connection),
                },
            )
        new_state = {"cursor": upper} if stream.mode == "incremental" else {}
        # What is the primary key there holds no surprises; what somebody chose here may.
        there = {field.name.lower() for field in fields if field.in_key}
        chosen = bool(stream.primary_key) and {key.lower() for key in stream.primary_key} != there
        yield Reading(with_clean_names(rows), new_state, can_reject=chosen)


def _list(fields: Sequence[Field]) -> sql.Composed:
    return sql.SQL(", ").join(field.selected for field in fields)


def _newer(
    connection: psycopg.Connection,
    place: sql.Identifier,
    fields: Sequence[Field],
    stream: StreamJob,
    state: Mapping[str, Any],
    context: Context,
) -> tuple[sql.Composable, str | None]:
    """The condition for rows not read yet, and the highest cursor value there is at this moment."""
    if stream.mode == "full":
        return sql.SQL("true"), None
    field = next((one for one in fields if one.name.lower() == (stream.cursor_column or "").lower()), None)
    if field is None:
        message = f"{stream.name} has no column {stream.cursor_column} to go on by."
        raise SparkProblem("no_cursor", message, f"Choose one of {', '.join(one.name for one in fields[:20])}.")
    column = sql.Identifier(field.name)
    where: sql.Composable = sql.SQL("{} IS NOT NULL").format(column)
    if (last := state.get("cursor")) is not None:
        # With a key, what stands exactly there is read again: more of the same moment may have come.
        grown = sql.SQL(">=" if stream.primary_key else ">")
        where = sql.SQL("{} {} CAST({} AS {})").format(column, grown, sql.Literal(last), sql.SQL(field.full_type))
    asked = sql.SQL("SELECT max({})::text FROM {} WHERE {}").format(column, place, where)
    upper = connection.execute(asked).fetchone()
    if not field.not_null:
        empty = sql.SQL("SELECT count(*) FROM {} WHERE {} IS NULL").format(place, column)
        if (without := connection.execute(empty).fetchone()) and without[0]:
            context.log(f"{stream.name}: {without[0]} rows have no {field.name} and are not read.", "warning")
    return where, upper[0] if upper else None


def _parts(
    connection: psycopg.Connection,
    place: sql.Identifier,
    where: sql.Composable,
    fields: Sequence[Field],
    stream: StreamJob,
) -> list[sql.Composable]:
    """Conditions that cut the rows into parts of about the same size, by the chosen column or the primary key."""
    chosen = stream.read.get("partition_column")
    named = {field.name.lower(): field for field in fields}
    keys = [field for field in fields if field.in_key]
    field = named.get(chosen.lower()) if chosen else keys[0] if len(keys) == 1 else None
    if chosen and field is None:
        message = f"{stream.name} has no column {chosen} to read in parts by."
        raise SparkProblem("no_partition_column", message, "Choose another one, or none.")
    number = int(stream.read.get("partitions", 1))
    cuttable = field is not None and (field.type in WHOLE or field.type == "date" or field.type.startswith("timestamp"))
    if field is None or not cuttable or number == 1:
        return [sql.SQL("true")]
    column = sql.Identifier(field.name)
    ends = connection.execute(
        sql.SQL("SELECT min({c}), max({c}) FROM {p} WHERE {w}").format(c=column, p=place, w=where)
    ).fetchone()
    cuts = _cuts(ends[0], ends[1], number) if ends else []
    if not cuts:
        return [sql.SQL("true")]
    if field.type == "timestamp without time zone":  # it arrives as a moment in UTC, by the same name
        cuts = [f"{cut.isoformat()}+00:00" for cut in cuts]
    edges = [sql.Literal(str(cut)) for cut in cuts]
    parts: list[sql.Composable] = [sql.SQL("{c} < {e} OR {c} IS NULL").format(c=column, e=edges[0])]
    for low, high in pairwise(edges):
        parts.append(sql.SQL("{c} >= {l} AND {c} < {h}").format(c=column, l=low, h=high))
    parts.append(sql.SQL("{c} >= {l}").format(c=column, l=edges[-1]))
    return parts


def _cuts(low: Any, high: Any, number: int) -> list[Any]:
    if low is None or high is None or low == high:
        return []
    span = high - low
    if isinstance(low, int):
        return sorted({low + span * step // number for step in range(1, number)} - {low})
    if isinstance(low, datetime | date):
        return sorted({low + span * step / number for step in range(1, number)} - {low})
    return []


def _same_moment(connection: psycopg.Connection) -> str:
    exported = connection.execute("SELECT pg_export_snapshot()").fetchone()
    assert exported is not None
    name = sql.Literal(exported[0]).as_string(connection)
    return f"SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; SET TRANSACTION SNAPSHOT {name}"


def _in_url(address: str) -> str:
    return f"[{address}]" if ":" in address else address


def _explain(error: psycopg.Error) -> SparkProblem:
    """In words, without what was sent: a message of the server may repeat a value, and never the password."""
    said = " ".join(str(error).split())[:500]
    state = error.sqlstate or ""
    # A refusal to connect has no code that we are told, only words.
    if state.startswith("28") or REFUSED.search(said):
        return SparkProblem("sign_in_failed", f"The database does not let us in: {said}", "Correct user and password.")
    if state == "3D000" or NO_DATABASE.search(said):
        return SparkProblem("no_database", said, "Correct the database's name.")
    if state == "42501":
        return SparkProblem("not_allowed_there", said, "Have the right to read it granted there.")
    if not state or state.startswith(("08", "57P", "53", "40")):
        fix = "See that it runs and can be reached from here, and run it again."
        message = f"The database cannot be reached, or broke off: {said}"
        return SparkProblem("connection_lost", message, fix, passing=True)
    return SparkProblem("database", said)
