"""Changing people: adding, confirming, roles, suspending and removing; each decides, changes and goes on record."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision, require
from bailiwick.access.roles import is_tenant_admin
from bailiwick.database.locks import LOCKED
from bailiwick.errors import Conflict, NotSignedIn
from bailiwick.notify import service as notify
from bailiwick.notify import texts
from bailiwick.settings import Settings
from bailiwick.tenancy import areas, handed_over, invitations, links, sessions
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.directory import InvitedMember, MemberDetail, detail, find_member
from bailiwick.tenancy.models import (
    Group,
    GroupMembership,
    LinkPurpose,
    Member,
    MemberState,
    Tenant,
)
from bailiwick.tenancy.standing import the_tenant
from bailiwick.tenancy.versions import require_unchanged

WAITING, INVITED, ACTIVE, SUSPENDED, REMOVED = MemberState

# From which states each change is possible, and what somebody in another state is told to do instead.
POSSIBLE_FROM = {
    "confirm": (WAITING,),
    "decline": (WAITING,),
    "resend": (INVITED,),
    "withdraw": (INVITED,),
    "change roles": (INVITED, ACTIVE, SUSPENDED),
    "suspend": (ACTIVE,),
    "reactivate": (SUSPENDED,),
    "remove": (ACTIVE, SUSPENDED),
}
INSTEAD = {
    WAITING: "still waits for confirmation: confirm or decline them.",
    INVITED: "is invited and has not joined yet: send the invitation again or withdraw it.",
    ACTIVE: "is active: suspend or remove them, or change their roles.",
    SUSPENDED: "is suspended: reactivate or remove them.",
    REMOVED: "was removed: add them again.",
}


def add_member(
    session: Session,
    caller: Caller,
    *,
    email: str,
    name: str,
    tenant_role: str = "none",
    security_roles: Collection[str] = (),
    settings: Settings,
    show: bool = False,
) -> InvitedMember:
    """Invite somebody into the tenant; the link to join goes to their own address, and is shown to who may see it."""
    decision = require(caller.on_tenant("Add members"))
    if tenant_role != "none":
        decision = require(caller.on_tenant("Grant tenant roles"))
    if tenant_role == "owner":
        decision = require(caller.on_tenant("Make and unmake owners"))
    if security_roles:
        require(caller.on_tenant("Grant security roles"))
    member = invitations.take_in(
        session,
        email=email,
        name=name,
        state=INVITED,
        invited_by=caller.member,
        tenant_role=tenant_role,
        security_roles=security_roles,
    )
    link = links.send_link_to_join(session, settings, caller, member, show=show)
    _record(session, caller, "add_member", member, decision, None, said_of(member) | links.shown(link))
    return _invited(session, settings, caller, member, link)


def confirm_member(
    session: Session,
    caller: Caller,
    member_id: UUID,
    *,
    if_match: str | None,
    settings: Settings,
    show: bool = False,
) -> InvitedMember:
    """Let a newcomer in whom a project member invited: now they get the link to join."""
    member, decision = _decided(session, caller, member_id, "Confirm", "confirm", if_match)
    before = said_of(member)
    member.state = INVITED
    link = links.send_link_to_join(session, settings, caller, member, show=show)
    _record(session, caller, "confirm_member", member, decision, before, said_of(member) | links.shown(link))
    return _invited(session, settings, caller, member, link)


def decline_member(session: Session, caller: Caller, member_id: UUID, *, if_match: str | None) -> MemberDetail:
    """Do not let a newcomer in; whoever invited them is told."""
    member, decision = _decided(session, caller, member_id, "Confirm", "decline", if_match)
    invitations.tell_inviter_of_declining(session, member)
    _take_out(session, caller, "decline_member", member, decision)
    return detail(session, caller, member)


def resend_invitation(
    session: Session,
    caller: Caller,
    member_id: UUID,
    *,
    if_match: str | None,
    settings: Settings,
    show: bool = False,
) -> InvitedMember:
    member, decision = _decided(session, caller, member_id, "Add members", "resend", if_match)
    link = links.send_link_to_join(session, settings, caller, member, show=show)
    _record(session, caller, "resend_invitation", member, decision, None, links.shown(link) or None)
    return _invited(session, settings, caller, member, link)


def withdraw_invitation(session: Session, caller: Caller, member_id: UUID, *, if_match: str | None) -> MemberDetail:
    member, decision = _decided(session, caller, member_id, "Remove", "withdraw", if_match)
    _take_out(session, caller, "withdraw_invitation", member, decision)
    return detail(session, caller, member)


def change_tenant_role(
    session: Session, caller: Caller, member_id: UUID, tenant_role: str, *, if_match: str | None
) -> MemberDetail:
    """Nobody changes their own; owners are made and unmade by owners, and the last active one stays."""
    if tenant_role == "owner":
        _lock_owners(session, caller)
    member, decision = _decided(session, caller, member_id, "Change tenant role", "change roles", if_match)
    if "owner" in (member.tenant_role, tenant_role):
        decision = require(caller.on_tenant("Make and unmake owners"))
    if member.tenant_role != tenant_role:
        keep_an_owner(session, member)
        before = said_of(member)
        member.tenant_role = tenant_role
        ended = _end_what_they_saw(session, member)
        if is_tenant_admin(tenant_role):
            ended |= links.end_what_would_lead_upwards(session, member)
        _record(session, caller, "change_tenant_role", member, decision, before, said_of(member) | ended)
        _tell_roles_changed(session, member)
    return detail(session, caller, member)


def grant_security_roles(
    session: Session, caller: Caller, member_id: UUID, security_roles: Collection[str], *, if_match: str | None
) -> MemberDetail:
    """Give a member exactly these security roles."""
    member, decision = _decided(session, caller, member_id, "Grant security roles", "change roles", if_match)
    if member.security_roles != frozenset(security_roles):
        before = said_of(member)
        invitations.set_security_roles(member, security_roles)
        _record(session, caller, "grant_security_roles", member, decision, before, said_of(member))
        _tell_roles_changed(session, member)
    return detail(session, caller, member)


def suspend_member(session: Session, caller: Caller, member_id: UUID, *, if_match: str | None) -> MemberDetail:
    """Shut a member out at once. Their sessions and links end for good, their tokens sleep until they are back."""
    member, decision = _decided(session, caller, member_id, "Suspend", "suspend", if_match)
    keep_an_owner(session, member)
    before = said_of(member)
    member.state = SUSPENDED
    sessions.end_sessions(session, member)
    links.end_links(session, member)
    ended = _end_what_they_saw(session, member)
    _record(session, caller, "suspend_member", member, decision, before, said_of(member) | ended)
    _tell_roles_changed(session, member)
    return detail(session, caller, member)


def reactivate_member(session: Session, caller: Caller, member_id: UUID, *, if_match: str | None) -> MemberDetail:
    """Let a suspended member in again, with the roles they had."""
    member, decision = _decided(session, caller, member_id, "Suspend", "reactivate", if_match)
    before = said_of(member)
    member.state = ACTIVE
    _record(session, caller, "reactivate_member", member, decision, before, said_of(member))
    _tell_roles_changed(session, member)
    return detail(session, caller, member)


def remove_member(session: Session, caller: Caller, member_id: UUID, *, if_match: str | None) -> MemberDetail:
    """Take a member out of the tenant, with every role and grant; the row stays, for the audit to name them."""
    member, decision = _decided(session, caller, member_id, "Remove", "remove", if_match)
    keep_an_owner(session, member)
    _take_out(session, caller, "remove_member", member, decision)
    return detail(session, caller, member)


def said_of(member: Member) -> dict[str, Any]:
    """What the audit keeps of a member before and after a change."""
    return {
        "name": member.name,
        "email": member.email,
        "state": str(member.state),
        "tenant_role": member.tenant_role,
        "security_roles": sorted(member.security_roles),
    }


def _invited(session: Session, settings: Settings, caller: Caller, member: Member, link: str | None) -> InvitedMember:
    found = detail(session, caller, member)
    said = links.said_of_sending(settings, member, LinkPurpose.JOIN, link)
    return InvitedMember(found.member, found.actions, found.groups, found.invited_by, link, said)


def _decided(
    session: Session, caller: Caller, member_id: UUID, action: str, change: str, if_match: str | None
) -> tuple[Member, Decision]:
    """The member, once the caller may do this to them, has seen their latest version, and their state allows it."""
    member = session.get(Member, member_id)
    if member is not None and member.tenant_role == "owner":
        _lock_owners(session, caller)
        session.refresh(member)
    member, placed = find_member(session, caller, member_id)
    decision = require(placed.check(caller.id, action) if action in placed.type.actions else caller.on_tenant(action))
    require_unchanged(if_match, member.version, "member")
    if member.state not in POSSIBLE_FROM[change]:
        raise Conflict(f"{member.name} {INSTEAD[MemberState(member.state)]}", state=str(member.state))
    return member, decision


def _lock_owners(session: Session, caller: Caller) -> None:
    """One change about owners at a time: whoever waited here sees what the one before did, also to themselves."""
    session.execute(select(Tenant.id).where(Tenant.id == 1).with_for_update(**LOCKED))
    session.refresh(caller.member)
    if caller.member.state != ACTIVE:
        raise NotSignedIn


def keep_an_owner(session: Session, member: Member) -> None:
    """The table lets nobody do this to themselves, so another owner is there; should it ever allow it, this holds."""
    if member.tenant_role == "owner" and member.state == ACTIVE:
        others = select(func.count()).where(
            Member.tenant_role == "owner", Member.state == ACTIVE, Member.id != member.id
        )
        if not session.scalar(others):
            raise Conflict(f"{member.name} is the last active owner and stays so. Make somebody else an owner first.")


def _take_out(session: Session, caller: Caller, action: str, member: Member, decision: Decision) -> None:
    listed = select(Group.name).join(GroupMembership).where(GroupMembership.member_id == member.id).order_by(Group.name)
    before = {**said_of(member), "groups": list(session.scalars(listed))}
    member.state, member.tenant_role, member.password_hash = REMOVED, "none", None
    invitations.set_security_roles(member, ())
    session.flush()
    invitations.take_everything(session, member)
    ended = _end_what_they_saw(session, member)
    _record(session, caller, action, member, decision, before, {**said_of(member), "groups": [], **ended})
    _tell_roles_changed(session, member)


def _end_what_they_saw(session: Session, maker: Member) -> dict[str, Any]:
    """End what they could have opened as others, and tell those. How much it was, for the audit."""
    ended = handed_over.end_what_they_saw(session, maker.id)
    whose = {id_ for each in ended.values() for id_ in each} - {maker.id}
    active = select(Member).where(Member.id.in_(whose), Member.state == ACTIVE).order_by(Member.id)
    for member in session.scalars(active).all() if whose else ():
        lost = [what for what, members in ended.items() if member.id in members]
        text = texts.link_was_seen(member.name, the_tenant(session).name, lost)
        notify.send(session, member.email, text.subject, text.body)
    return {f"{what}_of_others_ended": len(members) for what, members in ended.items() if members}


def _tell_roles_changed(session: Session, member: Member) -> None:
    session.flush()
    areas.tell_roles_changed(session, [member.id])


def _record(
    session: Session,
    caller: Caller,
    action: str,
    member: Member,
    decision: Decision,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
) -> None:
    caller.record(
        session,
        action,
        "member",
        resource_id=member.id,
        resource_name=member.name,
        before=before,
        after=after,
        decision=decision,
        about_id=member.id,
    )
