"""`bailiwick members`: the people of the tenant, from invitation to removal."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

import typer

from bailiwick.cli import find
from bailiwick.cli.command import All, Cursor, Here, Limit, SearchPeople, Yes, area, command
from bailiwick.cli.links import Show, with_link
from bailiwick.cli.output import Columns

app = area("members", "The people of the tenant: invite, confirm, give roles, suspend, remove.")

Who = Annotated[str, typer.Argument(metavar="MEMBER", help="E-mail address, name or id; “me” is yourself.")]
TenantRole = Literal["none", "viewer", "editor", "admin", "owner"]
State = Literal["waiting", "invited", "active", "suspended", "removed"]
SortMembers = Annotated[
    Literal["name", "-name", "joined", "-joined"] | None,
    typer.Option("--sort", help="-joined begins with who joined last, -name at the end."),
]


class SecurityRole(StrEnum):
    DATA_ADMIN = "data admin"
    DATA_SPACE_CREATOR = "data space creator"


LISTED: Columns = {
    "Name": "name",
    "E-mail": "email",
    "State": "state",
    "Tenant role": "tenant_role",
    "Security roles": "security_roles",
    "Joined": "joined_at",
}
SHOWN: Columns = {
    **LISTED,
    "Time zone": "time_zone",
    "Groups": "groups",
    "Invited by": "invited_by",
    "Added": "created_at",
    "Id": "id",
}


VIEWED: Columns = {
    "Name": "name",
    "E-mail": "email",
    "Tenant role": "tenant_role",
    "Security roles": "security_roles",
    "Groups": "groups",
    "May in the tenant": lambda member: member["tenant"]["actions"],
    "Ends": "ends_at",
}


@command(
    app,
    "list",
    routes=["GET /api/v1/members"],
    examples=[
        "bailiwick members list",
        "bailiwick members list --state waiting",
        "bailiwick members list --sort -joined",
        "bailiwick members list --all --json",
    ],
)
def list_members(
    here: Here,
    search: SearchPeople = None,
    state: Annotated[State | None, typer.Option(help="Without it: everybody but the removed.")] = None,
    role: Annotated[TenantRole | None, typer.Option(help="Only members with this tenant role.")] = None,
    sort: SortMembers = None,
    limit: Limit = 50,
    everything: All = False,
    cursor: Cursor = None,
) -> None:
    """List the directory, by name or by when they joined. For tenant owners and admins; others see projects members."""
    here.listing(
        "/members",
        LISTED,
        empty="Nobody fits. Add somebody with: bailiwick members add",
        limit=limit,
        everything=everything,
        cursor=cursor,
        search=search,
        sort=sort,
        state=state,
        tenant_role=role,
    )


@command(app, "count", routes=["GET /api/v1/members/counts"], examples=["bailiwick members count"])
def count_members(here: Here) -> None:
    """Count the members in each state."""
    states = ("waiting", "invited", "active", "suspended", "removed")
    here.show(here.client.get("/members/counts"), {state.capitalize(): state for state in states})


@command(
    app,
    "show",
    routes=["GET /api/v1/members/{member_id}"],
    examples=["bailiwick members show ada@example.com", "bailiwick members show me"],
)
def show_member(here: Here, member: Who) -> None:
    """Look at a member, and at what you may do with them."""
    here.show(_read(here, member), SHOWN)


@command(
    app,
    "add",
    routes=["POST /api/v1/members"],
    examples=[
        "bailiwick members add ada@example.com --name 'Ada Lovelace'",
        "bailiwick members add bo@example.com --name 'Bo Lund' --role editor --security-role 'data admin'",
        "bailiwick members add cy@example.com --name 'Cy Young' --show",
    ],
)
def add_member(
    here: Here,
    email: Annotated[str, typer.Argument(help="Their e-mail address; the link to join goes there.")],
    name: Annotated[str, typer.Option(prompt="Their name", help="Their name.")],
    role: Annotated[TenantRole, typer.Option(help="Their tenant role.")] = "none",
    security_role: Annotated[list[SecurityRole] | None, typer.Option(help="A security role; may be repeated.")] = None,
    show: Show = False,
) -> None:
    """Add somebody to the tenant. They get a link to join, at their own address."""
    body = {"email": email, "name": name, "tenant_role": role, "security_roles": security_role or []}
    added = here.client.post("/members", {**body, "show": show})
    here.done(added, with_link(added, f"{added['name']} is invited. {added['detail']}"))


@command(
    app,
    "confirm",
    routes=["POST /api/v1/members/{member_id}/confirm"],
    examples=["bailiwick members confirm ada@example.com"],
)
def confirm_member(here: Here, member: Who, show: Show = False) -> None:
    """Confirm a newcomer whom a project member invited: now they get their link to join."""
    changed = here.client.post(f"/members/{find.member(here, member)}/confirm", {"show": show})
    here.done(changed, with_link(changed, f"{changed['name']} is confirmed. {changed['detail']}"))


@command(
    app,
    "decline",
    routes=["POST /api/v1/members/{member_id}/decline"],
    examples=["bailiwick members decline ada@example.com"],
)
def decline_member(here: Here, member: Who, yes: Yes = False) -> None:
    """Do not let a newcomer in; whoever invited them is told."""
    seen = _read(here, member)
    here.confirm(f"Decline {_named(seen)}?", yes)
    answer = here.client.post(f"/members/{seen['id']}/decline", version=seen["version"])
    here.done(answer, f"{seen['name']} is declined, and whoever invited them is told.")


@command(
    app,
    "resend",
    routes=["POST /api/v1/members/{member_id}/resend-invitation"],
    examples=["bailiwick members resend ada@example.com", "bailiwick members resend ada@example.com --show"],
)
def resend_invitation(here: Here, member: Who, show: Show = False) -> None:
    """Send an invitation again, with a new link; the old one stops working."""
    answer = here.client.post(f"/members/{find.member(here, member)}/resend-invitation", {"show": show})
    here.done(answer, with_link(answer, f"The link that was sent before stops working. {answer['detail']}"))


@command(
    app,
    "withdraw",
    routes=["POST /api/v1/members/{member_id}/withdraw-invitation"],
    examples=["bailiwick members withdraw ada@example.com"],
)
def withdraw_invitation(here: Here, member: Who, yes: Yes = False) -> None:
    """Withdraw an invitation: the link that was sent stops working at once."""
    seen = _read(here, member)
    here.confirm(f"Withdraw the invitation of {_named(seen)}?", yes)
    answer = here.client.post(f"/members/{seen['id']}/withdraw-invitation", version=seen["version"])
    here.done(answer, f"The invitation of {seen['name']} is withdrawn.")


@command(
    app,
    "role",
    routes=["PUT /api/v1/members/{member_id}/tenant-role"],
    examples=["bailiwick members role ada@example.com editor"],
)
def change_tenant_role(
    here: Here, member: Who, role: Annotated[TenantRole, typer.Argument(help="The new tenant role.")]
) -> None:
    """Change a member's tenant role. Nobody changes their own; owners are made by owners."""
    answer = here.client.put(f"/members/{find.member(here, member)}/tenant-role", {"tenant_role": role})
    here.done(answer, f"The tenant role of {answer['name']} is {answer['tenant_role']}.")


