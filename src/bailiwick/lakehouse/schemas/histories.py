"""Histories on the wire."""

from __future__ import annotations

from typing import Annotated, Self
from uuid import UUID

from pydantic import BaseModel, Field

from bailiwick.lakehouse.pipelines import SeenPipeline
from bailiwick.lakehouse.schemas.fields import Identifier
from bailiwick.lakehouse.schemas.pipeline_queries import ColumnName
from bailiwick.lakehouse.schemas.pipelines import Named, PipelineOut, common
from bailiwick.tenancy.schemas.fields import Body, Change, Description, Name, NextCursor

Keys = Annotated[list[ColumnName], Field(min_length=1, max_length=32, description="Columns that identify a row.")]
Columns = Annotated[
    list[ColumnName] | None, Field(max_length=2000, description="Columns whose changes are kept; none: all.")
]
AsOf = Annotated[
    ColumnName | None,
    Field(description="The column that says when a row was seen, each value a snapshot; none: when the run starts."),
]


class NewHistory(Body):
    name: Annotated[Name, Field(examples=["Customers over time"])]
    description: Description = ""
    table_id: Annotated[UUID, Field(description="The table whose history is kept.")]
    keys: Keys
    columns: Columns = None
    as_of_column: AsOf = None
    output_layer_id: UUID
    output_name: Annotated[Identifier, Field(examples=["customers_history"])]


class HistoryChange(Change):
    name: Name | None = None
    description: Description | None = None
    table_id: UUID | None = None
    keys: Keys | None = None
    columns: Columns = None
    as_of_column: AsOf = None
    output_layer_id: UUID | None = None
    output_name: Identifier | None = None


class HistoryOut(PipelineOut):
    table: Annotated[Named | None, Field(description="The table whose history is kept; none if it was deleted.")]
    keys: list[str]
    columns: list[str] | None
    as_of_column: str | None

    @classmethod
    def of(cls, seen: SeenPipeline, table: dict[str, str] | None) -> Self:
        said = {key: value for key, value in seen.pipeline.settings.items() if key != "table_id"}
        return cls(**common(seen), **said, table=Named(id=UUID(table["id"]), name=table["name"]) if table else None)


class HistoriesOut(BaseModel):
    items: list[HistoryOut]
    next_cursor: NextCursor
