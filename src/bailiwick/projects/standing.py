"""Projects as the access core sees them: effective roles with their origins, and decisions about a project."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from uuid import UUID

from sqlalchemy import ColumnElement, Select, or_, select
from sqlalchemy.orm import Session

from bailiwick.access.roles import PROJECT_ROLES, highest, inherited_project_role
from bailiwick.access.world import records
from bailiwick.access.world.people import ALL, World
from bailiwick.access.world.placing import Placed, place
from bailiwick.projects.models import Project, ProjectGrant
from bailiwick.tenancy.caller import ALL_GROUP_ID, Caller, holder
from bailiwick.tenancy.expiry import holds_until


def as_record(project: Project, grants: Iterable[ProjectGrant]) -> records.Project:
    return records.Project(
        str(project.id),
        {holder(id_): grant.role for grant in grants if (id_ := grant.member_id or grant.group_id)},
        technical_users_control_all_reports=project.technical_users_control_all_reports,
        ownership_adds_to_availability=project.ownership_adds_to_availability,
    )


def read_projects(session: Session, members: Collection[records.Member]) -> list[records.Project]:
    """The projects in which somebody of these has a role by grant, with those grants, and one more if there is any:
    members whose tenant role is inherited by every project share even those that grant nothing."""
    grants: dict[UUID, list[ProjectGrant]] = {}
    for grant in session.scalars(select(ProjectGrant).where(_reaches(members))):
        grants.setdefault(grant.project_id, []).append(grant)
    found = list(session.scalars(select(Project).where(Project.id.in_(list(grants)))))
    if any(inherited_project_role(member.tenant_role) != "none" for member in members):
        found += session.scalars(select(Project).where(Project.id.not_in(list(grants))).limit(1))
    return [as_record(project, grants.get(project.id, ())) for project in found]


def for_caller(session: Session, caller: Caller, project: Project) -> records.Project:
    """The project with the grants that reach this caller."""
    return as_record(project, session.scalars(reaching([project], [caller.standing])))


def reaching(projects: Iterable[Project], members: Collection[records.Member]) -> Select[ProjectGrant]:
    """The projects' grants to these members and to groups they are in, as long as they hold."""
    ids = [project.id for project in projects]
    return select(ProjectGrant).where(ProjectGrant.project_id.in_(ids), _reaches(members))


def holds_now(grant: type[ProjectGrant] = ProjectGrant) -> ColumnElement[bool]:
    return holds_until(grant.expires_at)


def on_project(session: Session, caller: Caller, project: Project) -> Placed:
    return place(World([caller.standing]), for_caller(session, caller, project))


def on_membership(session: Session, caller: Caller, project: Project) -> Placed:
    return place(World([caller.standing]), records.ProjectMembership(for_caller(session, caller, project)))


def _reaches(members: Collection[records.Member]) -> ColumnElement[bool]:
    ids = [UUID(member.id) for member in members]
    groups = {UUID(group) for member in members for group in member.groups if group != ALL}
    return or_(ProjectGrant.member_id.in_(ids), ProjectGrant.group_id.in_([*groups, ALL_GROUP_ID])) & holds_now()


def granted_roles(session: Session, caller: Caller) -> dict[UUID, str]:
    """The caller's role in each project that grants them one, themselves or through a group."""
    found: dict[UUID, str] = {}
    for grant in session.scalars(select(ProjectGrant).where(_reaches([caller.standing]))):
        found[grant.project_id] = highest((grant.role, found.get(grant.project_id, "none")), PROJECT_ROLES)
    return found
