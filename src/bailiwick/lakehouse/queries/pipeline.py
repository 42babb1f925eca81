"""Pipeline queries: a statement whose rows go into a table, with what is expected of them.

Saving takes an analysis of the statement by Spark, made as the saver: what it reads counts for the pipeline's level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision
from bailiwick.access.tables.lakehouse.levels import EDITOR, VIEWER
from bailiwick.errors import Invalid
from bailiwick.lakehouse import catalogue, outputs, pipelines
from bailiwick.lakehouse.models import Layer, Pipeline, PipelineInput, PipelineKind, Table
from bailiwick.lakehouse.pipeline_runs import acting_owner
from bailiwick.lakehouse.pipelines import ADD, SeenPipeline
from bailiwick.lakehouse.queries.adhoc import names_of
from bailiwick.lakehouse.queries.analysis import Analysis, expectations_of
from bailiwick.lakehouse.standing import level_of, on_layer, on_things
from bailiwick.runs.errors import Restricted
from bailiwick.runs.lineage import Edge, set_lineage
from bailiwick.runs.models import Run
from bailiwick.settings import Settings
from bailiwick.spark.jobs import Name, TableRef
from bailiwick.spark.queries.jobs import Checked, PipelineQuery, QueryWritten
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.standing import the_tenant

KIND = PipelineKind.QUERY
CHANGE, READ = "Change descriptions", "Execute queries"  # a table's rows for Editor and Viewer


@dataclass(frozen=True)
class Draft:
    """A pipeline query as somebody wants it."""

    sql: str
    mode: str
    keys: Sequence[str]
    replace_schema: bool
    expectations: Sequence[Mapping[str, Any]]
    output_layer_id: UUID
    output_name: str

    @property
    def settings(self) -> dict[str, Any]:
        return {
            "sql": self.sql,
            "mode": self.mode,
            "keys": list(self.keys),
            "replace_schema": self.replace_schema,
            "expectations": [dict(one) for one in self.expectations],
        }

    def writing(self, session: Session) -> dict[str, Any]:
        """What a dry run looks at beside the statement."""
        table = outputs.named(session, self.output_layer_id, self.output_name)
        return {**self.settings, "location": table.location if table else None}


# What holds where a setting was not there yet when the pipeline was saved.
UNSAID: Mapping[str, Any] = {"sql": "", "mode": "overwrite", "keys": [], "replace_schema": False, "expectations": []}


def settings_of(pipeline: Pipeline) -> dict[str, Any]:
    return {**UNSAID, **pipeline.settings}


def draft_of(pipeline: Pipeline) -> Draft:
    assert pipeline.output_layer_id is not None
    assert pipeline.output_name is not None
    return Draft(**settings_of(pipeline), output_layer_id=pipeline.output_layer_id, output_name=pipeline.output_name)


# Saving --------------------------------------------------------------------------------------------------------------


def require_may_add(session: Session, caller: Caller, name: str, draft: Draft) -> Decision:
    """Asked before the statement is analysed, so that nobody waits for a refusal; and again when it is saved."""
    decision = pipelines.require_may_add(session, caller, draft.output_layer_id)
    pipelines.refuse_taken_name(session, KIND, name)
    return decision


def add(
    session: Session, caller: Caller, *, name: str, description: str, draft: Draft, analysis: Analysis
) -> SeenPipeline:
    decision = require_may_add(session, caller, name, draft)
    _require_writable(analysis)
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
    outputs.set_inputs(session, pipeline, [table.id for table in analysis.reads])
    return pipelines.save_new(session, caller, pipeline, decision)


def edit(
    session: Session,
    caller: Caller,
    pipeline_id: UUID,
    changes: Mapping[str, Any],
    draft: Draft,
    analysis: Analysis | None,
    *,
    if_match: str | None,
) -> SeenPipeline:
    """Change it. An output elsewhere makes a table there, which asks for the layer as adding does."""
    with pipelines.edit(session, caller, pipeline_id, KIND, if_match=if_match) as pipeline:
        for field in ("name", "description"):
            if changes.get(field) is not None:
                setattr(pipeline, field, changes[field])
        if (draft.output_layer_id, draft.output_name) != (pipeline.output_layer_id, pipeline.output_name):
            pipelines.require_may_add(session, caller, draft.output_layer_id)
            outputs.set_output(session, pipeline, draft.output_layer_id, draft.output_name)
        pipeline.settings = draft.settings
        if analysis is not None:
            _require_writable(analysis)
            outputs.set_inputs(session, pipeline, [table.id for table in analysis.reads])
    return pipelines.one(session, caller, pipeline)


def changed(pipeline: Pipeline, changes: Mapping[str, Any]) -> Draft:
    """The pipeline as it becomes with these changes."""
    now = draft_of(pipeline)
    fields = {field: changes.get(field, getattr(now, field)) for field in Draft.__dataclass_fields__}
    return Draft(**fields)


def needs_analysis(pipeline: Pipeline, draft: Draft) -> bool:
    """Whether Spark has to look at it again: not for another name."""
    return draft != draft_of(pipeline)


def _require_writable(analysis: Analysis) -> None:
    if analysis.problem:
        raise Invalid("sql", analysis.problem["message"], analysis.problem.get("fix", ""))


# Dry run -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Judged:
    """What a dry run says: what is read and written, and whether the caller may."""

    inputs: list[dict[str, Any]]
    output: dict[str, Any]
    analysis: Analysis
    decisions: list[Decision]

    @property
    def allowed(self) -> bool:
        return all(decision.allowed for decision in self.decisions) and self.analysis.problem is None


def judge(session: Session, caller: Caller, draft: Draft, analysis: Analysis) -> Judged:
    """Whether the caller may save this, each decision told; nothing is changed."""
    layer = session.get_one(Layer, draft.output_layer_id)
    table = outputs.named(session, draft.output_layer_id, draft.output_name)
    placed = on_things(session, caller, [*analysis.reads, *([table] if table else [])])
    only_viewer = the_tenant(session).reading_needs_only_viewer
    decisions = [on_layer(session, caller, layer).check(caller.id, ADD)]
    decisions += [placed[one.id].check(caller.id, READ if only_viewer else CHANGE) for one in analysis.reads]
    if table:
        decisions.append(placed[table.id].check(caller.id, CHANGE))
    names = {one["id"]: one["name"] for one in names_of(session, [str(one.id) for one in analysis.reads])}
    inputs = [
        {
            "id": one.id,
            "name": names[str(one.id)],
            "level": level_of(placed[one.id], caller.id),
            "needs": VIEWER if only_viewer else EDITOR,
        }
        for one in analysis.reads
    ]
    output = {"id": table.id if table else None, "name": f"{layer.name}.{draft.output_name}", "exists": bool(table)}
    return Judged(inputs, output, analysis, decisions)


def inputs_of(session: Session, pipelines_: Sequence[Pipeline]) -> dict[UUID, list[dict[str, str]]]:
    """The tables that these read, by name; whoever sees a pipeline sees them all."""
    ids = [pipeline.id for pipeline in pipelines_]
    rows = session.execute(
        select(PipelineInput.pipeline_id, Table.id, Layer.name, Table.name)
        .join(Table, Table.id == PipelineInput.table_id)
        .join(Layer, Layer.id == Table.layer_id)
        .where(PipelineInput.pipeline_id.in_(ids))
        .order_by(Layer.name, Table.name)
    )
    found: dict[UUID, list[dict[str, str]]] = {id_: [] for id_ in ids}
    for pipeline_id, table_id, layer, table in rows:
        found[pipeline_id].append({"id": str(table_id), "name": f"{layer}.{table}"})
    return found


# What a worker does --------------------------------------------------------------------------------------------------


def prepare(session: Session, run: Run, settings: Settings) -> PipelineQuery:
    pipeline, _ = acting_owner(session, run)
    draft = draft_of(pipeline)
    return PipelineQuery(
        sql=draft.sql,
        location=outputs.output_location(session, pipeline, settings),
        app_id=str(pipeline.id),
        version=run.number,
        mode=draft.mode,  # type: ignore[arg-type]
        keys=tuple(draft.keys),
        replace_schema=draft.replace_schema,
        expectations=expectations_of(draft.expectations),
    )


def resolve(session: Session, caller: Caller, names: Sequence[Name], settings: Settings) -> dict[Name, TableRef]:
    """The tables that whom the pipeline acts as may use in it. A name may mean another table than when it was saved,
    and reading a table is not enough to make others of it."""
    found = catalogue.resolve(session, caller, names, settings)
    if the_tenant(session).reading_needs_only_viewer:
        return found
    ids = [UUID(ref.id) for ref in found.values()]
    tables = session.scalars(select(Table).where(Table.id.in_(ids))).all()
    missing: list[dict[str, Any]] = []
    refused: Decision | None = None
    for table_id, placed in on_things(session, caller, tables).items():
        decision = placed.check(caller.id, CHANGE)
        if not decision.allowed:
            refused = decision if refused is None else refused
            name = names_of(session, [str(table_id)])[0]["name"]
            has = level_of(placed, caller.id)
            missing.append(
                {"resource_type": "table", "resource_id": str(table_id), "name": name, "has": has, "needs": EDITOR}
            )
    if missing:
        raise Restricted(refused, missing)
    return found


def finish(session: Session, run: Run, done: QueryWritten, *, settings: Settings) -> None:
    pipeline = session.get(Pipeline, run.subject_id)
    if pipeline is None:
        return  # deleted while its last run was under way; what it wrote to a new table is nobody's
    table = outputs.note_written(session, run, pipeline, done.written, settings)
    if run.executed_sql == pipeline.settings["sql"]:  # or else it was saved anew meanwhile
        outputs.set_inputs(session, pipeline, [UUID(id_) for id_ in done.reads])
    edges = [Edge(UUID(e.from_table_id), e.from_column, table.id, e.to_column) for e in done.lineage]
    set_lineage(session, run, edges)
    run.rows_written = done.written.rows_written
    run.result = {
        "table": names_of(session, [str(table.id)])[0],
        "data_version": done.written.delta_version,
        "rows": done.written.rows,
        "reads": names_of(session, done.reads),
        "expectations": [_told(one) for one in done.checks],
    }


def _told(one: Checked) -> dict[str, Any]:
    expectation = one.expectation
    told = {"kind": expectation.kind, "column": expectation.column, "stop": expectation.stop}
    return {**told, "met": one.met, "found": one.found}