@command(
    app,
    "security-roles",
    routes=["PUT /api/v1/members/{member_id}/security-roles"],
    examples=[
        "bailiwick members security-roles ada@example.com 'data admin' 'data space creator'",
        "bailiwick members security-roles ada@example.com",
    ],
)
def grant_security_roles(
    here: Here,
    member: Who,
    roles: Annotated[
        list[SecurityRole] | None, typer.Argument(help="Exactly these from now on; none takes all.")
    ] = None,
) -> None:
    """Give a member exactly these security roles."""
    answer = here.client.put(f"/members/{find.member(here, member)}/security-roles", {"security_roles": roles or []})
    held = " and ".join(answer["security_roles"]) or "none"
    here.done(answer, f"The security roles of {answer['name']}: {held}.")


@command(
    app,
    "suspend",
    routes=["POST /api/v1/members/{member_id}/suspend"],
    examples=["bailiwick members suspend ada@example.com"],
)
def suspend_member(here: Here, member: Who, yes: Yes = False) -> None:
    """Shut a member out at once: sessions and links end, tokens stop until they are reactivated."""
    seen = _read(here, member)
    here.confirm(f"Suspend {_named(seen)}? They are shut out at once.", yes)
    answer = here.client.post(f"/members/{seen['id']}/suspend", version=seen["version"])
    here.done(answer, f"{seen['name']} is suspended. Let them in again with: bailiwick members reactivate")


