"""What pipelines read and write, and which pipelines read and write something: as declared, else as a run told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, CompoundSelect, Select, and_, or_, select, union_all
from sqlalchemy.orm import Session

from bailiwick.lakehouse.models import Pipeline, PipelineInput, PipelineVolume, Stream, Table, Volume
from bailiwick.runs.models import LineageEdge

MOST_ROWS = 20_000  # that are looked at for one answer
# Through a disabled stream nothing flows; and who sees the source need not see what such a stream reads and writes.
COUNTS = or_(PipelineInput.stream_id.is_(None), PipelineInput.stream_id.in_(select(Stream.id).where(Stream.enabled)))
WRITES_ONE_TABLE = and_(Pipeline.output_name.is_not(None), Pipeline.output_table_id.is_not(None))
RECORDED = LineageEdge.subject_type == "pipeline"
Fits = Callable[[type[Table] | type[Volume]], ColumnElement[bool]]


@dataclass
class Ends:
    """The tables and volumes at either end of a pipeline, by id."""

    reads: set[UUID] = field(default_factory=set)
    writes: set[UUID] = field(default_factory=set)


def ends_of(session: Session, pipelines: Sequence[Pipeline]) -> tuple[dict[UUID, Ends], bool]:
    """The ends of each of these pipelines, and whether there are more than were looked at."""
    ids = [pipeline.id for pipeline in pipelines]
    found: dict[UUID, Ends] = defaultdict(Ends)
    inputs = _rows(session, select(*_READ).where(PipelineInput.pipeline_id.in_(ids), COUNTS))
    for pipeline_id, table_id, volume_id in inputs:
        found[pipeline_id].reads.add(table_id or volume_id)
    streams = _rows(session, select(*_LANDED).where(Stream.pipeline_id.in_(ids), Stream.enabled))
    for pipeline_id, table_id, rejects_id in streams:
        found[pipeline_id].writes |= {id_ for id_ in (table_id, rejects_id) if id_}
    volumes = _rows(session, select(*_FILED).where(PipelineVolume.pipeline_id.in_(ids)))
    for pipeline_id, volume_id in volumes:
        found[pipeline_id].writes.add(volume_id)
    for pipeline in pipelines:
        if pipeline.output_name and pipeline.output_table_id:
            found[pipeline.id].writes.add(pipeline.output_table_id)
    silent = [id_ for id_ in ids if not found[id_].reads or not found[id_].writes]
    told = _rows(session, select(*_TOLD).where(RECORDED, LineageEdge.subject_id.in_(silent)).distinct())
    _add_told(found, told)
    return found, any(len(rows) >= MOST_ROWS for rows in (inputs, streams, volumes, told))


_READ = (PipelineInput.pipeline_id, PipelineInput.table_id, PipelineInput.volume_id)
_LANDED = (Stream.pipeline_id, Stream.output_table_id, Stream.rejects_table_id)
_FILED = (PipelineVolume.pipeline_id, PipelineVolume.volume_id)
_TOLD = (LineageEdge.subject_id, LineageEdge.from_table_id, LineageEdge.to_table_id)


def _rows(session: Session, query: Select[*tuple[Any, ...]]) -> Sequence[Any]:
    return session.execute(query.order_by(*query.selected_columns).limit(MOST_ROWS)).all()


def _add_told(found: dict[UUID, Ends], told: Sequence[Any]) -> None:
    """What the latest run told stands in for what is not declared, at either end."""
    declared = {id_: (bool(ends.reads), bool(ends.writes)) for id_, ends in found.items()}
    for id_, from_id, to_id in told:
        reads, writes = declared.get(id_, (False, False))
        if from_id and not reads:
            found[id_].reads.add(from_id)
        if to_id and not writes:
            found[id_].writes.add(to_id)


def reading(things: Collection[UUID]) -> ColumnElement[bool]:
    """Pipelines that may read one of these; `ends_of` tells whether they do."""
    return Pipeline.id.in_(
        union_all(
            select(PipelineInput.pipeline_id).where(PipelineInput.table_id.in_(things), COUNTS),
            select(PipelineInput.pipeline_id).where(PipelineInput.volume_id.in_(things), COUNTS),
            select(LineageEdge.subject_id).where(LineageEdge.from_table_id.in_(things), RECORDED),
        )
    )


def writing(things: Collection[UUID]) -> ColumnElement[bool]:
    """Pipelines that may write one of these; `ends_of` tells whether they do."""
    return Pipeline.id.in_(
        union_all(
            select(Pipeline.id).where(Pipeline.output_table_id.in_(things), WRITES_ONE_TABLE),
            select(Stream.pipeline_id).where(Stream.output_table_id.in_(things), Stream.enabled),
            select(Stream.pipeline_id).where(Stream.rejects_table_id.in_(things), Stream.enabled),
            select(PipelineVolume.pipeline_id).where(PipelineVolume.volume_id.in_(things)),
            select(LineageEdge.subject_id).where(LineageEdge.to_table_id.in_(things), RECORDED),
        )
    )


def touching(fits: Fits) -> CompoundSelect[Any]:
    """The ids of pipelines that are declared to read or write a table or volume that fits. Whoever sees a pipeline sees
    all of these, so that what fits tells them nothing of what is hidden."""
    tables = select(select(Table.id).where(fits(Table)).cte())  # looked up once, whoever asks
    volumes = select(select(Volume.id).where(fits(Volume)).cte())
    return union_all(
        select(PipelineInput.pipeline_id).where(PipelineInput.table_id.in_(tables), COUNTS),
        select(PipelineInput.pipeline_id).where(PipelineInput.volume_id.in_(volumes), COUNTS),
        select(Pipeline.id).where(Pipeline.output_table_id.in_(tables), WRITES_ONE_TABLE),
        select(Stream.pipeline_id).where(Stream.output_table_id.in_(tables), Stream.enabled),
        select(PipelineVolume.pipeline_id).where(PipelineVolume.volume_id.in_(volumes)),
    )


def within(layer_id: UUID) -> ColumnElement[bool]:
    """Pipelines that have something to do with the layer: with something in it, or with what they have yet to make
    there."""
    landing = select(Stream.pipeline_id).where(Stream.output_layer_id == layer_id, Stream.enabled)
    touched = touching(lambda kind: kind.layer_id == layer_id)
    return or_(Pipeline.output_layer_id == layer_id, Pipeline.id.in_(landing), Pipeline.id.in_(touched))
