"""When something that was given ends: at a moment to come, or never."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, SQLColumnExpression, or_

from bailiwick.database.base import utc_now
from bailiwick.errors import Invalid

LONGEST = timedelta(days=3651)
AS_IT_IS: Any = object()  # an expiry that is not touched, in distinction to none


def require_ahead(expires_at: datetime | None) -> None:
    if expires_at is not None and not timedelta() < expires_at - utc_now() < LONGEST:
        raise Invalid("expires_at", "This has passed or is too far away.", "Choose a day within ten years, or none.")


def holds_until(expires_at: SQLColumnExpression[datetime | None]) -> ColumnElement[bool]:
    """That what has this end has not expired; every look at what was given asks for it."""
    return or_(expires_at.is_(None), expires_at > utc_now())


def outlasts(ends: Iterable[datetime | None], end: datetime | None) -> bool:
    """Whether something with one of these ends lasts at least until this one; none is for good."""
    return any(one is None or (end is not None and one >= end) for one in ends)
