"""`bailiwick tables`: what there is, what it means, where it comes from."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from bailiwick.cli.command import All, Cursor, Here, Limit, Search, Yes, area, command
from bailiwick.cli.output import Columns, print_json
from bailiwick.cli.text import printable
from bailiwick.lakehouse.commands import find
from bailiwick.lakehouse.commands.layers import Said, own_level
from bailiwick.lakehouse.commands.waiting import LIVING, require_success, until_ended

app = area("tables", "Tables, written as in statements: raw.orders.")

Which = Annotated[str, typer.Argument(metavar="LAYER.TABLE", help="The table's name or id.")]
InLayer = Annotated[str | None, typer.Option("--layer", metavar="LAYER", help="Only of this layer.")]
SortTables = Annotated[
    Literal["name", "-name", "changed", "-changed"] | None,
    typer.Option("--sort", help="-changed begins with what changed last, -name at the end."),
]

LISTED: Columns = {
    "Table": "full_name",
    "Rows": "rows",
    "Changed": "changed_at",
    "Your level": own_level,
    "Description": "description",
}
SHOWN: Columns = {**LISTED, "Size": "bytes", "Data version": "data_version", "Location": "location", "Id": "id"}
FIELDS: Columns = {"Field": "name", "Type": "type", "Description": "description"}
USES: Columns = {"What": "kind", "Name": "name", "How": "how"}


@command(
    app,
    "list",
    routes=["GET /api/v1/tables"],
    examples=[
        "bailiwick tables list",
        "bailiwick tables list --layer raw --search ord",
        "bailiwick tables list --sort -changed",
    ],
)
def list_tables(
    here: Here,
    layer: InLayer = None,
    search: Search = None,
    sort: SortTables = None,
    limit: Limit = 50,
    everything: All = False,
    cursor: Cursor = None,
) -> None:
    """List the tables you may see, by name or by when their data changed."""
    here.listing(
        "/tables",
        LISTED,
        empty="No table fits, or none that you may see.",
        limit=limit,
        everything=everything,
        cursor=cursor,
        search=search,
        sort=sort,
        layer=find.layer(here, layer) if layer else None,
    )


@command(app, "show", routes=["GET /api/v1/tables/{table_id}"], examples=["bailiwick tables show raw.orders"])
def show_table(here: Here, table: Which) -> None:
    """Look at a table and its fields, and at what you may do with it."""
    answer = here.client.get(f"/tables/{find.table(here, table)}")
    here.show(answer, SHOWN)
    if not here.as_json:
        here.rows(answer["fields"], FIELDS)


@command(
    app,
    "create",
    routes=["POST /api/v1/tables"],
    examples=[
        "bailiwick tables create raw.orders id:bigint customer:string 'amount:decimal(10,2)'",
        "bailiwick tables create raw.notes text:string --description 'Typed in by hand.'",
    ],
)
def create_table(
    here: Here,
    table: Annotated[str, typer.Argument(metavar="LAYER.TABLE", help="The layer, and the table's name to be.")],
    columns: Annotated[list[str], typer.Argument(metavar="NAME:TYPE...", help="Its columns.")],
    description: Said = None,
) -> None:
    """Create an empty table. For Editors of the layer."""
    layer, dot, name = table.rpartition(".")
    if not dot:
        raise typer.BadParameter(f"“{table}” needs its layer in front, as in raw.{table}.")
    body = {
        "layer": find.layer(here, layer),
        "name": name,
        "columns": [_column(text) for text in columns],
        "description": description or "",
    }
    answer = here.client.post("/tables", body, query={"wait": 2})
    if answer["state"] in LIVING:
        require_success(until_ended(here, answer["run_id"], "Creating"))
    here.done(answer, f"The table {layer}.{name} is there, and empty.")


@command(
    app,
    "edit",
    routes=["PATCH /api/v1/tables/{table_id}"],
    examples=[
        "bailiwick tables edit raw.orders --description 'One row an order.'",
        "bailiwick tables edit raw.orders --field 'amount=In euros, VAT included.' --field 'id='",
    ],
)
def edit_table(
    here: Here,
    table: Which,
    description: Said = None,
    field: Annotated[
        list[str] | None, typer.Option("--field", metavar="NAME=TEXT", help="What is said of a field; may be repeated.")
    ] = None,
) -> None:
    """Change what is said of a table and its fields. For Editors."""
    body: dict[str, Any] = {} if description is None else {"description": description}
    if field:
        body["fields"] = dict(_pair(text, "=") for text in field)
    answer = here.client.patch(f"/tables/{find.table(here, table)}", body)
    here.done(answer, f"What is said of {answer['full_name']} is changed.")


@command(
    app,
    "delete",
    routes=["DELETE /api/v1/tables/{table_id}"],
    examples=["bailiwick tables delete raw.orders"],
)
def delete_table(here: Here, table: Which, yes: Yes = False) -> None:
    """Delete a table with its data, once you have seen what depends on it. For Managers."""
    seen = here.client.get(f"/tables/{find.table(here, table)}")
    if not yes:
        for one in here.client.get(f"/tables/{seen['id']}/used-by")["items"]:
            typer.echo(printable(f"  depends on it: {one['kind']} {one['name']} ({one['how']})"), err=True)
    here.confirm(f"Delete {seen['full_name']} with all its data and versions?", yes)
    query = {"confirm": seen["full_name"]}
    answer = here.client.delete(f"/tables/{seen['id']}", query=query, version=seen["version"])
    here.done(answer, f"The table {seen['full_name']} is deleted.")


@command(
    app,
    "uses",
    routes=["GET /api/v1/tables/{table_id}/used-by"],
    examples=["bailiwick tables uses raw.orders"],
)
def uses(here: Here, table: Which) -> None:
    """See which pipelines and saved queries use a table, of those you may see."""
    answer = here.client.get(f"/tables/{find.table(here, table)}/used-by")
    if here.as_json:
        print_json(answer)
    else:
        here.rows(answer["items"], USES, "Nothing that you may see uses it.")


@command(
    app,
    "lineage",
    routes=["GET /api/v1/tables/{table_id}/lineage"],
    examples=["bailiwick tables lineage trusted.orders", "bailiwick tables lineage trusted.orders --up 3 --down 0"],
)
def lineage(
    here: Here,
    table: Which,
    up: Annotated[int, typer.Option(min=0, max=10, help="Steps back to where it comes from.")] = 1,
    down: Annotated[int, typer.Option(min=0, max=10, help="Steps on to where it goes.")] = 1,
) -> None:
    """See where a table's data comes from and goes to, column by column."""
    answer = here.client.get(f"/tables/{find.table(here, table)}/lineage", up=up, down=down)
    if here.as_json:
        print_json(answer)
        return
    names = {one["id"]: one["full_name"] for one in answer["tables"]}
    rows = [
        {
            "from": names[flow["from_table"]],
            "to": names[flow["to_table"]],
            "through": f"{flow['through']['kind']} {flow['through']['name']}",
            "columns": ", ".join(f"{one['from_column']} → {one['to_column']}" for one in flow["columns"]),
        }
        for flow in answer["flows"]
    ]
    columns: Columns = {"From": "from", "To": "to", "Through": "through", "Columns": "columns"}
    here.rows(rows, columns, "Nothing that you may see flows into it or out of it.")


@command(
    app,
    "complete",
    routes=["GET /api/v1/completion"],
    examples=["bailiwick tables complete raw.or", "bailiwick tables complete cust --table raw.orders"],
)
def complete(
    here: Here,
    prefix: Annotated[str, typer.Argument(help="What was typed so far.")] = "",
    table: Annotated[list[str] | None, typer.Option(help="A table whose columns fit too; may be repeated.")] = None,
    limit: Limit = 50,
) -> None:
    """Complete the name of a layer, a table or a column, of those you may see."""
    answer = here.client.get("/completion", prefix=prefix, tables=table, limit=limit)
    if here.as_json:
        print_json(answer)
    else:
        columns: Columns = {"What": "kind", "Name": "text", "Type": "type", "Description": "description"}
        here.rows(answer["items"], columns, "Nothing that you may see begins so.")


def _column(text: str) -> dict[str, str]:
    name, type_ = _pair(text, ":")
    return {"name": name, "type": type_}


def _pair(text: str, sign: str) -> tuple[str, str]:
    left, found, right = text.partition(sign)
    if not found:
        raise typer.BadParameter(f"“{text}” needs a {sign} in the middle.")
    return left, right
