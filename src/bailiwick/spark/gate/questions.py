"""SHOW and DESCRIBE: Spark is not asked; the platform answers from its own catalogue what the member may see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from bailiwick.spark.gate.names import PART
from bailiwick.spark.gate.refusal import Refusal
from bailiwick.spark.jobs import Name

Kind = Literal["layers", "tables", "columns", "table", "history"]

_KINDS: Mapping[str, Kind] = {
    "org.apache.spark.sql.execution.command.ShowNamespacesCommand": "layers",
    "org.apache.spark.sql.catalyst.plans.logical.ShowTables": "tables",
    "org.apache.spark.sql.catalyst.plans.logical.ShowColumns": "columns",
    "org.apache.spark.sql.catalyst.plans.logical.DescribeRelation": "table",
    "org.apache.spark.sql.delta.commands.DescribeDeltaHistory": "history",
}


@dataclass(frozen=True)
class Question:
    """What is asked, and of what: a layer, or layer and table, in lower case; nothing: of everything."""

    kind: Kind
    name: Name = ()
    like: str | None = None
    limit: int | None = None


def question(root: str, fields: Mapping[str, Any] | None) -> Question | None:
    """The question that a parsed statement asks, if it is one that the platform answers."""
    kind = _KINDS.get(root)
    if kind is None or fields is None:
        return None
    name = _named(fields)
    if kind in ("columns", "table", "history") and len(name) != 2:
        raise Refusal("name", "Write layer.table.")
    if len(name) > {"tables": 1, "layers": 0}.get(kind, 2):
        raise Refusal("name", "Write one layer.")
    limit = fields.get("limit")
    return Question(kind, name, fields.get("pattern"), limit if isinstance(limit, int) else None)


def _named(fields: Mapping[str, Any]) -> Name:
    parts: list[str] = []
    for key in ("namespace", "child", "relation", "table"):
        inside = fields.get(key)
        if isinstance(inside, dict):
            parts = inside.get("multipartIdentifier") or inside.get("nameParts") or parts
            if "path" in inside:
                raise Refusal("path", "Files cannot be read by their path. Name a table: layer.table.")
            break
    if not all(PART.fullmatch(part) for part in parts):
        raise Refusal("name", f"{'.'.join(parts)} is not a name. Write layer.table.", ".".join(parts))
    return tuple(part.lower() for part in parts)
