"""Streams of a source: what is read, how, and the table it lands in; each asks for the level on its own table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from pydantic import ValidationError
from sqlalchemy import select
from sqlalchemy.orm import Session

from bailiwick.access.decision import require
from bailiwick.database.base import new_id
from bailiwick.database.listing import BY_NAME, Order, has_in_name
from bailiwick.database.locks import LOCKED, hold
from bailiwick.database.paging import Page, page_of
from bailiwick.errors import Conflict, Invalid, NotFound
from bailiwick.lakehouse import pipelines
from bailiwick.lakehouse.models import Layer, Pipeline, PipelineKind, Stream, Table
from bailiwick.lakehouse.outputs import named
from bailiwick.lakehouse.pipelines import EDIT, SEE, require_may_add
from bailiwick.lakehouse.seeing_data import SEE_TABLES
from bailiwick.lakehouse.sources.inputs import set_inputs
from bailiwick.lakehouse.sources.settings import ReadTable, StreamSettings, table_name
from bailiwick.lakehouse.sources.standing import is_seen, on_streams
from bailiwick.lakehouse.standing import on_things
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.versions import require_unchanged
from bailiwick.wrong_input import first_in_words

SOURCE = PipelineKind.SOURCE
START_OVER = "start_over"


@dataclass(frozen=True)
class NewStream:
    """A stream somebody wants."""

    name: str
    settings: StreamSettings
    enabled: bool = True
    output_layer_id: UUID | None = None  # none: the source's
    output_name: str | None = None  # none: made from the stream's name


@dataclass(frozen=True)
class SeenStream:
    """A stream, and the name of the table it lands in."""

    stream: Stream
    output_layer: Layer
    rejects: Table | None  # where its bad records are, if the caller sees that table

    @property
    def settings(self) -> StreamSettings:
        return StreamSettings.model_validate(self.stream.settings)


def seen_streams(session: Session, caller: Caller, streams: Sequence[Stream]) -> list[SeenStream]:
    """Those that the caller sees: of a disabled stream, whose table the source's level says nothing of, not all do."""
    placed = on_streams(session, caller, streams)
    wanted = {stream.output_layer_id for stream in streams}
    layers = {layer.id: layer for layer in session.scalars(select(Layer).where(Layer.id.in_(wanted)))}
    ids = {id_ for stream in streams if (id_ := stream.rejects_table_id)}
    rejects = list(session.scalars(select(Table).where(Table.id.in_(ids)))) if ids else []
    on_rejects = on_things(session, caller, rejects)
    seen_rejects = {table.id: table for table in rejects if on_rejects[table.id].allows(caller.id, SEE_TABLES)}
    return [
        SeenStream(
            stream,
            layers[stream.output_layer_id],
            seen_rejects.get(stream.rejects_table_id) if stream.rejects_table_id else None,
        )
        for stream in streams
        if placed[stream.id].allows(caller.id, SEE)
    ]


