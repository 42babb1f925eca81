"""The members of a project: who is in it, with which role and from where; changing and taking granted roles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, select, true
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision, require, slug
from bailiwick.access.roles import PROJECT_ROLES
from bailiwick.access.tables.roles.invitations import INVITE
from bailiwick.access.tables.tenant.group import SEE_MEMBERS
from bailiwick.access.world.people import ALL, Origin
from bailiwick.database.listing import BY_NAME, page_by_name
from bailiwick.database.locks import LOCKED
from bailiwick.database.paging import Page
from bailiwick.errors import Conflict, NotFound
from bailiwick.projects.expired import make_room
from bailiwick.projects.models import ProjectGrant
from bailiwick.projects.newcomers import PENDING, WITHDRAW, was_all_they_had, withdraw
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
    tenant_roles_giving,
)
from bailiwick.projects.service import Here, enter
from bailiwick.tenancy import areas, directory
from bailiwick.tenancy.caller import ALL_GROUP_ID, Caller
from bailiwick.tenancy.expiry import AS_IT_IS, outlasts, require_ahead
from bailiwick.tenancy.models import Group, Member, MemberState
from bailiwick.tenancy.standing import on_group
from bailiwick.tenancy.versions import require_unchanged

SEE, CHANGE_ROLE, DELETE = "See members", "Change a member's role", "Delete members"

GroupNames = Mapping[str, Group]


@dataclass(frozen=True)
class SeenProjectMember:
    """A member of a project as the caller sees them."""

    found: ProjectMember
    groups: GroupNames  # those behind the role that the caller may look into, by the id an origin carries
    actions: Sequence[str]
    note: str | None = None
    link: str | None = None  # to join, for whoever invited a newcomer and may see it


@dataclass(frozen=True)
class Left:
    """What is left of somebody's role once their grant was taken, and why."""

    role: str
    note: str | None


