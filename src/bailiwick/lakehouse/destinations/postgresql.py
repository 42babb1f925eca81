"""Rows into a table of a PostgreSQL database: in one transaction, and once, however often it is tried.

In the same transaction a row goes into the table bailiwick_deliveries beside it. An attempt that finds the row of its
own delivery there has nothing to do."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import sql
from psycopg.errors import DuplicateTable, InsufficientPrivilege, UniqueViolation

from bailiwick.lakehouse.queries import results
from bailiwick.spark.destinations.jobs import ToPostgresql
from bailiwick.spark.errors import SparkProblem
from bailiwick.spark.jobs import Context
from bailiwick.spark.words import how_many

LEDGER = "bailiwick_deliveries"
WAIT_SECONDS = 15
TYPES = {
    "tinyint": "smallint",
    "smallint": "smallint",
    "int": "integer",
    "bigint": "bigint",
    "float": "real",
    "double": "double precision",
    "boolean": "boolean",
    "string": "text",
    "date": "date",
    "timestamp": "timestamptz",
    "timestamp_ntz": "timestamp",
    "binary": "bytea",
}
NESTED = ("struct<", "array<", "map<")


def delivered(target: ToPostgresql, delivery: str) -> int | None:
    """How many rows this delivery brought, if it has arrived."""
    with _connected(target) as connection:
        found = connection.execute("SELECT to_regclass(%s)", [_regclass(target, LEDGER)]).fetchone()
        if not found or found[0] is None:
            return None
        row = connection.execute(
            sql.SQL("SELECT rows FROM {} WHERE run_id = %s").format(_name(target, LEDGER)), [delivery]
        ).fetchone()
        return int(row[0]) if row else None


def send(target: ToPostgresql, delivery: str, result: results.Result, context: Context) -> str:
    """Everything in one transaction: others see all of it, or nothing yet."""
    with _connected(target) as connection:
        _make_ledger(connection, target)
        with connection.transaction():
            ledger = _name(target, LEDGER)
            # Should an attempt that was given up still be at it, this waits for how that ends.
            noted = sql.SQL("INSERT INTO {} (run_id, rows) VALUES (%s, %s) ON CONFLICT DO NOTHING").format(ledger)
            if connection.execute(noted, [delivery, result.rows]).rowcount == 0:
                return "The rows had been delivered already"
            names = result.names
            _make_table(connection, target, result)
            if target.mode == "upsert":
                _upsert(connection, target, result, context)
            else:
                if target.mode == "overwrite":
                    connection.execute(sql.SQL("DELETE FROM {}").format(_name(target, target.table)))
                _copy(connection, _name(target, target.table), names, result, context)
            context.check()  # the last moment to stop
    return f"{how_many(result.rows, 'row')} brought to {target.schema}.{target.table}"


def try_out(target: ToPostgresql) -> str:
    with _connected(target) as connection:
        version = connection.execute("SHOW server_version").fetchone()
        there = connection.execute("SELECT to_regclass(%s)", [_regclass(target, target.table)]).fetchone()
    is_there = there is not None and there[0] is not None
    what = "is there" if is_there else "is made at the first delivery"
    return f"PostgreSQL {version[0] if version else ''} answers; the table {target.schema}.{target.table} {what}."


@contextmanager
def _connected(target: ToPostgresql) -> Iterator[psycopg.Connection[tuple[Any, ...]]]:
    at = target.at
    try:
        with psycopg.connect(
            host=at.host,
            hostaddr=at.address,
            port=at.port,
            dbname=at.database,
            user=at.user,
            password=at.password,
            sslmode=at.encryption,
            connect_timeout=WAIT_SECONDS,
            application_name="bailiwick",
            autocommit=True,
        ) as connection:
            yield connection
    except psycopg.OperationalError as error:
        state = error.sqlstate or ""
        if state.startswith("28"):
            fix = "Correct the user name and the password."
            raise SparkProblem("sign_in_failed", "The database does not let us sign in.", fix) from None
        message = "The database cannot be reached, or the connection broke."
        fix = "See that it runs and can be reached from here."
        raise SparkProblem("connection_lost", message, fix, passing=True) from None
    except InsufficientPrivilege as error:
        message = f"The user may not do this there: {_said(error)}"
        raise SparkProblem("no_privilege", message, "Grant it, or enter another user.") from None
    except psycopg.Error as error:
        raise SparkProblem("refused_rows", f"The database refused it: {_said(error)}", "Nothing was changed.") from None


def _said(error: psycopg.Error) -> str:
    return (error.diag.message_primary or str(error))[:500]


def _make_ledger(connection: psycopg.Connection[Any], target: ToPostgresql) -> None:
    made = sql.SQL(
        "CREATE TABLE IF NOT EXISTS {} (run_id text PRIMARY KEY, rows bigint, delivered_at timestamptz DEFAULT now())"
    )
    try:
        connection.execute(made.format(_name(target, LEDGER)))
    except (UniqueViolation, DuplicateTable):
        return  # somebody else made it at the same moment


def _make_table(connection: psycopg.Connection[Any], target: ToPostgresql, result: results.Result) -> None:
    columns = [sql.SQL("{} {}").format(sql.Identifier(c["name"]), sql.SQL(_type(c["type"]))) for c in result.columns]
    if target.mode == "upsert":
        columns.append(sql.SQL("PRIMARY KEY ({})").format(_listed(target.keys)))
    made = sql.SQL("CREATE TABLE IF NOT EXISTS {} ({})")
    connection.execute(made.format(_name(target, target.table), sql.SQL(", ").join(columns)))


def _type(spark: str) -> str:
    if spark.startswith("decimal("):
        return f"numeric{spark.removeprefix('decimal')}"
    return "jsonb" if spark.startswith(NESTED) else TYPES.get(spark, "text")


def _upsert(
    connection: psycopg.Connection[Any], target: ToPostgresql, result: results.Result, context: Context
) -> None:
    """By way of a table that nobody else sees. Columns that the rows do not have stay as they are."""
    there, names = _name(target, target.table), result.names
    absent = [key for key in target.keys if key not in names]
    if absent:
        raise SparkProblem("key_absent", f"The rows have no column {absent[0]} to upsert by.", "Choose other keys.")
    coming = sql.Identifier("bailiwick_coming")
    connection.execute(
        sql.SQL("CREATE TEMP TABLE {} ON COMMIT DROP AS SELECT {} FROM {} WITH NO DATA").format(
            coming, _listed(names), there
        )
    )
    _copy(connection, coming, names, result, context)
    keys = _listed(target.keys)
    twice = sql.SQL("SELECT {k}, count(*) FROM {c} GROUP BY {k} HAVING count(*) > 1 LIMIT 1").format(k=keys, c=coming)
    bad = connection.execute(twice).fetchone()
    if bad is not None:
        shown = ", ".join(f"{key} = {value}" for key, value in zip(target.keys, bad, strict=False))
        fix = "Keep one row a key, or choose more keys."
        raise SparkProblem("key_twice", f"The key {shown} occurs {bad[-1]} times in the rows.", fix)
    connection.execute(sql.SQL("LOCK TABLE {} IN SHARE ROW EXCLUSIVE MODE").format(there))
    same = sql.SQL(" AND ").join(sql.SQL("t.{k} = c.{k}").format(k=sql.Identifier(key)) for key in target.keys)
    others = [name for name in names if name not in target.keys]
    if others:
        values = sql.SQL(", ").join(sql.SQL("{n} = c.{n}").format(n=sql.Identifier(name)) for name in others)
        connection.execute(sql.SQL("UPDATE {} AS t SET {} FROM {} AS c WHERE {}").format(there, values, coming, same))
    connection.execute(
        sql.SQL(
            "INSERT INTO {t} ({n}) SELECT {n} FROM {c} AS c WHERE NOT EXISTS (SELECT FROM {t} AS t WHERE {s})"
        ).format(t=there, n=_listed(names), c=coming, s=same)
    )


def _copy(
    connection: psycopg.Connection[Any],
    into: sql.Composable,
    names: Sequence[str],
    result: results.Result,
    context: Context,
) -> None:
    copying = sql.SQL("COPY {} ({}) FROM STDIN").format(into, _listed(names))
    done = 0
    with connection.cursor() as cursor, cursor.copy(copying) as copy:
        for batch in results.batches(result):
            context.check()
            columns = [column.to_pylist() for column in batch.columns]
            for row in zip(*columns, strict=True):
                copy.write_row([_sent(value) for value in row])
            done += batch.num_rows
            context.progress(rows_written=done)


def _sent(value: Any) -> Any:
    if isinstance(value, (Mapping, list, tuple)):
        return json.dumps(results.plain(value), ensure_ascii=False)
    if isinstance(value, str) and "\0" in value:
        raise SparkProblem("nul", "PostgreSQL takes no text with the character NUL in it.", "Leave it out, in a query.")
    return value


def _listed(names: Sequence[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, names))


def _name(target: ToPostgresql, table: str) -> sql.Identifier:
    return sql.Identifier(target.schema, table)


def _regclass(target: ToPostgresql, table: str) -> str:
    return ".".join('"' + part.replace('"', '""') + '"' for part in (target.schema, table))
