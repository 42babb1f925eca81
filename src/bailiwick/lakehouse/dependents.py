"""What holds a layer, a table or a volume: each reader is told what they may see of it, and whether there is more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import ColumnElement, false, or_, select
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
from bailiwick.lakehouse.queries.seeing import ways_to_see as ways_to_see_queries
from bailiwick.lakehouse.seeing_data import Thing, page_seen
from bailiwick.lakehouse.seeing_pipelines import ways_to_see as ways_to_see_pipelines
from bailiwick.tenancy.caller import Caller

Kind = TypeVar("Kind", Pipeline, SavedQuery)

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
    streams = select(Stream.pipeline_id).where(Stream.output_layer_id == layer.id)
    writers = or_(Pipeline.output_layer_id == layer.id, Pipeline.id.in_(streams))
    return _with(
        _inside(session, caller, layer, Table, "table"),
        _inside(session, caller, layer, Volume, "volume"),
        _pipelines(session, caller, writers, "writes to it"),
    )


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


def _inside(session: Session, caller: Caller, layer: Layer, kind: type[Thing], word: str) -> Dependents:
    visible = page_seen(session, caller, kind, None, MOST, layer_id=layer.id).items
    named = [Dependent(word, one.id, f"{layer.name}.{one.name}", "lies in it") for one in visible]
    return Dependents(named, _is_more(session, kind, kind.layer_id == layer.id, visible))


def _pipelines(session: Session, caller: Caller, where: ColumnElement[bool], how: str) -> Dependents:
    visible = _visible(session, Pipeline, where, ways_to_see_pipelines(session, caller))
    named = [Dependent(word_for(one.kind), one.id, one.name, how) for one in visible]
    return Dependents(named, _is_more(session, Pipeline, where, visible))


def _saved_queries(session: Session, caller: Caller, table: Table) -> Dependents:
    reading = select(SavedQueryRead.saved_query_id).where(SavedQueryRead.table_id == table.id)
    where = SavedQuery.id.in_(reading)
    visible = _visible(session, SavedQuery, where, ways_to_see_queries(session, caller))
    named = [Dependent("saved query", one.id, one.name, "reads it") for one in visible]
    return Dependents(named, _is_more(session, SavedQuery, where, visible))


def _visible(
    session: Session, kind: type[Kind], where: ColumnElement[bool], ways: Sequence[ColumnElement[bool]]
) -> Sequence[Kind]:
    """Those that the caller sees: what is hidden from them pushes nothing out."""
    seen = select(kind).where(where, or_(false(), *ways)).order_by(kind.name, kind.id)
    return session.scalars(seen.limit(MOST)).all()


def _is_more(session: Session, kind: Any, where: ColumnElement[bool], seen: Sequence[Any]) -> bool:
    others = select(kind.id).where(where, kind.id.not_in([one.id for one in seen]))
    return session.scalar(others.limit(1)) is not None


def _with(*several: Dependents) -> Dependents:
    return Dependents([one for each in several for one in each.seen], any(each.more for each in several))
