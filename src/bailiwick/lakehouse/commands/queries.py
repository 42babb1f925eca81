"""`bailiwick queries`: pipeline queries, whose rows go into a table."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from bailiwick.cli.command import Here, command
from bailiwick.cli.failures import Failure
from bailiwick.cli.output import Columns, print_json
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
from bailiwick.lakehouse.commands.waiting import with_analysis

QUERIES = noun(
    "queries",
    "Pipeline queries: a statement whose rows go into a table. (To ask one, use: bailiwick sql)",
    "/pipeline-queries",
    "pipeline query",
    {"Mode": "mode"},
    {
        "Reads": lambda it: ", ".join(one["name"] for one in it["inputs"]),
        "Keys": "keys",
        "Expects": lambda it: [_in_words(one) for one in it["expectations"]],
        "Statement": "sql",
    },
    "'Orders by day'",
)
app = QUERIES.area

Sql = Annotated[str | None, typer.Option("--sql", help="The statement.")]
To = Annotated[str | None, typer.Option("--to", metavar="LAYER.TABLE", help="The table it writes, made if need be.")]
Mode = Annotated[str | None, typer.Option("--mode", help="overwrite, append or merge.")]
Keys = Annotated[list[str] | None, typer.Option("--key", help="A column to merge by; repeat it.")]
Replace = Annotated[
    bool | None,
    typer.Option("--replace-schema/--keep-schema", help="Overwriting, take exactly the statement's columns."),
]
Expect = Annotated[
    list[str] | None,
    typer.Option(
        "--expect",
        metavar="EXPECTATION",
        help="not_null:COLUMN, unique:COLUMN, accepted_values:COLUMN:a,b, range:COLUMN:0:100, row_count:1:, "
        "freshness:COLUMN:MINUTES; with ! in front it stops, otherwise it warns; repeat it.",
    ),
]
DRY_RUN: Columns = {
    "May be saved": "allowed",
    "Reads": lambda it: [f"{one['name']} (you: {one['level']}, needs {one['needs']})" for one in it["inputs"]],
    "Writes": lambda it: it["output"]["name"] + ("" if it["output"]["exists"] else " (new)"),
    "Columns": lambda it: [f"{one['name']} {one['type']}" for one in it["columns"]],
    "Changes": "changes",
    "Problem": lambda it: (it["problem"] or {}).get("message"),
    "Refused by": lambda it: [one["reason"] for one in it["decisions"] if not one["allowed"]],
}


@command(
    app,
    "add",
    routes=["POST /api/v1/pipeline-queries", "POST /api/v1/pipeline-queries/dry-run"],
    examples=[
        "bailiwick queries add 'Orders by day' --sql 'SELECT day, count(*) AS n FROM raw.orders GROUP BY day' "
        "--to trusted.orders_by_day --expect '!not_null:day'",
        "bailiwick queries add Customers --sql 'SELECT * FROM raw.people' --to trusted.customers --mode merge --key id",
        "bailiwick queries add Test --sql 'SELECT 1 AS a' --to trusted.test --dry-run",
    ],
)
def add_query(
    here: Here,
    name: Annotated[str, typer.Argument(help="Its name.")],
    sql: Sql = None,
    to: To = None,
    mode: Mode = "overwrite",
    keys: Keys = None,
    replace_schema: Replace = None,
    expect: Expect = None,
    description: SayDescription = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only see what it would read and write.")] = False,
) -> None:
    """Add a pipeline query, or see with --dry-run what it would do and whether you may."""
    if not sql or not to:
        raise Failure("A pipeline query needs a statement and a table.", "Give --sql and --to LAYER.TABLE.")
    body: dict[str, Any] = {
        "sql": sql,
        "mode": mode,
        "keys": keys or [],
        "replace_schema": bool(replace_schema),
        "expectations": [expectation(text) for text in expect or []],
        **output_of(here, to),
    }
    if dry_run:
        answer = with_analysis(here, "POST", "/pipeline-queries/dry-run", body)
        if here.as_json:
            print_json(answer)
        else:
            here.show(answer, DRY_RUN)
        return
    answer = with_analysis(here, "POST", "/pipeline-queries", {**body, "name": name, "description": description})
    here.done(answer, f"{answer['name']} is added. Start it with: bailiwick queries run '{answer['name']}'")


@command(
    app,
    "edit",
    routes=["PATCH /api/v1/pipeline-queries/{pipeline_id}"],
    examples=["bailiwick queries edit 'Orders by day' --mode append", "bailiwick queries edit Customers --name People"],
)
def edit_query(
    here: Here,
    which: Which,
    name: NewName = None,
    description: NewDescription = None,
    sql: Sql = None,
    to: To = None,
    mode: Mode = None,
    keys: Keys = None,
    replace_schema: Replace = None,
    expect: Expect = None,
) -> None:
    """Edit a pipeline query. Expectations are replaced by those given."""
    seen = QUERIES.find(here, which)
    given = {
        "name": name,
        "description": description,
        "sql": sql,
        "mode": mode,
        "keys": keys if keys is not None or mode in (None, "merge") else [],
        "replace_schema": replace_schema,
        "expectations": [expectation(text) for text in expect] if expect else None,
        **(output_of(here, to) if to else {}),
    }
    answer = with_analysis(here, "PATCH", f"/pipeline-queries/{seen['id']}", changed(given), seen["version"])
    here.done(answer, f"{answer['name']} is changed.")


def output_of(here: Here, to: str) -> dict[str, str]:
    layer, dot, table = to.partition(".")
    if not dot:
        raise Failure(f"{to} is no table's name.", "Write layer.table.")
    return {"output_layer_id": find.layer(here, layer), "output_name": table}


def expectation(text: str) -> dict[str, Any]:
    """From how it is typed to what the API takes."""
    stop = text.startswith("!")
    kind, *parts = text.removeprefix("!").split(":")
    said: dict[str, Any] = {"kind": kind, "stop": stop}
    if kind != "row_count":
        if not parts or not parts[0]:
            raise Failure(f"“{text}” names no column.", "Write it as not_null:COLUMN.")
        said["column"] = parts.pop(0)
    if kind == "accepted_values":
        said["values"] = [_value(one) for one in ":".join(parts).split(",") if one]
    elif kind in ("range", "row_count"):
        parts = ":".join(parts).split("..") if ".." in ":".join(parts) else parts
        ends = [_value(one) if one else None for one in [*parts, "", ""][:2]]
        said |= changed({"least": ends[0], "most": ends[1]})
    elif kind == "freshness":
        said["minutes"] = _value(parts[0]) if parts else None
    return said


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _in_words(one: dict[str, Any]) -> str:
    more = [
        f"{one[key]:g}" if isinstance(one[key], float) else str(one[key])
        for key in ("values", "least", "most", "minutes")
        if one.get(key) not in (None, [])
    ]
    how = "stop" if one.get("stop") else "warn"
    return f"{one['kind']}({', '.join([one.get('column') or '', *more]).strip(', ')}): {how}"


add_common(QUERIES)
