"""The one table that a query or a history writes: which it is when a run starts, and its row once it was written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from uuid import UUID

from sqlalchemy import delete, or_, select
from sqlalchemy.orm import Session

from bailiwick.database.base import observe, utc_now
from bailiwick.errors import Invalid
from bailiwick.lakehouse.models import Layer, Pipeline, PipelineInput, Table
from bailiwick.runs.errors import RunProblem
from bailiwick.runs.models import Run
from bailiwick.settings import Settings
from bailiwick.spark.jobs import Written


def named(session: Session, layer_id: UUID, name: str) -> Table | None:
    return session.scalars(select(Table).where(Table.layer_id == layer_id, Table.name == name)).one_or_none()


def set_output(session: Session, pipeline: Pipeline, layer_id: UUID, name: str) -> None:
    """Let the pipeline write to this table: one that is there, which then counts for its level, or one to be made."""
    pipeline.output_layer_id, pipeline.output_name = layer_id, name
    table = named(session, layer_id, name)
    if table is not None and table.holds_rejects_of_id is not None:
        raise Invalid("output_name", "This table holds what a source could not take in.", "Choose another name.")
    pipeline.output_table_id = table.id if table else None


def output_location(session: Session, pipeline: Pipeline, settings: Settings) -> str:
    """Where the pipeline writes. A table that does not exist yet has its place already."""
    root = settings.warehouse.rstrip("/")
    if pipeline.output_table_id is not None:
        return f"{root}/{session.get_one(Table, pipeline.output_table_id).location}"
    _require_free(session, pipeline)
    return f"{root}/tables/{pipeline.planned_table_id}"


def note_written(session: Session, run: Run, pipeline: Pipeline, written: Written, settings: Settings) -> Table:
    """Put down what the table is like now; the first time, that there is a table. It is the table that was written,
    which need not be the one that the pipeline was given while it ran."""
    location = written.location.removeprefix(settings.warehouse.rstrip("/")).strip("/")
    table = session.scalars(select(Table).where(Table.location == location)).one_or_none()
    if table is None:
        if pipeline.output_table_id or location != f"tables/{pipeline.planned_table_id}":
            message = "The table it wrote was deleted meanwhile, or the pipeline was given another one."
            raise RunProblem("output_gone", message, "Run it again.")
        _require_free(session, pipeline)
        assert pipeline.output_layer_id is not None
        assert pipeline.output_name is not None
        id_ = pipeline.planned_table_id
        table = Table(
            id=id_,
            layer_id=pipeline.output_layer_id,
            name=pipeline.output_name,
            location=f"tables/{id_}",
            created_by_id=run.acts_as_id,
        )
        session.add(table)
        session.flush()
    note(session, table, written)
    if (pipeline.output_layer_id, pipeline.output_name) == (table.layer_id, table.name):
        # Not past the version, and only once: whoever gives it another output meanwhile is not overruled.
        pipeline.output_table_id = table.id
        session.flush()
    return table


def note(session: Session, table: Table, written: Written, *, same_rows: bool = False) -> None:
    """The state of a table after a commit, unless a later one is known; the same rows can lie in other files."""
    facts: dict[str, object] = {"rows": written.rows, "bytes": written.bytes}
    if not same_rows:
        facts["changed_at"] = utc_now()
    columns = [asdict(column) for column in written.columns]
    note_version(session, table, written.delta_version, columns=columns, **facts)


def note_version(session: Session, table: Table, version: int, **facts: object) -> None:
    unless_late = or_(Table.data_version.is_(None), Table.data_version <= version)
    observe(session, Table, table.id, unless_late, data_version=version, **facts)


def set_inputs(session: Session, pipeline: Pipeline, table_ids: Iterable[UUID]) -> None:
    """What the pipeline reads, in place of what it read before."""
    wanted = set(table_ids)
    there = set(session.scalars(select(Table.id).where(Table.id.in_(wanted))))
    held = set(session.scalars(select(PipelineInput.table_id).where(PipelineInput.pipeline_id == pipeline.id)))
    if held == there:
        return
    session.execute(delete(PipelineInput).where(PipelineInput.pipeline_id == pipeline.id))
    session.add_all(PipelineInput(pipeline_id=pipeline.id, table_id=id_) for id_ in sorted(there))
    session.flush()


def _require_free(session: Session, pipeline: Pipeline) -> None:
    """A table that somebody else made meanwhile is not written to without asking whether that may be."""
    assert pipeline.output_layer_id is not None
    assert pipeline.output_name is not None
    if named(session, pipeline.output_layer_id, pipeline.output_name) is not None:
        layer = session.get_one(Layer, pipeline.output_layer_id)
        raise RunProblem(
            "output_taken",
            f"There is a table {layer.name}.{pipeline.output_name} by now, which this pipeline did not make.",
            "Save the pipeline again to let it write there, or give its output another name.",
        )
