"""A project's notification channels and who receives them: by their role, but for what was chosen by hand."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from sqlalchemy import ColumnElement, and_, delete, exists, or_, select, tuple_
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from bailiwick.access.decision import slug
from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.database.listing import BY_NAME, page_by_name
from bailiwick.database.paging import Page
from bailiwick.errors import Conflict, NotFound
from bailiwick.projects.members import find, ways_into
from bailiwick.projects.models import NotificationChannel, Project, ProjectEntry, ReceiverChoice
from bailiwick.projects.roles import (
    NO_ROLE,
    ROLES,
    ProjectMember,
    gets,
    goes_no_higher,
    granted_directly,
    granted_through_group,
    in_project,
    role_of_everyone,
)
from bailiwick.projects.service import Here, enter
from bailiwick.runs.channels import SeenChannel, require_open
from bailiwick.runs.models import ChannelKind
from bailiwick.settings import Settings
from bailiwick.tenancy import directory
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Member, MemberState
from bailiwick.tenancy.versions import require_unchanged

MANAGE, SEE_SETTINGS = "Manage notification receivers", "See project settings"
SUBSCRIBED, MAY_BE_ADDED = "Subscribed to every channel upon joining", "May be added as a receiver"
MOST_AT_ONCE = 1000  # members named in one statement; more of them count as everyone


@dataclass(frozen=True)
class Receiver:
    found: ProjectMember
    added: bool  # by hand, in distinction to by role


@cache
def roles_that(rule: str) -> tuple[str, ...]:
    """The roles to which the document's table gives this rule."""
    table = RESOURCE_TYPES["notification_rule"]
    return tuple(role for role in ROLES if table.allows(table.pack({"project role": role}), rule))


@cache
def added_by_hand() -> tuple[str, ...]:
    """The roles that receive only what somebody adds them to."""
    return tuple(role for role in roles_that(MAY_BE_ADDED) if role not in roles_that(SUBSCRIBED))


def list_channels(session: Session, caller: Caller, project_id: UUID) -> list[SeenChannel]:
    here = enter(session, caller, project_id)
    here.require(MAY_BE_ADDED)
    found = select(NotificationChannel).where(NotificationChannel.project_id == project_id)
    return [_seen(session, here, channel) for channel in session.scalars(found.order_by(NotificationChannel.kind))]


def set_channel(
    session: Session,
    caller: Caller,
    project_id: UUID,
    kind: ChannelKind,
    changes: dict[str, Any],
    *,
    if_match: str | None,
    settings: Settings,
) -> SeenChannel:
    here = enter(session, caller, project_id)
    decision = here.require(MANAGE)
    require_open(changes, settings)
    channel = _channel(session, project_id, kind)
    require_unchanged(if_match, channel.version, "channel")
    before = {field: getattr(channel, field) for field in changes}
    if before != changes:
        for field, value in changes.items():
            setattr(channel, field, value)
        session.flush()
        _tell(
            session, here, "set_notification_channel", decision, before=_said(kind, before), after=_said(kind, changes)
        )
    return _seen(session, here, channel)


def list_receivers(
    session: Session,
    caller: Caller,
    project_id: UUID,
    kind: ChannelKind,
    *,
    search: str | None = None,
    sort: str = BY_NAME,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Receiver]:
    """Who receives this channel, by name."""
    here = enter(session, caller, project_id)
    here.require(SEE_SETTINGS)
    _channel(session, project_id, kind)
    page = receivers_of(session, here.project, kind, search=search, sort=sort, cursor=cursor, limit=limit)
    found = in_project(session, here.project, page.items)
    by_hand = added_by_hand()
    return Page([Receiver(one, one.role in by_hand) for one in found], page.next_cursor)


