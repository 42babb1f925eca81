"""Names of tables in a statement: `layer.table`, or a name that the statement itself gives with WITH."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bailiwick.spark.gate.refusal import Refusal
from bailiwick.spark.jobs import Name

PART = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,62}", re.ASCII)
FORMATS = frozenset(("delta", "parquet", "csv", "json", "orc", "text", "avro", "xml", "binaryfile", "jdbc", "iceberg"))


@dataclass(frozen=True)
class Use:
    """One place where a statement names a table, and which moment of it."""

    name: Name  # in lower case
    written: str
    version: int | None = None
    timestamp: str | None = None


def uses(relations: Iterable[Mapping[str, Any]], given: Collection[str]) -> list[Use | None]:
    """Every place where a relation is named, in order; None where it has to be a name given by WITH."""
    known = {name.lower() for name in given}
    return [_use(relation, known) for relation in relations]


def _use(relation: Mapping[str, Any], given: Collection[str]) -> Use | None:
    parts: list[str] = relation["name"]
    written = ".".join(parts)
    if relation["streaming"]:
        raise Refusal("streaming", "Reading a table as a stream is not allowed here.", written)
    if relation["options"]:
        raise Refusal("options", f"Options are not allowed when reading a table ({written} WITH …).", written)
    if len(parts) == 1:
        if written.lower() in given and relation["version"] is None and relation["timestamp"] is None:
            return None
        raise layer_missing(written)
    if len(parts) == 2 and all(PART.fullmatch(part) for part in parts):
        version, timestamp = _moment(relation, written)
        return Use((parts[0].lower(), parts[1].lower()), written, version, timestamp)
    if len(parts) == 2 and (parts[0].lower() in FORMATS or re.search(r"[/\\:@]", written)):
        raise Refusal("path", "Files cannot be read by their path. Read a table: layer.table.", written)
    raise Refusal("name", f"{written} is not the name of a table. Write layer.table.", written)


def _moment(relation: Mapping[str, Any], written: str) -> tuple[int | None, str | None]:
    version, timestamp = relation["version"], relation["timestamp"]
    if version is not None and not re.fullmatch(r"[0-9]{1,18}", version, re.ASCII):
        raise Refusal("time_travel", f"The version of {written} has to be a number, like VERSION AS OF 3.", written)
    if timestamp == "":
        message = f"The time of {written} has to be a constant, like TIMESTAMP AS OF '2026-01-31'."
        raise Refusal("time_travel", message, written)
    return (None if version is None else int(version)), timestamp


def layer_missing(written: str) -> Refusal:
    return Refusal("layer_missing", f"{written} names no layer. Write layer.table.", written)


def not_found(written: Iterable[str]) -> Refusal:
    """The same for what does not exist and for what may not be seen, to the letter."""
    names = ", ".join(dict.fromkeys(written))
    return Refusal("table_not_found", f"Table not found: {names}.", names)
