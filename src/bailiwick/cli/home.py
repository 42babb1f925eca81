"""The home folder as the local commands find it: its database, its first owner, and who is running on it."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bailiwick.cli.failures import Failure

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from bailiwick.database.engine import Database
    from bailiwick.settings import Settings

LOCK_FILE = "up.lock"


@contextmanager
def opened_database(settings: Settings) -> Iterator[Database]:
    """The platform's database, brought to this version's shape."""
    import bailiwick.models  # noqa: F401 - a table alone does not know the types of what it refers to
    from bailiwick.database import migrate
    from bailiwick.database.engine import open_database

    database = open_database(settings)
    try:
        migrate.upgrade(database.engine)
        yield database
    finally:
        database.close()


@contextmanager
def existing_database(settings: Settings) -> Iterator[Database]:
    """The database as it is, for commands that only look at it."""
    from sqlalchemy import make_url

    import bailiwick.models  # noqa: F401 - a table alone does not know the types of what it refers to
    from bailiwick.database import migrate
    from bailiwick.database.engine import open_database

    address = make_url(settings.database_url)
    if address.get_backend_name() == "sqlite" and not Path(address.database or "").is_file():
        raise Failure(f"There is no database at {address.database}.", "Is BAILIWICK_HOME right? Else: bailiwick init")
    database = open_database(settings)
    try:
        if not migrate.is_current(database.engine):
            raise Failure("The database is of another version.", "Start this version once with: bailiwick up")
        yield database
    finally:
        database.close()


def has_tenant(session: Session) -> bool:
    from bailiwick.tenancy.models import Tenant

    return session.get(Tenant, 1) is not None


def require_tenant(database: Database) -> None:
    """Refuse to start a platform that nobody can sign in to."""
    with database.read() as session:
        if not has_tenant(session):
            raise Failure("There is no owner here yet.", "Make the first one with: bailiwick init", "Not initialised")


@contextmanager
def running_alone(settings: Settings) -> Iterator[None]:
    """Hold the home folder's lock, which the operating system frees however this process ends."""
    settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (settings.home / LOCK_FILE).open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            who = running_on(settings)
            raise Failure(
                f"Bailiwick is running on {settings.home} already: process {who.get('process', 'unknown')}, "
                f"at {who.get('address', 'an unknown address')}.",
                "Stop that one first, or choose another home folder.",
                "Already running",
            ) from None
        file.truncate(0)
        file.write(json.dumps({"process": os.getpid(), "address": settings.public_url, "port": settings.port}))
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)


def running_on(settings: Settings) -> dict[str, Any]:
    """The process that runs on this home folder, and its address; nothing where none does."""
    try:
        with (settings.home / LOCK_FILE).open() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                return {}
            except BlockingIOError:
                found: dict[str, Any] = json.loads(file.read() or "{}")
                return found
    except (OSError, ValueError):
        return {}
