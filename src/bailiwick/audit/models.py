"""The audit's tables: entries in a few chains, and the head of each chain."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import JSON, ForeignKey, Index, String, Uuid
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.database.base import Base, Id, utc_now

LANES = 16


class AuditLane(Base):
    """The head of one chain. Writers take whichever is free, so that nobody waits for somebody else's commit."""

    __tablename__ = "audit_lane"

    lane: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(default=0)
    hash: Mapped[str] = mapped_column(String(64), default="")


class AuditEntry(Base):
    """One change or refusal. Rows are only ever added; each carries the hash of the one before it in its chain."""

    __tablename__ = "audit_entry"
    __table_args__ = (
        Index("uq_audit_entry_lane_number", "lane", "number", unique=True),
        Index("ix_audit_entry_actor_id_id", "actor_id", "id"),
        Index("ix_audit_entry_about_id_id", "about_id", "id"),
        Index("ix_audit_entry_project_id_seen_from_id", "project_id", "seen_from", "id"),
        Index("ix_audit_entry_seen_from_id", "seen_from", "id"),
        Index("ix_audit_entry_resource_id_id", "resource_id", "id"),
    )

    id: Mapped[Id]
    at: Mapped[datetime] = mapped_column(default=utc_now)
    actor_id: Mapped[UUID | None] = mapped_column(Uuid, ForeignKey("member.id"))  # None: the platform itself
    token_id: Mapped[UUID | None]
    request_id: Mapped[str] = mapped_column(String(64), default="")
    action: Mapped[str] = mapped_column(String(100))
    outcome: Mapped[str] = mapped_column(String(10))  # "done" or "refused"
    resource_type: Mapped[str] = mapped_column(String(40))
    resource_id: Mapped[str] = mapped_column(String(64), default="")
    resource_name: Mapped[str] = mapped_column(String(300), default="")
    project_id: Mapped[UUID | None]  # kept when the project is gone, hence no foreign key
    seen_from: Mapped[str | None] = mapped_column(String(20))  # the lowest project role that may read it
    about_id: Mapped[UUID | None] = mapped_column(Uuid, ForeignKey("member.id"))  # the member it happened to
    decision: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    before: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    after: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    lane: Mapped[int]
    number: Mapped[int]
    previous_hash: Mapped[str] = mapped_column(String(64))
    hash: Mapped[str] = mapped_column(String(64))
