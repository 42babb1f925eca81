"""One's own profile on the wire."""

from __future__ import annotations

from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

from bailiwick.settings import Settings
from bailiwick.tenancy.profile import Profile
from bailiwick.tenancy.schemas.fields import In, Name, TimeZone


class EditProfile(In):
    name: Name | None = None
    time_zone: TimeZone | None = None


class GroupNameOut(BaseModel):
    id: UUID
    name: str


class MyTenantOut(BaseModel):
    name: str
    plan: str
    sends_email: bool = Field(
        description="Whether e-mails reach people. Without a mail server, links are handed over by who may see them."
    )
    actions: list[str]


class ProfileOut(BaseModel):
    """The caller as they see themselves, and what they may do in the tenant."""

    id: UUID
    name: str
    email: str
    time_zone: str
    tenant_role: str
    security_roles: list[str]
    groups: list[GroupNameOut]
    has_password: bool
    joined_at: AwareDatetime | None
    tenant: MyTenantOut
    actions: list[str]
    version: int

    @classmethod
    def of(cls, profile: Profile, settings: Settings) -> ProfileOut:
        member, tenant = profile.member, profile.tenant
        return cls(
            id=member.id,
            name=member.name,
            email=member.email,
            time_zone=member.time_zone,
            tenant_role=member.tenant_role,
            security_roles=sorted(member.security_roles),
            groups=[GroupNameOut(id=group.id, name=group.name) for group in profile.groups],
            has_password=member.password_hash is not None,
            joined_at=member.joined_at,
            tenant=MyTenantOut(
                name=tenant.name,
                plan=tenant.plan,
                sends_email=settings.sends_email,
                actions=profile.tenant_actions,
            ),
            actions=profile.actions,
            version=member.version,
        )
