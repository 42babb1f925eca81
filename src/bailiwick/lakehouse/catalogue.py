"""Names to tables, for whoever asks: what statements may read, and what SHOW and DESCRIBE tell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy import select
from sqlalchemy.orm import Session

from bailiwick.access.world.placing import Placed
from bailiwick.database.listing import page_by_name
from bailiwick.lakehouse.models import Layer, Table
from bailiwick.lakehouse.seeing_data import SEE_LAYERS, page_seen, ways_to_see_layers
from bailiwick.lakehouse.standing import on_layers, on_things
from bailiwick.runs.errors import Hidden, RunProblem
from bailiwick.settings import Settings
from bailiwick.spark.jobs import Column, Name, TableRef
from bailiwick.tenancy.caller import Caller

READ = "Execute queries"
AT_ONCE, MOST_TOLD = 1000, 10_000


def table_location(settings: Settings, table: Table) -> str:
    """Where the table's files lie, as Spark is told."""
    return f"{settings.warehouse.rstrip('/')}/{table.location}"


def resolve(session: Session, caller: Caller, names: Sequence[Name], settings: Settings) -> dict[Name, TableRef]:
    """The tables behind these names of a statement that the caller may read; all others are left out."""
    return {
        name: TableRef(str(table.id), layer.name, table.name, table_location(settings, table))
        for name, (layer, table) in readable(session, caller, names).items()
    }


def readable(session: Session, caller: Caller, names: Sequence[Name]) -> dict[Name, tuple[Layer, Table]]:
    """The tables behind these names that the caller may read."""
    found = _named(session, caller, names)
    return {name: (layer, table) for name, (layer, table, placed) in found.items() if placed.allows(caller.id, READ)}


def hidden(session: Session, caller: Caller, names: Sequence[Name]) -> list[Hidden]:
    """The tables behind these names that the caller may not read: for the record, for to them nothing is there."""
    found = {table.id: (layer, table, placed) for layer, table, placed in _named(session, caller, names).values()}
    decided = (
        Hidden(table.id, f"{layer.name}.{table.name}", placed.check(caller.id, READ))
        for layer, table, placed in found.values()
    )
    return [one for one in decided if not one.decision.allowed]


def _named(session: Session, caller: Caller, names: Sequence[Name]) -> dict[Name, tuple[Layer, Table, Placed]]:
    """The tables behind these names, and how the caller stands towards them.

    What is hidden costs the same questions to the database as what is not there, so that nobody can tell them apart
    with a watch."""
    wanted = {name: (name[0].lower(), name[1].lower()) for name in names if len(name) == 2}
    layers = {
        layer.name: layer
        for layer in session.scalars(select(Layer).where(Layer.name.in_({layer for layer, _ in wanted.values()})))
    }
    found = select(Table).where(
        Table.layer_id.in_([layer.id for layer in layers.values()]),
        Table.name.in_({table for _, table in wanted.values()}),
    )
    tables = {(table.layer_id, table.name): table for table in session.scalars(found)}
    placed = on_things(session, caller, list(tables.values()))
    answer: dict[Name, tuple[Layer, Table, Placed]] = {}
    for name, (layer_name, table_name) in wanted.items():
        layer = layers.get(layer_name)
        table = tables.get((layer.id, table_name)) if layer else None
        if layer and table:
            answer[name] = layer, table, placed[table.id]
    return answer


# SHOW and DESCRIBE ---------------------------------------------------------------------------------------------------


class Question(Protocol):
    """What SHOW or DESCRIBE asks, as the gate read it: of a layer, of layer and table, or of everything."""

    @property
    def kind(self) -> str: ...
    @property
    def name(self) -> Name: ...
    @property
    def like(self) -> str | None: ...
    @property
    def limit(self) -> int | None: ...


@dataclass(frozen=True)
class Told:
    """An answer, in the form of a query's result."""

    columns: tuple[Column, ...]
    rows: list[tuple[Any, ...]]


