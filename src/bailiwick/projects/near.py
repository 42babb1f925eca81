"""Whom somebody sees who does not see everybody: those they share a project with."""

from __future__ import annotations

from sqlalchemy import ColumnElement, and_, exists, or_, select, true
from sqlalchemy.orm import Session

from bailiwick.projects.models import Project, ProjectGrant
from bailiwick.projects.roles import ROLES, tenant_roles_giving
from bailiwick.projects.service import ways_to_see
from bailiwick.projects.standing import holds_now
from bailiwick.tenancy.caller import ALL_GROUP_ID, Caller
from bailiwick.tenancy.models import GroupMembership, Member


def shares_a_project(session: Session, caller: Caller) -> ColumnElement[bool]:
    """Somebody with a role in a project that the caller sees, by whatever way; and the caller."""
    mine = select(Project.id).where(or_(*ways_to_see(caller)))
    granted = and_(ProjectGrant.project_id.in_(mine), holds_now())
    if session.scalar(select(exists().where(ProjectGrant.group_id == ALL_GROUP_ID, granted))):
        return true()
    of_groups = select(GroupMembership.member_id).join(ProjectGrant, ProjectGrant.group_id == GroupMembership.group_id)
    ways = [
        Member.id == caller.member.id,
        Member.id.in_(select(ProjectGrant.member_id).where(ProjectGrant.member_id.is_not(None), granted)),
        Member.id.in_(of_groups.where(granted)),
    ]
    if session.scalars(mine.limit(1)).first() is not None:
        ways.append(Member.tenant_role.in_(tenant_roles_giving(ROLES)))
    return or_(*ways)
