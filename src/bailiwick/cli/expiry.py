"""When something that is given ends: what the commands that give levels, roles and tokens share."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from bailiwick.cli.command import Here

UNITS = {"h": 1 / 24, "d": 1, "w": 7}
MOST_DAYS = 3650


def days_in(text: str) -> float:
    """A length of time as people write it: 12h, 30d, 2w."""
    number, unit = text[:-1], UNITS.get(text[-1:].casefold())
    try:
        days = float(number) * (unit or 0)
    except ValueError:
        days = 0
    if not 0 < days <= MOST_DAYS:
        raise typer.BadParameter(f"“{text}” is no length of time up to ten years. Write 12h, 30d or 2w.")
    return days


For = Annotated[float | None, typer.Option("--for", metavar="TIME", parser=days_in, help="For so long: 12h, 30d, 2w.")]
Until = Annotated[
    datetime | None, typer.Option("--until", metavar="DAY", help="Until this day, or this moment, in your time zone.")
]
ForGood = Annotated[bool, typer.Option("--for-good", help="It does not end any more.")]


def end_at(here: Here, days: float | None, until: datetime | None) -> str | None:
    """The moment to send, written in either way; None: it does not end."""
    if days is not None and until is not None:
        raise typer.BadParameter("Give --for or --until, not both.")
    if until is not None:
        return until.replace(tzinfo=here.zone).astimezone(here.zone).isoformat()
    return None if days is None else (datetime.now(UTC) + timedelta(days=days)).isoformat()


def other_end(here: Here, days: float | None, until: datetime | None, for_good: bool) -> dict[str, str | None]:
    """What to send where an end may be there already: nothing, if it stays as it is."""
    end = end_at(here, days, until)
    if end is not None and for_good:
        raise typer.BadParameter("Give --for, --until or --for-good, not several.")
    return {"expires_at": end} if end is not None or for_good else {}
