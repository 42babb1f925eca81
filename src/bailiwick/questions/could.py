"""Who could do something at all, for the database to tell: most of those who cannot need no decision."""

from __future__ import annotations

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session

from bailiwick.access.roles import TENANT_ROLES
from bailiwick.access.world import records
from bailiwick.database.base import new_id
from bailiwick.lakehouse.models import Grant, Layer, Table, Volume
from bailiwick.lakehouse.standing import holds_now
from bailiwick.lakehouse.targets import Target, granted_on, granted_on_layer_of
from bailiwick.questions import resources
from bailiwick.questions.resources import Asked
from bailiwick.tenancy.models import GroupMembership, Member

BY_ROLE = ("tenant", "lakehouse")  # where nothing but the role in the tenant decides


def could(session: Session, asked: Asked, action: str) -> list[ColumnElement[bool]]:
    """That their role in the tenant is enough, or that they hold a grant there, themselves or in a group; those
    still need a decision. Where other facts count as well, nothing."""
    data = asked.row if isinstance(asked.row, (Layer, Table, Volume)) else None
    if asked.described or (data is None and asked.type.name not in BY_ROLE):
        return []
    strangers = {role: records.Member(str(new_id()), role) for role in TENANT_ROLES}
    placed = resources.scene(session, asked, list(strangers.values())).placed
    ways = [Member.tenant_role.in_([role for role, one in strangers.items() if placed.allows(one.id, action)])]
    if data is not None:
        held = select(Grant.member_id).where(Grant.member_id.is_not(None), holds_now())
        shared = select(GroupMembership.member_id).join(Grant, Grant.group_id == GroupMembership.group_id)
        for there in _around(data):
            ways += [Member.id.in_(held.where(there)), Member.id.in_(shared.where(there, holds_now()))]
    return [or_(*ways)]


def _around(data: Target) -> list[ColumnElement[bool]]:
    """Who holds something in a layer glimpses the layer."""
    return [Grant.layer_id == data.id] if isinstance(data, Layer) else [granted_on(data), granted_on_layer_of(data)]
