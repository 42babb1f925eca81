"""`bailiwick histories`: what a table was like, when."""

from __future__ import annotations

from typing import Annotated

import typer

from bailiwick.cli.command import Here, command
from bailiwick.lakehouse.commands import find
from bailiwick.lakehouse.commands.pipelines import (
    NewDescription,
    NewName,
    SayDescription,
    Which,
    add_common,
    changed,
    noun,
)
from bailiwick.lakehouse.commands.queries import output_of

HISTORIES = noun(
    "histories",
    "Histories: what a table was like, when.",
    "/histories",
    "history",
    {"Of": lambda it: (it["table"] or {}).get("name")},
    {"Keys": "keys", "Columns": "columns", "As of": "as_of_column"},
    "'Customers over time'",
)
app = HISTORIES.area

Of = Annotated[str, typer.Option("--of", metavar="TABLE", help="The table whose history is kept.")]
To = Annotated[str, typer.Option("--to", metavar="LAYER.TABLE", help="The table of the history.")]
Columns = Annotated[list[str] | None, typer.Option("--column", help="Keep changes of this one only; repeat it.")]
AsOf = Annotated[str | None, typer.Option("--as-of", metavar="COLUMN", help="Says when a row was seen.")]


@command(
    app,
    "add",
    routes=["POST /api/v1/histories"],
    examples=[
        "bailiwick histories add 'Customers over time' --of raw.customers --key id --to trusted.customers_history"
    ],
)
def add_history(
    here: Here,
    name: Annotated[str, typer.Argument(help="Its name.")],
    of: Of,
    to: To,
    keys: Annotated[list[str], typer.Option("--key", help="A column that identifies a row; repeat it.")],
    columns: Columns = None,
    as_of: AsOf = None,
    description: SayDescription = "",
) -> None:
    """Add a history of a table. Each run takes a snapshot into it."""
    body = {
        "name": name,
        "description": description,
        "table_id": find.table(here, of),
        "keys": keys,
        "columns": columns,
        "as_of_column": as_of,
        **output_of(here, to),
    }
    answer = here.client.post("/histories", body)
    here.done(answer, f"{answer['name']} is added. Start it with: bailiwick histories run '{answer['name']}'")


@command(
    app,
    "edit",
    routes=["PATCH /api/v1/histories/{pipeline_id}"],
    examples=["bailiwick histories edit 'Customers over time' --column name --column city"],
)
def edit_history(
    here: Here,
    which: Which,
    name: NewName = None,
    description: NewDescription = None,
    columns: Columns = None,
    as_of: AsOf = None,
) -> None:
    """Edit a history."""
    seen = HISTORIES.find(here, which)
    body = changed({"name": name, "description": description, "columns": columns, "as_of_column": as_of})
    answer = here.client.patch(f"/histories/{seen['id']}", body, version=seen["version"])
    here.done(answer, f"{answer['name']} is changed.")


add_common(HISTORIES)
