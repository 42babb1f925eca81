"""A source of Parquet files and a query over it, through the platform and as a bare PySpark script with Delta."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from bailiwick.database.engine import Database
from bailiwick.lakehouse.models import Pipeline, Table
from bailiwick.lakehouse.pipeline_runs import start
from bailiwick.lakehouse.sources.settings import Files, ReadFiles, StreamSettings
from bailiwick.runs.models import Run, RunState
from bailiwick.spark.engine import Engine
from bailiwick.tenancy.models import Member
from bailiwick.worker.working import Worker
from tests.bench.databases import databases
from tests.bench.measure import Result, Say, in_turn
from tests.bench.queries import settings_of
from tests.bench.spark import Running, running
from tests.lakehouse.making import make_layer, make_pipeline, make_stream
from tests.people import make_member

AT_MOST = 1.15
ROWS, FILES, ROUNDS = 5_000_000, 4, 3
COLUMNS = (
    "id",
    "id % 100003 AS customer",
    "id % 997 AS product",
    "cast(id % 10 AS int) AS quantity",
    "cast(id % 1000 / 7 AS decimal(10,2)) AS amount",
    "cast(id % 83 AS double) / 83 AS discount",
    "timestamp_seconds(1600000000 + id * 13) AS ordered_at",
    "date_from_unix_date(cast(18000 + id % 1500 AS int)) AS shipped_on",
    "element_at(array('new', 'paid', 'sent', 'returned'), cast(id % 4 + 1 AS int)) AS state",
    "concat('note ', id % 10007) AS note",
)
QUERY = (
    "SELECT id, customer, product, quantity * amount * (1 - discount) AS revenue, date(ordered_at) AS ordered_on, "
    "upper(state) AS state FROM raw.orders WHERE state <> 'returned'"
)


def run(say: Say, quick: bool) -> Iterator[Result]:
    rows, rounds = (5_000, 1) if quick else (ROWS, ROUNDS)
    say("starting Spark")
    with databases(migrated=True) as new_database, running() as spark:
        database = new_database("sqlite")
        files = spark.folder / "files"
        say(f"writing {rows:,} rows as Parquet")
        spark.engine.session_for("making").range(0, rows, 1, FILES).selectExpr(*COLUMNS).write.parquet(str(files))
        platform = through_platform(database, spark, files)
        bare = Bare(spark.engine, files, spark.folder / "bare")
        say(f"{rows:,} rows through the platform and through PySpark")
        spent = in_turn(rounds, {"ours": platform.run, "bare": bare.run})
        assert platform.rows_written() == bare.rows_written() == rows * 3 // 4
        yield Result(
            f"source → query → table, {rows:,} rows × {len(COLUMNS)} columns",
            spent["ours"],
            "bare PySpark",
            spent["bare"],
            spent["ours"] / spent["bare"],
            at_most=None if quick else AT_MOST,  # what every run takes of itself is lost among many rows only
        )


# Through the platform ------------------------------------------------------------------------------------------------


@dataclass
class Platform:
    """A source and a query over its table, done by a worker in this thread, one after the other."""

    database: Database
    worker: Worker
    source: UUID
    query: UUID

    def run(self) -> None:
        for pipeline_id in (self.source, self.query):
            with self.database.session() as session:
                run = start(session, None, pipeline_id)
            self.worker.drain()
            with self.database.read() as session:
                ended = session.get_one(Run, run.id)
                assert ended.state == RunState.SUCCEEDED, ended.problem

    def rows_written(self) -> int | None:
        with self.database.read() as session:
            return session.scalar(select(Table.rows).where(Table.name == "sales"))


def through_platform(database: Database, spark: Running, files: Path) -> Platform:
    settings = settings_of(database, spark.settings).model_copy(update={"source_folders": (files,)})
    with database.session() as session:
        owner = make_member(session, "Olga Owner", role="owner")
        source, query = make_source(session, owner, files), make_query(session, owner)
    return Platform(database, Worker(database, settings, spark.engine), source.id, query.id)


def make_source(session: Session, owner: Member, files: Path) -> Pipeline:
    connection = Files(type="files", folder=str(files), format="parquet")
    source = make_pipeline(
        session,
        "Shop",
        owner,
        kind="source",
        output_layer=make_layer(session),
        settings=connection.model_dump(mode="json"),
    )
    read = StreamSettings(read=ReadFiles(type="files", pattern="*.parquet"))
    make_stream(session, source, "orders", settings=read.stored())
    return source


def make_query(session: Session, owner: Member) -> Pipeline:
    how = {"sql": QUERY, "mode": "overwrite"}
    trusted = make_layer(session, "trusted")
    return make_pipeline(session, "Sales", owner, output_layer=trusted, output_name="sales", settings=how)


# As a script ---------------------------------------------------------------------------------------------------------


@dataclass
class Bare:
    """What somebody would write who has PySpark and Delta and nothing else, in the same Spark."""

    engine: Engine
    files: Path
    folder: Path

    def run(self) -> None:
        session = self.engine.spark.newSession()
        orders, sales = str(self.folder / "orders"), str(self.folder / "sales")
        session.read.parquet(str(self.files)).write.format("delta").mode("overwrite").save(orders)
        session.read.format("delta").load(orders).createOrReplaceTempView("orders")
        session.sql(QUERY.replace("raw.orders", "orders")).write.format("delta").mode("overwrite").save(sales)

    def rows_written(self) -> int:
        return self.engine.spark.read.format("delta").load(str(self.folder / "sales")).count()