def receivers_of(
    session: Session,
    project: Project,
    kind: ChannelKind,
    *,
    search: str | None = None,
    sort: str = BY_NAME,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Member]:
    """The active members this channel reaches; whoever delivers asks here too, page by page."""
    by_role, added = _by_role(project.id, kind), _added(project.id, kind)
    everyone = role_of_everyone(session, project)
    if everyone == NO_ROLE:
        joined = _ways_of_joining(project.id)
    else:  # All was granted a role, so everybody has joined, and the role alone tells.
        joined = ways_into(project.id, roles_that(SUBSCRIBED), everyone)
    ways = [*(and_(way, by_role) for way in joined), added]
    # Said by what it is not: an equation would tempt SQLite to walk through all active members by name.
    active = Member.state.not_in([state for state in MemberState if state != MemberState.ACTIVE])
    filters = [active, *([directory.fits(session, search)] if search else [])]
    return page_by_name(session, Member, cursor, limit, *filters, ways=ways, sort=sort)


def add_receiver(session: Session, caller: Caller, project_id: UUID, kind: ChannelKind, member_id: UUID) -> None:
    """Opt in oneself, or add a Business User. Nobody overrules somebody else's opting out."""
    here = enter(session, caller, project_id)
    oneself = member_id == caller.member.id
    decision = here.require(MAY_BE_ADDED if oneself else MANAGE)
    _channel(session, project_id, kind)
    found = find(session, here, member_id, lock=True)
    choice = session.get(ReceiverChoice, (project_id, kind, member_id))
    if _receives(session, here.project, kind, member_id):
        return
    if not oneself:
        _refuse_adding(found, choice)
    if found.role in roles_that(SUBSCRIBED):
        if choice is not None:
            session.delete(choice)
        if session.get(ProjectEntry, (project_id, member_id)) is None:
            session.add(ProjectEntry(project_id=project_id, member_id=member_id))
    elif choice is not None:
        choice.receives = True
    else:
        session.add(ReceiverChoice(project_id=project_id, kind=kind, member_id=member_id, receives=True))
    session.flush()
    after = {"channel": str(kind), "receives": True}
    _tell(session, here, "add_notification_receiver", decision, after=after, about_id=member_id)


def remove_receiver(session: Session, caller: Caller, project_id: UUID, kind: ChannelKind, member_id: UUID) -> None:
    """Opt out oneself, which is remembered; or take off somebody who was added."""
    here = enter(session, caller, project_id)
    oneself = member_id == caller.member.id
    decision = here.require(MAY_BE_ADDED if oneself else MANAGE)
    _channel(session, project_id, kind)
    found = find(session, here, member_id, lock=True)
    choice = session.get(ReceiverChoice, (project_id, kind, member_id))
    if oneself:
        if choice is not None and not choice.receives:
            return
        session.merge(ReceiverChoice(project_id=project_id, kind=kind, member_id=member_id, receives=False))
    elif choice is not None and choice.receives:
        session.delete(choice)
    elif found.role in roles_that(SUBSCRIBED):
        raise Conflict(f"{found.member.name} receives this as {found.role}. Only they themselves can opt out.")
    else:
        return
    session.flush()
    after = {"channel": str(kind), "receives": False}
    _tell(session, here, "remove_notification_receiver", decision, after=after, about_id=member_id)


def forget_what_fell(session: Session, members: Collection[UUID] | None) -> None:
    """After roles changed: whoever has risen is no longer somebody added by hand, so that falling back takes them off;
    whoever left has not entered any more. Opting out is remembered."""
    who = members if members is not None and len(members) <= MOST_AT_ONCE else None
    choice, entry = aliased(ReceiverChoice), aliased(ProjectEntry)
    roles = added_by_hand()
    added_still = and_(gets(choice.project_id, roles), *goes_no_higher(choice.project_id, roles))
    gone = select(choice.project_id, choice.kind, choice.member_id).join(Member, Member.id == choice.member_id)
    gone = gone.where(choice.receives, ~added_still, *_among(choice.member_id, who))
    key = tuple_(ReceiverChoice.project_id, ReceiverChoice.kind, ReceiverChoice.member_id)
    session.execute(delete(ReceiverChoice).where(key.in_(gone)).execution_options(synchronize_session="fetch"))
    left = select(entry.project_id, entry.member_id).join(Member, Member.id == entry.member_id)
    left = left.where(~gets(entry.project_id, ROLES), *_among(entry.member_id, who))
    both = tuple_(ProjectEntry.project_id, ProjectEntry.member_id)
    session.execute(delete(ProjectEntry).where(both.in_(left)).execution_options(synchronize_session="fetch"))


