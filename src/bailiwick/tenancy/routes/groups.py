"""Groups over HTTP."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response

from bailiwick.problems import PROBLEMS
from bailiwick.tenancy import groups
from bailiwick.tenancy.calling import Changing, Reading
from bailiwick.tenancy.listing import Cursor, Limit, PartOfName, Search, Sort
from bailiwick.tenancy.schemas.groups import (
    AddedOut,
    GivenToGroupsOut,
    GroupChange,
    GroupGrantsOut,
    GroupMembersChange,
    GroupOut,
    GroupsOut,
    NewGroup,
    RemovedOut,
)
from bailiwick.tenancy.schemas.members import PeopleOut
from bailiwick.tenancy.versions import IfMatch, tag

router = APIRouter(prefix="/api/v1/groups", tags=["groups"], responses=PROBLEMS)


@router.get("", summary="List groups, by name")
def list_groups(
    call: Reading,
    search: PartOfName = None,
    sort: Sort = "name",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> GroupsOut:
    """Everybody sees the groups; how many are in one is for those who may look into it."""
    return GroupsOut.of(
        groups.list_groups(call.session, call.caller, search=search, sort=sort, cursor=cursor, limit=limit)
    )


@router.post("", summary="Create a group", status_code=201)
def create_group(call: Changing, body: NewGroup, response: Response) -> GroupOut:
    created = groups.create_group(call.session, call.caller, body.name, body.description)
    response.headers["Location"] = f"/api/v1/groups/{created.group.id}"
    return _answer(response, created)


@router.get("/given", summary="See what your groups were given lately")
def list_given(call: Reading, limit: Limit = 50) -> GivenToGroupsOut:
    """Levels on data and roles in projects that you have by being in a group, All among them; the latest first."""
    return GivenToGroupsOut.of(groups.list_given(call.session, call.caller, limit=limit))


@router.get("/{group_id}", summary="Look at a group")
def get_group(call: Reading, group_id: UUID, response: Response) -> GroupOut:
    return _answer(response, groups.get_group(call.session, call.caller, group_id))


@router.patch("/{group_id}", summary="Edit a group's name and description")
def edit_group(
    call: Changing, group_id: UUID, body: GroupChange, response: Response, if_match: IfMatch = None
) -> GroupOut:
    return _answer(response, groups.edit_group(call.session, call.caller, group_id, body.changes(), if_match=if_match))


@router.delete("/{group_id}", summary="Delete a group")
def delete_group(
    call: Changing,
    group_id: UUID,
    confirm: Annotated[
        str | None, Query(max_length=200, description="The group's name; needed when it was granted something.")
    ] = None,
    if_match: IfMatch = None,
) -> GroupGrantsOut:
    """Answers with the grants that fell away. Without the confirmation it needs, 409 lists them instead."""
    return GroupGrantsOut(
        items=groups.delete_group(call.session, call.caller, group_id, confirm=confirm, if_match=if_match)
    )


@router.get("/{group_id}/grants", summary="See what a group was granted")
def list_group_grants(call: Reading, group_id: UUID) -> GroupGrantsOut:
    """Everybody in it has that; it would fall away with the group. For tenant owners and admins, of All too."""
    return GroupGrantsOut(items=groups.list_group_grants(call.session, call.caller, group_id))


@router.get("/{group_id}/members", summary="List who is in a group, by name")
def list_group_members(
    call: Reading,
    group_id: UUID,
    search: Annotated[Search, Query(description="Part of a name; for owners and admins, or of an address.")] = None,
    sort: Sort = "name",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> PeopleOut:
    """For the group's members, and for tenant owners and admins."""
    page = groups.list_group_members(
        call.session, call.caller, group_id, search=search, sort=sort, cursor=cursor, limit=limit
    )
    return PeopleOut.of(page)


@router.post("/{group_id}/members", summary="Put members into a group")
def add_to_group(call: Changing, group_id: UUID, body: GroupMembersChange) -> AddedOut:
    """Active and invited ones; who is in it already stays."""
    return AddedOut(added=groups.add_to_group(call.session, call.caller, group_id, body.member_ids))


@router.post("/{group_id}/members/remove", summary="Take several members out of a group")
def remove_from_group(call: Changing, group_id: UUID, body: GroupMembersChange) -> RemovedOut:
    return RemovedOut(removed=groups.remove_from_group(call.session, call.caller, group_id, body.member_ids))


@router.delete("/{group_id}/members/{member_id}", summary="Take one member out of a group", status_code=204)
def remove_one_from_group(call: Changing, group_id: UUID, member_id: UUID) -> None:
    groups.remove_one_from_group(call.session, call.caller, group_id, member_id)


def _answer(response: Response, seen: groups.SeenGroup) -> GroupOut:
    tag(response, seen.group.version)
    return GroupOut.of(seen)
