"""A caller towards single streams, and towards what a source is pointed to."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from bailiwick.access.decision import require
from bailiwick.access.world import records
from bailiwick.access.world.placing import Placed, place
from bailiwick.lakehouse.models import PipelineInput, Stream, Table, Volume
from bailiwick.lakehouse.pipelines import EDIT
from bailiwick.lakehouse.seeing_data import SEE_TABLES
from bailiwick.lakehouse.standing import Known, Thing, on_thing, world_of
from bailiwick.tenancy.caller import Caller


def on_streams(session: Session, caller: Caller, streams: Sequence[Stream]) -> dict[UUID, Placed]:
    """The caller towards each stream as if it were a pipeline of its own, enabled or not: the source's level leaves
    disabled streams out, and still nobody changes or sees one that lies beyond their level."""
    ids = [stream.id for stream in streams]
    inputs = list(session.scalars(select(PipelineInput).where(PipelineInput.stream_id.in_(ids))))
    table_ids = {id_ for one in inputs if (id_ := one.table_id)}
    table_ids |= {id_ for stream in streams if (id_ := stream.output_table_id)}
    volume_ids = {id_ for one in inputs if (id_ := one.volume_id)}
    things: list[Thing] = [
        *session.scalars(select(Table).where(Table.id.in_(table_ids))),
        *session.scalars(select(Volume).where(Volume.id.in_(volume_ids))),
    ]
    there = {thing.id for thing in things}
    known = Known(session, [caller.standing], things, {stream.output_layer_id for stream in streams})
    world = world_of(session, caller)
    placed: dict[UUID, Placed] = {}
    for stream in streams:
        layer = known.layer(stream.output_layer_id)
        exists = stream.output_table_id is not None and stream.output_table_id in there
        output = known.thing(stream.output_table_id) if exists and stream.output_table_id else layer
        read = {one.table_id or one.volume_id for one in inputs if one.stream_id == stream.id} & there
        reads = tuple(known.thing(id_) for id_ in read if id_)
        placed[stream.id] = place(world, records.Pipeline(str(stream.pipeline_id), reads, (output,), layer))
    return placed


def require_may_read(session: Session, caller: Caller, thing: Thing) -> None:
    """Whether the caller may point a source here: with the level that inputs ask for."""
    world = world_of(session, caller)
    if world.tenant.reading_needs_only_viewer:
        require(on_thing(session, caller, thing).check(caller.id, SEE_TABLES))
        return
    known = Known(session, [caller.standing], [thing])
    require(place(world, records.Pipeline("", (known.thing(thing.id),))).check(caller.id, EDIT))


def is_seen(session: Session, caller: Caller, thing: Thing) -> bool:
    return on_thing(session, caller, thing).allows(caller.id, SEE_TABLES)
