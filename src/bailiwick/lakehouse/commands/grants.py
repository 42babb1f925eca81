"""`bailiwick grants`: who holds which level on a layer, table or volume."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from bailiwick.cli import find as find_people
from bailiwick.cli.command import All, Cursor, Here, Limit, Search, SortByAge, Yes, area, command
from bailiwick.cli.expiry import For, ForGood, Until, end_at, other_end
from bailiwick.cli.failures import Failure
from bailiwick.cli.output import Columns, print_json
from bailiwick.lakehouse.commands import find
from bailiwick.lakehouse.commands.layers import own_level

app = area(
    "grants",
    "Levels on data: Viewer, Editor and Manager, for members and groups.\n\n"
    "A layer is written raw, a table raw.orders, a volume volume:raw.uploads. Who holds the level is written as an "
    "e-mail address, or as group:NAME; group:All is everybody.",
)

On = Annotated[str, typer.Argument(metavar="WHERE", help="raw, raw.orders, or volume:raw.uploads.")]
Holder = Annotated[str, typer.Argument(metavar="WHO", help="An e-mail address or id, or group:NAME.")]
Level = Literal["Viewer", "Editor", "Manager"]
KINDS = {"layer": find.layer, "table": find.table, "volume": find.volume}
MANY = 1000

LISTED: Columns = {
    "Who": lambda it: ("group " if it["holder"]["kind"] == "group" else "") + it["holder"]["name"],
    "E-mail": lambda it: it["holder"]["email"],
    "Level": "level",
    "Given on": "on",
    "Until": "expires_at",
    "By": "granted_by",
}
ROUTES = {
    what: [f"{method} /api/v1/{kind}s/{{target_id}}/{path}" for kind in KINDS]
    for what, method, path in (
        ("mine", "GET", "access"),
        ("list", "GET", "grants"),
        ("give", "POST", "grants"),
        ("change", "PATCH", "grants/{grant_id}"),
        ("take", "DELETE", "grants/{grant_id}"),
    )
}


@command(
    app,
    "mine",
    routes=ROUTES["mine"],
    examples=["bailiwick grants mine raw.orders", "bailiwick grants mine volume:raw.uploads"],
)
def mine(here: Here, where: On) -> None:
    """See your own level, and where it comes from."""
    answer = here.client.get(f"{_path(here, where)}/access")
    here.show(answer, {"Your level": own_level, "Standing": "standing"})
    if not here.as_json:
        columns: Columns = {"Level": "level", "From": "source", "Through": "group", "Until": "expires_at"}
        here.rows(answer["origins"], columns)


@command(
    app,
    "list",
    routes=ROUTES["list"],
    examples=["bailiwick grants list raw", "bailiwick grants list raw.orders --json"],
)
def list_grants(
    here: Here,
    where: On,
    search: Search = None,
    sort: SortByAge = None,
    limit: Limit = 50,
    everything: All = False,
    cursor: Cursor = None,
) -> None:
    """List the levels that were given on it and on its layer. For Managers, and tenant owners and admins."""
    path, most = f"{_path(here, where)}/grants", None if everything else limit
    page = here.client.pages(path, most, cursor, search=search, sort=sort)
    if here.as_json:
        print_json(page)
        return
    here.rows(page["items"], LISTED, "Nothing fits." if search else "No level was given yet.")
    here.say(page["note"])
    if page["next_cursor"]:
        here.say(f"There are more: add --all, or go on with --cursor {page['next_cursor']}")


@command(
    app,
    "give",
    routes=ROUTES["give"],
    examples=[
        "bailiwick grants give raw.orders ada@example.com Viewer",
        "bailiwick grants give raw group:Finance Editor --for 30d",
    ],
)
def give(here: Here, where: On, who: Holder, level: Level, days: For = None, until: Until = None) -> None:
    """Give a level to a member or a group."""
    body = {**_holder(here, who), "level": level, "expires_at": end_at(here, days, until)}
    answer = here.client.post(f"{_path(here, where)}/grants", body)
    here.done(answer, f"{answer['holder']['name']} holds {level} on {where}.")


@command(
    app,
    "change",
    routes=ROUTES["change"],
    examples=[
        "bailiwick grants change raw.orders ada@example.com Editor",
        "bailiwick grants change raw.orders ada@example.com --for-good",
    ],
)
def change(
    here: Here,
    where: On,
    who: Holder,
    level: Annotated[Level | None, typer.Argument(help="Another level; without it, it stays.")] = None,
    days: For = None,
    until: Until = None,
    for_good: ForGood = False,
) -> None:
    """Change a level, or when it ends."""
    path, grant = _given(here, where, who)
    body = {**({} if level is None else {"level": level}), **other_end(here, days, until, for_good)}
    answer = here.client.patch(f"{path}/grants/{grant['id']}", body, version=grant["version"])
    here.done(answer, f"{answer['holder']['name']} holds {answer['level']} on {where}.")


@command(
    app,
    "take",
    routes=ROUTES["take"],
    examples=["bailiwick grants take raw.orders ada@example.com", "bailiwick grants take raw group:Finance --yes"],
)
def take(here: Here, where: On, who: Holder, yes: Yes = False) -> None:
    """Take a level away. What reaches its holder from elsewhere stays."""
    path, grant = _given(here, where, who)
    here.confirm(f"Take {grant['level']} on {where} from {grant['holder']['name']}?", yes)
    here.client.delete(f"{path}/grants/{grant['id']}", version=grant["version"])
    here.done(None, f"{grant['holder']['name']} no longer holds {grant['level']} on {where}.")


def _path(here: Here, where: str) -> str:
    kind, _, name = where.rpartition(":")
    kind = kind or ("table" if "." in name else "layer")
    if kind not in KINDS:
        raise typer.BadParameter(f"“{kind}” is none of {', '.join(KINDS)}.")
    return f"/{kind}s/{KINDS[kind](here, name)}"


def _holder(here: Here, who: str) -> dict[str, str]:
    kind, _, name = who.partition(":")
    if kind == "group" and name:
        return {"group": find_people.group(here, name)}
    return {"member": who if "@" in who else find_people.member(here, who)}


def _given(here: Here, where: str, who: str) -> tuple[str, dict[str, Any]]:
    """The grant that this holder has on this very thing."""
    path = _path(here, where)
    wanted = _holder(here, who)
    kind = path.split("/")[1].removesuffix("s")
    given = here.client.pages(f"{path}/grants", MANY, member=wanted.get("member"))["items"]
    for grant in given:
        if grant["on"] == kind and grant["holder"]["id"] == wanted.get("group", grant["holder"]["id"]):
            return path, grant
    raise Failure(f"{who} was given no level on {where}.", f"See: bailiwick grants list {where}", "Not found")
