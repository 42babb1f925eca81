"""Projects: listing, creating, opening, editing and deleting them, and their switches."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, func, select, true
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision, require, slug
from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.roles import inherited_project_role
from bailiwick.access.tables.tenant.token import CHANGE
from bailiwick.access.world import records
from bailiwick.access.world.people import World
from bailiwick.access.world.placing import Placed, place
from bailiwick.database.engine import Database, DatabaseUnavailable
from bailiwick.database.listing import BY_NAME, has_in_name, page_by_name
from bailiwick.database.names import namesakes
from bailiwick.database.paging import Page
from bailiwick.errors import Conflict, NotFound
from bailiwick.projects.models import NotificationChannel, Project, ProjectEntry, ProjectGrant
from bailiwick.projects.roles import NO_ROLE, ROLES
from bailiwick.projects.standing import as_record, holds_now, reaching
from bailiwick.runs.models import ChannelKind
from bailiwick.tenancy.caller import ALL_GROUP_ID, Caller
from bailiwick.tenancy.versions import require_unchanged

SEE = "See project"
NOTIFICATION_RULES = RESOURCE_TYPES["notification_rule"]
SWITCHES = ("technical_users_control_all_reports", "ownership_adds_to_availability")
ON_FROM_THE_START = {ChannelKind.RUN_FAILED: True, ChannelKind.RUN_SUCCEEDED: False}

# Data Mart Technical Owners whose role in the project is too low for what they own, in sentences.
insufficient_owners: list[Callable[[Session, Project], Iterable[str]]] = []


@dataclass(frozen=True)
class Here:
    """A project as one caller stands in it."""

    project: Project
    caller: Caller
    record: records.Project

    @cached_property
    def world(self) -> World:
        return World([self.caller.standing])

    @cached_property
    def placed(self) -> tuple[Placed, Placed]:
        return place(self.world, self.record), place(self.world, records.ProjectMembership(self.record))

    @property
    def role(self) -> str:
        return self.world.project_roles(self.record).get(self.caller.id, NO_ROLE)

    def check(self, action: str) -> Decision:
        if action in NOTIFICATION_RULES.actions:
            return NOTIFICATION_RULES.check(NOTIFICATION_RULES.pack({"project role": self.role}), action)
        project, membership = self.placed
        return (project if action in project.type.actions else membership).check(self.caller.id, action)

    def require(self, action: str) -> Decision:
        return require(self.check(action))

    @property
    def actions(self) -> list[str]:
        """What the caller may do here."""
        return [slug(action) for placed in self.placed for action in placed.actions(self.caller.id)]

    def tell(self, session: Session, action: str, what: str, decision: Decision | None, **more: Any) -> None:
        """Put a change in this project on record."""
        project = self.project
        more.setdefault("resource_id", project.id)
        more.setdefault("resource_name", project.name)
        self.caller.record(session, action, what, decision=decision, project_id=project.id, **more)


def enter(session: Session, caller: Caller, project_id: UUID) -> Here:
    """The project, if the caller may see it; every use case in a project begins here."""
    project = session.get(Project, project_id)
    if project is None:
        raise NotFound("project")
    here = Here(project, caller, as_record(project, session.scalars(reaching([project], [caller.standing]))))
    here.require(SEE)
    return here


def list_projects(
    session: Session,
    caller: Caller,
    *,
    search: str | None = None,
    sort: str = BY_NAME,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Here]:
    """The projects the caller may see, by name."""
    filters = [has_in_name(Project.name, search)] if search else []
    page = page_by_name(session, Project, cursor, limit, *filters, ways=ways_to_see(caller), sort=sort)
    return Page(stand_in(session, caller, page.items), page.next_cursor)


def create_project(session: Session, caller: Caller, *, name: str, description: str) -> Here:
    decision = require(caller.on_tenant("Create projects"))
    _refuse_taken(session, name)
    project = new_project(session, name=name, description=description, created_by_id=caller.member.id)
    session.add(ProjectEntry(project_id=project.id, member_id=caller.member.id))
    session.flush()
    here = Here(project, caller, as_record(project, ()))
    after = {"name": name, "description": description}
    here.tell(session, "create_project", "project", decision, after=after, seen_from="Business User")
    return here


def new_project(session: Session, **values: Any) -> Project:
    """A project with its notification channels, as every project begins."""
    project = Project(**values)
    session.add(project)
    session.flush()
    session.add_all(
        NotificationChannel(project_id=project.id, kind=kind, is_on=is_on) for kind, is_on in ON_FROM_THE_START.items()
    )
    session.flush()
    return project


def open_project(session: Session, caller: Caller, project_id: UUID) -> tuple[Here, bool]:
    """The project, and whether the caller sets foot in it for the first time."""
    here = enter(session, caller, project_id)
    return here, here.role != NO_ROLE and session.get(ProjectEntry, (project_id, caller.member.id)) is None


def note_first_entry(database: Database, here: Here) -> None:
    """Remember that the caller was here: it subscribes those whose role is inherited.

    Done after the reading and apart from it: looking must not fail because nothing can be written just now, and
    another request of theirs may be quicker. A read-only token changes nothing, so it does not enter either."""
    if not here.caller.through_token(CHANGE).allowed:
        return
    with suppress(IntegrityError, DatabaseUnavailable), database.session() as session:
        session.add(ProjectEntry(project_id=here.project.id, member_id=here.caller.member.id))
        me = here.caller.member.id
        here.tell(session, "enter_project", "project", here.check(SEE), seen_from="Admin", about_id=me)


def edit_project(
    session: Session, caller: Caller, project_id: UUID, changes: dict[str, str], *, if_match: str | None
) -> Here:
    here = enter(session, caller, project_id)
    decision = here.require("Edit project metadata")
    if "name" in changes:
        _refuse_taken(session, changes["name"], here.project)
    return _change(session, here, changes, "edit_project", decision, "Business User", if_match)


def set_switches(
    session: Session, caller: Caller, project_id: UUID, changes: dict[str, bool], *, if_match: str | None
) -> Here:
    here = enter(session, caller, project_id)
    decision = here.require("Set project switches")
    return _change(session, here, changes, "set_project_switches", decision, "Technical User", if_match)


def see_settings(session: Session, caller: Caller, project_id: UUID) -> Here:
    here = enter(session, caller, project_id)
    here.require("See project settings")
    return here


def warnings_of(session: Session, project: Project) -> list[str]:
    return [warning for find in insufficient_owners for warning in find(session, project)]


def delete_project(
    session: Session, caller: Caller, project_id: UUID, *, confirm: str | None, if_match: str | None
) -> None:
    """Delete a project with everything in it, once the caller has repeated its name."""
    here = enter(session, caller, project_id)
    decision = here.require("Delete project")
    project = here.project
    require_unchanged(if_match, project.version, "project")
    goes = _what_goes_with(session, project)
    if confirm != project.name:
        listed = f"{goes['members']} members' and {goes['groups']} groups' roles in it"
        raise Conflict(
            f"Deleting “{project.name}” takes along {listed}, its settings and its notification receivers, for good. "
            "Repeat the request with ?confirm= and the project's name.",
            goes_with_it=goes,
        )
    before = {"name": project.name, "description": project.description, **goes}
    here.tell(session, "delete_project", "project", decision, before=before, seen_from="Business User")
    session.delete(project)
    session.flush()


def ways_to_see(caller: Caller) -> list[ColumnElement[bool]]:
    """Inherited, granted, granted to a group: each a way of its own. The table says which roles see a project."""
    project = RESOURCE_TYPES["project"]
    seeing = [role for role in ROLES if project.allows(project.pack({"project role": role}), SEE)]
    if inherited_project_role(caller.member.tenant_role) in seeing:
        return [true()]
    granted = select(ProjectGrant.project_id).where(ProjectGrant.role.in_(seeing), holds_now())
    to_me = granted.where(ProjectGrant.member_id == caller.member.id)
    to_groups = granted.where(ProjectGrant.group_id.in_([*caller.groups, ALL_GROUP_ID]))
    return [Project.id.in_(to_me), Project.id.in_(to_groups)]


def stand_in(session: Session, caller: Caller, projects: Iterable[Project]) -> list[Here]:
    """The caller's standing in many projects, with the grants read together."""
    found = {project.id: project for project in projects}
    grants: dict[UUID, list[ProjectGrant]] = {id_: [] for id_ in found}
    for grant in session.scalars(reaching(found.values(), [caller.standing])):
        grants[grant.project_id].append(grant)
    return [Here(project, caller, as_record(project, grants[id_])) for id_, project in found.items()]


def _change(
    session: Session,
    here: Here,
    changes: dict[str, Any],
    action: str,
    decision: Decision,
    seen_from: str,
    if_match: str | None,
) -> Here:
    require_unchanged(if_match, here.project.version, "project")
    before = {field: getattr(here.project, field) for field in changes}
    if before != changes:
        for field, value in changes.items():
            setattr(here.project, field, value)
        session.flush()
        here.tell(session, action, "project", decision, before=before, after=changes, seen_from=seen_from)
    return here


def _refuse_taken(session: Session, name: str, but: Project | None = None) -> None:
    """“sales” beside “Sales” would be opened by mistake. Which project it is may not be for the caller to know."""
    if any(project is not but for project in namesakes(session, Project, name)):
        raise Conflict("This name is taken. Choose another one.")


def _what_goes_with(session: Session, project: Project) -> dict[str, int]:
    counted = select(func.count(ProjectGrant.member_id), func.count(ProjectGrant.group_id))
    members, groups = session.execute(counted.where(ProjectGrant.project_id == project.id, holds_now())).one()
    return {"members": members, "groups": groups}
