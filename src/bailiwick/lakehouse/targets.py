"""What levels are granted on: a layer, a table or a volume, found by its kind and id for whoever may see it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal
from uuid import UUID

from sqlalchemy import ColumnElement
from sqlalchemy.orm import Session

from bailiwick.access.world.placing import Placed
from bailiwick.lakehouse import tables, volumes
from bailiwick.lakehouse.layers import find_layer
from bailiwick.lakehouse.models import Grant, Layer, Table, Volume
from bailiwick.lakehouse.standing import on_layer_itself
from bailiwick.tenancy.caller import Caller

Kind = Literal["layer", "table", "volume"]
Target = Layer | Table | Volume


def find_target(session: Session, caller: Caller, kind: Kind, id_: UUID) -> tuple[Target, Placed]:
    finders: Mapping[Kind, Callable[[Session, Caller, UUID], tuple[Target, Placed]]] = {
        "layer": find_layer,
        "table": tables.find_table,
        "volume": volumes.find_volume,
    }
    return finders[kind](session, caller, id_)


def kind_of(target: Target) -> Kind:
    return "layer" if isinstance(target, Layer) else "table" if isinstance(target, Table) else "volume"


def layer_of(target: Target) -> UUID:
    return target.id if isinstance(target, Layer) else target.layer_id


def granted_on(target: Target) -> ColumnElement[bool]:
    """Its own grants, without those that come from its layer or from what lies in it."""
    if isinstance(target, Layer):
        return (Grant.layer_id == target.id) & on_layer_itself()
    return Grant.table_id == target.id if isinstance(target, Table) else Grant.volume_id == target.id


def granted_on_layer_of(target: Target) -> ColumnElement[bool]:
    return (Grant.layer_id == layer_of(target)) & on_layer_itself()
