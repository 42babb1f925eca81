"""`bailiwick access tables` and `types`: the tables that decide, and what can be asked about."""

from __future__ import annotations

from typing import Annotated

import typer

from bailiwick.cli.command import Here, command
from bailiwick.cli.failures import Failure, Problem
from bailiwick.cli.output import Columns, Item, print_json
from bailiwick.cli.text import words
from bailiwick.questions.commands.asking import app


@command(
    app,
    "tables",
    routes=["GET /api/v1/access/tables", "GET /api/v1/access/tables/{page}"],
    examples=["bailiwick access tables", "bailiwick access tables tenant", "bailiwick access tables tenant/members"],
)
def tables(
    here: Here,
    page: Annotated[
        str | None, typer.Argument(help="A page, like tenant, or a heading of it, like tenant/members.")
    ] = None,
) -> None:
    """Show the tables that decide: without a page their names, with one every cell."""
    try:
        answer = here.client.get("/access/tables" if page is None else f"/access/tables/{page.replace('#', '/')}")
    except Problem as problem:
        if problem.status != 404:
            raise
        raise Failure(f"There is no page “{page}”.", "List them with: bailiwick access tables", "Not found") from None
    if here.as_json:
        print_json(answer)
    elif page is None:
        columns: Columns = {
            "Page": lambda table: table["page"].replace("#", "/"),
            "Table": "name",
            "Governs": "governs",
        }
        here.rows(answer["items"], columns)
    else:
        for table in answer["items"]:
            _show_table(here, table)


@command(
    app,
    "types",
    routes=["GET /api/v1/access/types"],
    examples=["bailiwick access types", "bailiwick access types data_mart", "bailiwick access types data_mart --json"],
)
def types(
    here: Here, name: Annotated[str | None, typer.Argument(metavar="TYPE", help="Only this one.")] = None
) -> None:
    """Show what can be asked about: actions, deciding facts, and how to describe what is not stored yet."""
    answer = here.client.get("/access/types")
    found = [it for it in answer["items"] if name in (None, it["name"])]
    if not found:
        raise Failure(f"There is no type “{name}”.", "List them with: bailiwick access types", "Not found")
    if here.as_json:
        print_json({"items": found})
    elif name is None:
        columns: Columns = {
            "Type": "name",
            "Document": "document",
            "By": "by",
            "Actions": lambda it: len(it["actions"]),
        }
        here.rows(found, columns)
    else:
        _show_type(here, found[0])


def _show_table(here: Here, table: Item) -> None:
    here.say(f"{table['name']} (document {table['document']}, page {table['page']})")
    headings = [column["name"] for column in table["columns"]]
    first = "Who" if table["rows_are"] == "who" else "Action"
    rows = [
        {
            first: line["name"],
            **{heading: _cell(table, got) for heading, got in zip(headings, line["cells"], strict=True)},
        }
        for line in table["rows"]
    ]
    here.rows(rows, {heading: heading for heading in (first, *headings)})


def _cell(table: Item, got: Item) -> str:
    limits = "; ".join(f"{fact}: {' or '.join(values)}" for fact, values in got["only_if"].items())
    only = f" (if {limits})" if limits else ""
    if table["rows_are"] == "actions":
        return f"✓{only}" if got["allowed"] else "–"
    return f"{', '.join(map(words, got['actions']))}{only}" if got["actions"] else "–"


def _show_type(here: Here, found: Item) -> None:
    here.say(f"{found['name']} (document {found['document']}), asked about by {found['by']}")
    here.rows(found["actions"], {"Action": "slug", "In the document": "name"})
    here.rows(found["facts"], {"Fact": "name", "Values": "values", "Given by": "given_by"})
    if found["properties"]:
        here.say("Properties of a description:")
        required = found["properties"].get("required", [])
        rows = [
            {"name": name, "required": name in required, "what": _what(schema)}
            for name, schema in found["properties"].get("properties", {}).items()
        ]
        here.rows(rows, {"Property": "name", "Required": "required", "What": "what"})


def _what(schema: Item) -> str:
    """What a property holds, as its schema tells it."""
    inner = str(schema.get("$ref", "")).rpartition("/")[2]
    kind = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in inner).lstrip("_")
    said = schema.get("description") or (f"A {kind}, described in its turn." if kind else schema.get("type"))
    return "true or false" if said == "boolean" else str(said or "")
