"""One-time links: to sign in, to set a new password, to join. A link's secret exists only in the link itself."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.orm import Session, joinedload

from bailiwick.access.tables.tenant.member import MAKE_LINK, RESET_PASSWORD
from bailiwick.database.base import utc_now
from bailiwick.errors import LinkGone
from bailiwick.notify import service as notify
from bailiwick.notify import texts
from bailiwick.settings import Settings
from bailiwick.tenancy import secrets
from bailiwick.tenancy.authentication import groups_of
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import LinkPurpose, Member, MemberState, OneTimeLink
from bailiwick.tenancy.standing import on_member, the_tenant

JOIN_DAYS = 7
PAGES = {LinkPurpose.SIGN_IN: "sign-in", LinkPurpose.RESET_PASSWORD: "reset-password", LinkPurpose.JOIN: "join"}

# Whose links open something: newcomers join, everybody else has to be in.
OPENS_FOR = {
    LinkPurpose.SIGN_IN: MemberState.ACTIVE,
    LinkPurpose.RESET_PASSWORD: MemberState.ACTIVE,
    LinkPurpose.JOIN: MemberState.INVITED,
}

# What somebody else needs to make one.
MAKING = {LinkPurpose.SIGN_IN: MAKE_LINK, LinkPurpose.RESET_PASSWORD: RESET_PASSWORD}


def make_link(
    session: Session,
    member: Member,
    purpose: LinkPurpose,
    made_by: Member | None = None,
    *,
    minutes: int = 60,
    shown: bool = False,
) -> str:
    """A new link's secret. It ends the older ones of the same purpose; a link to join works for days."""
    end_links(session, member, purpose)
    secret, digest = secrets.new_secret(secrets.LINK)
    lasts = timedelta(days=JOIN_DAYS) if purpose == LinkPurpose.JOIN else timedelta(minutes=minutes)
    session.add(
        OneTimeLink(
            member_id=member.id,
            purpose=purpose,
            secret_hash=digest,
            made_by_id=made_by.id if made_by else None,
            expires_at=utc_now() + lasts,
            shown=shown,
        )
    )
    session.flush()
    return secret


def send_link(
    session: Session,
    settings: Settings,
    member: Member,
    purpose: LinkPurpose,
    made_by: Member | None = None,
    *,
    shown: bool = False,
) -> str:
    """Make a link and send it to the member's own address; the link itself is returned, for the few who may see it."""
    secret = make_link(session, member, purpose, made_by, minutes=settings.link_minutes, shown=shown)
    link = link_to(settings, purpose, secret)
    tenant, maker = the_tenant(session).name, made_by.name if made_by else None
    if purpose == LinkPurpose.JOIN:
        text = texts.join_link(member.name, tenant, link, JOIN_DAYS, maker)
    elif purpose == LinkPurpose.SIGN_IN:
        text = texts.sign_in_link(member.name, tenant, link, settings.link_minutes, maker)
    else:
        text = texts.reset_link(member.name, tenant, link, settings.link_minutes, maker)
    notify.send(session, member.email, text.subject, text.body)
    return link


def link_to(settings: Settings, purpose: LinkPurpose, secret: str) -> str:
    """The address in an e-mail. A browser keeps what follows the # to itself: no log and no other site sees it."""
    return f"{settings.public_url}/{PAGES[purpose]}#{secret}"


def end_links(session: Session, member: Member, purpose: LinkPurpose | None = None) -> None:
    """End the member's unused links, of one purpose or all."""
    unused = update(OneTimeLink).where(OneTimeLink.member_id == member.id, OneTimeLink.used_at.is_(None))
    if purpose is not None:
        unused = unused.where(OneTimeLink.purpose == purpose)
    session.execute(unused.values(used_at=utc_now()).execution_options(synchronize_session=False))


def look_at(session: Session, secret: str, purpose: LinkPurpose | None = None) -> OneTimeLink:
    """The link of this secret, if it would open something now. Looking does not use it up."""
    found = select(OneTimeLink).where(
        OneTimeLink.secret_hash == secrets.hash_of(secret),
        OneTimeLink.used_at.is_(None),
        OneTimeLink.expires_at > utc_now(),
    )
    link = session.scalars(found.options(joinedload(OneTimeLink.member, innerjoin=True))).one_or_none()
    if link is None or (purpose is not None and link.purpose != purpose):
        raise LinkGone
    _require_open(session, LinkPurpose(link.purpose), link.member, link.made_by_id)
    return link


def use(session: Session, secret: str, purpose: LinkPurpose) -> tuple[Member, bool]:
    """Use the link up: whom it lets in, and whether somebody else saw it before.

    Of two who try at the same moment, the database lets one through."""
    now = utc_now()
    taken = (
        update(OneTimeLink)
        .where(
            OneTimeLink.secret_hash == secrets.hash_of(secret),
            OneTimeLink.purpose == purpose,
            OneTimeLink.used_at.is_(None),
            OneTimeLink.expires_at > now,
        )
        .values(used_at=now)
        .returning(OneTimeLink.member_id, OneTimeLink.made_by_id, OneTimeLink.shown)
        .execution_options(synchronize_session=False)
    )
    found = session.execute(taken).one_or_none()
    if found is None:
        raise LinkGone
    # Locked, so that nobody is suspended or removed between this look and the end of the transaction.
    member = session.get_one(Member, found.member_id, with_for_update=True)
    _require_open(session, purpose, member, found.made_by_id)
    return member, found.shown


def _require_open(session: Session, purpose: LinkPurpose, member: Member, made_by: UUID | None) -> None:
    """Roles may have changed since the link was made, and its maker may have seen it: it lets nobody in whom they
    could not make one today."""
    if member.state != OPENS_FOR[purpose]:
        raise LinkGone
    if made_by is not None and purpose in MAKING:
        maker = session.get_one(Member, made_by)
        placed = on_member(session, Caller(maker, groups_of(session, maker)), member)
        if maker.state != MemberState.ACTIVE or not placed.allows(str(maker.id), MAKING[purpose]):
            raise LinkGone
