"""What was opened with a link that its maker saw: it ends when the member's roles change, and with the maker's own.

Such a link lets its maker in as somebody whose roles lie within theirs. Were that member to rise, whatever was opened
with it would lead upwards, which no link may. Were the maker dismissed, they would stay in as somebody else."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import CTE, ColumnElement, Update, and_, exists, or_, select, true, update
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from bailiwick.database.base import utc_now
from bailiwick.tenancy.models import ApiToken, Member, OneTimeLink, SignInSession

Opened = type[SignInSession] | type[ApiToken]
FORGOTTEN = update(Member).values(password_hash=None, password_seen_by_id=None).returning(Member.id)


def end_what_was_handed_over(session: Session, members: Collection[UUID] | None) -> None:
    """For these members or, with None, for everyone: sessions, tokens and the password; a new one takes a link that
    goes to the member's own address."""

    def concerns(column: InstrumentedAttribute[UUID]) -> ColumnElement[bool]:
        return true() if members is None else column.in_(members)

    # The password first: whoever signs in with it at this moment has a session by the time it is gone.
    _run(session, FORGOTTEN.where(Member.password_seen_by_id.is_not(None), concerns(Member.id)))
    for kind in (SignInSession, ApiToken):
        _run(session, _revoked(kind).where(kind.seen_by_id.is_not(None), concerns(kind.member_id)))


def end_what_they_saw(session: Session, maker_id: UUID) -> dict[str, list[UUID]]:
    """What was opened with links that this member saw, and with those that could be seen from what was so opened:
    whose passwords, sessions and tokens ended, a member as often as theirs did.

    Nothing new begins, for the maker's change is written, and whoever uses a link looks at it. What began a moment
    before is seen once it is done, which the steps wait for: hence again, until nothing is left."""
    session.flush()
    now, hands = utc_now(), _hands_of(maker_id)

    def seen(by: InstrumentedAttribute[UUID | None], *since: ColumnElement[bool]) -> ColumnElement[bool]:
        return or_(by == maker_id, exists().where(hands.c.member_id == by, *since))

    unused = update(OneTimeLink).where(OneTimeLink.shown, OneTimeLink.used_at.is_(None))
    by_others = exists().where(hands.c.member_id == OneTimeLink.made_by_id, hands.c.since <= OneTimeLink.created_at)
    steps: dict[str, Update] = {
        "links": unused.where(by_others).values(used_at=now).returning(OneTimeLink.member_id),
        "passwords": FORGOTTEN.where(Member.password_hash.is_not(None), seen(Member.password_seen_by_id)),
    }
    opened: dict[str, Opened] = {"sessions": SignInSession, "tokens": ApiToken}
    for what, kind in opened.items():
        lives = or_(kind.expires_at.is_(None), kind.expires_at > now)
        steps[what] = _revoked(kind).where(lives, seen(kind.seen_by_id, hands.c.since <= kind.created_at))
    ended: dict[str, list[UUID]] = {what: [] for what in steps}
    while any(found := {what: _run(session, step) for what, step in steps.items()}.values()):
        for what, whose in zip(steps, found, strict=True):
            ended[what] += whose
    del ended["links"]
    return ended


def _hands_of(maker_id: UUID) -> CTE:
    """As whom this member may have acted, and since when: by a link they saw, by one seen from there, and so on."""
    opened = aliased(SignInSession)
    each = select(opened.member_id, opened.created_at.label("since"))
    hands = each.where(opened.seen_by_id == maker_id).cte(recursive=True)
    return hands.union(each.where(and_(opened.seen_by_id == hands.c.member_id, opened.created_at >= hands.c.since)))


def _revoked(kind: Opened) -> Update:
    return update(kind).where(kind.revoked_at.is_(None)).values(revoked_at=utc_now()).returning(kind.member_id)


def _run(session: Session, step: Update) -> list[UUID]:
    return list(session.scalars(step.execution_options(synchronize_session=False)))
