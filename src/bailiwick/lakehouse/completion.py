"""Completion: the layers, tables and columns that fit what somebody has begun to type, of those they may see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from bailiwick.database.listing import page_by_name
from bailiwick.lakehouse.catalogue import readable
from bailiwick.lakehouse.models import Layer, Table
from bailiwick.lakehouse.seeing_data import page_seen, ways_to_see_layers
from bailiwick.tenancy.caller import Caller

LAST = "\U0010ffff"  # after every character


@dataclass(frozen=True)
class Offer:
    """One way to go on: what would stand there, and what is said of it."""

    kind: Literal["layer", "table", "column"]
    text: str
    type: str  # of a column
    description: str


def complete(session: Session, caller: Caller, prefix: str, tables: Sequence[str] = (), limit: int = 50) -> list[Offer]:
    """What fits: columns of the tables that the statement names already, then layers and tables, by name."""
    return list(islice(_offers(session, caller, prefix.strip().lower(), tables, limit), limit))


def _offers(session: Session, caller: Caller, prefix: str, named: Sequence[str], limit: int) -> Iterator[Offer]:
    *before, begun = prefix.split(".")
    if len(before) == 2:
        yield from _columns(session, caller, [".".join(before)], begun, f"{before[0]}.{before[1]}.")
        return
    if not before:
        yield from _columns(session, caller, named, begun, "")
        layers = page_by_name(
            session, Layer, None, limit, *begins(Layer.name, begun), ways=ways_to_see_layers(session, caller)
        )
        yield from (Offer("layer", layer.name, "", layer.description) for layer in layers.items)
    if len(before) <= 1:
        yield from _tables(session, caller, before, begun, limit)


def _tables(session: Session, caller: Caller, layer: Sequence[str], begun: str, limit: int) -> Iterator[Offer]:
    within = None
    if layer:
        within = session.scalars(select(Layer.id).where(Layer.name == layer[0])).one_or_none()
        if within is None:
            return
    found = page_seen(
        session, caller, Table, None, limit, layer_id=within, fits=lambda table: begins(table.name, begun)
    ).items
    ids = {table.layer_id for table in found}
    names = dict(session.execute(select(Layer.id, Layer.name).where(Layer.id.in_(ids))).all())
    yield from (Offer("table", f"{names[one.layer_id]}.{one.name}", "", one.description) for one in found)


def _columns(session: Session, caller: Caller, named: Sequence[str], begun: str, in_front: str) -> Iterator[Offer]:
    names = [tuple(name.lower().split(".")) for name in named]
    told: set[str] = set()
    for _, table in readable(session, caller, names).values():
        for column in table.columns:
            if column["name"].lower().startswith(begun) and column["name"] not in told:
                told.add(column["name"])
                said = table.field_descriptions.get(column["name"], "")
                yield Offer("column", f"{in_front}{column['name']}", column["type"], said)


def begins(name: InstrumentedAttribute[str], begun: str) -> list[ColumnElement[bool]]:
    """One range of the index, in which everything that begins so stands together."""
    return [name >= begun, name < begun + LAST] if begun else []
