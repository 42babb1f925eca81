"""What becomes of requests when people go: registered with the tenancy on import."""

from __future__ import annotations

from sqlalchemy import update
from sqlalchemy.orm import Session

from bailiwick.requests.models import WAITING, WITHDRAWN, AccessRequest
from bailiwick.tenancy import areas
from bailiwick.tenancy.models import Member


def member_removed(session: Session, member: Member) -> None:
    """What they asked for is not kept for them, should they return."""
    theirs = AccessRequest.member_id == member.id, AccessRequest.state == WAITING
    session.execute(update(AccessRequest).where(*theirs).values(state=WITHDRAWN, version=AccessRequest.version + 1))


areas.member_removed.append(member_removed)
