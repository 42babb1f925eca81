"""`bailiwick notifications`: news of runs that belong to no project, and who receives them."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from bailiwick.cli import find
from bailiwick.cli.command import All, Cursor, Here, Limit, area, command
from bailiwick.cli.output import Columns, print_json

app = area("notifications", "News of runs that belong to no project: which, how late, to whom.")


def channel_named(text: str) -> str:
    kind = text.casefold().replace("-", "_").replace(" ", "_")
    if kind not in ("run_failed", "run_succeeded"):
        raise typer.BadParameter(f"“{text}” is no channel. Choose run-failed or run-succeeded.")
    return kind


Kind = Annotated[str, typer.Argument(metavar="CHANNEL", parser=channel_named, help="run-failed or run-succeeded.")]
CHANNEL: Columns = {
    "Channel": lambda channel: channel["kind"].replace("_", " "),
    "On": "is_on",
    "Delay (minutes)": "delay_minutes",
    "Webhook": "webhook_url",
    "You receive it": "receives",
}


@command(app, "list", routes=["GET /api/v1/tenant/notifications"], examples=["bailiwick notifications list"])
def list_channels(here: Here) -> None:
    """List the tenant's notification channels, and whether you receive them."""
    answer = here.client.get("/tenant/notifications")
    if here.as_json:
        print_json(answer)
    else:
        here.rows(answer["items"], CHANNEL)


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
    kind: Kind,
    on: Annotated[bool | None, typer.Option("--on/--off", help="Whether it is sent at all.")] = None,
    delay: Annotated[int | None, typer.Option(min=0, max=1440, help="Minutes to wait before it is sent.")] = None,
    webhook: Annotated[str | None, typer.Option(metavar="URL", help="A web address that is told as well.")] = None,
    no_webhook: Annotated[bool, typer.Option("--no-webhook", help="Tell no web address any more.")] = False,
) -> None:
    """Set up a notification channel: whether, how late, and to which web address."""
    given = {"is_on": on, "delay_minutes": delay, "webhook_url": webhook}
    changes: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    if no_webhook:
        changes["webhook_url"] = None
    here.show(here.client.patch(f"/tenant/notifications/{kind}", changes), CHANNEL)


@command(
    app,
    "receivers",
    routes=["GET /api/v1/tenant/notifications/{kind}/receivers"],
    examples=["bailiwick notifications receivers run-failed"],
)
def list_receivers(here: Here, kind: Kind, limit: Limit = 50, everything: All = False, cursor: Cursor = None) -> None:
    """List who receives a channel: tenant owners and admins, and whoever was added."""
    here.listing(
        f"/tenant/notifications/{kind}/receivers",
        {"Name": "name", "E-mail": "email", "Tenant role": "tenant_role", "Added by hand": "added"},
        empty="Nobody receives it. Add somebody with: bailiwick notifications receive",
        limit=limit,
        everything=everything,
        cursor=cursor,
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
    kind: Kind,
    member: Annotated[str, typer.Option(metavar="MEMBER", help="Who; without it, yourself.")] = find.ME,
    stop: Annotated[bool, typer.Option("--stop", help="Receive it no longer; that is remembered.")] = False,
) -> None:
    """Receive a channel, or no longer. Owners and admins also add and take off others."""
    path = f"/tenant/notifications/{kind}/receivers/{find.member(here, member)}"
    answer = here.client.delete(path) if stop else here.client.put(path)
    who = "You" if member == find.ME else member
    here.done(answer, f"{who} {'no longer on' if stop else 'now on'} the list of {kind.replace('_', ' ')}.")
