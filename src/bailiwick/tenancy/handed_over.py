"""What was opened with a link that its maker saw: it ends when the member's roles change.

Such a link lets its maker in as somebody whose roles lie within theirs. Were that member to rise, whatever was opened
with it would lead upwards, which no link may."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import ColumnElement, true, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from bailiwick.database.base import utc_now
from bailiwick.tenancy.models import ApiToken, Member, SignInSession


def end_what_was_handed_over(session: Session, members: Collection[UUID] | None) -> None:
    """For these members or, with None, for everyone: sessions, tokens and the password; a new one takes a link that
    goes to the member's own address."""

    def concerns(column: InstrumentedAttribute[UUID]) -> ColumnElement[bool]:
        return true() if members is None else column.in_(members)

    for kind in (SignInSession, ApiToken):
        live = update(kind).where(kind.handed_over, kind.revoked_at.is_(None), concerns(kind.member_id))
        session.execute(live.values(revoked_at=utc_now()).execution_options(synchronize_session=False))
    known = update(Member).where(Member.password_handed_over, concerns(Member.id))
    forgotten = known.values(password_hash=None, password_handed_over=False)
    session.execute(forgotten.execution_options(synchronize_session=False))
