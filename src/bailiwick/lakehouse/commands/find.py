"""From what people type to the id the API wants: layers and pipelines by name, tables and volumes as layer.name."""

from __future__ import annotations

from typing import Any

from bailiwick.cli.command import Here
from bailiwick.cli.find import is_id, layer, one_of, sought, table, volume

__all__ = ["layer", "pipeline", "table", "volume"]


def pipeline(here: Here, path: str, text: str, what: str) -> dict[str, Any]:
    """A pipeline of one kind, as the list at this path shows it."""
    if is_id(text):
        answer: dict[str, Any] = here.client.get(f"{path}/{text}")
        return answer
    return one_of(sought(here, path, text), text, what, lambda it: [it["name"]])
