"""Groups on the wire."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

from bailiwick.database.paging import Page
from bailiwick.tenancy.groups import GivenToGroup, SeenGroup
from bailiwick.tenancy.schemas.fields import Actions, Body, Change, Description, Name, NextCursor, Version
from bailiwick.tenancy.schemas.members import NamedOut


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


class GivenOut(BaseModel):
    group: NamedOut
    given: Annotated[str, Field(description="A level on data, or a role in a project.", examples=["Viewer"])]
    resource_type: Annotated[str, Field(examples=["table"])]
    resource_id: UUID
    resource_name: Annotated[str, Field(examples=["raw.orders"])]
    at: AwareDatetime
    by: Annotated[NamedOut | None, Field(description="Who gave or changed it last.")]
    expires_at: AwareDatetime | None


class GivenToGroupsOut(BaseModel):
    """What you have by being in a group, the latest first."""

    items: list[GivenOut]

    @classmethod
    def of(cls, found: Iterable[GivenToGroup]) -> Self:
        return cls(
            items=[
                GivenOut(
                    group=NamedOut(id=one.group.id, name=one.group.name),
                    given=one.given.what,
                    resource_type=one.given.kind,
                    resource_id=one.given.id,
                    resource_name=one.given.name,
                    at=one.given.at,
                    by=NamedOut(id=one.by.id, name=one.by.name) if one.by else None,
                    expires_at=one.given.expires_at,
                )
                for one in found
            ]
        )


class AddedOut(BaseModel):
    added: Annotated[list[UUID], Field(description="Those who were not in it before.")]


class RemovedOut(BaseModel):
    removed: Annotated[list[UUID], Field(description="Those who were in it before.")]
