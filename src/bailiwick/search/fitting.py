"""How well a name fits what somebody typed: the same, begun so, with a word begun so, or with it somewhere inside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, and_, func, or_, select, true, union
from sqlalchemy.orm import Session

from bailiwick.lakehouse.completion import begins as in_range
from bailiwick.tenancy.listing import has_in_name, has_in_small, holds

EXACT, BEGINS, WORD, INSIDE = range(4)
BETWEEN_WORDS = " _-.@"
MANY = 100  # that fit are compared one by one; of more, some are looked for in each way of fitting


@dataclass(frozen=True)
class By:
    """What is compared with what was typed."""

    column: str
    between: str  # what stands between words
    small: bool = True  # in small letters, and what begins alike is one stretch of the index


NAMES = By("name", BETWEEN_WORDS, small=False)
IDENTIFIERS = By("name", "_")
SOUGHT = By("sought", BETWEEN_WORDS + "\t")
Source = tuple[Any, ColumnElement[bool]]  # what is read, and on which condition
Condition = Callable[[Any, By], ColumnElement[bool]]


@dataclass(frozen=True)
class Typed:
    """What somebody typed, in small letters; of several words, a name has to hold each."""

    text: str

    @cached_property
    def words(self) -> list[str]:
        return self.text.split()

    def fits(self, name: Any, by: By) -> ColumnElement[bool]:
        """Every word is in it."""
        has = has_in_small if by.small else has_in_name
        return and_(true(), *(has(name, word) for word in self.words))

    def begins(self, name: Any, by: By) -> ColumnElement[bool]:
        if by.small:
            return and_(true(), *in_range(name, self.text))
        return func.lower(name).startswith(self.text, autoescape=True)

    def begins_a_word(self, name: Any, by: By) -> ColumnElement[bool]:
        small = name if by.small else func.lower(name)
        return or_(*(holds(small, f"{sign}{self.text}") for sign in by.between))

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
    return Typed(" ".join(text.split()).lower())


@dataclass(frozen=True)
class Best:
    """The ids of what fits, the best first; whether that is all of it."""

    ids: Sequence[UUID]
    is_all: bool


def best(
    session: Session,
    text: Typed,
    few: int,
    sources: Sequence[Source],
    *,
    by: By = NAMES,
) -> Best:
    """What fits best. Every look goes along the names and stops when it has enough, so that neither what fits a great
    many names nor what fits none takes long. Where enough of the names of data begin so, nothing else is looked at."""

    def look(limit: int, condition: Condition) -> list[Any]:
        pages = []
        for kind, way in sources:
            name = getattr(kind, by.column).label("name")
            met = condition(getattr(kind, by.column), by)
            pages.append(select(name, kind.id).where(met, way).order_by(name, kind.id).limit(limit))
        if len(pages) <= 1:
            return [row for page in pages for row in session.execute(page)]
        merged = union(*(select(page.subquery()) for page in pages)).subquery()
        return list(session.execute(select(merged).order_by(merged.c.name, merged.c.id).limit(limit)))

    if by is IDENTIFIERS and len(found := look(few, text.begins)) == few:
        return Best(_ranked(text, found), is_all=False)
    found = look(MANY + 1, text.fits)
    if len(found) > MANY:
        found = look(MANY // 2, text.begins) + look(MANY // 2, text.begins_a_word) + found
    return Best(_ranked(text, found), is_all=len(found) <= MANY)


def _ranked(text: Typed, rows: Sequence[Any]) -> list[UUID]:
    ranked = {row.id: (text.rank(*row.name.split("\t")), row.name.casefold(), str(row.id)) for row in rows}
    return sorted(ranked, key=lambda id_: ranked[id_])
