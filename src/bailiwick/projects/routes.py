"""Projects over HTTP: the projects themselves, their settings, members, groups and notification channels."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response

from bailiwick.problems import PROBLEMS
from bailiwick.projects import group_grants, invitations, members, notifications, of_member, service
from bailiwick.projects.schemas import (
    GroupGrantOut,
    GroupRole,
    Invitation,
    InvitedToProjectOut,
    LeftOut,
    MemberInProjectsOut,
    NewProject,
    ProjectChange,
    ProjectGroupsOut,
    ProjectMemberOut,
    ProjectMembersOut,
    ProjectOut,
    ProjectSettingsOut,
    ProjectsOut,
    ReceiversOut,
    Role,
    RoleChange,
    SwitchesChange,
)
from bailiwick.runs.models import ChannelKind
from bailiwick.runs.schemas.notifications import ChannelChange, ChannelOut, ChannelsOut
from bailiwick.tenancy.calling import Changing, Reading
from bailiwick.tenancy.listing import Cursor, Limit, PartOfName, PartOfPerson, Sort
from bailiwick.tenancy.models import MemberState
from bailiwick.tenancy.versions import IfMatch, tag

router = APIRouter(prefix="/api/v1/projects", tags=["projects"], responses=PROBLEMS)
of_members = APIRouter(prefix="/api/v1/members", tags=["projects"], responses=PROBLEMS)


@router.get("", summary="List your projects, by name")
def list_projects(
    call: Reading,
    search: PartOfName = None,
    sort: Sort = "name",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> ProjectsOut:
    """Those you have a role in: inherited from your tenant role, granted to you, or granted to one of your groups."""
    return ProjectsOut.of(
        service.list_projects(call.session, call.caller, search=search, sort=sort, cursor=cursor, limit=limit)
    )


@router.post("", summary="Create a project", status_code=201)
def create_project(call: Changing, body: NewProject, response: Response) -> ProjectOut:
    """For tenant owners and admins."""
    here = service.create_project(call.session, call.caller, name=body.name, description=body.description)
    response.headers["Location"] = f"/api/v1/projects/{here.project.id}"
    return _project(response, here)


@router.get("/{project_id}", summary="Open a project")
def get_project(call: Reading, project_id: UUID, request: Request, response: Response) -> ProjectOut:
    """The first time subscribes an Admin or Technical User whose role is inherited to the project's notifications."""
    here, first_time = service.open_project(call.session, call.caller, project_id)
    if first_time:
        service.note_first_entry(request.app.state.database, here)
    return _project(response, here)


@router.patch("/{project_id}", summary="Edit a project's name and description")
def edit_project(
    call: Changing, project_id: UUID, body: ProjectChange, response: Response, if_match: IfMatch = None
) -> ProjectOut:
    here = service.edit_project(call.session, call.caller, project_id, body.changes(), if_match=if_match)
    return _project(response, here)


@router.delete("/{project_id}", summary="Delete a project with everything in it", status_code=204)
def delete_project(
    call: Changing,
    project_id: UUID,
    confirm: Annotated[str | None, Query(max_length=200, description="The project's name, to be sure.")] = None,
    if_match: IfMatch = None,
) -> None:
    """Without `confirm` the answer says what goes with it."""
    service.delete_project(call.session, call.caller, project_id, confirm=confirm, if_match=if_match)


@router.get("/{project_id}/settings", summary="Look at a project's settings")
def get_settings(call: Reading, project_id: UUID, response: Response) -> ProjectSettingsOut:
    here = service.see_settings(call.session, call.caller, project_id)
    tag(response, here.project.version)
    return ProjectSettingsOut.of(here, service.warnings_of(call.session, here.project))


@router.patch("/{project_id}/settings", summary="Set a project's switches")
def set_switches(
    call: Changing, project_id: UUID, body: SwitchesChange, response: Response, if_match: IfMatch = None
) -> ProjectSettingsOut:
    here = service.set_switches(call.session, call.caller, project_id, body.changes(), if_match=if_match)
    tag(response, here.project.version)
    return ProjectSettingsOut.of(here, service.warnings_of(call.session, here.project))


def _project(response: Response, here: service.Here) -> ProjectOut:
    tag(response, here.project.version)
    return ProjectOut.of(here)


# Members ---------------------------------------------------------------------------------------------------------


