"""What may not be seen is what does not exist; however deep a name is buried it is decided; and nobody waits longer."""

from __future__ import annotations

import statistics
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from bailiwick.spark import gate
from tests.spark.gate.conftest import Lakehouse

# Ways to use a table, or a query in brackets, in a larger query that has one column called id.
WRAPPINGS = [
    "(select id from {q})",
    "(select id from (select * from {q}) where id > 1)",
    "(with c as (select id from {q}) select id from c)",
    "(with c as (select 1 as id), d as (select id from {q}) select c.id from c)",
    "(select (select max(id) from {q}) as id)",
    "(select id from raw.a where id in (select id from {q}))",
    "(select id from raw.a where exists (select 1 from {q}))",
    "(select id from raw.a union all select id from {q})",
    "(select id from {q} except select id from raw.b)",
    "(select l.id from raw.a l join {q} r on l.id = r.id)",
    "(select a.id from raw.a, lateral (select id as other from {q}))",
    "(select sum(id) over (order by (select max(id) from {q})) as id from raw.a)",
    "(select id from raw.a group by id having id > (select max(id) from {q}))",
    "(select id from raw.a order by (select max(id) from {q}) limit 5)",
    "(select case when id > 1 then (select max(id) from {q}) end as id from raw.b)",
    "(select v as id from raw.a lateral view explode(array((select max(id) from {q}))) t as v)",
    "(from {q} |> select id |> where id > 0)",
    "(from raw.a |> select id |> union all (select id from {q}))",
    "(select greatest(array(1, 2)[0], (select max(id) from {q})) as id)",
    "(select id from (select id, 'k' as k from {q}) pivot (count(1) for k in ('k')))",
    "(select /*+ broadcast(r) */ r.id from {q} r)",
    "(select id from {q} tablesample (5 rows))",
    "(select id from range(3) where id not in (select id from {q}))",
]


def nested(inner: str, wrappings: list[str]) -> str:
    for wrapping in wrappings:
        inner = wrapping.replace("{q}", inner)
    return f"select id from {inner}"


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(wrappings=st.lists(st.sampled_from(WRAPPINGS), min_size=1, max_size=4))
def test_a_secret_is_found_however_deep_it_is_buried(
    spark: SparkSession, lakehouse: Lakehouse, wrappings: list[str]
) -> None:
    with pytest.raises(gate.Refusal) as refused:
        gate.admit(spark, nested("raw.secret", wrappings), lakehouse.ann)
    assert (refused.value.code, refused.value.name) == ("table_not_found", "raw.secret")
    # The same around a table that she may read is a query, so it is the table that was refused and nothing else.
    assert "raw.b" in {table.id for table in gate.admit(spark, nested("raw.b", wrappings), lakehouse.ann).reads}


SECRET_AND_NOWHERE = [
    "select * from {t}",
    "select no_such_column from {t}",
    "select nothing from raw.a, {t}",
    "select * from raw.a where id in (select id from {t})",
    "with c as (select * from {t}) select * from c",
    "select * from {t} version as of 99",
    "select * from {t} timestamp as of '1999-01-01'",
    "select s.* from {t} s join {t} z using (id)",
    "explain select * from {t}",
]


def _refusal(session: SparkSession, lakehouse: Lakehouse, sql: str) -> tuple[str, str, str | None, str]:
    with pytest.raises(gate.Refusal) as refused:
        statement = gate.read(session, sql)
        select = statement.select if isinstance(statement, gate.Explain) else statement
        assert isinstance(select, gate.Select)
        select.admit(lakehouse.ann)
    return refused.value.code, refused.value.message, refused.value.name, refused.value.fix


@pytest.mark.parametrize("sql", SECRET_AND_NOWHERE)
def test_what_may_not_be_seen_is_refused_like_what_does_not_exist(
    spark: SparkSession, lakehouse: Lakehouse, sql: str
) -> None:
    hidden = _refusal(spark, lakehouse, sql.replace("{t}", "raw.secret"))
    missing = _refusal(spark, lakehouse, sql.replace("{t}", "raw.sekret"))
    assert tuple(part and part.replace("secret", "sekret") for part in hidden) == missing
    assert missing[0] == "table_not_found"


def test_the_refusal_says_what_was_written_and_suggests_no_other_table(
    spark: SparkSession, lakehouse: Lakehouse
) -> None:
    code, message, name, fix = _refusal(spark, lakehouse, "select * from Raw.Secrets join raw.secret using (id)")
    assert (code, message, name, fix) == (
        "table_not_found",
        "Table not found: Raw.Secrets, raw.secret.",
        "Raw.Secrets, raw.secret",
        "",
    )


def test_a_refusal_takes_as_long_for_a_hidden_table_as_for_a_missing_one(
    spark: SparkSession, lakehouse: Lakehouse
) -> None:
    def seconds(table: str) -> float:
        start = time.perf_counter()
        _refusal(spark, lakehouse, f"select id, x from {table} where x > 1 order by id")
        return time.perf_counter() - start

    hidden, missing = [], []
    for _ in range(60):  # in turn, so that a busy machine slows both
        hidden.append(seconds("raw.secret"))
        missing.append(seconds("raw.sekret"))
    spread = statistics.quantiles(hidden + missing, n=4)
    difference = abs(statistics.median(hidden) - statistics.median(missing))
    assert difference <= max(spread[2] - spread[0], 0.001)


def test_the_gate_asks_once_and_only_for_names_with_a_layer(spark: SparkSession, lakehouse: Lakehouse) -> None:
    lakehouse.asked.clear()
    gate.admit(
        spark, "with c as (select * from RAW.A) select * from c, raw.a x, raw.B where exists (table c)", lakehouse.ann
    )
    assert lakehouse.asked == [("raw", "a"), ("raw", "b")]


def test_nothing_is_asked_about_a_statement_that_is_refused_anyway(spark: SparkSession, lakehouse: Lakehouse) -> None:
    lakehouse.asked.clear()
    for sql in (
        "insert into raw.a table raw.secret",
        "select reflect('x') from raw.secret",
        "select * from a, raw.secret",
    ):
        with pytest.raises(gate.Refusal):
            gate.admit(spark, sql, lakehouse.ann)
    assert lakehouse.asked == []
