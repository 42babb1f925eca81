"""How often somebody may try: attempts are counted for an account and for an address, whether or not they exist."""

from __future__ import annotations

import hashlib
import ipaddress
import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from bailiwick.database.base import new_id, utc_now
from bailiwick.database.engine import Database
from bailiwick.errors import TooManyAttempts
from bailiwick.settings import Settings
from bailiwick.tenancy.models import Attempt


@dataclass(frozen=True)
class Counted:
    """An attempt on record: one row for the address, and one for the account if one was named."""

    account: str | None
    rows: tuple[UUID, ...]


def count(database: Database, settings: Settings, *, address: str, account: str | None = None) -> Counted:
    """Put an attempt on record, or refuse it. In a transaction of its own: whatever becomes of the attempt, it counts.

    It is counted before it is tried, so that many at the same moment are no way around the limit."""
    limits = {_key("address", _network(address)): settings.sign_in_attempts_per_address}
    account_key = None if account is None else _key("account", account)
    if account_key is not None:
        limits[account_key] = settings.sign_in_attempts_per_account
    now = utc_now()
    since = now - timedelta(minutes=settings.sign_in_window_minutes)
    with database.session() as session:
        _take_turns(session, sorted(limits))
        session.execute(delete(Attempt).where(Attempt.id < _first_id_of(since)))
        for key, most in limits.items():
            _refuse_beyond(session, key, most, since)
        rows = [Attempt(id=new_id(), key=key, at=now) for key in limits]
        session.add_all(rows)
    return Counted(account_key, tuple(row.id for row in rows))


def forgive(session: Session, counted: Counted) -> None:
    """The attempt was right: it does not count, nor do the slips on this account before it."""
    session.execute(delete(Attempt).where(Attempt.id.in_(counted.rows)))
    if counted.account is not None:
        session.execute(delete(Attempt).where(Attempt.key == counted.account))


def _refuse_beyond(session: Session, key: str, most: int, since: datetime) -> None:
    recent = select(Attempt.at).where(Attempt.key == key, Attempt.at > since).order_by(Attempt.at.desc())
    # With as many as allowed on record, the oldest of them has to leave the window first.
    oldest = session.scalars(recent.offset(most - 1).limit(1)).one_or_none()
    if oldest is not None:
        raise TooManyAttempts(max(1, math.ceil((oldest - since).total_seconds())))


def _take_turns(session: Session, keys: list[str]) -> None:
    """On PostgreSQL two transactions do not see each other's rows; SQLite has one writer at a time anyway."""
    if session.get_bind().dialect.name == "postgresql":
        for key in keys:
            session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(key, 0))))


def _key(kind: str, what: str) -> str:
    return f"{kind}:{hashlib.sha256(what.encode()).hexdigest()}"


def _network(address: str) -> str:
    """Whoever has one address of an IPv6 network has all of it."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    if ip.version == 4:
        return str(ip)
    return str(ip.ipv4_mapped or ipaddress.ip_network((ip, 64), strict=False))


def _first_id_of(moment: datetime) -> UUID:
    """The least id of this millisecond: ids begin with their time, so old rows are found by the primary key."""
    return UUID(int=int(moment.timestamp() * 1000) << 80)
