"""Schedules: in words, next firings, and what changes of clocks do to them."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import islice
from zoneinfo import ZoneInfo

import pytest

from bailiwick.errors import Invalid
from bailiwick.runs.schedules import Schedule, read_schedule

BERLIN = "Europe/Berlin"


def local(cron: str, after: str, count: int = 3, zone: str = BERLIN) -> list[str]:
    """The next firings as a clock on the wall shows them."""
    start = datetime.fromisoformat(after).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
    firings = islice(Schedule(cron, zone).firings(start), count)
    return [f"{moment.astimezone(ZoneInfo(zone)):%m-%d %H:%M %z}" for moment in firings]


@pytest.mark.parametrize(
    ("cron", "words"),
    [
        ("30 2 * * *", "At 02:30, Europe/Berlin time"),
        (
            "*/15 9-17 * * mon-fri",
            "Every 15 minutes, between 09:00 and 17:59, Monday through Friday, Europe/Berlin time",
        ),
        ("0 0 L * *", "At 00:00, on the last day of the month, Europe/Berlin time"),
        ("0 9 * * MON#1", "At 09:00, on the first Monday of the month, Europe/Berlin time"),
    ],
)
def test_a_schedule_is_told_in_words(cron: str, words: str) -> None:
    assert read_schedule(cron, BERLIN).words == words


@pytest.mark.parametrize(
    ("cron", "zone", "field"),
    [
        ("", "UTC", "cron"),
        ("* * * *", "UTC", "cron"),
        ("0 0 * * * *", "UTC", "cron"),
        ("61 * * * *", "UTC", "cron"),
        ("* * * * TUESDAY", "UTC", "cron"),
        ("0 0 31 2 *", "UTC", "cron"),
        ("*/0 * * * *", "UTC", "cron"),
        ("5/70 * * * *", "UTC", "cron"),
        ("0 */25 * * *", "UTC", "cron"),
        ("@daily", "UTC", "cron"),
        ("a b c d e", "UTC", "cron"),
        ("0 0 * * *", "Europe/Nowhere", "time_zone"),
        ("0 0 * * *", "localtime", "time_zone"),
        ("0 0 * * *", "../../etc/passwd", "time_zone"),
    ],
)
def test_what_cannot_be_understood_is_refused(cron: str, zone: str, field: str) -> None:
    with pytest.raises(Invalid) as refused:
        read_schedule(cron, zone)
    assert refused.value.field == field


# In Berlin clocks go from 2:00 to 3:00 on 29 March 2026, and from 3:00 back to 2:00 on 25 October 2026.
@pytest.mark.parametrize(
    ("cron", "after", "expected"),
    [
        # The hour that does not come
        ("30 2 * * *", "2026-03-28T12:00", ["03-29 03:00 +0200", "03-30 02:30 +0200", "03-31 02:30 +0200"]),
        ("0,30 2 * * *", "2026-03-28T12:00", ["03-29 03:00 +0200", "03-30 02:00 +0200", "03-30 02:30 +0200"]),
        ("*/30 2 * * *", "2026-03-28T12:00", ["03-29 03:00 +0200", "03-30 02:00 +0200", "03-30 02:30 +0200"]),
        ("0 */2 * * *", "2026-03-29T00:30", ["03-29 03:00 +0200", "03-29 04:00 +0200", "03-29 06:00 +0200"]),
        ("30 2,3 * * *", "2026-03-29T00:30", ["03-29 03:00 +0200", "03-29 03:30 +0200", "03-30 02:30 +0200"]),
        ("30 * * * *", "2026-03-29T00:45", ["03-29 01:30 +0100", "03-29 03:30 +0200", "03-29 04:30 +0200"]),
        ("*/30 * * * *", "2026-03-29T01:10", ["03-29 01:30 +0100", "03-29 03:00 +0200", "03-29 03:30 +0200"]),
        # The hour that comes twice
        ("30 2 * * *", "2026-10-24T12:00", ["10-25 02:30 +0200", "10-26 02:30 +0100", "10-27 02:30 +0100"]),
        ("*/30 2 * * *", "2026-10-24T12:00", ["10-25 02:00 +0200", "10-25 02:30 +0200", "10-26 02:00 +0100"]),
        ("0 */2 * * *", "2026-10-25T00:30", ["10-25 02:00 +0200", "10-25 04:00 +0100", "10-25 06:00 +0100"]),
        ("30 * * * *", "2026-10-25T01:45", ["10-25 02:30 +0200", "10-25 02:30 +0100", "10-25 03:30 +0100"]),
        ("30 0-23 * * *", "2026-10-25T01:45", ["10-25 02:30 +0200", "10-25 02:30 +0100", "10-25 03:30 +0100"]),
    ],
)
def test_changes_of_clocks_neither_lose_nor_double_a_firing(cron: str, after: str, expected: list[str]) -> None:
    assert local(cron, after) == expected


def test_within_the_hour_that_comes_twice_the_first_one_is_past() -> None:
    second_half_past_two = datetime(2026, 10, 25, 1, 15, tzinfo=UTC)  # 2:15 for the second time
    following = Schedule("30 2 * * *", BERLIN).next_after(second_half_past_two)
    assert following == datetime(2026, 10, 26, 1, 30, tzinfo=UTC)


def test_a_midnight_that_does_not_come_is_at_one() -> None:
    assert local("0 0 * * *", "2026-04-23T12:00", 2, "Africa/Cairo") == ["04-24 01:00 +0300", "04-25 00:00 +0300"]


@pytest.mark.parametrize("cron", ["30 2 * * *", "*/30 2 * * *", "0 */3 * * *", "15 2,14 * * *"])
@pytest.mark.parametrize("zone", [BERLIN, "America/New_York", "Australia/Lord_Howe", "UTC"])
def test_every_firing_of_a_year_comes_in_order_and_once(cron: str, zone: str) -> None:
    schedule = Schedule(cron, zone)
    moment, stepped = datetime(2026, 1, 1, tzinfo=UTC), []
    for _ in range(400):
        following = schedule.next_after(moment)
        assert following is not None
        assert following > moment
        stepped.append(following)
        moment = following
    assert stepped == list(islice(schedule.firings(datetime(2026, 1, 1, tzinfo=UTC)), 400))
