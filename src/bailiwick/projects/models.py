"""The projects' tables: projects, role grants to members and groups, notification channels and receivers."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.access.tables.standing import PROJECT_ROLES
from bailiwick.database.base import Base, Encrypted, Id, Named, Sought, Versioned, utc_now
from bailiwick.runs.models import ChannelKind
from bailiwick.tenancy.models import one_of


class Project(Versioned, Sought, Named, Base):
    """A project: people with roles, and later the sources, data products, data marts and reports they share."""

    __tablename__ = "project"
    __table_args__ = (Index("ix_project_name_id", "name", "id"), Index("ix_project_sought", "sought", "id"))

    name: Mapped[str] = mapped_column(String(200), unique=True)
    description: Mapped[str] = mapped_column(String(2000), default="")
    technical_users_control_all_reports: Mapped[bool] = mapped_column(default=False)
    ownership_adds_to_availability: Mapped[bool] = mapped_column(default=False)
    created_by_id: Mapped[UUID] = mapped_column(ForeignKey("member.id"))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)


class ProjectGrant(Versioned, Base):
    """A project role granted to one member or one group; without effect until the member is active, and from its
    expiry on."""

    __tablename__ = "project_grant"
    __table_args__ = (
        one_of("role", PROJECT_ROLES[1:]),
        CheckConstraint("(member_id IS NULL) <> (group_id IS NULL)", name="one_holder"),
        UniqueConstraint("project_id", "member_id"),
        UniqueConstraint("project_id", "group_id"),
        Index("ix_project_grant_member_id_project_id", "member_id", "project_id"),
        Index("ix_project_grant_group_id_project_id", "group_id", "project_id"),
        Index("ix_project_grant_expires_at", "expires_at"),
    )

    id: Mapped[Id]
    project_id: Mapped[UUID] = mapped_column(ForeignKey("project.id", ondelete="CASCADE"))
    member_id: Mapped[UUID | None] = mapped_column(ForeignKey("member.id"))
    group_id: Mapped[UUID | None] = mapped_column(ForeignKey("member_group.id", ondelete="CASCADE"))
    role: Mapped[str] = mapped_column(String(20))
    expires_at: Mapped[datetime | None]
    granted_by_id: Mapped[UUID] = mapped_column(ForeignKey("member.id"))
    granted_at: Mapped[datetime] = mapped_column(default=utc_now)


class NotificationChannel(Versioned, Base):
    """One kind of news of a project: whether it is sent at all, how late, and to which web address besides people."""

    __tablename__ = "notification_channel"
    __table_args__ = (one_of("kind", tuple(ChannelKind)),)

    project_id: Mapped[UUID] = mapped_column(ForeignKey("project.id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(20), primary_key=True)
    is_on: Mapped[bool]
    delay_minutes: Mapped[int] = mapped_column(default=0)
    webhook_url: Mapped[str | None] = mapped_column(Encrypted)  # such addresses often hold a secret


class ReceiverChoice(Base):
    """What was decided by hand about a receiver: a Business User was added, or a member opted out.

    Everything else follows from the role: Admins and Technical Users receive, Business Users do not."""

    __tablename__ = "receiver_choice"

    project_id: Mapped[UUID] = mapped_column(ForeignKey("project.id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(20), primary_key=True)
    member_id: Mapped[UUID] = mapped_column(ForeignKey("member.id"), primary_key=True)
    receives: Mapped[bool]


class ProjectEntry(Base):
    """A member's first entry into a project: with an inherited role, it is what subscribes them."""

    __tablename__ = "project_entry"

    project_id: Mapped[UUID] = mapped_column(ForeignKey("project.id", ondelete="CASCADE"), primary_key=True)
    member_id: Mapped[UUID] = mapped_column(ForeignKey("member.id"), primary_key=True)
    entered_at: Mapped[datetime] = mapped_column(default=utc_now)
