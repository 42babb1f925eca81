"""The tenant's notification channels over HTTP."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Response

from bailiwick.problems import PROBLEMS
from bailiwick.runs import channels
from bailiwick.runs.models import ChannelKind
from bailiwick.runs.schemas.notifications import (
    ChannelChange,
    ChannelOut,
    ChannelsOut,
    TenantReceiversOut,
)
from bailiwick.tenancy.calling import Changing, Reading
from bailiwick.tenancy.listing import Cursor, Limit, PartOfPerson, Sort
from bailiwick.tenancy.versions import IfMatch, tag

router = APIRouter(prefix="/api/v1/tenant/notifications", tags=["tenant"], responses=PROBLEMS)


@router.get("", summary="List the tenant's notification channels")
def list_channels(call: Reading) -> ChannelsOut:
    """News of runs that belong to no project: for owners and admins, and whoever was added."""
    found = channels.list_channels(call.session, call.caller)
    return ChannelsOut(items=[ChannelOut.of(seen) for seen in found])


@router.patch("/{kind}", summary="Set up a channel: whether, how late, to which web address")
def set_channel(
    call: Changing, kind: ChannelKind, body: ChannelChange, response: Response, if_match: IfMatch = None
) -> ChannelOut:
    seen = channels.set_channel(
        call.session, call.caller, kind, body.changes(), if_match=if_match, settings=call.settings
    )
    tag(response, seen.channel.version)
    return ChannelOut.of(seen)


@router.get("/{kind}/receivers", summary="List who receives a channel, by name")
def list_receivers(
    call: Reading,
    kind: ChannelKind,
    search: PartOfPerson = None,
    sort: Sort = "name",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> TenantReceiversOut:
    page = channels.list_receivers(
        call.session, call.caller, kind, search=search, sort=sort, cursor=cursor, limit=limit
    )
    return TenantReceiversOut.of(page)


@router.put("/{kind}/receivers/{member_id}", summary="Add a receiver, or opt in again", status_code=204)
def add_receiver(call: Changing, kind: ChannelKind, member_id: UUID) -> None:
    channels.add_receiver(call.session, call.caller, kind, member_id)


@router.delete("/{kind}/receivers/{member_id}", summary="Take a receiver off, or opt out", status_code=204)
def remove_receiver(call: Changing, kind: ChannelKind, member_id: UUID) -> None:
    channels.remove_receiver(call.session, call.caller, kind, member_id)
