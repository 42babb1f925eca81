"""Histories: what a table was like, when. Each run takes a snapshot of its input into the history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from bailiwick.access.decision import Refused
from bailiwick.errors import Conflict, Invalid, NotFound
from bailiwick.lakehouse import outputs, pipelines, tables
from bailiwick.lakehouse.catalogue import table_location
from bailiwick.lakehouse.models import HistorySnapshot, Pipeline, PipelineKind, Table
from bailiwick.lakehouse.pipeline_runs import acting_owner
from bailiwick.lakehouse.pipelines import SeenPipeline
from bailiwick.lakehouse.queries.adhoc import names_of
from bailiwick.runs.errors import RunProblem
from bailiwick.runs.lineage import Edge, set_lineage
from bailiwick.runs.models import Run
from bailiwick.settings import Settings
from bailiwick.spark.histories.jobs import OWN_COLUMNS, History, HistoryWritten
from bailiwick.tenancy.caller import Caller

KIND = PipelineKind.HISTORY
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True)
class Draft:
    """A history as somebody wants it."""

    table_id: UUID
    keys: Sequence[str]
    columns: Sequence[str] | None
    as_of_column: str | None
    output_layer_id: UUID
    output_name: str

    @property
    def settings(self) -> dict[str, Any]:
        return {
            "table_id": str(self.table_id),
            "keys": list(self.keys),
            "columns": None if self.columns is None else list(self.columns),
            "as_of_column": self.as_of_column,
        }


def draft_of(pipeline: Pipeline) -> Draft:
    assert pipeline.output_layer_id is not None
    assert pipeline.output_name is not None
    said = {**pipeline.settings, "table_id": UUID(pipeline.settings["table_id"])}
    return Draft(**said, output_layer_id=pipeline.output_layer_id, output_name=pipeline.output_name)


def add(session: Session, caller: Caller, *, name: str, description: str, draft: Draft) -> SeenPipeline:
    decision = pipelines.require_may_add(session, caller, draft.output_layer_id)
    pipelines.refuse_taken_name(session, KIND, name)
    _require_sound(session, caller, draft)
    _require_own_table(session, draft)
    pipeline = Pipeline(
        kind=KIND,
        name=name,
        description=description,
        settings=draft.settings,
        owner_id=caller.member.id,
        created_by_id=caller.member.id,
        saved_by_id=caller.member.id,
    )
    outputs.set_output(session, pipeline, draft.output_layer_id, draft.output_name)
    session.add(pipeline)
    session.flush()
    outputs.set_inputs(session, pipeline, [draft.table_id])
    return pipelines.save_new(session, caller, pipeline, decision)


def edit(
    session: Session, caller: Caller, pipeline_id: UUID, changes: Mapping[str, Any], *, if_match: str | None
) -> SeenPipeline:
    """Change it. Other keys or another input begin another history, so they come with another output."""
    with pipelines.edit(session, caller, pipeline_id, KIND, if_match=if_match) as pipeline:
        now = draft_of(pipeline)
        draft = Draft(**{field: changes.get(field, getattr(now, field)) for field in Draft.__dataclass_fields__})
        for field in ("name", "description"):
            if changes.get(field) is not None:
                setattr(pipeline, field, changes[field])
        if draft != now:
            _change(session, caller, pipeline, now, draft)
    return pipelines.one(session, caller, pipeline)


def _change(session: Session, caller: Caller, pipeline: Pipeline, now: Draft, draft: Draft) -> None:
    _require_sound(session, caller, draft)
    moved = (draft.output_layer_id, draft.output_name) != (now.output_layer_id, now.output_name)
    other = (draft.table_id, list(draft.keys)) != (now.table_id, list(now.keys))
    if other and not moved and pipeline.output_table_id is not None:
        fix = "Give it another output as well, or add another history."
        raise Invalid("keys", "The history is of another table, or by other keys, already.", fix)
    if moved:
        pipelines.require_may_add(session, caller, draft.output_layer_id)
        _require_own_table(session, draft)
        outputs.set_output(session, pipeline, draft.output_layer_id, draft.output_name)
        session.execute(delete(HistorySnapshot).where(HistorySnapshot.pipeline_id == pipeline.id))
    pipeline.settings = draft.settings
    outputs.set_inputs(session, pipeline, [draft.table_id])


def _require_sound(session: Session, caller: Caller, draft: Draft) -> None:
    """The table is there for the caller, and has these columns."""
    try:
        table, _ = tables.find_table(session, caller, draft.table_id)
    except (NotFound, Refused):
        table = None
    if table is None:
        raise Invalid("table_id", "There is no such table.", "List the tables you see: GET /api/v1/tables")
    there = {column["name"].lower() for column in table.columns}
    for field in ("keys", "columns", "as_of_column"):
        value = getattr(draft, field)
        named = [value] if isinstance(value, str) else value or []
        absent = [one for one in named if one.lower() not in there]
        if absent:
            raise Invalid(field, f"The table has no column {absent[0][:100]}.", "Take the names from the table.")
    own = sorted(there & set(OWN_COLUMNS))
    if own:
        raise Invalid("table_id", f"It has a column {own[0]}, which a history makes itself.", "Rename it in a query.")


def _require_own_table(session: Session, draft: Draft) -> None:
    if outputs.named(session, draft.output_layer_id, draft.output_name) is not None:
        raise Conflict("There is a table of this name already, and a history needs one of its own. Choose another.")


def inputs_of(session: Session, listed: Sequence[Pipeline]) -> dict[UUID, dict[str, str] | None]:
    """The table that each of them takes the history of; none where it was deleted."""
    names = {one["id"]: one for one in names_of(session, [pipeline.settings["table_id"] for pipeline in listed])}
    return {pipeline.id: names.get(pipeline.settings["table_id"]) for pipeline in listed}


# What a worker does --------------------------------------------------------------------------------------------------


def prepare(session: Session, run: Run, settings: Settings) -> History:
    pipeline, _ = acting_owner(session, run)
    draft = draft_of(pipeline)
    table = session.get(Table, draft.table_id)
    if table is None:
        raise RunProblem("table_gone", "The table that the history is of was deleted.", "Add another history.")
    known: list[int] = []
    if pipeline.output_table_id is not None:  # a table that was deleted begins anew
        found = select(HistorySnapshot.taken_at).where(HistorySnapshot.pipeline_id == pipeline.id)
        known = sorted(session.scalars(found))
    return History(
        input_location=table_location(settings, table),
        output_location=outputs.output_location(session, pipeline, settings),
        keys=tuple(draft.keys),
        columns=None if draft.columns is None else tuple(draft.columns),
        as_of_column=draft.as_of_column,
        # Of the run and not of the attempt: however often it is tried, it is one snapshot.
        taken_at=((run.started_at or run.created_at) - EPOCH) // MICROSECOND,
        known=tuple(known),
        app_id=str(pipeline.id),
        version=run.number,
    )


def finish(session: Session, run: Run, done: HistoryWritten, *, settings: Settings) -> None:
    pipeline = session.get(Pipeline, run.subject_id)
    if pipeline is None:
        return
    begins = pipeline.output_table_id is None
    table = outputs.note_written(session, run, pipeline, done.written, settings)
    if begins:
        session.execute(delete(HistorySnapshot).where(HistorySnapshot.pipeline_id == pipeline.id))
    for moment in done.taken:
        session.merge(HistorySnapshot(pipeline_id=pipeline.id, taken_at=moment))
    input_id = UUID(pipeline.settings["table_id"])
    set_lineage(session, run, [Edge(input_id, column, table.id, column) for column in done.columns])
    run.rows_written = done.written.rows_written
    run.result = {
        "table": names_of(session, [str(table.id)])[0],
        "data_version": done.written.delta_version,
        "rows": done.written.rows,
        "snapshots": [(EPOCH + moment * MICROSECOND).isoformat() for moment in done.taken],
    }
