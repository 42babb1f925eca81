"""What lists take over HTTP: a search, an order, a page."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query
from pydantic import StringConstraints

from bailiwick.database.paging import MOST_ROWS

# No control characters, line ends or marks that turn text around: they hide in names, and PostgreSQL takes no NUL.
PLAIN = r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*$"
# The same for texts of several lines, which may hold tabs too. A return without its line end would write over a line.
LINES = r"^([^\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]|\r\n)*$"

Cursor = Annotated[
    str | None, Query(max_length=2000, description="`next_cursor` of the page before; none for the first page.")
]
Limit = Annotated[int, Query(ge=1, le=MOST_ROWS, description="How many at most.")]
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200, pattern=PLAIN)]
Search = Words | None
PartOfName = Annotated[Search, Query(description="Part of a name.")]
PartOfPerson = Annotated[Search, Query(description="Part of a name or an e-mail address.")]
Sort = Annotated[Literal["name", "-name"], Query(description="In which order: by name, or from its end.")]
MemberSort = Annotated[
    Literal["name", "-name", "joined", "-joined"],
    Query(
        description="In which order: by name, or by when they joined; with `-` from its end. "
        "Who has not joined comes last in both."
    ),
]
TableSort = Annotated[
    Literal["name", "-name", "changed", "-changed"],
    Query(
        description="In which order: by name, or by when the data last changed; with `-` from its end. "
        "What never changed comes last in both."
    ),
]
FileSort = Annotated[
    Literal["name", "-name", "changed", "-changed", "size", "-size"],
    Query(description="In which order: by name, by when it last changed, or by size; with `-` from its end."),
]
SortByAge = Annotated[
    Literal["created", "-created"], Query(description="In which order: the oldest first, or with `-` the newest.")
]
SessionSort = Annotated[
    Literal["created", "-created", "seen", "-seen"],
    Query(description="In which order: by when they began, or by when they were last seen; with `-` the latest first."),
]
TokenSort = Annotated[
    Literal["created", "-created", "name", "-name", "used", "-used"],
    Query(
        description="In which order: by when they were made, by name, or by when they were last used; with `-` from "
        "its end. What was never used comes last in both."
    ),
]
RunSort = Annotated[
    Literal["created", "-created", "name", "-name"],
    Query(description="In which order: by when they were created, or by the name of what ran; with `-` from its end."),
]
TriggerSort = Annotated[
    Literal["created", "-created", "name", "-name", "next", "-next", "fired", "-fired"],
    Query(
        description="In which order: by when they were made, by the name of what they start, or by when they fire next "
        "or fired last; with `-` from its end. What does not fire again, or never fired, comes last in both."
    ),
]
