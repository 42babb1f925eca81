"""Volumes: folders of files in a layer, made by its Editors, deleted by Managers who have seen what depends on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision, require, slug
from bailiwick.access.world.placing import Placed
from bailiwick.database.listing import BY_NAME
from bailiwick.database.locks import KEPT, TO_DELETE, hold
from bailiwick.database.paging import Page
from bailiwick.errors import Conflict, NotFound
from bailiwick.lakehouse import dependents
from bailiwick.lakehouse.dependents import Dependents
from bailiwick.lakehouse.layers import CHANGE_DESCRIPTIONS, DELETE, find_layer
from bailiwick.lakehouse.models import Discarded, Layer, Volume
from bailiwick.lakehouse.names import name_of
from bailiwick.lakehouse.seeing_data import SEE_TABLES, named_like, page_seen
from bailiwick.lakehouse.standing import level_of, on_thing, on_things
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.versions import require_unchanged

CREATE = "Create tables and volumes"


@dataclass(frozen=True)
class SeenVolume:
    """A volume, the caller's level on it, and what they may do with it."""

    volume: Volume
    layer: Layer
    level: str
    actions: Sequence[str]

    @property
    def name(self) -> str:
        return f"{self.layer.name}.{self.volume.name}"


def list_volumes(
    session: Session,
    caller: Caller,
    *,
    layer_id: UUID | None = None,
    search: str | None = None,
    sort: str = BY_NAME,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[SeenVolume]:
    """The volumes the caller may see, of one layer or of all, by name."""
    if layer_id is not None:
        find_layer(session, caller, layer_id)
    fits = named_like(session, search, layer_id)
    page = page_seen(session, caller, Volume, cursor, limit, layer_id=layer_id, fits=fits, sort=sort)
    return Page(_seen(session, caller, page.items), page.next_cursor)


def get_volume(session: Session, caller: Caller, volume_id: UUID) -> SeenVolume:
    volume, _ = find_volume(session, caller, volume_id)
    return _one(session, caller, volume)


def find_volume(session: Session, caller: Caller, volume_id: UUID, *, to_stay: bool = False) -> tuple[Volume, Placed]:
    """A volume that the caller may see, to decide about; `to_stay` keeps it from being deleted meanwhile."""
    volume = session.get(Volume, volume_id, with_for_update=KEPT if to_stay else None)
    if volume is None:
        raise NotFound("volume")
    placed = on_thing(session, caller, volume)
    require(placed.check(caller.id, SEE_TABLES))
    return volume, placed


def used_by(session: Session, caller: Caller, volume_id: UUID) -> Sequence[dependents.Dependent]:
    """The pipelines that read or write its files, as far as the caller sees them; of others there is no sign."""
    volume, _ = find_volume(session, caller, volume_id)
    return dependents.of_volume(session, caller, volume).seen


def create_volume(session: Session, caller: Caller, layer_id: UUID, name: str, description: str) -> SeenVolume:
    layer, placed = find_layer(session, caller, layer_id)
    decision = require(placed.check(caller.id, CREATE))
    taken = select(Volume.id).where(Volume.layer_id == layer.id, Volume.name == name)
    if session.scalars(taken).one_or_none() is not None:
        raise Conflict(f"There is a volume {layer.name}.{name} already. Choose another name.")
    volume = Volume(layer_id=layer.id, name=name, description=description, created_by_id=caller.member.id)
    session.add(volume)
    session.flush()
    record(session, caller, "create_volume", volume, decision, None, _said_of(volume))
    return _one(session, caller, volume)


def edit_volume(
    session: Session, caller: Caller, volume_id: UUID, description: str, *, if_match: str | None
) -> SeenVolume:
    volume, placed = find_volume(session, caller, volume_id)
    decision = require(placed.check(caller.id, CHANGE_DESCRIPTIONS))
    require_unchanged(if_match, volume.version, "volume")
    before = _said_of(volume)
    if volume.description != description:
        volume.description = description
        session.flush()
        record(session, caller, "edit_volume", volume, decision, before, _said_of(volume))
    return _one(session, caller, volume)


def delete_volume(
    session: Session, caller: Caller, volume_id: UUID, *, confirm: str | None, if_match: str | None
) -> Dependents:
    """Delete a volume with its files and grants, once the caller has seen what depends on it and repeated its name."""
    volume, placed = find_volume(session, caller, volume_id)
    decision = require(placed.check(caller.id, DELETE))
    hold(session, Volume, volume.id, TO_DELETE, "volume")  # no file comes into it between this look and its end
    require_unchanged(if_match, volume.version, "volume")
    name = name_of(session, volume)
    held = dependents.of_volume(session, caller, volume)
    if confirm not in (name, volume.name):
        used = f" It is used by {held.in_words}." if held.any else " Nothing depends on it."
        raise Conflict(
            f"Deleting {name} removes all its files for good.{used} "
            "Repeat the request with ?confirm= and the volume's name.",
            depends_on_it=held.to_list(),
            depends_on_it_more=held.more,
        )
    before = {**_said_of(volume), "used_by": held.to_list()}
    session.add(Discarded(location=f"volumes/{volume.id}"))
    session.delete(volume)
    session.flush()
    record(session, caller, "delete_volume", volume, decision, before, None, name)
    return held


def record(
    session: Session,
    caller: Caller,
    action: str,
    volume: Volume,
    decision: Decision,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
    name: str | None = None,
) -> None:
    """Put a change of the volume or of its files on record."""
    caller.record(
        session,
        action,
        "volume",
        resource_id=volume.id,
        resource_name=name or name_of(session, volume),
        before=before,
        after=after,
        decision=decision,
    )


def _seen(session: Session, caller: Caller, volumes: Sequence[Volume]) -> list[SeenVolume]:
    placed = on_things(session, caller, volumes)
    wanted = {volume.layer_id for volume in volumes}
    layers = {layer.id: layer for layer in session.scalars(select(Layer).where(Layer.id.in_(wanted)))}
    return [
        SeenVolume(
            volume,
            layers[volume.layer_id],
            level_of(placed[volume.id], caller.id),
            tuple(map(slug, placed[volume.id].actions(caller.id))),
        )
        for volume in volumes
    ]


def _one(session: Session, caller: Caller, volume: Volume) -> SeenVolume:
    (only,) = _seen(session, caller, [volume])
    return only


def _said_of(volume: Volume) -> dict[str, Any]:
    return {"name": volume.name, "description": volume.description}
