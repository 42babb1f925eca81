"""Starting pipelines, deciding at the start of a run whether its owner still may, and deleting them with what hangs on
their runs. Importing this module tells the runs what a pipeline is."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, select
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision, require
from bailiwick.access.tables.lakehouse.levels import EDITOR, VIEWER
from bailiwick.access.world import records
from bailiwick.access.world.people import World
from bailiwick.access.world.placing import place
from bailiwick.database.locks import KEPT, TO_DELETE, hold
from bailiwick.errors import Conflict, NotFound
from bailiwick.lakehouse import pipelines
from bailiwick.lakehouse.models import Layer, Pipeline, PipelineKind, Stream, Table, Volume
from bailiwick.lakehouse.names import name_of
from bailiwick.lakehouse.pipelines import DELETE, EDIT, SEE, TRIGGER, decided, find
from bailiwick.lakehouse.seeing_data import SEE_TABLES
from bailiwick.lakehouse.seeing_pipelines import ways_to_see
from bailiwick.lakehouse.sources.untold import untold_streams
from bailiwick.lakehouse.standing import on_pipelines, on_things, pipeline_records, world_of
from bailiwick.runs.acting import acting
from bailiwick.runs.deciding import EVERY_RUN, sees_what_is_left
from bailiwick.runs.errors import Restricted, RunProblem
from bailiwick.runs.models import Run, Trigger, TriggerUpstream
from bailiwick.runs.queue import enqueue
from bailiwick.runs.subjects import SUBJECTS, Subject
from bailiwick.runs.triggers import forget_subject
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Member
from bailiwick.tenancy.versions import require_unchanged

SUBJECT = "pipeline"
KINDS_OF_RUN: Mapping[str, str] = {
    PipelineKind.SOURCE: "sync",
    PipelineKind.QUERY: "pipeline_query",
    PipelineKind.HISTORY: "history",
    PipelineKind.DESTINATION: "destination",
}
NOT_EXECUTED: Mapping[str, str] = {
    PipelineKind.NOTEBOOK: "Notebooks are kept and shared here; executing them is not possible yet.",
    PipelineKind.INTEGRATION: "Integrations are kept here with their rights; running them is not possible yet.",
}
ON_SUBJECT = {"see": SEE, "start": TRIGGER, "edit": EDIT}


# Starting ------------------------------------------------------------------------------------------------------------


def start(
    session: Session,
    caller: Caller | None,
    pipeline_id: UUID,
    trigger: Trigger | None = None,
    scheduled_for: datetime | None = None,
    *,
    kind: PipelineKind | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> Run:
    """Put a run of it into the queue: by hand, or by a trigger when nobody calls. It acts as the owner."""
    decision: Decision | None = None
    if caller is None:
        pipeline = find(session, pipeline_id, kind)
    else:
        pipeline, decision = decided(session, caller, pipeline_id, TRIGGER, kind)
    if pipeline.kind not in KINDS_OF_RUN:
        raise Conflict(NOT_EXECUTED[pipeline.kind])
    if not pipeline.active:
        raise Conflict(f"“{pipeline.name}” is not active. Activate it first.")
    if pipeline.kind == PipelineKind.SOURCE and not _reads_something(session, pipeline):
        raise Conflict(f"“{pipeline.name}” reads nothing yet. Add a stream first, or switch one on.")
    hold(session, Pipeline, pipeline.id, KEPT, "pipeline")  # no run is left of a pipeline that is being deleted
    run = enqueue(
        session,
        kind=KINDS_OF_RUN[pipeline.kind],
        subject_type=SUBJECT,
        subject_id=pipeline.id,
        subject_name=pipeline.name,
        acts_as=session.get_one(Member, pipeline.owner_id),
        started_by=caller.member if caller else None,
        parameters=dict(parameters or {}),
        trigger=trigger,
        scheduled_for=scheduled_for,
    )
    if caller is not None:
        pipelines.record(session, caller, "trigger_pipeline", pipeline, decision, None, {"run_id": str(run.id)})
    return run


def _reads_something(session: Session, source: Pipeline) -> bool:
    return session.scalar(select(Stream.id).where(Stream.pipeline_id == source.id, Stream.enabled).limit(1)) is not None


def acting_owner(session: Session, run: Run) -> tuple[Pipeline, Caller]:
    """The pipeline of a run that is about to start, and the member it acts as, if they may still start it by hand."""
    pipeline = session.get(Pipeline, run.subject_id)
    if pipeline is None:
        raise RunProblem("gone", "The pipeline was deleted meanwhile.", "")
    caller = acting(session, run)
    world, record = world_of(session, caller), pipeline_records(session, caller, [pipeline])[pipeline.id]
    decision = may_act(world, pipeline, record, caller.id)
    if not decision.allowed:
        missing = [lack.told(session) for lack in lacks(world, record, caller.id)]
        raise Restricted(decision, missing, seen=place(world, record).allows(caller.id, SEE))
    return pipeline, caller


def may_act(world: World, pipeline: Pipeline, record: records.Pipeline, member: str) -> Decision:
    """Whether its runs may act as this member; where they may not, they end restricted."""
    return place(world, record).check(member, pipelines.word(pipeline, TRIGGER))


@dataclass(frozen=True)
class Lack:
    """A table, volume or layer on which a level is too low for a pipeline to act so."""

    type: str
    thing: records.Table | records.Volume | records.Layer
    has: str
    needs: str

    def name(self, session: Session) -> str:
        return name_of(session, _row_of(session, self.thing))

    def told(self, session: Session) -> dict[str, Any]:
        return {
            "resource_type": self.type,
            "resource_id": self.thing.id,
            "name": self.name(session),
            "has": self.has,
            "needs": self.needs,
        }


def lacks(world: World, record: records.Pipeline, member: str) -> Iterator[Lack]:
    """Where this member's level is too low for the pipeline; each reader is told of what they see."""
    reading = VIEWER if world.tenant.reading_needs_only_viewer and record.outputs else EDITOR
    needs: list[tuple[records.Table | records.Volume | records.Layer, str]] = [(one, reading) for one in record.inputs]
    needs += [(one, EDITOR) for one in record.outputs]
    if not needs and record.output_layer:
        needs.append((record.output_layer, EDITOR))
    for thing, level in needs:
        placed = place(world, thing)
        action = "Change descriptions" if level == EDITOR else placed.type.see
        assert action is not None
        decision = placed.check(member, action)
        if not decision.allowed:
            yield Lack(placed.type.name, thing, decision.facts["level"], level)


