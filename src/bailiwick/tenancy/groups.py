"""Groups: names for everybody, who is in them for their members and for owners and admins, who also change them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision, require, slug
from bailiwick.database.listing import BY_NAME, has_in_name, page_by_name
from bailiwick.database.locks import LOCKED, TO_DELETE, hold
from bailiwick.database.names import namesakes
from bailiwick.database.paging import Page
from bailiwick.errors import Conflict, Invalid, NotFound
from bailiwick.tenancy import areas
from bailiwick.tenancy.caller import ALL_GROUP_ID, Caller
from bailiwick.tenancy.directory import HERE, SeenMember, fits_as_seen, seen
from bailiwick.tenancy.models import Group, GroupMembership, Member, MemberState
from bailiwick.tenancy.standing import on_group
from bailiwick.tenancy.versions import require_unchanged

JOINABLE = (MemberState.INVITED, MemberState.ACTIVE)
MANY = 500  # from here on it is cheaper to look at everyone than to name them


@dataclass(frozen=True)
class SeenGroup:
    """A group, what the caller may do with it, and its size if they may look into it."""

    group: Group
    actions: Sequence[str]
    size: int | None


def list_groups(
    session: Session,
    caller: Caller,
    *,
    search: str | None = None,
    sort: str = BY_NAME,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[SeenGroup]:
    require(caller.on_tenant("See groups"))
    filters = [has_in_name(Group.name, search)] if search else []
    page = page_by_name(session, Group, cursor, limit, *filters, sort=sort)
    return Page(_seen(session, caller, page.items), page.next_cursor)


def get_group(session: Session, caller: Caller, group_id: UUID) -> SeenGroup:
    group, _ = _decided(session, caller, group_id, "See")
    return _one(session, caller, group)


def list_group_members(
    session: Session,
    caller: Caller,
    group_id: UUID,
    *,
    search: str | None = None,
    sort: str = BY_NAME,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[SeenMember]:
    """Who is in it, by name."""
    group, _ = _decided(session, caller, group_id, "See who is in it")
    listed = select(GroupMembership.member_id).where(GroupMembership.group_id == group.id)
    inside = Member.state.in_(HERE) if group.is_all else Member.id.in_(listed)
    filters = [inside, *([fits_as_seen(session, caller, search)] if search else [])]
    page = page_by_name(session, Member, cursor, limit, *filters, sort=sort)
    return Page(seen(session, caller, page.items), page.next_cursor)


def list_group_grants(session: Session, caller: Caller, group_id: UUID) -> list[dict[str, Any]]:
    """What everybody in it has by it, and would fall away with it: for those who look after groups. Nobody deletes
    All, and what it was granted is theirs to know all the more."""
    group, _ = _decided(session, caller, group_id, "See")
    require(caller.on_tenant("Create groups"))
    return areas.grants_of(session, group)


@dataclass(frozen=True)
class GivenToGroup:
    """What a group of the caller's was given, by whom, if they are still known."""

    given: areas.Given
    group: Group
    by: Member | None


def list_given(session: Session, caller: Caller, *, limit: int = 50) -> list[GivenToGroup]:
    """The latest of what the caller has by being in a group, All among them."""
    given = areas.given_lately(session, [*caller.groups, ALL_GROUP_ID], limit)
    groups = {group.id: group for group in session.scalars(select(Group).where(Group.id.in_(caller.groups)))}
    groups[ALL_GROUP_ID] = session.get_one(Group, ALL_GROUP_ID)
    by = select(Member).where(Member.id.in_({one.by_id for one in given if one.by_id}))
    people = {member.id: member for member in session.scalars(by)}
    return [GivenToGroup(one, groups[one.group_id], people.get(one.by_id) if one.by_id else None) for one in given]


def create_group(session: Session, caller: Caller, name: str, description: str) -> SeenGroup:
    decision = require(caller.on_tenant("Create groups"))
    _name_is_free(session, name)
    group = Group(name=name, description=description)
    session.add(group)
    session.flush()
    _record(session, caller, "create_group", group, decision, None, _said_of(group))
    return _one(session, caller, group)


def edit_group(
    session: Session, caller: Caller, group_id: UUID, changes: dict[str, str], *, if_match: str | None
) -> SeenGroup:
    group, decision = _decided(session, caller, group_id, "Edit")
    require_unchanged(if_match, group.version, "group")
    before = _said_of(group)
    if {**before, **changes} != before:
        if "name" in changes:
            _name_is_free(session, changes["name"], group)
        for field, value in changes.items():
            setattr(group, field, value)
        session.flush()
        _record(session, caller, "edit_group", group, decision, before, _said_of(group))
    return _one(session, caller, group)


def delete_group(
    session: Session, caller: Caller, group_id: UUID, *, confirm: str | None, if_match: str | None
) -> list[dict[str, Any]]:
    """Delete a group with what it was granted; where there is any, only if its name is given in confirmation."""
    group, decision = _decided(session, caller, group_id, "Delete")
    hold(session, Group, group.id, TO_DELETE, "group")  # nothing is granted to it between this look and its end
    require_unchanged(if_match, group.version, "group")
    grants = areas.grants_of(session, group)
    if grants and confirm != group.name:
        raise Conflict(
            f"The group {group.name} holds {len(grants)} grant{'s' if len(grants) > 1 else ''}, which would fall away "
            f"with it. To delete it all the same, repeat with ?confirm= and the group's name.",
            grants=grants,
        )
    inside = list(session.scalars(select(GroupMembership.member_id).where(GroupMembership.group_id == group.id)))
    before = {**_said_of(group), "members": [str(id_) for id_ in inside[:MANY]], "size": len(inside), "grants": grants}
    session.delete(group)
    session.flush()
    _record(session, caller, "delete_group", group, decision, before, None)
    _tell_roles_changed(session, inside)
    return grants


