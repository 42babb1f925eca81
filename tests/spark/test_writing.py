"""Writing to a table: one commit for each number, told apart from others', and stopped before it is visible."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest
from delta.tables import DeltaTable
from pyspark.sql import SparkSession

from bailiwick.spark.errors import SparkProblem
from bailiwick.spark.jobs import Written
from bailiwick.spark.writing import USER_METADATA, committed, last_committed, log_of, state_of, write


def wrote(session: SparkSession, folder: Path, sql: str, number: int, **more: Any) -> Written:
    given = {"mode": "append", "app_id": "pipeline", "metadata": {"number": number}, **more}
    return write(session, session.sql(sql), str(folder / "table"), version=number, **given)


def rows(session: SparkSession, folder: Path) -> list[Any]:
    return sorted(tuple(row) for row in session.read.format("delta").load(str(folder / "table")).collect())


@pytest.mark.parametrize(
    ("mode", "keys", "expected"),
    [
        ("overwrite", (), [(2, "b"), (3, "b")]),
        ("append", (), [(1, "a"), (2, "a"), (2, "b"), (3, "b")]),
        ("merge", ("id",), [(1, "a"), (2, "b"), (3, "b")]),
    ],
)
def test_a_number_is_written_once(
    spark: SparkSession, tmp_path: Path, mode: Any, keys: tuple[str, ...], expected: list[Any]
) -> None:
    wrote(spark, tmp_path, "SELECT id, 'a' AS name FROM range(1, 3)", 1, mode=mode, keys=keys)
    first = wrote(spark, tmp_path, "SELECT id, 'b' AS name FROM range(2, 4)", 2, mode=mode, keys=keys)
    again = wrote(spark, tmp_path, "SELECT id, 'never' AS name FROM range(9)", 2, mode=mode, keys=keys)
    assert rows(spark, tmp_path) == expected
    assert (first.again, again.again, again.metadata) == (False, True, {"number": 2})
    assert (first.delta_version, again.delta_version) == (1, 1)
    assert first.rows == len(expected)
    assert spark.conf.get(USER_METADATA, None) is None


def test_what_was_committed_is_found_behind_the_commits_of_others(spark: SparkSession, tmp_path: Path) -> None:
    wrote(spark, tmp_path, "SELECT 1L AS id", 7)
    for number in range(1, 4):
        wrote(spark, tmp_path, "SELECT 2L AS id", number, app_id="another")
    location = str(tmp_path / "table")
    assert committed(spark, location, "pipeline", 7) == {"number": 7}
    assert committed(spark, location, "pipeline", 8) is None
    assert committed(spark, str(tmp_path / "nowhere"), "pipeline", 1) is None
    assert not (tmp_path / "nowhere").exists()


def test_what_is_true_of_a_table_takes_no_job_unless_its_commits_say_nothing(
    spark: SparkSession, tmp_path: Path
) -> None:
    """Others' programs write no checksums beside their commits; what is in them is in the log, too."""
    for number in (1, 2):
        wrote(spark, tmp_path, "SELECT id FROM range(3)", number)
    location = str(tmp_path / "table")
    DeltaTable.forPath(spark, location).delete("id = 0")
    with_checksums, jobs = asked(spark, location, "with checksums")
    assert (with_checksums[0].rows, with_checksums[1], jobs) == (4, 2, 0)
    for file in (tmp_path / "table" / "_delta_log").glob("*.crc"):
        file.unlink()
    without, jobs = asked(spark, location, "without")
    assert not log_of(spark, location).unsafeVolatileSnapshot().checksumOpt().isDefined()
    assert without == with_checksums
    assert jobs > 0


def asked(spark: SparkSession, location: str, group: str) -> tuple[tuple[Written, int | None], int]:
    """What is known of a table that is seen for the first time, and how many jobs that took."""
    context: Any = spark.sparkContext
    context._jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()
    context.setJobGroup(group, "")
    try:
        known = state_of(spark, location), last_committed(spark, location, "pipeline")
    finally:
        context.setLocalProperty("spark.jobGroup.id", None)
    time.sleep(0.5)  # until Spark has told itself of its jobs
    return known, len(context.statusTracker().getJobIdsForGroup(group))


def test_a_number_that_was_outrun_is_not_written(spark: SparkSession, tmp_path: Path) -> None:
    wrote(spark, tmp_path, "SELECT 1L AS id", 5)
    with pytest.raises(SparkProblem, match="later run"):
        wrote(spark, tmp_path, "SELECT 2L AS id", 4)
    assert rows(spark, tmp_path) == [(1,)]


def test_the_last_word_is_asked_before_anything_is_visible(spark: SparkSession, tmp_path: Path) -> None:
    class No(Exception):
        pass

    def no() -> None:
        raise No

    with pytest.raises(No):
        wrote(spark, tmp_path, "SELECT 1L AS id", 1, before=no)
    assert not (tmp_path / "table").exists()


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("SELECT 1 AS `a b`", "column_name"),
        ("SELECT count(1)", "column_name"),
        ("SELECT 1 AS a, 2 AS A", "column_twice"),
        ("SELECT NULL AS a", "column_type"),
    ],
)
def test_columns_that_cannot_be_kept_are_said(spark: SparkSession, tmp_path: Path, sql: str, code: str) -> None:
    with pytest.raises(SparkProblem) as problem:
        wrote(spark, tmp_path, sql, 1)
    assert problem.value.code == code


@pytest.mark.parametrize(
    ("sql", "code", "words"),
    [
        ("SELECT 1 AS id UNION ALL SELECT 1", "key_twice", "id = 1 occurs 2 times"),
        ("SELECT cast(NULL AS int) AS id", "key_null", "without a key"),
        ("SELECT 1 AS other", "key_absent", "no column id"),
    ],
)
def test_keys_that_do_not_tell_rows_apart_are_said(
    spark: SparkSession, tmp_path: Path, sql: str, code: str, words: str
) -> None:
    with pytest.raises(SparkProblem, match=words) as problem:
        wrote(spark, tmp_path, sql, 1, mode="merge", keys=("id",))
    assert problem.value.code == code


def test_two_writers_at_once_both_arrive(spark: SparkSession, tmp_path: Path) -> None:
    wrote(spark, tmp_path, "SELECT 0L AS id", 1, app_id="first")
    problems: list[Exception] = []

    def work(name: str) -> None:
        session = spark.newSession()
        try:
            for number in range(1, 4):
                wrote(session, tmp_path, f"SELECT {number}L AS id", number, app_id=name)
        except Exception as error:
            problems.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert len(rows(spark, tmp_path)) == 7
