"""The three shapes a permission table can have; each unfolds into rules, cell by cell."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from bailiwick.access.facts import ALWAYS, Condition, Fact

Actions = frozenset[str]
NOTHING: Actions = frozenset()


def actions(*names: str) -> Actions:
    return frozenset(names)


@dataclass(frozen=True)
class Rule:
    """One cell: whoever meets the condition may do the actions."""

    table: Table
    row: str
    column: str
    when: Condition
    grants: Actions
    speaks_of: Actions  # the actions this cell gives an answer about, granted or not


@dataclass(frozen=True)
class Column:
    name: str
    when: Condition = ALWAYS


@dataclass(frozen=True)
class Row:
    """Who stands here, and what they may do in each column."""

    who: str
    when: Condition
    cells: tuple[Actions, ...]


@dataclass(frozen=True, kw_only=True)
class Table(ABC):
    """What every shape has: the document it belongs to and the page that shows it."""

    document: str
    page: str
    name: str

    @abstractmethod
    def rules(self) -> Iterator[Rule]:
        """Every cell, in reading order."""

    @abstractmethod
    def all_actions(self) -> tuple[str, ...]:
        """Every action the table speaks of, in reading order."""


@dataclass(frozen=True, kw_only=True)
class AccessTable(Table):
    """Who × availability: rows say who, columns which toggles are on, cells hold action sets."""

    actions: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    unlisted: tuple[Row, ...] = ()  # rows the document states in a sentence above its tables

    def rules(self) -> Iterator[Rule]:
        rows = (*self.unlisted, *self.rows)
        for row in rows:
            for position, (column, cell) in enumerate(zip(self.columns, row.cells, strict=True)):
                # A column that is always there is about its own actions only: "Can see" says nothing about editing.
                here = self.actions if column.when.accepted else {a for other in rows for a in other.cells[position]}
                yield Rule(self, row.who, column.name, row.when & column.when, cell, frozenset(here))

    def all_actions(self) -> tuple[str, ...]:
        return self.actions


@dataclass(frozen=True, kw_only=True)
class RoleMatrix(Table):
    """Action × role: a cell is a tick, or the condition under which it is one."""

    columns: tuple[Column, ...]
    rows: Mapping[str, tuple[bool | Condition, ...]]

    def rules(self) -> Iterator[Rule]:
        for action, cells in self.rows.items():
            for column, cell in zip(self.columns, cells, strict=True):
                when = column.when & cell if isinstance(cell, Condition) else column.when
                yield Rule(self, action, column.name, when, actions(action) if cell else NOTHING, actions(action))

    def all_actions(self) -> tuple[str, ...]:
        return tuple(self.rows)


@dataclass(frozen=True, kw_only=True)
class Ladder(Table):
    """Action × level: each action names the lowest column that may do it; every column after it may too."""

    columns: tuple[Column, ...]
    rows: Mapping[str, str]

    def rules(self) -> Iterator[Rule]:
        names = [column.name for column in self.columns]
        for action, lowest in self.rows.items():
            for position, column in enumerate(self.columns):
                granted = actions(action) if position >= names.index(lowest) else NOTHING
                yield Rule(self, action, column.name, column.when, granted, actions(action))

    def all_actions(self) -> tuple[str, ...]:
        return tuple(self.rows)


def flags(facts: Mapping[str, Fact]) -> tuple[Column, ...]:
    """A column for each yes/no fact, in order."""
    return tuple(Column(name, fact.yes) for name, fact in facts.items())


def values(fact: Fact, names: Iterable[str]) -> tuple[Column, ...]:
    """A column for each named value of a fact, in order."""
    return tuple(Column(name, fact.is_(name)) for name in names)
