"""The wire of signing in, sessions, links, tokens and one's own profile."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, SecretStr, StringConstraints

from bailiwick.tenancy.listing import PLAIN
from bailiwick.tenancy.models import ApiToken, LinkPurpose, SignInSession
from bailiwick.tenancy.profile import Profile

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200, pattern=PLAIN)]
Email = Annotated[str, StringConstraints(strip_whitespace=True, min_length=3, max_length=254, pattern=PLAIN)]
TimeZone = Annotated[str, Field(max_length=64, pattern=r"^[A-Za-z0-9_+/-]+$", examples=["Europe/Berlin"])]
# Longer than any password that is taken, so that what is typed at sign-in is never refused for its length alone.
Password = Annotated[SecretStr, Field(min_length=1, max_length=1000)]
LinkSecret = Annotated[SecretStr, Field(min_length=1, max_length=200, description="What follows the # in the link.")]


class In(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class As(StrEnum):
    """How the session comes: as a cookie for a browser, or in the answer for a program."""

    BROWSER = "browser"
    BEARER = "bearer"


class AsksForPurpose(StrEnum):
    """What links can be asked for; those to join come with an invitation."""

    SIGN_IN = LinkPurpose.SIGN_IN
    RESET_PASSWORD = LinkPurpose.RESET_PASSWORD


class WithAs(In):
    as_: As = Field(As.BROWSER, alias="as")


class SignIn(WithAs):
    email: Email
    password: Password


class SignInByLink(WithAs):
    secret: LinkSecret


class ResetPassword(WithAs):
    secret: LinkSecret
    password: Password


class Join(WithAs):
    secret: LinkSecret
    password: Password
    name: Name | None = None
    time_zone: TimeZone | None = None


class AskForLink(In):
    email: Email
    purpose: AsksForPurpose = AsksForPurpose.SIGN_IN


class LookAtLink(In):
    secret: LinkSecret


class LinkOut(BaseModel):
    """What a link is for. The name is hinted at: whoever holds the link by accident learns no more."""

    purpose: LinkPurpose
    name: str
    email: str
    expires_at: AwareDatetime


class Answer(BaseModel):
    detail: str


class MakeLink(In):
    purpose: AsksForPurpose = AsksForPurpose.SIGN_IN
    show: bool = Field(False, description="Answer with the link as well, to hand it over: for those who may see it.")


class MadeLinkOut(BaseModel):
    detail: str
    link: str | None


class ChangePassword(In):
    old_password: Password
    new_password: Password


class SessionOut(BaseModel):
    id: UUID
    client: str
    address: str
    created_at: AwareDatetime
    last_seen_at: AwareDatetime
    expires_at: AwareDatetime
    current: bool
    actions: list[str]

    @classmethod
    def of(cls, row: SignInSession, current: SignInSession | None) -> SessionOut:
        return cls(
            id=row.id,
            client=row.client,
            address=row.address,
            created_at=row.created_at,
            last_seen_at=row.last_seen_at,
            expires_at=row.expires_at,
            current=current is not None and current.id == row.id,
            actions=["revoke"] if current is not None else [],
        )


class SessionsOut(BaseModel):
    items: list[SessionOut]
    next_cursor: str | None


class EndedOut(BaseModel):
    ended: int


class TokenInUseOut(BaseModel):
    """The token a program came with."""

    id: UUID
    name: str
    read_only: bool
    tables: list[UUID] | None
    expires_at: AwareDatetime | None


class MeOut(BaseModel):
    """Who is signed in, and how."""

    member_id: UUID
    name: str
    email: str
    session: SessionOut | None
    token: TokenInUseOut | None
    csrf_token: str | None = Field(description="A browser sends it back with every change, as X-CSRF-Token.")


class SignedInOut(MeOut):
    secret: str | None = Field(description="For programs: send it as `Authorization: Bearer …`. Shown once.")


class TokenIn(In):
    name: Name
    read_only: bool = False
    tables: Annotated[list[UUID], Field(min_length=1, max_length=1000)] | None = Field(
        None, description="Only these lakehouse tables; without it, whatever its maker may reach."
    )
    expires_at: AwareDatetime | None = None
    expires_in_days: Annotated[int, Field(ge=1, le=3650)] | None = None


class TokenOut(BaseModel):
    id: UUID
    name: str
    hint: str
    read_only: bool
    tables: list[UUID] | None
    created_at: AwareDatetime
    expires_at: AwareDatetime | None
    last_used_at: AwareDatetime | None
    actions: list[str]

    @classmethod
    def of(cls, row: ApiToken, actions: list[str]) -> TokenOut:
        return cls(actions=actions, **_columns(row))


class NewTokenOut(TokenOut):
    secret: str = Field(description="Shown this once.")

    @classmethod
    def made(cls, row: ApiToken, secret: str) -> NewTokenOut:
        return cls(secret=secret, actions=["revoke"], **_columns(row))


class TokensOut(BaseModel):
    items: list[TokenOut]
    next_cursor: str | None


class EditProfile(In):
    name: Name | None = None
    time_zone: TimeZone | None = None


class GroupNameOut(BaseModel):
    id: UUID
    name: str


class TenantOut(BaseModel):
    name: str
    plan: str
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
    tenant: TenantOut
    actions: list[str]
    version: int

    @classmethod
    def of(cls, profile: Profile) -> ProfileOut:
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
            tenant=TenantOut(name=tenant.name, plan=tenant.plan, actions=profile.tenant_actions),
            actions=profile.actions,
            version=member.version,
        )


def _columns(row: ApiToken) -> dict[str, Any]:
    shown = [name for name in TokenOut.model_fields if name not in ("actions", "tables")]
    tables = None if row.tables is None else [UUID(table) for table in row.tables]
    return {"tables": tables, **{name: getattr(row, name) for name in shown}}
