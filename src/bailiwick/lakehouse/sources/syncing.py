"""A run of a source: described for Spark with the rights of its owner, and written down once it is done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from bailiwick.database.base import observe, utc_now
from bailiwick.database.locks import LOCKED
from bailiwick.lakehouse.models import Pipeline, Stream, Table
from bailiwick.lakehouse.outputs import named, note_version
from bailiwick.lakehouse.pipeline_runs import acting_owner
from bailiwick.lakehouse.sources.places import place_of, stream_jobs
from bailiwick.lakehouse.sources.streams import START_OVER
from bailiwick.runs.errors import Passing, RunProblem
from bailiwick.runs.lineage import Edge, set_lineage
from bailiwick.runs.models import Run
from bailiwick.settings import Settings
from bailiwick.spark.sources.jobs import QUARANTINE, StreamOutcome, SyncJob, SyncOutcome

REJECTS = "_rejects"


def prepare(session: Session, run: Run, settings: Settings) -> SyncJob:
    source, _ = acting_owner(session, run)
    enabled = select(Stream).where(Stream.pipeline_id == source.id, Stream.enabled).order_by(Stream.name)
    streams = session.scalars(enabled).all()
    if not streams:
        raise RunProblem("no_stream", "The source has no enabled stream.", "Add one, or enable one.")
    place = place_of(session, source, settings)
    return SyncJob(place, stream_jobs(session, streams, settings), str(run.id), run.number)


def finish(session: Session, run: Run, outcome: SyncOutcome) -> RunProblem | None:
    """Note what was committed. Streams that were stopped take nothing from the others, and let the run fail."""
    source = session.get(Pipeline, run.subject_id)
    if source is None:
        raise RunProblem("gone", "The source was deleted meanwhile.", "")
    problems = []
    for done in outcome.streams:
        if done.problem is not None:
            problems.append(done)
        elif done.committed:
            stream = session.get(Stream, UUID(done.id), with_for_update=LOCKED, populate_existing=True)
            if stream is not None:
                _note(session, run, stream, done)
    run.rows_written = sum(done.rows_written for done in outcome.streams)
    run.rows_read = sum(done.rows_written + done.rows_rejected for done in outcome.streams)
    run.result = {
        "streams": [
            {
                "name": done.name,
                "rows_written": done.rows_written,
                "rows_rejected": done.rows_rejected,
                "problem": done.problem["message"] if done.problem else None,
            }
            for done in outcome.streams
        ]
    }
    set_lineage(session, run, _edges(session, source))
    return _problem(problems)


def _note(session: Session, run: Run, stream: Stream, done: StreamOutcome) -> None:
    if stream.state.get("number", 0) > int(done.state.get("number", 0)):
        return  # a later run has come to its end before this one
    if done.output_id != str(stream.output_table_id or stream.planned_table_id):
        return  # it was made to land elsewhere meanwhile
    table = _table(session, run, stream)
    assert done.version is not None
    columns, now = [asdict(column) for column in done.columns], utc_now()
    note_version(session, table, done.version, columns=columns, rows=done.rows, bytes=done.bytes, changed_at=now)
    facts: dict[str, object] = {"output_table_id": table.id}
    if done.rejects_version is not None:
        rejects = _rejects(session, run, stream)
        note_version(session, rejects, done.rejects_version, rows=done.rejects_rows, changed_at=now)
        facts["rejects_table_id"] = rejects.id
    if done.started_over or not stream.state.get(START_OVER):  # somebody may have asked for it meanwhile
        facts["state"] = dict(done.state)
    observe(session, Stream, stream.id, **facts)


def _table(session: Session, run: Run, stream: Stream) -> Table:
    table = session.get(Table, stream.output_table_id or stream.planned_table_id)
    if table is None:
        if named(session, stream.output_layer_id, stream.output_name) is not None:
            message = f"There is a table {stream.output_name} by now, which this stream did not make."
            raise RunProblem("output_taken", message, "Save the stream with another output name.")
        table = _new(session, run, stream.planned_table_id, stream.output_layer_id, stream.output_name)
    return table


def _rejects(session: Session, run: Run, stream: Stream) -> Table:
    table = session.get(Table, stream.rejects_table_id or stream.planned_rejects_id)
    if table is None:
        name = next(name for name in _rejects_names(stream) if named(session, stream.output_layer_id, name) is None)
        table = _new(session, run, stream.planned_rejects_id, stream.output_layer_id, name)
        table.description = f"Records of the stream {stream.name} that could not land, with the reason."
        table.holds_rejects_of_id = stream.id
        table.columns = [{"name": one.name, "type": one.type, "nullable": True} for one in QUARANTINE]
        session.flush()
    return table


def _rejects_names(stream: Stream) -> Iterator[str]:
    base = stream.output_name[: 63 - len(REJECTS) - 4]
    yield f"{base}{REJECTS}"
    for number in range(2, 1000):
        yield f"{base}{REJECTS}_{number}"


def _new(session: Session, run: Run, id_: UUID, layer_id: UUID, name: str) -> Table:
    table = Table(id=id_, layer_id=layer_id, name=name, location=f"tables/{id_}", created_by_id=run.acts_as_id)
    session.add(table)
    session.flush()
    return table


def _edges(session: Session, source: Pipeline) -> Iterator[Edge]:
    """From outside into each table; where a stream reads a table, column by column."""
    enabled = select(Stream).where(Stream.pipeline_id == source.id, Stream.enabled)
    for stream in session.scalars(enabled.where(Stream.output_table_id.is_not(None))):
        table_id = stream.settings["read"].get("table_id")
        if table_id is None:
            yield Edge(None, None, stream.output_table_id, None)
            continue
        read = session.get(Table, UUID(table_id))
        written = session.get_one(Table, stream.output_table_id)
        names = {column["name"].lower(): column["name"] for column in read.columns} if read else {}
        for column in written.columns:
            if (origin := names.get(column["name"].lower())) is not None:
                yield Edge(UUID(table_id), origin, written.id, column["name"])


def _problem(stopped: list[StreamOutcome]) -> RunProblem | None:
    if not stopped:
        return None
    said = [(done.name, dict(done.problem or {})) for done in stopped]
    kind = Passing if any(problem.get("passing") for _, problem in said) else RunProblem
    message = " ".join(f"{name}: {problem['message']}" for name, problem in said)
    fixes = dict.fromkeys(str(problem["fix"]) for _, problem in said if problem.get("fix"))
    return kind(str(said[0][1]["code"]), message, " ".join(fixes))
