"""Groups on the wire."""

from __future__ import annotations

from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import BaseModel, Field

from bailiwick.database.paging import Page
from bailiwick.tenancy.groups import SeenGroup
from bailiwick.tenancy.schemas.fields import Actions, Body, Change, Description, Name, NextCursor, Version


class NewGroup(Body):
    name: Annotated[Name, Field(examples=["Finance"])]
    description: Annotated[Description, Field(examples=["Everybody who closes the books."])] = ""


class GroupChange(Change):
    name: Annotated[Name | None, Field(examples=["Finance and control"])] = None
    description: Annotated[Description | None, Field(examples=["Everybody who closes the books."])] = None


class GroupMembersChange(Body):
    member_ids: Annotated[
        set[UUID], Field(min_length=1, max_length=200, examples=[["01980000-0000-7000-8000-000000000001"]])
    ]


class GroupOut(BaseModel):
    id: UUID
    name: str
    description: str
    is_all: Annotated[bool, Field(description="The group that always holds everyone.")]
    size: Annotated[int | None, Field(description="How many are in it, if you may look into it.")]
    actions: Actions
    version: Version

    @classmethod
    def of(cls, seen: SeenGroup) -> Self:
        group = seen.group
        return cls(
            id=group.id,
            name=group.name,
            description=group.description,
            is_all=group.is_all,
            size=seen.size,
            actions=list(seen.actions),
            version=group.version,
        )


class GroupsOut(BaseModel):
    items: list[GroupOut]
    next_cursor: NextCursor

    @classmethod
    def of(cls, page: Page[SeenGroup]) -> Self:
        return cls(items=[GroupOut.of(seen) for seen in page.items], next_cursor=page.next_cursor)


class GroupGrantsOut(BaseModel):
    """What the group was granted, and would take along."""

    items: list[dict[str, Any]]


class AddedOut(BaseModel):
    added: Annotated[list[UUID], Field(description="Those who were not in it before.")]


class RemovedOut(BaseModel):
    removed: Annotated[list[UUID], Field(description="Those who were in it before.")]
