"""Notebooks and integrations on the wire."""

from __future__ import annotations

from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import BaseModel, Field, StringConstraints

from bailiwick.lakehouse.pipelines import SeenPipeline
from bailiwick.lakehouse.schemas.fields import Identifier
from bailiwick.lakehouse.schemas.pipelines import Named, PipelineOut, common
from bailiwick.tenancy.schemas.fields import Body, Change, Description, Name, NextCursor

Content = Annotated[
    str,
    StringConstraints(max_length=1_000_000, pattern=r"^[^\x00]*$"),
    Field(description="The notebook itself. It is kept, and not executed yet."),
]
Inputs = Annotated[list[UUID], Field(max_length=200, description="Ids of the tables it reads.")]
Kept = Annotated[
    dict[Annotated[str, Field(max_length=100)], Annotated[str, Field(max_length=1000)] | int | float | bool | None],
    Field(max_length=100, description="What is set about it. Everybody who sees it sees this: no secrets."),
]


class NewNotebook(Body):
    name: Name
    description: Description = ""
    content: Content = ""
    input_table_ids: Annotated[Inputs, Field(default_factory=list)]
    output_layer_id: UUID
    output_name: Identifier | None = None


class NotebookChange(Change):
    name: Name | None = None
    description: Description | None = None
    content: Content | None = None
    input_table_ids: Inputs | None = None
    output_layer_id: UUID | None = None
    output_name: Identifier | None = None


class NotebookOut(PipelineOut):
    content: str
    inputs: list[Named]

    @classmethod
    def of(cls, seen: SeenPipeline, inputs: list[dict[str, str]]) -> Self:
        named = [Named(id=UUID(one["id"]), name=one["name"]) for one in inputs]
        return cls(**common(seen), content=seen.pipeline.settings.get("content", ""), inputs=named)


class NotebooksOut(BaseModel):
    items: list[NotebookOut]
    next_cursor: NextCursor


class NewIntegration(Body):
    name: Name
    description: Description = ""
    settings: Annotated[Kept, Field(default_factory=dict)]
    input_table_ids: Annotated[Inputs, Field(default_factory=list)]
    output_layer_id: UUID
    output_name: Identifier | None = None


class IntegrationChange(Change):
    name: Name | None = None
    description: Description | None = None
    settings: Kept | None = None
    input_table_ids: Inputs | None = None
    output_layer_id: UUID | None = None
    output_name: Identifier | None = None


class IntegrationOut(PipelineOut):
    settings: dict[str, Any]
    inputs: list[Named]

    @classmethod
    def of(cls, seen: SeenPipeline, inputs: list[dict[str, str]]) -> Self:
        named = [Named(id=UUID(one["id"]), name=one["name"]) for one in inputs]
        return cls(**common(seen), settings=seen.pipeline.settings, inputs=named)


class IntegrationsOut(BaseModel):
    items: list[IntegrationOut]
    next_cursor: NextCursor
