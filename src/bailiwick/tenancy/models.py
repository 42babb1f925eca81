"""The tenant's tables: members, groups, API tokens, sessions, one-time links and counted sign-in attempts."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import JSON, CheckConstraint, Computed, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column, relationship

from bailiwick.access.tables.standing import TENANT_ROLES
from bailiwick.database.base import Base, Id, Named, SortedByCode, Sought, Versioned, utc_now

PLANS = ("starter", "growth", "custom")


def one_of(column: str, values: tuple[str, ...]) -> CheckConstraint:
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({listed})", name=column)


class MemberState(StrEnum):
    """Where somebody is on the way into the tenant and out of it."""

    WAITING = "waiting"  # invited by a project member, an admin has yet to confirm
    INVITED = "invited"  # the invitation is on its way or in their hands
    ACTIVE = "active"
    SUSPENDED = "suspended"
    REMOVED = "removed"


class Tenant(Versioned, Base):
    """The one tenant of this deployment."""

    __tablename__ = "tenant"
    __table_args__ = (one_of("plan", PLANS), CheckConstraint("id = 1", name="only_one"))

    id: Mapped[int] = mapped_column(primary_key=True, default=1)
    name: Mapped[str] = mapped_column(String(200))
    plan: Mapped[str] = mapped_column(String(20), default="growth")
    reading_needs_only_viewer: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime] = mapped_column(default=utc_now)


class Member(Versioned, Named, Base):
    """A person. The row stays when they are removed, so that the audit can name them."""

    __tablename__ = "member"
    __table_args__ = (
        one_of("tenant_role", TENANT_ROLES),
        one_of("state", tuple(MemberState)),
        Index("ix_member_state_name", "state", "name", "id"),
        Index("ix_member_tenant_role_name", "tenant_role", "name", "id"),
        Index("ix_member_name", "name", "id"),
        Index("ix_member_state_joined_at", "state", "joined_at", "id"),
        Index("ix_member_tenant_role_joined_at", "tenant_role", "joined_at", "id"),
        Index("ix_member_joined_at", "joined_at", "id"),
        Index("ix_member_sought", "sought", "id", "state"),
    )

    email: Mapped[str] = mapped_column(String(254), unique=True)  # in lower case
    state: Mapped[str] = mapped_column(String(20), default=MemberState.INVITED)
    tenant_role: Mapped[str] = mapped_column(String(20), default="none")
    data_admin: Mapped[bool] = mapped_column(default=False)
    data_space_creator: Mapped[bool] = mapped_column(default=False)
    time_zone: Mapped[str] = mapped_column(String(64), default="UTC")
    password_hash: Mapped[str | None] = mapped_column(String(200))
    # Who saw the link that it was set through; it ends with their role as with the member's.
    password_seen_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("member.id"), index=True)
    invited_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("member.id"))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    joined_at: Mapped[datetime | None]
    # What a search for people looks at, made by the database: name and address in small letters, with a tab between.
    sought: Mapped[str] = mapped_column(SortedByCode, Computed("lower(name) || '\t' || email"), deferred=True)

    @property
    def security_roles(self) -> frozenset[str]:
        held = {"data admin": self.data_admin, "data space creator": self.data_space_creator}
        return frozenset(role for role, has in held.items() if has)


class Group(Versioned, Sought, Named, Base):
    """Members who are granted things together. The group All holds everyone without listing them."""

    __tablename__ = "member_group"
    __table_args__ = (
        Index("ix_member_group_name_id", "name", "id"),
        Index("ix_member_group_sought", "sought", "id"),
    )

    name: Mapped[str] = mapped_column(String(200), unique=True)
    description: Mapped[str] = mapped_column(String(2000), default="")
    is_all: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime] = mapped_column(default=utc_now)


class GroupMembership(Base):
    """A member in a group; nobody is listed in All."""

    __tablename__ = "group_membership"
    __table_args__ = (Index("ix_group_membership_member_id_group_id", "member_id", "group_id"),)

    group_id: Mapped[UUID] = mapped_column(ForeignKey("member_group.id", ondelete="CASCADE"), primary_key=True)
    member_id: Mapped[UUID] = mapped_column(ForeignKey("member.id"), primary_key=True)


class ApiToken(Base):
    """A program's key. It stores who made it, and how far it was narrowed; rights are the maker's at each call."""

    __tablename__ = "api_token"

    id: Mapped[Id]
    member_id: Mapped[UUID] = mapped_column(ForeignKey("member.id"), index=True)
    name: Mapped[str] = mapped_column(String(200))
    secret_hash: Mapped[str] = mapped_column(String(64), unique=True)
    hint: Mapped[str] = mapped_column(String(20))  # the first letters, to tell tokens apart
    read_only: Mapped[bool] = mapped_column(default=False)
    tables: Mapped[list[str] | None] = mapped_column(
        JSON(none_as_null=True)
    )  # only these lakehouse tables; None: no such limit
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    expires_at: Mapped[datetime | None]
    last_used_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
    seen_by_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("member.id"), index=True
    )  # as of the session it was made in

    member: Mapped[Member] = relationship(foreign_keys=[member_id])


class SignInSession(Base):
    """A signed-in browser or command line; it can be listed and revoked."""

    __tablename__ = "sign_in_session"

    id: Mapped[Id]
    member_id: Mapped[UUID] = mapped_column(ForeignKey("member.id"), index=True)
    secret_hash: Mapped[str] = mapped_column(String(64), unique=True)
    csrf_token: Mapped[str] = mapped_column(String(64))
    client: Mapped[str] = mapped_column(String(300), default="")  # what the browser or program calls itself
    address: Mapped[str] = mapped_column(String(64), default="")
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    last_seen_at: Mapped[datetime] = mapped_column(default=utc_now)
    expires_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]
    # Who saw the link, or the link to set the password, that it was opened with.
    seen_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("member.id"), index=True)

    member: Mapped[Member] = relationship(foreign_keys=[member_id])


class LinkPurpose(StrEnum):
    SIGN_IN = "sign_in"
    RESET_PASSWORD = "reset_password"  # noqa: S105 - a purpose, not a password
    JOIN = "join"


class OneTimeLink(Base):
    """A link that works once: to sign in, to set a new password, to join."""

    __tablename__ = "one_time_link"
    __table_args__ = (one_of("purpose", tuple(LinkPurpose)),)

    id: Mapped[Id]
    member_id: Mapped[UUID] = mapped_column(ForeignKey("member.id"), index=True)
    purpose: Mapped[str] = mapped_column(String(20))
    secret_hash: Mapped[str] = mapped_column(String(64), unique=True)
    made_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("member.id"))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]
    shown: Mapped[bool] = mapped_column(default=False)  # to whoever made it, to hand it over

    member: Mapped[Member] = relationship(foreign_keys=[member_id])


class Attempt(Base):
    """A failed sign-in or a requested link, counted for the account and for the address."""

    __tablename__ = "sign_in_attempt"
    __table_args__ = (Index("ix_sign_in_attempt_key_at", "key", "at"),)

    id: Mapped[Id]
    key: Mapped[str] = mapped_column(String(100))  # "account:<hash>" or "address:<hash>"
    at: Mapped[datetime] = mapped_column(default=utc_now)
