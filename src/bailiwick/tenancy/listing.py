"""Lists by name, or in another order: what every list of people, groups and projects asks of the database."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from string import ascii_uppercase
from typing import Annotated, Any, Literal, TypeVar
from uuid import UUID

from fastapi import Query
from sqlalchemy import Boolean, ColumnElement, UnaryExpression, or_, select, true, tuple_, union
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import InstrumentedAttribute, Session
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import GenericFunction

from bailiwick.database.base import Named
from bailiwick.database.paging import MOST_ROWS, Page, not_a_cursor, page_of, read_cursor

# No control characters, line ends or marks that turn text around: they hide in names, and PostgreSQL takes no NUL.
PLAIN = r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*$"
# The same for texts of several lines, which may hold tabs too. A return without its line end would write over a line.
LINES = r"^([^\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]|\r\n)*$"

Cursor = Annotated[
    str | None, Query(max_length=2000, description="`next_cursor` of the page before; none for the first page.")
]
Limit = Annotated[int, Query(ge=1, le=MOST_ROWS, description="How many at most.")]
Search = Annotated[str | None, Query(min_length=1, max_length=200, pattern=PLAIN)]
Sort = Annotated[Literal["name", "-name"], Query(description="In which order: by name, or from its end.")]
MemberSort = Annotated[
    Literal["name", "-name", "joined", "-joined"],
    Query(
        description="In which order: by name, or by when they joined; with `-` from its end. "
        "Who has not joined comes first in `joined`, and last in `-joined`."
    ),
]
TableSort = Annotated[
    Literal["name", "-name", "changed", "-changed"],
    Query(
        description="In which order: by name, or by when the data last changed; with `-` from its end. "
        "What never changed comes first in `changed`, and last in `-changed`."
    ),
]
BY_NAME = "name"
ATTRIBUTES = {BY_NAME: "name", "changed": "changed_at", "joined": "joined_at"}
SMALL = {ord(letter): letter.lower() for letter in ascii_uppercase}  # as SQLite knows small letters
EVER = datetime.min.replace(tzinfo=UTC)

Kind = TypeVar("Kind", bound=Named)
Conditions = Sequence[ColumnElement[bool]]


@dataclass(frozen=True)
class Order:
    """In which order a list is read, from either end; what is equal in it is ordered by id. Its cursors are good for
    no other order."""

    sort: str = BY_NAME

    @property
    def backwards(self) -> bool:
        return self.sort.startswith("-")

    @property
    def attribute(self) -> str:
        return ATTRIBUTES[self.sort.removeprefix("-")]

    @property
    def by_name(self) -> bool:
        return self.attribute == "name"

    def stretches(self, thing: type[Named], cursor: str | None) -> list[Conditions]:
        """What comes after the cursor, as conditions. Where a moment can be missing there are two stretches, with and
        without it: databases differ in where nothing stands, and compare it with nothing."""
        column, last = self._column(thing), self._position(cursor)
        after_last = [] if last is None else [self._beyond(tuple_(column, thing.id), last)]
        if self.by_name:
            return [after_last]
        dated: Conditions = [column >= EVER]
        undated: list[ColumnElement[bool]] = [column.is_(None)]
        if last is None:
            return [dated, undated]
        if last[0] is not None:
            return [after_last, undated] if self.backwards else [after_last]
        undated.append(self._beyond(thing.id, last[1]))
        return [undated] if self.backwards else [undated, dated]

    def within(self, thing: type[Named]) -> list[UnaryExpression[Any]]:
        """The order of a stretch, as an index has it."""
        return [part.desc() if self.backwards else part.asc() for part in (self._column(thing), thing.id)]

    def over_all(self, thing: type[Named]) -> list[UnaryExpression[Any]]:
        """The order of several stretches."""
        first, second = self.within(thing)
        return [first if self.by_name else first.nulls_last() if self.backwards else first.nulls_first(), second]

    def page(self, rows: Sequence[Kind], limit: int) -> Page[Kind]:
        return page_of(rows, limit, self._key)

    def _key(self, row: Named) -> tuple[str, ...]:
        if self.sort == BY_NAME:
            return row.name, str(row.id)
        value = getattr(row, self.attribute) or ""
        return self.sort, value.isoformat() if isinstance(value, datetime) else value, str(row.id)

    def _column(self, thing: type[Named]) -> InstrumentedAttribute[Any]:
        column: InstrumentedAttribute[Any] = getattr(thing, self.attribute)
        return column

    def _beyond(self, key: ColumnElement[Any] | InstrumentedAttribute[UUID], last: object) -> ColumnElement[bool]:
        return key < last if self.backwards else key > last

    def _position(self, cursor: str | None) -> tuple[Any, UUID] | None:
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
            return value if self.by_name else _moment(value), UUID(id_)
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
    if ways is None and order.by_name:
        (beyond,) = order.stretches(kind, cursor)
        found = select(kind).where(*filters, *beyond).order_by(*order.within(kind)).limit(limit + 1)
        return order.page(session.scalars(found).all(), limit)
    looked_at = [(kind, way) for way in ([true()] if ways is None else ways)]
    return page_merged(session, kind, order, cursor, limit, looked_at, lambda _: filters)


def page_merged(
    session: Session,
    kind: type[Kind],
    order: Order,
    cursor: str | None,
    limit: int,
    looked_at: Sequence[tuple[type[Kind], ColumnElement[bool]]],
    fits: Callable[[type[Kind]], Conditions],
) -> Page[Kind]:
    """One page of what is looked at, each under a condition of its own, and fits."""
    pages = [
        select(thing.id).where(way, *fits(thing), *beyond).order_by(*order.within(thing)).limit(limit + 1).subquery()
        for thing, way in looked_at
        for beyond in order.stretches(thing, cursor)
    ]
    if not pages:
        order.stretches(kind, cursor)
        return Page([])
    merged = union(*(select(page) for page in pages)).subquery()
    found = select(kind).join(merged, merged.c.id == kind.id).order_by(*order.over_all(kind)).limit(limit + 1)
    return order.page(session.scalars(found).all(), limit)


def has_in_name(name: InstrumentedAttribute[str], wanted: str) -> ColumnElement[bool]:
    """Whether the name contains it, in whatever case. SQLite knows only the case of ASCII letters, so beyond them a
    name's usual capitals are tried too: “änne” finds Änne."""
    variants = {wanted} if wanted.isascii() else {wanted, wanted.title()}
    return or_(*(name.icontains(variant, autoescape=True) for variant in sorted(variants)))


def has_in_small(text: Any, wanted: str) -> ColumnElement[bool]:
    """The same of what the database keeps in small letters, which is compared as it is: several times as fast."""
    return or_(*(holds(text, variant) for variant in in_small(wanted)))


def in_small(wanted: str) -> list[str]:
    """How a database may keep it in small letters: İ as two, as i or as it is, Σ at an end as ς or not. SQLite knows
    only the case of ASCII letters, so beyond them a name's usual capitals are there too. Of ASCII there is one way."""
    if wanted.isascii():
        return [wanted.lower()]
    letter_by_letter = "".join(letter.lower()[0] for letter in wanted)
    return sorted({wanted.lower(), letter_by_letter, wanted.translate(SMALL), wanted.title().translate(SMALL)})


class holds(GenericFunction[bool]):
    """Whether a text holds another, letter by letter. PostgreSQL takes a pattern for rarer than it is and then reads
    whole rows, where the index alone would do."""

    type = Boolean()
    inherit_cache = True


@compiles(holds)
def _holds(element: holds, compiler: SQLCompiler, **options: Any) -> str:
    place = "strpos" if compiler.dialect.name == "postgresql" else "instr"
    return f"{place}({compiler.process(element.clauses, **options)}) > 0"
