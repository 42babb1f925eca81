"""Viewing as another member, to support them: with their rights of this moment, reading only, and on record.

It begins and ends in the audit, and that is also where each request looks whether it has begun: nobody can change what
is written there, nothing has to be tidied up when the hour is over, and the index finds it at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision, require
from bailiwick.access.tables.tenant.member import VIEW_AS
from bailiwick.access.tables.tenant.token import READ
from bailiwick.audit.models import AuditEntry
from bailiwick.database.base import first_id_at, utc_now
from bailiwick.errors import Invalid, NotFound, NotWhileViewing
from bailiwick.tenancy.authentication import groups_of
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Member, MemberState
from bailiwick.tenancy.profile import Profile, see_profile
from bailiwick.tenancy.standing import on_member

VIEW_AS_HEADER, VIEWING_AS_HEADER = "X-View-As", "X-Viewing-As"
VIEW_AS_ANOTHER = "View as another member"
BEGIN, END = "view_as", "end_view_as"
LASTS = timedelta(minutes=60)


@dataclass(frozen=True)
class Viewing:
    """The member as they see themselves, and until when they can be viewed as."""

    profile: Profile
    ends_at: datetime


def begin_viewing(session: Session, viewer: Caller, member_id: UUID) -> Viewing:
    """Begin, or begin anew: from now on it lasts an hour."""
    member, decision = _may_view_as(session, viewer, member_id)
    viewer.record(
        session,
        BEGIN,
        "member",
        resource_id=member.id,
        resource_name=member.name,
        about_id=member.id,
        decision=decision,
    )
    return Viewing(see_profile(session, _as_they_are(session, viewer, member)), utc_now() + LASTS)


def end_viewing(session: Session, viewer: Caller) -> None:
    """End it, as whomever the viewer views; it is no mistake if they view as nobody."""
    begun: dict[UUID, bool] = {}
    for entry in _told(session, viewer):
        if entry.about_id is not None:
            begun.setdefault(entry.about_id, entry.action == BEGIN)
    members = select(Member).where(Member.id.in_([id_ for id_, is_open in begun.items() if is_open]))
    for member in session.scalars(members):
        viewer.record(session, END, "member", resource_id=member.id, resource_name=member.name, about_id=member.id)


def view_as(session: Session, viewer: Caller, asked: str) -> Caller:
    """The caller that a request with the header is decided for. Everything is asked again, with the rights of now."""
    try:
        member_id = UUID(asked)
    except ValueError:
        raise Invalid(VIEW_AS_HEADER, "This is not the id of a member.", "Take it from the list of members.") from None
    member, _ = _may_view_as(session, viewer, member_id)
    last = next(iter(_told(session, viewer, AuditEntry.about_id == member.id)), None)
    if last is None or last.action != BEGIN:
        raise NotWhileViewing(
            f"You have not begun to view as {member.name}, or it is over: it lasts an hour. "
            "Begin with POST /api/v1/view-as."
        )
    return _as_they_are(session, viewer, member)


def refuse_change(caller: Caller) -> None:
    if caller.viewer is not None:
        raise NotWhileViewing(
            f"You are viewing as {caller.member.name} and cannot change anything, nor start anything. "
            f"Leave out the header {VIEW_AS_HEADER} to act as yourself."
        )


def refuse_what_is_theirs(caller: Caller) -> None:
    if caller.viewer is not None:
        raise NotWhileViewing(
            f"You are viewing as {caller.member.name}: you see what is there for them, and not what is theirs alone "
            "(sessions, tokens, queries), nor rows and files. "
            f"Leave out the header {VIEW_AS_HEADER} to act as yourself."
        )


def _may_view_as(session: Session, viewer: Caller, member_id: UUID) -> tuple[Member, Decision]:
    """As whom is decided like for whom one may make a link: by whether their roles lie within one's own."""
    require(viewer.through_token(READ))  # a token for chosen tables must not show the rest by way of somebody else
    require(viewer.on_tenant(VIEW_AS_ANOTHER))
    member = session.get(Member, member_id)
    if member is None or member.state != MemberState.ACTIVE:
        raise NotFound("member")
    return member, require(on_member(session, viewer, member).check(viewer.id, VIEW_AS))


def _as_they_are(session: Session, viewer: Caller, member: Member) -> Caller:
    """The member without any session or token of theirs: these stay with whoever really calls."""
    return Caller(
        member, groups_of(session, member), request_id=viewer.request_id, address=viewer.address, viewer=viewer
    )


def _told(session: Session, viewer: Caller, *of: ColumnElement[bool]) -> Sequence[AuditEntry]:
    """Where the viewer began and ended within the last hour, the latest first."""
    since = utc_now() - LASTS
    found = select(AuditEntry).where(
        AuditEntry.actor_id == viewer.member.id,
        AuditEntry.id >= first_id_at(since - timedelta(seconds=1)),  # an id is a little older than its entry
        AuditEntry.at > since,
        AuditEntry.action.in_((BEGIN, END)),
        AuditEntry.outcome == "done",
        *of,
    )
    return session.scalars(found.order_by(AuditEntry.id.desc())).all()
