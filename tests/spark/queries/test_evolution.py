"""What may become of a table's columns."""

from __future__ import annotations

import pytest

from bailiwick.spark.errors import SparkProblem
from bailiwick.spark.jobs import Column
from bailiwick.spark.queries.evolution import changes
from bailiwick.spark.widening import is_wider


@pytest.mark.parametrize(
    ("old", "new", "wider"),
    [
        ("int", "bigint", True),
        ("bigint", "int", False),
        ("tinyint", "double", True),
        ("bigint", "double", False),  # not every whole number is one
        ("float", "double", True),
        ("decimal(10,2)", "decimal(12,2)", True),
        ("decimal(10,2)", "decimal(11,4)", False),  # fewer digits before the point
        ("decimal(10,2)", "decimal(12,4)", True),
        ("int", "decimal(10,0)", True),
        ("int", "decimal(9,0)", False),
        ("string", "int", False),
        ("int", "string", False),
    ],
)
def test_a_type_is_wider_if_it_holds_every_value(old: str, new: str, wider: bool) -> None:
    assert is_wider(old, new) is wider


def test_changes_are_told_and_others_refused() -> None:
    there = [Column("id", "int"), Column("name", "string")]
    assert changes(there, [Column("ID", "bigint"), Column("more", "date")]) == (
        "id changes from int to bigint",
        "more date is added",
    )
    assert changes(there, [Column("id", "tinyint")]) == ()  # it fits, and what is missing stays
    with pytest.raises(SparkProblem, match="id is int in the table and string in the data"):
        changes(there, [Column("id", "string")])
    assert changes(there, [Column("id", "string")], replace=True) == (
        "id changes from int to string",
        "name string is removed",
    )
