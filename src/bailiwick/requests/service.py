"""Asking for access and answering: what comes of it is an ordinary grant, made by whoever grants the request."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision, require
from bailiwick.access.roles import is_tenant_admin
from bailiwick.access.tables.lakehouse.levels import LEVELS
from bailiwick.access.tables.standing import PROJECT_ROLES
from bailiwick.access.world.placing import place
from bailiwick.database.base import utc_now
from bailiwick.database.paging import Page, page_of, read_cursor, read_id
from bailiwick.errors import Conflict, Invalid, NotFound
from bailiwick.lakehouse.models import Layer
from bailiwick.lakehouse.names import name_of
from bailiwick.lakehouse.standing import Known, level_of, world_of
from bailiwick.lakehouse.targets import Kind, find_target, layer_of
from bailiwick.projects.models import Project
from bailiwick.projects.roles import in_project
from bailiwick.projects.service import enter
from bailiwick.requests import giving, listing
from bailiwick.requests.about import About, Standing, by_role_alone, keep, named, not_seen
from bailiwick.requests.models import (
    DECLINED,
    GRANTED,
    LAPSE,
    LAPSED,
    WAITING,
    WITHDRAWN,
    AccessRequest,
    RequestState,
    in_state,
)
from bailiwick.requests.telling import tell_deciders, tell_requester
from bailiwick.runs.errors import NotSeen
from bailiwick.settings import Settings
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.expiry import AS_IT_IS, require_ahead
from bailiwick.tenancy.models import Member, MemberState
from bailiwick.tenancy.tenant import data_grants_refused
from bailiwick.tenancy.versions import require_unchanged

MOST_WAITING = 50
MOST_A_DAY = 100  # each may be an e-mail to twenty people, even if it is withdrawn at once
MOST_COUNTED = 100
WHAT = "access request"


@dataclass(frozen=True)
class Wish:
    """What is asked for: by id something the caller sees, by name anything."""

    kind: str
    wanted: str  # a level or a project role
    reason: str
    id: UUID | None = None
    name: str | None = None
    expires_at: datetime | None = None


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


@dataclass(frozen=True)
class Waiting:
    """How many requests the caller could decide now; there may be more than are counted."""

    count: int
    more: bool


# Asking --------------------------------------------------------------------------------------------------------------


def ask(session: Session, caller: Caller, settings: Settings, wish: Wish) -> SeenRequest:
    """Ask for a level or a role. What the caller does not see is kept under the name they wrote, and answered in the
    same way whether there is such a thing or not; only where there is does anybody hear of it."""
    if wish.kind != "project" and (refused := data_grants_refused(session)):
        raise Conflict(refused)
    require_ahead(wish.expires_at)
    me = session.get_one(Member, caller.member.id, with_for_update=True, populate_existing=True)  # one wish at a time
    about = _find(session, caller, wish)
    request = _requested(wish, me, about)
    standing = Standing(session, caller, [request])
    if standing.sees(request):
        request.was_seen, request.name = True, standing.name(request)
        _refuse_what_they_have(session, caller, request, standing)
    _refuse_too_many(session, caller, request)
    session.add(request)
    session.flush()
    _record(session, caller, "ask_for_access", request, None, None, _said_of(request))
    if about is not None:
        name = about.name if isinstance(about, Project) else name_of(session, about)
        tell_deciders(session, settings, request, me, about, name)
    return _one(session, caller, request)


def _find(session: Session, caller: Caller, wish: Wish) -> About | None:
    if wish.id is None:
        assert wish.name is not None
        return named(session, wish.kind, wish.name)
    if wish.kind == "project":
        return enter(session, caller, wish.id).project
    return find_target(session, caller, cast(Kind, wish.kind), wish.id)[0]


def _requested(wish: Wish, me: Member, about: About | None) -> AccessRequest:
    now = utc_now()
    request = AccessRequest(
        member_id=me.id,
        kind=wish.kind,
        name=wish.name or "",
        was_seen=False,
        wanted=wish.wanted,
        expires_at=wish.expires_at.astimezone(UTC) if wish.expires_at else None,
        reason=wish.reason,
        asked_at=now,
        lapses_at=now + LAPSE,
        state=WAITING,
    )
    if about is not None:
        setattr(request, f"{wish.kind}_id", about.id)
        if not isinstance(about, Project):
            request.layer_id = layer_of(about)
    return request


def _refuse_what_they_have(session: Session, caller: Caller, request: AccessRequest, standing: Standing) -> None:
    """The level or role itself, not what a grant on something in a layer shows of the layer."""
    row = standing.row(request)
    if isinstance(row, Project):
        (found,) = in_project(session, row, [caller.member])
        if PROJECT_ROLES.index(found.role) >= PROJECT_ROLES.index(request.wanted):
            raise Conflict(f"You are {found.role} in {request.name} already.", role=found.role)
        return
    if is_tenant_admin(caller.member.tenant_role):
        raise Conflict("Tenant owners and admins reach everything, without a level.")
    placed = standing.placed(request)
    if isinstance(row, Layer):
        known = Known(session, [caller.standing], layers=[row.id])
        placed = place(world_of(session, caller), known.layer(row.id))
    level = level_of(placed, caller.id)
    if LEVELS.index(level) >= LEVELS.index(request.wanted):
        raise Conflict(f"You have {level} on {request.name} already.", level=level)


def _refuse_too_many(session: Session, caller: Caller, request: AccessRequest) -> None:
    """One waiting request for a thing, and not too many at all. Two that the caller wrote differently are told to be
    about one thing only where they see it."""
    recent = AccessRequest.asked_at > utc_now() - timedelta(days=1)
    own = AccessRequest.member_id == caller.member.id
    waiting = session.scalars(select(AccessRequest).where(own, in_state(WAITING, requester=True))).all()
    seen_id = request.about_id if request.was_seen else None
    for one in waiting:
        alike = one.kind == request.kind and one.name.casefold() == request.name.casefold()
        if alike or (seen_id is not None and one.about_id == seen_id):
            raise Conflict(
                f"You have asked for {one.wanted} here already, and it waits to be decided. Withdraw that request to "
                "ask for something else.",
                access_request_id=str(one.id),
            )
    if len(waiting) >= MOST_WAITING:
        raise Conflict(
            f"{MOST_WAITING} of your requests wait to be decided. Ask for more after that, or withdraw some."
        )
    if (session.scalar(select(func.count()).select_from(AccessRequest).where(own, recent)) or 0) >= MOST_A_DAY:
        raise Conflict(f"You have made {MOST_A_DAY} requests within a day. Ask for more tomorrow.")


# Looking -------------------------------------------------------------------------------------------------------------


def list_requests(
    session: Session,
    caller: Caller,
    *,
    mine: bool = False,
    waiting_for_me: bool = False,
    state: RequestState | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[SeenRequest]:
    """The caller's own requests, and those they could decide; newest first."""
    last = read_cursor(cursor, 1)
    before = read_id(last[0]) if last else None
    ways = listing.ways(session, caller, mine=mine, for_me=waiting_for_me, state=state)
    found: list[SeenRequest] = []
    while len(found) <= limit:
        rows = listing.newest(session, ways, before, limit + 1)
        found += [seen for seen in _seen(session, caller, rows) if not waiting_for_me or "decline" in seen.actions]
        if len(rows) <= limit:
            break
        before = rows[-1].id
    return page_of(found, limit, lambda seen: (str(seen.request.id),))


