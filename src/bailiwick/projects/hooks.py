"""What projects do when people come, go or change: registered with the tenancy on import."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision
from bailiwick.database.paging import MOST_ROWS
from bailiwick.projects.models import (
    NotificationChannel,
    Project,
    ProjectEntry,
    ProjectGrant,
    ReceiverChoice,
)
from bailiwick.projects.notifications import forget_what_fell, receivers_of
from bailiwick.projects.service import enter
from bailiwick.projects.standing import holds_now, read_projects
from bailiwick.runs import deciding, notices
from bailiwick.runs.models import ChannelKind
from bailiwick.tenancy import areas
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Group, Member


def member_removed(session: Session, member: Member) -> None:
    """Drop what they were granted, entered and added to; that they opted out is remembered, should they return."""
    session.execute(delete(ProjectGrant).where(ProjectGrant.member_id == member.id))
    session.execute(delete(ProjectEntry).where(ProjectEntry.member_id == member.id))
    session.execute(delete(ReceiverChoice).where(ReceiverChoice.member_id == member.id, ReceiverChoice.receives))


def group_grants(session: Session, group: Group) -> list[dict[str, Any]]:
    """The roles a group has in projects."""
    held = select(ProjectGrant.role, Project.id, Project.name).join(Project, Project.id == ProjectGrant.project_id)
    held = held.where(ProjectGrant.group_id == group.id, holds_now())
    return [
        {"what": f"{role} in the project {name}", "project_id": str(id_), "project": name, "role": role}
        for role, id_, name in session.execute(held.order_by(Project.name))
    ]


def given_to_groups(session: Session, groups: Collection[UUID], limit: int) -> list[areas.Given]:
    held = select(ProjectGrant, Project.name).join(Project, Project.id == ProjectGrant.project_id)
    latest = held.where(ProjectGrant.group_id.in_(groups), holds_now()).order_by(ProjectGrant.granted_at.desc())
    return [
        areas.Given(
            *(grant.group_id, grant.role, "project", grant.project_id, name),
            *(grant.granted_at, grant.granted_by_id, grant.expires_at),
        )
        for grant, name in session.execute(latest.limit(limit))
        if grant.group_id
    ]


def channel_of(session: Session, project_id: UUID, kind: str) -> notices.Channel | None:
    """A project's channel, for news of its runs."""
    project, channel = session.get(Project, project_id), session.get(NotificationChannel, (project_id, kind))
    if project is None or channel is None:
        return None

    def receivers() -> Iterator[Member]:
        cursor: str | None = None
        while True:
            page = receivers_of(session, project, ChannelKind(kind), cursor=cursor, limit=MOST_ROWS)
            yield from page.items
            cursor = page.next_cursor
            if cursor is None:
                return

    return notices.Channel(channel.is_on, channel.delay_minutes, channel.webhook_url, receivers)


def may_delete_runs(session: Session, caller: Caller, project_id: UUID) -> Decision:
    return enter(session, caller, project_id).check("Delete runs")


notices.of_projects.append(channel_of)
deciding.of_project.append(may_delete_runs)
areas.read_projects.append(read_projects)
areas.member_removed.append(member_removed)
areas.roles_changed.append(forget_what_fell)
areas.group_grants.append(group_grants)
areas.given_to_groups.append(given_to_groups)
