"""The projects that somebody is in, as far as the caller is in them too, and where each role comes from."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import and_
from sqlalchemy.orm import Session

from bailiwick.database.listing import BY_NAME, has_in_name, page_by_name
from bailiwick.database.paging import Page
from bailiwick.projects.members import SEE, SeenProjectMember, actions_on, groups_behind
from bailiwick.projects.models import Project
from bailiwick.projects.roles import in_projects
from bailiwick.projects.service import stand_in, ways_to_see
from bailiwick.tenancy import directory
from bailiwick.tenancy.authentication import groups_of
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import MemberState


@dataclass(frozen=True)
class InProject:
    """A member as they stand in one of their projects."""

    project: Project
    there: SeenProjectMember


def list_projects_of(
    session: Session,
    caller: Caller,
    member_id: UUID,
    *,
    search: str | None = None,
    sort: str = BY_NAME,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[InProject]:
    """Those in which both have a role, by name; who is not active is shown with the role they would have."""
    member, _ = directory.find_member(session, caller, member_id)
    if member.state == MemberState.REMOVED:
        return Page([])
    theirs, mine = ways_to_see(Caller(member, groups_of(session, member))), ways_to_see(caller)
    ways = [and_(one, other) for one in theirs for other in mine]
    filters = [has_in_name(Project.name, search)] if search else []
    page = page_by_name(session, Project, cursor, limit, *filters, ways=ways, sort=sort)
    found = in_projects(session, page.items, member)
    groups = groups_behind(session, caller, found)
    seen = [
        InProject(here.project, SeenProjectMember(one, groups, actions_on(here, one)))
        for here, one in zip(stand_in(session, caller, page.items), found, strict=True)
        if here.check(SEE).allowed
    ]
    return Page(seen, page.next_cursor)
