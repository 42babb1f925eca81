"""Where the caller's level on a layer, table or volume comes from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from bailiwick.access.decision import slug
from bailiwick.access.roles import lakehouse_standing
from bailiwick.access.tables.lakehouse.levels import LEVELS, MANAGER, VIEWER
from bailiwick.lakehouse.models import Grant, Layer
from bailiwick.lakehouse.standing import level_of, on_layer_itself, reaches
from bailiwick.lakehouse.targets import Kind, Target, find_target, granted_on, granted_on_layer_of
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Group
from bailiwick.tenancy.standing import the_tenant


@dataclass(frozen=True)
class LevelOrigin:
    """One source of a level: a grant on it, on its layer or on something in it, the plan, or the tenant role."""

    level: str
    source: str  # "layer", "table", "volume", "below", "plan", "tenant role"
    group: Group | None = None  # through which a grant reached the caller
    expires_at: datetime | None = None


@dataclass(frozen=True)
class Access:
    """The caller towards one thing: their level, how they stand, where that comes from, and what they may do."""

    level: str
    standing: str
    origins: Sequence[LevelOrigin]
    actions: Sequence[str]


def my_access(session: Session, caller: Caller, kind: Kind, id_: UUID) -> Access:
    target, placed = find_target(session, caller, kind, id_)
    standing = lakehouse_standing(caller.member.tenant_role)
    origins = sorted(_origins(session, caller, target, standing), key=lambda one: -_height(one))
    actions = tuple(map(slug, placed.actions(caller.id)))
    return Access(level_of(placed, caller.id), standing, origins, actions)


def _origins(session: Session, caller: Caller, target: Target, standing: str) -> Iterator[LevelOrigin]:
    if standing != "Member":
        yield LevelOrigin(standing, "tenant role")
    if the_tenant(session).plan == "starter":  # grants sleep
        yield LevelOrigin(MANAGER, "plan")
        return
    found = select(Grant).where(or_(granted_on(target), granted_on_layer_of(target)), reaches(caller))
    grants = session.scalars(found).all()
    held = {grant.group_id for grant in grants if grant.group_id}
    groups = {group.id: group for group in session.scalars(select(Group).where(Group.id.in_(held)))}
    for grant in grants:
        source = "table" if grant.table_id else "volume" if grant.volume_id else "layer"
        yield LevelOrigin(grant.level, source, groups[grant.group_id] if grant.group_id else None, grant.expires_at)
    if isinstance(target, Layer):
        below = select(Grant.id).where(Grant.layer_id == target.id, ~on_layer_itself(), reaches(caller)).limit(1)
        if session.scalars(below).first() is not None:
            yield LevelOrigin(VIEWER, "below")


def _height(origin: LevelOrigin) -> int:
    return LEVELS.index(origin.level) if origin.level in LEVELS else len(LEVELS)
