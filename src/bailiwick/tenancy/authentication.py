"""From the secret a request carries to the member behind it, as they are at this moment."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import or_, select
from sqlalchemy.orm import Session, joinedload

from bailiwick.database.base import utc_now
from bailiwick.errors import NotSignedIn
from bailiwick.tenancy import secrets
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import ApiToken, GroupMembership, Member, MemberState, SignInSession


def authenticate(session: Session, secret: str, *, request_id: str = "", address: str = "") -> Caller:
    """Whoever holds this session or token secret. A removed or suspended member's secrets open nothing."""
    now = utc_now()
    token = signed_in = None
    digest = secrets.hash_of(secret)
    if secret.startswith(secrets.TOKEN):
        unexpired = or_(ApiToken.expires_at.is_(None), ApiToken.expires_at > now)
        found = select(ApiToken).where(ApiToken.secret_hash == digest, ApiToken.revoked_at.is_(None), unexpired)
        token = session.scalars(found.options(joinedload(ApiToken.member, innerjoin=True))).one_or_none()
    elif secret.startswith(secrets.SESSION):
        found_session = select(SignInSession).where(
            SignInSession.secret_hash == digest, SignInSession.revoked_at.is_(None), SignInSession.expires_at > now
        )
        signed_in = session.scalars(
            found_session.options(joinedload(SignInSession.member, innerjoin=True))
        ).one_or_none()
    key = token or signed_in
    if key is None or key.member.state != MemberState.ACTIVE:
        raise NotSignedIn
    return Caller(key.member, groups_of(session, key.member), token, signed_in, request_id, address)


def groups_of(session: Session, member: Member) -> frozenset[UUID]:
    """The groups a member is listed in; All goes without saying."""
    found = session.scalars(select(GroupMembership.group_id).where(GroupMembership.member_id == member.id))
    return frozenset(found)
