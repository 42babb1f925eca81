"""Values as people read them: no control characters, local times, words in place of codes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, tzinfo
from typing import Any


def printable(text: str) -> str:
    """The text without control characters: a name must not be able to move the cursor or change the colours."""
    return "".join(letter if letter.isprintable() or letter == "\n" else "\N{REPLACEMENT CHARACTER}" for letter in text)


def as_json(value: object) -> str:
    """JSON that people can read too; what would reach into a terminal is written as the escape it stands for."""
    lines = json.dumps(value, indent=2, ensure_ascii=False, default=str).split("\n")
    return "\n".join(line if line.isprintable() else "".join(map(_escaped, line)) for line in lines)


def _escaped(letter: str) -> str:
    return letter if letter.isprintable() else json.dumps(letter)[1:-1]


def is_moment(name: str, value: object) -> bool:
    """Whether this field of an answer holds a moment."""
    return isinstance(value, str) and (name == "at" or name.endswith("_at"))


def moment(value: str, zone: tzinfo | None) -> str:
    """A moment in the reader's time zone; None stands for this computer's."""
    return datetime.fromisoformat(value).astimezone(zone).strftime("%Y-%m-%d %H:%M")


def as_text(value: Any, name: str = "", zone: tzinfo | None = None) -> str:
    """One value of an answer, for a cell of a table."""
    if value is None or value == "" or value == []:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if is_moment(name, value):
        return moment(value, zone)
    if isinstance(value, list):
        return ", ".join(as_text(item, name, zone) for item in value)
    if isinstance(value, dict):
        return printable(str(value.get("name") or json.dumps(value, ensure_ascii=False)))
    return printable(str(value))


def words(slug: str) -> str:
    """An action or a code as words; an apostrophe, which a code cannot hold, is put back."""
    return slug.replace("_s_", "'s_").replace("_", " ")


def rejected(run: Mapping[str, Any]) -> int:
    """How many rows a sync has put aside; a look at a source tells of streams, too, and puts nothing aside."""
    return sum(stream.get("rows_rejected") or 0 for stream in (run["result"] or {}).get("streams", []))
