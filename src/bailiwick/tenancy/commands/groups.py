"""`bailiwick groups`: members who are granted things together."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from bailiwick.cli import find
from bailiwick.cli.command import All, Cursor, Here, Limit, Search, SearchPeople, Sort, Yes, area, command
from bailiwick.cli.output import Columns, print_json
from bailiwick.cli.text import printable, words

app = area("groups", "Groups hold members, so that they can be granted things together.")

Which = Annotated[str, typer.Argument(metavar="GROUP", help="The group's name or id.")]
People = Annotated[list[str], typer.Argument(metavar="MEMBER...", help="E-mail addresses, names or ids.")]

LISTED: Columns = {"Name": "name", "Members": "size", "Description": "description"}
PERSON: Columns = {"Name": "name", "E-mail": "email", "State": "state"}


@command(
    app,
    "list",
    routes=["GET /api/v1/groups"],
    examples=["bailiwick groups list", "bailiwick groups list --search fin --json"],
)
def list_groups(
    here: Here,
    search: Search = None,
    sort: Sort = None,
    limit: Limit = 50,
    everything: All = False,
    cursor: Cursor = None,
) -> None:
    """List groups, by name."""
    here.listing(
        "/groups",
        LISTED,
        empty="No group fits. Create one with: bailiwick groups create",
        limit=limit,
        everything=everything,
        cursor=cursor,
        search=search,
        sort=sort,
    )


@command(
    app,
    "show",
    routes=["GET /api/v1/groups/{group_id}"],
    examples=["bailiwick groups show Finance"],
)
def show_group(here: Here, group: Which) -> None:
    """Look at a group, and at what you may do with it."""
    here.show(here.client.get(f"/groups/{find.group(here, group)}"), {**LISTED, "Id": "id"})


@command(
    app,
    "create",
    routes=["POST /api/v1/groups"],
    examples=["bailiwick groups create Finance --description 'Everybody who closes the books.'"],
)
def create_group(
    here: Here,
    name: Annotated[str, typer.Argument(help="The new group's name.")],
    description: Annotated[str, typer.Option(help="What it is for.")] = "",
) -> None:
    """Create a group."""
    answer = here.client.post("/groups", {"name": name, "description": description})
    here.done(answer, f"The group {answer['name']} is made. Put people into it with: bailiwick groups put")


@command(
    app,
    "edit",
    routes=["PATCH /api/v1/groups/{group_id}"],
    examples=["bailiwick groups edit Finance --name 'Finance and control'"],
)
def edit_group(
    here: Here,
    group: Which,
    name: Annotated[str | None, typer.Option(help="The new name.")] = None,
    description: Annotated[str | None, typer.Option(help="The new description.")] = None,
) -> None:
    """Edit a group's name and description."""
    changes = {key: value for key, value in (("name", name), ("description", description)) if value is not None}
    answer = here.client.patch(f"/groups/{find.group(here, group)}", changes)
    here.done(answer, f"The group {answer['name']} is changed.")


@command(
    app,
    "delete",
    routes=["DELETE /api/v1/groups/{group_id}"],
    examples=["bailiwick groups delete Finance"],
)
def delete_group(here: Here, group: Which, yes: Yes = False) -> None:
    """Delete a group, once you have seen which grants would fall away with it."""
    seen = find.group_named(here, group)
    grants = here.client.get(f"/groups/{seen['id']}/grants")["items"]
    if not yes:
        for grant in grants:
            typer.echo(printable(f"  falls away: {_described(grant)}"), err=True)
    here.confirm(f"Delete the group {seen['name']}?", yes)
    answer = here.client.delete(f"/groups/{seen['id']}", query={"confirm": seen["name"]}, version=seen["version"])
    here.done(answer, f"The group {seen['name']} is deleted, and {len(answer['items'])} grants with it.")


@command(
    app,
    "grants",
    routes=["GET /api/v1/groups/{group_id}/grants"],
    examples=["bailiwick groups grants Finance"],
)
def list_group_grants(here: Here, group: Which) -> None:
    """See what a group was granted, and would take along."""
    answer = here.client.get(f"/groups/{find.group(here, group)}/grants")
    if here.as_json:
        print_json(answer)
        return
    here.rows(answer["items"], {"Grant": _described}, "It was granted nothing yet.")


@command(
    app,
    "given",
    routes=["GET /api/v1/groups/given"],
    examples=["bailiwick groups given"],
)
def list_given(here: Here, limit: Limit = 50) -> None:
    """See what you have by being in a group, the latest first."""
    answer = here.client.get("/groups/given", limit=limit)
    if here.as_json:
        print_json(answer)
        return
    columns: Columns = {
        **{"Group": "group", "Given": "given", "On": lambda one: f"{one['resource_type']} {one['resource_name']}"},
        **{"By": "by", "When": "at", "Until": "expires_at"},
    }
    here.rows(answer["items"], columns, "Your groups were given nothing yet.")


@command(
    app,
    "members",
    routes=["GET /api/v1/groups/{group_id}/members"],
    examples=["bailiwick groups members Finance", "bailiwick groups members Finance --all --json"],
)
def list_group_members(
    here: Here,
    group: Which,
    search: SearchPeople = None,
    sort: Sort = None,
    limit: Limit = 50,
    everything: All = False,
    cursor: Cursor = None,
) -> None:
    """List who is in a group. For its members, and for tenant owners and admins."""
    here.listing(
        f"/groups/{find.group(here, group)}/members",
        PERSON,
        empty="Nobody is in it yet. Put people into it with: bailiwick groups put",
        limit=limit,
        everything=everything,
        cursor=cursor,
        search=search,
        sort=sort,
    )


@command(
    app,
    "put",
    routes=["POST /api/v1/groups/{group_id}/members"],
    examples=["bailiwick groups put Finance ada@example.com bo@example.com"],
)
def put_into_group(here: Here, group: Which, members: People) -> None:
    """Put members into a group; who is in it already stays."""
    ids = [find.member(here, member) for member in members]
    answer = here.client.post(f"/groups/{find.group(here, group)}/members", {"member_ids": ids})
    here.done(
        answer, f"{len(answer['added'])} came into the group; {len(set(ids)) - len(answer['added'])} were in it before."
    )


@command(
    app,
    "take",
    routes=["POST /api/v1/groups/{group_id}/members/remove", "DELETE /api/v1/groups/{group_id}/members/{member_id}"],
    examples=["bailiwick groups take Finance ada@example.com"],
)
def take_out_of_group(here: Here, group: Which, members: People) -> None:
    """Take members out of a group."""
    ids = [find.member(here, member) for member in members]
    group_id = find.group(here, group)
    if len(ids) == 1:
        here.client.delete(f"/groups/{group_id}/members/{ids[0]}")
        answer: dict[str, Any] = {"removed": ids}
    else:
        answer = here.client.post(f"/groups/{group_id}/members/remove", {"member_ids": ids})
    here.done(answer, f"{len(answer['removed'])} left the group.")


def _described(grant: Any) -> str:
    return ", ".join(f"{words(key)} {value}" for key, value in grant.items() if value and not key.endswith("_id"))
