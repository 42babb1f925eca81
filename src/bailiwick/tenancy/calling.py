"""What a route begins with: who is calling, and the one transaction their request gets."""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy.orm import Session

from bailiwick.access.decision import require
from bailiwick.access.tables.tenant.token import CHANGE, CHANGE_TABLES, READ, READ_TABLES
from bailiwick.database.engine import Database
from bailiwick.errors import NotSignedIn
from bailiwick.settings import Settings
from bailiwick.tenancy.authentication import authenticate
from bailiwick.tenancy.caller import Caller, Knock
from bailiwick.tenancy.last_seen import LastSeen
from bailiwick.tenancy.viewing import VIEW_AS_HEADER, refuse_change, refuse_what_is_theirs, view_as

COOKIE = "bailiwick_session"
CSRF_HEADER = "X-CSRF-Token"

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True)
class Call:
    """A signed-in request: its transaction, its caller, and the platform's settings."""

    session: Session
    caller: Caller
    settings: Settings


@dataclass(frozen=True)
class Errand:
    """A signed-in request that takes its time, such as an upload: a transaction would hold up everybody meanwhile, so
    it opens short ones when it needs them."""

    request: Request
    database: Database
    settings: Settings
    caller: Caller

    def caller_in(self, session: Session) -> Caller:
        """Who is calling, asked again in this transaction: meanwhile they may have been removed."""
        return _authenticate(self.request, session)


@dataclass(frozen=True)
class Proof:
    """A signed-in request in which the member proves once more who they are; see `Knock` for why there is no
    transaction."""

    knock: Knock
    caller: Caller


def reading(request: Request) -> Iterator[Call]:
    """A caller who only looks: one moment of the database, nothing written."""
    yield from _reading(request, READ)


def changing(request: Request) -> Iterator[Call]:
    """A caller who changes something: one transaction, committed before the answer is sent."""
    yield from _changing(request, CHANGE)


def reading_tables(request: Request) -> Iterator[Call]:
    """A caller who looks at tables; through a token for chosen tables, at these."""
    yield from _reading(request, READ_TABLES)


# Whoever views as another member (see `viewing`) sees what is there for that member. Not shown that way is
#  · what is somebody's alone: their sessions, tokens, queries and the CSRF token that belongs to a session;
#  · rows of data and the contents of files: a viewer must not read through somebody what they may not read themselves;
#  · streams, which would go on when the hour is over, and what programs ask in their own name (AuthZEN).
# Samples and versions of a table are runs that somebody asks for, so they are refused like every change.


def reading_as_oneself(request: Request) -> Iterator[Call]:
    """A caller who looks at what they see as themselves only, and nobody who views as them."""
    yield from _reading(request, READ, as_oneself=True)


def reading_tables_as_oneself(request: Request) -> Iterator[Call]:
    """The same of tables; through a token for chosen tables, of these."""
    yield from _reading(request, READ_TABLES, as_oneself=True)


def changing_tables(request: Request) -> Iterator[Call]:
    """A caller who changes tables; through a token for chosen tables, these."""
    yield from _changing(request, CHANGE_TABLES)


def proving(request: Request) -> Proof:
    """A caller who changes something after their password was asked for."""
    return Proof(knocking(request), _changing_later(request))


def carrying(request: Request) -> Errand:
    """A caller who changes something that takes its time."""
    return Errand(request, _database(request), request.app.state.settings, _changing_later(request))


def asking(request: Request) -> Iterator[Call]:
    """A caller who asks for something that a worker looks up in tables: it joins the queue, and changes nothing."""
    yield from _changing(request, READ_TABLES)


def asking_for_what_is_seen(request: Request) -> Iterator[Call]:
    """The same of something that a token for chosen tables does not reach, such as a saved query; or of something that
    only goes on record."""
    yield from _changing(request, READ)


