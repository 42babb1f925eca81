"""Viewing as another member over HTTP: beginning and ending it. In between each request carries the header."""

from __future__ import annotations

from fastapi import APIRouter, Request

from bailiwick.problems import PROBLEMS
from bailiwick.tenancy import viewing
from bailiwick.tenancy.calling import Asking
from bailiwick.tenancy.schemas.viewing import ViewAs, ViewingOut

router = APIRouter(prefix="/api/v1/view-as", tags=["members"], responses=PROBLEMS)


@router.post("", summary="View as another member, for an hour")
def begin_viewing(call: Asking, request: Request, body: ViewAs) -> ViewingOut:
    """For tenant owners and admins, as members whose roles lie within theirs. From now on a request with the header
    `X-View-As` and the member's id is decided with that member's rights, and its answer carries `X-Viewing-As`.
    Nothing can be changed that way, and what is theirs alone is not shown. It goes on record here and at its end."""
    request.state.asked_to_view_as = str(body.member_id)  # a refusal says as whom
    return ViewingOut.of(viewing.begin_viewing(call.session, call.caller, body.member_id), call.settings)


@router.delete("", status_code=204, summary="End viewing as others")
def end_viewing(call: Asking) -> None:
    """Send it without the header: it is you who ends it."""
    viewing.end_viewing(call.session, call.caller)