def _among(column: InstrumentedAttribute[UUID], members: Collection[UUID] | None) -> list[ColumnElement[bool]]:
    return [] if members is None else [column.in_(list(members))]


def _refuse_adding(found: ProjectMember, choice: ReceiverChoice | None) -> None:
    name = found.member.name
    if choice is not None:
        raise Conflict(f"{name} opted out. Only they themselves can opt in again.")
    if found.role in roles_that(SUBSCRIBED):
        raise Conflict(f"{name} is {found.role} and receives this by itself, once they are active and have been here.")
    if found.role not in roles_that(MAY_BE_ADDED):
        raise Conflict(f"{name} is {found.role} and cannot be added.")


def _seen(session: Session, here: Here, channel: NotificationChannel) -> SeenChannel:
    manages = here.check(MANAGE).allowed
    receives = _receives(session, here.project, ChannelKind(channel.kind), here.caller.member.id)
    actions = [slug(action) for action in (SEE_SETTINGS, MANAGE) if here.check(action).allowed]
    return SeenChannel(channel, receives, channel.webhook_url if manages else None, actions)


def _channel(session: Session, project_id: UUID, kind: ChannelKind) -> NotificationChannel:
    channel = session.get(NotificationChannel, (project_id, kind))
    if channel is None:
        raise NotFound("channel")
    return channel


def _receives(session: Session, project: Project, kind: ChannelKind, member_id: UUID) -> bool:
    """The same as being among `receivers_of`, for one member."""
    joined = or_(*_ways_of_joining(project.id))
    if role_of_everyone(session, project) != NO_ROLE:
        joined = gets(project.id, ROLES)
    reached = or_(and_(joined, _by_role(project.id, kind)), _added(project.id, kind))
    found = select(Member.id).where(Member.id == member_id, Member.state == MemberState.ACTIVE, reached)
    return session.scalar(found) is not None


def _ways_of_joining(project_id: UUID) -> list[ColumnElement[bool]]:
    """By a grant, or by first entering with an inherited role."""
    entered = select(ProjectEntry.member_id).where(ProjectEntry.project_id == project_id)
    return [granted_directly(project_id), granted_through_group(project_id), Member.id.in_(entered)]


def _by_role(project_id: UUID, kind: ChannelKind) -> ColumnElement[bool]:
    roles = roles_that(SUBSCRIBED)
    return and_(gets(project_id, roles), *goes_no_higher(project_id, roles), ~_chose(project_id, kind, receives=False))


def _added(project_id: UUID, kind: ChannelKind) -> ColumnElement[bool]:
    roles = added_by_hand()
    chosen = select(ReceiverChoice.member_id).where(
        ReceiverChoice.project_id == project_id, ReceiverChoice.kind == kind, ReceiverChoice.receives
    )
    return and_(Member.id.in_(chosen), gets(project_id, roles), *goes_no_higher(project_id, roles))


def _chose(project_id: UUID, kind: ChannelKind, *, receives: bool) -> ColumnElement[bool]:
    return exists().where(
        ReceiverChoice.project_id == project_id,
        ReceiverChoice.kind == kind,
        ReceiverChoice.member_id == Member.id,
        ReceiverChoice.receives.is_(receives),
    )


def _said(kind: ChannelKind, values: dict[str, Any]) -> dict[str, Any]:
    """A channel as the audit keeps it: of the web address where it leads, for what follows often is a secret."""
    url = values.get("webhook_url")
    return {"channel": str(kind), **values, **({"webhook_url": f"{_origin(url)}/…"} if url else {})}


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def _tell(session: Session, here: Here, action: str, decision: Any, **what: Any) -> None:
    here.tell(session, action, "project_membership", decision, seen_from="Admin", **what)
