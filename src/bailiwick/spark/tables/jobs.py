"""A new table as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from bailiwick.spark.jobs import Column


@dataclass(frozen=True)
class NewTable:
    """An empty table that is to be made."""

    location: str
    columns: tuple[Column, ...]
    app_id: str
    version: int
