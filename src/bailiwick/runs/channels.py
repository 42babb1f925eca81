"""The tenant's notification channels, for runs that belong to no project, and who receives them.

Owners and admins receive what they did not opt out of; others may be added, and are told only of what they may see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlsplit
from uuid import UUID

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision, require, slug
from bailiwick.database.listing import BY_NAME, page_by_name
from bailiwick.database.paging import MOST_ROWS, Page
from bailiwick.errors import Conflict, Invalid, NotFound
from bailiwick.notify.addresses import AddressRefused, refuse_written_private
from bailiwick.runs.models import ChannelKind, TenantChannel, TenantReceiverChoice
from bailiwick.settings import Settings
from bailiwick.tenancy import directory
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Member, MemberState
from bailiwick.tenancy.versions import require_unchanged

SEE, MANAGE = "See settings", "Change settings"
ON_FROM_THE_START = {ChannelKind.RUN_FAILED: True, ChannelKind.RUN_SUCCEEDED: False}
BY_ROLE = ("owner", "admin")


class Channel(Protocol):
    """A row of the tenant's channels, or of a project's."""

    kind: str
    is_on: bool
    delay_minutes: int
    version: int


@dataclass(frozen=True)
class SeenChannel:
    """A channel as the caller sees it. The web address may hold a secret: it is for who manages the channel."""

    channel: Channel
    receives: bool
    webhook_url: str | None
    actions: Sequence[str]


@dataclass(frozen=True)
class Receiver:
    member: Member
    added: bool  # by hand, in distinction to by role


def channel_of(session: Session, kind: ChannelKind) -> TenantChannel:
    """As it was set up, or as it is as long as nobody has."""
    found = session.get(TenantChannel, kind)
    return found or TenantChannel(
        kind=kind, is_on=ON_FROM_THE_START[kind], delay_minutes=0, webhook_url=None, version=0
    )


def list_channels(session: Session, caller: Caller) -> list[SeenChannel]:
    """For owners and admins, and for whoever was added to one of them."""
    if not _is_added_somewhere(session, caller):
        require(caller.on_tenant(SEE))
    return [_seen(session, caller, channel_of(session, kind)) for kind in ChannelKind]


def set_channel(
    session: Session,
    caller: Caller,
    kind: ChannelKind,
    changes: dict[str, Any],
    *,
    if_match: str | None,
    settings: Settings,
) -> SeenChannel:
    decision = require(caller.on_tenant(MANAGE))
    require_open(changes, settings)
    channel = channel_of(session, kind)
    require_unchanged(if_match, channel.version, "channel")
    before = {field: getattr(channel, field) for field in changes}
    if before != changes:
        if channel not in session:
            channel = TenantChannel(kind=kind, is_on=channel.is_on, delay_minutes=0, webhook_url=None)
            session.add(channel)
        for field, value in changes.items():
            setattr(channel, field, value)
        session.flush()
        _record(session, caller, "set_notification_channel", decision, _said(kind, before), _said(kind, changes))
    return _seen(session, caller, channel)


def require_open(changes: dict[str, Any], settings: Settings) -> None:
    """Refuse at once a web address that would be refused when there is news to send."""
    if changes.get("webhook_url"):
        try:
            refuse_written_private(changes["webhook_url"], settings)
        except AddressRefused as refused:
            raise Invalid("webhook_url", str(refused)) from None


def list_receivers(
    session: Session,
    caller: Caller,
    kind: ChannelKind,
    *,
    search: str | None = None,
    sort: str = BY_NAME,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Receiver]:
    require(caller.on_tenant(SEE))
    page = receivers_of(session, kind, search=search, sort=sort, cursor=cursor, limit=limit)
    return Page([Receiver(member, member.tenant_role not in BY_ROLE) for member in page.items], page.next_cursor)


def receivers_of(
    session: Session,
    kind: ChannelKind,
    *,
    search: str | None = None,
    sort: str = BY_NAME,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Member]:
    """The active members this channel reaches, by name."""
    ways: list[ColumnElement[bool]] = [
        Member.tenant_role.in_(BY_ROLE) & Member.id.not_in(_chosen(kind, receives=False)),
        Member.tenant_role.not_in(BY_ROLE) & Member.id.in_(_chosen(kind, receives=True)),
    ]
    filters = [Member.state == MemberState.ACTIVE, *([directory.fits(session, search)] if search else [])]
    return page_by_name(session, Member, cursor, limit, *filters, ways=ways, sort=sort)


def every_receiver(session: Session, kind: ChannelKind) -> Iterator[Member]:
    cursor: str | None = None
    while True:
        page = receivers_of(session, kind, cursor=cursor, limit=MOST_ROWS)
        yield from page.items
        cursor = page.next_cursor
        if cursor is None:
            return


def add_receiver(session: Session, caller: Caller, kind: ChannelKind, member_id: UUID) -> None:
    """Opt in again oneself, or add somebody. Nobody overrules somebody else's opting out."""
    oneself = member_id == caller.member.id
    choice = session.get(TenantReceiverChoice, (kind, member_id))
    decision = None if oneself and choice is not None else require(caller.on_tenant(MANAGE))
    member = _member(session, member_id)
    if choice is not None and not choice.receives and not oneself:
        raise Conflict(f"{member.name} opted out. Only they themselves can opt in again.")
    if choice is not None and choice.receives:
        return
    if member.tenant_role in BY_ROLE:
        if choice is None:
            return  # by role
        session.delete(choice)
    elif choice is not None:
        choice.receives = True
    else:
        session.add(TenantReceiverChoice(kind=kind, member_id=member_id, receives=True))
    session.flush()
    after = {"channel": str(kind), "receives": True}
    _record(session, caller, "add_notification_receiver", decision, None, after, about_id=member_id)


