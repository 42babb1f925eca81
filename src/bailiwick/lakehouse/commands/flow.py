"""`bailiwick flow`: what flows from sources through tables to destinations."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from bailiwick.cli.command import Here, Search, command
from bailiwick.cli.find import FLOWING, is_id, one_of
from bailiwick.cli.output import Columns, Item, print_json
from bailiwick.lakehouse.commands import find

COLUMNS: Columns = {
    "What": "type",
    "Name": "name",
    "Reads": "reads",
    "Writes": "writes",
    "State": "state",
    "Last run": lambda it: (it["last_run"] or {}).get("state"),
    "Ended": lambda it: (it["last_run"] or {}).get("ended_at"),
}


def add_to(app: typer.Typer, panel: str) -> None:
    @command(
        app,
        "flow",
        panel=panel,
        routes=["GET /api/v1/flow"],
        examples=[
            "bailiwick flow",
            "bailiwick flow --layer trusted",
            "bailiwick flow --around raw.orders --json",
        ],
    )
    def flow(
        here: Here,
        layer: Annotated[
            str | None, typer.Option("--layer", metavar="LAYER", help="Only what reads from or writes to this layer.")
        ] = None,
        search: Search = None,
        around: Annotated[
            str | None,
            typer.Option(
                "--around",
                metavar="NODE",
                help="What leads to a pipeline, table or volume, and what comes from it: its name or id.",
            ),
        ] = None,
        limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=1000, help="How many nodes at most.")] = 200,
    ) -> None:
        """See what flows from sources through tables to destinations, each pipeline with its last run."""
        answer = here.client.get(
            "/flow",
            layer=find.layer(here, layer) if layer else None,
            search=search,
            around=_node(here, around) if around else None,
            limit=limit,
        )
        if here.as_json:
            print_json(answer)
            return
        here.rows(_pipelines(answer), COLUMNS, "Nothing flows here, or nothing that you may see.")
        if answer["truncated"]:
            here.say("There is more: name a layer, search, or raise --limit.")


def _node(here: Here, text: str) -> str:
    if is_id(text):
        return text
    nodes = (
        here.client.get("/flow", search=text.rpartition(".")[2], limit=1000)["nodes"]
        or here.client.get("/flow", limit=1000)["nodes"]
    )
    return str(one_of(nodes, text, FLOWING, lambda it: [_name(it), it["name"]])["id"])


def _pipelines(answer: Item) -> list[dict[str, Any]]:
    """A row a pipeline, with the names of what it reads and writes."""
    names = {node["id"]: _name(node) for node in answer["nodes"]}
    return [
        {
            **node,
            "reads": ", ".join(names[edge["from"]] for edge in answer["edges"] if edge["to"] == node["id"]),
            "writes": ", ".join(names[edge["to"]] for edge in answer["edges"] if edge["from"] == node["id"]),
        }
        for node in answer["nodes"]
        if node["layer"] is None
    ]


def _name(node: Item) -> str:
    return f"{node['layer']}.{node['name']}" if node["layer"] else str(node["name"])
