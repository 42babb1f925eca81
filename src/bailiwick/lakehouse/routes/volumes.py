"""Volumes over HTTP."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response

from bailiwick.lakehouse import volumes
from bailiwick.lakehouse.schemas.tables import DependentsOut
from bailiwick.lakehouse.schemas.volumes import NewVolume, VolumeChange, VolumeOut, VolumesOut
from bailiwick.problems import PROBLEMS
from bailiwick.tenancy.calling import Changing, Reading
from bailiwick.tenancy.listing import Cursor, Limit, PartOfName, Sort
from bailiwick.tenancy.versions import IfMatch, tag

router = APIRouter(prefix="/api/v1/volumes", tags=["volumes"], responses=PROBLEMS)


@router.get("", summary="List the volumes you may see, by name")
def list_volumes(
    call: Reading,
    layer: Annotated[UUID | None, Query(description="Only those of this layer.")] = None,
    search: PartOfName = None,
    sort: Sort = "name",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> VolumesOut:
    page = volumes.list_volumes(
        call.session, call.caller, layer_id=layer, search=search, sort=sort, cursor=cursor, limit=limit
    )
    return VolumesOut.of(page)


@router.post("", summary="Create a volume in a layer", status_code=201)
def create_volume(call: Changing, body: NewVolume, response: Response) -> VolumeOut:
    created = volumes.create_volume(call.session, call.caller, body.layer, body.name, body.description)
    response.headers["Location"] = f"/api/v1/volumes/{created.volume.id}"
    return _answer(response, created)


@router.get("/{volume_id}", summary="Look at a volume")
def get_volume(call: Reading, volume_id: UUID, response: Response) -> VolumeOut:
    return _answer(response, volumes.get_volume(call.session, call.caller, volume_id))


@router.patch("/{volume_id}", summary="Change a volume's description")
def edit_volume(
    call: Changing, volume_id: UUID, body: VolumeChange, response: Response, if_match: IfMatch = None
) -> VolumeOut:
    changed = volumes.edit_volume(call.session, call.caller, volume_id, body.description, if_match=if_match)
    return _answer(response, changed)


@router.delete("/{volume_id}", summary="Delete a volume with its files")
def delete_volume(
    call: Changing,
    volume_id: UUID,
    confirm: Annotated[str | None, Query(max_length=200, description="The volume's name.")] = None,
    if_match: IfMatch = None,
) -> DependentsOut:
    """Without the confirmation, 409 lists what depends on it; with it, the answer does."""
    held = volumes.delete_volume(call.session, call.caller, volume_id, confirm=confirm, if_match=if_match)
    return DependentsOut.of(held.seen)


@router.get("/{volume_id}/used-by", summary="See which pipelines use a volume")
def used_by(call: Reading, volume_id: UUID) -> DependentsOut:
    """Those you may see."""
    return DependentsOut.of(volumes.used_by(call.session, call.caller, volume_id))


def _answer(response: Response, seen: volumes.SeenVolume) -> VolumeOut:
    tag(response, seen.volume.version)
    return VolumeOut.of(seen)
