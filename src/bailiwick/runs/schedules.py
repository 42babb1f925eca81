"""Schedules: times written as cron, in a time zone; in words, and when they come next.

A time that a change of clocks leaves out comes as soon as the clock shows a later one, a time that comes twice counts
once. What runs in every hour of the day keeps to the hours that pass instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from cron_descriptor import FormatError, Options, get_description  # type: ignore[import-untyped]
from cronsim import CronSim, CronSimError

from bailiwick.errors import Invalid
from bailiwick.tenancy.profile import check_time_zone

LARGEST_STEPS = (60, 24, 31, 12, 7)  # of minutes, hours, days of the month, months, days of the week
EVERY_HOUR = frozenset(range(24))
FIX = "Write minute, hour, day of the month, month, day of the week, such as 30 6 * * MON-FRI."


@dataclass(frozen=True)
class Schedule:
    """When something fires."""

    cron: str
    time_zone: str

    @property
    def words(self) -> str:
        options = Options()
        options.use_24hour_time_format = True
        return f"{get_description(self.cron, options)}, {self.time_zone} time"

    def firings(self, after: datetime) -> Iterator[datetime]:
        """Every time later than this one, in UTC."""
        zone = ZoneInfo(self.time_zone)
        for moment in CronSim(_told_by_the_clock(self.cron), after.astimezone(zone)):
            found = moment.astimezone(UTC)
            if found > after:  # in an hour that comes twice, the clock may name a time that has passed
                yield found

    def next_after(self, after: datetime) -> datetime | None:
        return next(self.firings(after), None)


def read_schedule(cron: str, time_zone: str) -> Schedule:
    """A schedule as somebody wrote it; what cannot be understood, or never comes, is refused."""
    parts = cron.split()
    check_time_zone(time_zone)
    if len(parts) != 5:
        raise Invalid("cron", f"It takes five parts and these are {len(parts)}.", FIX)
    for part, most in zip(parts, LARGEST_STEPS, strict=True):
        for step in re.findall(r"/(\d+)", part):
            if int(step) > most:
                raise Invalid("cron", f"Steps of {step} in {part} are longer than what they divide.", FIX)
    schedule = Schedule(" ".join(parts).upper(), time_zone)
    try:
        nothing = schedule.next_after(datetime.now(UTC)) is None
        _ = schedule.words
    except CronSimError as error:
        raise Invalid("cron", f"It cannot be understood: {error}.", FIX) from None
    except (FormatError, ValueError, AssertionError, IndexError):
        raise Invalid("cron", "It cannot be understood.", FIX) from None
    if nothing:
        raise Invalid("cron", "No such time ever comes.", FIX)
    return schedule


@lru_cache(maxsize=1000)
def _told_by_the_clock(cron: str) -> str:
    """The same schedule in the form from which the library takes how to deal with changes of clocks.

    It goes by the time that passes where a field of minutes or hours begins with a star, and else by what the clock
    shows. That should depend on the hours alone: */30 2 * * * is half-hourly at two o'clock, and */2 is a choice of
    hours."""
    minutes, hours, *days = cron.split()
    if CronSim(cron, datetime(2026, 1, 1, tzinfo=UTC)).hours >= EVERY_HOUR:
        return " ".join([minutes, "*", *days])
    return " ".join([_spelt_out(minutes, "0-59"), _spelt_out(hours, "0-23"), *days])


def _spelt_out(field: str, range_: str) -> str:
    return ",".join(range_ + part[1:] if part.startswith("*") else part for part in field.split(","))
