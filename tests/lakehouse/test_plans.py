"""Whoever asks what they hold reads their own grants, never everybody's: SQLite's plans say so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import event

from bailiwick.database.engine import Database
from tests.bench import tables

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


def plans_of(database: Database, ask: Callable[[], object]) -> list[str]:
    """How SQLite gets at grants in everything that is asked."""
    asked: list[tuple[str, Any]] = []

    def note(connection: Any, cursor: Any, statement: str, parameters: Any, context: Any, many: bool) -> None:
        if "FROM lakehouse_grant" in statement:
            asked.append((statement, parameters))

    event.listen(database.engine, "before_cursor_execute", note)
    try:
        ask()
    finally:
        event.remove(database.engine, "before_cursor_execute", note)
    assert asked
    with database.engine.connect() as connection:
        return [
            row.detail
            for statement, parameters in asked
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
            if "lakehouse_grant" in row.detail
        ]


@pytest.mark.parametrize("what", [tables.check, tables.first_page, tables.completion])
@pytest.mark.parametrize("who", ["holds few", "holds the layer", "holds each through a group"])
def test_grants_are_found_by_whom_they_were_given_to(
    database: Database, what: Callable[[tables.Lakehouse, str], int], who: str
) -> None:
    made = tables.make_lakehouse(database, tables.FEW)
    for plan in plans_of(database, lambda: what(made, who)):
        assert "SEARCH" in plan
        assert "member_id=?" in plan or "group_id=?" in plan, plan


def test_giving_a_level_finds_those_of_the_table_or_of_the_giver(database: Database) -> None:
    made = tables.make_lakehouse(database, tables.FEW)
    for plan in plans_of(database, lambda: tables.grant_and_take(made)):
        assert any(f"{column}=?" in plan for column in ("member_id", "group_id", "table_id", "id")), plan
        assert "(layer_id=?)" not in plan
