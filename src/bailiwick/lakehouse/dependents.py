"""What holds a layer, a table or a volume: each reader is told what they may see of it, and whether there is more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session

from bailiwick.lakehouse.models import (
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
from bailiwick.lakehouse.seeing_data import SEE_TABLES
from bailiwick.lakehouse.standing import on_pipelines, on_saved_queries, on_things
from bailiwick.tenancy.caller import Caller

MOST = 50  # of each kind that are listed
NAMED = 10  # in a sentence
WORDS = {PipelineKind.QUERY: "pipeline query", PipelineKind.DESTINATION: "lakehouse destination"}


def word_for(kind: str) -> str:
    """What people call a pipeline of this kind."""
    return WORDS.get(PipelineKind(kind), kind)


@dataclass(frozen=True)
class Dependent:
    """Something that uses another: by its kind, as people call it, and its name."""

    kind: str
    id: UUID
    name: str
    how: str  # lies in it, reads it, writes it

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "id": str(self.id), "name": self.name, "how": self.how}


@dataclass(frozen=True)
class Dependents:
    """What the caller may see of it; `more` if there is anything besides, of whatever number."""

    seen: Sequence[Dependent]
    more: bool = False

    @property
    def any(self) -> bool:
        return bool(self.seen) or self.more

    @property
    def in_words(self) -> str:
        named = [f"the {one.kind} {one.name}" for one in self.seen[:NAMED]]
        if len(self.seen) > NAMED:
            named.append("others")
        elif self.more:
            named.append("others that you may not see" if named else "something that you may not see")
        return ", ".join(named[:-1]) + (" and " if len(named) > 1 else "") + "".join(named[-1:])

    def to_list(self) -> list[dict[str, Any]]:
        return [one.to_dict() for one in self.seen]


def of_layer(session: Session, caller: Caller, layer: Layer) -> Dependents:
    """What lies in it, and the pipelines that write there."""
    seen: list[Dependent] = []
    more = False
    for kind, word in ((Table, "table"), (Volume, "volume")):
        inside = select(kind).where(kind.layer_id == layer.id).order_by(kind.name, kind.id)
        things: list[Any] = list(session.scalars(inside.limit(MOST + 1)))
        placed = on_things(session, caller, things)
        visible = [thing for thing in things if placed[thing.id].allows(caller.id, SEE_TABLES)][:MOST]
        seen += [Dependent(word, thing.id, f"{layer.name}.{thing.name}", "lies in it") for thing in visible]
        more |= len(visible) < len(things)
    streams = select(Stream.pipeline_id).where(Stream.output_layer_id == layer.id)
    writers = or_(Pipeline.output_layer_id == layer.id, Pipeline.id.in_(streams))
    return _with(Dependents(seen, more), _pipelines(session, caller, writers, "writes to it"))


def of_table(session: Session, caller: Caller, table: Table) -> Dependents:
    """Who reads it, and who writes it."""
    reading = select(PipelineInput.pipeline_id).where(PipelineInput.table_id == table.id)
    streams = select(Stream.pipeline_id).where(
        or_(Stream.output_table_id == table.id, Stream.rejects_table_id == table.id)
    )
    return _with(
        _pipelines(session, caller, Pipeline.id.in_(reading), "reads it"),
        _pipelines(session, caller, or_(Pipeline.output_table_id == table.id, Pipeline.id.in_(streams)), "writes it"),
        _saved_queries(session, caller, table),
    )


def of_volume(session: Session, caller: Caller, volume: Volume) -> Dependents:
    reading = select(PipelineInput.pipeline_id).where(PipelineInput.volume_id == volume.id)
    writing = select(PipelineVolume.pipeline_id).where(PipelineVolume.volume_id == volume.id)
    return _with(
        _pipelines(session, caller, Pipeline.id.in_(reading), "reads it"),
        _pipelines(session, caller, Pipeline.id.in_(writing), "writes to it"),
    )


def _pipelines(session: Session, caller: Caller, where: ColumnElement[bool], how: str) -> Dependents:
    found = session.scalars(select(Pipeline).where(where).order_by(Pipeline.name, Pipeline.id).limit(MOST + 1)).all()
    placed = on_pipelines(session, caller, found)
    visible = [one for one in found if placed[one.id].allows(caller.id, "See pipelines")][:MOST]
    named = [Dependent(word_for(one.kind), one.id, one.name, how) for one in visible]
    return Dependents(named, len(visible) < len(found))


def _saved_queries(session: Session, caller: Caller, table: Table) -> Dependents:
    reading = select(SavedQueryRead.saved_query_id).where(SavedQueryRead.table_id == table.id)
    listed = select(SavedQuery).where(SavedQuery.id.in_(reading)).order_by(SavedQuery.name, SavedQuery.id)
    found = session.scalars(listed.limit(MOST + 1)).all()
    placed = on_saved_queries(session, caller, found)
    visible = [one for one in found if placed[one.id].allows(caller.id, "See")][:MOST]
    named = [Dependent("saved query", one.id, one.name, "reads it") for one in visible]
    return Dependents(named, len(visible) < len(found))


def _with(*several: Dependents) -> Dependents:
    return Dependents([one for each in several for one in each.seen], any(each.more for each in several))
