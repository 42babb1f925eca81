"""Saved queries on the wire."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

from bailiwick.database.paging import Page
from bailiwick.lakehouse.queries.saved import SeenQuery
from bailiwick.lakehouse.schemas.pipelines import Named
from bailiwick.lakehouse.schemas.queries import Sql
from bailiwick.tenancy.schemas.fields import Actions, Body, Change, Description, Name, NextCursor, Version


class Chart(Body):
    """How a result is drawn. Columns are told by their place, from 0; what is left out follows from the rows."""

    mark: Literal["bar", "line", "area", "point"] | None = None
    x: Annotated[int | None, Field(ge=0)] = None
    y: Annotated[int | None, Field(ge=0)] = None
    colour: Annotated[int | None, Field(ge=-1, description="-1 for none.")] = None
    how: Annotated[
        Literal["none", "sum", "mean", "min", "max", "count"] | None,
        Field(description="How rows of one place are put together."),
    ] = None


class NewSavedQuery(Body):
    name: Annotated[Name, Field(examples=["Orders of today"])]
    description: Description = ""
    sql: Sql
    shared: Annotated[bool, Field(description="Others see it then who have Viewer on everything it reads.")] = False
    chart: Annotated[Chart | None, Field(description="Draw what it gives; without it, rows are shown.")] = None


class SavedQueryChange(Change):
    name: Name | None = None
    description: Description | None = None
    sql: Sql | None = None
    shared: bool | None = None
    chart: Annotated[Chart | None, Field(description="`null` shows rows again.")] = None

    def changes(self) -> dict[str, Any]:
        undrawn = {"chart": None} if "chart" in self.model_fields_set else {}
        return {**undrawn, **super().changes()}


class SavedQueryOut(BaseModel):
    id: UUID
    name: str
    description: str
    sql: str
    shared: bool
    chart: Chart | None
    author: Named
    reads: Annotated[list[Named], Field(description="The tables it read when it was saved.")]
    created_at: AwareDatetime
    saved_at: AwareDatetime
    actions: Actions
    version: Version

    @classmethod
    def of(cls, seen: SeenQuery) -> Self:
        query = seen.query
        return cls(
            id=query.id,
            name=query.name,
            description=query.description,
            sql=query.sql,
            shared=query.shared,
            chart=None if query.chart is None else Chart(**query.chart),
            author=Named(id=seen.author.id, name=seen.author.name),
            reads=[Named(id=UUID(one["id"]), name=one["name"]) for one in seen.reads],
            created_at=query.created_at,
            saved_at=query.saved_at,
            actions=list(seen.actions),
            version=query.version,
        )


class SavedQueriesOut(BaseModel):
    items: list[SavedQueryOut]
    next_cursor: NextCursor

    @classmethod
    def of(cls, page: Page[SeenQuery]) -> Self:
        return cls(items=[SavedQueryOut.of(seen) for seen in page.items], next_cursor=page.next_cursor)


class RunLimit(Body):
    limit: Annotated[int | None, Field(ge=1, description="Rows to keep at most.")] = None
