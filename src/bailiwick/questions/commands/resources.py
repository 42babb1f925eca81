"""How a resource is typed: TYPE:NAME, or TYPE with a description in JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import typer

from bailiwick.cli import find
from bailiwick.cli.command import Here

BY_NAME = {
    "project": find.project,
    "project_membership": find.project,
    "member": find.member,
    "group": find.group,
    "layer": find.layer,
    "table": find.table,
    "volume": find.volume,
}
# What is in no list of its own kind: of all that one may see, the one of this name.
AMONG_ALL = {"pipeline": "see_pipelines", "integration": "see_pipelines", "saved_query": "see"}


def resource_typed(here: Here, text: str, describe: str | None) -> dict[str, Any]:
    kind, _, name = text.partition(":")
    kind = kind.strip().replace(" ", "_").replace("-", "_")
    asked: dict[str, Any] = {"type": kind}
    if name:
        asked["id"] = BY_NAME[kind](here, name) if kind in BY_NAME else _among_all(here, kind, name)
    elif kind == "tenant":
        asked["id"] = "tenant"
    if describe is not None:
        asked["properties"] = _with_ids(here, json_typed(describe))
    return asked


def _among_all(here: Here, kind: str, name: str) -> str:
    if kind not in AMONG_ALL or find.is_id(name):
        return name
    asked = {"action": AMONG_ALL[kind], "resource_type": kind}
    found = here.client.pages("/access/what", None, body=asked)["items"]
    return str(find.one_of(found, name, kind.replace("_", " "), lambda it: [it["name"]])["id"])


def _with_ids(here: Here, described: Any, name: str = "") -> Any:
    """A description with ids in place of a project's name, an e-mail address, `me` and group:NAME."""
    if isinstance(described, dict):
        return {_with_ids(here, key): _with_ids(here, value, key) for key, value in described.items()}
    if isinstance(described, list):
        return [_with_ids(here, value) for value in described]
    if not isinstance(described, str):
        return described
    if name == "project":
        return find.project(here, described)
    kind, _, group = described.partition(":")
    if kind == "group" and group:
        return find.group(here, group)
    return find.member(here, described) if "@" in described or described == find.ME else described


def json_typed(text: str) -> dict[str, Any]:
    """JSON typed into the command, or from the file after the @."""
    try:
        found = json.loads(Path(text[1:]).read_text() if text.startswith("@") else text)
    except (OSError, ValueError) as error:
        raise typer.BadParameter(f"This is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise typer.BadParameter("This has to be a JSON object, like {…}.")
    return found
