"""`bailiwick sessions` and `bailiwick tokens`: where you are signed in, and the keys of your programs."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

import typer

from bailiwick.cli import find
from bailiwick.cli.command import All, Cursor, Here, Limit, Search, Yes, area, command
from bailiwick.cli.expiry import For
from bailiwick.cli.failures import Failure
from bailiwick.cli.output import Columns, print_json

sessions = area("sessions", "Where you are signed in: browsers and command lines.")
tokens = area("tokens", "API tokens: the keys of your programs. They can do what you can, and never more.")

Of = Annotated[str | None, typer.Option("--of", metavar="MEMBER", help="Somebody else, for owners and admins.")]
SessionSort = Annotated[
    Literal["created", "-created", "seen", "-seen"] | None,
    typer.Option("--sort", help="With - the latest is first."),
]
TokenSort = Annotated[
    Literal["created", "-created", "name", "-name", "used", "-used"] | None,
    typer.Option("--sort", help="With - it begins at the other end."),
]
TokenId = Annotated[str, typer.Argument(metavar="TOKEN", help="The token's id or name.")]

SESSION: Columns = {
    "Program": "client",
    "From": "address",
    "Signed in": "created_at",
    "Last seen": "last_seen_at",
    "Ends": "expires_at",
    "This one": "current",
    "Id": "id",
}
TOKEN: Columns = {
    "Name": "name",
    "Begins with": "hint",
    "Read-only": "read_only",
    "Tables": lambda token: "all" if token["tables"] is None else len(token["tables"]),
    "Made": "created_at",
    "Last used": "last_used_at",
    "Expires": "expires_at",
    "Id": "id",
}


@command(
    sessions,
    "list",
    routes=["GET /api/v1/sessions"],
    examples=["bailiwick sessions list", "bailiwick sessions list --json"],
)
def list_sessions(
    here: Here,
    search: Annotated[
        str | None, typer.Option("--search", metavar="TEXT", help="Part of the program's name or its address.")
    ] = None,
    sort: SessionSort = None,
    limit: Limit = 50,
    everything: All = False,
    cursor: Cursor = None,
) -> None:
    """List where you are signed in, newest first."""
    here.listing(
        "/sessions",
        SESSION,
        empty="You are signed in nowhere; you came with a token.",
        limit=limit,
        everything=everything,
        cursor=cursor,
        search=search,
        sort=sort,
    )


@command(
    sessions,
    "end",
    routes=["DELETE /api/v1/sessions/{session_id}"],
    examples=["bailiwick sessions end 01980000-0000-7000-8000-000000000001"],
)
def end_session(here: Here, session: Annotated[UUID, typer.Argument(help="The session's id.")]) -> None:
    """End one of your sessions."""
    here.done(here.client.delete(f"/sessions/{session}"), "The session has ended.")


@command(
    sessions,
    "end-others",
    routes=["DELETE /api/v1/sessions"],
    examples=["bailiwick sessions end-others"],
)
def end_other_sessions(here: Here, yes: Yes = False) -> None:
    """End all your sessions but this one."""
    here.confirm("End all your other sessions?", yes)
    answer = here.client.delete("/sessions")
    here.done(answer, f"{answer['ended']} sessions have ended.")


@command(
    tokens,
    "list",
    routes=["GET /api/v1/tokens", "GET /api/v1/members/{member_id}/tokens"],
    examples=["bailiwick tokens list", "bailiwick tokens list --of ada@example.com"],
)
def list_tokens(
    here: Here,
    of: Of = None,
    search: Search = None,
    sort: TokenSort = None,
    limit: Limit = 50,
    everything: All = False,
    cursor: Cursor = None,
) -> None:
    """List your tokens, or as a tenant owner or admin those of a member."""
    here.listing(
        _path(here, of),
        TOKEN,
        empty="There is none. Make one with: bailiwick tokens create",
        limit=limit,
        everything=everything,
        cursor=cursor,
        search=search,
        sort=sort,
    )


@command(
    tokens,
    "create",
    routes=["POST /api/v1/tokens"],
    examples=[
        "bailiwick tokens create 'nightly report' --read-only --for 90d",
        "bailiwick tokens create 'orders only' --table raw.orders",
        "export BAILIWICK_TOKEN=$(bailiwick tokens create ci --json | jq -r .secret)",
    ],
)
def create_token(
    here: Here,
    name: Annotated[str, typer.Argument(help="What it is for.")],
    read_only: Annotated[bool, typer.Option("--read-only", help="It can look, and change nothing.")] = False,
    table: Annotated[
        list[str] | None, typer.Option(metavar="LAYER.TABLE", help="Only this lakehouse table; may be repeated.")
    ] = None,
    days: For = None,
) -> None:
    """Make a token. It is shown once; keep it where your program finds it."""
    body = {
        "name": name,
        "read_only": read_only,
        "tables": [find.table(here, name) for name in table] if table else None,
        "expires_in_days": None if days is None else _whole(days),
    }
    answer = here.client.post("/tokens", {key: value for key, value in body.items() if value is not None})
    if here.as_json:
        print_json(answer)
    else:
        here.say(f"The token {answer['name']}, shown this once:\n\n  {answer['secret']}\n")
        here.say("A program sends it as “Authorization: Bearer …”; this command line takes it from BAILIWICK_TOKEN.")


def _whole(days: float) -> int:
    if days != int(days):
        raise typer.BadParameter("A token lasts whole days. Write 30d or 2w.")
    return int(days)


@command(
    tokens,
    "revoke",
    routes=["DELETE /api/v1/tokens/{token_id}", "DELETE /api/v1/members/{member_id}/tokens/{token_id}"],
    examples=["bailiwick tokens revoke 'nightly report'", "bailiwick tokens revoke ci --of ada@example.com --yes"],
)
def revoke_token(here: Here, token: TokenId, of: Of = None, yes: Yes = False) -> None:
    """Revoke a token: the programs that use it are shut out at once."""
    path = _path(here, of)
    found = here.client.pages(path, None)["items"]
    named = [it for it in found if token in (it["id"], it["name"])]
    if len(named) > 1:
        raise Failure(f"Several tokens are called “{token}”.", "Give the id: bailiwick tokens list", "Ambiguous")
    if not named:
        raise Failure(f"There is no token “{token}”.", "List them with: bailiwick tokens list", "Not found")
    here.confirm(f"Revoke the token {named[0]['name']} ({named[0]['hint']}…)?", yes)
    here.done(here.client.delete(f"{path}/{named[0]['id']}"), f"The token {named[0]['name']} is revoked.")


def _path(here: Here, of: str | None) -> str:
    return "/tokens" if of in (None, find.ME) else f"/members/{find.member(here, str(of))}/tokens"
