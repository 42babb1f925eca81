"""What the statement gate takes for a statement, on small tables and a Spark that has warmed up."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from pyspark.sql import SparkSession

from bailiwick.spark import gate
from bailiwick.spark.jobs import Name, TableRef
from tests.bench.measure import Result, Say
from tests.bench.spark import bare, running

ALLOWED = 0.025  # seconds a statement, at the median
ROUNDS, WARM_UP = 15, 6

TABLES = {
    "raw.orders": "id bigint, customer_id bigint, product_id bigint, ordered_at timestamp, amount decimal(10,2), "
    "state string, tags array<string>, address struct<city: string, country: string>",
    "raw.customers": "id bigint, name string, country string, born date, segment string",
    "raw.products": "id bigint, name string, category string, price decimal(10,2)",
    "trusted.revenue": "day date, country string, revenue decimal(20,2)",
}

STATEMENTS = (
    "SELECT 1",
    "SELECT * FROM raw.orders LIMIT 100",
    "SELECT id, amount FROM raw.orders WHERE state = 'paid' ORDER BY amount DESC LIMIT 10",
    "SELECT count(*) FROM raw.orders",
    "SELECT state, count(*) AS orders, sum(amount) AS revenue FROM raw.orders GROUP BY state",
    "SELECT country, avg(amount) FROM raw.orders o JOIN raw.customers c ON o.customer_id = c.id GROUP BY ALL",
    "SELECT c.name, o.id FROM raw.customers c LEFT JOIN raw.orders o ON o.customer_id = c.id WHERE o.id IS NULL",
    "SELECT date_trunc('month', ordered_at) AS month, sum(amount) FROM raw.orders GROUP BY 1 ORDER BY 1",
    "SELECT DISTINCT category FROM raw.products ORDER BY category",
    "SELECT p.category, c.segment, sum(o.amount) FROM raw.orders o JOIN raw.customers c ON o.customer_id = c.id "
    "JOIN raw.products p ON o.product_id = p.id GROUP BY p.category, c.segment HAVING sum(o.amount) > 100",
    "WITH paid AS (SELECT * FROM raw.orders WHERE state = 'paid') SELECT count(*) FROM paid",
    "WITH a AS (SELECT customer_id, sum(amount) AS total FROM raw.orders GROUP BY customer_id), "
    "b AS (SELECT *, rank() OVER (ORDER BY total DESC) AS place FROM a) "
    "SELECT c.name, b.total FROM b JOIN raw.customers c ON c.id = b.customer_id WHERE b.place <= 10",
    "SELECT *, row_number() OVER (PARTITION BY customer_id ORDER BY ordered_at DESC) AS n FROM raw.orders",
    "SELECT name FROM raw.customers WHERE id IN (SELECT customer_id FROM raw.orders WHERE amount > 100)",
    "SELECT name FROM raw.customers c WHERE EXISTS (SELECT 1 FROM raw.orders o WHERE o.customer_id = c.id)",
    "SELECT name, (SELECT max(amount) FROM raw.orders o WHERE o.customer_id = c.id) AS most FROM raw.customers c",
    "SELECT id, tag FROM raw.orders LATERAL VIEW explode(tags) AS tag",
    "SELECT address.city, count(*) FROM raw.orders GROUP BY address.city",
    "SELECT country FROM raw.customers UNION SELECT country FROM trusted.revenue",
    "SELECT id FROM raw.customers EXCEPT SELECT customer_id FROM raw.orders",
    "SELECT CASE WHEN amount > 100 THEN 'large' ELSE 'small' END AS size, count(*) FROM raw.orders GROUP BY 1",
    "SELECT upper(name), year(born), coalesce(segment, 'none'), concat(name, ' ', country) FROM raw.customers",
    "SELECT * FROM (SELECT country, revenue FROM trusted.revenue) PIVOT (sum(revenue) FOR country IN ('DE', 'FR'))",
    "SELECT country, sum(revenue) FROM trusted.revenue WHERE day >= date '2026-01-01' GROUP BY country WITH ROLLUP",
    "SELECT day, revenue, lag(revenue) OVER (PARTITION BY country ORDER BY day) AS before FROM trusted.revenue",
    "SELECT * FROM raw.products WHERE name LIKE '%a%' AND price BETWEEN 1 AND 10 OR category = 'tea'",
    "FROM raw.orders |> WHERE state = 'paid' |> AGGREGATE sum(amount) AS revenue GROUP BY product_id",
    "SELECT o.* FROM raw.orders VERSION AS OF 0 o WHERE o.amount > 1",
    "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY amount) FROM raw.orders",
    "VALUES (1, 'one'), (2, 'two')",
)


def run(say: Say, quick: bool) -> Iterator[Result]:
    statements = STATEMENTS[::3] if quick else STATEMENTS
    rounds, warm_up = (3, 2) if quick else (ROUNDS, WARM_UP)
    say("starting Spark and writing small tables")
    with running() as spark:
        session = spark.engine.session_for("bench")
        tables = make_tables(session, spark.folder / "tables")
        say(f"reading {len(statements)} statements")
        with bare(spark.engine, tables.values()) as analysed:
            ways = {"gate": through_gate(session, tables), "bare": analysed}
            spent = in_turn_over(statements, ways, rounds, warm_up)
    by_statement = {way: [statistics.median(times) for times in each] for way, each in spent.items()}
    ours, theirs = (statistics.median(by_statement[way]) for way in ("gate", "bare"))
    yield Result("the gate for a statement", ours, "what it may take", ALLOWED, ours / ALLOWED, at_most=1)
    yield Result("the gate for a statement", ours, "Spark's own analysis", theirs, ours / theirs)


def in_turn_over(
    statements: Sequence[str], ways: Mapping[str, Callable[[str], object]], rounds: int, warm_up: int
) -> dict[str, list[list[float]]]:
    """The seconds of every statement in every round, on each way; the first rounds only warm up."""
    spent: dict[str, list[list[float]]] = {way: [[] for _ in statements] for way in ways}
    for round_ in range(warm_up + rounds):
        for number, statement in enumerate(statements):
            for way, ask in ways.items():
                started = time.perf_counter()
                ask(statement)
                if round_ >= warm_up:
                    spent[way][number].append(time.perf_counter() - started)
    return spent


def make_tables(session: SparkSession, folder: Path) -> dict[Name, TableRef]:
    tables: dict[Name, TableRef] = {}
    for name, columns in TABLES.items():
        layer, table = name.split(".")
        location = str(folder / table)
        session.createDataFrame([], columns).write.format("delta").save(location)
        tables[layer, table] = TableRef(name, layer, table, location)
    return tables


def through_gate(session: SparkSession, tables: Mapping[Name, TableRef]) -> Callable[[str], object]:
    def resolve(names: Sequence[Name]) -> Mapping[Name, TableRef]:
        return {name: tables[name] for name in names}

    return lambda sql: gate.admit(session, sql, resolve)
