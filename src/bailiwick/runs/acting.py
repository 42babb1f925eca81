"""The member a run acts as, with the rights of this moment."""

from __future__ import annotations

from sqlalchemy.orm import Session

from bailiwick.database.base import utc_now
from bailiwick.runs.errors import Restricted
from bailiwick.runs.models import Run
from bailiwick.tenancy.authentication import groups_of
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import ApiToken, Member, MemberState


def acting(session: Session, run: Run) -> Caller:
    """Decisions of a run are made about this caller: the member and their groups as they are now, and the token it was
    started through, if that is theirs."""
    member = session.get_one(Member, run.acts_as_id)
    if member.state != MemberState.ACTIVE:
        raise Restricted(reason=f"{member.name}, as whom it runs, is not an active member any more.")
    token = session.get(ApiToken, run.token_id) if run.token_id else None
    if token is not None and _has_ended(token):
        raise Restricted(reason="The token through which it was started was revoked or has expired.")
    if token is not None and token.member_id != member.id:
        token = None  # it narrowed the rights of who started it, not of whom it acts as
    return Caller(member, groups_of(session, member), token)


def _has_ended(token: ApiToken) -> bool:
    return token.revoked_at is not None or (token.expires_at is not None and token.expires_at <= utc_now())