def remove_receiver(session: Session, caller: Caller, kind: ChannelKind, member_id: UUID) -> None:
    """Opt out oneself, which is remembered; or take off somebody who was added."""
    oneself = member_id == caller.member.id
    choice = session.get(TenantReceiverChoice, (kind, member_id))
    decision = None if oneself and choice is not None else require(caller.on_tenant(MANAGE))
    member = _member(session, member_id)
    if oneself:
        if choice is not None and not choice.receives:
            return
        session.merge(TenantReceiverChoice(kind=kind, member_id=member_id, receives=False))
    elif choice is not None and choice.receives:
        session.delete(choice)
    elif member.tenant_role in BY_ROLE:
        raise Conflict(f"{member.name} receives this as tenant {member.tenant_role}. Only they can opt out.")
    else:
        return
    session.flush()
    after = {"channel": str(kind), "receives": False}
    _record(session, caller, "remove_notification_receiver", decision, None, after, about_id=member_id)


def _member(session: Session, member_id: UUID) -> Member:
    member = session.get(Member, member_id)
    if member is None or member.state == MemberState.REMOVED:
        raise NotFound("member")
    return member


def _is_added_somewhere(session: Session, caller: Caller) -> bool:
    own = select(TenantReceiverChoice.kind).where(TenantReceiverChoice.member_id == caller.member.id)
    return session.execute(own.limit(1)).first() is not None


def _chosen(kind: ChannelKind, *, receives: bool) -> Any:
    chosen = select(TenantReceiverChoice.member_id).where(TenantReceiverChoice.kind == kind)
    return chosen.where(TenantReceiverChoice.receives.is_(receives))


def _seen(session: Session, caller: Caller, channel: TenantChannel) -> SeenChannel:
    choice = session.get(TenantReceiverChoice, (channel.kind, caller.member.id))
    receives = choice.receives if choice else caller.member.tenant_role in BY_ROLE
    manages = caller.on_tenant(MANAGE).allowed
    actions = [slug(action) for action in (SEE, MANAGE) if caller.on_tenant(action).allowed]
    return SeenChannel(channel, receives, channel.webhook_url if manages else None, actions)


def _said(kind: ChannelKind, values: dict[str, Any]) -> dict[str, Any]:
    """A channel as the audit keeps it: of the web address where it leads, for what follows often is a secret."""
    url = values.get("webhook_url")
    return {"channel": str(kind), **values, **({"webhook_url": f"{_origin(url)}/…"} if url else {})}


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def _record(
    session: Session,
    caller: Caller,
    action: str,
    decision: Decision | None,
    before: dict[str, Any] | None,
    after: dict[str, Any],
    about_id: UUID | None = None,
) -> None:
    caller.record(session, action, "tenant", before=before, after=after, decision=decision, about_id=about_id)
