"""Finding members: for owners and admins everybody, for others whom they share a project with."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, and_, exists, or_, select, true
from sqlalchemy.orm import Session, aliased

from bailiwick.projects.models import Project, ProjectGrant
from bailiwick.projects.roles import ROLES, tenant_roles_giving
from bailiwick.projects.service import ways_to_see as ways_to_see_projects
from bailiwick.projects.standing import holds_now
from bailiwick.search.fitting import Source, Typed, best
from bailiwick.tenancy import directory
from bailiwick.tenancy.caller import ALL_GROUP_ID, Caller
from bailiwick.tenancy.models import GroupMembership, Member, MemberState

SPARE = 3  # times as many are looked at, should some of them not be seen after all
THERE = Member.state != MemberState.REMOVED
EVERYBODY = 10_000_000  # a limit that is none; with it, whom one shares a project with is looked up first


def find_members(session: Session, caller: Caller, text: Typed, few: int) -> tuple[Sequence[Member], bool]:
    """By name or e-mail address, which who sees somebody sees too; and whether these are all."""
    if directory.sees_everybody(caller):
        return _members(session, text, few, (Member, THERE))
    near = select(Member).where(_shares_a_project(session, caller), THERE).limit(EVERYBODY).subquery()
    found, is_all = _members(session, text, few * SPARE, (aliased(Member, near), true()))
    seen = [one.member for one in directory.seen(session, caller, found) if "see" in one.actions]
    return seen[:few], is_all and len(seen) <= few


def _members(session: Session, text: Typed, few: int, source: Source) -> tuple[list[Member], bool]:
    found = best(session, text, few, [source]).first(few)
    rows = {member.id: member for member in session.scalars(select(Member).where(Member.id.in_(found.ids)))}
    return [rows[id_] for id_ in found.ids], found.is_all


def _shares_a_project(session: Session, caller: Caller) -> ColumnElement[bool]:
    """Somebody with a role in a project that the caller sees, by whatever way; and the caller."""
    mine = select(Project.id).where(or_(*ways_to_see_projects(caller)))
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
