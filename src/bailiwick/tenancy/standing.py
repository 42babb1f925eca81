"""Members as the access core sees them, and decisions about people and groups."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from bailiwick.access.world import records
from bailiwick.access.world.people import World
from bailiwick.access.world.placing import Placed, place
from bailiwick.tenancy import areas
from bailiwick.tenancy.caller import Caller, holder
from bailiwick.tenancy.models import Group, GroupMembership, Member, MemberState, Tenant


def the_tenant(session: Session) -> Tenant:
    tenant = session.get_one(Tenant, 1)
    session.info["tenant"] = tenant  # a session forgets what nobody holds, and would read it at every question
    return tenant


def standing_of(session: Session, members: Collection[Member], *, as_if_active: bool = False) -> list[records.Member]:
    """Members with their groups, read together. As if active, the roles of whoever is not count like anybody's."""
    groups: dict[UUID, set[str]] = {member.id: set() for member in members}
    listed = select(GroupMembership).where(GroupMembership.member_id.in_(list(groups)))
    for membership in session.scalars(listed):
        groups[membership.member_id].add(holder(membership.group_id))
    return [
        records.Member(
            str(member.id),
            member.tenant_role,
            member.security_roles,
            frozenset(groups[member.id]),
            active=as_if_active or member.state == MemberState.ACTIVE,
        )
        for member in members
    ]


def world_around(session: Session, standings: Iterable[records.Member]) -> World:
    """Just these members, with the tenant and the projects that give them a role."""
    people = list(standings)
    tenant = the_tenant(session)
    projects = [project for read in areas.read_projects for project in read(session, people)]
    return World(people, records.Tenant(tenant.plan, tenant.reading_needs_only_viewer), projects)


def on_member(session: Session, caller: Caller, member: Member) -> Placed:
    """What the caller may do with another member, or with themselves: ask the answer for the caller's id.

    An inactive member's roles count as if they were active: a suspended owner is still out of an admin's reach."""
    (target,) = standing_of(session, [member], as_if_active=True)
    world = world_around(session, [caller.standing] if target.id == caller.id else [caller.standing, target])
    return place(world, target)


def on_group(caller: Caller, group: Group) -> Placed:
    return place(World([caller.standing]), records.Group(holder(group.id), is_all=group.is_all))