@command(
    app,
    "reactivate",
    routes=["POST /api/v1/members/{member_id}/reactivate"],
    examples=["bailiwick members reactivate ada@example.com"],
)
def reactivate_member(here: Here, member: Who) -> None:
    """Let a suspended member in again, with the roles they had."""
    answer = here.client.post(f"/members/{find.member(here, member)}/reactivate")
    here.done(answer, f"{answer['name']} is active again.")


@command(
    app,
    "remove",
    routes=["DELETE /api/v1/members/{member_id}"],
    examples=["bailiwick members remove ada@example.com", "bailiwick members remove ada@example.com --yes"],
)
def remove_member(here: Here, member: Who, yes: Yes = False) -> None:
    """Remove a member from the tenant, with every role, grant, group, session and token."""
    seen = _read(here, member)
    here.confirm(f"Remove {_named(seen)} from the tenant, with every role, grant and token?", yes)
    answer = here.client.delete(f"/members/{seen['id']}", version=seen["version"])
    here.done(answer, f"{seen['name']} is removed. The audit still names them.")


@command(
    app,
    "link",
    routes=["POST /api/v1/members/{member_id}/links"],
    examples=["bailiwick members link ada@example.com", "bailiwick members link ada@example.com --show"],
)
def make_magic_link(here: Here, member: Who, show: Show = False) -> None:
    """Send a member a link to sign in; it works once, for an hour."""
    _make_link(here, member, "sign_in", show)


@command(
    app,
    "reset-password",
    routes=["POST /api/v1/members/{member_id}/links"],
    examples=["bailiwick members reset-password ada@example.com"],
)
def reset_password(here: Here, member: Who, show: Show = False, yes: Yes = False) -> None:
    """Reset a member's password: their sessions end at once, and a link to set a new one is sent."""
    seen = _read(here, member)
    here.confirm(f"Reset the password of {_named(seen)}? All their sessions end.", yes)
    _make_link(here, seen["id"], "reset_password", show)


@command(
    app,
    "view-as",
    routes=["POST /api/v1/view-as"],
    examples=["bailiwick members view-as ada@example.com"],
)
def view_as(here: Here, member: Who) -> None:
    """Begin to view as a member, for an hour: who they are, and what they may do in the tenant.

    To see what they see, give --as before any command that reads: bailiwick --as ada@example.com tables list.
    Nothing can be changed that way, and it is on record, for them too."""
    begun = here.client.post("/view-as", {"member_id": find.member(here, member)})
    if here.as_json:
        here.done(begun, "")
        return
    told = {**begun["member"], "ends_at": begun["ends_at"]}
    told.pop("actions")  # theirs, and not what you may do
    here.show(told, VIEWED)
    here.say(f"See what they see with: bailiwick --as {begun['member']['email']} …")


@command(
    app,
    "stop-viewing",
    routes=["DELETE /api/v1/view-as"],
    examples=["bailiwick members stop-viewing"],
)
def stop_viewing(here: Here) -> None:
    """End viewing as others, before the hour is over."""
    here.done(here.client.delete("/view-as"), "You view as nobody any more.")


def _make_link(here: Here, member: str, purpose: str, show: bool) -> None:
    answer = here.client.post(f"/members/{find.member(here, member)}/links", {"purpose": purpose, "show": show})
    here.done(answer, with_link(answer, answer["detail"]))


def _read(here: Here, member: str) -> dict[str, Any]:
    seen: dict[str, Any] = here.client.get(f"/members/{find.member(here, member)}")
    return seen


def _named(member: dict[str, Any]) -> str:
    return f"{member['name']} ({member['email']})"
