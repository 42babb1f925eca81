"""Coming in: by password, by a link, or for the first time; and setting the password that does it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import structlog
from sqlalchemy import Select, select, update
from sqlalchemy.orm import Session

from bailiwick.access.decision import require
from bailiwick.access.tables.tenant.member import MAKE_LINK, RESET_PASSWORD, SEE
from bailiwick.database.base import utc_now
from bailiwick.database.locks import LOCKED
from bailiwick.errors import Conflict, Invalid, NotFound, NotSignedIn
from bailiwick.notify import service as notify
from bailiwick.notify import texts
from bailiwick.settings import Settings
from bailiwick.tenancy import areas, limits, passwords
from bailiwick.tenancy.addresses import normal_email
from bailiwick.tenancy.caller import Caller, Knock
from bailiwick.tenancy.links import end_links, look_at, require_seeing, said_of_sending, send_link, use
from bailiwick.tenancy.models import LinkPurpose, Member, MemberState, OneTimeLink
from bailiwick.tenancy.profile import check_time_zone
from bailiwick.tenancy.sessions import SignedIn, end_sessions, require_session, start_session
from bailiwick.tenancy.standing import on_member, the_tenant

__all__ = [
    *("ask_for_link", "change_password", "count_asking", "join", "look", "make_link", "make_link_for"),
    *("reset_password", "send_link", "sign_in", "sign_in_by_link"),
]

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class MadeLink:
    """A link for somebody else: itself, if whoever made it sees it, and what became of it."""

    link: str | None
    said: str


def sign_in(knock: Knock, email: str, password: str) -> SignedIn:
    """Sign in by password. A wrong one, no such member and a suspended one get one answer, after one time."""
    email = _spelled(email)
    counted = limits.count(knock.database, knock.settings, address=knock.address, account=email)
    with knock.database.read() as session:
        known = session.scalars(_active(email)).one_or_none()
    right = passwords.is_right(password, known.password_hash if known else None)
    if known is None or known.password_hash is None or not right:
        log.info("sign-in failed", address=knock.address)
        raise _wrong()
    anew = passwords.hash_password(password) if passwords.is_outdated(known.password_hash) else None
    with knock.database.session() as session:
        # Asked once more, locked: nobody is suspended, and no password changes, until this is done.
        same = _active(email).where(Member.password_hash == known.password_hash).with_for_update(**LOCKED)
        member = session.scalars(same).one_or_none()
        if member is None:
            raise _wrong()
        if anew:
            _keep_password(session, member, anew)
        limits.forgive(session, counted)
        return _start(session, knock, member, "password", seen_by=member.password_seen_by_id)


def ask_for_link(knock: Knock, email: str, purpose: LinkPurpose) -> None:
    """Send a link to sign in or set a new password, to an active member; to anybody else nothing, without a word."""
    with knock.database.session() as session:
        member = session.scalars(_active(_spelled(email))).one_or_none()
        if member is not None:
            send_link(session, knock.settings, member, purpose)
            knock.record(session, "ask_for_link", "member", member, after={"purpose": purpose})


def count_asking(knock: Knock, email: str) -> None:
    """Each request for a link counts, so that nobody's mailbox can be flooded from here."""
    limits.count(knock.database, knock.settings, address=knock.address, account=_spelled(email))


def look(knock: Knock, secret: str) -> OneTimeLink:
    """What a link is for, before it is confirmed: programs that follow every link in an e-mail use nothing up."""
    counted = limits.count(knock.database, knock.settings, address=knock.address)
    with knock.database.session() as session:
        link = look_at(session, secret)
        limits.forgive(session, counted)
        return link


def sign_in_by_link(knock: Knock, secret: str) -> SignedIn:
    counted = limits.count(knock.database, knock.settings, address=knock.address)
    with knock.database.session() as session:
        member, seen_by = use(session, secret, LinkPurpose.SIGN_IN)
        limits.forgive(session, counted)
        return _start(session, knock, member, "link", seen_by=seen_by)


def reset_password(knock: Knock, secret: str, password: str) -> SignedIn:
    """Set a new password through a link: every session and every other link of the member ends, and one begins."""
    counted = limits.count(knock.database, knock.settings, address=knock.address)
    with knock.database.read() as session:
        owner = look_at(session, secret, LinkPurpose.RESET_PASSWORD).member
    new_hash = passwords.hash_password(passwords.check_password(password, owner.email, owner.name))
    with knock.database.session() as session:
        member, seen_by = use(session, secret, LinkPurpose.RESET_PASSWORD)
        _keep_password(session, member, new_hash, password_seen_by_id=seen_by)
        end_sessions(session, member)
        end_links(session, member)
        _tell_password_changed(session, member)
        knock.record(session, "reset_password", "member", member)
        limits.forgive(session, counted)
        return _start(session, knock, member, "link", seen_by=seen_by)


