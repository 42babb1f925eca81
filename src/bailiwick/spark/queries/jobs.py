"""Queries as plain data: what is asked of Spark, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from bailiwick.spark.jobs import Column, ColumnEdge, Written

Mode = Literal["overwrite", "append", "merge"]


@dataclass(frozen=True)
class ResultFiles:
    """The rows of a result, in files of one folder, in order. Columns are called c0, c1, … in the files."""

    columns: tuple[Column, ...]
    files: tuple[tuple[str, int], ...] = ()  # name and how many of its rows belong to the result
    cut: bool = False  # there would have been more rows

    @property
    def rows(self) -> int:
        return sum(rows for _, rows in self.files)


@dataclass(frozen=True)
class Query:
    """A statement that somebody asks for its rows."""

    sql: str
    folder: str  # where the rows go
    most_rows: int
    most_bytes: int


@dataclass(frozen=True)
class Answer:
    """What came of it: rows, or a question that the catalogue answers."""

    result: ResultFiles | None
    reads: tuple[str, ...] = ()  # ids of tables
    lineage: tuple[ColumnEdge, ...] = ()
    question: Any = None  # SHOW TABLES and the like, as the gate read it


@dataclass(frozen=True)
class TableLook:
    """Some rows of a table as it is or was."""

    location: str
    version: int | None
    folder: str
    rows: int
    most_bytes: int


@dataclass(frozen=True)
class Expectation:
    """What a pipeline query expects of its rows, and whether it stops when it is not met."""

    kind: Literal["not_null", "unique", "accepted_values", "range", "row_count", "freshness"]
    column: str | None = None  # none: of the rows as a whole
    stop: bool = False
    values: tuple[Any, ...] = ()
    least: float | str | None = None
    most: float | str | None = None
    minutes: int | None = None


@dataclass(frozen=True)
class Checked:
    """How an expectation was met."""

    expectation: Expectation
    met: bool | None  # None: not known, the attempt that wrote the rows was lost
    found: str = ""  # in a few words: 3 rows are NULL


@dataclass(frozen=True)
class DryRun:
    """A statement that is read and analysed and not executed."""

    sql: str
    output_location: str | None = None  # of the table it would write, if that exists
    mode: Mode | None = None
    keys: tuple[str, ...] = ()
    replace_schema: bool = False
    expectations: tuple[Expectation, ...] = ()


@dataclass(frozen=True)
class Analysed:
    """What a statement reads and gives."""

    reads: tuple[str, ...]
    columns: tuple[Column, ...]
    lineage: tuple[ColumnEdge, ...] = ()
    changes: tuple[str, ...] = ()  # to the output table's columns, in words
    problem: Mapping[str, str] | None = None  # why it could not be written: code, message, fix


@dataclass(frozen=True)
class PipelineQuery:
    """A statement whose rows go into a table."""

    sql: str
    location: str
    app_id: str
    version: int
    mode: Mode
    keys: tuple[str, ...] = ()
    replace_schema: bool = False
    expectations: tuple[Expectation, ...] = ()


@dataclass(frozen=True)
class QueryWritten:
    """What a pipeline query wrote."""

    written: Written
    reads: tuple[str, ...]
    lineage: tuple[ColumnEdge, ...]
    checks: tuple[Checked, ...] = field(default=())
