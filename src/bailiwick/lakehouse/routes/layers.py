"""Layers over HTTP."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Response

from bailiwick.lakehouse import layers
from bailiwick.lakehouse.schemas.layers import LayerChange, LayerOut, LayersOut, NewLayer
from bailiwick.problems import PROBLEMS
from bailiwick.tenancy.calling import Changing, Reading
from bailiwick.tenancy.listing import Cursor, Limit, PartOfName, Sort
from bailiwick.tenancy.versions import IfMatch, tag

router = APIRouter(prefix="/api/v1/layers", tags=["layers"], responses=PROBLEMS)


@router.get("", summary="List the layers you may see, by name")
def list_layers(
    call: Reading,
    search: PartOfName = None,
    sort: Sort = "name",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> LayersOut:
    """A level on a layer, or on any table or volume in it, lets you see it."""
    return LayersOut.of(
        layers.list_layers(call.session, call.caller, search=search, sort=sort, cursor=cursor, limit=limit)
    )


@router.post("", summary="Create a layer", status_code=201)
def create_layer(call: Changing, body: NewLayer, response: Response) -> LayerOut:
    created = layers.create_layer(call.session, call.caller, body.name, body.description)
    response.headers["Location"] = f"/api/v1/layers/{created.layer.id}"
    return _answer(response, created)


@router.get("/{layer_id}", summary="Look at a layer")
def get_layer(call: Reading, layer_id: UUID, response: Response) -> LayerOut:
    return _answer(response, layers.get_layer(call.session, call.caller, layer_id))


@router.patch("/{layer_id}", summary="Change a layer's description or name")
def edit_layer(
    call: Changing, layer_id: UUID, body: LayerChange, response: Response, if_match: IfMatch = None
) -> LayerOut:
    return _answer(response, layers.edit_layer(call.session, call.caller, layer_id, body.changes(), if_match=if_match))


@router.delete("/{layer_id}", summary="Delete an empty layer", status_code=204)
def delete_layer(call: Changing, layer_id: UUID, if_match: IfMatch = None) -> None:
    """While it holds anything, 409 lists what you may see of that."""
    layers.delete_layer(call.session, call.caller, layer_id, if_match=if_match)


def _answer(response: Response, seen: layers.SeenLayer) -> LayerOut:
    tag(response, seen.layer.version)
    return LayerOut.of(seen)
