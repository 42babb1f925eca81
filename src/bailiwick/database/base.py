"""What every table shares: constraint names, time-ordered ids, times in UTC and encrypted text."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, ClassVar
from uuid import UUID

from sqlalchemy import ColumnElement, Computed, DateTime, Dialect, MetaData, String, Text, Uuid, update
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, declared_attr, mapped_column
from sqlalchemy.types import TypeDecorator
from uuid_utils.compat import uuid7

from bailiwick.database import encryption

TICK = timedelta(milliseconds=1)


_pretended: ContextVar[datetime | None] = ContextVar("pretended moment", default=None)


def new_id() -> UUID:
    """A UUID of version 7: later ids sort after earlier ones, so indexes grow at one end."""
    pretended = _pretended.get()
    if pretended is None:
        return uuid7()
    _pretended.set(pretended + TICK)  # so that ids made in one pretended moment keep their order
    return uuid7(nanoseconds=int(pretended.timestamp() * 1000) * 1_000_000)


def first_id_at(moment: datetime) -> UUID:
    """Before every id made at this moment or later, after every earlier one: what is kept by id is found by time."""
    return UUID(int=max(0, int(moment.timestamp() * 1000)) << 80)


def utc_now() -> datetime:
    """This moment, in UTC and aware of it."""
    return _pretended.get() or datetime.now(UTC)


@contextmanager
def pretending(moment: datetime) -> Iterator[None]:
    """Let new rows be made at another moment: for a company with a past, and for tests of what expires."""
    before = _pretended.set(moment)
    try:
        yield
    finally:
        _pretended.reset(before)


class UtcDateTime(TypeDecorator[datetime]):
    """A moment. Refuses times without a zone, and always comes back in UTC, on either database."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.utcoffset() is None:
            raise ValueError(f"A time needs its zone, and {value.isoformat()} has none: use utc_now()")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        # SQLite keeps no zone; what went in was UTC.
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Encrypted(TypeDecorator[str]):
    """Text that is encrypted at rest, with the key chosen at start-up; it cannot be searched for."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else encryption.encrypt(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else encryption.decrypt(value)


Id = Annotated[UUID, mapped_column(Uuid, primary_key=True, default=new_id)]


class Base(DeclarativeBase):
    """The parent of every table."""

    # Named constraints, because SQLite migrations can only change what has a name.
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar[dict[Any, Any]] = {datetime: UtcDateTime, UUID: Uuid}


class Versioned:
    """A row that notices when two changes meet: the second one finds another version and fails."""

    version: Mapped[int]

    @declared_attr.directive
    @classmethod
    def __mapper_args__(cls) -> dict[str, Any]:
        # What the database makes of other columns is left to it: read along after writing, it could be written back.
        return {"version_id_col": cls.version, "eager_defaults": False}


def observe(session: Session, kind: type[Any], id_: UUID, *unless_late: ColumnElement[bool], **facts: object) -> None:
    """Write down what the platform saw of a row, past its version, which counts what people change: who edits something
    that is at work all the time is not told each time that somebody was faster."""
    session.execute(update(kind).where(kind.id == id_, *unless_late).values(**facts))


# Sorted by its letters' codes on either database, so that what begins alike stands together.
SortedByCode = Text().with_variant(Text(collation="C"), "postgresql")


class Sought:
    """A row that is searched for by its name, which the database keeps in small letters for that: whatever its capitals
    and however the database sorts, the very name that somebody typed comes first of all that begin so."""

    sought: Mapped[str] = mapped_column(SortedByCode, Computed("lower(name)"), deferred=True)


class Named:
    """A row that is listed by its name."""

    id: Mapped[Id]
    name: Mapped[str] = mapped_column(String(200))
