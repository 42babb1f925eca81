"""The table of access requests."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from sqlalchemy import CheckConstraint, ColumnElement, ForeignKey, Index, String, and_, or_
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.access.tables.lakehouse.levels import LEVELS
from bailiwick.access.tables.standing import PROJECT_ROLES
from bailiwick.database.base import Base, Id, Versioned, utc_now
from bailiwick.tenancy.models import one_of

KINDS = ("layer", "table", "volume", "project")
LAPSE = timedelta(days=30)


class RequestState(StrEnum):
    WAITING = "waiting"
    GRANTED = "granted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    LAPSED = "lapsed"  # worked out, never stored


WAITING, GRANTED, DECLINED, WITHDRAWN, LAPSED = RequestState
STORED = (WAITING, GRANTED, DECLINED, WITHDRAWN)


class AccessRequest(Versioned, Base):
    """What a member asks for: a level on a layer, table or volume, or a role in a project.

    What it is about is named in one of the references, and with a table or volume its layer too. None is named where
    the member wrote the name of something that is not there, until it is (see `arriving`); a reference is lost with
    what it refers to."""

    __tablename__ = "access_request"
    __table_args__ = (
        one_of("kind", KINDS),
        one_of("state", STORED),
        one_of("wanted", (*LEVELS[1:], *PROJECT_ROLES[1:])),
        CheckConstraint("(state IN ('granted', 'declined')) = (decided_at IS NOT NULL)", name="decided"),
        Index("ix_access_request_member_id_id", "member_id", "id"),
        Index("ix_access_request_layer_id_id", "layer_id", "id"),
        Index("ix_access_request_table_id_id", "table_id", "id"),
        Index("ix_access_request_volume_id_id", "volume_id", "id"),
        Index("ix_access_request_project_id_id", "project_id", "id"),
        # None on the state: SQLite would take it for the way to what one manages, and read everybody's.
    )

    id: Mapped[Id]
    member_id: Mapped[UUID] = mapped_column(ForeignKey("member.id"))
    kind: Mapped[str] = mapped_column(String(10))
    name: Mapped[str] = mapped_column(String(200))  # as they wrote it, or as it was called when they saw it
    layer_id: Mapped[UUID | None] = mapped_column(ForeignKey("layer.id", ondelete="SET NULL"))
    table_id: Mapped[UUID | None] = mapped_column(ForeignKey("lakehouse_table.id", ondelete="SET NULL"))
    volume_id: Mapped[UUID | None] = mapped_column(ForeignKey("volume.id", ondelete="SET NULL"))
    project_id: Mapped[UUID | None] = mapped_column(ForeignKey("project.id", ondelete="SET NULL"))
    was_seen: Mapped[bool]  # by the member, when they asked
    wanted: Mapped[str] = mapped_column(String(20))  # a level or a role
    expires_at: Mapped[datetime | None]
    reason: Mapped[str] = mapped_column(String(1000))
    asked_at: Mapped[datetime] = mapped_column(default=utc_now)
    lapses_at: Mapped[datetime]
    state: Mapped[str] = mapped_column(String(10), default=WAITING)
    decided_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("member.id"))
    decided_at: Mapped[datetime | None]
    given: Mapped[str | None] = mapped_column(String(20))
    given_until: Mapped[datetime | None]
    answer: Mapped[str] = mapped_column(String(1000), default="")  # why it was declined

    @property
    def about_id(self) -> UUID | None:
        """What it is about, as long as that is there."""
        ids = {"layer": self.layer_id, "table": self.table_id, "volume": self.volume_id, "project": self.project_id}
        return ids[self.kind]

    def state_for(self, *, requester: bool) -> RequestState:
        """Where it stands. What was deleted is not told to a member who never saw it: to them it is as if nobody
        answers, which it would be too had there never been such a thing."""
        gone = self.about_id is None and (self.was_seen or not requester)
        over = self.state == WAITING and (gone or self.lapses_at <= utc_now())
        return LAPSED if over else RequestState(self.state)


def refers_to_something() -> ColumnElement[bool]:
    """Whether what it is about is there, as far as that was looked up."""
    return or_(
        and_(AccessRequest.kind == "layer", AccessRequest.layer_id.is_not(None)),
        AccessRequest.table_id.is_not(None),
        AccessRequest.volume_id.is_not(None),
        AccessRequest.project_id.is_not(None),
    )


def in_state(state: RequestState, *, requester: bool) -> ColumnElement[bool]:
    """The same as a condition."""
    if state not in (WAITING, LAPSED):
        return AccessRequest.state == state
    there = refers_to_something()
    lives = there if not requester else or_(there, ~AccessRequest.was_seen)
    waits = and_(lives, AccessRequest.lapses_at > utc_now())
    return and_(AccessRequest.state == WAITING, waits if state == WAITING else ~waits)
