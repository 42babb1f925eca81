"""Levels that were given, and where one's own comes from, on the wire."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field, StringConstraints

from bailiwick.lakehouse.grants import Grants, SeenGrant
from bailiwick.lakehouse.origins import Access
from bailiwick.lakehouse.schemas.fields import InPart, Level, OwnLevel
from bailiwick.tenancy.expiry import AS_IT_IS
from bailiwick.tenancy.listing import PLAIN
from bailiwick.tenancy.models import Member
from bailiwick.tenancy.schemas.fields import Actions, Body, NextCursor, Version

On = Literal["layer", "table", "volume"]


class NewGrant(Body):
    member: Annotated[
        str | None,
        StringConstraints(max_length=300, pattern=PLAIN),
        Field(description="The id or e-mail address of a member.", examples=["ada@example.com"]),
    ] = None
    group: Annotated[UUID | None, Field(description="The id of a group.")] = None
    level: Level
    expires_at: Annotated[AwareDatetime | None, Field(description="From then on it has no effect.")] = None


class GrantChange(Body):
    level: Level | None = None
    expires_at: Annotated[AwareDatetime | None, Field(description="None: it does not expire.")] = None

    def changes(self) -> dict[str, Any]:
        given = self.model_fields_set
        return {"level": self.level, "expires_at": self.expires_at if "expires_at" in given else AS_IT_IS}


class GrantHolder(BaseModel):
    kind: Literal["member", "group"]
    id: UUID
    name: str
    email: Annotated[str | None, Field(description="Of a member, if you may see more of them than the name.")]


class GrantOut(BaseModel):
    id: UUID
    holder: GrantHolder
    level: Level
    on: Annotated[On, Field(description="What it was given on; a layer's levels count on what lies in it.")]
    expires_at: AwareDatetime | None
    granted_by: Annotated[str | None, Field(description="The name of who gave or changed it last.")]
    granted_at: AwareDatetime
    actions: Actions
    version: Version

    @classmethod
    def of(cls, seen: SeenGrant) -> Self:
        grant, holder = seen.grant, seen.holder
        return cls(
            id=grant.id,
            holder=GrantHolder(
                kind="member" if isinstance(holder, Member) else "group",
                id=holder.id,
                name=holder.name,
                email=holder.email if isinstance(holder, Member) and seen.with_address else None,
            ),
            level=grant.level,
            on=seen.on,
            expires_at=grant.expires_at,
            granted_by=seen.granted_by.name if seen.granted_by else None,
            granted_at=grant.granted_at,
            actions=list(seen.actions),
            version=grant.version,
        )


class GrantsOut(BaseModel):
    items: list[GrantOut]
    next_cursor: NextCursor
    note: Annotated[str, Field(description="Who reaches it besides.")]

    @classmethod
    def of(cls, grants: Grants) -> Self:
        items = [GrantOut.of(seen) for seen in grants.page.items]
        return cls(items=items, next_cursor=grants.page.next_cursor, note=grants.note)


class LevelOriginOut(BaseModel):
    level: Annotated[str, Field(examples=["Editor", "Admin"])]
    source: Annotated[
        Literal["layer", "table", "volume", "below", "plan", "tenant role"],
        Field(description="A grant on it, on its layer, or `below` on something in it; the plan; the tenant role."),
    ]
    group: Annotated[str | None, Field(description="The name of the group that holds the grant.")]
    expires_at: AwareDatetime | None


class AccessOut(BaseModel):
    """Your own level, and where it comes from, the highest first."""

    level: OwnLevel
    in_part: InPart
    standing: Literal["Member", "Admin", "Owner"]
    origins: list[LevelOriginOut]
    actions: Actions

    @classmethod
    def of(cls, access: Access) -> Self:
        return cls(
            level=access.level,
            in_part=[one.source for one in access.origins] == ["below"],
            standing=access.standing,
            origins=[
                LevelOriginOut(
                    level=one.level,
                    source=one.source,
                    group=one.group.name if one.group else None,
                    expires_at=one.expires_at,
                )
                for one in access.origins
            ],
            actions=list(access.actions),
        )