def _row_of(session: Session, thing: records.Table | records.Volume | records.Layer) -> Table | Volume | Layer:
    id_ = UUID(thing.id)
    if isinstance(thing, records.Layer):
        return session.get_one(Layer, id_)
    return session.get_one(Table, id_) if isinstance(thing, records.Table) else session.get_one(Volume, id_)


# Deleting ------------------------------------------------------------------------------------------------------------


def delete_pipeline(
    session: Session,
    caller: Caller,
    pipeline_id: UUID,
    kind: PipelineKind,
    *,
    confirm: str | None,
    if_match: str | None = None,
) -> dict[str, Any]:
    """Delete a pipeline, once the caller has seen what hangs on it and repeated its name. Its tables stay."""
    pipeline, decision = decided(session, caller, pipeline_id, DELETE, kind)
    hold(session, Pipeline, pipeline.id, TO_DELETE, "pipeline")
    require_unchanged(if_match, pipeline.version, "pipeline")
    hangs = _what_hangs_on(session, caller, pipeline)
    if confirm != pipeline.name:
        waiting = ", ".join(one["subject"] for one in hangs["waiting"])
        raise Conflict(
            f"Deleting “{pipeline.name}” takes along its settings"
            + (f" and its {_many(hangs['triggers'], 'trigger')}" if hangs["triggers"] else "")
            + (f"; what runs after it will no longer do so by itself: {waiting}" if waiting else "")
            + ". Tables that it wrote stay. Repeat the request with ?confirm= and its name.",
            **hangs,
        )
    pipelines.record_deletion(session, caller, pipeline, decision, hangs)
    forget_subject(session, caller.member, SUBJECT, pipeline.id)
    session.delete(pipeline)
    session.flush()
    return hangs


def _what_hangs_on(session: Session, caller: Caller, pipeline: Pipeline) -> dict[str, Any]:
    own = session.scalars(select(Trigger.id).where(Trigger.subject_id == pipeline.id)).all()
    after = session.scalars(
        select(Trigger)
        .join(TriggerUpstream, TriggerUpstream.trigger_id == Trigger.id)
        .where(TriggerUpstream.subject_id == pipeline.id, Trigger.subject_id != pipeline.id)
        .order_by(Trigger.id)
    )
    written = select(Stream.output_table_id).where(Stream.pipeline_id == pipeline.id)
    stay = select(Table).where(Table.id.in_(written) | (Table.id == pipeline.output_table_id))
    tables = list(session.scalars(stay))
    placed = on_things(session, caller, tables)
    return {
        "triggers": len(own),
        "waiting": [
            {"trigger_id": str(trigger.id), "subject_id": str(trigger.subject_id), "subject": name}
            for trigger in after
            if (name := _name_if_seen(session, caller, trigger))
        ],
        "tables_that_stay": sorted(
            name_of(session, table) for table in tables if placed[table.id].allows(caller.id, SEE_TABLES)
        ),
    }


def _name_if_seen(session: Session, caller: Caller, trigger: Trigger) -> str | None:
    subject = SUBJECTS.get(trigger.subject_type)
    if subject is None:
        return None
    try:
        if not subject.decide(session, caller, trigger.subject_id, "see").allowed:
            return None
    except NotFound:
        return None
    return subject.name_of(session, trigger.subject_id)


def _many(number: int, what: str) -> str:
    return what if number == 1 else f"{number} {what}s"


# What the runs know of pipelines -------------------------------------------------------------------------------------


def _decide(session: Session, caller: Caller, pipeline_id: UUID, action: str) -> Decision:
    pipeline = find(session, pipeline_id)
    if action != "see":
        require(pipelines.decide(session, caller, pipeline, SEE))
    return pipelines.decide(session, caller, pipeline, ON_SUBJECT[action])


def _allowed(session: Session, caller: Caller, ids: Collection[UUID], action: str) -> list[UUID]:
    found = session.scalars(select(Pipeline).where(Pipeline.id.in_(ids))).all()
    placed = on_pipelines(session, caller, found)
    words = {one.id: (SEE, pipelines.word(one, ON_SUBJECT[action])) for one in found}
    return [id_ for id_, needed in words.items() if all(placed[id_].allows(caller.id, word) for word in needed)]


def _names() -> Select[UUID, str, str | None]:
    return select(Pipeline.id, Pipeline.name, Pipeline.kind)


def _ways_to_see_runs(session: Session, caller: Caller) -> list[ColumnElement[bool]]:
    if sees_what_is_left(caller):
        return [EVERY_RUN]
    return [Run.subject_id.in_(select(Pipeline.id).where(way)) for way in ways_to_see(session, caller)]


SUBJECTS[SUBJECT] = Subject(
    type=SUBJECT,
    row=Pipeline,
    decide=_decide,
    start=start,
    names=_names,
    ways_to_see=_ways_to_see_runs,
    allowed=_allowed,
    shares_results=True,
    untold=untold_streams,
)
