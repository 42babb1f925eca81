"""`bailiwick projects`: projects, their settings, and who has which role in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from bailiwick.cli import find
from bailiwick.cli.command import All, Cursor, Here, Limit, Yes, area, command
from bailiwick.cli.output import Columns, Item, print_json
from bailiwick.cli.roles import complete_role, role_named

app = area("projects", "Projects: people with roles, and what they share.")

Which = Annotated[str, typer.Argument(metavar="PROJECT", help="The project's name or id.")]
Who = Annotated[str, typer.Argument(metavar="MEMBER", help="E-mail address, name or id; “me” is yourself.")]
Group = Annotated[str, typer.Argument(metavar="GROUP", help="The group's name or id.")]
Role = Annotated[
    str,
    typer.Argument(
        metavar="ROLE", parser=role_named, autocompletion=complete_role, help="Admin, Technical User or Business User."
    ),
]


def origins(member: Item) -> str:
    """Where a role comes from, in words."""
    sources: dict[str, Callable[[Item], str]] = {
        "tenant role": lambda _: "inherited from the tenant role",
        "grant": lambda _: "granted",
        "group": lambda origin: (
            f"through the group {origin['group']['name']}" if origin["group"] else "through a group"
        ),
    }
    return "; ".join(f"{origin['role']} {sources[origin['source']](origin)}" for origin in member["origins"])


PROJECT: Columns = {"Name": "name", "Your role": "role", "Description": "description", "Created": "created_at"}
MEMBER: Columns = {"Name": "name", "E-mail": "email", "State": "state", "Role": "role", "From": origins}
SWITCHES: Columns = {
    "Technical Users control all reports": "technical_users_control_all_reports",
    "Ownership adds to availability": "ownership_adds_to_availability",
    "Warnings": "warnings",
}


@command(
    app,
    "list",
    routes=["GET /api/v1/projects"],
    examples=["bailiwick projects list", "bailiwick projects list --search sales --json"],
)
def list_projects(
    here: Here,
    search: Annotated[str | None, typer.Option(help="Part of a name.")] = None,
    limit: Limit = 50,
    everything: All = False,
    cursor: Cursor = None,
) -> None:
    """List the projects you have a role in, by name."""
    here.listing(
        "/projects",
        PROJECT,
        empty="There is none that you may see. A project's members invite you into it; "
        "tenant owners and admins create one with: bailiwick projects create",
        limit=limit,
        everything=everything,
        cursor=cursor,
        search=search,
    )


@command(
    app,
    "show",
    routes=["GET /api/v1/projects/{project_id}"],
    examples=["bailiwick projects show Sales"],
)
def show_project(here: Here, project: Which) -> None:
    """Open a project: your role in it, and what you may do."""
    here.show(here.client.get(f"/projects/{find.project(here, project)}"), {**PROJECT, "Id": "id"})


@command(
    app,
    "create",
    routes=["POST /api/v1/projects"],
    examples=["bailiwick projects create Sales --description 'What the sales team looks at.'"],
)
def create_project(
    here: Here,
    name: Annotated[str, typer.Argument(help="The new project's name.")],
    description: Annotated[str, typer.Option(help="What it is for.")] = "",
) -> None:
    """Create a project. For tenant owners and admins."""
    answer = here.client.post("/projects", {"name": name, "description": description})
    here.done(answer, f"The project {answer['name']} is made. Invite people with: bailiwick projects invite")


@command(
    app,
    "edit",
    routes=["PATCH /api/v1/projects/{project_id}"],
    examples=["bailiwick projects edit Sales --name 'Sales analytics'"],
)
def edit_project(
    here: Here,
    project: Which,
    name: Annotated[str | None, typer.Option(help="The new name.")] = None,
    description: Annotated[str | None, typer.Option(help="The new description.")] = None,
) -> None:
    """Edit a project's name and description."""
    changes = {key: value for key, value in (("name", name), ("description", description)) if value is not None}
    answer = here.client.patch(f"/projects/{find.project(here, project)}", changes)
    here.done(answer, f"The project {answer['name']} is changed.")


@command(
    app,
    "delete",
    routes=["DELETE /api/v1/projects/{project_id}"],
    examples=["bailiwick projects delete Sales"],
)
def delete_project(here: Here, project: Which, yes: Yes = False) -> None:
    """Delete a project with everything in it."""
    seen = find.project_named(here, project)
    here.confirm(f"Delete the project {seen['name']} with everything in it?", yes)
    answer = here.client.delete(f"/projects/{seen['id']}", query={"confirm": seen["name"]}, version=seen["version"])
    here.done(answer, f"The project {seen['name']} is deleted.")


