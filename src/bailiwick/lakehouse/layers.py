"""Layers: listed for who sees something in them, made and renamed by admins, deleted once they are empty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision, require, slug
from bailiwick.access.roles import lakehouse_standing
from bailiwick.access.tables.lakehouse.levels import VIEWER
from bailiwick.access.world.placing import Placed
from bailiwick.database.listing import BY_NAME, has_in_name, page_by_name
from bailiwick.database.locks import TO_DELETE, hold
from bailiwick.database.paging import Page
from bailiwick.errors import Conflict, Invalid, NotFound
from bailiwick.lakehouse import dependents
from bailiwick.lakehouse.models import Layer
from bailiwick.lakehouse.seeing_data import SEE_LAYERS, ways_to_see_layers
from bailiwick.lakehouse.standing import held_as_a_whole, level_of, on_lakehouse, on_layer, on_layers
from bailiwick.runs.triggers import forget_subject
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.versions import require_unchanged

CREATE_LAYERS, CHANGE_DESCRIPTIONS, DELETE = "Create layers", "Change descriptions", "Delete the resource"

# What comes before the dot in a statement and already means something to Spark: its own databases, and formats.
TAKEN = (
    *("default", "global_temp", "information_schema", "session", "system", "builtin", "sys", "spark_catalog", "local"),
    *("delta", "parquet", "csv", "json", "orc", "avro", "text", "xml", "jdbc", "binaryfile", "kafka", "iceberg"),
)


@dataclass(frozen=True)
class SeenLayer:
    """A layer, the caller's level on it, and what they may do with it."""

    layer: Layer
    level: str
    actions: Sequence[str]
    in_part: bool  # a level on something in it shows it, and it alone


def list_layers(
    session: Session,
    caller: Caller,
    *,
    search: str | None = None,
    sort: str = BY_NAME,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[SeenLayer]:
    """The layers the caller may see, by name."""
    filters = [has_in_name(Layer.name, search)] if search else []
    ways = ways_to_see_layers(session, caller)
    page = page_by_name(session, Layer, cursor, limit, *filters, ways=ways, sort=sort)
    placed = on_layers(session, caller, page.items)
    return Page(_seen_all(session, caller, page.items, placed), page.next_cursor)


def get_layer(session: Session, caller: Caller, layer_id: UUID) -> SeenLayer:
    layer, placed = find_layer(session, caller, layer_id)
    return _seen(session, caller, layer, placed)


def find_layer(session: Session, caller: Caller, layer_id: UUID) -> tuple[Layer, Placed]:
    """A layer that the caller may see, to decide about; every other one does not exist for them."""
    layer = session.get(Layer, layer_id)
    if layer is None:
        raise NotFound("layer")
    placed = on_layer(session, caller, layer)
    require(placed.check(caller.id, SEE_LAYERS))
    return layer, placed


def create_layer(session: Session, caller: Caller, name: str, description: str) -> SeenLayer:
    decision = require(on_lakehouse(session, caller).check(caller.id, CREATE_LAYERS))
    _name_is_free(session, name)
    layer = Layer(name=name, description=description, created_by_id=caller.member.id)
    session.add(layer)
    session.flush()
    _record(session, caller, "create_layer", layer, decision, None, _said_of(layer))
    return _seen(session, caller, layer, on_layer(session, caller, layer))


def edit_layer(
    session: Session, caller: Caller, layer_id: UUID, changes: dict[str, str], *, if_match: str | None
) -> SeenLayer:
    """The description is for Editors; the name, which every statement about the layer writes, for admins."""
    layer, placed = find_layer(session, caller, layer_id)
    decision = require(placed.check(caller.id, CHANGE_DESCRIPTIONS))
    if "name" in changes:
        decision = require(on_lakehouse(session, caller).check(caller.id, CREATE_LAYERS))
    require_unchanged(if_match, layer.version, "layer")
    before = _said_of(layer)
    if {**before, **changes} != before:
        if changes.get("name", layer.name) != layer.name:
            _name_is_free(session, changes["name"])
        for field, value in changes.items():
            setattr(layer, field, value)
        session.flush()
        _record(session, caller, "edit_layer", layer, decision, before, _said_of(layer))
    return _seen(session, caller, layer, placed)


def delete_layer(session: Session, caller: Caller, layer_id: UUID, *, if_match: str | None) -> None:
    """Delete an empty layer, with its grants and what maintains it; one that holds anything is refused with what that
    is."""
    layer, placed = find_layer(session, caller, layer_id)
    decision = require(placed.check(caller.id, DELETE))
    hold(session, Layer, layer.id, TO_DELETE, "layer")  # nothing is put into it between this look and its end
    require_unchanged(if_match, layer.version, "layer")
    held = dependents.of_layer(session, caller, layer)
    if held.any:
        raise Conflict(
            f"The layer {layer.name} is not empty: it is held by {held.in_words}. Delete or move these first.",
            held_by=held.to_list(),
            held_by_more=held.more,
        )
    before = _said_of(layer)
    forget_subject(session, caller.member, "layer", layer.id)
    session.delete(layer)
    session.flush()
    _record(session, caller, "delete_layer", layer, decision, before, None)


def _name_is_free(session: Session, name: str) -> None:
    if name in TAKEN:
        raise Invalid("name", f"“{name}” means something else to Spark.", "Choose another name.")
    if session.scalars(select(Layer.id).where(Layer.name == name)).one_or_none() is not None:
        raise Conflict("This name is taken. Choose another one.")


def _seen(session: Session, caller: Caller, layer: Layer, placed: Placed) -> SeenLayer:
    (only,) = _seen_all(session, caller, [layer], {layer.id: placed})
    return only


def _seen_all(
    session: Session, caller: Caller, layers: Sequence[Layer], placed: Mapping[UUID, Placed]
) -> list[SeenLayer]:
    levels = {layer.id: level_of(placed[layer.id], caller.id) for layer in layers}
    in_part: set[UUID] = set()
    if lakehouse_standing(caller.member.tenant_role) == "Member":  # nobody else depends on levels
        viewed = {id_ for id_, level in levels.items() if level == VIEWER}
        in_part = viewed - held_as_a_whole(session, caller, viewed)
    return [
        SeenLayer(
            layer, levels[layer.id], tuple(map(slug, placed[layer.id].actions(caller.id))), in_part=layer.id in in_part
        )
        for layer in layers
    ]


def _said_of(layer: Layer) -> dict[str, Any]:
    return {"name": layer.name, "description": layer.description}


def _record(
    session: Session,
    caller: Caller,
    action: str,
    layer: Layer,
    decision: Decision,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
) -> None:
    caller.record(
        session,
        action,
        "layer",
        resource_id=layer.id,
        resource_name=layer.name,
        before=before,
        after=after,
        decision=decision,
    )
