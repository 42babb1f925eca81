"""How well a name fits what somebody typed: the same, begun so, with a word begun so, or with it somewhere inside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, and_, or_, select, true, union
from sqlalchemy.orm import Session

from bailiwick.database.listing import has_in_small, holds, in_small
from bailiwick.lakehouse.completion import begins as in_range

EXACT, BEGINS, WORD, INSIDE = range(4)
BETWEEN_WORDS = " _-.@"
MANY = 100  # that fit are compared one by one; of more, some are looked for in each way of fitting


@dataclass(frozen=True)
class By:
    """What is compared with what was typed: in small letters, and what begins alike is one stretch of an index, with
    the shortest at its beginning."""

    column: str
    between: str  # what stands between words


IDENTIFIERS = By("name", "_")
SOUGHT = By("sought", BETWEEN_WORDS + "\t")
Source = tuple[Any, ColumnElement[bool]]  # what is read, and on which condition
Condition = Callable[[Any], ColumnElement[bool]]


@dataclass(frozen=True)
class Typed:
    """What somebody typed; of several words, a name has to hold each. Databases differ in what small letters are, so
    that it is kept as it was written."""

    text: str

    @cached_property
    def words(self) -> list[str]:
        return self.text.split()

    def fits(self, name: Any) -> ColumnElement[bool]:
        """Every word is in it."""
        return and_(true(), *(has_in_small(name, word) for word in self.words))

    def begins_a_word(self, between: str) -> Condition:
        signs = [sign + text for text in in_small(self.text) for sign in between]
        return lambda name: or_(*(holds(name, sign) for sign in signs))

    def rank(self, *names: str) -> int:
        """How well the best of these names fits: the lower, the better."""
        return min(self._rank(name.casefold()) for name in names)

    def _rank(self, name: str) -> int:
        text = self.text.casefold()
        if name == text:
            return EXACT
        if name.startswith(text):
            return BEGINS
        return WORD if any(f"{sign}{text}" in name for sign in BETWEEN_WORDS) else INSIDE


def typed(text: str) -> Typed:
    return Typed(" ".join(text.split()))


@dataclass(frozen=True)
class Best:
    """The ids of what fits, the best first; whether that is all of it."""

    ids: Sequence[UUID]
    is_all: bool

    def first(self, few: int) -> Best:
        return Best(self.ids[:few], self.is_all and len(self.ids) <= few)


def best(
    session: Session,
    text: Typed,
    few: int,
    sources: Sequence[Source],
    *,
    by: By = SOUGHT,
) -> Best:
    """What fits best. Every look goes along the names and stops when it has enough, so that neither what fits a great
    many names nor what fits none takes long. Where enough of the names of data begin so, nothing else is looked at."""

    def look(limit: int, condition: Condition) -> list[Any]:
        pages = []
        for kind, way in sources:
            name = getattr(kind, by.column).label("name")
            met = condition(getattr(kind, by.column))
            pages.append(select(name, kind.id).where(met, way).order_by(name, kind.id).limit(limit))
        if len(pages) <= 1:
            return [row for page in pages for row in session.execute(page)]
        merged = union(*(select(page.subquery()) for page in pages)).subquery()
        return list(session.execute(select(merged).order_by(merged.c.name, merged.c.id).limit(limit)))

    def begun(limit: int) -> list[Any]:
        """However it may be kept, each way by itself: only so the very name comes first."""
        return [row for small in in_small(text.text) for row in look(limit, _begins(small))]

    if by is IDENTIFIERS and len(found := begun(few)) >= few:
        return Best(_ranked(text, found), is_all=False)
    found = look(MANY + 1, text.fits)
    if len(found) > MANY:
        found = begun(MANY // 2) + look(MANY // 2, text.begins_a_word(by.between)) + found
    return Best(_ranked(text, found), is_all=len(found) <= MANY)


def _begins(small: str) -> Condition:
    return lambda name: and_(true(), *in_range(name, small))


def _ranked(text: Typed, rows: Sequence[Any]) -> list[UUID]:
    ranked = {row.id: (text.rank(*row.name.split("\t")), row.name.casefold(), str(row.id)) for row in rows}
    return sorted(ranked, key=lambda id_: ranked[id_])
