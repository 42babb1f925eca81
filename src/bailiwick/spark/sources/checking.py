"""Text to types: what each column's values look like, and which rows do not fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pyspark.sql import Column as Expression
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from bailiwick.spark.sources.reading import REASON, RECORD
from bailiwick.spark.writing import quoted

INTEGER = r"^-?(0|[1-9][0-9]{0,18})$"  # 007 is a name, not a number
NUMBER = r"^[-+]?(0|[1-9][0-9]*)?(\.[0-9]*)?([eE][-+]?[0-9]{1,3})?$"
DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
MOMENT = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}"
PATTERNS = {"bigint": INTEGER, "double": NUMBER, "date": DATE, "timestamp": MOMENT}
# A few values that do not fit are dirt, and no reason to call a column of numbers text.
CLEAN_ENOUGH, ENOUGH = 0.95, 20
SHOWN = 100  # characters of a bad value in its reason


def work_out_types(texts: DataFrame, columns: Sequence[str]) -> dict[str, str]:
    """The type of each column, from all its values, in one look."""
    if not columns:
        return {}
    counts: list[Expression] = []
    for number, name in enumerate(columns):
        value = _text(name)
        counts.append(F.count(value).alias(f"{number}_any"))
        counts.append(F.count(F.when(F.lower(value).isin("true", "false"), 1)).alias(f"{number}_boolean"))
        for type_, pattern in PATTERNS.items():
            fits = value.rlike(pattern) & value.try_cast(type_).isNotNull()
            counts.append(F.count(F.when(fits, 1)).alias(f"{number}_{type_}"))
    counted = texts.agg(*counts).collect()[0].asDict()
    return {name: _best(counted, number) for number, name in enumerate(columns)}


def _best(counted: Mapping[str, int], number: int) -> str:
    there = counted[f"{number}_any"]
    if there == 0:
        return "string"
    for type_ in ("boolean", *PATTERNS):
        fit = counted[f"{number}_{type_}"]
        if fit == there or (there >= ENOUGH and fit >= CLEAN_ENOUGH * there):
            return type_
    return "string"


def typed(texts: DataFrame, types: Mapping[str, str], what: str, corrupt: str | None = None) -> DataFrame:
    """The columns with their types; a row with a value that does not fit carries the reason and the row as it came."""
    columns = [name for name in texts.columns if name != corrupt]
    reasons: list[Expression] = []
    if corrupt is not None:
        reasons.append(F.when(F.col(quoted(corrupt)).isNotNull(), F.lit(f"cannot be read as {what}")))
    values: list[Expression] = []
    for name in columns:
        type_ = types[name]
        value = F.col(quoted(name)) if type_ == "string" else _text(name)
        cast = value if type_ == "string" else value.try_cast(type_)
        values.append(cast.alias(name))
        if type_ != "string":
            said = F.concat(F.lit(f"column {name}: '"), F.substring(value, 1, SHOWN), F.lit(f"' is not a {type_}"))
            reasons.append(F.when(value.isNotNull() & cast.isNull(), said))
    as_it_came: Expression = F.to_json(F.struct(*(F.col(quoted(name)) for name in columns)))
    if corrupt is not None:
        as_it_came = F.coalesce(F.col(quoted(corrupt)), as_it_came)
    reason = F.coalesce(*reasons) if reasons else F.lit(None).cast("string")
    return texts.select(*values, reason.alias(REASON), as_it_came.alias(RECORD))


def _text(name: str) -> Any:
    """A value without the blanks around it; nothing where only blanks are."""
    return F.nullif(F.trim(F.col(quoted(name))), F.lit(""))


def with_keys(df: DataFrame, keys: Sequence[str]) -> DataFrame:
    """Rows without a primary key carry that as their reason."""
    if REASON not in df.columns:
        record = F.to_json(F.struct(*(F.col(quoted(name)) for name in df.columns)))
        df = df.select("*", F.lit(None).cast("string").alias(REASON), record.alias(RECORD))
    missing = [F.when(F.col(quoted(key)).isNull(), F.lit(f"column {key}: the primary key is missing")) for key in keys]
    return df.withColumn(REASON, F.coalesce(F.col(REASON), *missing))
