"""Newcomers who are here for nothing but an invitation into a project: they go when it goes."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import exists, or_, select
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision
from bailiwick.audit import service as audit
from bailiwick.projects.models import ProjectGrant
from bailiwick.projects.standing import holds_now
from bailiwick.tenancy import invitations
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import GroupMembership, Member, MemberState

WITHDRAW = "withdraw_invitation"
PENDING = (MemberState.WAITING, MemberState.INVITED)


def was_all_they_had(session: Session, member: Member, granted_by_id: UUID) -> bool:
    """Whether nothing is left of a newcomer but the invitation that this member gave and that is gone.

    Whom an admin invited into the tenant itself, or has confirmed for somebody else's project, stays invited."""
    if member.state not in PENDING or member.tenant_role != "none" or member.security_roles:
        return False
    if member.state == MemberState.INVITED and member.invited_by_id != granted_by_id:
        return False
    granted = exists().where(ProjectGrant.member_id == member.id, holds_now())
    return not session.scalar(select(or_(granted, exists().where(GroupMembership.member_id == member.id))))


def withdraw(session: Session, member: Member, caller: Caller | None = None, decision: Decision | None = None) -> None:
    """Without a caller, because the invitation expired."""
    before = str(member.state)
    member.state = MemberState.REMOVED
    session.flush()
    invitations.take_everything(session, member)
    record = caller.record if caller else audit.record
    record(
        session,
        action=WITHDRAW,
        resource_type="member",
        resource_id=member.id,
        resource_name=member.name,
        decision=decision,
        before={"state": before},
        after={"state": str(member.state)},
        about_id=member.id,
    )
