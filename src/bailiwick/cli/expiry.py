"""When something that is given ends: what the commands that give levels and roles share."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from bailiwick.cli.command import Here

UNITS = {"h": 1 / 24, "d": 1, "w": 7}
MOST_DAYS = 3650

Days = Annotated[float | None, typer.Option("--days", min=0.001, max=MOST_DAYS, help="Days after which it ends.")]
ForGood = Annotated[bool, typer.Option("--for-good", help="It does not end any more.")]


def end_after(days: float | None) -> str | None:
    """The moment to send; None: it does not end."""
    return None if days is None else (datetime.now(UTC) + timedelta(days=days)).isoformat()


def other_end(days: float | None, for_good: bool) -> dict[str, str | None]:
    """What to send where an end may be there already: nothing, if it stays as it is."""
    if days is not None and for_good:
        raise typer.BadParameter("Give --days or --for-good, not both.")
    return {"expires_at": end_after(days)} if days is not None or for_good else {}


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


def end_at(here: Here, days: float | None, until: datetime | None) -> str | None:
    """The moment to send, written in either way; None: it does not end."""
    if days is not None and until is not None:
        raise typer.BadParameter("Give --for or --until, not both.")
    return end_after(days) if until is None else until.replace(tzinfo=here.zone).astimezone(here.zone).isoformat()
