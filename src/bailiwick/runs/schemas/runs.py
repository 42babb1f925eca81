"""Runs on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import BaseModel, Field

from bailiwick.database.paging import Page
from bailiwick.runs.models import LineageEdge, RunLog, RunState
from bailiwick.runs.readiness import Readiness
from bailiwick.runs.service import Lineage, SeenRun
from bailiwick.tenancy.schemas.fields import Actions, NextCursor
from bailiwick.tenancy.schemas.members import NamedOut


class SubjectOut(BaseModel):
    """What a run or a trigger belongs to."""

    type: Annotated[str, Field(examples=["pipeline"])]
    id: UUID
    name: str


class ProgressOut(BaseModel):
    stages_done: int | None = None
    stages_total: int | None = None
    note: str | None = None


class ProblemOut(BaseModel):
    """Why it did not succeed."""

    code: Annotated[str, Field(description="For programs.", examples=["divide_by_zero"])]
    message: str
    fix: Annotated[str, Field(description="What to do.")] = ""
    refused: Annotated[bool, Field(description="It was not begun: it may not be done, or not by who asked.")] = False


class MissingLevelOut(BaseModel):
    """A right that whom it acts as lacked."""

    resource_type: Annotated[str, Field(examples=["table"])]
    resource_id: str
    name: str
    has: str
    needs: Annotated[str, Field(examples=["Editor"])]


class RunOut(BaseModel):
    id: UUID
    number: Annotated[int, Field(description="Of its subject's runs.")]
    kind: Annotated[str, Field(examples=["pipeline_query"])]
    subject: SubjectOut
    project_id: UUID | None
    state: RunState
    priority: Annotated[int, Field(description="The smaller, the sooner.")]
    trigger_id: Annotated[UUID | None, Field(description="What started it, if not somebody.")]
    scheduled_for: datetime | None
    started_by: NamedOut | None
    acts_as: Annotated[NamedOut, Field(description="With whose rights it runs.")]
    attempt: Annotated[int, Field(description="How often it was begun.")]
    most_attempts: int
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    cancel_asked_at: datetime | None
    progress: ProgressOut
    rows_read: int | None
    rows_written: int | None
    problem: ProblemOut | None
    missing: Annotated[
        list[MissingLevelOut], Field(description="Of a restricted run: what you may see of what it lacked.")
    ]
    hidden: Annotated[int, Field(description="How much of it you may not see.")]
    actions: Annotated[Actions, Field(examples=[["see", "cancel"]])]

    @classmethod
    def of(cls, seen: SeenRun) -> Self:
        return cls.model_validate(cls.fields_of(seen))

    @classmethod
    def fields_of(cls, seen: SeenRun) -> dict[str, Any]:
        run = seen.run
        plain = (
            *("id", "number", "kind", "project_id", "state", "priority", "trigger_id", "scheduled_for", "attempt"),
            *("most_attempts", "created_at", "started_at", "ended_at", "cancel_asked_at", "progress"),
            *("rows_read", "rows_written"),
        )
        return {
            **{field: getattr(run, field) for field in plain},
            "problem": None if seen.private else seen.problem,
            **({"progress": {**run.progress, "note": seen.note}} if seen.note else {}),
            "subject": {
                "type": run.subject_type,
                "id": run.subject_id,
                "name": "" if seen.private else run.subject_name,
            },
            "started_by": NamedOut(id=run.started_by_id, name=seen.started_by or "") if run.started_by_id else None,
            "acts_as": NamedOut(id=run.acts_as_id, name=seen.acts_as),
            "missing": list(seen.missing),
            "hidden": seen.hidden,
            "actions": list(seen.actions),
        }


class RunDetailOut(RunOut):
    executed_sql: str | None
    result: Annotated[
        dict[str, Any] | None,
        Field(description="For who started it, until it expires; of a pipeline, for all who see the run."),
    ]
    result_expires_at: datetime | None
    worker: Annotated[str | None, Field(description="Who does it, or did it last.")]

    @classmethod
    def fields_of(cls, seen: SeenRun) -> dict[str, Any]:
        run = seen.run
        more = {field: getattr(run, field) for field in ("executed_sql", "result_expires_at", "worker")}
        hidden = {"executed_sql": None, "result": None} if seen.private else {}
        return {**super().fields_of(seen), **more, "result": seen.result, **hidden}


class RunsOut(BaseModel):
    items: list[RunOut]
    next_cursor: NextCursor

    @classmethod
    def of(cls, page: Page[SeenRun]) -> Self:
        return cls(items=[RunOut.of(seen) for seen in page.items], next_cursor=page.next_cursor)


class LogLineOut(BaseModel):
    id: UUID
    at: datetime
    level: Annotated[str, Field(examples=["info", "warning", "error"])]
    text: str

    @classmethod
    def of(cls, line: RunLog) -> Self:
        return cls(id=line.id, at=line.at, level=line.level, text=line.text)


class LogOut(BaseModel):
    items: list[LogLineOut]
    next_cursor: NextCursor

    @classmethod
    def of(cls, page: Page[RunLog]) -> Self:
        return cls(items=[LogLineOut.of(line) for line in page.items], next_cursor=page.next_cursor)


class EdgeOut(BaseModel):
    """No table stands for the outside or a result, no column for the table as a whole."""

    from_table_id: UUID | None
    from_column: str | None
    to_table_id: UUID | None
    to_column: str | None

    @classmethod
    def of(cls, edge: LineageEdge) -> Self:
        return cls(
            from_table_id=edge.from_table_id,
            from_column=edge.from_column,
            to_table_id=edge.to_table_id,
            to_column=edge.to_column,
        )


class RunLineageOut(BaseModel):
    items: list[EdgeOut]
    hidden: Annotated[int, Field(description="Edges from or to tables you may not see.")]

    @classmethod
    def of(cls, lineage: Lineage) -> Self:
        return cls(items=[EdgeOut.of(edge) for edge in lineage.edges], hidden=lineage.hidden)


class SparkOut(BaseModel):
    """How Spark is."""

    state: Annotated[str, Field(description="ready, starting, failed, or none where no worker runs.")]
    workers: int
    detail: str
    problem: Annotated[str, Field(description="For tenant owners and admins: why it did not start.")]

    @classmethod
    def of(cls, found: Readiness, *, with_problem: bool) -> Self:
        problem = found.problem if with_problem else ""
        return cls(state=found.state, workers=found.workers, detail=found.detail, problem=problem)
