"""What projects do when people come, go or change: registered with the tenancy on import."""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from bailiwick.projects.models import Project, ProjectEntry, ProjectGrant, ReceiverChoice
from bailiwick.projects.notifications import forget_what_fell
from bailiwick.projects.standing import read_projects
from bailiwick.tenancy import areas
from bailiwick.tenancy.models import Group, Member


def member_removed(session: Session, member: Member) -> None:
    """Drop what they were granted, entered and added to; that they opted out is remembered, should they return."""
    session.execute(delete(ProjectGrant).where(ProjectGrant.member_id == member.id))
    session.execute(delete(ProjectEntry).where(ProjectEntry.member_id == member.id))
    session.execute(delete(ReceiverChoice).where(ReceiverChoice.member_id == member.id, ReceiverChoice.receives))


def group_grants(session: Session, group: Group) -> list[dict[str, Any]]:
    """The roles a group has in projects."""
    held = select(ProjectGrant.role, Project.id, Project.name).join(Project, Project.id == ProjectGrant.project_id)
    return [
        {"what": f"{role} in the project {name}", "project_id": str(id_), "project": name, "role": role}
        for role, id_, name in session.execute(held.where(ProjectGrant.group_id == group.id).order_by(Project.name))
    ]


areas.read_projects.append(read_projects)
areas.member_removed.append(member_removed)
areas.roles_changed.append(forget_what_fell)
areas.group_grants.append(group_grants)
