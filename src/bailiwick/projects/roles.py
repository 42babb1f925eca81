"""Effective roles in a project: as conditions on a member in SQL, and as answers that say where a role comes from."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, exists, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from bailiwick.access.roles import PROJECT_ROLES, TENANT_ROLES, inherited_project_role
from bailiwick.access.world import records
from bailiwick.access.world.people import Origin, World
from bailiwick.projects.models import Project, ProjectGrant
from bailiwick.projects.standing import as_record, holds_now, reaching
from bailiwick.tenancy.caller import ALL_GROUP_ID, holder
from bailiwick.tenancy.models import GroupMembership, Member
from bailiwick.tenancy.standing import standing_of

ROLES = PROJECT_ROLES[1:]
NO_ROLE = PROJECT_ROLES[0]
# Of conditions that stand in queries about grants themselves. Made once: an alias takes as long as a query.
GRANT, MEMBERSHIP = aliased(ProjectGrant), aliased(GroupMembership)
ProjectId = UUID | InstrumentedAttribute[UUID]


def above(roles: Sequence[str]) -> tuple[str, ...]:
    """The roles higher than all of these."""
    return PROJECT_ROLES[max(map(PROJECT_ROLES.index, roles)) + 1 :]


def tenant_roles_giving(roles: Collection[str]) -> tuple[str, ...]:
    return tuple(tenant_role for tenant_role in TENANT_ROLES if inherited_project_role(tenant_role) in roles)


def granted_directly(project: ProjectId, roles: Sequence[str] = ROLES) -> ColumnElement[bool]:
    """Whether the member of the query was granted one of these roles."""
    found = select(GRANT.member_id).where(
        GRANT.project_id == project, GRANT.member_id.is_not(None), GRANT.role.in_(roles), holds_now(GRANT)
    )
    return Member.id.in_(found.correlate_except(GRANT))


def granted_through_group(project: ProjectId, roles: Sequence[str] = ROLES) -> ColumnElement[bool]:
    """Whether a group that lists the member of the query was granted one of these roles; All lists nobody."""
    found = select(MEMBERSHIP.member_id).where(
        GRANT.project_id == project,
        GRANT.role.in_(roles),
        GRANT.group_id == MEMBERSHIP.group_id,
        holds_now(GRANT),
    )
    return Member.id.in_(found.correlate_except(GRANT, MEMBERSHIP))


def granted_to_all(project: ProjectId, roles: Sequence[str] = ROLES) -> ColumnElement[bool]:
    to_all = GRANT.group_id == ALL_GROUP_ID
    found = exists().where(GRANT.project_id == project, to_all, GRANT.role.in_(roles), holds_now(GRANT))
    return found.correlate_except(GRANT)


def gets(project: ProjectId, roles: Sequence[str]) -> ColumnElement[bool]:
    """Whether some origin gives the member of the query one of these roles."""
    return or_(
        Member.tenant_role.in_(tenant_roles_giving(roles)),
        granted_directly(project, roles),
        granted_through_group(project, roles),
        granted_to_all(project, roles),
    )


def goes_no_higher(project: ProjectId, roles: Sequence[str]) -> list[ColumnElement[bool]]:
    """That no origin gives the member of the query more than the highest of these roles."""
    return [~gets(project, above(roles))] if above(roles) else []


def role_of_everyone(session: Session, project: Project) -> str:
    """What the project grants to the group All."""
    found = select(ProjectGrant.role).where(
        ProjectGrant.project_id == project.id, ProjectGrant.group_id == ALL_GROUP_ID, holds_now()
    )
    return session.scalars(found).one_or_none() or NO_ROLE


@dataclass(frozen=True)
class ProjectMember:
    """Somebody in a project: every origin of their role, highest first, and the grant that is theirs alone.

    Who is not active yet, or suspended, is shown with the role they would have."""

    member: Member
    grant: ProjectGrant | None
    origins: tuple[Origin, ...]
    ends: Mapping[str, datetime | None]  # of the grants behind the origins, by whom they were given to

    @property
    def role(self) -> str:
        return self.origins[0].role if self.origins else NO_ROLE

    def expires_at(self, origin: Origin) -> datetime | None:
        """When a role from this origin ends; an inherited one does not."""
        return None if origin.source == "tenant role" else self.ends[origin.group or str(self.member.id)]

    def ends_of(self, role: str) -> list[datetime | None]:
        """When each origin ends that gives at least this role."""
        enough = PROJECT_ROLES.index(role)
        return [self.expires_at(one) for one in self.origins if PROJECT_ROLES.index(one.role) >= enough]

    @property
    def other_origins(self) -> tuple[Origin, ...]:
        """Where a role comes from besides the member's own grant."""
        return tuple(origin for origin in self.origins if origin.source != "grant")


def in_project(session: Session, project: Project, members: Collection[Member]) -> list[ProjectMember]:
    """These members as they stand in the project, read together."""
    standings = standing_of(session, members)
    grants = list(session.scalars(reaching([project], standings)))
    return _as_they_stand(project, grants, members, standings)


def in_projects(session: Session, projects: Sequence[Project], member: Member) -> list[ProjectMember]:
    """One member as they stand in each of these projects, read together."""
    standings = standing_of(session, [member])
    grants: dict[UUID, list[ProjectGrant]] = {project.id: [] for project in projects}
    for grant in session.scalars(reaching(projects, standings)):
        grants[grant.project_id].append(grant)
    return [one for project in projects for one in _as_they_stand(project, grants[project.id], [member], standings)]


def _as_they_stand(
    project: Project,
    grants: Sequence[ProjectGrant],
    members: Collection[Member],
    standings: Sequence[records.Member],
) -> list[ProjectMember]:
    record, direct = as_record(project, grants), {grant.member_id: grant for grant in grants if grant.member_id}
    ends = {holder(id_): grant.expires_at for grant in grants if (id_ := grant.member_id or grant.group_id)}
    world = World(())
    return [
        ProjectMember(member, direct.get(member.id), world.role_origins(standing, record), ends)
        for member, standing in zip(members, standings, strict=True)
    ]
