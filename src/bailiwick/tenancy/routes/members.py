"""Members over HTTP: the directory, newcomers, roles, suspending and removing."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response

from bailiwick.problems import PROBLEMS
from bailiwick.tenancy import directory, members
from bailiwick.tenancy.calling import Changing, Reading
from bailiwick.tenancy.listing import Cursor, Limit, MemberSort, PartOfPerson
from bailiwick.tenancy.models import MemberState
from bailiwick.tenancy.schemas.members import (
    CountsOut,
    InvitedOut,
    Inviting,
    MemberDetailOut,
    MembersOut,
    NewMember,
    SecurityRolesChange,
    TenantRole,
    TenantRoleChange,
)
from bailiwick.tenancy.versions import IfMatch, tag

router = APIRouter(prefix="/api/v1/members", tags=["members"], responses=PROBLEMS)


@router.get("", summary="List the directory, by name")
def list_members(
    call: Reading,
    search: PartOfPerson = None,
    state: Annotated[MemberState | None, Query(description="Without it: everybody but the removed.")] = None,
    tenant_role: TenantRole | None = None,
    sort: MemberSort = "name",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> MembersOut:
    """For tenant owners and admins. Others meet fellow members in their projects and groups."""
    page = directory.list_members(
        call.session,
        call.caller,
        search=search,
        state=state,
        tenant_role=tenant_role,
        sort=sort,
        cursor=cursor,
        limit=limit,
    )
    return MembersOut.of(page)


@router.get("/counts", summary="Count the members in each state")
def count_members(call: Reading) -> CountsOut:
    return CountsOut(**directory.count_members(call.session, call.caller))


@router.post("", summary="Add somebody to the tenant", status_code=201)
def add_member(call: Changing, body: NewMember, response: Response) -> InvitedOut:
    """They get a link to join, at their own address; where no mail server is set, have it shown and hand
    it over. Somebody who was removed comes back with nothing of the old."""
    added = members.add_member(
        call.session,
        call.caller,
        email=body.email,
        name=body.name,
        tenant_role=body.tenant_role,
        security_roles=body.security_roles,
        settings=call.settings,
        show=body.show,
    )
    response.headers["Location"] = f"/api/v1/members/{added.member.id}"
    return _invited(response, added)


@router.get("/{member_id}", summary="Look at a member")
def get_member(call: Reading, member_id: UUID, response: Response) -> MemberDetailOut:
    """Yourself, whoever shares a project with you, and as a tenant owner or admin everybody."""
    return _answer(response, directory.get_member(call.session, call.caller, member_id))


@router.post("/{member_id}/confirm", summary="Confirm a newcomer who waits")
def confirm_member(
    call: Changing, member_id: UUID, response: Response, body: Inviting | None = None, if_match: IfMatch = None
) -> InvitedOut:
    """Somebody whom a project member invited: now they get their link to join."""
    show = body is not None and body.show
    confirmed = members.confirm_member(
        call.session, call.caller, member_id, if_match=if_match, settings=call.settings, show=show
    )
    return _invited(response, confirmed)


@router.post("/{member_id}/decline", summary="Decline a newcomer who waits")
def decline_member(call: Changing, member_id: UUID, response: Response, if_match: IfMatch = None) -> MemberDetailOut:
    """Whoever invited them is told by e-mail."""
    return _answer(response, members.decline_member(call.session, call.caller, member_id, if_match=if_match))


@router.post("/{member_id}/resend-invitation", summary="Send an invitation again")
def resend_invitation(
    call: Changing, member_id: UUID, response: Response, body: Inviting | None = None, if_match: IfMatch = None
) -> InvitedOut:
    """With a new link; the one sent before stops working."""
    show = body is not None and body.show
    resent = members.resend_invitation(
        call.session, call.caller, member_id, if_match=if_match, settings=call.settings, show=show
    )
    return _invited(response, resent)


@router.post("/{member_id}/withdraw-invitation", summary="Withdraw an invitation")
def withdraw_invitation(
    call: Changing, member_id: UUID, response: Response, if_match: IfMatch = None
) -> MemberDetailOut:
    """The link that was sent stops working at once."""
    return _answer(response, members.withdraw_invitation(call.session, call.caller, member_id, if_match=if_match))


@router.put("/{member_id}/tenant-role", summary="Change a member's tenant role")
def change_tenant_role(
    call: Changing, member_id: UUID, body: TenantRoleChange, response: Response, if_match: IfMatch = None
) -> MemberDetailOut:
    """Nobody changes their own. Owners are made and unmade by owners, and the last active one stays."""
    changed = members.change_tenant_role(call.session, call.caller, member_id, body.tenant_role, if_match=if_match)
    return _answer(response, changed)


@router.put("/{member_id}/security-roles", summary="Grant and revoke security roles")
def grant_security_roles(
    call: Changing, member_id: UUID, body: SecurityRolesChange, response: Response, if_match: IfMatch = None
) -> MemberDetailOut:
    """The member has exactly these afterwards."""
    changed = members.grant_security_roles(call.session, call.caller, member_id, body.security_roles, if_match=if_match)
    return _answer(response, changed)


@router.post("/{member_id}/suspend", summary="Suspend a member")
def suspend_member(call: Changing, member_id: UUID, response: Response, if_match: IfMatch = None) -> MemberDetailOut:
    """They are shut out at once: sessions and links end, tokens stop until they are reactivated."""
    return _answer(response, members.suspend_member(call.session, call.caller, member_id, if_match=if_match))


@router.post("/{member_id}/reactivate", summary="Reactivate a suspended member")
def reactivate_member(call: Changing, member_id: UUID, response: Response, if_match: IfMatch = None) -> MemberDetailOut:
    return _answer(response, members.reactivate_member(call.session, call.caller, member_id, if_match=if_match))


@router.delete("/{member_id}", summary="Remove a member from the tenant")
def remove_member(call: Changing, member_id: UUID, response: Response, if_match: IfMatch = None) -> MemberDetailOut:
    """With every role, grant, group, session and token; the audit still names them."""
    return _answer(response, members.remove_member(call.session, call.caller, member_id, if_match=if_match))


def _answer(response: Response, seen: directory.MemberDetail) -> MemberDetailOut:
    tag(response, seen.member.version)
    return MemberDetailOut.of_detail(seen)


def _invited(response: Response, invited: directory.InvitedMember) -> InvitedOut:
    tag(response, invited.member.version)
    return InvitedOut.of_invited(invited)