@command(
    app,
    "settings",
    routes=["GET /api/v1/projects/{project_id}/settings", "PATCH /api/v1/projects/{project_id}/settings"],
    examples=[
        "bailiwick projects settings Sales",
        "bailiwick projects settings Sales --technical-users-control-all-reports",
    ],
)
def project_settings(
    here: Here,
    project: Which,
    technical_users_control_all_reports: Annotated[
        bool | None, typer.Option(help="Technical Users control every report they see.")
    ] = None,
    ownership_adds_to_availability: Annotated[
        bool | None, typer.Option(help="A Business Owner who is a Technical User also has what availability gives.")
    ] = None,
) -> None:
    """See a project's two switches, or set those that are given."""
    given = {
        "technical_users_control_all_reports": technical_users_control_all_reports,
        "ownership_adds_to_availability": ownership_adds_to_availability,
    }
    changes = {key: value for key, value in given.items() if value is not None}
    path = f"/projects/{find.project(here, project)}/settings"
    here.show(here.client.patch(path, changes) if changes else here.client.get(path), SWITCHES)


@command(
    app,
    "members",
    routes=["GET /api/v1/projects/{project_id}/members"],
    examples=["bailiwick projects members Sales", "bailiwick projects members Sales --role business --all"],
)
def list_members(
    here: Here,
    project: Which,
    search: Annotated[str | None, typer.Option(help="Part of a name or an e-mail address.")] = None,
    role: Annotated[
        str | None, typer.Option(parser=role_named, autocompletion=complete_role, help="Only this effective role.")
    ] = None,
    state: Annotated[str | None, typer.Option(help="waiting and invited have not joined yet.")] = None,
    limit: Limit = 50,
    everything: All = False,
    cursor: Cursor = None,
) -> None:
    """List everybody with a role in a project, and where the role comes from."""
    here.listing(
        f"/projects/{find.project(here, project)}/members",
        MEMBER,
        empty="Nobody fits. Invite somebody with: bailiwick projects invite",
        limit=limit,
        everything=everything,
        cursor=cursor,
        search=search,
        role=role,
        state=state,
    )


@command(
    app,
    "member",
    routes=["GET /api/v1/projects/{project_id}/members/{member_id}"],
    examples=["bailiwick projects member Sales ada@example.com"],
)
def show_member(here: Here, project: Which, member: Who) -> None:
    """Look at one member of a project, and at every origin of their role."""
    here.show(here.client.get(_member(here, project, member)), {**MEMBER, "Granted here": "granted_role", "Id": "id"})


@command(
    app,
    "invite",
    routes=["POST /api/v1/projects/{project_id}/members"],
    examples=[
        "bailiwick projects invite Sales ada@example.com 'Business User'",
        "bailiwick projects invite Sales new@example.com technical-user --name 'Noor Wahid'",
    ],
)
def invite(
    here: Here,
    project: Which,
    email: Annotated[str, typer.Argument(help="Whom to invite.")],
    role: Role,
    name: Annotated[str | None, typer.Option(help="The name of somebody new.")] = None,
) -> None:
    """Invite somebody into a project. Somebody new may have to wait for an admin's confirmation."""
    body = {"email": email, "role": role, **({"name": name} if name else {})}
    answer = here.client.post(f"/projects/{find.project(here, project)}/members", body)
    told = {
        "waiting": "waits until a tenant owner or admin confirms them.",
        "invited": f"gets a link to join, at {answer['email']}.",
    }
    here.done(answer, _noted(answer, f"{answer['name']} {told.get(answer['state'], f'is {role} here from now on.')}"))


@command(
    app,
    "role",
    routes=["PATCH /api/v1/projects/{project_id}/members/{member_id}"],
    examples=["bailiwick projects role Sales ada@example.com 'Technical User'"],
)
def change_role(here: Here, project: Which, member: Who, role: Role) -> None:
    """Change what a member is granted in a project; an inherited role stays."""
    answer = here.client.patch(_member(here, project, member), {"role": role})
    here.done(answer, _noted(answer, f"The role of {answer['name']} here is {answer['role']}."))


@command(
    app,
    "remove",
    routes=["DELETE /api/v1/projects/{project_id}/members/{member_id}"],
    examples=["bailiwick projects remove Sales ada@example.com"],
)
def remove_member(here: Here, project: Which, member: Who, yes: Yes = False) -> None:
    """Remove a member from a project, not from the tenant."""
    path = _member(here, project, member)
    seen = here.client.get(path)
    here.confirm(f"Remove {seen['name']} ({seen['email']}) from the project {project}?", yes)
    answer = here.client.delete(path, version=seen["version"])
    here.done(answer, _noted(answer, f"{seen['name']} is removed from the project."))


