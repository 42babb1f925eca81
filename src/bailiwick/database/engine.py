"""The engine and its transactions, with the same promises on SQLite and PostgreSQL."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoFreeConnection
from sqlalchemy.orm import Session, sessionmaker

from bailiwick.database import encryption
from bailiwick.settings import Settings

WAIT_SECONDS = 10
READ_ONLY = "bailiwick_read_only"

# What a database says when it cannot answer now, in distinction to a mistake in a statement.
UNAVAILABLE_SQLITE = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
}
AT_THE_SAME_MOMENT = ("40001", "40P01")  # two that waited for each other, and this one lost
UNAVAILABLE_POSTGRES = ("08", "40", "53", "57P", "55P03")

# A server that vanishes without a word, host and all: noticed as soon as one that turns callers away, not after the
# quarter of an hour that TCP would wait.
WITHOUT_A_WORD = {
    "tcp_user_timeout": WAIT_SECONDS * 1000,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
}


class DatabaseUnavailable(Exception):
    """The database cannot be reached or is too busy; the same request may succeed a little later."""


class Database:
    """One database: hands out transactions."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._write = sessionmaker(engine, expire_on_commit=False)
        self._read = sessionmaker(read_only(engine), expire_on_commit=False)

    @contextmanager
    def session(self) -> Iterator[Session]:
        """One transaction that may write: committed at the end, rolled back on an exception."""
        with saying_when_unavailable(), self._write.begin() as session:
            yield session

    @contextmanager
    def read(self) -> Iterator[Session]:
        """One transaction that sees a single moment, writes nothing and holds up no writer."""
        with saying_when_unavailable(), self._read() as session:
            yield session

    def is_ready(self) -> bool:
        """Whether the database answers."""
        try:
            with self.read() as session:
                session.execute(text("SELECT 1"))
        except DatabaseUnavailable:
            return False
        return True

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


def open_database(settings: Settings) -> Database:
    """The platform's database, its home folder and its encryption key ready for use."""
    settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    encryption.use_key(settings)
    return Database(make_engine(settings.database_url))


def make_engine(url: str) -> Engine:
    """An engine for SQLite or PostgreSQL."""
    parsed = make_url(url)
    options: dict[str, Any] = {
        "pool_size": 10,
        "max_overflow": 30,
        "pool_timeout": WAIT_SECONDS,
        # Values in a failed statement may be secrets, and failures are logged.
        "hide_parameters": True,
        # There are more kinds of statements than the 500 that are kept by default; forming one anew takes milliseconds.
        "query_cache_size": 5000,
    }
    if parsed.get_backend_name() == "sqlite":
        if parsed.database and parsed.database != ":memory:":
            Path(parsed.database).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        engine = create_engine(parsed, connect_args={"timeout": WAIT_SECONDS}, **options)
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    return create_engine(
        parsed.set(drivername="postgresql+psycopg"),
        connect_args={"connect_timeout": WAIT_SECONDS // 2, "application_name": "bailiwick", **WITHOUT_A_WORD},
        pool_pre_ping=True,
        **options,
    )


def read_only(engine: Engine) -> Engine:
    """The same engine and pool, for transactions that see a single moment and write nothing."""
    if engine.dialect.name == "sqlite":
        return engine.execution_options(**{READ_ONLY: True})
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    # The driver begins no transaction of its own; `_begin_sqlite` does.
    connection.isolation_level = None
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA foreign_keys = ON")


def _begin_sqlite(connection: Connection) -> None:
    # A writer takes its place in the queue at once. Were it to read first and lock later, it would fail in the
    # middle whenever another writer came between, and no waiting would help.
    read_only = bool(connection.get_execution_options().get(READ_ONLY))
    connection.exec_driver_sql(f"PRAGMA query_only = {'ON' if read_only else 'OFF'}")
    connection.exec_driver_sql("BEGIN" if read_only else "BEGIN IMMEDIATE")


@contextmanager
def saying_when_unavailable() -> Iterator[None]:
    """Raise `DatabaseUnavailable` in place of the driver's many ways to say so."""
    try:
        yield
    except NoFreeConnection as error:
        raise DatabaseUnavailable("All database connections are in use.") from error
    except DBAPIError as error:
        if not is_unavailable(error):
            raise
        if getattr(error.orig, "sqlstate", None) in AT_THE_SAME_MOMENT:
            raise DatabaseUnavailable("Another change came at the same moment, so this one was not made.") from error
        raise DatabaseUnavailable("The database cannot be reached or is too busy.") from error


def is_unavailable(error: DBAPIError) -> bool:
    """Whether the database could not answer, in distinction to a mistake in the statement."""
    if error.connection_invalidated:
        return True
    if isinstance(error.orig, sqlite3.OperationalError):
        # The low byte is the kind, the rest the detail.
        return (getattr(error.orig, "sqlite_errorcode", 0) & 0xFF) in UNAVAILABLE_SQLITE
    if type(error.orig).__module__.startswith("psycopg"):
        state: str | None = getattr(error.orig, "sqlstate", None)
        if state is None:  # Never reached the server, or lost it.
            return type(error.orig).__name__ in ("OperationalError", "ConnectionTimeout")
        return state.startswith(UNAVAILABLE_POSTGRES)
    return False
