"""Mutates every literal, one change at a time, and counts the mutants that the second reading of the documents finds.

Run `python -m tests.access.mutation` for the score of each table and the list of equivalent mutants."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fnmatch import fnmatchcase
from functools import cache, reduce
from itertools import combinations
from operator import or_
from typing import Any, TypeVar

from bailiwick.access.compiled import ResourceType
from bailiwick.access.facts import Condition, Fact
from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.shapes import AccessTable, Actions, Column, Ladder, RoleMatrix, Row, Table
from tests.access.oracle import cedar
from tests.access.oracle.reachable import reachable

Anything = TypeVar("Anything")


@dataclass(frozen=True, eq=False)
class Mutant:
    """One table with one change."""

    table: Table
    change: str
    mutated: Table

    @property
    def name(self) -> str:
        return f"{name_of(self.table)} | {self.change}"


# Making mutants ------------------------------------------------------------------------------------------------------


def mutants(table: Table) -> Iterator[Mutant]:
    """Every change of one cell, row, condition or column."""
    for change, mutated in _changes(table):
        yield Mutant(table, change, mutated)


def _changes(table: Table) -> Iterator[tuple[str, Table]]:
    match table:
        case RoleMatrix():
            yield from _ticks(table)
            yield from _without_rows(table)
            yield from _columns(table)
        case Ladder():
            yield from _steps(table)
            yield from _without_rows(table)
            yield from _columns(table)
        case AccessTable():
            yield from _cells(table)
            yield from _rows(table)
            yield from _columns(table)
        case _:
            raise TypeError(f"No mutants are known for the shape of {table.name}")


def _ticks(table: RoleMatrix) -> Iterator[tuple[str, Table]]:
    """Flip every tick; a tick with a condition loses the condition, and loses the tick."""
    for action, cells in table.rows.items():
        for position, cell in enumerate(cells):
            where = f"{action} × {table.columns[position].name}"
            if isinstance(cell, Condition):
                yield f"{where}: always", _with_row(table, action, _with(cells, position, True))
                yield f"{where}: never", _with_row(table, action, _with(cells, position, False))
            else:
                flipped = _with(cells, position, not cell)
                yield f"{where}: {'unticked' if cell else 'ticked'}", _with_row(table, action, flipped)


def _steps(table: Ladder) -> Iterator[tuple[str, Table]]:
    """Move every action one step up and one step down."""
    names = [column.name for column in table.columns]
    for action, lowest in table.rows.items():
        for step in (names.index(lowest) - 1, names.index(lowest) + 1):
            if 0 <= step < len(names):
                yield f"{action}: from {names[step]}", replace(table, rows={**table.rows, action: names[step]})


def _cells(table: AccessTable) -> Iterator[tuple[str, Table]]:
    """Take each granted action out of each cell, and put each missing one in."""
    for row, put in _every_row(table):
        for position, cell in enumerate(row.cells):
            where = f"{row.who} × {table.columns[position].name}"
            for action in table.actions:
                other: Actions = cell ^ {action}
                change = f"{where}: {'without' if action in cell else 'with'} {action}"
                yield change, put(replace(row, cells=_with(row.cells, position, other)))


def _rows(table: AccessTable) -> Iterator[tuple[str, Table]]:
    """Drop each row, and loosen and tighten what it takes to stand on it."""
    for row, put in _every_row(table):
        yield f"{row.who}: dropped", put(None)
        for change, when in _conditions(row.when):
            yield f"{row.who}: {change}", put(replace(row, when=when))


def _without_rows(table: RoleMatrix | Ladder) -> Iterator[tuple[str, Table]]:
    for action in table.rows:
        changed: dict[str, Any] = {"rows": {other: cells for other, cells in table.rows.items() if other != action}}
        yield f"{action}: dropped", replace(table, **changed)


def _columns(table: RoleMatrix | Ladder | AccessTable) -> Iterator[tuple[str, Table]]:
    """Loosen and tighten what each column asks, and let every two columns change places."""
    for position, column in enumerate(table.columns):
        for change, when in _conditions(column.when):
            columns = _with(table.columns, position, Column(column.name, when))
            yield f"column {column.name}: {change}", replace(table, columns=columns)
    for (here, one), (there, other) in combinations(enumerate(table.columns), 2):
        if _says(one.when) != _says(other.when):
            columns = _with(table.columns, here, Column(one.name, other.when))
            columns = _with(columns, there, Column(other.name, one.when))
            yield f"columns {one.name} and {other.name}: swapped", replace(table, columns=columns)


def _conditions(when: Condition) -> Iterator[tuple[str, Condition]]:
    """Drop each fact; of facts with more than two values, also accept one value more and one value fewer."""
    for fact, accepted in when.accepted.items():
        others = {f: values for f, values in when.accepted.items() if f is not fact}
        yield f"whatever the {fact.name}", Condition(others)
        if len(fact.values) > 2:
            for value, name in enumerate(fact.values):
                changed = accepted ^ {value}
                if changed and len(changed) < len(fact.values):
                    change = f"{'also' if value in changed else 'not'} with {fact.name} {name}"
                    yield change, Condition({**others, fact: changed})


def _says(when: Condition) -> Mapping[Fact, frozenset[int]]:
    return dict(when.accepted)


def _every_row(table: AccessTable) -> Iterator[tuple[Row, _Put]]:
    for name in ("unlisted", "rows"):
        rows: tuple[Row, ...] = getattr(table, name)
        for position, row in enumerate(rows):
            yield row, _Put(table, name, position)


@dataclass(frozen=True)
class _Put:
    """Puts another row, or none, into a table in place of one."""

    table: AccessTable
    name: str
    position: int

    def __call__(self, row: Row | None) -> AccessTable:
        rows: tuple[Row, ...] = getattr(self.table, self.name)
        before, after = rows[: self.position], rows[self.position + 1 :]
        changed: dict[str, Any] = {self.name: (*before, *((row,) if row else ()), *after)}
        return replace(self.table, **changed)


def _with(items: tuple[Anything, ...], position: int, item: Anything) -> tuple[Anything, ...]:
    return (*items[:position], item, *items[position + 1 :])


def _with_row(table: RoleMatrix, action: str, cells: tuple[bool | Condition, ...]) -> Table:
    return replace(table, rows={**table.rows, action: cells})


# Judging them: for each action one number, with a bit for each combination of facts that allows it

Allowed = Mapping[str, int]


class Judge:
    """Knows what the second reading allows on a resource type, and tells whether a table still says the same."""

    def __init__(self, resource_type: ResourceType) -> None:
        self.type = resource_type
        self._with_value: dict[Fact, list[int]] = {fact: [0] * len(fact.values) for fact in resource_type.facts}
        for index in range(resource_type.size):
            for fact, value in resource_type.unpack(index).items():
                self._with_value[fact][value] |= 1 << index
        self._everything = (1 << resource_type.size) - 1
        self._reachable = sum(1 << index for index in reachable(resource_type))
        self._oracle = self._by_action(cedar.verdicts(resource_type))
        self._by_table = {id(table): self.allowed_by(table) for table in resource_type.tables}

    def allowed_by(self, table: Table) -> Allowed:
        found = dict.fromkeys(self.type.actions, 0)
        for rule in table.rules():
            for action in rule.grants & found.keys():
                found[action] |= self._where(rule.when)
        return found

    def _where(self, when: Condition) -> int:
        where = self._everything
        for fact, accepted in when.accepted.items():
            where &= reduce(or_, (self._with_value[fact][value] for value in accepted), 0)
        return where

    def _by_action(self, masks: Iterable[int]) -> Allowed:
        found = dict.fromkeys(self.type.actions, 0)
        for index, mask in enumerate(masks):
            for action in self.type.names_of(mask):
                found[action] |= 1 << index
        return found

    def _together(self, mutant: Mutant | None = None) -> Allowed:
        """What all tables of the type allow, the mutant in the place of its original."""
        every = [
            self.allowed_by(mutant.mutated) if mutant and table is mutant.table else self._by_table[id(table)]
            for table in self.type.tables
        ]
        return {action: reduce(or_, (allowed[action] for allowed in every)) for action in self.type.actions}

    def finds(self, mutant: Mutant | None = None) -> bool:
        """Whether it differs from the second reading on a combination of facts that can occur."""
        together = self._together(mutant)
        return any((together[action] ^ allowed) & self._reachable for action, allowed in self._oracle.items())

    def is_like_the_original(self, mutant: Mutant, everywhere: bool) -> bool:
        """Whether it changes no decision, be it on combinations of facts that can occur or on any others too."""
        where = self._everything if everywhere else self._reachable
        now, then = self._together(), self._together(mutant)
        return not any((now[action] ^ then[action]) & where for action in now)

    def reads_the_tables_as_compiled(self) -> bool:
        return self._together() == self._by_action(self.type.masks)


@cache
def judges() -> tuple[Judge, ...]:
    return tuple(Judge(resource_type) for resource_type in RESOURCE_TYPES.values())


@cache
def tables() -> Mapping[str, Table]:
    """Every literal once, named by the first resource type it governs."""
    found: dict[str, Table] = {}
    for resource_type in RESOURCE_TYPES.values():
        for table in resource_type.tables:
            if not any(table is known for known in found.values()):
                found[f"{resource_type.name} / {table.name}"] = table
    return found


def name_of(table: Table) -> str:
    return next(name for name, known in tables().items() if known is table)


# Equivalent mutants --------------------------------------------------------------------------------------------------


class Covered(Enum):
    """Why a change can make no difference; worked out, and not taken from the explanation."""

    SAME_TABLE = "by the same table"
    OTHER_TABLE = "by another table of the same type"
    UNREACHABLE = "these facts cannot occur together"


@dataclass(frozen=True)
class Family:
    """Mutants that are equivalent for one reason, which a person has written down."""

    covered: Covered
    mutants: str  # their names, with asterisks
    reason: str

    def explains(self, mutant: Mutant, by: Covered) -> bool:
        return by is self.covered and fnmatchcase(mutant.name, self.mutants)


def _concerned(mutant: Mutant) -> list[Judge]:
    return [judge for judge in judges() if any(table is mutant.table for table in judge.type.tables)]


def is_killed(mutant: Mutant) -> bool:
    """Whether the second reading differs from it, on any type that the table governs."""
    return any(judge.finds(mutant) for judge in _concerned(mutant))


def covered(mutant: Mutant) -> Covered | None:
    """For a mutant that changes no decision, what covers the change; nothing for one that changes any."""
    concerned = _concerned(mutant)
    if all(judge.allowed_by(mutant.mutated) == judge.allowed_by(mutant.table) for judge in concerned):
        return Covered.SAME_TABLE
    if all(judge.is_like_the_original(mutant, everywhere=True) for judge in concerned):
        return Covered.OTHER_TABLE
    if all(judge.is_like_the_original(mutant, everywhere=False) for judge in concerned):
        return Covered.UNREACHABLE
    return None


# Reporting -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Score:
    """How the mutants of one table fared."""

    table: str
    killed: tuple[Mutant, ...]
    equivalent: Mapping[Mutant, Covered]
    survived: tuple[Mutant, ...]  # they change a decision, and the second reading did not notice

    @property
    def total(self) -> int:
        return len(self.killed) + len(self.equivalent) + len(self.survived)


@cache
def scores() -> tuple[Score, ...]:
    return tuple(_score(name, table) for name, table in tables().items())


def _score(name: str, table: Table) -> Score:
    every = list(mutants(table))
    killed = tuple(mutant for mutant in every if is_killed(mutant))
    equivalent = {mutant: by for mutant in every if (by := covered(mutant)) is not None}
    survived = tuple(mutant for mutant in every if mutant not in killed and mutant not in equivalent)
    return Score(name, killed, equivalent, survived)


def report(families: Sequence[Family]) -> str:
    """The score of each table, then each family of equivalent mutants with its reason."""
    width = max(len(score.table) for score in scores())
    lines = [f"{'table':{width}}   killed  survived  equivalent  mutants"]
    for score in scores():
        counts = f"{len(score.killed):8} {len(score.survived):9} {len(score.equivalent):11} {score.total:8}"
        lines.append(f"{score.table:{width}} {counts}")
    killed, survived = (sum(len(getattr(score, what)) for score in scores()) for what in ("killed", "survived"))
    total = sum(score.total for score in scores())
    lines.append(f"{'all':{width}} {killed:8} {survived:9} {total - killed - survived:11} {total:8}")
    lines.append(
        f"\n{killed} of {killed + survived} mutants that change a decision were killed. The others are equivalent:"
    )
    by_family: dict[Family | None, list[Mutant]] = {}
    for mutant, by in ((mutant, by) for score in scores() for mutant, by in score.equivalent.items()):
        by_family.setdefault(explanation(mutant, by, families), []).append(mutant)
    for family, members in by_family.items():
        why = f"{family.reason} (covered: {family.covered.value})" if family else "UNEXPLAINED"
        lines.append(f"\n{len(members):4}  {why}")
        lines += [f"        {mutant.name}" for mutant in members]
    return "\n".join(lines)


def explanation(mutant: Mutant, by: Covered, families: Sequence[Family]) -> Family | None:
    return next((family for family in families if family.explains(mutant, by)), None)


def main() -> None:
    from tests.access import mutation, test_mutation  # not this file, which runs under another name

    print(mutation.report(test_mutation.FAMILIES))


if __name__ == "__main__":
    main()
