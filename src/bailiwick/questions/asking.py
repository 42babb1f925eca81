"""Who may ask about whom: oneself always, others whoever manages them or the project; the question itself leaks."""

from __future__ import annotations

from enum import IntEnum
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from bailiwick.access.decision import Refused
from bailiwick.access.tables.tenant.member import ASK
from bailiwick.access.world.people import ALL
from bailiwick.errors import NotFound
from bailiwick.projects.models import Project, ProjectGrant
from bailiwick.projects.standing import holds_now, on_membership
from bailiwick.questions.resources import Asked
from bailiwick.tenancy import directory
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Group, Member
from bailiwick.tenancy.standing import on_member

ASK_ABOUT_ANYBODY = "Ask about anybody's access"
CHANGE_ROLE = "Change a member's role"


class Reach(IntEnum):
    """How far a caller's questions about a resource go."""

    ONESELF = 0
    SHARING = 1  # about whom levels are given to, by who gives them
    PROJECT = 2  # about whoever is in the project
    EVERYBODY = 3


def reach(session: Session, caller: Caller, asked: Asked) -> Reach:
    if caller.on_tenant(ASK_ABOUT_ANYBODY).allowed:
        return Reach.EVERYBODY
    if (
        asked.project is not None
        and runs(session, caller, asked.project)
        and sees_into(session, caller, asked.project, asked.holders)
    ):
        return Reach.PROJECT
    return Reach.ONESELF


def runs(session: Session, caller: Caller, project: Project) -> bool:
    """Whether the caller changes the roles in this project, and so knows them."""
    return on_membership(session, caller, project).check(caller.id, CHANGE_ROLE).allowed


def sees_into(session: Session, caller: Caller, project: Project, holders: frozenset[str]) -> bool:
    """Whether the caller knows who is in the groups among these holders: otherwise the answer would tell."""
    ids = [UUID(one) for one in holders if one != ALL]
    groups = set(session.scalars(select(Group.id).where(Group.id.in_(ids)))) - caller.groups
    granted = select(ProjectGrant.group_id).where(
        ProjectGrant.project_id == project.id, ProjectGrant.group_id.in_(groups), holds_now()
    )
    return groups <= set(session.scalars(granted)) if groups else True


def refuse(caller: Caller) -> Refused:
    return Refused(caller.on_tenant(ASK_ABOUT_ANYBODY))


def is_oneself(caller: Caller, given: str | None) -> bool:
    if given is None:
        return True
    return given.strip().lower() in (caller.id, caller.member.id.hex, caller.member.email)


def find_subject(session: Session, caller: Caller, given: str | None, how_far: Reach) -> Member:
    """The member a question is about. Who may not ask gets the same refusal, whether there is such a member or not."""
    if given is None or is_oneself(caller, given):
        return caller.member
    member = look_up(session, given)
    if how_far is Reach.ONESELF:
        if member is None or not on_member(session, caller, member).check(caller.id, ASK).allowed:
            raise refuse(caller)
        return member
    if member is None:
        raise NotFound("member")
    return directory.find_member(session, caller, member.id)[0]


def look_up(session: Session, given: str) -> Member | None:
    """By id or by e-mail address."""
    if "@" in given:
        return session.scalars(select(Member).where(Member.email == given.strip().lower())).one_or_none()
    try:
        return session.get(Member, UUID(given))
    except ValueError:
        return None
