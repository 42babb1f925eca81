"""Sources and their streams on the wire. A secret comes in and never goes out."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

from bailiwick.database.paging import Page
from bailiwick.lakehouse.pipelines import SeenPipeline
from bailiwick.lakehouse.schemas.fields import Identifier
from bailiwick.lakehouse.schemas.pipelines import Named, PipelineOut, common
from bailiwick.lakehouse.sources import settings
from bailiwick.lakehouse.sources.streams import NewStream, SeenStream
from bailiwick.runs.models import Run, RunState
from bailiwick.tenancy.schemas import fields
from bailiwick.tenancy.schemas.fields import Body, Change, Description, Name, NextCursor, Version

Secret = Annotated[
    fields.Secret | None,
    Field(max_length=4000, description="Password or token; encrypted, and never shown. An empty one takes it away."),
]


class StreamIn(Body):
    name: Annotated[Name, Field(description="What it is called at the source.", examples=["orders"])]
    enabled: bool = True
    output_layer_id: Annotated[UUID | None, Field(description="Where it lands; else in the source's layer.")] = None
    output_name: Annotated[Identifier | None, Field(description="The table; else named like the stream.")] = None
    settings: settings.StreamSettings

    def wanted(self) -> NewStream:
        return NewStream(self.name, self.settings, self.enabled, self.output_layer_id, self.output_name)


class StreamSettingsChange(settings.Settings):
    """What is left out stays as it is."""

    read: settings.Read | None = None
    mode: Literal["full", "incremental"] | None = None
    cursor_column: settings.ColumnName | None = None
    primary_key: Annotated[list[settings.ColumnName] | None, Field(max_length=10)] = None
    only_columns: Annotated[list[settings.ColumnName] | None, Field(max_length=2000)] = None
    types: Annotated[dict[settings.ColumnName, settings.ColumnType] | None, Field(max_length=2000)] = None


class StreamChange(Change):
    enabled: bool | None = None
    output_layer_id: UUID | None = None
    output_name: Identifier | None = None
    settings: StreamSettingsChange | None = None

    def changed_settings(self) -> dict[str, Any]:
        if self.settings is None:
            return {}
        return self.settings.model_dump(mode="json", by_alias=True, exclude_unset=True)


class NewSource(Body):
    name: Annotated[Name, Field(examples=["Shop"])]
    description: Description = ""
    connection: settings.Connection
    secret: Secret = None
    output_layer_id: Annotated[UUID, Field(description="Where its streams land, unless they say otherwise.")]
    streams: Annotated[list[StreamIn], Field(max_length=500, default_factory=list)]


class SourceChange(Change):
    name: Name | None = None
    description: Description | None = None
    connection: Annotated[
        settings.Connection | None, Field(description="Pointed elsewhere, the source needs its secret again.")
    ] = None
    secret: Secret = None
    output_layer_id: UUID | None = None


class SourceOut(PipelineOut):
    connection: settings.Connection
    has_secret: Annotated[bool, Field(description="Whether a password or token was entered.")]

    @classmethod
    def of(cls, seen: SeenPipeline) -> Self:
        pipeline = seen.pipeline
        return cls(
            **common(seen),
            connection=settings.CONNECTION.validate_python(pipeline.settings),
            has_secret=pipeline.credentials is not None,
        )


class SourcesOut(BaseModel):
    items: list[SourceOut]
    next_cursor: NextCursor

    @classmethod
    def of(cls, page: Page[SeenPipeline]) -> Self:
        return cls(items=[SourceOut.of(seen) for seen in page.items], next_cursor=page.next_cursor)


class StreamColumnOut(BaseModel):
    name: str
    type: str
    nullable: bool = True


class StreamOut(BaseModel):
    id: UUID
    name: str
    enabled: bool
    settings: settings.StreamSettings
    output_layer: Named
    output_name: str
    output_table_id: Annotated[UUID | None, Field(description="None until the table was made by a run.")]
    rejects_table_id: Annotated[UUID | None, Field(description="Where its bad records are, if you may see it.")]
    columns: Annotated[list[StreamColumnOut] | None, Field(description="As discovered.")]
    cursor: Annotated[str | None, Field(description="How far it has read.")]
    starts_over: Annotated[bool, Field(description="Whether the next run replaces the table.")]
    version: Version

    @classmethod
    def of(cls, seen: SeenStream) -> Self:
        stream = seen.stream
        return cls(
            id=stream.id,
            name=stream.name,
            enabled=stream.enabled,
            settings=seen.settings,
            output_layer=Named(id=seen.output_layer.id, name=seen.output_layer.name),
            output_name=stream.output_name,
            output_table_id=stream.output_table_id,
            rejects_table_id=seen.rejects.id if seen.rejects else None,
            columns=None if stream.columns is None else [StreamColumnOut(**column) for column in stream.columns],
            cursor=stream.state.get("cursor"),
            starts_over=bool(stream.state.get("start_over")),
            version=stream.version,
        )


class StreamsOut(BaseModel):
    items: list[StreamOut]
    next_cursor: NextCursor

    @classmethod
    def of(cls, page: Page[SeenStream]) -> Self:
        return cls(items=[StreamOut.of(seen) for seen in page.items], next_cursor=page.next_cursor)


class FoundStreamOut(BaseModel):
    """A stream as it was found at the source."""

    name: str
    id: Annotated[UUID | None, Field(description="Of the stream of the source that it is; none: it could become one.")]
    columns: list[StreamColumnOut]
    primary_key: list[str]
    read: Annotated[dict[str, Any], Field(description="What a stream that reads it would say.")]
    sample: list[dict[str, Any]]
    about: str
    problem: str | None


class LookProblemOut(BaseModel):
    code: str
    message: str
    fix: str


class LookOut(BaseModel):
    """What a look at the source found; of one that has not ended yet, see `GET /api/v1/runs/{run_id}`."""

    run_id: UUID
    state: Annotated[str, Field(examples=["succeeded"])]
    says: str = ""
    streams: Annotated[list[FoundStreamOut], Field(default_factory=list)]
    problem: LookProblemOut | None = None
    ended_at: AwareDatetime | None = None

    @classmethod
    def of(cls, run: Run) -> Self:
        found = (run.result or {}) if run.state == RunState.SUCCEEDED else {}
        problem = LookProblemOut(**run.problem) if run.problem else None
        return cls(run_id=run.id, state=run.state, **found, problem=problem, ended_at=run.ended_at)
