"""What every reader hands on: rows as they should land, rows that cannot, and how far it has read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pyspark.sql import DataFrame

from bailiwick.spark.sources.naming import clean_names
from bailiwick.spark.writing import quoted

REASON, RECORD = "_reason", "_record"  # of a row that cannot land; no source's column is called so after cleaning


@dataclass(frozen=True)
class Reading:
    """What was read. Rows that carry a reason are rejected; readers that can reject nothing have no such column."""

    rows: DataFrame
    state: Mapping[str, Any] = field(default_factory=dict)
    can_reject: bool = False
    may_lack_columns: bool = False  # of which the rows then hold nothing


def with_clean_names(df: DataFrame) -> DataFrame:
    return df.toDF(*clean_names(df.columns))


def only(df: DataFrame, columns: tuple[str, ...] | None) -> DataFrame:
    """Those columns that are wanted, in the source's order."""
    if columns is None:
        return df
    wanted = {name.lower() for name in columns} | {REASON, RECORD}
    return df.select(*(quoted(name) for name in df.columns if name.lower() in wanted))
