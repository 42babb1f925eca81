"""One's own sessions and profile over HTTP."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response

from bailiwick.problems import PROBLEMS
from bailiwick.tenancy import profile, sessions
from bailiwick.tenancy.calling import Changing, Reading, ReadingAsOneself
from bailiwick.tenancy.listing import Cursor, Limit, Search, SessionSort
from bailiwick.tenancy.schemas.profile import EditProfile, ProfileOut
from bailiwick.tenancy.schemas.sessions import EndedOut, SessionOut, SessionsOut
from bailiwick.tenancy.versions import IfMatch, tag

router = APIRouter(prefix="/api/v1", tags=["yourself"], responses=PROBLEMS)


@router.get("/sessions", summary="List where you are signed in")
def list_sessions(
    call: ReadingAsOneself,
    search: Annotated[Search, Query(description="Part of what is signed in, or of its address.")] = None,
    sort: SessionSort = "-created",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> SessionsOut:
    page = sessions.list_sessions(call.session, call.caller, search=search, sort=sort, cursor=cursor, limit=limit)
    current = call.caller.session
    return SessionsOut(items=[SessionOut.of(row, current) for row in page.items], next_cursor=page.next_cursor)


@router.delete("/sessions/{session_id}", status_code=204, summary="End one of your sessions")
def revoke_session(call: Changing, session_id: UUID) -> None:
    sessions.revoke_session(call.session, call.caller, session_id)


@router.delete("/sessions", summary="End all your sessions but this one")
def revoke_other_sessions(call: Changing) -> EndedOut:
    return EndedOut(ended=sessions.revoke_other_sessions(call.session, call.caller))


@router.get("/me", summary="Your profile, roles and groups, and what you may do in the tenant")
def see_profile(call: Reading, response: Response) -> ProfileOut:
    found = profile.see_profile(call.session, call.caller)
    tag(response, found.member.version)
    return ProfileOut.of(found, call.settings)


@router.patch("/me", summary="Change your name or time zone")
def edit_profile(call: Changing, body: EditProfile, response: Response, if_match: IfMatch = None) -> ProfileOut:
    changed = profile.edit_profile(call.session, call.caller, if_match, body.name, body.time_zone)
    tag(response, changed.member.version)
    return ProfileOut.of(changed, call.settings)
