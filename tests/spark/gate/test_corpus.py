"""The adversarial corpus: every statement is let through with exactly its tables, or refused for its reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from bailiwick.spark import gate
from tests.spark.gate.conftest import SECRET, Lakehouse
from tests.spark.gate.corpus import ALLOWED, ASKED, REFUSED

LET_THROUGH = [(reads, sql) for statements in ALLOWED.values() for reads, sql in statements]
NOT_LET_THROUGH = [(code, sql) for statements in REFUSED.values() for code, sql in statements]


def test_there_are_enough_statements() -> None:
    assert len(LET_THROUGH) + len(NOT_LET_THROUGH) + len(ASKED) >= 500
    assert len({sql for _, sql in LET_THROUGH + NOT_LET_THROUGH}) == len(LET_THROUGH) + len(NOT_LET_THROUGH)


@pytest.mark.parametrize(("reads", "sql"), LET_THROUGH)
def test_a_query_is_let_through_with_exactly_its_tables(
    left_behind: SparkSession, lakehouse: Lakehouse, reads: str, sql: str
) -> None:
    admitted = gate.admit(left_behind, sql, lakehouse.ann)
    assert {table.id for table in admitted.reads} == set(reads.split())
    assert [column.name for column in admitted.columns] == admitted.dataframe.columns


@pytest.mark.parametrize(("code", "sql"), NOT_LET_THROUGH)
def test_a_statement_is_refused_for_its_reason(
    left_behind: SparkSession, lakehouse: Lakehouse, tmp_path: Path, code: str, sql: str
) -> None:
    free = tmp_path / "free"
    sql = sql.replace("{secret}", lakehouse.secret).replace("{free}", str(free))
    with pytest.raises(gate.Refusal) as refused:
        statement = gate.read(left_behind, sql)
        if isinstance(statement, gate.Explain):
            statement.select.admit(lakehouse.ann)
        else:
            gate.admit(left_behind, sql, lakehouse.ann)
    assert refused.value.code == code, refused.value.message
    said = f"{refused.value.message} {refused.value.fix}"
    assert SECRET not in said
    assert lakehouse.secret not in said or lakehouse.secret in sql
    assert not free.exists()


@pytest.mark.parametrize(("kind", "name", "sql"), ASKED)
def test_a_question_is_recognised_and_left_to_the_platform(spark: SparkSession, kind: str, name: str, sql: str) -> None:
    asked = gate.read(spark, sql)
    assert isinstance(asked, gate.Question)
    assert (asked.kind, ".".join(asked.name)) == (kind, name)


def test_a_question_keeps_its_pattern_and_its_limit(spark: SparkSession) -> None:
    assert gate.read(spark, "show tables in raw like 'o*'") == gate.Question("tables", ("raw",), "o*")
    assert gate.read(spark, "describe history raw.a limit 3") == gate.Question("history", ("raw", "a"), limit=3)


def test_a_refused_corpus_leaves_no_trace(left_behind: SparkSession, lakehouse: Lakehouse, tmp_path: Path) -> None:
    gate.read(left_behind, "select 1")  # the first statement of a session seals it
    settings = dict(left_behind.conf.getAll)

    def trace() -> tuple[Any, ...]:
        shown = [left_behind.sql(f"SHOW {what}").collect() for what in ("TABLES", "DATABASES", "FUNCTIONS")]
        return lakehouse.files(), shown, left_behind.catalog.currentDatabase()

    before = trace()
    for _, sql in NOT_LET_THROUGH:
        with pytest.raises(gate.Refusal):
            sql = sql.replace("{secret}", lakehouse.secret).replace("{free}", str(tmp_path / "free"))
            statement = gate.read(left_behind, sql)
            (statement.select if isinstance(statement, gate.Explain) else statement).admit(lakehouse.ann)  # type: ignore[union-attr]
    assert before == trace()
    assert settings == dict(left_behind.conf.getAll)
    assert not list(tmp_path.iterdir())
