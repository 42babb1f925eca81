"""Layers, tables, volumes and pipelines as the access core sees them, with the grants that reach one caller."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from uuid import UUID

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session

from bailiwick.access.world import records
from bailiwick.access.world.people import World
from bailiwick.access.world.placing import Placed, place
from bailiwick.database.base import utc_now
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
from bailiwick.tenancy.caller import ALL_GROUP_ID, Caller, holder
from bailiwick.tenancy.standing import the_tenant

Thing = Table | Volume


def world_of(session: Session, caller: Caller) -> World:
    """The caller alone in their tenant: enough to decide about them."""
    tenant = the_tenant(session)
    return World([caller.standing], records.Tenant(tenant.plan, tenant.reading_needs_only_viewer))


def reaches(caller: Caller) -> ColumnElement[bool]:
    """A grant to the caller or a group they are in, as long as it holds."""
    to_them = or_(Grant.member_id == caller.member.id, Grant.group_id.in_([*caller.groups, ALL_GROUP_ID]))
    return to_them & holds_now()


def holds_now() -> ColumnElement[bool]:
    return or_(Grant.expires_at.is_(None), Grant.expires_at > utc_now())


# Records -------------------------------------------------------------------------------------------------------------


class Known:
    """Records of layers, tables and volumes for one caller, their grants read together.

    Only grants on these very things and their layers are read: the cost does not grow with what else is granted. That
    a grant on something else makes a layer visible is looked up only for the layers asked about as such."""

    def __init__(
        self, session: Session, caller: Caller, things: Iterable[Thing] = (), layers: Iterable[UUID] = ()
    ) -> None:
        self._things = {thing.id: thing for thing in things}
        asked = set(layers)
        layer_ids = asked | {thing.layer_id for thing in self._things.values()}
        ids = list(self._things)
        on_these = or_(_on_layer_itself(), Grant.table_id.in_(ids), Grant.volume_id.in_(ids))
        found = select(Grant).where(Grant.layer_id.in_(layer_ids), reaches(caller), on_these)
        self._grants = list(session.scalars(found)) if layer_ids else []
        self._layers = {
            id_: self._layer(id_, _below(session, caller, id_) if id_ in asked else None) for id_ in layer_ids
        }

    def layer(self, layer_id: UUID) -> records.Layer:
        return self._layers[layer_id]

    def thing(self, thing_id: UUID) -> records.Table | records.Volume:
        thing = self._things[thing_id]
        own = _levels(grant for grant in self._grants if thing_id in (grant.table_id, grant.volume_id))
        kind = records.Table if isinstance(thing, Table) else records.Volume
        return kind(str(thing_id), self._layers[thing.layer_id], own)

    def _layer(self, layer_id: UUID, below: Grant | None) -> records.Layer:
        grants = [grant for grant in self._grants if grant.layer_id == layer_id]
        own = [grant for grant in grants if grant.table_id is None and grant.volume_id is None]
        return records.Layer(str(layer_id), _levels(own), frozenset([_holder(below)] if below else []))


def _on_layer_itself() -> ColumnElement[bool]:
    return Grant.table_id.is_(None) & Grant.volume_id.is_(None)


def _below(session: Session, caller: Caller, layer_id: UUID) -> Grant | None:
    """A grant on something in the layer that reaches the caller, if there is one."""
    return session.scalars(
        select(Grant).where(Grant.layer_id == layer_id, reaches(caller), ~_on_layer_itself()).limit(1)
    ).first()


def _levels(grants: Iterable[Grant]) -> dict[str, str]:
    return {_holder(grant): grant.level for grant in grants}


def _holder(grant: Grant) -> str:
    id_ = grant.member_id or grant.group_id
    assert id_ is not None
    return holder(id_)


# Decisions -----------------------------------------------------------------------------------------------------------


def on_lakehouse(session: Session, caller: Caller) -> Placed:
    return place(world_of(session, caller), records.Lakehouse())


def on_layer(session: Session, caller: Caller, layer: Layer) -> Placed:
    return place(world_of(session, caller), Known(session, caller, layers=[layer.id]).layer(layer.id))


def on_thing(session: Session, caller: Caller, thing: Thing) -> Placed:
    """The caller towards a table or a volume."""
    return place(world_of(session, caller), Known(session, caller, [thing]).thing(thing.id))


def on_things(session: Session, caller: Caller, things: Sequence[Thing]) -> dict[UUID, Placed]:
    world, known = world_of(session, caller), Known(session, caller, things)
    return {thing.id: place(world, known.thing(thing.id)) for thing in things}


def on_query(session: Session, caller: Caller, reads: Collection[Table]) -> Placed:
    """The caller towards a statement that reads these tables."""
    known = Known(session, caller, reads)
    return place(world_of(session, caller), records.Query("", tuple(known.thing(table.id) for table in reads)))


def on_pipeline(session: Session, caller: Caller, pipeline: Pipeline) -> Placed:
    return on_pipelines(session, caller, [pipeline])[pipeline.id]


def on_pipelines(session: Session, caller: Caller, pipelines: Sequence[Pipeline]) -> dict[UUID, Placed]:
    """The caller towards many pipelines, with everything read together."""
    world = world_of(session, caller)
    return {id_: place(world, record) for id_, record in pipeline_records(session, caller, pipelines).items()}


def pipeline_records(session: Session, caller: Caller, pipelines: Sequence[Pipeline]) -> dict[UUID, records.Pipeline]:
    ids = [pipeline.id for pipeline in pipelines]
    streams = [s for s in session.scalars(select(Stream).where(Stream.pipeline_id.in_(ids))) if s.enabled]
    enabled = {stream.id for stream in streams}
    listed = session.scalars(select(PipelineInput).where(PipelineInput.pipeline_id.in_(ids)))
    inputs = [one for one in listed if one.stream_id is None or one.stream_id in enabled]
    outputs = list(session.scalars(select(PipelineVolume).where(PipelineVolume.pipeline_id.in_(ids))))
    table_ids = {id_ for one in inputs if (id_ := one.table_id)}
    table_ids |= {id_ for one in streams if (id_ := one.output_table_id)}
    table_ids |= {id_ for one in pipelines if (id_ := one.output_table_id)}
    volume_ids = {id_ for one in inputs if (id_ := one.volume_id)} | {one.volume_id for one in outputs}
    things: list[Thing] = [
        *session.scalars(select(Table).where(Table.id.in_(table_ids))),
        *session.scalars(select(Volume).where(Volume.id.in_(volume_ids))),
    ]
    layers = {id_ for one in pipelines if (id_ := one.output_layer_id)} | {one.output_layer_id for one in streams}
    known = Known(session, caller, things, layers)
    there = {thing.id for thing in things}
    found: dict[UUID, records.Pipeline] = {}
    for pipeline in pipelines:
        read = {one.table_id or one.volume_id for one in inputs if one.pipeline_id == pipeline.id} & there
        written = {one.volume_id for one in outputs if one.pipeline_id == pipeline.id}
        layer = known.layer(pipeline.output_layer_id) if pipeline.output_layer_id else None
        to: list[records.Table | records.Volume | records.Layer] = [known.thing(id_) for id_ in written & there]
        own = [stream for stream in streams if stream.pipeline_id == pipeline.id]
        places = [(stream.output_table_id, stream.output_layer_id) for stream in own]
        if pipeline.output_name and pipeline.output_layer_id:
            places.append((pipeline.output_table_id, pipeline.output_layer_id))
        for table_id, layer_id in places:
            to.append(known.layer(layer_id) if table_id is None or table_id not in there else known.thing(table_id))
        kind = records.Integration if pipeline.kind == PipelineKind.INTEGRATION else records.Pipeline
        found[pipeline.id] = kind(str(pipeline.id), tuple(known.thing(id_) for id_ in read if id_), tuple(to), layer)
    return found


def on_saved_queries(session: Session, caller: Caller, queries: Sequence[SavedQuery]) -> dict[UUID, Placed]:
    ids = [query.id for query in queries]
    reads = list(session.scalars(select(SavedQueryRead).where(SavedQueryRead.saved_query_id.in_(ids))))
    tables = list(session.scalars(select(Table).where(Table.id.in_({read.table_id for read in reads}))))
    world, known = world_of(session, caller), Known(session, caller, tables)
    found: dict[UUID, Placed] = {}
    for query in queries:
        own = [known.thing(read.table_id) for read in reads if read.saved_query_id == query.id]
        read_tables = tuple(record for record in own if isinstance(record, records.Table))
        record = records.SavedQuery(str(query.id), str(query.author_id), read_tables, query.shared)
        found[query.id] = place(world, record)
    return found
