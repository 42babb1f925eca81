"""Which layers, tables and volumes a caller sees, as conditions for the database; each is a way with an index."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from sqlalchemy import ColumnElement, and_, exists, or_, select, true
from sqlalchemy.orm import Session, aliased

from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.roles import lakehouse_standing
from bailiwick.access.tables.lakehouse.levels import LEVELS
from bailiwick.database.listing import BY_NAME, Order, has_in_name, has_in_small, page_merged
from bailiwick.database.paging import Page
from bailiwick.lakehouse.models import Grant, Layer, Table, Volume
from bailiwick.lakehouse.standing import grants_on, on_layer_itself, on_things, reaches
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.standing import the_tenant

LAYER, TABLE = RESOURCE_TYPES["layer"], RESOURCE_TYPES["table"]
SEE_LAYERS, SEE_TABLES = "See layers", "See tables"
Thing = TypeVar("Thing", Table, Volume)
MOST_WAYS = 100  # layers that are walked through one by one; SQLite joins no more than 500 lists
FEW = 1000  # so many ids are looked up one by one; more are found sooner by walking through the list


def sees_everything(session: Session, caller: Caller) -> bool:
    """Admins and owners, and on Starter everybody; whatever a token leaves of it."""
    standing = lakehouse_standing(caller.member.tenant_role)
    return TABLE.allows(TABLE.pack({"standing": standing}), SEE_TABLES) or the_tenant(session).plan == "starter"


def ways_to_see_layers(session: Session, caller: Caller, *, as_a_whole: bool = False) -> list[ColumnElement[bool]]:
    """A grant on the layer or on anything in it makes it visible; as a whole, only one on the layer itself."""
    if caller.chosen_tables is not None:
        return []
    if sees_everything(session, caller):
        return [true()]
    of_it = [on_layer_itself()] if as_a_whole else []
    return [exists().where(Grant.layer_id == Layer.id, *of_it, _seeing(caller))]


@dataclass(frozen=True)
class Ways:
    """How a caller comes to tables or volumes: along indexes that are in the order of names, and to a few by their
    ids."""

    walked: Sequence[ColumnElement[bool]] = ()
    held: Collection[UUID] = ()


def ways_to_see(
    session: Session, caller: Caller, kind: type[Table] | type[Volume], layer_id: UUID | None = None
) -> list[ColumnElement[bool]]:
    """Conditions on tables or volumes, in one layer or in all, one of which holds for each that the caller sees."""
    found = ways(session, caller, kind, layer_id)
    return [*found.walked, kind.id.in_(found.held)] if found.held else list(found.walked)


def ways(session: Session, caller: Caller, kind: type[Table] | type[Volume], layer_id: UUID | None = None) -> Ways:
    """Every layer the caller holds something on is a way of its own, for in each the index is in the order of names."""
    if caller.chosen_tables is not None:
        return Ways(held=_chosen(session, caller, layer_id) if kind is Table else ())
    here = true() if layer_id is None else kind.layer_id == layer_id
    if sees_everything(session, caller):
        return Ways([here])
    layers = _granted_layers(session, caller, layer_id)
    walked: list[ColumnElement[bool]] = [kind.layer_id == id_ for id_ in layers]
    if len(layers) > MOST_WAYS:
        walked = [kind.layer_id.in_(layers)]
    if layer_id is not None and layers:
        return Ways(walked)
    own = Grant.table_id if kind is Table else Grant.volume_id
    granted = select(own).where(_seeing(caller), own.is_not(None))
    if layer_id is not None:
        granted = granted.where(Grant.layer_id == layer_id)
    held = {id_ for id_ in session.scalars(granted.limit(FEW + 1)) if id_}
    if len(held) <= FEW:
        return Ways(walked, held)
    # Whoever holds very many walks through the list, where they come soon enough.
    return Ways([*walked, here & exists().where(own == kind.id, _seeing(caller))])


def page_seen(
    session: Session,
    caller: Caller,
    kind: type[Thing],
    cursor: str | None,
    limit: int,
    *,
    layer_id: UUID | None = None,
    fits: Callable[[type[Thing]], Sequence[ColumnElement[bool]]] = lambda thing: (),
    sort: str = BY_NAME,
) -> Page[Thing]:
    """One page, by name unless another order is asked for, of the tables or volumes the caller sees and that fit; it
    costs the same however many there are. What is held one by one is looked up first and only then compared: told all
    at once, a database may prefer to walk through everything that fits and ask of each whether it is held."""
    looked_at = sources(session, caller, kind, layer_id)
    return page_merged(session, kind, Order(sort), cursor, limit, looked_at, fits)


def sources(
    session: Session, caller: Caller, kind: type[Thing], layer_id: UUID | None
) -> list[tuple[type[Thing], ColumnElement[bool]]]:
    """What to read, and under which condition: the list itself along each way, and the few that are held one by one."""
    found = ways(session, caller, kind, layer_id)
    looked_at: list[tuple[type[Thing], ColumnElement[bool]]] = [(kind, way) for way in found.walked]
    if found.held:
        few = select(kind).where(kind.id.in_(found.held)).limit(len(found.held)).subquery()
        looked_at.append((aliased(kind, few), true()))
    return looked_at


def named_like(
    session: Session, search: str | None, layer_id: UUID | None = None
) -> Callable[[type[Thing]], Sequence[ColumnElement[bool]]]:
    """Those with this in their name, or where not one layer is looked at, in that of their layer; what stands before a
    point is the name of the layer, as in a statement. There are few layers: they are looked up first, so that mostly
    names alone are compared."""
    if not search:
        return lambda thing: ()
    layer, point, name = search.rpartition(".")
    of_layer = select(Layer.id).where(Layer.name == layer.lower())
    called_so = (
        () if point or layer_id else session.scalars(select(Layer.id).where(has_in_name(Layer.name, search))).all()
    )

    def fits(thing: type[Thing]) -> list[ColumnElement[bool]]:
        conditions: list[ColumnElement[bool]] = [thing.layer_id.in_(of_layer)] if point else []
        if name:
            conditions.append(has_in_small(thing.name, name))
        return [or_(and_(*conditions), thing.layer_id.in_(called_so))] if called_so else conditions

    return fits


def _chosen(session: Session, caller: Caller, layer_id: UUID | None) -> set[UUID]:
    """Those of a token's tables that its maker sees."""
    chosen = select(Table).where(Table.id.in_(caller.chosen_tables or ()))
    tables = session.scalars(chosen if layer_id is None else chosen.where(Table.layer_id == layer_id)).all()
    return {id_ for id_, placed in on_things(session, caller, tables).items() if placed.allows(caller.id, SEE_TABLES)}


def _granted_layers(session: Session, caller: Caller, layer_id: UUID | None) -> set[UUID]:
    """The layers, or this one, that the caller holds as a whole. There are few layers: each is looked up, whatever
    else the caller holds."""
    ids = session.scalars(select(Layer.id)).all() if layer_id is None else [layer_id]
    return {grant.layer_id for grant in grants_on(session, [caller.standing], ids) if grant.level in _seeing_levels()}


def _seeing(caller: Caller) -> ColumnElement[bool]:
    """A grant that reaches the caller, of a level that sees."""
    return reaches(caller) & Grant.level.in_(_seeing_levels())


def _seeing_levels() -> list[str]:
    return [level for level in LEVELS if TABLE.allows(TABLE.pack({"level": level}), SEE_TABLES)]
