"""`bailiwick sql`: a statement and its rows, or a shell to type statements into."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from bailiwick.cli import output
from bailiwick.cli.command import Here, command
from bailiwick.cli.failures import Failure
from bailiwick.cli.text import as_text
from bailiwick.lakehouse.commands.waiting import LIVING, require_success, until_ended
from bailiwick.spark.words import how_many

PAGE = 1000
ROUTES = [
    "POST /api/v1/queries",
    "GET /api/v1/queries",
    "GET /api/v1/queries/{query_id}",
    "GET /api/v1/queries/{query_id}/rows",
    "GET /api/v1/queries/{query_id}/download",
    "GET /api/v1/completion",
]
HISTORY: output.Columns = {
    "Asked": "created_at",
    "State": "state",
    "Rows": "row_count",
    "Statement": lambda it: " ".join(it["sql"].split())[:100],
    "Id": "id",
}


def add_to(app: typer.Typer, panel: str) -> None:
    @command(
        app,
        "sql",
        panel=panel,
        routes=ROUTES,
        examples=[
            'bailiwick sql "SELECT * FROM raw.orders LIMIT 10"',
            'bailiwick sql "SELECT * FROM raw.orders" --output orders.parquet',
            "bailiwick sql --csv < report.sql > report.csv",
            "bailiwick sql --history --search orders",
            "bailiwick sql",
        ],
    )
    def sql(
        here: Here,
        statement: Annotated[
            str | None, typer.Argument(help="One statement; - or a pipe to read it. None: a shell.")
        ] = None,
        limit: Annotated[int | None, typer.Option("--limit", "-n", min=1, help="Rows to ask for at most.")] = None,
        as_csv: Annotated[bool, typer.Option("--csv", help="Print comma-separated values, all rows.")] = False,
        to: Annotated[
            Path | None, typer.Option("--output", "-o", help="Write all rows to a file: .csv, .parquet or .xlsx.")
        ] = None,
        history: Annotated[bool, typer.Option("--history", help="List what you asked before.")] = False,
        search: Annotated[
            str | None, typer.Option(metavar="TEXT", help="With --history: part of the statement.")
        ] = None,
        sort: Annotated[
            Literal["created", "-created"] | None, typer.Option(help="With --history: created begins with the oldest.")
        ] = None,
        result: Annotated[
            str | None, typer.Option("--result", metavar="ID", help="Show the rows of what you asked before.")
        ] = None,
    ) -> None:
        """Ask a query and see its rows. It runs as you, and reads what you may read."""
        if to is not None:
            require_writable(to)
        if history:
            empty = "You asked nothing yet."
            here.listing(
                "/queries", HISTORY, empty=empty, limit=limit or 20, rest="raise --limit", search=search, sort=sort
            )
            return
        if search or sort:
            raise Failure("--search and --sort look at what you asked before.", "Add --history.")
        if result is not None:
            show(here, here.client.get(f"/queries/{result}"), as_csv, to)
            return
        if statement is None and sys.stdin.isatty() and not here.as_json:
            from bailiwick.lakehouse.commands import sql_shell

            sql_shell.run(here)
            return
        text = sys.stdin.read() if statement in (None, "-") else statement
        if not text or not text.strip():
            raise Failure("There is no statement.", 'Write it: bailiwick sql "SELECT 1"')
        show(here, ask(here, text, limit), as_csv, to)


def ask(here: Here, text: str, limit: int | None = None) -> dict[str, Any]:
    """A query, once it has ended."""
    body = {"sql": text.strip().rstrip(";"), "limit": limit}
    query: dict[str, Any] = here.client.post("/queries", body, query={"wait": 1})
    if query["state"] in LIVING:
        until_ended(here, query["id"], "Running")
        query = here.client.get(f"/queries/{query['id']}")
    return query


def show(here: Here, query: dict[str, Any], as_csv: bool = False, to: Path | None = None) -> None:
    """The rows of a query that has ended: to a file, as values, as JSON, or as a table to look at."""
    require_success(query)
    if to is not None:
        save(here, query, to)
        return
    columns = query["columns"]
    if as_csv:
        writer = csv.writer(sys.stdout)
        writer.writerow([column["name"] for column in columns])
        writer.writerows(["" if value is None else as_value(value) for value in row] for row in rows_of(here, query))
    elif here.as_json:
        output.print_json({**query, "rows": list(rows_of(here, query)), "next_cursor": None})
    else:
        print_rows(here, query)


def rows_of(here: Here, query: dict[str, Any]) -> Iterator[Sequence[Any]]:
    """All rows, page by page, as they are asked for."""
    cursor: str | None = None
    while True:
        page = here.client.get(f"/queries/{query['id']}/rows", cursor=cursor, limit=PAGE)
        yield from page["rows"]
        cursor = page["next_cursor"]
        if cursor is None:
            return


def print_rows(here: Here, query: dict[str, Any], most: int = 200) -> None:
    """A table on the screen; columns may have the same name."""
    shown = list(islice(rows_of(here, query), most))
    headings = unlike([column["name"] for column in query["columns"]])
    items = [dict(zip(headings, row, strict=True)) for row in shown]
    columns: output.Columns = {heading: cell(heading) for heading in headings}
    if items:
        output.print_table(items, columns, lambda: None)
    here.say(summary(query, len(shown)))


def cell(heading: str) -> Any:
    """A value as it stands in a table, whatever its column is called."""
    return lambda item: "NULL" if item[heading] is None else as_text(item[heading]) if item[heading] != "" else " "


def summary(query: dict[str, Any], shown: int) -> str:
    rows = query["row_count"]
    said = f"{rows} row{'' if rows == 1 else 's'}"
    if query["cut"]:
        said = f"The first {said}; there are more"
    if shown < rows:
        said += f", of which {shown} are shown: use --csv, --json or --output for all"
    return said + "."


def unlike(names: Sequence[str]) -> list[str]:
    """Headings that differ, for columns that need not."""
    found: list[str] = []
    for name in names:
        heading, number = name or " ", 1
        while heading in found:
            number += 1
            heading = f"{name} ({number})"
        found.append(heading)
    return found


def as_value(value: Any) -> Any:
    import json

    return json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else value


def require_writable(to: Path) -> str:
    """What kind of file this will be; said before a query runs for it."""
    kind = to.suffix.removeprefix(".").lower()
    if kind not in ("csv", "parquet", "xlsx"):
        raise Failure(f"{to} is no kind of file we write.", "End it with .csv, .parquet or .xlsx.")
    if to.exists():
        raise Failure(f"{to} is there already.", "Choose another name, or move it away.")
    return kind


def save(here: Here, query: dict[str, Any], to: Path) -> None:
    kind = require_writable(to)
    path = f"/queries/{query['id']}/download"
    here.client.download(path, to, format=kind, escape_formulas=kind == "csv")
    here.done({"file": str(to), "rows": query["row_count"]}, f"{how_many(query['row_count'], 'row')} in {to}.")
