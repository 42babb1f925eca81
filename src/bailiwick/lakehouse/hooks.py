"""What the lakehouse does when people and groups go, and how runs name its things: registered on import."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any
from uuid import UUID

from sqlalchemy import Select, delete, func, select, update
from sqlalchemy.orm import Session

from bailiwick.database.base import utc_now

# Each of these tells the runs about one thing that runs.
from bailiwick.lakehouse import creating_tables, pipeline_runs
from bailiwick.lakehouse.models import Grant, Layer, Table, Volume
from bailiwick.lakehouse.seeing_data import SEE_LAYERS, SEE_TABLES
from bailiwick.lakehouse.standing import holds_now, on_layers, on_things
from bailiwick.runs.subjects import SEEN
from bailiwick.tenancy import areas
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Group, Member
from bailiwick.tenancy.tenant import data_grants_refused

__all__ = ["creating_tables", "group_grants", "member_removed", "pipeline_runs"]

MOST_NAMED = 200


def tenant_made(session: Session) -> None:
    """The first layers came with the database's tables; to people they are as old as the tenant."""
    session.execute(update(Layer).values(created_at=utc_now()))


def member_removed(session: Session, member: Member) -> None:
    """Drop the levels they were granted. Pipelines keep them as owner, and end restricted until an admin names
    another."""
    session.execute(delete(Grant).where(Grant.member_id == member.id))


def group_grants(session: Session, group: Group) -> list[dict[str, Any]]:
    """The levels a group has on layers, tables and volumes."""
    held = select(Grant).where(Grant.group_id == group.id, holds_now())
    found = _with_names(held).order_by(Layer.name, func.coalesce(Table.name, Volume.name, ""), Grant.id)
    grants = []
    for grant, layer, table, volume in session.execute(found.limit(MOST_NAMED)):
        kind, id_, name = _on(grant, layer, table, volume)
        grants.append({"what": f"{grant.level} on the {kind} {name}", f"{kind}_id": str(id_), kind: name})
    more = len(grants) == MOST_NAMED and (session.scalar(held.with_only_columns(func.count())) or 0) - MOST_NAMED
    return [*grants, {"what": f"a level on {more} more layers, tables and volumes"}] if more else grants


def given_to_groups(session: Session, groups: Collection[UUID], limit: int) -> list[areas.Given]:
    """On Starter everybody manages all data, and what was given sleeps."""
    if data_grants_refused(session):
        return []
    held = select(Grant).where(Grant.group_id.in_(groups), holds_now())
    latest = _with_names(held).order_by(Grant.granted_at.desc(), Grant.id.desc()).limit(limit)
    return [
        areas.Given(
            *(grant.group_id, grant.level, *_on(grant, layer, table, volume)),
            *(grant.granted_at, grant.granted_by_id, grant.expires_at),
        )
        for grant, layer, table, volume in session.execute(latest)
        if grant.group_id
    ]


def _with_names(held: Select[Grant]) -> Select[Grant, str, str | None, str | None]:
    """Grants with the names of their layer and, where they are on one, of the table or volume."""
    return (
        held.join(Layer, Layer.id == Grant.layer_id)
        .outerjoin(Table, Table.id == Grant.table_id)
        .outerjoin(Volume, Volume.id == Grant.volume_id)
        .with_only_columns(Grant, Layer.name, Table.name, Volume.name)
    )


def _on(grant: Grant, layer: str, table: str | None, volume: str | None) -> tuple[str, UUID, str]:
    kind = "table" if table else "volume" if volume else "layer"
    name = f"{layer}.{table or volume}" if table or volume else layer
    return kind, grant.table_id or grant.volume_id or grant.layer_id, name


def _seen_layers(session: Session, caller: Caller, ids: Collection[UUID]) -> Collection[UUID]:
    layers = session.scalars(select(Layer).where(Layer.id.in_(ids))).all()
    return {id_ for id_, placed in on_layers(session, caller, layers).items() if placed.allows(caller.id, SEE_LAYERS)}


def _seen_things(
    kind: type[Table] | type[Volume],
) -> Callable[[Session, Caller, Collection[UUID]], Collection[UUID]]:
    def seen(session: Session, caller: Caller, ids: Collection[UUID]) -> Collection[UUID]:
        things: list[Any] = list(session.scalars(select(kind).where(kind.id.in_(ids))))
        placed = on_things(session, caller, things)
        return {id_ for id_, one in placed.items() if one.allows(caller.id, SEE_TABLES)}

    return seen


areas.tenant_made.append(tenant_made)
areas.member_removed.append(member_removed)
areas.group_grants.append(group_grants)
areas.given_to_groups.append(given_to_groups)
SEEN["layer"] = _seen_layers
SEEN["table"] = _seen_things(Table)
areas.seen_tables.append(SEEN["table"])
SEEN["volume"] = _seen_things(Volume)
