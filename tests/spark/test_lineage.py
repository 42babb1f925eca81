"""Which columns a result is made of, for queries of every kind; the expectations are written by hand."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from bailiwick.spark import gate
from bailiwick.spark.lineage import column_lineage
from tests.spark.gate.conftest import Lakehouse, lakehouse

__all__ = ["lakehouse"]  # the fixture

# statement -> "column of the result: table.column table.column", a line a column; columns made of nothing have no line
QUERIES: list[tuple[str, str]] = [
    ("select id from raw.a", "id: a.id"),
    ("select id as key, x + 1 as more from raw.a", "key: a.id\nmore: a.x"),
    ("select x + id as both, 1 as one from raw.a", "both: a.id a.x"),
    ("select note, id from trusted.c", "id: c.id\nnote: c.note"),
    ("select * from trusted.c", "id: c.id\nnote: c.note"),
    ("select s.f, arr[0] as first from raw.a", "f: a.s\nfirst: a.arr"),
    ("select id from raw.a where x > 1 order by who", "id: a.id"),
    ("select who, sum(x) as total, count(*) as n from raw.a group by who", "total: a.x\nwho: a.who"),
    ("select upper(who) as u from raw.a group by upper(who) having max(x) > 1", "u: a.who"),
    ("select a.id, b.x from raw.a join raw.b on a.id = b.id", "id: a.id\nx: b.x"),
    ("select id from raw.a join raw.b using (id)", "id: a.id"),
    ("select id from raw.a full join raw.b using (id)", "id: a.id b.id"),
    ("select l.id as p, r.x as q from raw.a l join raw.a r on l.id = r.id", "p: a.id\nq: a.x"),
    ("select id from raw.a union all select x from raw.b", "id: a.id b.x"),
    ("select id from raw.a union select id from raw.b union select id from trusted.c", "id: a.id b.id c.id"),
    ("select id from raw.a except select id from raw.b", "id: a.id"),
    ("select id from raw.a intersect select x from raw.b", "id: a.id"),
    ("select (select max(x) from raw.b) as m, id from raw.a", "id: a.id\nm: b.x"),
    ("select id, (select max(b.x) from raw.b where b.id = a.id) as m from raw.a", "id: a.id\nm: b.x"),
    ("select id from raw.a where id in (select id from raw.b)", "id: a.id"),
    ("select exists (select 1 from raw.b where b.id = a.id) as has, id from raw.a", "id: a.id"),
    ("select x in (select id from raw.b) as has from raw.a", "has: a.x b.id"),
    ("with c as (select id, x from raw.a) select x as y from c", "y: a.x"),
    ("with c as (select id from raw.a) select l.id as p, r.id as q from c l join c r on true", "p: a.id\nq: a.id"),
    ("with c as (select id from raw.a), d as (select id + 1 as i from c) select i from d", "i: a.id"),
    (
        "with recursive r(n, m) as (select id, 0L from raw.a union all select n + 1, x from r join raw.b on id = n)"
        " select n, m from r",
        "m: b.x\nn: a.id",
    ),
    ("select v from raw.a lateral view explode(arr) t as v", "v: a.arr"),
    ("select explode(map(who, x)) as (k, v) from raw.a", "k: a.who a.x\nv: a.who a.x"),
    ("select id, y from raw.a, lateral (select x + a.id as y from raw.b)", "id: a.id\ny: a.id b.x"),
    ("select row_number() over (partition by who order by x) as n from raw.a", "n: a.who a.x"),
    ("select sum(x) over (partition by who) as total from raw.a", "total: a.who a.x"),
    ("select case when x > 1 then who else 'none' end as c from raw.a", "c: a.who a.x"),
    ("select transform(arr, v -> v + x) as t from raw.a", "t: a.arr a.x"),
    ("select * from (select who, x from raw.a) pivot (sum(x) as s for who in ('p' as p))", "p: a.who a.x"),
    ("select * from (select id, x from raw.a) unpivot (v for n in (id, x))", "v: a.id a.x"),
    ("select who, id, count(*) as n from raw.a group by grouping sets ((who), (id))", "id: a.id\nwho: a.who"),
    ("from raw.a |> extend x + id as y |> aggregate sum(y) as total group by who", "total: a.id a.x\nwho: a.who"),
    ("select id from raw.a version as of 0", "id: a.id"),
    ("select n.id as now, o.id as old from raw.a n join raw.a version as of 0 o on true", "now: a.id\nold: a.id"),
    ("select first(id) as f, coalesce(max(x), 0) as m from raw.a", "f: a.id\nm: a.x"),
    ("select sum(x) as total, total + 1 as more from raw.a", "more: a.x\ntotal: a.x"),
    ("select struct(id, who) as s from raw.a", "s: a.id a.who"),
    ("select distinct id from (select id, x from raw.a) as t(p, id)", "id: a.x"),
    ("select 1 as one, count(*) as n from raw.a", ""),
    ("values (1), (2)", ""),
]


@pytest.mark.parametrize(("sql", "expected"), QUERIES)
def test_every_column_is_followed_to_its_tables(
    spark: SparkSession, lakehouse: Lakehouse, sql: str, expected: str
) -> None:
    found: dict[str, list[str]] = {}
    for edge in gate.admit(spark, sql, lakehouse.ann).lineage:
        table = edge.from_table_id.rpartition(".")[2]
        found.setdefault(edge.to_column, []).append(f"{table}.{edge.from_column}")
    assert "\n".join(f"{column}: {' '.join(sources)}" for column, sources in found.items()) == expected


def test_columns_that_go_around_in_circles_are_followed_once() -> None:
    analysed = {
        "flow": {"1": ["2", "3"], "2": ["1"], "3": ["4"]},
        "tables": [{"table": 0, "columns": [["4", "x"]]}],
        "output": [["1", "n", "bigint", True]],
    }
    (edge,) = column_lineage(analysed, ["t"])
    assert (edge.from_table_id, edge.from_column, edge.to_column) == ("t", "x", "n")
