"""Notification channels at the terminal: what the tenant's commands and a project's share."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from bailiwick.cli import find
from bailiwick.cli.command import Here
from bailiwick.cli.output import Columns, print_json


def channel_named(text: str) -> str:
    kind = text.casefold().replace("-", "_").replace(" ", "_")
    if kind not in ("run_failed", "run_succeeded"):
        raise typer.BadParameter(f"“{text}” is no channel. Choose run-failed or run-succeeded.")
    return kind


Kind = Annotated[str, typer.Argument(metavar="CHANNEL", parser=channel_named, help="run-failed or run-succeeded.")]
On = Annotated[bool | None, typer.Option("--on/--off", help="Whether it is sent at all.")]
Delay = Annotated[int | None, typer.Option(min=0, max=1440, help="Minutes to wait before it is sent.")]
Webhook = Annotated[str | None, typer.Option(metavar="URL", help="A web address that is told as well.")]
NoWebhook = Annotated[bool, typer.Option("--no-webhook", help="Tell no web address any more.")]
Receiver = Annotated[str, typer.Option("--member", metavar="MEMBER", help="Who; without it, yourself.")]
Stop = Annotated[bool, typer.Option("--stop", help="Receive it no longer; that is remembered.")]
CHANNEL: Columns = {
    "Channel": lambda channel: channel["kind"].replace("_", " "),
    "On": "is_on",
    "Delay (minutes)": "delay_minutes",
    "Webhook": "webhook_url",
    "You receive it": "receives",
}


def show_channels(here: Here, path: str) -> None:
    answer = here.client.get(path)
    if here.as_json:
        print_json(answer)
    else:
        here.rows(answer["items"], CHANNEL)


def change_channel(
    here: Here, path: str, on: bool | None, delay: int | None, webhook: str | None, no_webhook: bool
) -> None:
    given = {"is_on": on, "delay_minutes": delay, "webhook_url": webhook}
    changes: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    if no_webhook:
        changes["webhook_url"] = None
    here.show(here.client.patch(path, changes), CHANNEL)


def change_receiver(here: Here, path: str, kind: str, member: str, stop: bool) -> None:
    answer = here.client.delete(path) if stop else here.client.put(path)
    who = "You" if member == find.ME else member
    here.done(answer, f"{who} {'no longer on' if stop else 'now on'} the list of {kind.replace('_', ' ')}.")