def answer_question(session: Session, caller: Caller, question: Question) -> Told:
    """What the catalogue knows, as far as the caller may see it; what they may not see is not there."""
    answers: Mapping[str, Callable[[], Told]] = {
        "layers": lambda: _layers(session, caller, question),
        "tables": lambda: _tables(session, caller, question),
        "columns": lambda: _columns(_table(session, caller, question.name)),
        "table": lambda: _described(_table(session, caller, question.name)),
        "history": lambda: _history(_table(session, caller, question.name)),
    }
    told = answers[question.kind]()
    return Told(told.columns, told.rows[: question.limit])


def _layers(session: Session, caller: Caller, question: Question) -> Told:
    fits = _fits(question.like)
    ways = ways_to_see_layers(session, caller)
    layers = page_by_name(session, Layer, None, MOST_TOLD, ways=ways).items
    rows = [(layer.name, layer.description) for layer in layers if fits(layer.name)]
    return Told((Column("layer", "string", False), Column("description", "string")), rows)


def _tables(session: Session, caller: Caller, question: Question) -> Told:
    layer = _layer(session, caller, question.name[0]) if question.name else None
    fits = _fits(question.like)
    layers = {row.id: row.name for row in session.scalars(select(Layer))}
    rows = [
        (layers[table.layer_id], table.name, table.description)
        for table in _every_table(session, caller, layer)
        if fits(table.name)
    ]
    heads = (Column("layer", "string", False), Column("table", "string", False), Column("description", "string"))
    return Told(heads, rows[:MOST_TOLD])


def _every_table(session: Session, caller: Caller, layer: Layer | None) -> Iterator[Table]:
    cursor = None
    for _ in range(MOST_TOLD // AT_ONCE):
        page = page_seen(session, caller, Table, cursor, AT_ONCE, layer_id=layer.id if layer else None)
        yield from page.items
        cursor = page.next_cursor
        if cursor is None:
            return


def _layer(session: Session, caller: Caller, name: str) -> Layer:
    layer = session.scalars(select(Layer).where(Layer.name == name.lower())).one_or_none()
    placed = on_layers(session, caller, [layer] if layer else [])
    behind = [Hidden(layer.id, layer.name, placed[layer.id].check(caller.id, SEE_LAYERS))] if layer else []
    if layer is None or not behind[0].decision.allowed:
        fix = "SHOW SCHEMAS lists the layers you may see."
        raise RunProblem("layer_not_found", f"Layer not found: {name}.", fix, refused=True, hidden=behind)
    return layer


def _table(session: Session, caller: Caller, name: Name) -> Table:
    """In the words in which the statement gate speaks of a table that is not there."""
    found = readable(session, caller, [name])
    if name not in found:
        behind = hidden(session, caller, [name])
        raise RunProblem("table_not_found", f"Table not found: {'.'.join(name)}.", refused=True, hidden=behind)
    return found[name][1]


def _columns(table: Table) -> Told:
    return Told((Column("col_name", "string", False),), [(column["name"],) for column in table.columns])


def _described(table: Table) -> Told:
    said = table.field_descriptions
    heads = (Column("col_name", "string", False), Column("data_type", "string", False), Column("comment", "string"))
    return Told(heads, [(one["name"], one["type"], said.get(one["name"])) for one in table.columns])


def _history(table: Table) -> Told:
    raise RunProblem(
        "history",
        "A table's versions are no rows to query.",
        f"List them with: bailiwick tables versions {table.name}",
    )


def _fits(like: str | None) -> Callable[[str], bool]:
    """A pattern of SHOW: * stands for anything, | separates alternatives."""
    if like is None:
        return lambda name: True
    alternatives = (".*".join(map(re.escape, one.strip().split("*"))) for one in like.split("|"))
    pattern = re.compile("|".join(f"(?:{one})" for one in alternatives), re.IGNORECASE)
    return lambda name: pattern.fullmatch(name) is not None
