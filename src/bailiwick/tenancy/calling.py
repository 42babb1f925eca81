"""What a route begins with: who is calling, and the one transaction their request gets."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy.orm import Session

from bailiwick.access.decision import require
from bailiwick.access.tables.tenant.token import CHANGE, READ
from bailiwick.database.engine import Database
from bailiwick.errors import NotSignedIn
from bailiwick.settings import Settings
from bailiwick.tenancy.authentication import authenticate
from bailiwick.tenancy.caller import Caller

COOKIE = "bailiwick_session"
CSRF_HEADER = "X-CSRF-Token"


@dataclass(frozen=True)
class Call:
    """A signed-in request: its transaction, its caller, and the platform's settings."""

    session: Session
    caller: Caller
    settings: Settings


@dataclass(frozen=True)
class Knock:
    """A request by somebody who has not signed in yet."""

    session: Session
    settings: Settings
    request_id: str
    address: str
    client: str


def reading(request: Request) -> Iterator[Call]:
    """A caller who only looks: one moment of the database, nothing written."""
    with _database(request).read() as session:
        caller = _authenticate(request, session)
        require(caller.through_token(READ))
        yield Call(session, caller, request.app.state.settings)


def changing(request: Request) -> Iterator[Call]:
    """A caller who changes something: one transaction, committed before the answer is sent."""
    with _database(request).session() as session:
        caller = _authenticate(request, session)
        require(caller.through_token(CHANGE))
        _refuse_forged(request, caller)
        yield Call(session, caller, request.app.state.settings)


def knocking(request: Request) -> Iterator[Knock]:
    with _database(request).session() as session:
        client = request.headers.get("User-Agent", "")[:300]
        yield Knock(session, request.app.state.settings, request.state.request_id, address_of(request), client)


Reading = Annotated[Call, Depends(reading, scope="function")]
Changing = Annotated[Call, Depends(changing, scope="function")]
Knocking = Annotated[Knock, Depends(knocking, scope="function")]


def address_of(request: Request) -> str:
    return request.client.host if request.client else ""


def _database(request: Request) -> Database:
    database: Database = request.app.state.database
    return database


def _authenticate(request: Request, session: Session) -> Caller:
    kind, _, bearer = request.headers.get("Authorization", "").partition(" ")
    secret = bearer.strip() if kind.lower() == "bearer" else request.cookies.get(COOKIE)
    if not secret:
        raise NotSignedIn
    caller = authenticate(session, secret, request_id=request.state.request_id, address=address_of(request))
    request.state.caller = caller
    return caller


def _refuse_forged(request: Request, caller: Caller) -> None:
    """A browser sends its cookie along with any page's request; only our own page knows the token beside it."""
    by_cookie = "Authorization" not in request.headers
    if by_cookie and caller.session is not None:
        sent = request.headers.get(CSRF_HEADER, "")
        if not secrets.compare_digest(sent.encode(), caller.session.csrf_token.encode()):
            raise NotSignedIn(f"The header {CSRF_HEADER} is missing or wrong. Take it from GET /api/v1/session.")
