"""When something that was given ends: at a moment to come, or never."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from bailiwick.database.base import utc_now
from bailiwick.errors import Invalid

LONGEST = timedelta(days=3651)
AS_IT_IS: Any = object()  # an expiry that is not touched, in distinction to none


def require_ahead(expires_at: datetime | None) -> None:
    if expires_at is not None and not timedelta() < expires_at - utc_now() < LONGEST:
        raise Invalid("expires_at", "This has passed or is too far away.", "Choose a day within ten years, or none.")
