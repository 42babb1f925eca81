"""Optimistic locking at the door: a response's version as its ETag, and changes that name the version they saw."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import Header, Response

from bailiwick.errors import Invalid, Stale

ETAG = re.compile(r'(?:W/)?"([0-9]{1,18})"')

IfMatch = Annotated[
    str | None,
    Header(
        alias="If-Match",
        description="The ETag of the version this change is based on; if somebody changed it since, the answer is 409.",
        examples=['"3"'],
    ),
]


def tag(response: Response, version: int) -> None:
    response.headers["ETag"] = f'"{version}"'


def require_unchanged(if_match: str | None, version: int, what: str) -> None:
    """Whoever names no version takes what is there."""
    if if_match is None or if_match.strip() == "*":
        return
    seen = ETAG.fullmatch(if_match.strip())
    if seen is None:
        raise Invalid("If-Match", "This is not an ETag of this platform.", 'Send it as it came, such as "3".')
    if int(seen[1]) != version:
        raise Stale(what)
