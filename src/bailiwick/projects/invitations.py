"""Inviting into a project: at once for who is here already, through an admin for who is new."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.roles import TENANT_ROLES
from bailiwick.access.tables.roles.invitations import INVITE
from bailiwick.access.tables.tenant.member import SEE
from bailiwick.database.locks import LOCKED
from bailiwick.errors import Conflict
from bailiwick.notify import service as notify
from bailiwick.projects.expired import make_room
from bailiwick.projects.members import SeenProjectMember, said_of, seen
from bailiwick.projects.models import ProjectGrant
from bailiwick.projects.roles import in_project
from bailiwick.projects.service import Here, enter
from bailiwick.settings import Settings
from bailiwick.tenancy import areas, invitations, links, members
from bailiwick.tenancy.addresses import normal_email
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.expiry import require_ahead
from bailiwick.tenancy.models import LinkPurpose, Member, MemberState
from bailiwick.tenancy.standing import on_member

MOST_WAITING = 50
WAITING, INVITED, ACTIVE, SUSPENDED, REMOVED = MemberState


def invite(
    session: Session,
    caller: Caller,
    settings: Settings,
    project_id: UUID,
    *,
    email: str,
    name: str | None,
    role: str,
    expires_at: datetime | None = None,
    tell: bool = True,
    show: bool = False,
) -> SeenProjectMember:
    """Give somebody a role here who has none. Who is new to the tenant waits for an admin, unless one invites them and
    then may see the link to join. Whoever tells them in their own words does so instead."""
    here = enter(session, caller, project_id)
    decision = here.require(INVITE[role])
    require_ahead(expires_at)
    address = normal_email(email)
    member, is_new = _member_at(session, caller, address, name or address.partition("@")[0])
    (found,) = in_project(session, here.project, [member])
    if found.origins:
        raise Conflict(
            f"{member.name} is {found.role} in this project already. Change the role instead.", member_id=str(member.id)
        )
    if member.state == SUSPENDED:
        if on_member(session, caller, member).allows(caller.id, SEE):
            raise Conflict(f"{member.name} is suspended. Tenant owners and admins can reactivate them first.")
        raise Conflict(f"{address} cannot be added at present. Tenant owners and admins can say more.")
    make_room(session, project_id, member)
    grant = ProjectGrant(project_id=project_id, member_id=member.id, role=role, granted_by_id=caller.member.id)
    grant.expires_at = expires_at
    session.add(grant)
    session.flush()
    link = said = None
    if member.state == ACTIVE:
        if tell:
            _tell_of_grant(session, here, settings, member, grant)
    elif member.state == WAITING and caller.on_tenant("Confirm newcomers").allowed:
        confirmed = members.confirm_member(session, caller, member.id, if_match=None, settings=settings, show=show)
        link, said = confirmed.link, confirmed.said
    elif is_new and member.state == WAITING:
        _ask_admins(session, here, settings, member, grant)
    elif is_new:
        link = links.send_link_to_join(session, settings, caller, member, show=show)
        said = links.said_of_sending(settings, member, LinkPurpose.JOIN, link)
    after = {**said_of(grant), "email": member.email, "state": str(member.state), **links.shown(link)}
    here.tell(
        session,
        "invite_to_project",
        "project_membership",
        decision,
        after=after,
        seen_from="Business User",
        about_id=member.id,
    )
    areas.tell_roles_changed(session, [member.id])
    (invited,) = in_project(session, here.project, [member])
    return replace(seen(session, here, invited, said), link=link)


def _member_at(session: Session, caller: Caller, address: str, name: str) -> tuple[Member, bool]:
    """Whoever has this address, or a newcomer with it; and whether they are new.

    The row is locked, so that nobody is removed while they are invited. Two who invite the same newcomer at the same
    moment make one row: the second one finds the first one's."""
    at_address = select(Member).where(Member.email == address).with_for_update(**LOCKED)
    member = session.scalars(at_address.execution_options(populate_existing=True)).one_or_none()
    if member is not None and member.state != REMOVED:
        return member, False
    state = INVITED if caller.on_tenant("Add members").allowed else WAITING
    if state == WAITING:
        _refuse_crowds(session, caller)
    try:
        with session.begin_nested():
            newcomer = invitations.take_in(session, email=address, name=name, state=state, invited_by=caller.member)
    except (IntegrityError, Conflict):  # the other one was quicker: just now, or since the look above
        return session.scalars(at_address.execution_options(populate_existing=True)).one(), False
    return newcomer, True


def _refuse_crowds(session: Session, caller: Caller) -> None:
    """Every newcomer is a mail to the admins and a decision of theirs; nobody sends them more than they can look at."""
    waiting = select(func.count()).where(Member.invited_by_id == caller.member.id, Member.state == WAITING)
    if (session.scalar(waiting) or 0) >= MOST_WAITING:
        raise Conflict(
            f"{MOST_WAITING} people whom you invited wait for a tenant admin's confirmation. Invite more after that."
        )


def _tell_of_grant(session: Session, here: Here, settings: Settings, member: Member, grant: ProjectGrant) -> None:
    project = here.project
    notify.send(
        session,
        member.email,
        f"You are now in {project.name}",
        f"Hello {member.name},\n\n{here.caller.member.name} made you {_in_words(grant)} in the project {project.name}:"
        f"\n\n{settings.public_url}/projects/{project.id}\n",
    )


def _ask_admins(session: Session, here: Here, settings: Settings, member: Member, grant: ProjectGrant) -> None:
    tenant = RESOURCE_TYPES["tenant"]
    confirming = [r for r in TENANT_ROLES if tenant.allows(tenant.pack({"tenant role": r}), "Confirm newcomers")]
    admins = select(Member).where(Member.tenant_role.in_(confirming), Member.state == ACTIVE)
    inviter = here.caller.member
    for admin in session.scalars(admins):
        notify.send(
            session,
            admin.email,
            f"{member.email} waits for your confirmation",
            f"Hello {admin.name},\n\n{inviter.name} ({inviter.email}) invited {member.name} ({member.email}), who is "
            f"not here yet, to the project {here.project.name} as {_in_words(grant)}. Confirm or decline it here:\n\n"
            f"{settings.public_url}/members/{member.id}\n",
        )


def _in_words(grant: ProjectGrant) -> str:
    end = grant.expires_at
    return f"{grant.role} until {end.astimezone(UTC):%Y-%m-%d %H:%M} UTC" if end else grant.role
