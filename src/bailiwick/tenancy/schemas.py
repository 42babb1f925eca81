"""People, groups and the tenant on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StringConstraints, model_validator

from bailiwick.database.paging import Page
from bailiwick.tenancy.directory import MemberDetail, SeenMember
from bailiwick.tenancy.groups import SeenGroup
from bailiwick.tenancy.listing import PLAIN
from bailiwick.tenancy.models import Member, MemberState, Tenant
from bailiwick.tenancy.tenant import PlanPreview, SeenTenant

TenantRole = Literal["none", "viewer", "editor", "admin", "owner"]
SecurityRole = Literal["data admin", "data space creator"]
Plan = Literal["starter", "growth", "custom"]
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200, pattern=PLAIN)]
# A description may have lines and tabs; only NUL can be stored nowhere.
Description = Annotated[str, StringConstraints(strip_whitespace=True, max_length=2000, pattern=r"^[^\x00]*$")]
Actions = Annotated[
    list[str], Field(description="What you may do with it.", examples=[["see", "change_tenant_role", "suspend"]])
]
Version = Annotated[int, Field(description="Also the ETag; send it as If-Match with a change.", examples=[3])]
NextCursor = Annotated[str | None, Field(description="Send it as `cursor` for the next page; none on the last page.")]


class Body(BaseModel):
    """What is sent to us; unknown fields are refused, for they are mostly misspelt ones."""

    model_config = ConfigDict(extra="forbid")


class Change(Body):
    """A change of some fields; those left out stay as they are."""

    @model_validator(mode="after")
    def _changes_something(self) -> Self:
        if not self.changes():
            raise ValueError(f"nothing to change; give at least one of {', '.join(type(self).model_fields)}")
        return self

    def changes(self) -> dict[str, Any]:
        return self.model_dump(exclude_unset=True, exclude_none=True)


# Members ---------------------------------------------------------------------------------------------------------


class NewMember(Body):
    email: Annotated[str, Field(min_length=3, max_length=320, examples=["ana@example.com"])]
    name: Annotated[Name, Field(examples=["Ana Lima"])]
    tenant_role: Annotated[TenantRole, Field(description="Owners are made by owners only.")] = "none"
    security_roles: Annotated[set[SecurityRole], Field(examples=[["data space creator"]])] = set()


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


# Groups ----------------------------------------------------------------------------------------------------------


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


# The tenant ------------------------------------------------------------------------------------------------------


class SettingsOut(BaseModel):
    name: str
    reading_needs_only_viewer: Annotated[
        bool, Field(description="Pipelines ask Viewer on what they read, instead of the level they need on outputs.")
    ]
    version: Version

    @classmethod
    def of(cls, tenant: Tenant) -> Self:
        return cls(
            name=tenant.name,
            reading_needs_only_viewer=tenant.reading_needs_only_viewer,
            version=tenant.version,
        )


class SettingsChange(Change):
    name: Annotated[Name | None, Field(examples=["Northwind"])] = None
    reading_needs_only_viewer: Annotated[StrictBool | None, Field(examples=[True])] = None


class TenantOut(BaseModel):
    """The tenant as everybody sees it; settings are for owners and admins."""

    name: str
    plan: Plan
    settings: SettingsOut | None
    actions: Actions
    version: Version

    @classmethod
    def of(cls, seen: SeenTenant) -> Self:
        tenant = seen.tenant
        return cls.model_validate(
            {
                "name": tenant.name,
                "plan": tenant.plan,
                "settings": SettingsOut.of(tenant) if seen.settings_seen else None,
                "actions": list(seen.actions),
                "version": tenant.version,
            }
        )


class PlanChange(Body):
    plan: Annotated[Plan, Field(examples=["growth"])]
    confirm: Annotated[
        StrictBool, Field(description="Going down to starter opens all data to every Member, and asks.")
    ] = False


class PlanPreviewOut(BaseModel):
    """Who would gain what on this plan."""

    plan: Plan
    needs_confirmation: bool
    gain: Annotated[str, Field(description="What each of them would gain; empty if nobody gains anything.")]
    members: Annotated[int, Field(description="How many would gain it.")]
    items: list[PersonOut]
    next_cursor: NextCursor

    @classmethod
    def of(cls, preview: PlanPreview) -> Self:
        return cls.model_validate(
            {
                "plan": preview.plan,
                "needs_confirmation": preview.needs_confirmation,
                "gain": preview.gain,
                "members": preview.members,
                "items": [PersonOut.of(seen) for seen in preview.page.items],
                "next_cursor": preview.page.next_cursor,
            }
        )
