"""What the wire says of pipelines of every kind."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

from bailiwick.lakehouse.pipelines import SeenPipeline
from bailiwick.runs.models import Run, RunState
from bailiwick.tenancy.schemas.fields import Actions, Body, Version

Wanted = Annotated[
    UUID | None,
    Field(description="A dry run of this statement that has ended; without it, one is made and waited for."),
]


Note = Annotated[
    str | None, Field(description="What it is waiting for or doing.", examples=["Spark is still starting."])
]


class Named(BaseModel):
    id: UUID
    name: str


class LastRunOut(BaseModel):
    """How it went the last time."""

    id: UUID
    number: int
    state: RunState
    created_at: AwareDatetime
    ended_at: AwareDatetime | None


class PipelineOut(BaseModel):
    """A pipeline of whatever kind."""

    id: UUID
    name: str
    description: str
    active: bool
    owner: Annotated[Named, Field(description="Whom its runs act as.")]
    output_layer: Named | None
    output_name: str | None
    output_table_id: Annotated[UUID | None, Field(description="None until the table was made by a run.")]
    created_at: AwareDatetime
    saved_at: AwareDatetime
    last_run: Annotated[LastRunOut | None, Field(description="None: it never ran, or its runs are not for you.")]
    actions: Actions
    version: Version


def common(seen: SeenPipeline) -> dict[str, Any]:
    """The fields that pipelines of every kind have."""
    pipeline, layer, last = seen.pipeline, seen.output_layer, seen.last_run
    return {
        "id": pipeline.id,
        "name": pipeline.name,
        "description": pipeline.description,
        "active": pipeline.active,
        "owner": Named(id=seen.owner.id, name=seen.owner.name),
        "output_layer": Named(id=layer.id, name=layer.name) if layer else None,
        "output_name": pipeline.output_name,
        "output_table_id": pipeline.output_table_id,
        "created_at": pipeline.created_at,
        "saved_at": pipeline.saved_at,
        "last_run": LastRunOut.model_validate(last, from_attributes=True) if last else None,
        "actions": list(seen.actions),
        "version": pipeline.version,
    }


class NewOwner(Body):
    owner_id: Annotated[UUID, Field(description="An active member.")]


class StartedOut(BaseModel):
    """A run that was put into the queue, or asked for and not ended yet; see `GET /api/v1/runs/{run_id}`."""

    run_id: UUID
    state: Annotated[str, Field(examples=["queued"])]
    number: int
    note: Note = None

    @classmethod
    def of(cls, run: Run) -> StartedOut:
        return cls(run_id=run.id, state=run.state, number=run.number, note=run.progress.get("note"))


class DeletedOut(BaseModel):
    """What went with a pipeline, and what stays."""

    triggers: int
    waiting: list[dict[str, str]]
    tables_that_stay: list[str]