def count_waiting_for_me(session: Session, caller: Caller) -> Waiting:
    """For a badge: how many the caller could decide now, counted no further than a badge shows."""
    page = list_requests(session, caller, waiting_for_me=True, limit=MOST_COUNTED)
    return Waiting(len(page.items), page.next_cursor is not None)


def get_request(session: Session, caller: Caller, request_id: UUID) -> SeenRequest:
    request = session.get(AccessRequest, request_id)
    if request is None:
        raise NotFound(WHAT)
    return _one(session, caller, request)


def _one(session: Session, caller: Caller, request: AccessRequest) -> SeenRequest:
    for seen in _seen(session, caller, [request]):
        return seen
    raise NotSeen(not_seen(request), WHAT)


def _seen(session: Session, caller: Caller, requests: Collection[AccessRequest]) -> list[SeenRequest]:
    """Those of these requests that are the caller's own, or that they could decide."""
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


# Deciding ------------------------------------------------------------------------------------------------------------


def grant(
    session: Session,
    caller: Caller,
    settings: Settings,
    request_id: UUID,
    *,
    level: str | None = None,
    role: str | None = None,
    expires_at: datetime | None = AS_IT_IS,
    if_match: str | None = None,
) -> SeenRequest:
    """Give what was asked for, or another level or role, or until another day; with every rule of giving it by hand."""
    request, requester, decision = _to_decide(session, caller, request_id, if_match)
    other = role if request.kind == "project" else level
    if (level if request.kind == "project" else role) is not None:
        field, wrong = ("level", "a role") if request.kind == "project" else ("role", "a level")
        raise Invalid(field, f"Here {wrong} was asked for.", f"Give {wrong}, or nothing to give what was asked for.")
    gift = giving.Gift(
        other or request.wanted,
        request.expires_at if expires_at is AS_IT_IS else expires_at,
        end_was_chosen=expires_at is not AS_IT_IS,
    )
    giving.give(session, caller, settings, request, requester, gift)
    before = _said_of(request)
    _decide(request, caller, GRANTED)
    request.given, request.given_until = gift.wanted, gift.until.astimezone(UTC) if gift.until else None
    session.flush()
    _record(session, caller, "grant_access_request", request, decision, before, _said_of(request))
    tell_requester(session, settings, request, requester, caller.member)
    return _one(session, caller, request)


