"""How the columns of a table may follow the data: new ones are added, types become wider, anything else stops."""

from __future__ import annotations

from collections.abc import Sequence

from bailiwick.spark.errors import SparkProblem
from bailiwick.spark.jobs import Column
from bailiwick.spark.widening import is_wider


def changes(there: Sequence[Column], new: Sequence[Column], *, replace: bool = False) -> tuple[str, ...]:
    """What writing such columns changes in the table, in words; what may not change raises.

    A column that the data no longer has stays, and is NULL in new rows. With `replace` the table takes exactly the
    new columns, whatever they are."""
    before = {column.name.lower(): column for column in there}
    after = {column.name.lower(): column for column in new}
    said = []
    for key, column in after.items():
        old = before.get(key)
        if old is None:
            said.append(f"{column.name} {column.type} is added")
        elif old.type != column.type:
            if not replace and not is_wider(old.type, column.type) and not is_wider(column.type, old.type):
                raise SparkProblem(
                    "schema_changed",
                    f"The column {old.name} is {old.type} in the table and {column.type} in the data.",
                    f"Convert it, in a query with CAST({old.name} AS {old.type}), or replace the table's columns.",
                )
            if replace or is_wider(old.type, column.type):
                said.append(f"{old.name} changes from {old.type} to {column.type}")
    if replace:
        said += [f"{column.name} {column.type} is removed" for key, column in before.items() if key not in after]
    return tuple(said)
