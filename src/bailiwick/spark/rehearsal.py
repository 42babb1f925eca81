"""A little of everything that runs do, so that the first of them does not wait for thousands of classes to load."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pyspark.sql import SparkSession


def steps(spark: SparkSession, folder: Path) -> list[Callable[[], object]]:
    """Write, read, join, merge and describe small tables in a folder that goes away with the engine; in this order."""
    table, changes = str(folder / "table"), str(folder / "changes")
    people = spark.createDataFrame([(1, "Ada", 1.5), (2, "Grace", 2.5)], "id int, name string, worth double")

    def append() -> None:
        people.write.format("delta").mode("append").option("txnAppId", "rehearsal").option("txnVersion", 1).save(table)

    def query() -> None:
        spark.read.format("delta").load(table).createOrReplaceTempView("people")
        spark.read.parquet(changes).createOrReplaceTempView("changes")
        spark.sql(
            "WITH sums AS (SELECT name, sum(worth) AS total FROM people GROUP BY name) "
            "SELECT name, total, row_number() OVER (ORDER BY total) FROM sums JOIN changes USING (name) ORDER BY total"
        ).toArrow()

    def merge() -> None:
        spark.sql(
            "MERGE INTO people USING changes ON people.id = changes.id "
            "WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
        )

    return [
        lambda: people.write.format("delta").mode("overwrite").save(table),
        append,
        lambda: people.where("id = 1").write.mode("overwrite").parquet(changes),
        query,
        merge,
        lambda: spark.read.format("delta").option("versionAsOf", 0).load(table).limit(1).collect(),
    ]