def decline(
    session: Session,
    caller: Caller,
    settings: Settings,
    request_id: UUID,
    *,
    reason: str,
    if_match: str | None = None,
) -> SeenRequest:
    request, requester, decision = _to_decide(session, caller, request_id, if_match)
    before = _said_of(request)
    _decide(request, caller, DECLINED)
    request.answer = reason
    session.flush()
    _record(session, caller, "decline_access_request", request, decision, before, _said_of(request))
    tell_requester(session, settings, request, requester, caller.member)
    return _one(session, caller, request)


def withdraw(session: Session, caller: Caller, request_id: UUID, *, if_match: str | None = None) -> SeenRequest:
    """Take back what one asked for."""
    request = _locked(session, request_id)
    seen = _one(session, caller, request)
    if request.member_id != caller.member.id:
        raise Conflict("Only who asked withdraws a request. Decline it instead.")
    _require_waiting(request, request.state_for(requester=True))
    require_unchanged(if_match, request.version, WHAT)
    before = _said_of(request)
    request.state = WITHDRAWN
    session.flush()
    _record(session, caller, "withdraw_access_request", request, None, before, _said_of(request))
    return replace(seen, state=WITHDRAWN, actions=[])


def _to_decide(
    session: Session, caller: Caller, request_id: UUID, if_match: str | None
) -> tuple[AccessRequest, Member, Decision]:
    """A waiting request that the caller may decide; nobody else decides it meanwhile, and neither does what it is
    about go, nor who asked."""
    request = _locked(session, request_id)
    seen = _one(session, caller, request)
    standing = Standing(session, caller, [request])
    # To whoever asked for something hidden the refusal says no more than if it were not there.
    decision = (
        standing.decision(request) if seen.about_id or standing.decides(request) else by_role_alone(caller, request)
    )
    require(decision)
    _require_waiting(request, request.state_for(requester=False))
    require_unchanged(if_match, request.version, WHAT)
    return request, seen.requester, decision


def _locked(session: Session, request_id: UUID) -> AccessRequest:
    """Locked in the order in which everybody locks: what it is about, who asked, the request."""
    request = session.get(AccessRequest, request_id)
    if request is None:
        raise NotFound(WHAT)
    keep(session, request)
    session.get_one(Member, request.member_id, with_for_update=True, populate_existing=True)
    session.refresh(request, with_for_update=True)
    return request


def _require_waiting(request: AccessRequest, state: RequestState) -> None:
    if state == WAITING:
        return
    if state != LAPSED:
        why = f"This request was {state} already."
    elif request.about_id is None:
        why = f"This request has lapsed: the {request.kind} it was about was deleted."
    else:
        why = f"This request has lapsed: nobody decided it within {LAPSE.days} days. It can be made again."
    raise Conflict(why, state=str(state))


def _decide(request: AccessRequest, caller: Caller, state: RequestState) -> None:
    request.state, request.decided_by_id, request.decided_at = state, caller.member.id, utc_now()


# The record ----------------------------------------------------------------------------------------------------------


def _said_of(request: AccessRequest) -> dict[str, Any]:
    what = "role" if request.kind == "project" else "level"
    said: dict[str, Any] = {
        "state": str(request.state),
        what: request.wanted,
        "expires_at": _moment(request.expires_at),
    }
    if request.state == WAITING:
        return {**said, "type": request.kind, "reason": request.reason}
    if request.state == GRANTED:
        return {"state": said["state"], what: request.given, "expires_at": _moment(request.given_until)}
    return {**said, **({"reason": request.answer} if request.answer else {})}


def _moment(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _record(
    session: Session,
    caller: Caller,
    action: str,
    request: AccessRequest,
    decision: Decision | None,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
) -> None:
    """Under the name that whoever asked knows, for they read it too; in a project's record where they saw it."""
    where = {"project_id": request.project_id, "seen_from": "Admin"} if request.was_seen and request.project_id else {}
    caller.record(
        session,
        action,
        "access_request",
        resource_id=request.id,
        resource_name=request.name,
        decision=decision,
        before=before,
        after=after,
        about_id=request.member_id,
        **where,
    )
