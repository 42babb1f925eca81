"""Lists by name, or in another order, page by page, and searches in them: what every list asks of the database."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from string import ascii_uppercase
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import Boolean, ColumnElement, UnaryExpression, inspect, or_, select, true, tuple_, union
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import InstrumentedAttribute, Session
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import GenericFunction

from bailiwick.database.base import Named
from bailiwick.database.paging import Page, not_a_cursor, page_of, read_cursor

BY_NAME, OLDEST, NEWEST = "name", "created", "-created"
ATTRIBUTES = {
    **{BY_NAME: "name", "changed": "changed_at", "joined": "joined_at", "fired": "last_fired_at", "next": "next_at"},
    **{"seen": "last_seen_at", "used": "last_used_at"},
    "created": "id",  # ids grow with time
}
ALWAYS_THERE = ("id", "name")
SMALL = {ord(letter): letter.lower() for letter in ascii_uppercase}  # as SQLite knows small letters
EVER = datetime.min.replace(tzinfo=UTC)

Row = TypeVar("Row")
Kind = TypeVar("Kind", bound=Named)
Conditions = Sequence[ColumnElement[bool]]


@dataclass(frozen=True)
class Order:
    """In which order a list is read, from either end; what is equal in it is ordered by id, and where there is no
    moment, it comes last in either. Its cursors are good for no other order."""

    sort: str = BY_NAME

    @property
    def backwards(self) -> bool:
        return self.sort.startswith("-")

    @property
    def attribute(self) -> str:
        return ATTRIBUTES[self.sort.removeprefix("-")]

    def column(self, thing: Any) -> ColumnElement[Any]:
        """By what it is ordered, of anything that has such a column."""
        column: ColumnElement[Any] = getattr(thing, self.attribute)
        return column

    def stretches(self, thing: Any, cursor: str | None) -> list[Conditions]:
        """What comes after the cursor, as conditions. Where a moment can be missing there are two stretches, with and
        without it: databases differ in where nothing stands, and compare it with nothing."""
        column, last = self.column(thing), self.position(cursor)
        key = thing.id if self.attribute == "id" else tuple_(column, thing.id)
        after_last = [] if last is None else [self._beyond(key, last[1] if self.attribute == "id" else last)]
        if self.attribute in ALWAYS_THERE:
            return [after_last]
        dated: Conditions = [column >= EVER]
        undated: list[ColumnElement[bool]] = [column.is_(None)]
        if last is None:
            return [dated, undated]
        if last[0] is not None:
            return [after_last, undated]
        undated.append(self._beyond(thing.id, last[1]))
        return [undated]

    def within(self, thing: Any) -> list[UnaryExpression[Any]]:
        """The order of a stretch, as an index has it."""
        parts = [thing.id] if self.attribute == "id" else [self.column(thing), thing.id]
        return [part.desc() if self.backwards else part.asc() for part in parts]

    def over_all(self, value: ColumnElement[Any], id_: ColumnElement[UUID]) -> list[UnaryExpression[Any]]:
        """The order of several stretches."""
        first, second = (part.desc() if self.backwards else part.asc() for part in (value, id_))
        return [first if self.attribute in ALWAYS_THERE else first.nulls_last(), second]

    def key(self, value: Any, id_: UUID | str) -> tuple[str, ...]:
        """Where a row stands, for a cursor."""
        if self.sort == BY_NAME:
            return value, str(id_)
        return self.sort, value.isoformat() if isinstance(value, datetime) else str(value or ""), str(id_)

    def _beyond(self, key: Any, last: object) -> ColumnElement[bool]:
        beyond: ColumnElement[bool] = key < last if self.backwards else key > last
        return beyond

    def position(self, cursor: str | None) -> tuple[Any, UUID] | None:
        """Where a cursor stands in this order."""
        key = read_cursor(cursor, 2 if self.sort == BY_NAME else 3)
        if key is None:
            return None
        *order, value, id_ = key
        if order not in ([], [self.sort]):
            raise not_a_cursor()
        try:
            value.encode()
            if "\0" in value:
                raise ValueError
            return value if self.attribute in ALWAYS_THERE else _moment(value), UUID(id_)
        except (ValueError, OverflowError) as error:
            raise not_a_cursor() from error


def _moment(text: str) -> datetime | None:
    return datetime.fromisoformat(text).astimezone(UTC) if text else None


def page_by_name(
    session: Session,
    kind: type[Kind],
    cursor: str | None,
    limit: int,
    *filters: ColumnElement[bool],
    ways: Conditions | None = None,
    sort: str = BY_NAME,
) -> Page[Kind]:
    """One page, by name unless another order is asked for, of those that every filter lets through and, where ways are
    given, to which one of them leads; it costs the same however far down it is.

    Each way is an ordered, limited sub-query of its own, and they are merged. A single condition with the ways joined
    by OR would make the database walk through everything that is on no way."""
    order = Order(sort)
    if ways is None and order.attribute == "name":
        (beyond,) = order.stretches(kind, cursor)
        found = select(kind).where(*filters, *beyond).order_by(*order.within(kind)).limit(limit + 1)
        return page_of(session.scalars(found).all(), limit, lambda row: order.key(row.name, row.id))
    looked_at = [(kind, way) for way in ([true()] if ways is None else ways)]
    return page_merged(session, kind, order, cursor, limit, looked_at, lambda _: filters)


def page_merged(
    session: Session,
    kind: type[Row],
    order: Order,
    cursor: str | None,
    limit: int,
    looked_at: Sequence[tuple[Any, ColumnElement[bool]]],
    fits: Callable[[Any], Conditions] = lambda _: (),
) -> Page[Row]:
    """One page of what is looked at, each under a condition of its own, and fits. What is looked at has the columns
    that it is ordered by: the kind itself, an alias, or the kind's id beside columns of another table."""
    order.position(cursor)
    pages = [
        select(thing.id.label("id"), order.column(thing).label("value"))
        .where(way, *fits(thing), *beyond)
        .order_by(*order.within(thing))
        .limit(limit + 1)
        .subquery()
        for thing, way in looked_at
        for beyond in order.stretches(thing, cursor)
    ]
    if not pages:
        return Page([])
    merged = union(*(select(page) for page in pages)).subquery()
    at = order.over_all(merged.c.value, merged.c.id)
    found = select(kind, merged.c.value).join(merged, merged.c.id == inspect(kind).c.id).order_by(*at).limit(limit + 1)
    page = page_of(session.execute(found).all(), limit, lambda row: order.key(row.value, row[0].id))
    return Page([row[0] for row in page.items], page.next_cursor)


