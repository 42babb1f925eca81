"""Lakehouse destinations on the wire. Secrets come in and never go out."""

from __future__ import annotations

from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import BaseModel, Field

from bailiwick.lakehouse.destinations.settings import Target
from bailiwick.lakehouse.pipelines import SeenPipeline
from bailiwick.lakehouse.schemas.pipeline_queries import ColumnName
from bailiwick.lakehouse.schemas.pipelines import Named, PipelineOut, common
from bailiwick.tenancy.schemas import fields
from bailiwick.tenancy.schemas.fields import Body, Change, Description, Name, NextCursor

Secret = Annotated[
    fields.Secret | None,
    Field(max_length=10_000, description="A password or token; kept encrypted, and shown to nobody."),
]
Columns = Annotated[list[ColumnName] | None, Field(min_length=1, max_length=2000, description="None: all.")]


class NewDestination(Body):
    name: Annotated[Name, Field(examples=["Totals to the shop"])]
    description: Description = ""
    table_id: Annotated[UUID, Field(description="The table whose rows go out.")]
    columns: Columns = None
    target: Target
    secret: Secret = None


class DestinationChange(Change):
    name: Name | None = None
    description: Description | None = None
    table_id: UUID | None = None
    columns: Columns = None
    target: Target | None = None
    secret: Secret = None


class DestinationOut(PipelineOut):
    table: Annotated[Named | None, Field(description="The table whose rows go out; none if it was deleted.")]
    columns: list[str] | None
    target: dict[str, Any]
    has_secret: bool

    @classmethod
    def of(cls, seen: SeenPipeline, table: dict[str, str] | None) -> Self:
        pipeline = seen.pipeline
        return cls(
            **common(seen),
            table=Named(id=UUID(table["id"]), name=table["name"]) if table else None,
            columns=pipeline.settings["columns"],
            target=pipeline.settings["target"],
            has_secret=pipeline.credentials is not None,
        )


class DestinationsOut(BaseModel):
    items: list[DestinationOut]
    next_cursor: NextCursor


class TriedOut(BaseModel):
    """Whether the place answered."""

    run_id: UUID
    state: str
    ok: bool | None
    says: str