def list_members(
    session: Session,
    caller: Caller,
    project_id: UUID,
    *,
    search: str | None = None,
    role: str | None = None,
    state: MemberState | None = None,
    sort: str = BY_NAME,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[SeenProjectMember]:
    """Everybody with a role here, by name; those who are invited or wait are among them."""
    here = enter(session, caller, project_id)
    here.require(SEE)
    roles = (role,) if role else ROLES
    ways = ways_into(project_id, roles, role_of_everyone(session, here.project))
    filters = [Member.state != MemberState.REMOVED, *goes_no_higher(project_id, roles)]
    if state == MemberState.ACTIVE:
        filters.append(Member.state == state)
    elif state:  # Few are in any other state: walking through those is shorter than through everybody on a way.
        ways = [and_(Member.state == state, gets(project_id, roles))]
    if search:
        filters.append(directory.fits(session, search))
    page = page_by_name(session, Member, cursor, limit, *filters, ways=ways, sort=sort)
    found = in_project(session, here.project, page.items)
    groups = groups_behind(session, caller, found)
    return Page([SeenProjectMember(one, groups, actions_on(here, one)) for one in found], page.next_cursor)


def ways_into(project_id: UUID, roles: Sequence[str], everyone: str) -> list[ColumnElement[bool]]:
    """How members come to one of these roles: inherited, granted, through a group; or everybody has one anyway."""
    if everyone in roles:
        return [true()]
    if PROJECT_ROLES.index(everyone) > max(map(PROJECT_ROLES.index, roles)):
        return []
    inherited = [Member.tenant_role == tenant_role for tenant_role in tenant_roles_giving(roles)]
    return [*inherited, granted_directly(project_id, roles), granted_through_group(project_id, roles)]


def get_member(session: Session, caller: Caller, project_id: UUID, member_id: UUID) -> SeenProjectMember:
    here = enter(session, caller, project_id)
    here.require(SEE)
    return seen(session, here, find(session, here, member_id))


def change_role(
    session: Session,
    caller: Caller,
    project_id: UUID,
    member_id: UUID,
    role: str | None = None,
    *,
    expires_at: datetime | None = AS_IT_IS,
    if_match: str | None,
) -> SeenProjectMember:
    """Change what a member is granted here, or when that ends, or grant more than they have from elsewhere."""
    here = enter(session, caller, project_id)
    decision = here.require(CHANGE_ROLE)
    found = find(session, here, member_id, lock=True)
    here.require(INVITE[role or found.role])
    member, grant = found.member, found.grant
    require_unchanged(if_match, grant.version if grant else 0, "role")
    if expires_at is not AS_IT_IS:
        require_ahead(expires_at)
    before = said_of(grant)
    if grant is None:
        if role is None or outlasts(found.ends_of(role), None if expires_at is AS_IT_IS else expires_at):
            raise Conflict(_not_a_grant(session, here, found))
        make_room(session, project_id, member)
        grant = ProjectGrant(project_id=project_id, member_id=member_id, granted_by_id=caller.member.id)
        session.add(grant)
    grant.role = role or grant.role
    if expires_at is not AS_IT_IS:
        grant.expires_at = expires_at
    after = said_of(grant)
    if before != after:
        session.flush()
        _tell(session, here, "change_project_role", decision, member, before, after)
        areas.tell_roles_changed(session, [member_id])
    (now,) = in_project(session, here.project, [member])
    note = _stays(session, here, now) if now.role != grant.role and now.other_origins else None
    return seen(session, here, now, note)


def remove_member(session: Session, caller: Caller, project_id: UUID, member_id: UUID, *, if_match: str | None) -> Left:
    """Take a member's grant. Whoever invited somebody that has not joined yet may take the invitation back."""
    here = enter(session, caller, project_id)
    here.require(SEE)
    found = find(session, here, member_id, lock=True)
    member, grant = found.member, found.grant
    decision = here.check(DELETE)
    if grant is not None and not decision.allowed and _is_own_invitation(here, found):
        decision = here.check(INVITE[grant.role])
    require(decision)
    if grant is None:
        raise Conflict(_not_a_grant(session, here, found))
    require_unchanged(if_match, grant.version, "role")
    session.delete(grant)
    session.flush()
    _tell(session, here, "remove_project_member", decision, member, said_of(grant), None)
    if was_all_they_had(session, member, grant.granted_by_id):
        withdraw(session, member, caller, decision)
    areas.tell_roles_changed(session, [member_id])
    (after,) = in_project(session, here.project, [member])
    return Left(after.role, _stays(session, here, after) if after.origins else None)


def find(session: Session, here: Here, member_id: UUID, *, lock: bool = False) -> ProjectMember:
    """Somebody with a role here, or one to come; everybody else is no member of this project.

    A change locks the member: nobody is removed from the tenant between this look and the end of the transaction."""
    member = session.get(Member, member_id, with_for_update=LOCKED if lock else None, populate_existing=lock)
    if member is None or member.state == MemberState.REMOVED:
        raise NotFound("member")
    (found,) = in_project(session, here.project, [member])
    if found.role == NO_ROLE:
        raise NotFound("member")
    return found


def seen(session: Session, here: Here, found: ProjectMember, note: str | None = None) -> SeenProjectMember:
    """One member looked at closely: also with what the caller may do with them beyond the project."""
    (member,) = directory.seen(session, here.caller, [found.member])
    actions = [*actions_on(here, found), *member.actions]
    return SeenProjectMember(found, groups_behind(session, here.caller, [found]), actions, note)


def actions_on(here: Here, found: ProjectMember) -> list[str]:
    allowed = [slug(action) for action in (CHANGE_ROLE, DELETE) if here.check(action).allowed]
    return [*allowed, WITHDRAW] if _is_own_invitation(here, found) else allowed


def _is_own_invitation(here: Here, found: ProjectMember) -> bool:
    grant = found.grant
    return grant is not None and found.member.state in PENDING and grant.granted_by_id == here.caller.member.id


def said_of(grant: ProjectGrant | None) -> dict[str, str | None]:
    """A grant as the audit keeps it."""
    end = grant.expires_at if grant else None
    return {"role": grant.role if grant else None, "expires_at": end.astimezone(UTC).isoformat() if end else None}


def _tell(
    session: Session,
    here: Here,
    action: str,
    decision: Decision,
    member: Member,
    before: dict[str, str | None] | None,
    after: dict[str, str | None] | None,
) -> None:
    what, seen_from = "project_membership", "Business User"
    here.tell(session, action, what, decision, before=before, after=after, seen_from=seen_from, about_id=member.id)


# Where a role comes from, in words -----------------------------------------------------------------------------------


def groups_behind(session: Session, caller: Caller, members: Iterable[ProjectMember]) -> GroupNames:
    """The groups that give these members a role, without those the caller may not look into: naming one would tell
    who is in it. Everybody is in All, so that tells nothing."""
    wanted = {origin.group for found in members for origin in found.origins if origin.group}
    ids = [ALL_GROUP_ID if group == ALL else UUID(group) for group in wanted]
    groups = session.scalars(select(Group).where(Group.id.in_(ids))) if ids else ()
    return {
        ALL if group.is_all else str(group.id): group
        for group in groups
        if group.is_all or on_group(caller, group).check(caller.id, SEE_MEMBERS).allowed
    }


def _in_words(session: Session, here: Here, found: ProjectMember, origin: Origin) -> str:
    if origin.source == "tenant role":
        return f"the tenant role {found.member.tenant_role}"
    group = groups_behind(session, here.caller, [found]).get(origin.group or "")
    return f"the group {group.name}" if group else "a group they are in"


def _not_a_grant(session: Session, here: Here, found: ProjectMember) -> str:
    origin = found.other_origins[0]
    through = _in_words(session, here, found, origin)
    remedy = (
        "Tenant owners and admins change tenant roles."
        if origin.source == "tenant role"
        else "Change the group's role here, or ask tenant owners and admins who is in it."
    )
    return (
        f"{found.member.name} is {origin.role} through {through}, not by a grant in this project, "
        f"so there is nothing to lower or take here. {remedy}"
    )


def _stays(session: Session, here: Here, found: ProjectMember) -> str:
    through = _in_words(session, here, found, found.other_origins[0])
    return f"{found.member.name} stays {found.role}, through {through}."
