"""Wrong input in plain words: which field, what is wrong with it, and how to mend it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

Said = tuple[str, str]  # the problem, and the fix

NO_ID = ("This is no id.", "Take an id from a list, or leave it out.")
NO_MOMENT = ("This is no moment.", "Write it like 2027-01-31T00:00:00Z.")
NO_TEXT = ("This is no text.", "Give a text.")
NO_NUMBER = ("This is no whole number.", "Give a whole number.")
NO_FRACTION = ("This is no number.", "Give a number.")
NO_LIST = ("This is no list.", "Give a list.")
NO_OBJECT = ("This is no JSON object.", "Give an object.")
NO_BODY = ("The body is no JSON object.", "Send an object, with Content-Type: application/json.")
NO_EMAIL = ("This is not an e-mail address.", "Write it like name@example.com.")
NO_ADDRESS = ("This is no web address.", "Write it like https://example.org/path.")
NO_NETWORK = ("This is no address or network.", "Write it like 10.0.0.1 or 10.0.0.0/8.")
HOLDS_OTHER = (
    "It holds characters that are not allowed here.",
    "Leave out control characters, line ends and what nobody sees.",
)

PATTERNS: Mapping[str, Said] = {
    r"^[a-z][a-z0-9_]{0,62}$": (
        "Statements could not write it.",
        "Use small letters, digits and underscores, beginning with a letter; 63 at most.",
    ),
    "^(done|refused)$": ("It is neither of the two outcomes.", "Give `done` or `refused`."),
    r"^https?://[^\s\x00-\x1f]+$": NO_ADDRESS,
    r"^[A-Za-z0-9._:-]{1,253}$": ("This is no host.", "Give a name such as db.example.org, or an IP address."),
    r"^/[^\x00-\x1f]*$": ("This is no folder.", "Begin it with /, and leave out control characters and line ends."),
    r"^([^\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]|\r\n)*$": (
        HOLDS_OTHER[0],
        "Leave out control characters and marks that turn text around; line ends and tabs may stay.",
    ),
    r"^[^\x00]*$": ("It holds a character that is not allowed here.", "Leave out the character zero."),
    r"^[^\x00-\x20]*$": (HOLDS_OTHER[0], "Leave out spaces, control characters and line ends."),
    r"^[^\x00\r\n]$": ("It is not one character.", "Give one character that is no line end."),
    r"^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$": (
        "This is no name of a header.",
        "Use letters, digits and hyphens; 100 at most.",
    ),
    r"^[\x20-\x7e]*$": (HOLDS_OTHER[0], "Use letters without accents, digits, spaces and the signs of ASCII."),
    r"^[A-Za-z_][A-Za-z0-9_]{0,127}$": (
        "This is no name of a column.",
        "Use letters, digits and underscores, beginning with a letter or an underscore; 128 at most.",
    ),
    r"^(tinyint|smallint|int|bigint|float|double|boolean|string|date|timestamp|binary|decimal\(\d{1,2},\d{1,2}\))$": (
        "There is no such type.",
        "Give tinyint, smallint, int, bigint, float, double, boolean, string, date, timestamp, binary, "
        "or a decimal such as decimal(10,2).",
    ),
    r"^[A-Za-z0-9_+/-]+$": ("There is no such time zone.", "Write it like Europe/Berlin."),
    # Of settings.
    r"^https?://[^/\s]+(/\S*)?$": NO_ADDRESS,
    r"^(https?|file)://\S+$": ("This is no address.", "Begin it with https://, http:// or file://."),
    r"^[1-9][0-9]*[mg]$": ("This is no size.", "Write it like 512m or 2g."),
    r"^[a-z_]+$": ("There is no such type.", "Use small letters and underscores, such as pipeline."),
}

LONGEST_PART = 100  # of a field's place, whose parts may be keys that were sent


class WrongValue(ValueError):
    """What a validator of ours found, and how to mend it; where it looked at several fields, which one is wrong."""

    def __init__(self, problem: str, fix: str, field: str = "") -> None:
        super().__init__(f"{problem} {fix}")
        self.field = field
        self.problem = problem
        self.fix = fix


def _one_of(ctx: Mapping[str, Any]) -> Said:
    return "There is no such choice.", f"Give {ctx['expected']}."


def _pattern(ctx: Mapping[str, Any]) -> Said:
    pattern = str(ctx["pattern"])
    if pattern not in PATTERNS and pattern.startswith("^[^"):
        return HOLDS_OTHER
    return PATTERNS.get(pattern, ("It is not written as it has to be.", f"It has to match {pattern}"))


def _no_object(ctx: Mapping[str, Any]) -> Said:
    return NO_BODY if len(ctx["loc"]) == 1 else NO_OBJECT


def _no_json(ctx: Mapping[str, Any]) -> Said:
    return f"The body is no JSON from character {ctx['loc'][1] + 1} on.", "Send JSON."


def _no_such_kind(ctx: Mapping[str, Any]) -> Said:
    return f"There is no such {ctx['discriminator']}.", f"Give one of {ctx['expected_tags']}."


def _too_long(ctx: Mapping[str, Any]) -> Said:
    return "It is too long.", f"Give at most {ctx['max_length']} {_unit(ctx)}."


def _too_short(ctx: Mapping[str, Any]) -> Said:
    if ctx["loc"][-1:] == ("email",):
        return NO_EMAIL
    if ctx["min_length"] == 1:
        return "It is empty.", "Give something."
    return "It is too short.", f"Give at least {ctx['min_length']} {_unit(ctx)}."


def _unit(ctx: Mapping[str, Any]) -> str:
    return "characters" if ctx.get("field_type", "Value") == "Value" else "entries"  # a secret is a value


def _own(ctx: Mapping[str, Any]) -> Said:
    """What our own validators say."""
    if isinstance(error := ctx["error"], WrongValue):
        return error.problem, error.fix
    said = str(error).rstrip(".")
    return f"{said[:1].upper()}{said[1:]}.", ""


# By what pydantic calls it. What is not here says so in pydantic's own words.
WORDS: Mapping[str, Said | Callable[[Mapping[str, Any]], Said]] = {
    **dict.fromkeys(("uuid_parsing", "uuid_type", "uuid_version"), NO_ID),
    **dict.fromkeys(("datetime_parsing", "datetime_from_date_parsing", "datetime_type"), NO_MOMENT),
    "timezone_aware": ("It names no time zone.", "End it with Z or an offset such as +01:00."),
    "string_type": NO_TEXT,
    "string_unicode": ("It holds half a character.", "Send whole characters, in UTF-8."),
    "string_pattern_mismatch": _pattern,
    **dict.fromkeys(("string_too_long", "too_long", "url_too_long"), _too_long),
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
    **dict.fromkeys(("float_parsing", "float_type", "finite_number"), NO_FRACTION),
    **dict.fromkeys(("list_type", "set_type", "frozen_set_type", "tuple_type"), NO_LIST),
    **dict.fromkeys(("model_attributes_type", "model_type", "dict_type"), _no_object),
    **dict.fromkeys(("url_parsing", "url_syntax_violation", "url_type"), NO_ADDRESS),
    **dict.fromkeys(("ip_any_network", "ip_any_address"), NO_NETWORK),
    "url_scheme": lambda ctx: ("It begins with another scheme.", f"Begin it with {ctx['expected_schemes']}."),
    "union_tag_invalid": _no_such_kind,
    "union_tag_not_found": lambda ctx: (f"Its {ctx['discriminator']} is missing.", "Give it."),
    "json_invalid": _no_json,
    **dict.fromkeys(("value_error", "assertion_error"), _own),
}


# Why a body could not be read at all.
UNREAD: Mapping[type, Said] = {
    RecursionError: ("The body is nested too deeply.", "Send JSON with fewer levels."),
    UnicodeDecodeError: ("The body is no UTF-8.", "Send JSON, written in UTF-8."),
    ValueError: ("The body holds a number of too many digits.", "Send it with fewer digits, or as a text."),
}


def in_words(found: Sequence[Mapping[str, Any]], body: Any = None) -> list[dict[str, str]]:
    """What pydantic found, a field at a time, named as in the body."""
    return [_worded(_field(one, body), said_of(one)) for one in found]


def first_in_words(error: ValidationError, sent: Any, *within: str) -> dict[str, str]:
    """The first that pydantic found in what was sent, which is not the body but lies there in it."""
    first = error.errors(include_url=False)[0]
    body = sent
    for name in reversed(within):
        body = {name: body}
    (said,) = in_words([{**first, "loc": ("body", *within, *first["loc"])}], body)
    return said


def unread_in_words(why: BaseException | None) -> list[dict[str, str]]:
    said = UNREAD.get(type(why), ("The body could not be read.", "Send JSON, with Content-Type: application/json."))
    return [_worded("body", said)]


def _worded(field: str, said: Said) -> dict[str, str]:
    return {"field": field, "problem": said[0], "fix": said[1]}


def in_a_sentence(errors: Sequence[Mapping[str, str]]) -> str:
    return " ".join(f"{one['field']}: {one['problem']} {one['fix']}".strip() for one in errors)


def _field(one: Mapping[str, Any], body: Any) -> str:
    where, *parts = one["loc"]
    if one["type"] == "json_invalid":  # its second part is an offset
        parts = []
    if where == "body":
        parts = _as_sent(one, parts, body)
    if isinstance(error := (one.get("ctx") or {}).get("error"), WrongValue) and error.field:
        parts = [*parts, error.field]
    return ".".join(str(part)[:LONGEST_PART] for part in parts) or str(where)


def _as_sent(one: Mapping[str, Any], parts: list[Any], body: Any) -> list[Any]:
    """Without the names of a union's members, which are in no body; with them where that leads somewhere else."""
    of_key = parts[-1:] == ["[key]"]
    last = parts[-1:] if of_key or one["type"] == "missing" else []
    kept: list[Any] = []
    at = body
    for part in parts[: len(parts) - len(last)]:
        if (isinstance(at, dict) and part in at) or (isinstance(at, list) and part in range(len(at))):
            kept.append(part)
            at = at[part]
    is_there = kept[-1:] == [one.get("input")] if of_key else at is one.get("input")
    return [*kept, *last] if is_there else parts


def said_of(one: Mapping[str, Any]) -> Said:
    """What is wrong with one value, and the fix."""
    words = WORDS.get(one["type"])
    try:
        if words is not None:
            return words if isinstance(words, tuple) else words({**(one.get("ctx") or {}), "loc": one["loc"]})
    except (KeyError, IndexError, TypeError):  # a later pydantic may tell less
        pass
    return str(one["msg"]), ""
