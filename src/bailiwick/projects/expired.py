"""Roles that have expired: without effect from that moment on, by themselves; their rows go later, or make room."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC
from uuid import UUID

from sqlalchemy import ColumnElement, delete, select
from sqlalchemy.orm import Session

from bailiwick.audit import service as audit
from bailiwick.database.base import utc_now
from bailiwick.database.locks import LOCKED
from bailiwick.projects.models import Project, ProjectGrant
from bailiwick.projects.newcomers import PENDING, was_all_they_had, withdraw
from bailiwick.tenancy import areas
from bailiwick.tenancy.caller import ALL_GROUP_ID
from bailiwick.tenancy.models import Group, GroupMembership, Member


def make_room(session: Session, project_id: UUID, holder: Member | Group) -> None:
    """Remove what they held here until it expired, before they are granted anew: whoever returns finds nothing of what
    had followed from their role."""
    theirs = ProjectGrant.member_id == holder.id if isinstance(holder, Member) else ProjectGrant.group_id == holder.id
    _remove(session, ProjectGrant.project_id == project_id, theirs, ProjectGrant.expires_at <= utc_now())


def drop_expired(session: Session) -> int:
    """Remove grants that have had no effect since they expired, and newcomers who were invited to nothing else."""
    over = ProjectGrant.expires_at <= utc_now()
    invited = select(ProjectGrant.member_id).where(over, ProjectGrant.member_id.is_not(None))
    pending = select(Member).where(Member.state.in_(PENDING), Member.id.in_(invited)).order_by(Member.id)
    # Locked before the grants are, in the order in which everybody does who changes a member's role.
    newcomers = session.scalars(pending.with_for_update(**LOCKED).execution_options(populate_existing=True)).all()
    gone = _remove(session, over)
    for member in newcomers:
        if any(was_all_they_had(session, member, row.granted_by_id) for row in gone if row.member_id == member.id):
            withdraw(session, member)
    return len(gone)


def _remove(session: Session, *which: ColumnElement[bool]) -> Sequence[ProjectGrant]:
    """These grants go with the same consequences as if somebody had taken them."""
    gone = session.scalars(delete(ProjectGrant).where(*which).returning(ProjectGrant)).all()
    for grant in gone:
        _record_end(session, grant)
    groups = {row.group_id for row in gone if row.group_id}
    if ALL_GROUP_ID in groups:
        areas.tell_roles_changed(session, None)
    elif gone:
        inside = session.scalars(select(GroupMembership.member_id).where(GroupMembership.group_id.in_(groups)))
        areas.tell_roles_changed(session, {*inside, *(row.member_id for row in gone if row.member_id)})
    return gone


def _record_end(session: Session, grant: ProjectGrant) -> None:
    """Nobody took it: its time was over. Whoever held it reads so, as far as they are not a group."""
    project = session.get(Project, grant.project_id)
    holder = session.get(Member, grant.member_id) if grant.member_id else session.get(Group, grant.group_id)
    if project is None or holder is None:  # deleted at this moment, and with it whatever was given
        return
    end = grant.expires_at
    said = {"role": grant.role, "expires_at": end.astimezone(UTC).isoformat() if end else None}
    audit.record(
        session,
        action="end_project_role",
        resource_type="project_membership",
        resource_id=project.id,
        resource_name=project.name,
        project_id=project.id,
        seen_from="Business User",
        before=said if isinstance(holder, Member) else {"group": holder.name, "group_id": str(holder.id), **said},
        about_id=holder.id if isinstance(holder, Member) else None,
    )
