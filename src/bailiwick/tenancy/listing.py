"""Lists in the order of names: what every list of people, groups and projects asks of the database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, TypeVar
from uuid import UUID

from fastapi import Query
from sqlalchemy import ColumnElement, or_, select, tuple_, union
from sqlalchemy.orm import InstrumentedAttribute, Session

from bailiwick.database.base import Named
from bailiwick.database.paging import MOST_ROWS, Page, page_of, read_cursor
from bailiwick.errors import Invalid

# No control characters, line ends or marks that turn text around: they hide in names, and PostgreSQL takes no NUL.
PLAIN = r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*$"

Cursor = Annotated[
    str | None, Query(max_length=2000, description="`next_cursor` of the page before; none for the first page.")
]
Limit = Annotated[int, Query(ge=1, le=MOST_ROWS, description="How many at most.")]
Search = Annotated[str | None, Query(min_length=1, max_length=200, pattern=PLAIN)]


Kind = TypeVar("Kind", bound=Named)


def page_by_name(
    session: Session,
    kind: type[Kind],
    cursor: str | None,
    limit: int,
    *filters: ColumnElement[bool],
    ways: Sequence[ColumnElement[bool]] | None = None,
) -> Page[Kind]:
    """One page, ordered by name and then id, of those that every filter lets through and, where ways are given, to
    which one of them leads; it costs the same however far down it is.

    Each way is an ordered, limited sub-query of its own, and they are merged. A single condition with the ways joined
    by OR would make the database walk through everything that is on no way."""
    order = (kind.name, kind.id)
    last = read_cursor(cursor, 2)
    wanted = [*filters, tuple_(*order) > position(last)] if last else list(filters)
    if ways is None:
        found = select(kind).where(*wanted)
    elif not ways:
        return Page([])
    else:
        pages = [select(*order).where(way, *wanted).order_by(*order).limit(limit + 1).subquery() for way in ways]
        merged = union(*(select(page) for page in pages)).subquery()
        found = select(kind).join(merged, merged.c.id == kind.id)
    rows = session.scalars(found.order_by(*order).limit(limit + 1)).all()
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
