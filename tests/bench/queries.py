"""From asking a query over the API to its first rows, against the same statement in bare PySpark on the same Spark."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from pyspark.sql import DataFrame

from bailiwick.database.engine import Database
from bailiwick.settings import Settings, load_settings
from bailiwick.spark.engine import Engine
from bailiwick.spark.jobs import TableRef
from bailiwick.worker.process import Process
from tests.bench.api import server
from tests.bench.databases import BACKENDS, databases
from tests.bench.measure import Result, Say, duration, in_turn
from tests.bench.spark import bare, running
from tests.lakehouse.making import make_grant, make_layer, make_table
from tests.people import make_member, make_session

ROWS = 100
MORE = 0.1  # seconds that the platform may take beside twice what PySpark takes
WARM_UP, ROUNDS = 10, 15
STATEMENTS = {
    "SELECT … LIMIT 100": "SELECT * FROM raw.orders LIMIT 100",
    "SELECT … WHERE … LIMIT 100": "SELECT id, customer, amount FROM raw.orders WHERE amount > 500 LIMIT 100",
}
COLUMNS = (
    "id",
    "id % 10007 AS customer",
    "id % 97 AS product",
    "cast(id % 1000 AS decimal(10,2)) AS amount",
    "timestamp_seconds(1700000000 + id) AS ordered_at",
    "concat('order ', id) AS note",
)


def run(say: Say, quick: bool) -> Iterator[Result]:
    rows, warm_up, rounds = (10_000, 2, 3) if quick else (1_000_000, WARM_UP, ROUNDS)
    say("starting Spark")
    with databases(migrated=True) as new_database, running() as spark:
        for backend, name in BACKENDS.items():
            say(f"starting the API and a worker on {name}")
            database = new_database(backend)
            settings = settings_of(database, spark.settings)
            secret, orders = make_orders(database, settings, spark.engine, rows)
            with (
                server(database, settings.home) as port,
                working(database, settings, spark.engine),
                asking(port, secret) as ask,
                bare(spark.engine, [orders]) as ask_spark,
            ):
                for what, sql in STATEMENTS.items():
                    say(f"asking on {name}: {what}")
                    ways = {"ours": partial(ask, sql), "bare": partial(collected, ask_spark, sql)}
                    in_turn(warm_up, ways)
                    yield compared(f"{name}: {what} over the API", in_turn(rounds, ways))


def compared(what: str, spent: dict[str, float]) -> Result:
    ours, bare = spent["ours"], spent["bare"]
    allowed = 2 * bare + MORE
    against = f"twice PySpark's {duration(bare)} and {duration(MORE)}"
    return Result(what, ours, against, allowed, ours / allowed, at_most=1)


def settings_of(database: Database, of_spark: Settings) -> Settings:
    """Those of Spark's home, with this database."""
    url = database.engine.url.set(drivername=database.engine.url.get_backend_name())
    return load_settings(home=of_spark.home, database_url=url.render_as_string(hide_password=False))


def make_orders(database: Database, settings: Settings, engine: Engine, rows: int) -> tuple[str, TableRef]:
    """Somebody who may read a table: the secret of their session, and the table."""
    with database.session() as session:
        layer = make_layer(session)
        reader = make_member(session, "Rita Reader")
        make_grant(session, layer, reader)
        table = make_table(session, "orders", layer=layer)
        _, secret = make_session(session, reader)
    location = f"{settings.warehouse}/{table.location}"
    engine.session_for("making").range(rows).selectExpr(*COLUMNS).write.format("delta").save(location)
    return secret, TableRef(str(table.id), layer.name, table.name, location)


@contextmanager
def working(database: Database, settings: Settings, engine: Engine) -> Iterator[None]:
    """A worker with its slots and threads, on a Spark that is not its own to stop."""
    process = Process(database, settings, None)
    process.worker.engine = engine
    process.start()
    try:
        yield
    finally:
        process.stop()


@contextmanager
def asking(port: int, secret: str) -> Iterator[Callable[[str], None]]:
    """Asks over one connection, and waits for the first rows."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}

    def ask(sql: str) -> None:
        connection.request("POST", "/api/v1/queries?wait=60", json.dumps({"sql": sql}), headers)
        answer = connection.getresponse()
        told: dict[str, Any] = json.loads(answer.read())
        assert len(told.get("rows") or ()) == ROWS, (answer.status, told)

    try:
        yield ask
    finally:
        connection.close()


def collected(ask: Callable[[str], DataFrame], sql: str) -> None:
    assert len(ask(sql).collect()) == ROWS
