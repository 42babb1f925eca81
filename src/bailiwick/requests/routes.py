"""Access requests over HTTP."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response

from bailiwick.problems import PROBLEMS
from bailiwick.requests import asking, deciding, seeing
from bailiwick.requests.models import RequestState
from bailiwick.requests.schemas import (
    AccessRequestOut,
    AccessRequestsOut,
    Declining,
    Granting,
    NewRequest,
    WaitingOut,
)
from bailiwick.tenancy.calling import Changing, Reading
from bailiwick.tenancy.listing import Cursor, Limit, Search, SortByAge
from bailiwick.tenancy.versions import IfMatch, tag

router = APIRouter(prefix="/api/v1/access-requests", tags=["access requests"], responses=PROBLEMS)


@router.get("", summary="List access requests")
def list_requests(
    call: Reading,
    mine: Annotated[bool, Query(description="Only your own.")] = False,
    waiting_for_me: Annotated[bool, Query(description="Only those that wait and that you could decide.")] = False,
    state: RequestState | None = None,
    search: Annotated[Search, Query(description="Part of the name of who asks, or of what it is about.")] = None,
    sort: SortByAge = "-created",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> AccessRequestsOut:
    """Newest first, your own and those you could decide: Managers of a layer, table or volume for Viewer and Editor on
    it, Admins of a project for its roles, tenant owners and admins for everything."""
    page = seeing.list_requests(
        call.session,
        call.caller,
        mine=mine,
        waiting_for_me=waiting_for_me,
        state=state,
        search=search,
        sort=sort,
        cursor=cursor,
        limit=limit,
    )
    return AccessRequestsOut.of(page)


@router.post("", summary="Ask for access", status_code=201)
def ask(call: Changing, body: NewRequest, response: Response) -> AccessRequestOut:
    """For a level on a layer, table or volume, or a role in a project. By name you can ask for what you do not see; the
    answer does not tell whether it is there."""
    seen = asking.ask(call.session, call.caller, call.settings, body.as_wish())
    response.headers["Location"] = f"/api/v1/access-requests/{seen.request.id}"
    return _answer(response, seen)


@router.get("/waiting-for-me/count", summary="Count the requests that you could decide now")
def count_waiting_for_me(call: Reading) -> WaitingOut:
    return WaitingOut.of(seeing.count_waiting_for_me(call.session, call.caller))


@router.get("/{request_id}", summary="Look at an access request")
def get_request(call: Reading, request_id: UUID, response: Response) -> AccessRequestOut:
    """For whoever asked, and for those who could decide it now."""
    return _answer(response, seeing.get_request(call.session, call.caller, request_id))


@router.post("/{request_id}/grant", summary="Grant an access request")
def grant(
    call: Changing, request_id: UUID, response: Response, body: Granting | None = None, if_match: IfMatch = None
) -> AccessRequestOut:
    """As it was asked for, or with another level or role, or until another day."""
    choices = (body or Granting()).choices()
    seen = deciding.grant(call.session, call.caller, call.settings, request_id, **choices, if_match=if_match)
    return _answer(response, seen)


@router.post("/{request_id}/decline", summary="Decline an access request")
def decline(
    call: Changing, request_id: UUID, body: Declining, response: Response, if_match: IfMatch = None
) -> AccessRequestOut:
    seen = deciding.decline(call.session, call.caller, call.settings, request_id, reason=body.reason, if_match=if_match)
    return _answer(response, seen)


@router.post("/{request_id}/withdraw", summary="Withdraw your access request")
def withdraw(call: Changing, request_id: UUID, response: Response, if_match: IfMatch = None) -> AccessRequestOut:
    return _answer(response, deciding.withdraw(call.session, call.caller, request_id, if_match=if_match))


def _answer(response: Response, seen: seeing.SeenRequest) -> AccessRequestOut:
    tag(response, seen.request.version)
    return AccessRequestOut.of(seen)
