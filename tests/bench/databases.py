"""Databases for the benches: SQLite files and a PostgreSQL server on a real disk, gone when the bench is done."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

from sqlalchemy import URL, make_url

from bailiwick.database.engine import Database, make_engine
from tests import postgres
from tests.conftest import GIVEN_SERVER, migrate_at

BACKENDS = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}

# What a test run leaves out, and what PostgreSQL's default takes for a spinning disk.
DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}
SOLID_STATE = {"random_page_cost": "1.1"}

NewDatabase = Callable[[str], Database]


@contextmanager
def databases(*, migrated: bool = False, durable: bool = False) -> Iterator[NewDatabase]:
    """Makes databases by the name of their backend; durable ones wait for the disk, as they do in earnest."""
    folder = Path(tempfile.mkdtemp(prefix="bw-"))
    folder.chmod(0o755)  # Run by root, PostgreSQL is another user, who has to get in.
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        stack.callback(postgres.stop_server, folder)

        @cache  # started when it is first asked for
        def server() -> URL:
            if GIVEN_SERVER:
                return make_url(GIVEN_SERVER)
            url = make_url(postgres.server_url(folder, os.getpid()))
            configure(url, DURABLE | SOLID_STATE if durable else SOLID_STATE)
            return url

        def new(backend: str) -> Database:
            if backend == "sqlite":
                url = URL.create("sqlite", database=str(folder / f"{secrets.token_hex(4)}.db"))
            else:
                url = stack.enter_context(postgres.new_database(server(), "template1"))
            if migrated:
                migrate_at(url)
            database = Database(make_engine(url.render_as_string(hide_password=False)))
            stack.callback(database.close)
            return database

        yield new


def settle(database: Database) -> None:
    """What PostgreSQL does by itself within a minute or two of so many new rows."""
    if database.engine.dialect.name == "postgresql":
        with database.engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
            connection.exec_driver_sql("VACUUM ANALYZE")


def configure(server: URL, settings: Mapping[str, str]) -> None:
    for name, value in settings.items():
        postgres.execute(server, f"ALTER SYSTEM SET {name} = {value}")
    postgres.execute(server, "SELECT pg_reload_conf()")
