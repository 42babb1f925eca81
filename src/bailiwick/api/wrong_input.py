"""Wrong input in plain words: which field, what is wrong with it, and how to mend it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Said = tuple[str, str]  # the problem, and the fix

NO_ID = ("This is no id.", "Take an id from a list, or leave it out.")
NO_MOMENT = ("This is no moment.", "Write it like 2027-01-31T00:00:00Z.")
NO_TEXT = ("This is no text.", "Give a text.")
NO_NUMBER = ("This is no whole number.", "Give a whole number.")
NOT_JSON = ("The body is no JSON.", "Send JSON.")
HOLDS_OTHER = ("It holds characters that are not allowed here.", "Leave out control characters and line ends.")

PATTERNS: Mapping[str, Said] = {
    r"^[a-z][a-z0-9_]{0,62}$": (
        "Statements could not write it.",
        "Use small letters, digits and underscores, beginning with a letter; 63 at most.",
    ),
    "^(done|refused)$": ("It is neither of the two outcomes.", "Give `done` or `refused`."),
}


def _one_of(ctx: Mapping[str, Any]) -> Said:
    return "There is no such choice.", f"Give {ctx['expected']}."


def _pattern(ctx: Mapping[str, Any]) -> Said:
    pattern = str(ctx["pattern"])
    if pattern.startswith("^[^"):
        return HOLDS_OTHER
    return PATTERNS.get(pattern, ("It is not written as it has to be.", f"It has to match {pattern}"))


def _too_long(ctx: Mapping[str, Any]) -> Said:
    return "It is too long.", f"Give at most {ctx['max_length']} {_unit(ctx)}."


def _too_short(ctx: Mapping[str, Any]) -> Said:
    if ctx["min_length"] == 1:
        return "It is empty.", "Give something, or leave it out."
    return "It is too short.", f"Give at least {ctx['min_length']} {_unit(ctx)}."


def _unit(ctx: Mapping[str, Any]) -> str:
    return "entries" if "field_type" in ctx else "characters"


def _own(ctx: Mapping[str, Any]) -> Said:
    """What our own validators say."""
    said = str(ctx["error"]).rstrip(".")
    return f"{said[:1].upper()}{said[1:]}.", ""


# By what pydantic calls it. What is not here says so in pydantic's own words.
WORDS: Mapping[str, Said | Callable[[Mapping[str, Any]], Said]] = {
    **dict.fromkeys(("uuid_parsing", "uuid_type", "uuid_version"), NO_ID),
    **dict.fromkeys(("datetime_parsing", "datetime_from_date_parsing", "datetime_type"), NO_MOMENT),
    "timezone_aware": ("It names no time zone.", "End it with Z or an offset such as +01:00."),
    "string_type": NO_TEXT,
    "string_pattern_mismatch": _pattern,
    **dict.fromkeys(("string_too_long", "too_long"), _too_long),
    **dict.fromkeys(("string_too_short", "too_short"), _too_short),
    "missing": ("It is missing.", "Give it."),
    "extra_forbidden": ("There is no such field.", "Leave it out."),
    **dict.fromkeys(("literal_error", "enum"), _one_of),
    **dict.fromkeys(("int_parsing", "int_type", "int_from_float", "int_parsing_size"), NO_NUMBER),
    "greater_than_equal": lambda ctx: ("It is too small.", f"Give {ctx['ge']} or more."),
    "greater_than": lambda ctx: ("It is too small.", f"Give more than {ctx['gt']}."),
    "less_than_equal": lambda ctx: ("It is too large.", f"Give {ctx['le']} or less."),
    "less_than": lambda ctx: ("It is too large.", f"Give less than {ctx['lt']}."),
    **dict.fromkeys(("bool_parsing", "bool_type"), ("This is neither yes nor no.", "Give `true` or `false`.")),
    "json_invalid": NOT_JSON,
    **dict.fromkeys(("value_error", "assertion_error"), _own),
}


def in_words(found: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """What pydantic found, a field at a time."""
    return [{"field": _field(one), **dict(zip(("problem", "fix"), _said(one), strict=True))} for one in found]


def in_a_sentence(errors: Sequence[Mapping[str, str]]) -> str:
    return " ".join(f"{one['field']}: {one['problem']} {one['fix']}".strip() for one in errors)


def _field(one: Mapping[str, Any]) -> str:
    return ".".join(str(part) for part in one["loc"][1:]) or str(one["loc"][0])


def _said(one: Mapping[str, Any]) -> Said:
    words = WORDS.get(one["type"])
    try:
        if words is not None:
            return words if isinstance(words, tuple) else words(one.get("ctx") or {})
    except KeyError:  # a later pydantic may tell less
        pass
    return str(one["msg"]), ""
