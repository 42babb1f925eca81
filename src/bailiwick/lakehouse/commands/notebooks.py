"""`bailiwick notebooks` and `bailiwick integrations`: kept with their rights; they do not execute yet."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from bailiwick.cli.command import Here, command
from bailiwick.cli.failures import Failure
from bailiwick.lakehouse.commands import find
from bailiwick.lakehouse.commands.pipelines import (
    NewDescription,
    NewName,
    Noun,
    SayDescription,
    Which,
    add_common,
    changed,
    noun,
)

READS = {"Reads": lambda it: ", ".join(one["name"] for one in it["inputs"])}
NOTEBOOKS = noun(
    "notebooks", "Notebooks: kept and shared; not executed yet.", "/notebooks", "notebook", {}, READS, "Exploration"
)
INTEGRATIONS = noun(
    "integrations",
    "Integrations: kept with their rights; not executed yet. For tenant owners and admins.",
    "/integrations",
    "integration",
    {},
    {**READS, "Settings": "settings"},
    "Billing",
)

Layer = Annotated[str, typer.Option("--layer", help="The layer it writes to.")]
Writes = Annotated[str | None, typer.Option("--writes", metavar="TABLE", help="The table it writes, in its layer.")]
Reads = Annotated[list[str] | None, typer.Option("--reads", metavar="TABLE", help="A table it reads; repeat it.")]
Content = Annotated[Path | None, typer.Option("--file", help="The file to keep.")]
Settings = Annotated[list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="What is set; repeat it.")]


@command(
    NOTEBOOKS.area,
    "add",
    routes=["POST /api/v1/notebooks"],
    examples=["bailiwick notebooks add Exploration --layer trusted --reads raw.orders --file exploration.ipynb"],
)
def add_notebook(
    here: Here,
    name: Annotated[str, typer.Argument(help="Its name.")],
    layer: Layer,
    writes: Writes = None,
    reads: Reads = None,
    file: Content = None,
    description: SayDescription = "",
) -> None:
    """Add a notebook."""
    more = {"content": _text(file) if file else ""}
    _add(here, NOTEBOOKS, name, description, layer, writes, reads, more)


@command(
    NOTEBOOKS.area,
    "edit",
    routes=["PATCH /api/v1/notebooks/{pipeline_id}"],
    examples=["bailiwick notebooks edit Exploration --file exploration.ipynb"],
)
def edit_notebook(
    here: Here,
    which: Which,
    name: NewName = None,
    description: NewDescription = None,
    reads: Reads = None,
    file: Content = None,
) -> None:
    """Edit a notebook."""
    _edit(here, NOTEBOOKS, which, name, description, reads, {"content": _text(file) if file else None})


@command(
    INTEGRATIONS.area,
    "add",
    routes=["POST /api/v1/integrations"],
    examples=["bailiwick integrations add Billing --layer service --reads trusted.totals --set region=eu"],
)
def add_integration(
    here: Here,
    name: Annotated[str, typer.Argument(help="Its name.")],
    layer: Layer,
    writes: Writes = None,
    reads: Reads = None,
    settings: Settings = None,
    description: SayDescription = "",
) -> None:
    """Add an integration. For tenant owners and admins."""
    _add(here, INTEGRATIONS, name, description, layer, writes, reads, {"settings": _pairs(settings)})


@command(
    INTEGRATIONS.area,
    "edit",
    routes=["PATCH /api/v1/integrations/{pipeline_id}"],
    examples=["bailiwick integrations edit Billing --set region=us"],
)
def edit_integration(
    here: Here,
    which: Which,
    name: NewName = None,
    description: NewDescription = None,
    reads: Reads = None,
    settings: Settings = None,
) -> None:
    """Edit an integration. Settings are replaced by those given."""
    _edit(here, INTEGRATIONS, which, name, description, reads, {"settings": _pairs(settings) if settings else None})


def _add(
    here: Here,
    kind: Noun,
    name: str,
    description: str,
    layer: str,
    writes: str | None,
    reads: list[str] | None,
    more: dict[str, Any],
) -> None:
    body = {
        "name": name,
        "description": description,
        "output_layer_id": find.layer(here, layer),
        "output_name": writes.rpartition(".")[2] if writes else None,
        "input_table_ids": [find.table(here, one) for one in reads or []],
        **more,
    }
    answer = here.client.post(kind.path, body)
    here.done(answer, f"{answer['name']} is added.")


def _edit(
    here: Here,
    kind: Noun,
    which: str,
    name: str | None,
    description: str | None,
    reads: list[str] | None,
    more: dict[str, Any],
) -> None:
    seen = kind.find(here, which)
    ids = [find.table(here, one) for one in reads] if reads else None
    body = changed({"name": name, "description": description, "input_table_ids": ids, **more})
    answer = here.client.patch(f"{kind.path}/{seen['id']}", body, version=seen["version"])
    here.done(answer, f"{answer['name']} is changed.")


def _text(file: Path) -> str:
    try:
        return file.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise Failure(f"{file} cannot be read: {error}") from None


def _pairs(settings: list[str] | None) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for text in settings or []:
        name, equals, value = text.partition("=")
        if not equals:
            raise Failure(f"“{text}” sets nothing.", "Write NAME=VALUE.")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found


add_common(NOTEBOOKS, runs=False)
add_common(INTEGRATIONS, runs=False)
