"""Histories as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from bailiwick.spark.jobs import Written

VALID_FROM, VALID_UNTIL, IS_DELETED = "valid_from", "valid_until", "is_deleted"
OWN_COLUMNS = (VALID_FROM, VALID_UNTIL, IS_DELETED)


@dataclass(frozen=True)
class History:
    """Take the input's rows into the history. Moments are microseconds since 1970, in UTC."""

    input_location: str
    output_location: str
    keys: tuple[str, ...]
    columns: tuple[str, ...] | None  # those whose changes count; None: all
    as_of_column: str | None  # says when a row was seen; None: all were seen at `taken_at`
    taken_at: int
    known: tuple[int, ...]  # when snapshots were taken that are in the history already
    app_id: str
    version: int


@dataclass(frozen=True)
class HistoryWritten:
    written: Written
    taken: tuple[int, ...]  # the snapshots that are in it now and were not before
    columns: tuple[str, ...]  # taken over from the input
