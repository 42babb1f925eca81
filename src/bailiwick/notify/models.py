"""The queue of outgoing e-mail: written in the transaction that causes it, delivered after the commit."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index, String
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.database.base import Base, Encrypted, Id, utc_now


class OutgoingEmail(Base):
    """One e-mail. Its text may hold a link that signs somebody in, so it is encrypted, and wiped once delivered."""

    __tablename__ = "outgoing_email"
    __table_args__ = (Index("ix_outgoing_email_sent_at_try_at", "sent_at", "try_at"),)

    id: Mapped[Id]
    recipient: Mapped[str] = mapped_column(String(254))
    subject: Mapped[str] = mapped_column(String(300))
    text: Mapped[str | None] = mapped_column(Encrypted)
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    try_at: Mapped[datetime] = mapped_column(default=utc_now)
    attempts: Mapped[int] = mapped_column(default=0)
    problem: Mapped[str] = mapped_column(String(500), default="")
    sent_at: Mapped[datetime | None]
