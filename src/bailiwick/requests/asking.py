"""Asking for access: anything by its name, and nothing that is hidden is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import cast
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from bailiwick.access.roles import is_tenant_admin
from bailiwick.access.tables.lakehouse.levels import LEVELS
from bailiwick.database.base import utc_now
from bailiwick.database.locks import LOCKED
from bailiwick.errors import Conflict
from bailiwick.lakehouse.origins import my_access
from bailiwick.lakehouse.targets import Kind, find_target, kind_of
from bailiwick.projects.models import Project
from bailiwick.projects.roles import in_project
from bailiwick.projects.service import enter
from bailiwick.requests.about import About, Standing, named, references
from bailiwick.requests.models import LAPSE, WAITING, AccessRequest, in_state
from bailiwick.requests.recording import record, said_of
from bailiwick.requests.seeing import SeenRequest, one
from bailiwick.requests.telling import tell_deciders
from bailiwick.settings import Settings
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.expiry import outlasts, require_ahead
from bailiwick.tenancy.models import Member
from bailiwick.tenancy.tenant import data_grants_refused

MOST_WAITING = 50
MOST_A_DAY = 100  # each may be an e-mail to twenty people, even if it is withdrawn at once


@dataclass(frozen=True)
class Wish:
    """What is asked for: by id something the caller sees, by name anything."""

    kind: str
    wanted: str  # a level or a project role
    reason: str
    id: UUID | None = None
    name: str | None = None
    expires_at: datetime | None = None


def ask(session: Session, caller: Caller, settings: Settings, wish: Wish) -> SeenRequest:
    """Ask for a level or a role. What the caller does not see is kept under the name they wrote, and answered in the
    same way whether there is such a thing or not; only where there is does anybody hear of it, or once there is."""
    if wish.kind != "project" and (refused := data_grants_refused(session)):
        raise Conflict(refused)
    require_ahead(wish.expires_at)
    me = session.get_one(Member, caller.member.id, with_for_update=LOCKED, populate_existing=True)  # one wish at a time
    about = _find(session, caller, wish)
    request = _requested(wish, me, about)
    standing = Standing(session, caller, [request])
    if standing.sees(request):
        request.was_seen, request.name = True, standing.name(request)
        _refuse_what_they_have(session, caller, request, standing)
    _refuse_too_many(session, caller, request)
    session.add(request)
    session.flush()
    record(session, caller, "ask_for_access", request, None, None, said_of(request))
    if about is not None:
        tell_deciders(session, settings, request, me, about)
    return one(session, caller, request)


def _find(session: Session, caller: Caller, wish: Wish) -> About | None:
    if wish.id is None:
        assert wish.name is not None
        return named(session, wish.kind, wish.name)
    if wish.kind == "project":
        return enter(session, caller, wish.id).project
    return find_target(session, caller, cast(Kind, wish.kind), wish.id)[0]


def _requested(wish: Wish, me: Member, about: About | None) -> AccessRequest:
    now = utc_now()
    return AccessRequest(
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
        **(references(about) if about is not None else {}),
    )


def _refuse_what_they_have(session: Session, caller: Caller, request: AccessRequest, standing: Standing) -> None:
    """The level or role itself, not what a grant on something in a layer shows of the layer. What ends sooner than what
    is asked for can be asked for again."""
    row = standing.row(request)
    if isinstance(row, Project):
        (found,) = in_project(session, row, [caller.member])
        ends = found.ends_of(request.wanted)
        if outlasts(ends, request.expires_at):
            raise Conflict(f"You are {found.role} in {request.name} already{_until(ends)}.", role=found.role)
        return
    if is_tenant_admin(caller.member.tenant_role):
        raise Conflict("Tenant owners and admins reach everything, without a level.")
    assert row is not None
    held = [one for one in my_access(session, caller, kind_of(row), row.id).origins if one.source != "below"]
    enough = [one for one in held if LEVELS.index(one.level) >= LEVELS.index(request.wanted)]
    ends = [one.expires_at for one in enough]
    if outlasts(ends, request.expires_at):
        level = enough[0].level  # the highest comes first
        raise Conflict(f"You have {level} on {request.name} already{_until(ends)}.", level=level)


def _until(ends: Sequence[datetime | None]) -> str:
    """To whom it says something: an end that one could ask to put off."""
    last = max((one for one in ends if one), default=None)
    return f", until {last:%d %B %Y}" if last and None not in ends else ""


def _refuse_too_many(session: Session, caller: Caller, request: AccessRequest) -> None:
    """One waiting request for a thing, and not too many at all. Two that the caller wrote differently are told to be
    about one thing only where they see it."""
    recent = AccessRequest.asked_at > utc_now() - timedelta(days=1)
    own = AccessRequest.member_id == caller.member.id
    waiting = session.scalars(select(AccessRequest).where(own, in_state(WAITING, requester=True))).all()
    seen_id = request.about_id if request.was_seen else None
    for other in waiting:
        alike = other.kind == request.kind and other.name.casefold() == request.name.casefold()
        if alike or (seen_id is not None and other.about_id == seen_id):
            raise Conflict(
                f"You have asked for {other.wanted} here already, and it waits to be decided. Withdraw that request to "
                "ask for something else.",
                access_request_id=str(other.id),
            )
    if len(waiting) >= MOST_WAITING:
        raise Conflict(
            f"{MOST_WAITING} of your requests wait to be decided. Ask for more after that, or withdraw some."
        )
    if (session.scalar(select(func.count()).select_from(AccessRequest).where(own, recent)) or 0) >= MOST_A_DAY:
        raise Conflict(f"You have made {MOST_A_DAY} requests within a day. Ask for more tomorrow.")
