"""Lists in the order of names: what every list of people and groups asks of the database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, TypeVar
from uuid import UUID

from fastapi import Query
from sqlalchemy import ColumnElement, Select, or_, tuple_
from sqlalchemy.orm import InstrumentedAttribute, Session

from bailiwick.database.paging import MOST_ROWS, Page, page_of, read_cursor
from bailiwick.errors import Invalid

T = TypeVar("T")
# No control characters, line ends or marks that turn text around: they hide in names, and PostgreSQL takes no NUL.
PLAIN = r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*$"

Cursor = Annotated[
    str | None, Query(max_length=2000, description="`next_cursor` of the page before; none for the first page.")
]
Limit = Annotated[int, Query(ge=1, le=MOST_ROWS, description="How many at most.")]
Search = Annotated[str | None, Query(min_length=1, max_length=200, pattern=PLAIN)]


def page_by_name(
    session: Session,
    statement: Select[T],
    name: InstrumentedAttribute[str],
    id_: InstrumentedAttribute[UUID],
    cursor: str | None,
    limit: int,
) -> Page[T]:
    """One page, ordered by name and then id; it costs the same however far down it is."""
    last = read_cursor(cursor, 2)
    if last is not None:
        statement = statement.where(tuple_(name, id_) > position(last))
    rows: Sequence[Any] = session.scalars(statement.order_by(name, id_).limit(limit + 1)).all()
    return page_of(rows, limit, lambda row: (row.name, str(row.id)))


def has_in_name(name: InstrumentedAttribute[str], wanted: str) -> ColumnElement[bool]:
    """Whether the name contains it, in whatever case. SQLite knows only the case of ASCII letters, so beyond them a
    name's usual capitals are tried too: “änne” finds Änne."""
    variants = {wanted} if wanted.isascii() else {wanted, wanted.title()}
    return or_(*(name.icontains(variant, autoescape=True) for variant in sorted(variants)))


def position(last: tuple[str, ...]) -> tuple[str, UUID]:
    """Where a cursor stands in a list by name."""
    try:
        last[0].encode()
        if "\0" in last[0]:
            raise ValueError
        return last[0], UUID(last[1])
    except ValueError as error:
        fix = "Leave it out to start from the beginning."
        raise Invalid("cursor", "This is not a cursor of this list.", fix) from error
