"""Databases for the benches: SQLite files and a PostgreSQL server on a real disk, gone when the bench is done."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from sqlalchemy import URL, make_url

from bailiwick.database.engine import Database, make_engine
from tests import postgres
from tests.conftest import GIVEN_SERVER, migrate_at

BACKENDS = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}

NewDatabase = Callable[[str], Database]


@contextmanager
def databases(*, migrated: bool = False, durable: bool = False) -> Iterator[NewDatabase]:
    """Makes databases by the name of their backend; durable ones wait for the disk, as they do in earnest."""
    folder = Path(tempfile.mkdtemp(prefix="bw-"))
    folder.chmod(0o755)  # Run by root, PostgreSQL is another user, who has to get in.
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        stack.callback(postgres.stop_server, folder)
        server = make_url(GIVEN_SERVER or postgres.server_url(folder, os.getpid()))
        if durable and not GIVEN_SERVER:
            for setting in ("fsync", "synchronous_commit", "full_page_writes"):
                postgres.execute(server, f"ALTER SYSTEM SET {setting} = on")
            postgres.execute(server, "SELECT pg_reload_conf()")

        def new(backend: str) -> Database:
            if backend == "sqlite":
                url = URL.create("sqlite", database=str(folder / f"{secrets.token_hex(4)}.db"))
            else:
                url = stack.enter_context(postgres.new_database(server, "template1"))
            if migrated:
                migrate_at(url)
            database = Database(make_engine(url.render_as_string(hide_password=False)))
            stack.callback(database.close)
            return database

        yield new
