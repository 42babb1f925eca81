"""Which columns of which tables each column of a result is made of, from Spark's own analysed plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bailiwick.spark.jobs import ColumnEdge


def column_lineage(analysed: Mapping[str, Any], table_ids: Sequence[str]) -> list[ColumnEdge]:
    """Follow every column of the output back to the tables it comes from.

    `analysed` is what the gate found in an analysed plan: `flow` (column → columns it is made of, by Spark's own ids),
    `tables` (the columns of each use of a table) and `output`. A column counts as a source if its value goes into
    the result; one that only filters, joins or sorts does not.
    """
    flow: Mapping[str, Sequence[str]] = analysed["flow"]
    sources = {column: (table_ids[use["table"]], name) for use in analysed["tables"] for column, name in use["columns"]}
    edges = {
        ColumnEdge(*sources[column], to_column=name)
        for start, name, _, _ in analysed["output"]
        for column in _reached(start, flow)
        if column in sources
    }
    return sorted(edges, key=lambda edge: (edge.to_column, edge.from_table_id, edge.from_column))


def _reached(start: str, flow: Mapping[str, Sequence[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        column = waiting.pop()
        if column not in reached:
            reached.add(column)
            waiting.extend(flow.get(column, ()))
    return reached
