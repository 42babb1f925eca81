"""Numbers in sentences."""

from __future__ import annotations


def how_many(number: int, one: str, many: str | None = None) -> str:
    """“1 file”, “12 files”."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
