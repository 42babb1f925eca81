"""Questions about what is stored in the lakehouse: found by id, and placed with the grants that reach some people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, false, or_, select
from sqlalchemy.orm import Session

from bailiwick.access.decision import require
from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.world import records
from bailiwick.access.world.people import World
from bailiwick.access.world.placing import place
from bailiwick.errors import NotFound
from bailiwick.lakehouse.models import (
    Grant,
    Layer,
    Pipeline,
    PipelineInput,
    PipelineKind,
    PipelineVolume,
    SavedQuery,
    SavedQueryRead,
    Stream,
    Table,
    Volume,
)
from bailiwick.lakehouse.queries.seeing import ways_to_see as ways_to_see_queries
from bailiwick.lakehouse.seeing_data import ways_to_see as ways_to_see_data
from bailiwick.lakehouse.seeing_data import ways_to_see_layers
from bailiwick.lakehouse.seeing_pipelines import ways_to_see as ways_to_see_pipelines
from bailiwick.lakehouse.standing import AS_IT_IS, Known, People, Supposed, pipelines_for, saved_queries_for, tenant_of
from bailiwick.tenancy.caller import Caller

Row = Layer | Table | Volume | Pipeline | SavedQuery
KINDS: Mapping[str, type[Row]] = {
    "layer": Layer,
    "table": Table,
    "volume": Volume,
    "pipeline": Pipeline,
    "integration": Pipeline,
    "saved_query": SavedQuery,
}
MOST = 200  # tables, volumes, pipelines and queries that one change is followed to, of each


def type_of(row: Row) -> str:
    if isinstance(row, Pipeline):
        return "integration" if row.kind == PipelineKind.INTEGRATION else "pipeline"
    return next(name for name, kind in KINDS.items() if type(row) is kind)


def is_of(type_: str) -> ColumnElement[bool]:
    """Of all pipelines, those that are integrations or those that are not."""
    integration = Pipeline.kind == PipelineKind.INTEGRATION
    return integration if type_ == "integration" else ~integration


def find_row(session: Session, caller: Caller, type_: str, id_: UUID) -> Row:
    """What is stored, if the caller may see it."""
    row = _get(session, KINDS[type_], id_)
    if row is None or type_of(row) != type_:
        raise NotFound(type_.replace("_", " "))
    record = records_of(session, [caller.standing], [row])[row.id]
    see = RESOURCE_TYPES[type_].see
    assert see is not None
    require(place(World([caller.standing], tenant_of(session)), record).check(caller.id, see))
    return row


def _get(session: Session, kind: type[Row], id_: UUID) -> Row | None:
    found: Any = session.get(kind, id_)
    row: Row | None = found
    return row


def ways_to_see(session: Session, caller: Caller, type_: str) -> list[ColumnElement[bool]]:
    """The ways that lead the caller to what they see of this type."""
    if type_ == "layer":
        return ways_to_see_layers(session, caller)
    if type_ in ("table", "volume"):
        return ways_to_see_data(session, caller, Table if type_ == "table" else Volume)
    return ways_to_see_queries(session, caller) if type_ == "saved_query" else ways_to_see_pipelines(session, caller)


def name_of(session: Session, row: Row) -> str:
    """As people write it: a table with its layer."""
    if isinstance(row, (Table, Volume)):
        return f"{session.get_one(Layer, row.layer_id).name}.{row.name}"
    return row.name


def records_of(
    session: Session, people: People, rows: Iterable[Row], supposed: Supposed = AS_IT_IS
) -> dict[UUID, records.Resource]:
    """What is stored as the access core sees it, with the grants that reach these people, read together."""
    by_kind: dict[type[Row], list[Row]] = defaultdict(list)
    for row in rows:
        by_kind[type(row)].append(row)
    layers = [row.id for row in by_kind[Layer]]
    things = [row for row in (*by_kind[Table], *by_kind[Volume]) if isinstance(row, (Table, Volume))]
    pipelines = [row for row in by_kind[Pipeline] if isinstance(row, Pipeline)]
    queries = [row for row in by_kind[SavedQuery] if isinstance(row, SavedQuery)]
    found: dict[UUID, records.Resource] = {}
    if layers or things:
        known = Known(session, people, things, layers, glimpses=True, supposed=supposed)
        found |= {id_: known.layer(id_) for id_ in layers}
        found |= {thing.id: known.thing(thing.id) for thing in things}
    if pipelines:
        found |= pipelines_for(session, people, pipelines, supposed)
    if queries:
        found |= saved_queries_for(session, people, queries, supposed)
    return found


# What a change of grants concerns ------------------------------------------------------------------------------------


def concerned_by(session: Session, caller: Caller, target: Layer | Table | Volume) -> list[Row]:
    """What a level on this counts for: itself, the layer around it or what lies in it, and what is made of that, as
    far as the caller sees it. What they do not see takes nothing of the room there is."""
    if isinstance(target, Layer):
        in_it = select(Table.id).where(Table.layer_id == target.id)
        volumes = select(Volume.id).where(Volume.layer_id == target.id)
        around = or_(Pipeline.output_layer_id == target.id, _through(Stream.output_layer_id == target.id))
        return [*and_inside(session, caller, target), *_made_of(session, caller, in_it, volumes, around)]
    layer = session.get_one(Layer, target.layer_id)
    tables = select(Table.id).where(Table.id == target.id)
    volumes = select(Volume.id).where(Volume.id == target.id)
    return [target, layer, *_made_of(session, caller, tables, volumes)]


def and_inside(session: Session, caller: Caller, target: Layer | Table | Volume) -> list[Row]:
    """Itself, and of a layer what the caller sees in it."""
    found: list[Row] = [target]
    if isinstance(target, Layer):
        for kind in (Table, Volume):
            seen = or_(false(), *ways_to_see_data(session, caller, kind, target.id))
            inside = select(kind).where(kind.layer_id == target.id, seen).order_by(kind.name)
            found += session.scalars(inside.limit(MOST))
    return found


def held_by_group(session: Session, group_id: UUID) -> list[Layer | Table | Volume]:
    """What a group was given a level on."""
    grants = session.scalars(select(Grant).where(Grant.group_id == group_id).order_by(Grant.id).limit(MOST)).all()
    found: list[Layer | Table | Volume] = []
    for grant in grants:
        if grant.table_id:
            found.append(session.get_one(Table, grant.table_id))
        elif grant.volume_id:
            found.append(session.get_one(Volume, grant.volume_id))
        else:
            found.append(session.get_one(Layer, grant.layer_id))
    return found


def _made_of(
    session: Session,
    caller: Caller,
    tables: Select[UUID],
    volumes: Select[UUID],
    or_where: ColumnElement[bool] | None = None,
) -> Sequence[Row]:
    """Pipelines over these tables and volumes, and saved queries on them, by name; those that the caller sees."""
    reading = or_(PipelineInput.table_id.in_(tables), PipelineInput.volume_id.in_(volumes))
    touching = [
        Pipeline.id.in_(select(PipelineInput.pipeline_id).where(reading)),
        Pipeline.id.in_(select(PipelineVolume.pipeline_id).where(PipelineVolume.volume_id.in_(volumes))),
        Pipeline.output_table_id.in_(tables),
        _through(Stream.output_table_id.in_(tables)),
    ]
    if or_where is not None:
        touching.append(or_where)
    pipelines = select(Pipeline).where(or_(*touching), or_(*ways_to_see_pipelines(session, caller)))
    asked = select(SavedQueryRead.saved_query_id).where(SavedQueryRead.table_id.in_(tables))
    queries = select(SavedQuery).where(SavedQuery.id.in_(asked), or_(*ways_to_see_queries(session, caller)))
    return [
        *session.scalars(pipelines.order_by(Pipeline.name, Pipeline.id).limit(MOST)),
        *session.scalars(queries.order_by(SavedQuery.name, SavedQuery.id).limit(MOST)),
    ]


def _through(where: ColumnElement[bool]) -> ColumnElement[bool]:
    return Pipeline.id.in_(select(Stream.pipeline_id).where(where))
