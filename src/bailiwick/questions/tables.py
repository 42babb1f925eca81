"""The documents' tables, read off the literals: for the role-matrix screen, the command line and programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from bailiwick.access.compiled import condition_in_words
from bailiwick.access.facts import Condition
from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.shapes import AccessTable, Actions, Ladder, RoleMatrix, Table
from bailiwick.errors import NotFound

InWords = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Cell:
    """What one cell allows: actions where the columns are circumstances, a tick where the row is an action."""

    allowed: bool
    actions: Sequence[str] = ()
    only_if: InWords = field(default_factory=dict)


@dataclass(frozen=True)
class Heading:
    name: str
    when: InWords


@dataclass(frozen=True)
class Line:
    name: str
    listed: bool  # whether the document lists the row, or states it in a sentence
    when: InWords
    cells: Sequence[Cell]


@dataclass(frozen=True)
class Shown:
    """One table as people read it."""

    document: str
    page: str
    name: str
    governs: Sequence[str]  # the resource types it decides about
    rows_are: str  # "who" or "actions"
    actions: Sequence[str]
    columns: Sequence[Heading]
    rows: Sequence[Line]


@cache
def all_tables() -> tuple[Shown, ...]:
    """Every table once, in the order of the resource types."""
    governs: dict[int, list[str]] = {}
    found: dict[int, Table] = {}
    for resource_type in RESOURCE_TYPES.values():
        for table in resource_type.tables:
            found[id(table)] = table
            governs.setdefault(id(table), []).append(resource_type.name)
    return tuple(_show(table, governs[key]) for key, table in found.items())


def on_page(page: str) -> list[Shown]:
    """The tables of a page, `spaces`, or of one heading on it, `spaces/data-space`."""
    wanted = page.strip("/").replace("/", "#", 1)
    found = [table for table in all_tables() if wanted in (table.page, table.page.partition("#")[0])]
    if not found:
        raise NotFound("table")
    return found


def _show(table: Table, governs: Sequence[str]) -> Shown:
    assert isinstance(table, AccessTable | RoleMatrix | Ladder)
    columns = [Heading(column.name, condition_in_words(column.when)) for column in table.columns]
    rows_are = "who" if isinstance(table, AccessTable) else "actions"
    return Shown(
        table.document, table.page, table.name, tuple(governs), rows_are, table.all_actions(), columns, _lines(table)
    )


def _lines(table: AccessTable | RoleMatrix | Ladder) -> list[Line]:
    if isinstance(table, AccessTable):
        return [
            Line(row.who, listed, condition_in_words(row.when), [_holds(table, cell) for cell in row.cells])
            for rows, listed in ((table.unlisted, False), (table.rows, True))
            for row in rows
        ]
    if isinstance(table, RoleMatrix):
        return [Line(action, True, {}, [_tick(cell) for cell in cells]) for action, cells in table.rows.items()]
    names = [column.name for column in table.columns]
    return [
        Line(action, True, {}, [Cell(position >= names.index(lowest)) for position in range(len(names))])
        for action, lowest in table.rows.items()
    ]


def _holds(table: AccessTable, cell: Actions) -> Cell:
    return Cell(bool(cell), tuple(action for action in table.actions if action in cell))


def _tick(cell: bool | Condition) -> Cell:
    return Cell(True, (), condition_in_words(cell)) if isinstance(cell, Condition) else Cell(cell)
