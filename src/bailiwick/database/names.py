"""Names that are taken, in whatever case: “sales” beside “Sales” would be opened by mistake."""

from __future__ import annotations

import zlib
from typing import TypeVar

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from bailiwick.database.base import Named

Row = TypeVar("Row", bound=Named)

LOCK = 8_765_002  # any number, the same in every version
SOME = "ik"  # in small the Kelvin sign is a k, and in Turkish I is another letter
DOTTED = "i\N{COMBINING DOT ABOVE}"  # İ in small, the one letter that becomes two


def namesakes(session: Session, kind: type[Row], name: str, *within: ColumnElement[bool]) -> list[Row]:
    """Who is called so, or the same in another case. Until the transaction ends nobody else gets an answer for this
    name: whoever finds it free may take it.

    Databases know the case of different letters, SQLite of ASCII alone: they find too many, and Python compares."""
    small = name.lower()
    if session.get_bind().dialect.name == "postgresql":  # SQLite's writers wait for each other anyway
        key = zlib.crc32(f"{kind.__name__}\n{small}".encode()) - 2**31
        session.execute(select(func.pg_advisory_xact_lock(LOCK, key)))
    alike = select(kind).where(func.lower(kind.name).like(_pattern(small), escape="\\"), *within)
    return [row for row in session.scalars(alike) if row.name.lower() == small]


def _pattern(small: str) -> str:
    """What both databases find it by, for certain: a letter whose case one of them may not know stands for any."""
    return "%".join("".join(map(_written, part)) for part in small.split(DOTTED))


def _written(letter: str) -> str:
    if letter in SOME or (not letter.isascii() and letter.lower() != letter.upper()):
        return "_"
    return f"\\{letter}" if letter in "\\%_" else letter
