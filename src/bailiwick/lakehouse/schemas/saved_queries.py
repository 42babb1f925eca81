"""Saved queries on the wire."""

from __future__ import annotations

from typing import Annotated, Self
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

from bailiwick.database.paging import Page
from bailiwick.lakehouse.queries.saved import SeenQuery
from bailiwick.lakehouse.schemas.pipelines import Named
from bailiwick.lakehouse.schemas.queries import Sql
from bailiwick.tenancy.schemas.fields import Actions, Body, Change, Description, Name, NextCursor, Version


class NewSavedQuery(Body):
    name: Annotated[Name, Field(examples=["Orders of today"])]
    description: Description = ""
    sql: Sql
    shared: Annotated[bool, Field(description="Others see it then who have Viewer on everything it reads.")] = False


class SavedQueryChange(Change):
    name: Name | None = None
    description: Description | None = None
    sql: Sql | None = None
    shared: bool | None = None


class SavedQueryOut(BaseModel):
    id: UUID
    name: str
    description: str
    sql: str
    shared: bool
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
