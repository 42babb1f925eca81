"""Who asked, for whoever decides: what they hold there now and who they are, as far as the decider may know.

Levels that a group brings count only where the decider sees into the group, as when they ask what a level would bring:
otherwise the answer would tell who is in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from bailiwick.access.roles import is_tenant_admin
from bailiwick.access.world.people import World
from bailiwick.access.world.placing import place
from bailiwick.lakehouse.models import Grant, Layer
from bailiwick.lakehouse.standing import AS_IT_IS, Known, Supposed, holds_now, level_of, tenant_of
from bailiwick.lakehouse.targets import Target, granted_on, layer_of
from bailiwick.projects.models import Project
from bailiwick.projects.roles import in_project
from bailiwick.requests.about import About
from bailiwick.tenancy import directory
from bailiwick.tenancy.caller import ALL_GROUP_ID, Caller
from bailiwick.tenancy.models import Group, Member
from bailiwick.tenancy.standing import standing_of


@dataclass(frozen=True)
class RequesterStanding:
    """The requester towards what they ask for, before anybody decides."""

    has: str  # a level or a role, from wherever it comes
    granted: str | None  # what they were given there themselves: what is given now takes its place
    granted_until: datetime | None
    tenant_role: str | None  # none: not for the decider to know
    groups: Sequence[Group]


def standing_towards(session: Session, caller: Caller, about: About, requester: Member) -> RequesterStanding:
    detail = directory.detail(session, caller, requester)
    tenant_role = requester.tenant_role if "see" in detail.actions else None
    if isinstance(about, Project):
        (found,) = in_project(session, about, [requester])
        own, until = (found.grant.role, found.grant.expires_at) if found.grant else (None, None)
        return RequesterStanding(found.role, own, until, tenant_role, detail.groups)
    theirs = select(Grant).where(granted_on(about), Grant.member_id == requester.id, holds_now())
    grant = session.scalars(theirs).one_or_none()
    own, until = (grant.level, grant.expires_at) if grant else (None, None)
    return RequesterStanding(_level(session, caller, about, requester), own, until, tenant_role, detail.groups)


def _level(session: Session, caller: Caller, target: Target, requester: Member) -> str:
    """Their level as far as the caller knows of it; on a layer, what they hold of it as a whole."""
    known = AS_IT_IS
    if not is_tenant_admin(caller.member.tenant_role):
        known = Supposed(known_groups=caller.groups | {ALL_GROUP_ID}, in_layers=frozenset([layer_of(target)]))
    (person,) = standing_of(session, [requester])
    if isinstance(target, Layer):
        record = Known(session, [person], layers=[target.id], supposed=known).layer(target.id)
        placed = place(World([person], tenant_of(session)), record)
    else:
        thing = Known(session, [person], [target], supposed=known).thing(target.id)
        placed = place(World([person], tenant_of(session)), thing)
    return level_of(placed, person.id)