def list_streams(
    session: Session,
    caller: Caller,
    source_id: UUID,
    *,
    enabled: bool | None = None,
    search: str | None = None,
    sort: str = BY_NAME,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[SeenStream]:
    """A source has some hundreds at most: of all that fit and come after the cursor it is decided who sees them."""
    source, _ = pipelines.decided(session, caller, source_id, SEE, SOURCE)
    order = Order(sort)
    (beyond,) = order.stretches(Stream, cursor)
    fits = [Stream.pipeline_id == source.id, *([has_in_name(Stream.name, search)] if search else [])]
    if enabled is not None:
        fits.append(Stream.enabled == enabled)
    found = session.scalars(select(Stream).where(*fits, *beyond).order_by(*order.within(Stream))).all()
    return page_of(
        seen_streams(session, caller, found), limit, lambda seen: order.key(seen.stream.name, seen.stream.id)
    )


def get_stream(session: Session, caller: Caller, source_id: UUID, stream_id: UUID) -> SeenStream:
    source, _ = pipelines.decided(session, caller, source_id, SEE, SOURCE)
    return _one(session, caller, _find(session, caller, source, stream_id))


def add_stream(
    session: Session, caller: Caller, source_id: UUID, new: NewStream, *, if_match: str | None = None
) -> SeenStream:
    with pipelines.edit(session, caller, source_id, SOURCE, if_match=if_match, action="add_stream") as source:
        stream = add_to(session, caller, source, new)
    return _one(session, caller, stream)


def add_to(session: Session, caller: Caller, source: Pipeline, new: NewStream) -> Stream:
    """Add a stream; it may create a table, so the output layer is asked for."""
    layer_id = new.output_layer_id or source.output_layer_id
    assert layer_id is not None
    require_may_add(session, caller, layer_id, "output_layer_id")
    taken = select(Stream.id).where(Stream.pipeline_id == source.id, Stream.name == new.name)
    if session.scalar(taken) is not None:
        raise Conflict(f"The source has a stream {new.name} already. Choose another name.")
    stream = Stream(
        id=new_id(),
        pipeline_id=source.id,
        name=new.name,
        enabled=new.enabled,
        settings=_fitting(session, caller, source, new.settings),
        output_layer_id=layer_id,
        output_name=new.output_name or table_name(new.name),
    )
    _land_in(session, caller, stream)
    session.add(stream)
    session.flush()
    set_inputs(session, source, stream)
    _require_within(session, caller, stream)
    return stream


def edit_stream(
    session: Session,
    caller: Caller,
    source_id: UUID,
    stream_id: UUID,
    changes: Mapping[str, Any],
    *,
    settings: Mapping[str, Any] | None = None,
    if_match: str | None = None,
) -> SeenStream:
    """Change a stream. Enabling it asks for its table like everything that counts."""
    with _changing(session, caller, source_id, stream_id, if_match, "edit_stream") as (source, stream):
        if settings:
            stream.settings = _fitting(session, caller, source, _merged(stream, settings))
            _refuse_replacing(session, stream)
        if "enabled" in changes:
            stream.enabled = changes["enabled"]
        layer_id = changes.get("output_layer_id") or stream.output_layer_id
        name = changes.get("output_name") or stream.output_name
        if (layer_id, name) != (stream.output_layer_id, stream.output_name):
            require_may_add(session, caller, layer_id, "output_layer_id")
            stream.output_layer_id, stream.output_name = layer_id, name
            stream.planned_table_id, stream.planned_rejects_id = new_id(), new_id()
            stream.rejects_table_id, stream.state = None, {}
            _land_in(session, caller, stream)
        session.flush()
        set_inputs(session, source, stream)
    return _one(session, caller, stream)


def start_over(
    session: Session, caller: Caller, source_id: UUID, stream_id: UUID, *, if_match: str | None = None
) -> SeenStream:
    """Let the next run read everything again and replace the table, columns and all."""
    with _changing(session, caller, source_id, stream_id, if_match, "start_stream_over") as (source, stream):
        stream.state = {START_OVER: True}
        pipelines.record(session, caller, "start_stream_over", source, None, None, {"stream": stream.name})
    return _one(session, caller, stream)


def delete_stream(
    session: Session, caller: Caller, source_id: UUID, stream_id: UUID, *, if_match: str | None = None
) -> None:
    """Delete a stream; its table stays."""
    with pipelines.edit(session, caller, source_id, SOURCE, action="delete_stream") as source:
        stream = _hold(session, caller, source, stream_id, if_match)
        session.delete(stream)


@contextmanager
def _changing(
    session: Session, caller: Caller, source_id: UUID, stream_id: UUID, if_match: str | None, action: str
) -> Iterator[tuple[Pipeline, Stream]]:
    """A block that changes a stream: within the caller's level before and after, as every change of a pipeline."""
    with pipelines.edit(session, caller, source_id, SOURCE, action=action) as source:
        stream = _hold(session, caller, source, stream_id, if_match)
        yield source, stream
        session.flush()
        _require_within(session, caller, stream)


def _find(session: Session, caller: Caller, source: Pipeline, stream_id: UUID) -> Stream:
    stream = session.get(Stream, stream_id)
    if stream is None or stream.pipeline_id != source.id or not seen_streams(session, caller, [stream]):
        raise NotFound("stream")
    return stream


def _hold(session: Session, caller: Caller, source: Pipeline, stream_id: UUID, if_match: str | None) -> Stream:
    """To be changed: what a run notes of it comes before that, or after it."""
    stream = hold(session, Stream, _find(session, caller, source, stream_id).id, LOCKED, "stream")
    require_unchanged(if_match, stream.version, "stream")
    _require_within(session, caller, stream)
    return stream


def _one(session: Session, caller: Caller, stream: Stream) -> SeenStream:
    (only,) = seen_streams(session, caller, [stream])
    return only


def _require_within(session: Session, caller: Caller, stream: Stream) -> None:
    require(on_streams(session, caller, [stream])[stream.id].check(caller.id, EDIT))


def _merged(stream: Stream, changes: Mapping[str, Any]) -> StreamSettings:
    merged = {**stream.settings, **changes}
    try:
        return StreamSettings.model_validate(merged)
    except ValidationError as error:
        raise Invalid(**first_in_words(error, merged, "settings")) from None


def _fitting(session: Session, caller: Caller, source: Pipeline, settings: StreamSettings) -> dict[str, Any]:
    kind = source.settings["type"]
    if settings.read.type != kind:
        problem = f"A stream of this source reads {kind}, not {settings.read.type}."
        raise Invalid("settings.read.type", problem, f"Give {kind}.")
    if isinstance(settings.read, ReadTable):
        table = session.get(Table, settings.read.table_id)
        if table is None or not is_seen(session, caller, table):
            fix = "List the tables you see: GET /api/v1/tables"
            raise Invalid("settings.read.table_id", "There is no such table.", fix)
    return settings.stored()


def _land_in(session: Session, caller: Caller, stream: Stream) -> None:
    """Link the stream with the table of that name, or see that nothing else plans to make it."""
    table = named(session, stream.output_layer_id, stream.output_name)
    stream.output_table_id = table.id if table else None
    if table is None:
        if _is_planned(session, stream):
            raise Conflict(f"Another pipeline plans to make the table {stream.output_name}. Choose another name.")
        return
    if not is_seen(session, caller, table) or table.holds_rejects_of_id is not None:
        raise Conflict(f"The name {stream.output_name} is taken in this layer. Choose another one.")
    if stream.settings["read"].get("table_id") == str(table.id):
        raise Invalid("output_name", "A stream cannot land in the table it reads.", "Choose another name.")
    _refuse_replacing(session, stream)


def _refuse_replacing(session: Session, stream: Stream) -> None:
    table_id = stream.output_table_id
    if table_id is not None and stream.settings["mode"] == "full" and _is_written(session, stream, table_id):
        raise Conflict(
            f"The table {stream.output_name} is written by another pipeline, and reading in full would replace its "
            "rows. Choose another name, or read incrementally."
        )


def _is_planned(session: Session, stream: Stream) -> bool:
    here = (Stream.output_layer_id == stream.output_layer_id) & (Stream.output_name == stream.output_name)
    by_stream = select(Stream.id).where(here, Stream.output_table_id.is_(None), Stream.id != stream.id)
    by_pipeline = select(Pipeline.id).where(
        Pipeline.output_layer_id == stream.output_layer_id,
        Pipeline.output_name == stream.output_name,
        Pipeline.output_table_id.is_(None),
    )
    return session.scalar(by_stream) is not None or session.scalar(by_pipeline) is not None


def _is_written(session: Session, stream: Stream, table_id: UUID) -> bool:
    by_stream = select(Stream.id).where(Stream.output_table_id == table_id, Stream.id != stream.id)
    by_pipeline = select(Pipeline.id).where(Pipeline.output_table_id == table_id)
    return session.scalar(by_stream) is not None or session.scalar(by_pipeline) is not None
