"""How well a name fits what somebody typed: the same, begun so, with a word begun so, or with it somewhere inside."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, and_, func, or_, select, true, union
from sqlalchemy.orm import Session

from bailiwick.lakehouse.completion import begins as in_range
from bailiwick.tenancy.listing import has_in_name

EXACT, BEGINS, WORD, INSIDE = range(4)
BETWEEN_WORDS = " _-.@"
MANY = 100  # that fit are compared one by one; of more, some are looked for in each way of fitting

Source = tuple[Any, ColumnElement[bool]]  # what is read, and on which condition
Condition = Callable[[Any], ColumnElement[bool]]


@dataclass(frozen=True)
class Typed:
    """What somebody typed, in small letters; of several words, a name has to hold each."""

    text: str

    @cached_property
    def words(self) -> list[str]:
        return self.text.split()

    @property
    def is_identifier(self) -> bool:
        """Whether the name of a layer or table could begin so."""
        return re.fullmatch(r"[a-z0-9_]*", self.text) is not None

    def fits(self, column: Any) -> ColumnElement[bool]:
        """Every word is in it."""
        return and_(true(), *(has_in_name(column, word) for word in self.words))

    def begins(self, column: Any) -> ColumnElement[bool]:
        return func.lower(column).startswith(self.text, autoescape=True)

    def begins_a_word(self, column: Any) -> ColumnElement[bool]:
        begun = (f"{sign}{self.text}" for sign in BETWEEN_WORDS)
        return or_(*(func.lower(column).contains(text, autoescape=True) for text in begun))

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
    columns: Sequence[str] = ("name",),
    identifiers: bool = False,
) -> Best:
    """What fits best, by these columns. Every look goes along the names and stops when it has enough, so that neither
    what fits a great many names nor what fits none takes long. The names of data are in small letters, and what begins
    alike stands together: where that is enough, nothing else is looked at."""

    def look(limit: int, *conditions: Condition) -> list[Any]:
        # Each column by itself, along its own index: one that is not in the index would be fetched for every row.
        pages = [
            select(*(getattr(kind, each) for each in columns), kind.id)
            .where(*(condition(getattr(kind, column)) for condition in conditions), way)
            .order_by(getattr(kind, column), kind.id)
            .limit(limit)
            .subquery()
            for kind, way in sources
            for column in columns
        ]
        if not pages:
            return []
        merged = union(*(select(page) for page in pages)).subquery()
        return list(session.execute(select(merged).order_by(merged.c.name, merged.c.id).limit(limit)))

    found: list[Any] = []
    if identifiers and text.is_identifier:
        found = look(few, lambda name: and_(true(), *in_range(name, text.text)))
    if len(found) < few or not identifiers:
        found = look(MANY + 1, text.fits)
        if len(found) > MANY:
            found = look(MANY // 2, text.fits, text.begins) + look(MANY // 2, text.fits, text.begins_a_word) + found
            return Best(_ranked(text, found), is_all=False)
    return Best(_ranked(text, found), is_all=True)


def _ranked(text: Typed, rows: Sequence[Any]) -> list[UUID]:
    """Each row is what it fits by, and its id."""
    ranked = {row.id: (text.rank(*row[:-1]), row.name.casefold(), str(row.id)) for row in rows}
    return sorted(ranked, key=lambda id_: ranked[id_])
