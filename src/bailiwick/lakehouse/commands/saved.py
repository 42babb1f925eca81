"""`bailiwick saved`: statements that are kept, and shared."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from bailiwick.cli.command import All, Cursor, Here, Limit, Search, Sort, Yes, area, command
from bailiwick.cli.failures import Failure
from bailiwick.cli.output import Columns
from bailiwick.lakehouse.commands import find
from bailiwick.lakehouse.commands.pipelines import NewDescription, NewName, SayDescription, changed
from bailiwick.lakehouse.commands.sql import show as show_rows
from bailiwick.lakehouse.commands.waiting import LIVING, until_ended, with_analysis

app = area("saved", "Saved queries: kept by their author, run as whoever runs them.")

Which = Annotated[str, typer.Argument(metavar="NAME", help="The saved query's name or id.")]
LISTED: Columns = {
    "Name": "name",
    "Author": lambda it: it["author"]["name"],
    "Shared": "shared",
    "Reads": lambda it: ", ".join(one["name"] for one in it["reads"]),
    "Saved": "saved_at",
}
SHOWN: Columns = {
    **LISTED,
    "Description": "description",
    "Statement": "sql",
    "Chart": lambda it: None if it["chart"] is None else _drawn(it["chart"]),
    "Id": "id",
}
Drawn = Annotated[
    str | None,
    typer.Option(
        "--chart",
        help="In the browser, draw what it gives: bar, line, area or point, or auto; then what else is chosen, of x=, "
        "y= and colour= (columns from 0) and how= (none, sum, mean, min, max, count).",
    ),
]


def _find(here: Here, text: str) -> dict[str, Any]:
    return find.pipeline(here, "/saved-queries", text, "saved query")


@command(app, "list", routes=["GET /api/v1/saved-queries"], examples=["bailiwick saved list"])
def list_saved(
    here: Here,
    search: Search = None,
    sort: Sort = None,
    limit: Limit = 50,
    everything: All = False,
    cursor: Cursor = None,
) -> None:
    """List your saved queries, and those that others share."""
    empty = "There is none that you may see. Save one with: bailiwick saved add"
    here.listing(
        "/saved-queries",
        LISTED,
        empty=empty,
        limit=limit,
        everything=everything,
        cursor=cursor,
        search=search,
        sort=sort,
    )


@command(
    app, "show", routes=["GET /api/v1/saved-queries/{query_id}"], examples=["bailiwick saved show 'Orders of today'"]
)
def show_saved(here: Here, name: Which) -> None:
    """Look at a saved query."""
    here.show(here.client.get(f"/saved-queries/{_find(here, name)['id']}"), SHOWN)


@command(
    app,
    "add",
    routes=["POST /api/v1/saved-queries"],
    examples=["bailiwick saved add 'Big orders' --sql 'SELECT * FROM raw.orders WHERE amount >= 100' --share"],
)
def add_saved(
    here: Here,
    name: Annotated[str, typer.Argument(help="Its name.")],
    sql: Annotated[str, typer.Option("--sql", help="The statement.")],
    description: SayDescription = "",
    share: Annotated[bool, typer.Option("--share", help="Let others see it who may read what it reads.")] = False,
    chart: Drawn = None,
) -> None:
    """Save a query; Spark works out first what it reads."""
    body = {"name": name, "sql": sql, "description": description, "shared": share, "chart": _chart(chart)}
    answer = with_analysis(here, "POST", "/saved-queries", body)
    here.done(answer, f"{answer['name']} is saved. Run it with: bailiwick saved run '{answer['name']}'")


@command(
    app,
    "edit",
    routes=["PATCH /api/v1/saved-queries/{query_id}"],
    examples=["bailiwick saved edit 'Big orders' --share", "bailiwick saved edit 'Big orders' --chart 'line x=0 y=2'"],
)
def edit_saved(
    here: Here,
    which: Which,
    name: NewName = None,
    description: NewDescription = None,
    sql: Annotated[str | None, typer.Option("--sql", help="Another statement.")] = None,
    share: Annotated[bool | None, typer.Option("--share/--unshare", help="Let others see it, or no longer.")] = None,
    chart: Drawn = None,
    rows: Annotated[bool, typer.Option("--rows", help="Draw it no longer; show rows.")] = False,
) -> None:
    """Change a saved query of yours, or share it."""
    if rows and chart is not None:
        raise Failure("It can show rows or a chart.", "Give --rows or --chart, not both.")
    seen = _find(here, which)
    said = {"name": name, "description": description, "sql": sql, "shared": share, "chart": _chart(chart)}
    body = {**({"chart": None} if rows else {}), **changed(said)}
    answer = with_analysis(here, "PATCH", f"/saved-queries/{seen['id']}", body, seen["version"])
    here.done(answer, f"{answer['name']} is changed.")


@command(
    app,
    "delete",
    routes=["DELETE /api/v1/saved-queries/{query_id}"],
    examples=["bailiwick saved delete 'Big orders' --yes"],
)
def delete_saved(here: Here, which: Which, yes: Yes = False) -> None:
    """Delete a saved query: yours, or a shared one if you are Editor on what it reads."""
    seen = _find(here, which)
    here.confirm(f"Delete {seen['name']}?", yes)
    here.done(here.client.delete(f"/saved-queries/{seen['id']}"), f"{seen['name']} is deleted.")


@command(
    app,
    "run",
    routes=["POST /api/v1/saved-queries/{query_id}/runs"],
    examples=["bailiwick saved run 'Big orders'", "bailiwick saved run 'Big orders' --output big.xlsx"],
)
def run_saved(
    here: Here,
    which: Which,
    limit: Annotated[int | None, typer.Option("--limit", "-n", min=1, help="Rows to ask for at most.")] = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print comma-separated values, all rows.")] = False,
    to: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write all rows to a file: .csv, .parquet or .xlsx.")
    ] = None,
) -> None:
    """Run a saved query as you, and see its rows."""
    seen = _find(here, which)
    query = here.client.post(f"/saved-queries/{seen['id']}/runs", {"limit": limit}, query={"wait": 1})
    if query["state"] in LIVING:
        until_ended(here, query["id"], seen["name"])
        query = here.client.get(f"/queries/{query['id']}")
    show_rows(here, query, as_csv, to)


def _chart(text: str | None) -> dict[str, Any] | None:
    """From how it is typed to what the API takes."""
    if text is None:
        return None
    said: dict[str, Any] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if equals:
            said[name] = value
        elif word != "auto":
            said["mark"] = word
    return said


def _drawn(chart: dict[str, Any]) -> str:
    """And back."""
    said = [f"{name}={value}" for name, value in chart.items() if name != "mark" and value is not None]
    return " ".join([chart["mark"] or "auto", *said])
