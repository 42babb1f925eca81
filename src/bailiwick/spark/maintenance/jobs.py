"""Maintenance of tables as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from bailiwick.spark.jobs import TableRef, Written


@dataclass(frozen=True)
class Maintain:
    """Compact small files, and remove what only versions older than `keep_days` need."""

    tables: tuple[TableRef, ...]
    compact: bool
    keep_days: int


@dataclass(frozen=True)
class Maintained:
    """What became of one table: its state, or the problem."""

    table_id: str
    state: Written | None
    files_before: int = 0
    files_after: int = 0
    problem: str = ""


@dataclass(frozen=True)
class ListVersions:
    location: str
    most: int
    before: int | None = None  # none: from the latest on


@dataclass(frozen=True)
class Version:
    """One commit of a table. `app` and `number` tell which run of what made it, if one did; `restored` the version that
    was gone back to, if that is what it did."""

    version: int
    at: int  # milliseconds since 1970
    operation: str
    rows: int | None
    app: str | None = None
    number: int | None = None
    restored: int | None = None


@dataclass(frozen=True)
class Restore:
    """Let a table be what it was in an earlier version. `id` is the same at every attempt."""

    id: str
    location: str
    version: int