def _reading(request: Request, action: str, *, as_oneself: bool = False) -> Iterator[Call]:
    with _database(request).read() as session:
        caller = _authenticate(request, session)
        require(caller.through_token(action))
        if as_oneself:
            refuse_what_is_theirs(caller)
        yield Call(session, caller, request.app.state.settings)


def _changing(request: Request, action: str) -> Iterator[Call]:
    with _database(request).session() as session:
        caller = _authenticate(request, session)
        refuse_change(caller)
        require(caller.through_token(action))
        _refuse_forged(request, caller)
        yield Call(session, caller, request.app.state.settings)


def _changing_later(request: Request) -> Caller:
    with _database(request).read() as session:
        caller = _authenticate(request, session)
        refuse_change(caller)
        require(caller.through_token(CHANGE))
        _refuse_forged(request, caller)
    return caller


def knocking(request: Request) -> Knock:
    """Somebody who has not signed in; see `Knock` for why there is no transaction."""
    if VIEW_AS_HEADER in request.headers:
        # Who is signed in and views as somebody signs nobody in; who is not signed in views as nobody.
        with suppress(NotSignedIn), _database(request).read() as session:
            refuse_change(_authenticate(request, session))
    client = "".join(letter for letter in request.headers.get("User-Agent", "") if letter.isprintable())[:300]
    return Knock(_database(request), request.app.state.settings, request.state.request_id, address_of(request), client)


Reading = Annotated[Call, Depends(reading, scope="function")]
Changing = Annotated[Call, Depends(changing, scope="function")]
ReadingTables = Annotated[Call, Depends(reading_tables, scope="function")]
ChangingTables = Annotated[Call, Depends(changing_tables, scope="function")]
ReadingAsOneself = Annotated[Call, Depends(reading_as_oneself, scope="function")]
ReadingTablesAsOneself = Annotated[Call, Depends(reading_tables_as_oneself, scope="function")]
Asking = Annotated[Call, Depends(asking_for_what_is_seen, scope="function")]
Proving = Annotated[Proof, Depends(proving)]
Carrying = Annotated[Errand, Depends(carrying)]
Knocking = Annotated[Knock, Depends(knocking)]


def address_of(request: Request) -> str:
    """Where the request comes from. What a proxy says about that is believed of our own proxies only."""
    address = request.client.host if request.client else ""
    trusted: tuple[Network, ...] = request.app.state.settings.trusted_proxies
    if trusted:
        # The last entry was written by the nearest proxy; each trusted one vouches for the entry before it.
        passed = ",".join(request.headers.getlist("X-Forwarded-For")).split(",")
        while passed and _is_in(address, trusted) and (before := passed.pop().strip()):
            address = before
    return address[:64]


def _is_in(address: str, networks: tuple[Network, ...]) -> bool:
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(ip in network for network in networks)


def _database(request: Request) -> Database:
    database: Database = request.app.state.database
    return database


def _authenticate(request: Request, session: Session) -> Caller:
    secret = _bearer(request) or request.cookies.get(COOKIE)
    if not secret:
        raise NotSignedIn
    caller = authenticate(session, secret, request_id=request.state.request_id, address=address_of(request))
    request.state.caller = caller
    last_seen: LastSeen = request.app.state.last_seen
    last_seen.note(caller)
    asked = request.headers.get(VIEW_AS_HEADER)
    if asked is not None:
        request.state.asked_to_view_as = asked
        caller = request.state.caller = view_as(session, caller, asked)
        request.state.viewing_as = caller.id
    return caller


def _bearer(request: Request) -> str:
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    return secret.strip() if kind.lower() == "bearer" else ""


def _refuse_forged(request: Request, caller: Caller) -> None:
    """A browser sends its cookie along with any page's request; only our own page knows the token beside it."""
    if not _bearer(request) and caller.session is not None:
        sent = request.headers.get(CSRF_HEADER, "")
        if not secrets.compare_digest(sent.encode(), caller.session.csrf_token.encode()):
            raise NotSignedIn(f"The header {CSRF_HEADER} is missing or wrong. Take it from GET /api/v1/session.")
