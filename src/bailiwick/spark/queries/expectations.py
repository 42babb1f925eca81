"""Expectations on the rows a pipeline writes: worked out in one pass, or on the way while they are written."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from pyspark.sql import Column as Expression
from pyspark.sql import DataFrame, Observation
from pyspark.sql import functions as F
from pyspark.sql.types import DateType, StructType, TimestampNTZType, TimestampType

from bailiwick.spark.errors import SparkProblem
from bailiwick.spark.queries.jobs import Checked, Expectation
from bailiwick.spark.writing import quoted

STOPPED = "expectation"
TOLD_WITHIN_SECONDS = 20.0
FIX = "Correct the data or the statement, or let this expectation warn."


def require_columns(schema: StructType, keys: Sequence[str], expectations: Sequence[Expectation]) -> None:
    """Refuse keys and expectations of columns that are not there, or whose type makes no sense for them."""
    there = {field.name.lower(): field for field in schema.fields}
    named = [(key, "to merge by") for key in keys] + [(e.column, "to check") for e in expectations if e.column]
    for name, use in named:
        if name.lower() not in there:
            listed = ", ".join(field.name for field in schema.fields)
            raise SparkProblem("column_absent", f"There is no column {name} {use}; there are {listed}.")
    moments = (DateType, TimestampType, TimestampNTZType)
    for one in expectations:
        if one.kind == "freshness" and one.column and not isinstance(there[one.column.lower()].dataType, moments):
            message = f"Freshness needs a date or a time, and {one.column} is neither."
            raise SparkProblem("column_type", message, "Choose another column, or CAST it.")


def check_before(df: DataFrame, wanted: Sequence[Expectation]) -> list[Checked]:
    """Work them out before anything is written, all in one pass over the rows."""
    if not wanted:
        return []
    found = df.agg(*[_aggregate(one).alias(f"e{at}") for at, one in enumerate(wanted)]).collect()[0]
    return [_judged(one, found[f"e{at}"]) for at, one in enumerate(wanted)]


class OnTheWay:
    """Those that only warn are worked out while the rows are written, which costs no pass of its own."""

    def __init__(self, expectations: Sequence[Expectation], mode: str) -> None:
        # A merge reads its rows more than once, and what differs from the others cannot be told from a sum.
        self.wanted = [one for one in expectations if mode != "merge" and not one.stop and one.kind != "unique"]
        self._observed = Observation() if self.wanted else None

    def watching(self, df: DataFrame) -> DataFrame:
        if self._observed is None:
            return df
        first, *more = [_aggregate(one).alias(f"e{at}") for at, one in enumerate(self.wanted)]
        return df.observe(self._observed, first, *more)

    def checked(self, written_now: bool) -> list[Checked]:
        """What was seen; of rows that an attempt before this one wrote, nothing is known."""
        if self._observed is None:
            return []
        if not written_now:
            return [Checked(one, None, "not known: the attempt that wrote the rows was lost") for one in self.wanted]
        found = self._found()
        if found is None:
            return [Checked(one, None, "not known: Spark did not tell") for one in self.wanted]
        return [_judged(one, found[f"e{at}"]) for at, one in enumerate(self.wanted)]

    def _found(self) -> Mapping[str, Any] | None:
        """Spark tells a little later than it writes. Asked for what it never tells, it would let us wait for ever."""
        observed: Any = self._observed
        end = time.monotonic() + TOLD_WITHIN_SECONDS
        while not observed._jo.future().isCompleted():
            if time.monotonic() > end:
                return None
            time.sleep(0.01)
        found: Mapping[str, Any] = observed.get
        return found


def stop_if_not_met(checks: Sequence[Checked]) -> None:
    """Raise for the first that had to be met and is not."""
    for one in checks:
        if one.expectation.stop and one.met is False:
            raise SparkProblem(STOPPED, f"Expected {in_words(one.expectation)}, but {one.found}.", FIX)


def in_words(one: Expectation) -> str:
    column = one.column
    between = " and ".join(
        text
        for text in (
            f"at least {one.least}" if one.least is not None else "",
            f"at most {one.most}" if one.most is not None else "",
        )
        if text
    )
    return {
        "not_null": f"{column} never to be NULL",
        "unique": f"{column} never to be the same twice",
        "accepted_values": f"{column} to be one of {', '.join(map(str, one.values[:10]))}",
        "range": f"{column} to be {between}",
        "row_count": f"the number of rows to be {between}",
        "freshness": f"{column} to be no older than {one.minutes} minutes",
    }[one.kind]


def _aggregate(one: Expectation) -> Expression:
    """A number of rows, or a moment, from which `_judged` tells whether it is met."""
    if one.kind == "row_count":
        return F.count(F.lit(1))
    column = F.col(quoted(one.column or ""))
    if one.kind == "freshness":
        return F.max(F.unix_micros(column.cast("timestamp")))
    if one.kind == "unique":
        return F.count(column) - F.countDistinct(column)
    if one.kind == "not_null":
        return F.count(F.when(column.isNull(), 1))
    if one.kind == "accepted_values":
        return F.count(F.when(column.isNotNull() & ~column.isin(list(one.values)), 1))
    outside = F.lit(False)
    if one.least is not None:
        outside = outside | (column < F.lit(one.least))
    if one.most is not None:
        outside = outside | (column > F.lit(one.most))
    return F.count(F.when(outside, 1))


def _judged(one: Expectation, value: Any) -> Checked:
    if one.kind == "row_count":
        number = int(value or 0)
        low = one.least is not None and number < float(one.least)
        high = one.most is not None and number > float(one.most)
        return Checked(one, not (low or high), f"there are {number} rows")
    if one.kind == "freshness":
        if value is None:
            return Checked(one, False, "there is no value")
        newest = datetime.fromtimestamp(0, UTC) + timedelta(microseconds=int(value))
        fresh = datetime.now(UTC) - newest <= timedelta(minutes=one.minutes or 0)
        return Checked(one, fresh, f"the newest value is {newest:%Y-%m-%d %H:%M} UTC")
    number = int(value or 0)
    what = {
        "not_null": "NULL",
        "unique": "the same as another",
        "accepted_values": "something else",
        "range": "outside",
    }[one.kind]
    return Checked(one, number == 0, f"{number} row{'s are' if number != 1 else ' is'} {what}")
