"""Signed-in browsers and programs: each can be listed and ended by the member it belongs to."""

from __future__ import annotations

import secrets as random
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, and_, or_, select, update
from sqlalchemy.orm import Session

from bailiwick.database.base import utc_now
from bailiwick.database.listing import NEWEST, Order, has_in_name, page_merged
from bailiwick.database.locks import LOCKED
from bailiwick.database.paging import Page
from bailiwick.errors import NotFound, NotSignedIn, NotThisWay
from bailiwick.settings import Settings
from bailiwick.tenancy import secrets
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Member, SignInSession

# What people call browsers and systems, and by what these are told.
SIGNS = {"edge": "Edg/", "opera": "OPR/", "macos": "Mac OS X", "ios": "like Mac OS X"}


@dataclass(frozen=True)
class SignedIn:
    """A new session with its secret, which is nowhere else."""

    member: Member
    session: SignInSession
    secret: str


def start_session(
    session: Session, settings: Settings, member: Member, address: str, client: str, *, seen_by: UUID | None = None
) -> SignedIn:
    secret, digest = secrets.new_secret(secrets.SESSION)
    started = SignInSession(
        member_id=member.id,
        secret_hash=digest,
        csrf_token=random.token_urlsafe(32),
        address=address,
        client=client,
        expires_at=utc_now() + timedelta(days=settings.session_days),
        seen_by_id=seen_by,
    )
    session.add(started)
    session.flush()
    return SignedIn(member, started, secret)


def end_sessions(session: Session, member: Member, but: SignInSession | None = None) -> int:
    """End the member's sessions, all or all but one; how many there were."""
    live = update(SignInSession).where(SignInSession.member_id == member.id, SignInSession.revoked_at.is_(None))
    if but is not None:
        live = live.where(SignInSession.id != but.id)
    ended = live.values(revoked_at=utc_now()).returning(SignInSession.id)
    return len(session.execute(ended.execution_options(synchronize_session=False)).all())


def require_session(caller: Caller, what: str) -> SignInSession:
    """Some things are for the member in person: whoever finds a token must not lock its maker out."""
    if caller.session is None:
        raise NotThisWay(f"{what} takes a session: sign in as yourself, a token is not enough.")
    return caller.session


def require_still_there(session: Session, caller: Caller) -> None:
    """Of what is opened from a session, nothing may outlive one that ends at this very moment: it ends before this
    look, or after the transaction."""
    if caller.session is not None:
        # A column of it, not the row with its member: a change to that member meanwhile is no reason to fail.
        ended = select(SignInSession.revoked_at).where(SignInSession.id == caller.session.id).with_for_update(**LOCKED)
        if session.execute(ended).scalar_one() is not None:
            raise NotSignedIn


def list_sessions(
    session: Session,
    caller: Caller,
    *,
    search: str | None = None,
    sort: str = NEWEST,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[SignInSession]:
    """The caller's own live sessions, newest first; a search looks at what is signed in, and from where."""
    own = and_(
        SignInSession.member_id == caller.member.id,
        SignInSession.revoked_at.is_(None),
        SignInSession.expires_at > utc_now(),
    )
    filters = [_is_called(word) for word in (search or "").split() if word.lower() != "on"]
    return page_merged(session, SignInSession, Order(sort), cursor, limit, [(SignInSession, own)], lambda _: filters)


def _is_called(word: str) -> ColumnElement[bool]:
    """Whether a program calls itself so, or is called so by people: a browser says “Edg/” where they say Edge."""
    sign = SIGNS.get(word.lower(), word)
    return or_(has_in_name(SignInSession.client, sign), has_in_name(SignInSession.address, word))


def revoke_session(session: Session, caller: Caller, session_id: UUID) -> SignInSession:
    """End one of the caller's own sessions, maybe the one they came with."""
    require_session(caller, "Ending a session")
    found = session.get(SignInSession, session_id)
    if found is None or found.member_id != caller.member.id or found.revoked_at is not None:
        raise NotFound("session")
    found.revoked_at = utc_now()
    caller.record(session, "revoke_session", "session", resource_id=found.id, before=_described([found])[0])
    return found


def revoke_other_sessions(session: Session, caller: Caller) -> int:
    """End every session of the caller but the one they came with."""
    current = require_session(caller, "Ending sessions")
    ended = end_sessions(session, caller.member, but=current)
    if ended:
        caller.record(session, "revoke_other_sessions", "session", after={"ended": ended})
    return ended


def sign_out(session: Session, caller: Caller) -> None:
    revoke_session(session, caller, require_session(caller, "Signing out").id)


def _described(rows: Iterable[SignInSession]) -> list[dict[str, str]]:
    return [{"client": row.client, "created_at": row.created_at.isoformat()} for row in rows]
