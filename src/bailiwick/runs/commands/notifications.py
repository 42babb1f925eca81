"""`bailiwick notifications`: news of runs that belong to no project, and who receives them."""

from __future__ import annotations

from bailiwick.cli import channels, find
from bailiwick.cli.command import All, Cursor, Here, Limit, SearchPeople, Sort, area, command

app = area("notifications", "News of runs that belong to no project: which, how late, to whom.")


@command(app, "list", routes=["GET /api/v1/tenant/notifications"], examples=["bailiwick notifications list"])
def list_channels(here: Here) -> None:
    """List the tenant's notification channels, and whether you receive them."""
    channels.show_channels(here, "/tenant/notifications")


@command(
    app,
    "channel",
    routes=["PATCH /api/v1/tenant/notifications/{kind}"],
    examples=[
        "bailiwick notifications channel run-succeeded --on --delay 15",
        "bailiwick notifications channel run-failed --webhook https://example.com/hook",
        "bailiwick notifications channel run-failed --no-webhook",
    ],
)
def set_channel(
    here: Here,
    kind: channels.Kind,
    on: channels.On = None,
    delay: channels.Delay = None,
    webhook: channels.Webhook = None,
    no_webhook: channels.NoWebhook = False,
) -> None:
    """Set up a notification channel: whether, how late, and to which web address."""
    channels.change_channel(here, f"/tenant/notifications/{kind}", on, delay, webhook, no_webhook)


@command(
    app,
    "receivers",
    routes=["GET /api/v1/tenant/notifications/{kind}/receivers"],
    examples=["bailiwick notifications receivers run-failed"],
)
def list_receivers(
    here: Here,
    kind: channels.Kind,
    search: SearchPeople = None,
    sort: Sort = None,
    limit: Limit = 50,
    everything: All = False,
    cursor: Cursor = None,
) -> None:
    """List who receives a channel: tenant owners and admins, and whoever was added."""
    here.listing(
        f"/tenant/notifications/{kind}/receivers",
        {"Name": "name", "E-mail": "email", "Tenant role": "tenant_role", "Added by hand": "added"},
        empty="Nobody receives it. Add somebody with: bailiwick notifications receive",
        limit=limit,
        everything=everything,
        cursor=cursor,
        search=search,
        sort=sort,
    )


@command(
    app,
    "receive",
    routes=[
        "PUT /api/v1/tenant/notifications/{kind}/receivers/{member_id}",
        "DELETE /api/v1/tenant/notifications/{kind}/receivers/{member_id}",
    ],
    examples=[
        "bailiwick notifications receive run-failed --stop",
        "bailiwick notifications receive run-failed --member bo@example.com",
    ],
)
def receive(
    here: Here,
    kind: channels.Kind,
    member: channels.Receiver = find.ME,
    stop: channels.Stop = False,
) -> None:
    """Receive a channel, or no longer. Owners and admins also add and take off others."""
    path = f"/tenant/notifications/{kind}/receivers/{find.member(here, member)}"
    channels.change_receiver(here, path, kind, member, stop)
