"""Members on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import BaseModel, Field, StrictBool

from bailiwick.database.paging import Page
from bailiwick.tenancy.directory import InvitedMember, MemberDetail, SeenMember
from bailiwick.tenancy.models import Member, MemberState
from bailiwick.tenancy.schemas.fields import Actions, Body, Name, NextCursor, Version

TenantRole = Literal["none", "viewer", "editor", "admin", "owner"]
SecurityRole = Literal["data admin", "data space creator"]
ShowLink = Annotated[
    StrictBool, Field(description="Answer with the link as well, to hand it over: for those who may see it.")
]


class NewMember(Body):
    email: Annotated[str, Field(min_length=3, max_length=320, examples=["ana@example.com"])]
    name: Annotated[Name, Field(examples=["Ana Lima"])]
    tenant_role: Annotated[TenantRole, Field(description="Owners are made by owners only.")] = "none"
    security_roles: set[SecurityRole] = Field(set(), examples=[["data space creator"]])
    show: ShowLink = False


class Inviting(Body):
    """How somebody is let in or reminded."""

    show: ShowLink = False


class TenantRoleChange(Body):
    tenant_role: Annotated[TenantRole, Field(examples=["editor"])]


class SecurityRolesChange(Body):
    security_roles: Annotated[
        set[SecurityRole], Field(description="Exactly these from now on.", examples=[["data admin"]])
    ]


class PersonOut(BaseModel):
    """Somebody on a list; the address is for those who may see more of them than the name."""

    id: UUID
    name: str
    email: str | None
    state: MemberState
    actions: Actions
    version: Version

    @classmethod
    def of(cls, seen: SeenMember) -> Self:
        member = seen.member
        return cls(
            id=member.id,
            name=member.name,
            email=member.email if "see" in seen.actions else None,
            state=MemberState(member.state),
            actions=list(seen.actions),
            version=member.version,
        )


class PeopleOut(BaseModel):
    items: list[PersonOut]
    next_cursor: NextCursor

    @classmethod
    def of(cls, page: Page[SeenMember]) -> Self:
        return cls(items=[PersonOut.of(seen) for seen in page.items], next_cursor=page.next_cursor)


class MemberOut(BaseModel):
    """A member of the tenant."""

    id: UUID
    name: str
    email: str
    state: MemberState
    tenant_role: TenantRole
    security_roles: list[SecurityRole]
    time_zone: str
    created_at: datetime
    joined_at: datetime | None
    actions: Actions
    version: Version

    @classmethod
    def of(cls, seen: SeenMember) -> Self:
        return cls(**_fields_of(seen))


class MembersOut(BaseModel):
    items: list[MemberOut]
    next_cursor: NextCursor

    @classmethod
    def of(cls, page: Page[SeenMember]) -> Self:
        return cls(items=[MemberOut.of(seen) for seen in page.items], next_cursor=page.next_cursor)


class NamedOut(BaseModel):
    id: UUID
    name: str


class MemberDetailOut(MemberOut):
    """A member, with the groups you may look into, and for owners and admins who invited them."""

    groups: list[NamedOut]
    invited_by: NamedOut | None

    @classmethod
    def of_detail(cls, seen: MemberDetail) -> Self:
        inviter = seen.invited_by
        return cls(
            **_fields_of(seen),
            groups=[NamedOut(id=group.id, name=group.name) for group in seen.groups],
            invited_by=NamedOut(id=inviter.id, name=inviter.name) if inviter else None,
        )


class InvitedOut(MemberDetailOut):
    """Somebody who was sent their link to join."""

    link: Annotated[str | None, Field(description="If you asked to see it: to hand it over. Shown this once.")]
    detail: Annotated[str, Field(description="What became of the link: sent, or not without a mail server.")]

    @classmethod
    def of_invited(cls, invited: InvitedMember) -> Self:
        return cls(**dict(MemberDetailOut.of_detail(invited)), link=invited.link, detail=invited.said)


class CountsOut(BaseModel):
    waiting: int
    invited: int
    active: int
    suspended: int
    removed: int


def _fields_of(seen: SeenMember) -> dict[str, Any]:
    member: Member = seen.member
    plain = ("id", "name", "email", "state", "tenant_role", "time_zone", "created_at", "joined_at", "version")
    fields = {field: getattr(member, field) for field in plain}
    return {**fields, "security_roles": sorted(member.security_roles), "actions": list(seen.actions)}
