"""New people: how somebody becomes a member who is invited, or who waits for an admin's confirmation."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from bailiwick.errors import Conflict
from bailiwick.notify import service as notify
from bailiwick.tenancy import areas
from bailiwick.tenancy.addresses import normal_email
from bailiwick.tenancy.links import end_links
from bailiwick.tenancy.models import GroupMembership, Member, MemberState
from bailiwick.tenancy.sessions import end_sessions
from bailiwick.tenancy.standing import the_tenant
from bailiwick.tenancy.tokens import end_tokens

WHAT_TO_DO = {
    MemberState.WAITING: "waits for confirmation already. Confirm or decline them.",
    MemberState.INVITED: "is invited already. Send the invitation again if it got lost.",
    MemberState.ACTIVE: "is a member already. Change their roles instead.",
    MemberState.SUSPENDED: "is a member already, but suspended. Reactivate them instead.",
}


def take_in(
    session: Session,
    *,
    email: str,
    name: str,
    state: MemberState,
    invited_by: Member | None,
    tenant_role: str = "none",
    security_roles: Collection[str] = (),
) -> Member:
    """A row for somebody new, or for somebody who comes back: nothing of what they once had returns with them.

    Whether the caller may do so was decided before; whoever is to be let in gets a link afterwards."""
    address = normal_email(email)
    member = session.scalars(select(Member).where(Member.email == address)).one_or_none()
    if member is None:
        member = Member(email=address)
        session.add(member)
    elif member.state != MemberState.REMOVED:
        detail = f"{address} {WHAT_TO_DO[MemberState(member.state)]}"
        raise Conflict(detail, member_id=str(member.id), state=member.state)
    else:
        take_everything(session, member)  # what was given to them at the very moment they were removed
    member.name, member.state, member.tenant_role = name, state, tenant_role
    set_security_roles(member, security_roles)
    member.password_hash = member.joined_at = None
    member.time_zone = "UTC"
    member.invited_by_id = invited_by.id if invited_by else None
    session.flush()
    return member


def take_everything(session: Session, member: Member) -> None:
    """Sessions, links, tokens, groups, and what the areas granted."""
    end_sessions(session, member)
    end_links(session, member)
    end_tokens(session, member)
    session.execute(delete(GroupMembership).where(GroupMembership.member_id == member.id))
    areas.tell_member_removed(session, member)


def set_security_roles(member: Member, roles: Collection[str]) -> None:
    member.data_admin = "data admin" in roles
    member.data_space_creator = "data space creator" in roles


def tell_inviter_of_declining(session: Session, member: Member) -> None:
    inviter = session.get(Member, member.invited_by_id) if member.invited_by_id else None
    if inviter is not None and inviter.state == MemberState.ACTIVE:
        notify.send(
            session,
            inviter.email,
            "An invitation of yours was declined",
            f"Hello {inviter.name},\n\nyou invited {member.name} ({member.email}) to {the_tenant(session).name}. "
            "A tenant owner or admin had to confirm that, and declined: they were not added.\n",
        )
