"""Pages of a list: a keyset cursor that names the last row seen, so that page one thousand costs what page one does."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from uuid import UUID

from bailiwick.errors import Invalid

T = TypeVar("T")
MOST_ROWS = 200


@dataclass(frozen=True)
class Page(Generic[T]):
    items: Sequence[T]
    next_cursor: str | None = None


def write_cursor(*key: str) -> str:
    # As they are, not escaped: a name of faces would make a cursor too long to be sent back.
    text = json.dumps(key, ensure_ascii=False).encode(errors="surrogatepass")
    return base64.urlsafe_b64encode(text).decode().rstrip("=")


def read_cursor(cursor: str | None, length: int) -> tuple[str, ...] | None:
    """The sort key of the last row seen; anything but a cursor this platform wrote is refused."""
    if cursor is None:
        return None
    try:
        key: Any = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, RecursionError):
        key = None
    if not isinstance(key, list) or len(key) != length or not all(isinstance(part, str) for part in key):
        raise not_a_cursor()
    return tuple(key)


def read_id(text: str) -> UUID:
    """An id inside a cursor."""
    try:
        return UUID(text)
    except ValueError:
        raise not_a_cursor() from None


def not_a_cursor() -> Invalid:
    return Invalid("cursor", "This is not a cursor of this list.", "Leave it out to start from the beginning.")


def page_of(rows: Sequence[T], limit: int, key: Callable[[T], tuple[str, ...]]) -> Page[T]:
    """A page from one row more than it holds: the extra row only tells that there is a next page."""
    items = rows[:limit]
    return Page(items, write_cursor(*key(items[-1])) if len(rows) > limit else None)
