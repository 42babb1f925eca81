"""Deliveries as plain data: what goes out, and where to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from bailiwick.spark.sources.jobs import HttpAt, PostgresqlAt


@dataclass(frozen=True)
class ToPostgresql:
    """A table of a database."""

    at: PostgresqlAt
    schema: str
    table: str
    mode: Literal["append", "upsert", "overwrite"]
    keys: tuple[str, ...] = ()


@dataclass(frozen=True)
class ToFile:
    """A file of a volume; the path is below the volume's folder."""

    folder: str
    path: tuple[str, ...]
    format: Literal["csv", "parquet", "xlsx"]
    escape_formulas: bool = True


@dataclass(frozen=True)
class ToWebhook:
    """An address that takes rows as JSON, some at a time."""

    at: HttpAt
    batch_rows: int = 1000


Target = ToPostgresql | ToFile | ToWebhook


@dataclass(frozen=True)
class Delivery:
    """The rows of a table, once, to one place. `id` is the same at every attempt."""

    id: str
    table: str  # its name
    location: str
    columns: tuple[str, ...] | None
    folder: str  # for the rows on their way
    target: Target = field(repr=False)


@dataclass(frozen=True)
class Delivered:
    rows: int
    columns: tuple[str, ...]
    says: str = ""  # what happened, in words
