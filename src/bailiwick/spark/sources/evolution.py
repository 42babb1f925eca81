"""When a source's columns change between runs: new ones are added, types widened; anything else stops the stream."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import DataType, StructField, StructType

from bailiwick.spark.errors import SparkProblem
from bailiwick.spark.widening import is_wider
from bailiwick.spark.writing import quoted


def fitted(df: DataFrame, table: StructType | None, stream: str, *, may_lack: bool) -> DataFrame:
    """The rows with the columns that the table will have: its own in their order, then what is new."""
    if table is None:
        return df
    come = {field.name.lower(): field for field in df.schema.fields}
    chosen = []
    for field in table.fields:
        new = come.pop(field.name.lower(), None)
        if new is None:
            if not may_lack:
                raise _stopped(stream, f"the column {field.name} ({_name(field.dataType)}) is gone")
            chosen.append(F.lit(None).cast(field.dataType).alias(field.name))
        elif new.dataType == field.dataType or is_wider(_name(field.dataType), _name(new.dataType)):
            chosen.append(F.col(quoted(new.name)).alias(field.name))
        else:
            change = f"the column {field.name} was {_name(field.dataType)} and is {_name(new.dataType)} now"
            raise _stopped(stream, change)
    chosen += [F.col(quoted(field.name)) for field in come.values()]
    return df.select(*chosen)


def changes(df: DataFrame, table: StructType | None) -> list[str]:
    """What is about to change about the table's columns, in words."""
    if table is None:
        return []
    had = {field.name.lower(): field for field in table.fields}
    return [said for field in df.schema.fields if (said := _change(had.get(field.name.lower()), field))]


def _change(old: StructField | None, new: StructField) -> str | None:
    if old is None:
        return f"new column {new.name} ({_name(new.dataType)})"
    if old.dataType != new.dataType:
        return f"column {new.name} widened from {_name(old.dataType)} to {_name(new.dataType)}"
    return None


def _name(type_: DataType) -> str:
    return type_.simpleString()


def _stopped(stream: str, change: str) -> SparkProblem:
    return SparkProblem(
        "schema_changed",
        f"The stream {stream} was stopped: {change}. New columns are added and types widened by themselves; this would "
        "change or lose what the table holds.",
        "Change it back at the source, leave the column out, or let the stream start over: its table is then replaced.",
    )
