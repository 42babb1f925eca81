"""What a statement's text may hold, before anybody reads it."""

from __future__ import annotations

import re

from bailiwick.spark.gate.refusal import Refusal

LONGEST = 100_000  # characters

# Control characters (but tab and new line), marks that turn the direction of writing, and spaces without width: they
# make a statement look like another one. A text that needs one writes it as \uXXXX, which is read as that character.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]"
)


def check_text(sql: str) -> None:
    if len(sql) > LONGEST:
        raise Refusal("too_long", f"The statement is longer than {LONGEST:,} characters.")
    if not sql.strip():
        raise Refusal("empty", "There is no statement.")
    hidden = _HIDDEN.search(sql)
    if hidden:
        code = f"U+{ord(hidden.group()):04X}"
        raise Refusal(
            "characters",
            f"The statement holds the invisible character {code} at position {hidden.start() + 1}.",
            code,
            fix=f"Remove it, or write \\u{ord(hidden.group()):04X} inside a text.",
        )
