"""One-time links: to sign in, to set a new password, to join. A link's secret exists only in the link itself."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import and_, select, update
from sqlalchemy.orm import Session, joinedload

from bailiwick.access.decision import require
from bailiwick.access.tables.tenant.member import MAKE_LINK, RESET_PASSWORD, SEE_LINK
from bailiwick.database.base import utc_now
from bailiwick.database.locks import LOCKED
from bailiwick.errors import LinkGone
from bailiwick.notify import service as notify
from bailiwick.notify import texts
from bailiwick.settings import Settings
from bailiwick.tenancy import secrets
from bailiwick.tenancy.authentication import groups_of
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import LinkPurpose, Member, MemberState, OneTimeLink
from bailiwick.tenancy.sessions import end_sessions, require_session, require_still_there
from bailiwick.tenancy.standing import on_member, the_tenant
from bailiwick.tenancy.tokens import end_tokens

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
    ends_older: bool = True,
) -> str:
    """A new link's secret. It ends the older ones of the same purpose; a link to join works for days.

    Anybody may ask for a link to somebody's address: such a one leaves standing what others made for them."""
    session.flush()
    # Locked, or each of two who make one at the same moment would leave the other's standing.
    session.get_one(Member, member.id, with_for_update=LOCKED, populate_existing=True)
    if ends_older:
        end_links(session, member, purpose, asked_only=made_by is None)
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
    arrives = made_by is not None or settings.sends_email  # or else the older one may be all that the member has
    secret = make_link(
        session, member, purpose, made_by, minutes=settings.link_minutes, shown=shown, ends_older=arrives
    )
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


def send_link_to_join(
    session: Session, settings: Settings, caller: Caller, member: Member, *, show: bool
) -> str | None:
    """Send a newcomer their link; who may see it and asked to, gets it too, to hand it over."""
    if show:
        require_seeing(session, caller, member)
    link = send_link(session, settings, member, LinkPurpose.JOIN, caller.member, shown=show)
    return link if show else None


def require_seeing(session: Session, caller: Caller, member: Member) -> None:
    """Whoever sees a link could come in with it themselves: as nobody with a higher role."""
    require(on_member(session, caller, member).check(caller.id, SEE_LINK))
    # A link opens a session, which reaches further and lasts longer than the token that would get it.
    require_session(caller, "Seeing a link")
    require_still_there(session, caller)


def shown(link: str | None) -> dict[str, Any]:
    """What goes on record of a link that whoever made it has seen."""
    return {"link_shown": True} if link is not None else {}


def said_of_sending(settings: Settings, member: Member, purpose: LinkPurpose, link: str | None) -> str:
    """What whoever made a link is told became of it; without a mail server, no promise."""
    named = {LinkPurpose.JOIN: "link to join", LinkPurpose.SIGN_IN: "link to sign in"}.get(
        purpose, "link to set a new password"
    )
    if settings.sends_email:
        return f"A {named} is on its way to {member.email}."
    if link is not None:
        return f"No mail server is set, so nothing was sent to {member.email}: hand this {named} over yourself."
    return (
        f"No mail server is set, so nothing was sent to {member.email}: the {named} lies in the server's folder "
        "outbox. Tenant owners and admins can have one shown, to hand it over."
    )


def link_to(settings: Settings, purpose: LinkPurpose, secret: str) -> str:
    """The address in an e-mail. A browser keeps what follows the # to itself: no log and no other site sees it."""
    return f"{settings.public_url}/{PAGES[purpose]}#{secret}"


def end_links(
    session: Session, member: Member, purpose: LinkPurpose | None = None, *, asked_only: bool = False
) -> None:
    """End the member's unused links, of one purpose or all; perhaps only those that nobody made for them."""
    unused = update(OneTimeLink).where(OneTimeLink.member_id == member.id, OneTimeLink.used_at.is_(None))
    if purpose is not None:
        unused = unused.where(OneTimeLink.purpose == purpose)
    if asked_only:
        unused = unused.where(OneTimeLink.made_by_id.is_(None))
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
    _require_open(session, LinkPurpose(link.purpose), link.member, link.made_by_id, link.shown)
    return link


def use(session: Session, secret: str, purpose: LinkPurpose) -> tuple[Member, UUID | None]:
    """Use the link up: whom it lets in, and who else saw it before.

    Of two who try at the same moment, the database lets one through. Members are locked before their links, as by
    whoever makes or ends one."""
    now = utc_now()
    works = and_(
        OneTimeLink.secret_hash == secrets.hash_of(secret),
        OneTimeLink.purpose == purpose,
        OneTimeLink.used_at.is_(None),
        OneTimeLink.expires_at > now,
    )
    whose = select(OneTimeLink.member_id, OneTimeLink.made_by_id, OneTimeLink.shown).where(works)
    found = session.execute(whose).one_or_none()
    if found is None:
        raise LinkGone
    seen_by = found.made_by_id if found.shown else None
    # Locked, so that nobody is suspended or removed between this look and the end of the transaction: neither who
    # comes in, nor who might be the one.
    both = select(Member).where(Member.id.in_({found.member_id, seen_by or found.member_id})).order_by(Member.id)
    session.scalars(both.with_for_update(**LOCKED).execution_options(populate_existing=True)).all()
    taken = update(OneTimeLink).where(works).values(used_at=now).returning(OneTimeLink.id)
    if session.execute(taken.execution_options(synchronize_session=False)).one_or_none() is None:
        raise LinkGone
    member = session.get_one(Member, found.member_id)
    _require_open(session, purpose, member, found.made_by_id, found.shown)
    return member, seen_by


def end_what_would_lead_upwards(session: Session, member: Member) -> dict[str, Any]:
    """Whoever saw the link that a member joined with could be the one who joined: once the member has risen out of
    their reach, everything that was opened since ends, and a new password takes a new link. What ended, for the
    audit."""
    joined_with = select(OneTimeLink).where(OneTimeLink.member_id == member.id, OneTimeLink.purpose == LinkPurpose.JOIN)
    link = session.scalars(joined_with.order_by(OneTimeLink.id.desc()).limit(1)).first()  # it ended the older ones
    if link is None or not link.shown or link.made_by_id is None:
        return {}
    if _reaches(session, link.made_by_id, member, SEE_LINK):
        return {}
    sessions, tokens = end_sessions(session, member), end_tokens(session, member)
    end_links(session, member)
    had_password, member.password_hash = member.password_hash is not None, None
    if member.state == MemberState.ACTIVE:
        text = texts.begin_anew(member.name, the_tenant(session).name)
        notify.send(session, member.email, text.subject, text.body)
    return {"sessions_ended": sessions, "tokens_ended": tokens, "password_ended": had_password}


def _require_open(session: Session, purpose: LinkPurpose, member: Member, made_by: UUID | None, shown: bool) -> None:
    """Roles may have changed since the link was made, and its maker may have seen it: it lets nobody in whom they
    could not make one today."""
    if member.state != OPENS_FOR[purpose]:
        raise LinkGone
    needed = MAKING.get(purpose, SEE_LINK if shown else None)
    if made_by is not None and needed is not None and not _reaches(session, made_by, member, needed):
        raise LinkGone


def _reaches(session: Session, maker_id: UUID, member: Member, action: str) -> bool:
    """Whether the maker of a link may do this with its member today."""
    maker = session.get_one(Member, maker_id)
    placed = on_member(session, Caller(maker, groups_of(session, maker)), member)
    return maker.state == MemberState.ACTIVE and placed.allows(str(maker.id), action)
