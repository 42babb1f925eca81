"""`bailiwick projects`: who has which role in a project, by invitation, grant or group."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from bailiwick.cli import find
from bailiwick.cli.command import All, Cursor, Here, Limit, Search, SearchPeople, Sort, Yes, command
from bailiwick.cli.expiry import For, ForGood, Until, end_at, other_end
from bailiwick.cli.links import Show, with_link
from bailiwick.cli.output import Columns, Item
from bailiwick.cli.roles import complete_role, role_named
from bailiwick.projects.commands.projects import Which, app

Who = Annotated[str, typer.Argument(metavar="MEMBER", help="E-mail address, name or id; “me” is yourself.")]
Group = Annotated[str, typer.Argument(metavar="GROUP", help="The group's name or id.")]
Role = Annotated[
    str,
    typer.Argument(
        metavar="ROLE", parser=role_named, autocompletion=complete_role, help="Admin, Technical User or Business User."
    ),
]
OtherRole = Annotated[
    str | None,
    typer.Argument(
        metavar="[ROLE]", parser=role_named, autocompletion=complete_role, help="Another role; without it, it stays."
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

    def end(origin: Item) -> str:
        return f" until {origin['expires_at'][:10]}" if origin["expires_at"] else ""

    return "; ".join(
        f"{origin['role']} {sources[origin['source']](origin)}{end(origin)}" for origin in member["origins"]
    )


MEMBER: Columns = {"Name": "name", "E-mail": "email", "State": "state", "Role": "role", "From": origins}


@command(
    app,
    "members",
    routes=["GET /api/v1/projects/{project_id}/members"],
    examples=["bailiwick projects members Sales", "bailiwick projects members Sales --role business --all"],
)
def list_members(
    here: Here,
    project: Which,
    search: SearchPeople = None,
    role: Annotated[
        str | None, typer.Option(parser=role_named, autocompletion=complete_role, help="Only this effective role.")
    ] = None,
    state: Annotated[str | None, typer.Option(help="waiting and invited have not joined yet.")] = None,
    sort: Sort = None,
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
        sort=sort,
    )


@command(
    app,
    "member",
    routes=["GET /api/v1/projects/{project_id}/members/{member_id}"],
    examples=["bailiwick projects member Sales ada@example.com"],
)
def show_member(here: Here, project: Which, member: Who) -> None:
    """Look at one member of a project, and at every origin of their role."""
    granted: Columns = {"Granted here": "granted_role", "Until": "expires_at"}
    here.show(here.client.get(_member(here, project, member)), {**MEMBER, **granted, "Id": "id"})


@command(
    app,
    "of",
    routes=["GET /api/v1/members/{member_id}/projects"],
    examples=["bailiwick projects of ada@example.com", "bailiwick projects of me --all --json"],
)
def list_projects_of(
    here: Here,
    member: Who,
    search: Search = None,
    sort: Sort = None,
    limit: Limit = 50,
    everything: All = False,
    cursor: Cursor = None,
) -> None:
    """List the projects somebody is in and you are too, with their role and where it comes from."""
    here.listing(
        f"/members/{find.member(here, member)}/projects",
        {"Project": "project", "Role": lambda one: one["there"]["role"], "From": lambda one: origins(one["there"])},
        empty="They are in no project that you see. Invite them with: bailiwick projects invite",
        limit=limit,
        everything=everything,
        cursor=cursor,
        search=search,
        sort=sort,
    )


@command(
    app,
    "invite",
    routes=["POST /api/v1/projects/{project_id}/members"],
    examples=[
        "bailiwick projects invite Sales ada@example.com 'Business User'",
        "bailiwick projects invite Sales new@example.com technical-user --name 'Noor Wahid' --for 30d",
        "bailiwick projects invite Sales new@example.com 'Business User' --show",
    ],
)
def invite(
    here: Here,
    project: Which,
    email: Annotated[str, typer.Argument(help="Whom to invite.")],
    role: Role,
    name: Annotated[str | None, typer.Option(help="The name of somebody new.")] = None,
    days: For = None,
    until: Until = None,
    show: Show = False,
) -> None:
    """Invite somebody into a project. Somebody new may have to wait for an admin's confirmation."""
    body = {"email": email, "role": role, "expires_at": end_at(here, days, until), **({"name": name} if name else {})}
    answer = here.client.post(f"/projects/{find.project(here, project)}/members", {**body, "show": show})
    told = {
        "waiting": "waits until a tenant owner or admin confirms them.",
        "invited": "is invited.",
    }
    said = f"{answer['name']} {told.get(answer['state'], f'is {role} here from now on.')}"
    here.done(answer, with_link(answer, _noted(answer, said)))


@command(
    app,
    "role",
    routes=["PATCH /api/v1/projects/{project_id}/members/{member_id}"],
    examples=[
        "bailiwick projects role Sales ada@example.com 'Technical User'",
        "bailiwick projects role Sales ada@example.com --for 30d",
        "bailiwick projects role Sales ada@example.com --for-good",
    ],
)
def change_role(
    here: Here,
    project: Which,
    member: Who,
    role: OtherRole = None,
    days: For = None,
    until: Until = None,
    for_good: ForGood = False,
) -> None:
    """Change what a member is granted in a project, or when it ends; an inherited role stays."""
    body = {**({} if role is None else {"role": role}), **other_end(here, days, until, for_good)}
    answer = here.client.patch(_member(here, project, member), body)
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
def list_groups(
    here: Here,
    project: Which,
    search: Search = None,
    sort: Sort = None,
    limit: Limit = 50,
    everything: All = False,
    cursor: Cursor = None,
) -> None:
    """List the groups that were granted a role in a project."""
    here.listing(
        f"/projects/{find.project(here, project)}/groups",
        {"Group": "group", "Role": "role", "Since": lambda grant: grant["granted_at"][:10], "Until": "expires_at"},
        empty="No group has a role here. Grant one with: bailiwick projects grant",
        limit=limit,
        everything=everything,
        cursor=cursor,
        search=search,
        sort=sort,
    )


@command(
    app,
    "grant",
    routes=["PUT /api/v1/projects/{project_id}/groups/{group_id}"],
    examples=[
        "bailiwick projects grant Sales Finance 'Business User'",
        "bailiwick projects grant Sales All business --for 30d",
    ],
)
def grant_to_group(
    here: Here,
    project: Which,
    group: Group,
    role: Role,
    days: For = None,
    until: Until = None,
    for_good: ForGood = False,
) -> None:
    """Grant a group a role in a project, in place of the one it may have. Without a word about it, an end stays."""
    path = f"/projects/{find.project(here, project)}/groups/{find.group(here, group)}"
    answer = here.client.put(path, {"role": role, **other_end(here, days, until, for_good)})
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


def _member(here: Here, project: str, member: str) -> str:
    project_id = find.project(here, project)
    return f"/projects/{project_id}/members/{find.member(here, member, project_id)}"


def _noted(answer: Item, sentence: str) -> str:
    return f"{sentence}\n{answer['note']}" if answer.get("note") else sentence
