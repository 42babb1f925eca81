"""`bailiwick requests`: asking for access, and answering who asks."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import typer

from bailiwick.cli.command import All, Cursor, Here, Limit, SortByAge, area, command
from bailiwick.cli.expiry import For, ForGood, Until, end_at
from bailiwick.cli.find import is_id
from bailiwick.cli.output import Columns, Item
from bailiwick.cli.roles import complete_role, role_named

app = area(
    "requests",
    "Requests for access: ask for a level on data or a role in a project, and answer who asks.\n\n"
    "A layer is written raw or layer:raw, a table raw.orders, a volume volume:raw.uploads, a project project:Sales. "
    "You can ask for what you do not see, by its name.",
)

Which = Annotated[str, typer.Argument(metavar="REQUEST", help="The request's id.")]
Where = Annotated[
    str, typer.Argument(metavar="WHERE", help="raw, raw.orders, volume:raw.uploads, or project:Sales; or table:ID.")
]
Level = Annotated[Literal["Viewer", "Editor", "Manager"] | None, typer.Option(help="On a layer, table or volume.")]
Role = Annotated[
    str | None,
    typer.Option(
        metavar="ROLE", parser=role_named, autocompletion=complete_role, help="In a project: Admin, Technical User, …"
    ),
]
State = Literal["waiting", "granted", "declined", "withdrawn", "lapsed"]
KINDS = ("layer", "table", "volume", "project")


def _outcome(item: Item) -> str | None:
    outcome = item["outcome"]
    if outcome is None:
        return None
    given = outcome["level"] or outcome["role"]
    return f"{given} by {outcome['by']}" if given else f"no, by {outcome['by']}: {outcome['reason']}"


def _now(item: Item) -> str | None:
    """What who asked holds there, and through whom one may know them; only for who decides."""
    standing = item["standing"]
    if standing is None:
        return None
    role, groups = standing["tenant_role"], [group["name"] for group in standing["groups"]]
    said = [f"{standing['level'] or standing['role']} there"]
    said += [f"tenant role {role}"] if role else []
    said += [f"in {', '.join(groups)}"] if groups else []
    return "; ".join(said)


def _until(item: Item) -> datetime | None:
    """Until when it is wanted; once it is granted, until when it was given."""
    outcome = item["outcome"]
    end = (outcome if outcome and (outcome["level"] or outcome["role"]) else item)["expires_at"]
    return datetime.fromisoformat(end) if end else None


LISTED: Columns = {
    "Id": "id",
    "State": "state",
    "Who": lambda it: it["requester"]["name"],
    "Asks for": lambda it: it["level"] or it["role"],
    "Given": lambda it: it["outcome"] and (it["outcome"]["level"] or it["outcome"]["role"]),
    "On": lambda it: f"{it['resource']['type']} {it['resource']['name']}",
    "Until": _until,
    "Asked": "asked_at",
}
SHOWN: Columns = {
    **LISTED,
    "E-mail": lambda it: it["requester"]["email"],
    "They have now": _now,
    "Reason": "reason",
    "Lapses": "lapses_at",
    "Outcome": _outcome,
}


@command(
    app,
    "ask",
    routes=["POST /api/v1/access-requests"],
    examples=[
        "bailiwick requests ask raw.orders --level Viewer --reason 'I build the sales report.' --for 30d",
        "bailiwick requests ask volume:raw.uploads --level Editor --reason 'I bring the files.' --until 2027-01-31",
        "bailiwick requests ask project:Sales --role technical-user --reason 'I look after its sources.'",
    ],
)
def ask(
    here: Here,
    where: Where,
    reason: Annotated[str, typer.Option(help="For whoever decides.")],
    level: Level = None,
    role: Role = None,
    days: For = None,
    until: Until = None,
) -> None:
    """Ask for a level on data, or a role in a project. Those who can give it are told."""
    kind, name = _kind_and_name(where)
    if (role if kind == "project" else level) is None or (level if kind == "project" else role) is not None:
        raise typer.BadParameter("Give --role for a project, and --level for a layer, table or volume.")
    body = {
        "resource": {"type": kind, "id" if is_id(name) else "name": name},
        **({"role": role} if kind == "project" else {"level": level}),
        "reason": reason,
        "expires_at": end_at(here, days, until),
    }
    answer = here.client.post("/access-requests", body)
    here.done(answer, f"You asked for {level or role} on {where}. See what comes of it: bailiwick requests list --mine")


@command(
    app,
    "list",
    routes=["GET /api/v1/access-requests", "GET /api/v1/access-requests/waiting-for-me/count"],
    examples=[
        "bailiwick requests list --waiting --search raw.orders",
        "bailiwick requests list --mine --state granted",
        "bailiwick requests list --count --json",
    ],
)
def list_requests(
    here: Here,
    mine: Annotated[bool, typer.Option("--mine", help="Your own.")] = False,
    waiting: Annotated[bool, typer.Option("--waiting", help="Those that wait for you to decide.")] = False,
    state: Annotated[State | None, typer.Option(help="Those in this state.")] = None,
    search: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Part of the name of who asks, or of what it is about.")
    ] = None,
    sort: SortByAge = None,
    count: Annotated[bool, typer.Option("--count", help="Only how many wait for you to decide.")] = False,
    limit: Limit = 50,
    everything: All = False,
    cursor: Cursor = None,
) -> None:
    """List requests, newest first: your own, and those you could decide."""
    if count:
        answer = here.client.get("/access-requests/waiting-for-me/count")
        number = f"More than {answer['count']}" if answer["more"] else str(answer["count"])
        here.done(answer, f"Waiting for you to decide: {number}.")
        return
    here.listing(
        "/access-requests",
        LISTED,
        empty="No request fits. Ask for something with: bailiwick requests ask",
        limit=limit,
        everything=everything,
        cursor=cursor,
        mine=mine,
        waiting_for_me=waiting,
        state=state,
        search=search,
        sort=sort,
    )


@command(
    app,
    "show",
    routes=["GET /api/v1/access-requests/{request_id}"],
    examples=["bailiwick requests show 0199c0de-0000-7000-8000-000000000001"],
)
def show(here: Here, request: Which) -> None:
    """Look at a request, with its reason, and at what you may do with it."""
    here.show(_find(here, request), SHOWN)


@command(
    app,
    "grant",
    routes=["POST /api/v1/access-requests/{request_id}/grant"],
    examples=[
        "bailiwick requests grant 0199c0de-0000-7000-8000-000000000001",
        "bailiwick requests grant 0199c0de-0000-7000-8000-000000000001 --level Viewer --until 2027-01-31",
    ],
)
def grant(
    here: Here,
    request: Which,
    level: Level = None,
    role: Role = None,
    days: For = None,
    until: Until = None,
    for_good: ForGood = False,
) -> None:
    """Grant a request as it was asked for, or with another level or role, or until another day."""
    end = end_at(here, days, until)
    if end is not None and for_good:
        raise typer.BadParameter("Give an end or --for-good, not both.")
    body: dict[str, Any] = {name: value for name, value in (("level", level), ("role", role)) if value is not None}
    if end is not None or for_good:
        body["expires_at"] = end
    seen = _find(here, request)
    answer = here.client.post(f"/access-requests/{request}/grant", body, version=seen["version"])
    given, who = answer["outcome"]["level"] or answer["outcome"]["role"], answer["requester"]["name"]
    here.done(answer, f"{who} has {given} on {answer['resource']['name']}.")


@command(
    app,
    "decline",
    routes=["POST /api/v1/access-requests/{request_id}/decline"],
    examples=["bailiwick requests decline 0199c0de-0000-7000-8000-000000000001 --reason 'Use trusted.orders.'"],
)
def decline(here: Here, request: Which, reason: Annotated[str, typer.Option(help="For whoever asked.")]) -> None:
    """Decline a request. Whoever asked is told the reason."""
    seen = _find(here, request)
    answer = here.client.post(f"/access-requests/{request}/decline", {"reason": reason}, version=seen["version"])
    here.done(answer, f"The request of {answer['requester']['name']} is declined.")


@command(
    app,
    "withdraw",
    routes=["POST /api/v1/access-requests/{request_id}/withdraw"],
    examples=["bailiwick requests withdraw 0199c0de-0000-7000-8000-000000000001"],
)
def withdraw(here: Here, request: Which) -> None:
    """Take back what you asked for."""
    answer = here.client.post(f"/access-requests/{request}/withdraw", version=_find(here, request)["version"])
    here.done(answer, f"You no longer ask for {answer['level'] or answer['role']} on {answer['resource']['name']}.")


def _find(here: Here, request: str) -> dict[str, Any]:
    if not is_id(request):
        raise typer.BadParameter("Give the request's id, from: bailiwick requests list")
    found: dict[str, Any] = here.client.get(f"/access-requests/{request}")
    return found


def _kind_and_name(where: str) -> tuple[str, str]:
    kind, _, name = where.partition(":")
    if not name:
        return ("table" if "." in where else "layer"), where
    if kind not in KINDS:
        raise typer.BadParameter(f"“{kind}” is none of {', '.join(KINDS)}.")
    return kind, name
