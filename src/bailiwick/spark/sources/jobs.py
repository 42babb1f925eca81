"""A source as Spark is handed it, and what comes back: plain data, free of pyspark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bailiwick.spark.jobs import Column, TableRef


@dataclass(frozen=True)
class FilesAt:
    """Files below a folder; only those that really lie below it."""

    folder: str
    staging: str  # where files are copied to while they are read, reachable for all of Spark
    format: str
    delimiter: str = ","
    quote: str = '"'
    header: bool = True
    encoding: str = "utf-8"
    sheet: str | None = None


@dataclass(frozen=True)
class PostgresqlAt:
    """A database, by the address that was looked up and allowed."""

    host: str
    address: str
    port: int
    database: str
    user: str
    password: str | None = field(default=None, repr=False)
    encryption: str = "prefer"


@dataclass(frozen=True)
class HttpAt:
    """An API, by the address that was looked up and allowed; links of its answers that lead elsewhere are refused."""

    url: str
    address: str
    staging: str
    headers: Mapping[str, str] = field(default_factory=dict)
    authentication: str = "none"
    user: str | None = None
    header: str | None = None
    secret: str | None = field(default=None, repr=False)
    most_bytes: int = 500_000_000


@dataclass(frozen=True)
class TablesAt:
    """Tables of the lakehouse."""


# What a quarantine table holds; `run` is the number of the run.
QUARANTINE = (
    Column("rejected_at", "timestamp"),
    Column("run_id", "string"),
    Column("run", "bigint"),
    Column("stream", "string"),
    Column("reason", "string"),
    Column("record", "string"),
)

Place = FilesAt | PostgresqlAt | HttpAt | TablesAt


@dataclass(frozen=True)
class StreamJob:
    """What one stream reads, how, how far it has come, and where it lands."""

    id: str
    name: str
    read: Mapping[str, Any]  # as the stream's settings say, in the form of its type
    output: TableRef
    rejects: TableRef
    mode: str = "full"
    cursor_column: str | None = None
    primary_key: tuple[str, ...] = ()
    only_columns: tuple[str, ...] | None = None
    types: Mapping[str, str] = field(default_factory=dict)  # as somebody set them
    known: tuple[Column, ...] = ()  # as discovered
    state: Mapping[str, Any] = field(default_factory=dict)
    start_over: bool = False  # replace the table, columns and all
    table: TableRef | None = None  # what a stream of a table reads


@dataclass(frozen=True)
class SyncJob:
    """One run of a source."""

    place: Place
    streams: tuple[StreamJob, ...]
    run_id: str
    number: int  # of the run; the same at every attempt


@dataclass(frozen=True)
class StreamOutcome:
    """What became of a stream: what was committed, or the problem that stopped it."""

    id: str
    name: str
    committed: bool = False  # whether there is something new to note; a stream with nothing to read has nothing
    state: Mapping[str, Any] = field(default_factory=dict)
    columns: tuple[Column, ...] = ()
    version: int | None = None
    rows_written: int = 0
    rows_rejected: int = 0
    bytes: int | None = None
    rows: int | None = None  # of the whole table
    rejects_version: int | None = None
    rejects_rows: int | None = None
    output_id: str = ""  # the table it landed in
    started_over: bool = False
    problem: Mapping[str, Any] | None = None  # code, message, fix, passing


@dataclass(frozen=True)
class SyncOutcome:
    streams: tuple[StreamOutcome, ...]

    @property
    def problems(self) -> Sequence[StreamOutcome]:
        return [stream for stream in self.streams if stream.problem]


# Looking before reading ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LookJob:
    """Look at a source without landing anything: whether it answers, what streams it has, what these look like."""

    place: Place
    streams: tuple[StreamJob, ...] = ()
    run_id: str = ""
    rows: int = 5  # of the sample


@dataclass(frozen=True)
class SeenStream:
    """A stream as it was found."""

    name: str
    id: str | None = None  # of the stream of the source that it is
    columns: tuple[Column, ...] = ()
    primary_key: tuple[str, ...] = ()
    read: Mapping[str, Any] = field(default_factory=dict)
    sample: tuple[Mapping[str, Any], ...] = ()
    about: str = ""  # rows, files: what there is to say in words
    problem: str | None = None


@dataclass(frozen=True)
class LookOutcome:
    says: str = ""  # of a connection test
    streams: tuple[SeenStream, ...] = ()
