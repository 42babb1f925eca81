"""Looking at people: the directory for owners and admins, one member for whoever may see them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from bailiwick.access.decision import require, slug
from bailiwick.access.roles import is_tenant_admin
from bailiwick.access.world import records
from bailiwick.access.world.people import World
from bailiwick.access.world.placing import Placed, place
from bailiwick.database.listing import BY_NAME, has_in_name, has_in_small, page_by_name
from bailiwick.database.paging import Page
from bailiwick.errors import NotFound
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Group, GroupMembership, Member, MemberState
from bailiwick.tenancy.standing import on_member, standing_of, world_around

# Who counts as being here: not whoever still waits for confirmation, nor whoever left.
HERE = (MemberState.INVITED, MemberState.ACTIVE, MemberState.SUSPENDED)
SEE_MEMBERS = "See members"
FEW = 500  # who fit a search are told one by one


@dataclass(frozen=True)
class SeenMember:
    """A member and what the caller may do with them."""

    member: Member
    actions: Sequence[str]


@dataclass(frozen=True)
class MemberDetail(SeenMember):
    """One member looked at closely, with those of their groups that the caller may look into."""

    groups: Sequence[Group]
    invited_by: Member | None


@dataclass(frozen=True)
class InvitedMember(MemberDetail):
    """A member who was sent their link to join: the link, if whoever sent it sees it, and what became of it."""

    link: str | None
    said: str


def list_members(
    session: Session,
    caller: Caller,
    *,
    search: str | None = None,
    state: MemberState | None = None,
    tenant_role: str | None = None,
    sort: str = BY_NAME,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[SeenMember]:
    """The directory, by name. Who was removed is listed only when asked for."""
    require(caller.on_tenant(SEE_MEMBERS))
    filters = [Member.state == state if state else Member.state != MemberState.REMOVED]
    if tenant_role:
        filters.append(Member.tenant_role == tenant_role)
    if search:
        filters.append(fits(session, search))
    page = page_by_name(session, Member, cursor, limit, *filters, sort=sort)
    return Page(seen(session, caller, page.items), page.next_cursor)


def fits(session: Session, search: str) -> ColumnElement[bool]:
    """Whether a member's name or address contains it. Where few do, they are looked up first, along an index that holds
    nothing else; where many do, a list has a page of them soon, whatever its order."""
    contains = has_in_small(Member.sought, search)
    few = session.scalars(select(Member.id).where(contains).order_by(Member.sought).limit(FEW + 1)).all()
    return contains if len(few) > FEW else Member.id.in_(few)


def fits_as_seen(session: Session, caller: Caller, search: str) -> ColumnElement[bool]:
    """The same for lists that tell not everybody's address: those are found by it who see everybody's."""
    return fits(session, search) if sees_everybody(caller) else has_in_name(Member.name, search)


def sees_everybody(caller: Caller) -> bool:
    return caller.on_tenant(SEE_MEMBERS).allowed


def count_members(session: Session, caller: Caller) -> dict[str, int]:
    """How many members there are in each state."""
    require(caller.on_tenant(SEE_MEMBERS))
    counted = session.execute(select(Member.state, func.count()).group_by(Member.state))
    return {**dict.fromkeys(map(str, MemberState), 0), **dict(counted.all())}


def get_member(session: Session, caller: Caller, member_id: UUID) -> MemberDetail:
    member, _ = find_member(session, caller, member_id)
    return detail(session, caller, member)


def find_member(session: Session, caller: Caller, member_id: UUID) -> tuple[Member, Placed]:
    """A member the caller may see, to decide about; everybody else does not exist for them."""
    member = session.get(Member, member_id)
    if member is None:
        raise NotFound("member")
    placed = _placed(session, caller, member)
    require(placed.check(caller.id, "See"))
    return member, placed


def detail(session: Session, caller: Caller, member: Member) -> MemberDetail:
    """The answer after looking and after every change: as things are now."""
    session.flush()
    actions = _slugs(_placed(session, caller, member), caller)
    everybody_is_seen = sees_everybody(caller)
    groups = select(Group).join(GroupMembership).where(GroupMembership.member_id == member.id)
    if not everybody_is_seen and member.id != caller.member.id:
        groups = groups.where(Group.id.in_(caller.groups))
    inviter = session.get(Member, member.invited_by_id) if everybody_is_seen and member.invited_by_id else None
    return MemberDetail(member, actions, session.scalars(groups.order_by(Group.name)).all(), inviter)


def seen(session: Session, caller: Caller, members: Sequence[Member]) -> list[SeenMember]:
    """Many members at once, each with the caller's actions."""
    if not members:
        return []
    if is_tenant_admin(caller.member.tenant_role):
        actions = _by_tenant_role(caller, members)
    else:
        actions = _by_everything(session, caller, members)
    return [SeenMember(member, actions[member.id]) for member in members]


def _by_tenant_role(caller: Caller, members: Sequence[Member]) -> Mapping[UUID, Sequence[str]]:
    """Owners and admins are Admin of every project and cover every security role, so that neither can put anybody out
    of their reach: what they may do follows from the two tenant roles."""
    by_role: dict[str, Sequence[str]] = {}
    for role in {member.tenant_role for member in members}:
        somebody = records.Member("somebody", role)
        by_role[role] = _slugs(place(World([caller.standing, somebody]), somebody), caller)
    oneself = _slugs(place(World([caller.standing]), caller.standing), caller)
    return {m.id: oneself if m.id == caller.member.id else by_role[m.tenant_role] for m in members}


def _by_everything(session: Session, caller: Caller, members: Sequence[Member]) -> Mapping[UUID, Sequence[str]]:
    """What `on_member` says of each, with everything it takes read once."""
    targets = standing_of(session, members, as_if_active=True)
    around = world_around(session, [caller.standing, *targets])
    found = {}
    for member, target in zip(members, targets, strict=True):
        if member.state == MemberState.REMOVED:
            found[member.id] = _slugs(_placed(session, caller, member), caller)
            continue
        pair = [caller.standing] if target.id == caller.id else [caller.standing, target]
        found[member.id] = _slugs(place(World(pair, around.tenant, around.projects.values()), target), caller)
    return found


def _placed(session: Session, caller: Caller, member: Member) -> Placed:
    if member.state == MemberState.REMOVED:
        # Out of every project, even of those where the group All has a role: seen by owners and admins alone.
        return place(World([caller.standing]), records.Member(str(member.id)))
    return on_member(session, caller, member)


def _slugs(placed: Placed, caller: Caller) -> tuple[str, ...]:
    return tuple(slug(action) for action in placed.actions(caller.id))
