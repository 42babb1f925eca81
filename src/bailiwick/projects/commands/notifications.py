"""`bailiwick projects`: a project's notification channels, and who receives them."""

from __future__ import annotations

from bailiwick.cli import channels, find
from bailiwick.cli.command import All, Cursor, Here, Limit, SearchPeople, Sort, command
from bailiwick.projects.commands.projects import Which, app


@command(
    app,
    "notifications",
    routes=["GET /api/v1/projects/{project_id}/notifications"],
    examples=["bailiwick projects notifications Sales"],
)
def list_channels(here: Here, project: Which) -> None:
    """List a project's notification channels, and whether you receive them."""
    channels.show_channels(here, f"/projects/{find.project(here, project)}/notifications")


@command(
    app,
    "channel",
    routes=["PATCH /api/v1/projects/{project_id}/notifications/{kind}"],
    examples=[
        "bailiwick projects channel Sales run-succeeded --on --delay 15",
        "bailiwick projects channel Sales run-failed --webhook https://example.com/hook",
        "bailiwick projects channel Sales run-failed --no-webhook",
    ],
)
def set_channel(
    here: Here,
    project: Which,
    kind: channels.Kind,
    on: channels.On = None,
    delay: channels.Delay = None,
    webhook: channels.Webhook = None,
    no_webhook: channels.NoWebhook = False,
) -> None:
    """Set up a notification channel: whether, how late, and to which web address."""
    path = f"/projects/{find.project(here, project)}/notifications/{kind}"
    channels.change_channel(here, path, on, delay, webhook, no_webhook)


@command(
    app,
    "receivers",
    routes=["GET /api/v1/projects/{project_id}/notifications/{kind}/receivers"],
    examples=["bailiwick projects receivers Sales run-failed"],
)
def list_receivers(
    here: Here,
    project: Which,
    kind: channels.Kind,
    search: SearchPeople = None,
    sort: Sort = None,
    limit: Limit = 50,
    everything: All = False,
    cursor: Cursor = None,
) -> None:
    """List who receives a channel: Admins and Technical Users by their role, and whoever was added."""
    here.listing(
        f"/projects/{find.project(here, project)}/notifications/{kind}/receivers",
        {"Name": "name", "E-mail": "email", "Role": "role", "Added by hand": "added"},
        empty="Nobody receives it. Add yourself with: bailiwick projects receive",
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
        "PUT /api/v1/projects/{project_id}/notifications/{kind}/receivers/{member_id}",
        "DELETE /api/v1/projects/{project_id}/notifications/{kind}/receivers/{member_id}",
    ],
    examples=[
        "bailiwick projects receive Sales run-failed",
        "bailiwick projects receive Sales run-failed --stop",
        "bailiwick projects receive Sales run-failed --member bo@example.com",
    ],
)
def receive(
    here: Here,
    project: Which,
    kind: channels.Kind,
    member: channels.Receiver = find.ME,
    stop: channels.Stop = False,
) -> None:
    """Receive a channel, or no longer. Admins also add and take off others."""
    project_id = find.project(here, project)
    path = f"/projects/{project_id}/notifications/{kind}/receivers/{find.member(here, member, project_id)}"
    channels.change_receiver(here, path, kind, member, stop)