def join(knock: Knock, secret: str, password: str, name: str | None = None, time_zone: str | None = None) -> SignedIn:
    """Come in for the first time: with the link from the invitation, a password, and a name of one's own choosing."""
    counted = limits.count(knock.database, knock.settings, address=knock.address)
    if time_zone is not None:
        check_time_zone(time_zone)
    with knock.database.read() as session:
        owner = look_at(session, secret, LinkPurpose.JOIN).member
    new_hash = passwords.hash_password(passwords.check_password(password, owner.email, name or owner.name))
    with knock.database.session() as session:
        member, _ = use(session, secret, LinkPurpose.JOIN)
        before = {"state": member.state, "name": member.name, "time_zone": member.time_zone}
        member.state, member.joined_at = MemberState.ACTIVE, utc_now()
        member.name = name or member.name
        member.time_zone = time_zone or member.time_zone
        session.flush()
        _keep_password(session, member, new_hash, password_seen_by_id=None)
        end_links(session, member)
        areas.tell_roles_changed(session, [member.id])
        after = {"state": member.state, "name": member.name, "time_zone": member.time_zone}
        knock.record(session, "join", "member", member, before=before, after=after)
        limits.forgive(session, counted)
        return _start(session, knock, member, "link")


def make_link_for(
    session: Session, settings: Settings, caller: Caller, member_id: UUID, purpose: LinkPurpose, *, show: bool
) -> MadeLink:
    """Send somebody else a link to sign in or set a new password; the caller sees it only if they asked and may.

    A reset ends the member's sessions and their old password at once, not only when the link is used."""
    member = session.get(Member, member_id, with_for_update=LOCKED)
    if member is None:
        raise NotFound("member")
    placed = on_member(session, caller, member)
    require(placed.check(caller.id, SEE))
    decision = require(placed.check(caller.id, RESET_PASSWORD if purpose == LinkPurpose.RESET_PASSWORD else MAKE_LINK))
    if show:
        require_seeing(session, caller, member)
    if member.state != MemberState.ACTIVE:
        raise Conflict(f"{member.name} is {member.state}, and only an active member can use such a link.")
    after: dict[str, Any] = {"purpose": purpose, "shown": show}
    if purpose == LinkPurpose.RESET_PASSWORD:
        _keep_password(session, member, None, password_seen_by_id=None)
        after["sessions_ended"] = end_sessions(session, member)
        end_links(session, member)
    link = send_link(session, settings, member, purpose, caller.member, shown=show)
    caller.record(
        session,
        "reset_password" if purpose == LinkPurpose.RESET_PASSWORD else "make_magic_link",
        "member",
        resource_id=member.id,
        resource_name=member.name,
        after=after,
        decision=decision,
        about_id=member.id,
    )
    shown = link if show else None
    return MadeLink(shown, said_of_sending(settings, member, purpose, shown))


def change_password(knock: Knock, caller: Caller, old_password: str, new_password: str) -> None:
    """Change one's own password: the old one is needed, and every other session ends."""
    current = require_session(caller, "Changing the password")
    known = caller.member
    # Guesses count like those at the door.
    counted = limits.count(knock.database, knock.settings, address=knock.address, account=known.email)
    if not passwords.is_right(old_password, known.password_hash):
        fix = "If you do not know it, sign out and ask for a link to set a new one."
        raise Invalid("old_password", "This is not your password.", fix)
    new_hash = passwords.hash_password(_new_password(new_password, known))
    with knock.database.session() as session:
        member = session.get_one(Member, known.id, with_for_update=LOCKED)
        if member.state != MemberState.ACTIVE or member.password_hash != known.password_hash:
            raise NotSignedIn
        _keep_password(session, member, new_hash)
        end_sessions(session, member, but=current)
        end_links(session, member)
        _tell_password_changed(session, member)
        limits.forgive(session, counted)
        knock.record(session, "change_password", "member", member)


def _new_password(password: str, member: Member) -> str:
    try:
        return passwords.check_password(password, member.email, member.name)
    except Invalid as error:
        raise Invalid("new_password", error.problem, error.fix) from None


def _start(session: Session, knock: Knock, member: Member, by: str, *, seen_by: UUID | None = None) -> SignedIn:
    started = start_session(session, knock.settings, member, knock.address, knock.client, seen_by=seen_by)
    knock.record(session, "sign_in", "session", member, after={"by": by, "client": knock.client})
    return started


def _keep_password(session: Session, member: Member, new_hash: str | None, **mark: UUID | None) -> None:
    """Whoever knew the old password, and changes it, does not make it more their own: then the mark stays."""
    # Past the version: whoever edits the profile at this moment does not collide with a password.
    session.execute(
        update(Member)
        .where(Member.id == member.id)
        .values(password_hash=new_hash, **mark)
        .execution_options(synchronize_session=False)
    )


def _tell_password_changed(session: Session, member: Member) -> None:
    text = texts.password_changed(member.name, the_tenant(session).name)
    notify.send(session, member.email, text.subject, text.body)


def _active(email: str) -> Select[Member]:
    return select(Member).where(Member.email == email, Member.state == MemberState.ACTIVE)


def _spelled(email: str) -> str:
    """The address as members are kept under; what is no address at all is simply nobody's."""
    try:
        return normal_email(email)
    except Invalid:
        return email.strip().lower()


def _wrong() -> NotSignedIn:
    return NotSignedIn("This e-mail address and password do not belong together.")