@command(
    app,
    "groups",
    routes=["GET /api/v1/projects/{project_id}/groups"],
    examples=["bailiwick projects groups Sales"],
)
def list_groups(here: Here, project: Which, limit: Limit = 50, everything: All = False, cursor: Cursor = None) -> None:
    """List the groups that were granted a role in a project."""
    here.listing(
        f"/projects/{find.project(here, project)}/groups",
        {"Group": "group", "Role": "role", "Since": lambda grant: grant["granted_at"][:10]},
        empty="No group has a role here. Grant one with: bailiwick projects grant",
        limit=limit,
        everything=everything,
        cursor=cursor,
    )


@command(
    app,
    "grant",
    routes=["PUT /api/v1/projects/{project_id}/groups/{group_id}"],
    examples=["bailiwick projects grant Sales Finance 'Business User'", "bailiwick projects grant Sales All business"],
)
def grant_to_group(here: Here, project: Which, group: Group, role: Role) -> None:
    """Grant a group a role in a project, in place of the one it may have."""
    path = f"/projects/{find.project(here, project)}/groups/{find.group(here, group)}"
    answer = here.client.put(path, {"role": role})
    here.done(answer, f"Everybody in {answer['group']['name']} is at least {answer['role']} here.")


@command(
    app,
    "revoke",
    routes=["DELETE /api/v1/projects/{project_id}/groups/{group_id}"],
    examples=["bailiwick projects revoke Sales Finance"],
)
def revoke_from_group(here: Here, project: Which, group: Group, yes: Yes = False) -> None:
    """Take a group's role in a project."""
    path = f"/projects/{find.project(here, project)}/groups/{find.group(here, group)}"
    here.confirm(f"Take the role of the group {group} in the project {project}?", yes)
    here.done(here.client.delete(path), f"The group {group} has no role in the project any more.")


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


@command(
    app,
    "notifications",
    routes=["GET /api/v1/projects/{project_id}/notifications"],
    examples=["bailiwick projects notifications Sales"],
)
def list_channels(here: Here, project: Which) -> None:
    """List a project's notification channels, and whether you receive them."""
    answer = here.client.get(f"/projects/{find.project(here, project)}/notifications")
    if here.as_json:
        print_json(answer)
    else:
        here.rows(answer["items"], CHANNEL)


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
    answer = here.client.patch(f"/projects/{find.project(here, project)}/notifications/{kind}", changes)
    here.show(answer, CHANNEL)


@command(
    app,
    "receivers",
    routes=["GET /api/v1/projects/{project_id}/notifications/{kind}/receivers"],
    examples=["bailiwick projects receivers Sales run-failed"],
)
def list_receivers(
    here: Here, project: Which, kind: Kind, limit: Limit = 50, everything: All = False, cursor: Cursor = None
) -> None:
    """List who receives a channel: Admins and Technical Users by their role, and whoever was added."""
    here.listing(
        f"/projects/{find.project(here, project)}/notifications/{kind}/receivers",
        {"Name": "name", "E-mail": "email", "Role": "role", "Added by hand": "added"},
        empty="Nobody receives it. Add yourself with: bailiwick projects receive",
        limit=limit,
        everything=everything,
        cursor=cursor,
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
    kind: Kind,
    member: Annotated[str, typer.Option(metavar="MEMBER", help="Who; without it, yourself.")] = find.ME,
    stop: Annotated[bool, typer.Option("--stop", help="Receive it no longer; that is remembered.")] = False,
) -> None:
    """Receive a channel, or no longer. Admins also add and take off others."""
    project_id = find.project(here, project)
    path = f"/projects/{project_id}/notifications/{kind}/receivers/{find.member(here, member, project_id)}"
    answer = here.client.delete(path) if stop else here.client.put(path)
    who = "You" if member == find.ME else member
    here.done(answer, f"{who} {'no longer on' if stop else 'now on'} the list of {kind.replace('_', ' ')}.")


def _member(here: Here, project: str, member: str) -> str:
    project_id = find.project(here, project)
    return f"/projects/{project_id}/members/{find.member(here, member, project_id)}"


def _noted(answer: Item, sentence: str) -> str:
    return f"{sentence}\n{answer['note']}" if answer.get("note") else sentence
