"""Names of layers, tables and volumes, as statements write them."""

from __future__ import annotations

from sqlalchemy.orm import Session

from bailiwick.lakehouse.models import Layer, Table, Volume


def name_of(session: Session, target: Layer | Table | Volume) -> str:
    if isinstance(target, Layer):
        return target.name
    return f"{session.get_one(Layer, target.layer_id).name}.{target.name}"