@router.get("/{project_id}/members", summary="List the members of a project, by name")
def list_members(
    call: Reading,
    project_id: UUID,
    search: PartOfPerson = None,
    role: Annotated[Role | None, Query(description="Those whose effective role is this.")] = None,
    state: Annotated[MemberState | None, Query(description="`waiting` and `invited` have not joined yet.")] = None,
    sort: Sort = "name",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> ProjectMembersOut:
    """Everybody with a role here, with every origin of it."""
    page = members.list_members(
        call.session,
        call.caller,
        project_id,
        search=search,
        role=role,
        state=state,
        sort=sort,
        cursor=cursor,
        limit=limit,
    )
    return ProjectMembersOut.of(page)


@router.post("/{project_id}/members", summary="Invite somebody into a project", status_code=201)
def invite(call: Changing, project_id: UUID, body: Invitation, response: Response) -> InvitedToProjectOut:
    """Who is in the tenant already has the role at once. Somebody new waits for a tenant owner or admin, unless one
    invites them: then they get a link to join, which is answered with `show`, to hand it over."""
    invited = invitations.invite(
        call.session,
        call.caller,
        call.settings,
        project_id,
        email=body.email,
        name=body.name,
        role=body.role,
        expires_at=body.expires_at,
        show=body.show,
    )
    response.headers["Location"] = f"/api/v1/projects/{project_id}/members/{invited.found.member.id}"
    _tag_grant(response, invited)
    return InvitedToProjectOut.of_invited(invited)


@router.get("/{project_id}/members/{member_id}", summary="Look at a member of a project")
def get_member(call: Reading, project_id: UUID, member_id: UUID, response: Response) -> ProjectMemberOut:
    return _member(response, members.get_member(call.session, call.caller, project_id, member_id))


@router.patch("/{project_id}/members/{member_id}", summary="Change a member's role in a project")
def change_role(
    call: Changing, project_id: UUID, member_id: UUID, body: RoleChange, response: Response, if_match: IfMatch = None
) -> ProjectMemberOut:
    """Or when it ends. It is about what is granted here: an inherited role can be added to, not lowered. Where another
    origin gives more, that role stays, and `note` says so."""
    changed = members.change_role(call.session, call.caller, project_id, member_id, **body.changes(), if_match=if_match)
    return _member(response, changed)


@router.delete("/{project_id}/members/{member_id}", summary="Remove a member from a project")
def remove_member(call: Changing, project_id: UUID, member_id: UUID, if_match: IfMatch = None) -> LeftOut:
    """From the project, not from the tenant. Whoever invited somebody who has not joined yet takes it back so."""
    return LeftOut.of(members.remove_member(call.session, call.caller, project_id, member_id, if_match=if_match))


def _member(response: Response, seen: members.SeenProjectMember) -> ProjectMemberOut:
    _tag_grant(response, seen)
    return ProjectMemberOut.of(seen)


def _tag_grant(response: Response, seen: members.SeenProjectMember) -> None:
    if seen.found.grant is not None:
        tag(response, seen.found.grant.version)


@of_members.get("/{member_id}/projects", summary="List the projects somebody is in, by name")
def list_projects_of(
    call: Reading,
    member_id: UUID,
    search: PartOfName = None,
    sort: Sort = "name",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> MemberInProjectsOut:
    """Those that you are in too, with their role in each and every origin of it; owners and admins are in all."""
    page = of_member.list_projects_of(
        call.session, call.caller, member_id, search=search, sort=sort, cursor=cursor, limit=limit
    )
    return MemberInProjectsOut.of(page)


# Groups ----------------------------------------------------------------------------------------------------------


@router.get("/{project_id}/groups", summary="List the groups that have a role in a project, by name")
def list_groups(
    call: Reading,
    project_id: UUID,
    search: PartOfName = None,
    sort: Sort = "name",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> ProjectGroupsOut:
    page = group_grants.list_groups(
        call.session, call.caller, project_id, search=search, sort=sort, cursor=cursor, limit=limit
    )
    return ProjectGroupsOut.of(page)


@router.put("/{project_id}/groups/{group_id}", summary="Grant a group a role in a project")
def grant_to_group(
    call: Changing, project_id: UUID, group_id: UUID, body: GroupRole, response: Response, if_match: IfMatch = None
) -> GroupGrantOut:
    """In place of the one it may have. Everybody in the group has it from now on, until it expires."""
    given = body.model_dump(exclude_unset=True)
    found = group_grants.grant_role(call.session, call.caller, project_id, group_id, **given, if_match=if_match)
    tag(response, found.grant.version)
    return GroupGrantOut.of(found)


@router.delete("/{project_id}/groups/{group_id}", summary="Take a group's role in a project", status_code=204)
def remove_from_group(call: Changing, project_id: UUID, group_id: UUID, if_match: IfMatch = None) -> None:
    group_grants.remove_role(call.session, call.caller, project_id, group_id, if_match=if_match)


# Notifications ---------------------------------------------------------------------------------------------------


@router.get("/{project_id}/notifications", summary="List a project's notification channels")
def list_channels(call: Reading, project_id: UUID) -> ChannelsOut:
    found = notifications.list_channels(call.session, call.caller, project_id)
    return ChannelsOut(items=[ChannelOut.of(channel) for channel in found])


@router.patch("/{project_id}/notifications/{kind}", summary="Set up a notification channel")
def set_channel(
    call: Changing,
    project_id: UUID,
    kind: ChannelKind,
    body: ChannelChange,
    response: Response,
    if_match: IfMatch = None,
) -> ChannelOut:
    channel = notifications.set_channel(
        call.session, call.caller, project_id, kind, body.changes(), if_match=if_match, settings=call.settings
    )
    tag(response, channel.channel.version)
    return ChannelOut.of(channel)


@router.get("/{project_id}/notifications/{kind}/receivers", summary="List who receives a channel, by name")
def list_receivers(
    call: Reading,
    project_id: UUID,
    kind: ChannelKind,
    search: PartOfPerson = None,
    sort: Sort = "name",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> ReceiversOut:
    """Admins and Technical Users by their role, and whoever was added."""
    page = notifications.list_receivers(
        call.session, call.caller, project_id, kind, search=search, sort=sort, cursor=cursor, limit=limit
    )
    return ReceiversOut.of(page)


@router.put("/{project_id}/notifications/{kind}/receivers/{member_id}", summary="Receive a channel", status_code=204)
def add_receiver(call: Changing, project_id: UUID, kind: ChannelKind, member_id: UUID) -> None:
    """Opt in yourself; Admins also add Business Users. Nobody opts in for somebody who opted out."""
    notifications.add_receiver(call.session, call.caller, project_id, kind, member_id)


@router.delete(
    "/{project_id}/notifications/{kind}/receivers/{member_id}", summary="Receive a channel no longer", status_code=204
)
def remove_receiver(call: Changing, project_id: UUID, kind: ChannelKind, member_id: UUID) -> None:
    """Opt out yourself, which is remembered; Admins also take off who was added."""
    notifications.remove_receiver(call.session, call.caller, project_id, kind, member_id)