def has_in_name(name: ColumnElement[str] | InstrumentedAttribute[str], wanted: str) -> ColumnElement[bool]:
    """Whether the name contains it, in whatever case. SQLite knows only the case of ASCII letters, so beyond them the
    usual ones are tried too: “änne” finds Änne and ÄNNE, and they find it."""
    variants = {wanted} if wanted.isascii() else {wanted, wanted.lower(), wanted.title(), wanted.upper()}
    return or_(*(name.icontains(variant, autoescape=True) for variant in sorted(variants)))


def has_in_small(text: Any, wanted: str) -> ColumnElement[bool]:
    """The same of what the database keeps in small letters, which is compared as it is: several times as fast."""
    return or_(*(holds(text, variant) for variant in in_small(wanted)))


def in_small(wanted: str) -> list[str]:
    """How a database may keep it in small letters: İ as two, as i or as it is, Σ at an end as ς or not. SQLite knows
    only the case of ASCII letters, so beyond them the usual capitals are there too. Of ASCII there is one way."""
    if wanted.isascii():
        return [wanted.lower()]
    letter_by_letter = "".join(letter.lower()[0] for letter in wanted)
    capitals = (wanted, wanted.title(), wanted.upper())
    return sorted({wanted.lower(), letter_by_letter, *(text.translate(SMALL) for text in capitals)})


class holds(GenericFunction[bool]):
    """Whether a text holds another, letter by letter. PostgreSQL takes a pattern for rarer than it is and then reads
    whole rows, where the index alone would do."""

    type = Boolean()
    inherit_cache = True


@compiles(holds)
def _holds(element: holds, compiler: SQLCompiler, **options: Any) -> str:
    place = "strpos" if compiler.dialect.name == "postgresql" else "instr"
    return f"{place}({compiler.process(element.clauses, **options)}) > 0"
