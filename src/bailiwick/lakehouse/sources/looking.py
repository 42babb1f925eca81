"""Looking at a source before it is read: whether it answers, which streams it has and what these look like."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from bailiwick.access.decision import require
from bailiwick.database.base import observe
from bailiwick.lakehouse import pipelines
from bailiwick.lakehouse.models import Pipeline, PipelineKind, Stream, Table, Volume
from bailiwick.lakehouse.pipelines import EDIT
from bailiwick.lakehouse.seeing_data import SEE_TABLES
from bailiwick.lakehouse.sources.places import place_of, stream_jobs
from bailiwick.lakehouse.sources.standing import on_streams
from bailiwick.lakehouse.standing import on_thing
from bailiwick.runs.acting import acting
from bailiwick.runs.errors import Restricted, RunProblem
from bailiwick.runs.models import INTERACTIVE, Run
from bailiwick.runs.queue import enqueue
from bailiwick.settings import Settings
from bailiwick.spark.sources.jobs import LookJob, LookOutcome
from bailiwick.tenancy.caller import Caller

DISCOVER: Literal["discover"] = "discover"
TEST: Literal["test_connection"] = "test_connection"
# It shows what no table holds yet, so it is like a query: seen by who asked, and nobody else.
SUBJECT = "query"


def look(session: Session, caller: Caller, source_id: UUID, kind: Literal["discover", "test_connection"]) -> Run:
    """Put it into the queue, ahead of what nobody waits for. It acts as whoever asks, who may edit the source."""
    source, _ = pipelines.decided(session, caller, source_id, EDIT, PipelineKind.SOURCE)
    _require_inputs(session, caller, source)
    return enqueue(
        session,
        kind=kind,
        subject_type=SUBJECT,
        subject_id=None,
        subject_name=source.name,
        acts_as=caller.member,
        started_by=caller.member,
        token=caller.token,
        parameters={"source_id": str(source.id)},
        priority=INTERACTIVE,
        most_attempts=1,
    )


def prepare(session: Session, run: Run, settings: Settings) -> LookJob:
    source = session.get(Pipeline, UUID(run.parameters["source_id"]))
    if source is None:
        raise RunProblem("gone", "The source was deleted meanwhile.", "")
    caller = acting(session, run)
    decision = pipelines.decide(session, caller, source, EDIT)
    if not decision.allowed:
        raise Restricted(decision)
    _require_inputs(session, caller, source)
    listed = select(Stream).where(Stream.pipeline_id == source.id).order_by(Stream.name)
    streams = session.scalars(listed).all()
    placed = on_streams(session, caller, streams)
    within = [stream for stream in streams if placed[stream.id].allows(caller.id, EDIT)]
    return LookJob(place_of(session, source, settings), stream_jobs(session, within, settings), str(run.id))


def finish(session: Session, run: Run, outcome: LookOutcome) -> None:
    """Keep the columns of the streams there are; the rest is for who asked."""
    for seen in outcome.streams:
        stream = session.get(Stream, UUID(seen.id)) if seen.id else None
        if stream is not None and seen.problem is None:
            observe(session, Stream, stream.id, columns=[asdict(column) for column in seen.columns])
    run.result = {"says": outcome.says, "streams": [_shown(vars(seen)) for seen in outcome.streams]}


def _shown(seen: dict[str, Any]) -> dict[str, Any]:
    columns = [asdict(column) for column in seen["columns"]]
    return {**seen, "columns": columns, "read": dict(seen["read"]), "sample": [dict(row) for row in seen["sample"]]}


def _require_inputs(session: Session, caller: Caller, source: Pipeline) -> None:
    """A source without enabled streams has the level of its layer alone; what it would show lies elsewhere."""
    volume_id = source.settings.get("volume_id")
    volume = session.get(Volume, UUID(volume_id)) if volume_id else None
    if volume is not None:
        require(on_thing(session, caller, volume).check(caller.id, SEE_TABLES))
    tables = [
        table
        for stream in session.scalars(select(Stream).where(Stream.pipeline_id == source.id, Stream.enabled))
        if (id_ := stream.settings["read"].get("table_id")) and (table := session.get(Table, UUID(id_)))
    ]
    for table in tables:
        require(on_thing(session, caller, table).check(caller.id, SEE_TABLES))
