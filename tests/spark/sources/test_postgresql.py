"""PostgreSQL: one moment over several connections, what is new by a cursor, and connections that break."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import URL

from bailiwick.spark.engine import Engine
from bailiwick.spark.sources.jobs import LookJob, PostgresqlAt
from bailiwick.spark.sources.looking import discover, try_connection
from tests import postgres
from tests.spark.contexts import Alone
from tests.spark.sources.making import Source, make_source
from tests.spark.sources.proxy import Proxy, proxy_to


class Shop:
    """A database with a table of orders, and a way there that Java can take."""

    def __init__(self, url: URL, proxy: Proxy) -> None:
        self.proxy = proxy
        plain = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self.connection = psycopg.connect(plain, autocommit=True)
        self.at = PostgresqlAt(
            "shop.example.com", "127.0.0.1", proxy.port, url.database or "", url.username or "postgres", url.password
        )
        self.do(
            """CREATE TABLE "Odd "" orders" (
                id bigint PRIMARY KEY, "the amount" numeric(10,2), "at" timestamp, zoned timestamptz, tags text[],
                about jsonb, changed int NOT NULL)"""
        )
        self.fill(1, 1000)

    def do(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        found = self.connection.execute(statement, values)
        return list(found) if found.description else []

    def fill(self, first: int, last: int) -> None:
        self.do(
            f"""INSERT INTO "Odd "" orders" SELECT n, n / 4.0, '2024-01-01 10:00', '2024-01-01 10:00+02',
                ARRAY['a', 'b'], '{{"x": 1}}', n FROM generate_series({first}, {last}) n"""
        )


@pytest.fixture
def shop(postgres_server: URL) -> Iterator[Shop]:
    with postgres.new_database(postgres_server, "template1") as url, proxy_to(url) as proxy:
        shop = Shop(url, proxy)
        yield shop
        shop.connection.close()


READ = {"type": "postgresql", "schema": "public", "table": 'Odd " orders', "partitions": 4}


def source(engine: Engine, tmp_path: Path, shop: Shop, **more: Any) -> Source:
    return make_source(engine, tmp_path, shop.at, READ, **more)


def test_a_table_lands_whole_and_in_parts_at_once(engine: Engine, tmp_path: Path, shop: Shop) -> None:
    here = source(engine, tmp_path, shop)
    outcome = here.run()
    assert outcome.rows_written == 1000
    assert shop.proxy.connections >= 5  # ours and four of Spark's, and one that asked for the columns
    assert here.types() == {
        "id": "bigint",
        "the_amount": "decimal(10,2)",
        "at": "timestamp",
        "zoned": "timestamp",
        "tags": "string",
        "about": "string",
        "changed": "int",
    }
    there = shop.do('SELECT id, "the amount", tags, about::text FROM "Odd "" orders" ORDER BY id::text')
    landed = here.rows("id", "the_amount", "tags", "about")
    assert landed == [(id_, amount, '["a", "b"]', about) for id_, amount, _, about in there]
    moments = (
        engine.spark.read.format("delta")
        .load(here.stream.output.location)
        .selectExpr("unix_timestamp(at)", "unix_timestamp(zoned)")
    )
    ten = int(datetime(2024, 1, 1, 10, tzinfo=UTC).timestamp())
    assert [tuple(row) for row in moments.distinct().collect()] == [(ten, ten - 7200)]


def test_incremental_reading_goes_on_where_it_ended(engine: Engine, tmp_path: Path, shop: Shop) -> None:
    here = source(engine, tmp_path, shop, mode="incremental", cursor_column="changed")
    assert here.run().rows_written == 1000
    assert not here.run().committed
    shop.fill(1001, 1010)
    # Its end was not written down: the table's own log knows how far it came.
    assert here.run(note=False).rows_written == 10
    shop.fill(1011, 1011)
    assert here.run().rows_written == 1
    assert here.rows("id") == sorted(shop.do('SELECT id FROM "Odd "" orders"'), key=lambda row: (True, str(row[0])))


def test_rows_of_the_same_key_are_replaced(engine: Engine, tmp_path: Path, shop: Shop) -> None:
    here = source(engine, tmp_path, shop, mode="incremental", cursor_column="changed", primary_key=("id",))
    here.run()
    shop.do('UPDATE "Odd "" orders" SET "the amount" = 0, changed = 2000 WHERE id <= 3')
    here.run()
    there = shop.do('SELECT id, "the amount", changed FROM "Odd "" orders" ORDER BY id::text')
    assert here.rows("id", "the_amount", "changed") == there


@pytest.mark.parametrize("key", [(), ("id",)])
def test_a_connection_that_breaks_midway_writes_nothing_and_the_next_try_everything(
    engine: Engine, tmp_path: Path, shop: Shop, key: tuple[str, ...]
) -> None:
    here = source(engine, tmp_path, shop, mode="incremental", cursor_column="changed", primary_key=key)
    here.run()
    shop.fill(1001, 30_000)
    shop.proxy.break_after = shop.proxy._answered + 300_000
    problem = here.run().problem
    assert problem is not None
    assert (problem["code"], problem["passing"]) == ("connection_lost", True)
    assert len(here.rows("id")) == 1000
    shop.proxy.break_after = None
    assert here.run(again=True).rows_written >= 29_000
    assert len(set(here.rows("id"))) == len(here.rows("id")) == 30_000


def test_a_column_that_is_gone_or_narrower_stops_the_stream_with_words(
    engine: Engine, tmp_path: Path, shop: Shop
) -> None:
    here = source(engine, tmp_path, shop, mode="incremental", cursor_column="changed")
    here.run()
    shop.do('ALTER TABLE "Odd "" orders" DROP COLUMN about, ADD COLUMN more text')
    shop.do("""INSERT INTO "Odd "" orders" (id, changed, more) VALUES (2000, 2000, 'x')""")
    problem = here.run().problem
    assert problem is not None
    assert "the column about (string) is gone" in problem["message"]
    shop.do('ALTER TABLE "Odd "" orders" ADD COLUMN about text, ALTER COLUMN changed TYPE bigint')
    assert here.run().rows_written == 1
    assert (here.types()["changed"], here.types()["more"]) == ("bigint", "string")


def test_what_is_there_is_discovered_with_keys_types_and_rows(engine: Engine, tmp_path: Path, shop: Shop) -> None:
    shop.do("CREATE SCHEMA other; CREATE TABLE other.t (x uuid, y inet); CREATE VIEW v AS SELECT 1 AS one")
    outcome = discover(engine, LookJob(shop.at), Alone())
    found = {stream.name: stream for stream in outcome.streams}
    assert set(found) == {'Odd " orders', "other.t", "v"}
    orders = found['Odd " orders']
    assert orders.primary_key == ("id",)
    assert orders.columns[1].type == "decimal(10,2)"
    assert orders.sample[0]["the amount"] == "0.25"
    assert [column.type for column in found["other.t"].columns] == ["string", "string"]
    assert "PostgreSQL" in try_connection(engine, LookJob(shop.at), Alone()).says


def test_who_may_not_sign_in_is_told_so_and_not_tried_again(engine: Engine, tmp_path: Path, shop: Shop) -> None:
    shop.at = replace(shop.at, user="nobody'; DROP TABLE x; --", password="sesame-in-plain")
    here = source(engine, tmp_path, shop)
    problem = here.run().problem
    assert problem is not None
    assert (problem["code"], problem["passing"]) == ("sign_in_failed", False)
    assert "sesame" not in str(problem) + " ".join(here.told.logged) + repr(shop.at)


def test_names_are_names_and_never_statements(engine: Engine, tmp_path: Path, shop: Shop) -> None:
    evil = 'x" WHERE 1=1; DROP TABLE "Odd "" orders"; --'
    here = make_source(engine, tmp_path, shop.at, {**READ, "table": evil})
    problem = here.run().problem
    assert problem is not None
    assert problem["code"] == "no_table"
    chosen = source(engine, tmp_path, shop, mode="incremental", cursor_column=evil)
    problem = chosen.run().problem
    assert problem is not None
    assert problem["code"] == "no_cursor"
    state = {"cursor": "0); DROP TABLE x; --", "number": 0}
    typed = source(engine, tmp_path, shop, mode="incremental", cursor_column="changed", state=state)
    problem = typed.run().problem
    assert problem is not None
    assert "invalid input syntax" in problem["message"]
    assert shop.do('SELECT count(*) FROM "Odd "" orders"') == [(1000,)]
