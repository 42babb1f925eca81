"""Deciding requests: what comes of one is an ordinary grant, made by whoever grants it, or a reasoned no."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision, require
from bailiwick.database.base import utc_now
from bailiwick.database.locks import LOCKED, hold
from bailiwick.errors import Conflict, Invalid, NotFound, Stale
from bailiwick.requests import giving
from bailiwick.requests.about import Standing, by_role_alone, keep
from bailiwick.requests.models import (
    DECLINED,
    GRANTED,
    LAPSE,
    LAPSED,
    WAITING,
    WITHDRAWN,
    AccessRequest,
    RequestState,
)
from bailiwick.requests.recording import record, said_of
from bailiwick.requests.seeing import WHAT, SeenRequest, one
from bailiwick.requests.telling import tell_requester
from bailiwick.settings import Settings
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.expiry import AS_IT_IS
from bailiwick.tenancy.models import Member
from bailiwick.tenancy.versions import require_unchanged


def grant(
    session: Session,
    caller: Caller,
    settings: Settings,
    request_id: UUID,
    *,
    level: str | None = None,
    role: str | None = None,
    expires_at: datetime | None = AS_IT_IS,
    resource_id: UUID | None = None,
    if_match: str | None = None,
) -> SeenRequest:
    """Give what was asked for, or another level or role, or until another day; with every rule of giving it by hand."""
    request, requester, decision = _to_decide(session, caller, request_id, if_match)
    # Its version does not tell: it stays, for whoever asked, when another thing takes the place of a deleted one.
    if resource_id is not None and resource_id != request.about_id:
        raise Stale(WHAT)
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
    before = said_of(request)
    _decide(request, caller, GRANTED)
    request.given, request.given_until = gift.wanted, gift.until.astimezone(UTC) if gift.until else None
    session.flush()
    record(session, caller, "grant_access_request", request, decision, before, said_of(request))
    tell_requester(session, settings, request, requester, caller.member)
    return one(session, caller, request)


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
    before = said_of(request)
    _decide(request, caller, DECLINED)
    request.answer = reason
    session.flush()
    record(session, caller, "decline_access_request", request, decision, before, said_of(request))
    tell_requester(session, settings, request, requester, caller.member)
    return one(session, caller, request)


def withdraw(session: Session, caller: Caller, request_id: UUID, *, if_match: str | None = None) -> SeenRequest:
    """Take back what one asked for."""
    request = _locked(session, request_id)
    seen = one(session, caller, request)
    if request.member_id != caller.member.id:
        raise Conflict("Only who asked withdraws a request. Decline it instead.")
    _require_waiting(request, request.state_for(requester=True))
    require_unchanged(if_match, request.version, WHAT)
    before = said_of(request)
    request.state = WITHDRAWN
    session.flush()
    record(session, caller, "withdraw_access_request", request, None, before, said_of(request))
    return replace(seen, state=WITHDRAWN, actions=[])


def _to_decide(
    session: Session, caller: Caller, request_id: UUID, if_match: str | None
) -> tuple[AccessRequest, Member, Decision]:
    """A waiting request that the caller may decide; nobody else decides it meanwhile, and neither does what it is
    about go, nor who asked."""
    request = _locked(session, request_id)
    seen = one(session, caller, request)
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
    session.get_one(Member, request.member_id, with_for_update=LOCKED, populate_existing=True)
    return hold(session, AccessRequest, request.id, LOCKED, WHAT)


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
