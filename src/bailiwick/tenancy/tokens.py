"""API tokens: made by a member in person for a program, and narrowed if they like."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, and_, select, update
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision, require
from bailiwick.access.tables.tenant.member import SEE, SUSPEND
from bailiwick.database.base import utc_now
from bailiwick.database.listing import NEWEST, Order, has_in_name, page_merged
from bailiwick.database.locks import LOCKED
from bailiwick.database.paging import Page
from bailiwick.errors import Invalid, NotFound, NotThisWay
from bailiwick.tenancy import areas, secrets
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.expiry import require_ahead
from bailiwick.tenancy.models import ApiToken, Member
from bailiwick.tenancy.sessions import require_still_there
from bailiwick.tenancy.standing import on_member

HINT_LENGTH = 10


def create_token(
    session: Session,
    caller: Caller,
    name: str,
    *,
    read_only: bool = False,
    tables: Sequence[UUID] | None = None,
    expires_at: datetime | None = None,
    expires_in_days: int | None = None,
) -> tuple[ApiToken, str]:
    """A new token of the caller's own, and its secret, which is shown this once."""
    if caller.token is not None:  # else a token that leaked could outlive its end in another one
        raise NotThisWay("Making a token takes a session: sign in as yourself, a token is not enough.")
    require_still_there(session, caller)
    _require_seen(session, caller, tables or ())
    token = ApiToken(
        member_id=caller.member.id,
        name=name,
        read_only=read_only,
        tables=None if tables is None else sorted({str(table) for table in tables}),
        expires_at=_end(expires_at, expires_in_days),
        seen_by_id=caller.session.seen_by_id if caller.session else None,
    )
    secret, token.secret_hash = secrets.new_secret(secrets.TOKEN)
    token.hint = secret[:HINT_LENGTH]
    session.add(token)
    session.flush()
    caller.record(
        session, "create_token", "api_token", resource_id=token.id, resource_name=token.name, after=described(token)
    )
    return token, secret


def end_tokens(session: Session, member: Member) -> int:
    """Revoke all of the member's tokens; how many there were."""
    live = update(ApiToken).where(ApiToken.member_id == member.id, ApiToken.revoked_at.is_(None))
    ended = live.values(revoked_at=utc_now()).returning(ApiToken.id)
    return len(session.execute(ended.execution_options(synchronize_session=False)).all())


def list_tokens(
    session: Session,
    caller: Caller,
    member_id: UUID | None = None,
    *,
    search: str | None = None,
    sort: str = NEWEST,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[ApiToken]:
    """The caller's own tokens that were not revoked, or a member's, newest first."""
    member = caller.member if member_id is None else _may_stop(session, caller, member_id)[0]
    filters = [has_in_name(ApiToken.name, search)] if search else []
    return page_merged(session, ApiToken, Order(sort), cursor, limit, [(ApiToken, _kept(member))], lambda _: filters)


def revoke_token(session: Session, caller: Caller, token_id: UUID) -> None:
    """Revoke one of the caller's own tokens; a token may revoke itself and no other."""
    token = _find(session, caller.member, token_id)
    if caller.token is not None and caller.token.id != token.id:
        raise NotThisWay("A token revokes only itself: sign in as yourself to revoke others.")
    _revoke(session, caller, token)


def revoke_token_of(session: Session, caller: Caller, member_id: UUID, token_id: UUID) -> None:
    """Revoke somebody else's token."""
    member, decision = _may_stop(session, caller, member_id)
    _revoke(session, caller, _find(session, member, token_id), decision)


def described(token: ApiToken) -> dict[str, Any]:
    """A token as the audit keeps it: everything but what would let somebody use it."""
    return {
        "name": token.name,
        "read_only": token.read_only,
        "tables": token.tables,
        "expires_at": token.expires_at.isoformat() if token.expires_at else None,
    }


def _may_stop(session: Session, caller: Caller, member_id: UUID) -> tuple[Member, Decision]:
    """Another member's tokens are for whoever may suspend that member: that stops all their tokens at once, so
    looking through them and stopping one is the smaller part of it."""
    member = session.get(Member, member_id)
    if member is None:
        raise NotFound("member")
    placed = on_member(session, caller, member)
    require(placed.check(caller.id, SEE))
    return member, require(placed.check(caller.id, SUSPEND))


def _kept(member: Member) -> ColumnElement[bool]:
    return and_(ApiToken.member_id == member.id, ApiToken.revoked_at.is_(None))


def _find(session: Session, member: Member, token_id: UUID) -> ApiToken:
    found = select(ApiToken).where(_kept(member), ApiToken.id == token_id)
    token = session.scalars(found.with_for_update(**LOCKED)).one_or_none()
    if token is None:
        raise NotFound("token")
    return token


def _revoke(session: Session, caller: Caller, token: ApiToken, decision: Decision | None = None) -> None:
    token.revoked_at = utc_now()
    caller.record(
        session,
        "revoke_token",
        "api_token",
        resource_id=token.id,
        resource_name=token.name,
        before=described(token),
        decision=decision,
        about_id=token.member_id,
    )


def _require_seen(session: Session, caller: Caller, tables: Sequence[UUID]) -> None:
    """A token is for tables that its maker sees; every other one is not there for them."""
    missing = set(tables) - areas.tables_seen_by(session, caller, tables)
    if missing:
        listed = ", ".join(sorted(map(str, missing))[:10])
        raise Invalid("tables", f"There are no such tables: {listed}.", "Take ids from the list of tables.")


def _end(expires_at: datetime | None, expires_in_days: int | None) -> datetime | None:
    if expires_at is not None and expires_in_days is not None:
        raise Invalid("expires_in_days", "The end is given twice.", "Give expires_at or expires_in_days, not both.")
    if expires_in_days is not None:
        return utc_now() + timedelta(days=expires_in_days)
    require_ahead(expires_at)
    return expires_at
