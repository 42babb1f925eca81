"""What is handed to Spark and what comes back, as plain data, and what work may ask of whoever runs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Name = tuple[str, ...]  # the parts of a name in a statement, as Spark's parser reads them


@dataclass(frozen=True)
class TableRef:
    """A lakehouse table, with what it takes to read it."""

    id: str
    layer: str
    name: str
    location: str
    version: int | None = None  # a version of the past; None: as it is now


@dataclass(frozen=True)
class Column:
    """A column of a table or of a result; the type in Spark's own words."""

    name: str
    type: str
    nullable: bool = True


@dataclass(frozen=True)
class ColumnEdge:
    """A column of a result comes from this column of a table."""

    from_table_id: str
    from_column: str
    to_column: str


@dataclass(frozen=True)
class Written:
    """What a writer committed to a table, now or, when this run was tried before, back then."""

    location: str
    delta_version: int
    rows_written: int  # added, changed and removed by this commit
    rows: int | None  # in the table since then; None: not counted
    bytes: int
    columns: tuple[Column, ...]
    metadata: Mapping[str, Any]  # as it was handed over with the commit
    again: bool = False  # an earlier attempt had committed it; nothing was written now


class Context(Protocol):
    """What work on Spark may ask of whoever runs it."""

    @property
    def run_id(self) -> str: ...

    def log(self, text: str, level: str = "info") -> None:
        """Put a line into the run's log."""

    def progress(
        self,
        *,
        rows_read: int | None = None,
        rows_written: int | None = None,
        stages_done: int | None = None,
        stages_total: int | None = None,
        note: str | None = None,
    ) -> None:
        """Say how far the work has come."""

    def executed(self, sql: str) -> None:
        """Keep a statement that was executed."""

    def resolve(self, names: Sequence[Name]) -> Mapping[Name, TableRef]:
        """The tables behind these names that the acting member may read; all others are left out."""

    def check(self) -> None:
        """Raise `Interrupted` if the run was cancelled, timed out or is no longer ours."""

    def confirm(self) -> None:
        """Decide once more, with the rights of this moment, right before what was done becomes visible."""
