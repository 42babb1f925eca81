"""Who hears of a request by e-mail: on asking those nearest who can give it, on its end whoever asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, exists, or_, select
from sqlalchemy.orm import Session

from bailiwick.access.roles import TENANT_ROLES, is_tenant_admin
from bailiwick.access.tables.lakehouse.levels import MANAGER
from bailiwick.access.tables.standing import PROJECT_ROLES
from bailiwick.lakehouse.models import Grant
from bailiwick.lakehouse.standing import holds_now
from bailiwick.lakehouse.targets import granted_on, granted_on_layer_of
from bailiwick.notify import service as notify
from bailiwick.notify import texts
from bailiwick.projects.models import Project
from bailiwick.projects.roles import granted_directly, granted_through_group, granted_to_all
from bailiwick.requests.about import ROWS, About, called
from bailiwick.requests.models import AccessRequest
from bailiwick.settings import Settings
from bailiwick.tenancy.caller import ALL_GROUP_ID
from bailiwick.tenancy.models import GroupMembership, Member, MemberState

MOST_TOLD = 20
ADMINS = tuple(role for role in TENANT_ROLES if is_tenant_admin(role))


def tell_deciders(
    session: Session, settings: Settings, request: AccessRequest, requester: Member, about: About
) -> None:
    who = f"{requester.name} ({requester.email})"
    wish = _in_words(request.kind, request.wanted, called(session, about))
    for member in _nearest(session, request, about):
        text = texts.access_asked(
            member.name, who, wish, request.expires_at, request.reason, request.lapses_at, _link(settings, request)
        )
        notify.send(session, member.email, text.subject, text.body)


def tell_requester(session: Session, settings: Settings, request: AccessRequest, requester: Member, by: Member) -> None:
    """In the name that they wrote; of what they were given, which they see now, in the one that it has."""
    link = _link(settings, request)
    if request.given is None:
        wish = _in_words(request.kind, request.wanted, request.name)
        text = texts.access_declined(requester.name, wish, by.name, request.answer, link)
    else:
        about: Any = session.get_one(ROWS[request.kind], request.about_id)
        wish = _in_words(request.kind, request.given, called(session, about))
        text = texts.access_granted(requester.name, wish, by.name, request.given_until, link)
    notify.send(session, requester.email, text.subject, text.body)


def _in_words(kind: str, wanted: str, name: str) -> str:
    return f"{wanted} in the project {name}" if kind == "project" else f"{wanted} on the {kind} {name}"


def _link(settings: Settings, request: AccessRequest) -> str:
    return f"{settings.public_url}/requests/{request.id}"


def _nearest(session: Session, request: AccessRequest, about: About) -> Sequence[Member]:
    """Managers of the thing itself, or else of its layer; Admins of the project. Where there are none, and where
    Manager is asked for, which Managers do not give, tenant owners and admins."""
    ways: list[ColumnElement[bool]] = []
    if isinstance(about, Project):
        highest = PROJECT_ROLES[-1:]
        given = (granted_directly, granted_through_group, granted_to_all)
        ways.append(or_(*(way(about.id, highest) for way in given)))
    elif request.wanted != MANAGER:
        ways += [_manages(granted_on(about)), _manages(granted_on_layer_of(about))]
    for way in (*ways, Member.tenant_role.in_(ADMINS)):
        others = Member.state == MemberState.ACTIVE, Member.id != request.member_id
        found = session.scalars(select(Member).where(way, *others).order_by(Member.name, Member.id).limit(MOST_TOLD))
        if members := found.all():
            return members
    return []


def _manages(on: ColumnElement[bool]) -> ColumnElement[bool]:
    """Whether the member of the query holds Manager by these grants, themselves or through a group."""
    held = select(Grant).where(on, Grant.level == MANAGER, holds_now())
    listed = select(GroupMembership.member_id).where(
        GroupMembership.group_id.in_(held.with_only_columns(Grant.group_id).where(Grant.group_id.is_not(None)))
    )
    return or_(
        Member.id.in_(held.with_only_columns(Grant.member_id).where(Grant.member_id.is_not(None))),
        Member.id.in_(listed),
        exists().where(on, Grant.level == MANAGER, holds_now(), Grant.group_id == ALL_GROUP_ID),
    )
