"""Levels on layers, tables and volumes: given, changed and taken by Managers, and those of Managers by admins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, delete, exists, or_, select
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision, require
from bailiwick.access.roles import is_tenant_admin
from bailiwick.access.tables.lakehouse.levels import MANAGER
from bailiwick.access.world.placing import Placed
from bailiwick.audit import service as audit
from bailiwick.database.base import utc_now
from bailiwick.database.listing import OLDEST, Order, has_in_name, page_merged
from bailiwick.database.locks import LOCKED
from bailiwick.database.paging import Page
from bailiwick.errors import Conflict, Invalid, NotFound
from bailiwick.lakehouse.models import Grant, Layer, Table, Volume
from bailiwick.lakehouse.names import name_of
from bailiwick.lakehouse.standing import holds_now
from bailiwick.lakehouse.targets import (
    Kind,
    Target,
    find_target,
    granted_on,
    granted_on_layer_of,
    kind_of,
    layer_of,
)
from bailiwick.tenancy import directory
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.expiry import AS_IT_IS, require_ahead
from bailiwick.tenancy.models import Group, Member, MemberState
from bailiwick.tenancy.tenant import data_grants_refused
from bailiwick.tenancy.versions import require_unchanged

MANAGE, MANAGE_MANAGERS = "Manage users (Viewer, Editor)", "Manage users (Manager)"
HOLDING = (MemberState.INVITED, MemberState.ACTIVE, MemberState.SUSPENDED)


@dataclass(frozen=True)
class SeenGrant:
    """A level, who holds it, on what it was given, and what the caller may do with it."""

    grant: Grant
    holder: Member | Group
    on: Kind
    granted_by: Member | None
    actions: Sequence[str]
    with_address: bool  # whether the caller sees more of the holder than the name


@dataclass(frozen=True)
class Grants:
    """The levels that were given, and where others have theirs from."""

    page: Page[SeenGrant]
    note: str


def list_grants(
    session: Session,
    caller: Caller,
    kind: Kind,
    id_: UUID,
    *,
    member: str | None = None,
    search: str | None = None,
    sort: str = OLDEST,
    cursor: str | None = None,
    limit: int = 50,
) -> Grants:
    """Who was given a level on it, or on its layer, the latest last; for those who may hand them out.

    On Starter everybody manages all data, so that grants, which sleep, are for owners and admins to look at."""
    target, placed = find_target(session, caller, kind, id_)
    require(placed.check(caller.id, MANAGE))
    refused = data_grants_refused(session)
    if refused and not is_tenant_admin(caller.member.tenant_role):
        return Grants(Page([]), refused)
    filters = [holds_now()]
    if member is not None:  # exactly whom they name, as when a level is given
        filters.append(Grant.member_id.in_(select(Member.id).where(_named(member))))
    if search:
        somebody = exists().where(Member.id == Grant.member_id, directory.fits_as_seen(session, caller, search))
        group = exists().where(Group.id == Grant.group_id, has_in_name(Group.name, search))
        filters.append(or_(somebody, group))
    ways = [(Grant, granted_on(target)), (Grant, granted_on_layer_of(target))]
    page = page_merged(session, Grant, Order(sort), cursor, limit, ways, lambda _: filters)
    note = refused or "Tenant owners and admins reach everything, without a grant."
    return Grants(Page(_seen(session, caller, target, placed, page.items), page.next_cursor), note)


def give_level(
    session: Session,
    caller: Caller,
    kind: Kind,
    id_: UUID,
    *,
    member: str | None,
    group: UUID | None,
    level: str,
    expires_at: datetime | None,
) -> SeenGrant:
    """Give a level to a member or a group that holds none here."""
    target, placed = find_target(session, caller, kind, id_)
    decision = _decided(session, caller, placed, level)
    holder = _find_holder(session, member, group)
    require_ahead(expires_at)
    grant = _of(session, target, holder)
    if grant is not None and (grant.expires_at is None or grant.expires_at > utc_now()):
        raise Conflict(f"{holder.name} holds {grant.level} here already. Change that level instead.", level=grant.level)
    if grant is not None:  # it has ended, and nobody has swept it up yet
        _record_end(session, grant, target, holder)
    else:
        grant = Grant(layer_id=layer_of(target), level=level)
        setattr(grant, "member_id" if isinstance(holder, Member) else "group_id", holder.id)
        if kind != "layer":
            setattr(grant, f"{kind}_id", target.id)
        session.add(grant)
    grant.level, grant.expires_at, grant.granted_by_id, grant.granted_at = (
        level,
        expires_at,
        caller.member.id,
        utc_now(),
    )
    session.flush()
    _record(session, caller, "give_level", target, holder, decision, None, _said_of(grant, holder))
    return _one(session, caller, target, placed, grant)


def change_level(
    session: Session,
    caller: Caller,
    kind: Kind,
    id_: UUID,
    grant_id: UUID,
    *,
    level: str | None = None,
    expires_at: datetime | None = AS_IT_IS,
    if_match: str | None = None,
) -> SeenGrant:
    """Another level, or another end; what is or becomes Manager is for admins and owners."""
    target, placed = find_target(session, caller, kind, id_)
    grant, holder = _find(session, caller, target, placed, grant_id)
    decision = _decided(session, caller, placed, grant.level, level or grant.level)
    require_unchanged(if_match, grant.version, "level")
    if expires_at is not AS_IT_IS:
        require_ahead(expires_at)
    before = _said_of(grant, holder)
    grant.level = level or grant.level
    grant.expires_at = grant.expires_at if expires_at is AS_IT_IS else expires_at
    after = _said_of(grant, holder)
    if after != before:
        grant.granted_by_id, grant.granted_at = caller.member.id, utc_now()
        session.flush()
        _record(session, caller, "change_level", target, holder, decision, before, after)
    return _one(session, caller, target, placed, grant)


def take_level(
    session: Session, caller: Caller, kind: Kind, id_: UUID, grant_id: UUID, *, if_match: str | None = None
) -> None:
    """Take a level away; what reaches its holder from elsewhere stays."""
    target, placed = find_target(session, caller, kind, id_)
    grant, holder = _find(session, caller, target, placed, grant_id)
    decision = _decided(session, caller, placed, grant.level)
    require_unchanged(if_match, grant.version, "level")
    before = _said_of(grant, holder)
    session.delete(grant)
    session.flush()
    _record(session, caller, "take_level", target, holder, decision, before, None)


def drop_expired(session: Session) -> int:
    """Remove grants that have had no effect since they expired, and put on record that they have ended."""
    gone = session.scalars(delete(Grant).where(Grant.expires_at <= utc_now()).returning(Grant)).all()
    for grant in gone:
        target, holder = _target_of(session, grant), _holder_of(session, grant)
        if target is not None and holder is not None:  # or it is deleted at this moment, with whatever was given on it
            _record_end(session, grant, target, holder)
    return len(gone)


def _decided(session: Session, caller: Caller, placed: Placed, *levels: str) -> Decision:
    """Whoever may hand out these levels. On Starter nobody can: the right may be there, the plan is not."""
    action = MANAGE_MANAGERS if MANAGER in levels else MANAGE
    decision = require(placed.check(caller.id, action))
    if refused := data_grants_refused(session):
        raise Conflict(refused)
    return decision


def _find(
    session: Session, caller: Caller, target: Target, placed: Placed, grant_id: UUID
) -> tuple[Grant, Member | Group]:
    """A grant on this very thing, for who may know of it; locked, so that it is judged as it is."""
    require(placed.check(caller.id, MANAGE))
    found = select(Grant).where(Grant.id == grant_id, granted_on(target), holds_now()).with_for_update(**LOCKED)
    grant = session.scalars(found.execution_options(populate_existing=True)).one_or_none()
    if grant is None:
        raise NotFound("level")
    holder = _holder_of(session, grant)
    assert holder is not None
    return grant, holder


def _holder_of(session: Session, grant: Grant) -> Member | Group | None:
    return session.get(Member, grant.member_id) if grant.member_id else session.get(Group, grant.group_id)


def _target_of(session: Session, grant: Grant) -> Target | None:
    if grant.table_id:
        return session.get(Table, grant.table_id)
    return session.get(Volume, grant.volume_id) if grant.volume_id else session.get(Layer, grant.layer_id)


def _find_holder(session: Session, member: str | None, group: UUID | None) -> Member | Group:
    """Exactly whom the caller names: a member by id or e-mail address, a group by id. Who does not see the directory
    can so give a level to somebody whose address they know, and learns of nobody else."""
    if (member is None) == (group is None):
        raise Invalid("member", "A level is for one member or one group.", "Give `member` or `group`.")
    if group is not None:
        found = session.get(Group, group)
        if found is None:
            raise Invalid("group", "There is no such group.", "Take the id from the list of groups.")
        return found
    assert member is not None
    # Locked, so that they are not removed meanwhile: the level would be theirs again should they return.
    holder = session.scalars(
        select(Member).where(_named(member), Member.state.in_(HOLDING)).with_for_update(**LOCKED)
    ).one_or_none()
    if holder is None:
        raise Invalid("member", "There is no such member.", "Give the id or the whole e-mail address of a member.")
    return holder


def _named(member: str) -> ColumnElement[bool]:
    return Member.email == member.strip().lower() if "@" in member else Member.id == _as_id(member)


def _as_id(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _of(session: Session, target: Target, holder: Member | Group) -> Grant | None:
    theirs = Grant.member_id == holder.id if isinstance(holder, Member) else Grant.group_id == holder.id
    return session.scalars(select(Grant).where(granted_on(target), theirs).with_for_update(**LOCKED)).one_or_none()


def _seen(session: Session, caller: Caller, target: Target, placed: Placed, grants: Sequence[Grant]) -> list[SeenGrant]:
    members = {id_ for grant in grants for id_ in (grant.member_id, grant.granted_by_id) if id_}
    groups = {grant.group_id for grant in grants if grant.group_id}
    holders: dict[UUID | None, Member | Group] = {
        **{member.id: member for member in session.scalars(select(Member).where(Member.id.in_(members)))},
        **{group.id: group for group in session.scalars(select(Group).where(Group.id.in_(groups)))},
    }
    held_by = [member for grant in grants if isinstance(member := holders.get(grant.member_id), Member)]
    known = {one.member.id for one in directory.seen(session, caller, held_by) if "see" in one.actions}
    found = []
    for grant in grants:
        on: Kind = "table" if grant.table_id else "volume" if grant.volume_id else "layer"
        action = MANAGE_MANAGERS if grant.level == MANAGER else MANAGE
        may = on == kind_of(target) and placed.allows(caller.id, action) and not data_grants_refused(session)
        giver = holders.get(grant.granted_by_id)
        assert giver is None or isinstance(giver, Member)
        actions = ("change", "take") if may else ()
        holder = holders[grant.member_id or grant.group_id]
        found.append(SeenGrant(grant, holder, on, giver, actions, with_address=holder.id in known))
    return found


def _one(session: Session, caller: Caller, target: Target, placed: Placed, grant: Grant) -> SeenGrant:
    (only,) = _seen(session, caller, target, placed, [grant])
    return only


def _said_of(grant: Grant, holder: Member | Group) -> dict[str, Any]:
    return {
        "member" if isinstance(holder, Member) else "group": holder.name,
        "level": grant.level,
        "expires_at": grant.expires_at.isoformat() if grant.expires_at else None,
    }


def _record(
    session: Session,
    caller: Caller,
    action: str,
    target: Target,
    holder: Member | Group,
    decision: Decision,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
) -> None:
    caller.record(
        session,
        action,
        kind_of(target),
        resource_id=target.id,
        resource_name=name_of(session, target),
        before=before,
        after=after,
        decision=decision,
        about_id=holder.id if isinstance(holder, Member) else None,
    )


def _record_end(session: Session, grant: Grant, target: Target, holder: Member | Group) -> None:
    """Nobody took it: its time was over. Whoever held it reads so."""
    audit.record(
        session,
        action="end_level",
        resource_type=kind_of(target),
        resource_id=target.id,
        resource_name=name_of(session, target),
        before=_said_of(grant, holder),
        about_id=holder.id if isinstance(holder, Member) else None,
    )
