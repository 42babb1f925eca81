"""Bringing a database to the shape this version of the platform expects, one start at a time."""

from collections.abc import Iterator
from contextlib import contextmanager

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text

from bailiwick.database.engine import read_only, saying_when_unavailable

SCRIPTS = "bailiwick.database:migrations"
LOCK = 8_765_001  # Any number, the same in every version.
LONG_WAIT_MILLISECONDS = 600_000


class MigrationError(Exception):
    """The database cannot be brought to this version's shape; the message says why."""


def upgrade(engine: Engine) -> None:
    """Run the migrations that are missing, in one transaction: all of them, or none."""
    with saying_when_unavailable(), _alone(engine) as connection:
        _refuse_unknown(connection)
        command.upgrade(_config(connection), "head")
        if connection.dialect.name == "sqlite" and (
            broken := connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        ):
            raise MigrationError(
                f"A migration would leave rows of {broken[0]} pointing to missing rows of {broken[2]}."
            )


def is_current(engine: Engine) -> bool:
    """Whether nothing is left to migrate; a database from a newer version is an error."""
    with saying_when_unavailable(), read_only(engine).connect() as connection:
        _refuse_unknown(connection)
        return _applied(connection) == set(ScriptDirectory.from_config(_config()).get_heads())


def check(engine: Engine) -> None:
    """Raise if the models and the migrated database differ."""
    with engine.connect() as connection:
        command.check(_config(connection))


@contextmanager
def _alone(engine: Engine) -> Iterator[Connection]:
    """A transaction that a second start waits for before it begins its own."""
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            # SQLite changes many tables by rebuilding them, and dropping the old one would delete the rows that
            # refer to it. So references are not enforced on this connection, which is closed afterwards, but checked
            # at the end. Its write lock is the lock; a migration may take longer than an ordinary write.
            connection.detach()
            driver = connection.connection.dbapi_connection
            assert driver is not None
            driver.execute("PRAGMA foreign_keys = OFF")
            driver.execute(f"PRAGMA busy_timeout = {LONG_WAIT_MILLISECONDS}")
            with connection.begin():
                yield connection
        else:
            with connection.begin():
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
                yield connection


def _config(connection: Connection | None = None) -> Config:
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", SCRIPTS)
    return config


def _applied(connection: Connection) -> set[str]:
    return set(MigrationContext.configure(connection).get_current_heads())


def _refuse_unknown(connection: Connection) -> None:
    known = {revision.revision for revision in ScriptDirectory.from_config(_config()).walk_revisions()}
    if unknown := _applied(connection) - known:
        raise MigrationError(
            f"The database is at {', '.join(sorted(unknown))}, which this version of Bailiwick does not know: "
            "a newer version made it. Install that version, or restore a backup made before the upgrade."
        )
