"""Lineage of a table: which tables and columns it comes from and goes into, through pipelines the caller may see."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from bailiwick.lakehouse.models import Layer, Pipeline, Table
from bailiwick.lakehouse.seeing_data import SEE_TABLES
from bailiwick.lakehouse.standing import on_pipelines, on_things
from bailiwick.lakehouse.tables import find_table
from bailiwick.runs.models import LineageEdge
from bailiwick.tenancy.caller import Caller

MOST_EDGES = 10_000  # of columns, at one step


@dataclass(frozen=True)
class Flow:
    """One table goes into another, through a pipeline; column by column where that is known."""

    from_table: UUID
    to_table: UUID
    pipeline: Pipeline
    columns: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Lineage:
    """Tables by id, with the names of their layers, and what flows between them."""

    tables: dict[UUID, tuple[Table, str]]
    flows: Sequence[Flow]


def lineage_of(session: Session, caller: Caller, table_id: UUID, *, up: int = 1, down: int = 1) -> Lineage:
    """So many steps up and down from a table. What goes through a table or a pipeline that the caller may not see is
    left out, and the way ends there."""
    table, _ = find_table(session, caller, table_id)
    seen: dict[UUID, Table] = {table.id: table}
    flows: dict[tuple[UUID, UUID, UUID], Flow] = {}
    for steps, upwards in ((up, True), (down, False)):
        frontier: set[UUID] = {table.id}
        for _ in range(steps):
            found = _step(session, caller, frontier, seen, upwards)
            flows |= {(flow.from_table, flow.to_table, flow.pipeline.id): flow for flow in found}
            reached = {flow.from_table if upwards else flow.to_table for flow in found}
            frontier = reached - frontier
            if not frontier:
                break
    layers = {table.layer_id for table in seen.values()}
    names = dict(session.execute(select(Layer.id, Layer.name).where(Layer.id.in_(layers))).all())
    shown = {id_ for flow in flows.values() for id_ in (flow.from_table, flow.to_table)} | {table.id}
    tables = {id_: (one, names[one.layer_id]) for id_, one in seen.items() if id_ in shown}
    return Lineage(tables, list(flows.values()))


def _step(
    session: Session, caller: Caller, frontier: Collection[UUID], seen: dict[UUID, Table], upwards: bool
) -> list[Flow]:
    here, there = LineageEdge.to_table_id, LineageEdge.from_table_id
    if not upwards:
        here, there = there, here
    found = select(LineageEdge).where(here.in_(frontier), there.is_not(None), LineageEdge.subject_type == "pipeline")
    edges = session.scalars(found.order_by(LineageEdge.id).limit(MOST_EDGES)).all()
    pipelines = _seen_pipelines(session, caller, {edge.subject_id for edge in edges})
    _look_at(session, caller, {id_ for edge in edges for id_ in (edge.from_table_id, edge.to_table_id) if id_}, seen)
    flows: dict[tuple[UUID, UUID, UUID], Flow] = {}
    columns: dict[tuple[UUID, UUID, UUID], set[tuple[str, str]]] = defaultdict(set)
    for edge in edges:
        start, end = edge.from_table_id, edge.to_table_id
        if start is None or end is None or start not in seen or end not in seen or edge.subject_id not in pipelines:
            continue
        key = start, end, edge.subject_id
        if key not in flows:
            flows[key] = Flow(start, end, pipelines[edge.subject_id])
        if edge.from_column and edge.to_column:
            columns[key].add((edge.from_column, edge.to_column))
    for key, flow in flows.items():
        flow.columns.extend(sorted(columns[key]))
    return list(flows.values())


def _seen_pipelines(session: Session, caller: Caller, ids: Collection[UUID]) -> dict[UUID, Pipeline]:
    pipelines = session.scalars(select(Pipeline).where(Pipeline.id.in_(ids))).all()
    placed = on_pipelines(session, caller, pipelines)
    return {one.id: one for one in pipelines if placed[one.id].allows(caller.id, "See pipelines")}


def _look_at(session: Session, caller: Caller, ids: Collection[UUID], seen: dict[UUID, Table]) -> None:
    tables = session.scalars(select(Table).where(Table.id.in_(set(ids) - seen.keys()))).all()
    placed = on_things(session, caller, tables)
    seen |= {table.id: table for table in tables if placed[table.id].allows(caller.id, SEE_TABLES)}
