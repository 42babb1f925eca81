"""Requests as a caller sees them: their own, and those they could decide."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from sqlalchemy import select, true
from sqlalchemy.orm import Session

from bailiwick.database.listing import NEWEST, Order, page_merged
from bailiwick.database.paging import Page, page_of
from bailiwick.errors import NotFound
from bailiwick.requests import listing
from bailiwick.requests.about import Standing, not_seen
from bailiwick.requests.models import WAITING, AccessRequest, RequestState
from bailiwick.requests.requesters import RequesterStanding, standing_towards
from bailiwick.runs.errors import NotSeen
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Member, MemberState
from bailiwick.tenancy.tenant import data_grants_refused

MOST_COUNTED = 100
AT_ONCE = 50  # are read at least, however few are asked for
WHAT = "access request"


@dataclass(frozen=True)
class SeenRequest:
    """A request as the caller sees it: what it is about under the name they know, and what they may do with it."""

    request: AccessRequest
    requester: Member
    decided_by: Member | None
    state: RequestState
    about_id: UUID | None
    name: str
    actions: Sequence[str]
    standing: RequesterStanding | None = None  # when one is looked at that the caller could decide now


@dataclass(frozen=True)
class Waiting:
    """How many requests the caller could decide now; there may be more than are counted."""

    count: int
    more: bool


def list_requests(
    session: Session,
    caller: Caller,
    *,
    mine: bool = False,
    waiting_for_me: bool = False,
    state: RequestState | None = None,
    search: str | None = None,
    sort: str = NEWEST,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[SeenRequest]:
    """The caller's own requests, and those they could decide; newest first unless another order is asked for. A search
    is for who asks, and for what it is about under the name that the caller is told."""
    order = Order(sort)
    ways = listing.ways(session, caller, mine=mine, for_me=waiting_for_me, state=state)
    looked_at = [(AccessRequest, way) for way in ways]
    fits = listing.fits(session, caller, search) if search else true()
    found: list[SeenRequest] = []
    more = True
    while more and len(found) <= limit:
        page = page_merged(session, AccessRequest, order, cursor, max(limit, AT_ONCE), looked_at, lambda _: [fits])
        seen = _seen(session, caller, page.items)
        found += [one for one in seen if not waiting_for_me or "decline" in one.actions]
        cursor, more = page.next_cursor, page.next_cursor is not None
    return page_of(found, limit, lambda seen: order.key(seen.request.id, seen.request.id))


def count_waiting_for_me(session: Session, caller: Caller) -> Waiting:
    """For a badge: how many the caller could decide now, counted no further than a badge shows."""
    page = list_requests(session, caller, waiting_for_me=True, limit=MOST_COUNTED)
    return Waiting(len(page.items), page.next_cursor is not None)


def get_request(session: Session, caller: Caller, request_id: UUID) -> SeenRequest:
    request = session.get(AccessRequest, request_id)
    if request is None:
        raise NotFound(WHAT)
    seen = one(session, caller, request)
    about = Standing(session, caller, [request]).row(request) if "decline" in seen.actions else None
    if about is None:
        return seen
    return replace(seen, standing=standing_towards(session, caller, about, seen.requester))


def one(session: Session, caller: Caller, request: AccessRequest) -> SeenRequest:
    for seen in _seen(session, caller, [request]):
        return seen
    raise NotSeen(not_seen(request), WHAT)


def _seen(session: Session, caller: Caller, requests: Collection[AccessRequest]) -> list[SeenRequest]:
    """Those of these requests that are the caller's own, or that they could decide."""
    if not requests:
        return []
    standing = Standing(session, caller, requests)
    ids = {id_ for request in requests for id_ in (request.member_id, request.decided_by_id) if id_}
    people = {member.id: member for member in session.scalars(select(Member).where(Member.id.in_(ids)))}
    found = []
    for request in requests:
        requester = people[request.member_id]
        own = requester.id == caller.member.id
        decides = standing.decides(request) and (requester.state == MemberState.ACTIVE or request.state != WAITING)
        if not own and not decides:
            continue
        state = request.state_for(requester=not decides)
        actions = [*(["withdraw"] if own else []), *(["grant", "decline"] if decides else [])]
        if decides and request.kind != "project" and data_grants_refused(session):
            actions.remove("grant")
        sees = standing.sees(request)
        found.append(
            SeenRequest(
                request,
                requester,
                people.get(request.decided_by_id) if request.decided_by_id else None,
                state,
                request.about_id if sees else None,
                standing.name(request) if sees else request.name,
                actions if state == WAITING else [],
            )
        )
    return found
