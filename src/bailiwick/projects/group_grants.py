"""Roles granted to groups: everybody in the group has them, and everybody in the tenant if the group is All."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision, require, slug
from bailiwick.access.tables.roles.invitations import INVITE
from bailiwick.database.listing import BY_NAME, has_in_name, page_by_name
from bailiwick.database.paging import Page
from bailiwick.errors import NotFound
from bailiwick.projects.expired import make_room
from bailiwick.projects.members import CHANGE_ROLE, SEE, said_of
from bailiwick.projects.models import ProjectGrant
from bailiwick.projects.service import Here, enter
from bailiwick.projects.standing import holds_now
from bailiwick.tenancy import areas
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.expiry import AS_IT_IS, require_ahead
from bailiwick.tenancy.models import Group, GroupMembership
from bailiwick.tenancy.standing import on_group
from bailiwick.tenancy.versions import require_unchanged


@dataclass(frozen=True)
class GroupGrant:
    group: Group
    grant: ProjectGrant
    actions: Sequence[str]


def list_groups(
    session: Session,
    caller: Caller,
    project_id: UUID,
    *,
    search: str | None = None,
    sort: str = BY_NAME,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[GroupGrant]:
    """The groups that have a role here, by name."""
    here = enter(session, caller, project_id)
    here.require(SEE)
    granted = select(ProjectGrant).where(ProjectGrant.project_id == project_id, holds_now())
    way = Group.id.in_(granted.with_only_columns(ProjectGrant.group_id).where(ProjectGrant.group_id.is_not(None)))
    filters = [way, *([has_in_name(Group.name, search)] if search else [])]
    page = page_by_name(session, Group, cursor, limit, *filters, sort=sort)
    on_page = granted.where(ProjectGrant.group_id.in_([group.id for group in page.items]))
    grants = {grant.group_id: grant for grant in session.scalars(on_page)}
    return Page([GroupGrant(group, grants[group.id], _actions(here)) for group in page.items], page.next_cursor)


def grant_role(
    session: Session,
    caller: Caller,
    project_id: UUID,
    group_id: UUID,
    role: str,
    *,
    expires_at: datetime | None = AS_IT_IS,
    if_match: str | None,
) -> GroupGrant:
    """Give a group this role, in place of the one it may have; one that is to end does so still, unless said."""
    here = enter(session, caller, project_id)
    decision = here.require(CHANGE_ROLE)
    here.require(INVITE[role])
    group = _find(session, caller, group_id)
    grant = _grant_to(session, here, group)
    require_unchanged(if_match, grant.version if grant else 0, "role")
    if expires_at is not AS_IT_IS:
        require_ahead(expires_at)
    before = _said(group, grant)
    if grant is None:
        make_room(session, project_id, group)
        grant = ProjectGrant(project_id=project_id, group_id=group_id, granted_by_id=caller.member.id)
        session.add(grant)
    grant.role = role
    if expires_at is not AS_IT_IS:
        grant.expires_at = expires_at
    after = _said(group, grant)
    if before != after:
        session.flush()
        _tell(session, here, "grant_project_role_to_group", group, decision, before, after)
    return GroupGrant(group, grant, _actions(here))


def remove_role(session: Session, caller: Caller, project_id: UUID, group_id: UUID, *, if_match: str | None) -> None:
    here = enter(session, caller, project_id)
    decision = here.require(CHANGE_ROLE)
    group = _find(session, caller, group_id)
    grant = _grant_to(session, here, group)
    if grant is None:
        raise NotFound("group in this project")
    require_unchanged(if_match, grant.version, "role")
    session.delete(grant)
    session.flush()
    _tell(session, here, "remove_project_role_of_group", group, decision, _said(group, grant), None)


def _find(session: Session, caller: Caller, group_id: UUID) -> Group:
    group = session.get(Group, group_id)
    if group is None:
        raise NotFound("group")
    require(on_group(caller, group).check(caller.id, "See"))
    return group


def _grant_to(session: Session, here: Here, group: Group) -> ProjectGrant | None:
    here_to_it = ProjectGrant.project_id == here.project.id, ProjectGrant.group_id == group.id
    return session.scalars(select(ProjectGrant).where(*here_to_it, holds_now())).one_or_none()


def _said(group: Group, grant: ProjectGrant | None) -> dict[str, str | None] | None:
    return {"group": group.name, "group_id": str(group.id), **said_of(grant)} if grant else None


def _tell(
    session: Session,
    here: Here,
    action: str,
    group: Group,
    decision: Decision,
    before: dict[str, str | None] | None,
    after: dict[str, str | None] | None,
) -> None:
    what, seen_from = "project_membership", "Business User"
    here.tell(session, action, what, decision, before=before, after=after, seen_from=seen_from)
    listed = select(GroupMembership.member_id).where(GroupMembership.group_id == group.id)
    areas.tell_roles_changed(session, None if group.is_all else session.scalars(listed).all())


def _actions(here: Here) -> list[str]:
    return [slug(CHANGE_ROLE)] if here.check(CHANGE_ROLE).allowed else []