def add_to_group(session: Session, caller: Caller, group_id: UUID, member_ids: Collection[UUID]) -> list[UUID]:
    """Put members into a group; who is in it already stays. Returns who is new to it."""
    group, decision = _decided(session, caller, group_id, "Edit")
    # Locked, so that nobody is removed meanwhile: they would come back with this group one day.
    named = select(Member).where(Member.id.in_(member_ids)).order_by(Member.id).with_for_update(**LOCKED)
    members = session.scalars(named.execution_options(populate_existing=True)).all()
    unknown = sorted(set(member_ids) - {member.id for member in members})
    if unknown:
        listed = ", ".join(map(str, unknown[:10]))
        raise Invalid("member_ids", f"There are no such members: {listed}.", "Take ids from the directory.")
    outside = [member for member in members if member.state not in JOINABLE]
    if outside:
        listed = ", ".join(f"{member.name} ({member.state})" for member in outside[:10])
        raise Conflict(f"Only active and invited members can be in a group. Leave out: {listed}.")
    inside = _inside(session, group, member_ids)
    new = sorted((member for member in members if member.id not in inside), key=lambda member: member.id)
    for member in new:
        session.add(GroupMembership(group_id=group.id, member_id=member.id))
        after = {"group": group.name, "member": member.name}
        _record(session, caller, "add_to_group", group, decision, None, after, about_id=member.id)
    session.flush()
    _tell_roles_changed(session, [member.id for member in new])
    return [member.id for member in new]


def remove_from_group(session: Session, caller: Caller, group_id: UUID, member_ids: Collection[UUID]) -> list[UUID]:
    """Take members out of a group. Returns who was in it."""
    group, decision = _decided(session, caller, group_id, "Edit")
    inside = sorted(_inside(session, group, member_ids))
    names = dict(session.execute(select(Member.id, Member.name).where(Member.id.in_(inside))).all())
    for id_ in inside:
        before = {"group": group.name, "member": names[id_]}
        _record(session, caller, "remove_from_group", group, decision, before, None, about_id=id_)
    session.execute(
        delete(GroupMembership).where(GroupMembership.group_id == group.id, GroupMembership.member_id.in_(inside))
    )
    _tell_roles_changed(session, inside)
    return inside


def remove_one_from_group(session: Session, caller: Caller, group_id: UUID, member_id: UUID) -> None:
    if not remove_from_group(session, caller, group_id, [member_id]):
        raise NotFound("member of this group")


def _decided(session: Session, caller: Caller, group_id: UUID, action: str) -> tuple[Group, Decision]:
    group = session.get(Group, group_id)
    if group is None:
        raise NotFound("group")
    return group, require(on_group(caller, group).check(caller.id, action))


def _seen(session: Session, caller: Caller, groups: Sequence[Group]) -> list[SeenGroup]:
    actions = {group.id: on_group(caller, group).actions(caller.id) for group in groups}
    open_ = [group for group in groups if "See who is in it" in actions[group.id]]
    counted = select(GroupMembership.group_id, func.count()).group_by(GroupMembership.group_id)
    listed = session.execute(counted.where(GroupMembership.group_id.in_([group.id for group in open_]))).all()
    sizes = {**{group.id: 0 for group in open_}, **dict(listed)}
    for group in open_:
        if group.is_all:
            sizes[group.id] = session.scalar(select(func.count()).where(Member.state.in_(HERE))) or 0
    return [SeenGroup(group, tuple(map(slug, actions[group.id])), sizes.get(group.id)) for group in groups]


def _one(session: Session, caller: Caller, group: Group) -> SeenGroup:
    (only,) = _seen(session, caller, [group])
    return only


def _inside(session: Session, group: Group, member_ids: Collection[UUID]) -> set[UUID]:
    listed = select(GroupMembership.member_id).where(
        GroupMembership.group_id == group.id, GroupMembership.member_id.in_(member_ids)
    )
    return set(session.scalars(listed))


def _name_is_free(session: Session, name: str, group: Group | None = None) -> None:
    """“finance” beside “Finance”, or “all” beside All, would be granted things by mistake."""
    taken = [other for other in namesakes(session, Group, name) if other is not group]
    if taken:
        raise Conflict(f"There is a group called {taken[0].name} already. Choose another name.")


def _said_of(group: Group) -> dict[str, Any]:
    return {"name": group.name, "description": group.description}


def _tell_roles_changed(session: Session, members: Sequence[UUID]) -> None:
    if members:
        areas.tell_roles_changed(session, None if len(members) > MANY else members)


def _record(
    session: Session,
    caller: Caller,
    action: str,
    group: Group,
    decision: Decision,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
    about_id: UUID | None = None,
) -> None:
    caller.record(
        session,
        action,
        "group",
        resource_id=group.id,
        resource_name=group.name,
        before=before,
        after=after,
        decision=decision,
        about_id=about_id,
    )
