"""Which types hold every value of which others: a table's column may become wider by itself, and nothing else."""

from __future__ import annotations

import re

# What each type may become without any value changing, and without Delta writing a single file anew.
WIDER = {
    "tinyint": {"smallint", "int", "bigint", "double"},
    "smallint": {"int", "bigint", "double"},
    "int": {"bigint", "double"},
    "float": {"double"},
    "date": {"timestamp_ntz"},
}
WHOLE = {"tinyint": 3, "smallint": 5, "int": 10, "bigint": 20}  # decimal digits they need
DECIMAL = re.compile(r"decimal\((\d+),(\d+)\)")


def is_wider(old: str, new: str) -> bool:
    """Whether every value of the old type is one of the new."""
    if new in WIDER.get(old, ()):
        return True
    to = DECIMAL.fullmatch(new)
    if to is None:
        return False
    digits, scale = int(to[1]), int(to[2])
    if old in WHOLE:
        return digits - scale >= WHOLE[old]
    was = DECIMAL.fullmatch(old)
    return was is not None and scale >= int(was[2]) and digits - scale >= int(was[1]) - int(was[2])
