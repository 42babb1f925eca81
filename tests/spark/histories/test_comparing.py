"""Histories against a model that keeps every snapshot and works the whole history out from the start."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from bailiwick.spark.engine import Engine
from bailiwick.spark.errors import SparkProblem
from bailiwick.spark.histories.comparing import execute, gaps_of, windows_of
from bailiwick.spark.histories.jobs import History
from bailiwick.spark.jobs import Context
from tests.spark.contexts import Alone

PLAYS = int(os.environ.get("BAILIWICK_TEST_PLAYS", "2"))  # make endure plays many
SECOND = 1_000_000
Snapshot = Mapping[int, str | None]  # key → value
Row = tuple[int, str | None, int, int | None, bool]


def model(snapshots: Mapping[int, Snapshot]) -> list[Row]:
    """Walk through all snapshots in the order of time, as if they had come in so."""
    rows: list[list[Any]] = []
    last: dict[int, list[Any]] = {}
    for moment in sorted(snapshots):
        now = snapshots[moment]
        for key, row in list(last.items()):
            if key not in now:
                row[3], row[4] = moment, True
                del last[key]
        for key, value in now.items():
            row = last.get(key, [])
            if row and row[1] == value:
                continue
            if row:
                row[3] = moment
            last[key] = [key, value, moment, None, False]
            rows.append(last[key])
    return sorted((tuple(row) for row in rows), key=repr)


class Played:
    """A history of a table that snapshots are put into one by one."""

    def __init__(self, engine: Engine, folder: Path) -> None:
        self.engine, self.input, self.output = engine, str(folder / "input"), str(folder / "output")
        self.session = engine.session_for("test")
        self.known: list[int] = []
        self.number = 0

    def put(self, moment: int, snapshot: Snapshot, *, number: int | None = None, context: Context | None = None) -> int:
        """Returns how many rows were written."""
        rows = ", ".join(f"({key}, {'NULL' if value is None else repr(value)})" for key, value in snapshot.items())
        sql = f"SELECT * FROM VALUES {rows} AS t(id, value)" if rows else "SELECT 1 AS id, 'x' AS value WHERE false"
        df = self.session.sql(sql).selectExpr("cast(id AS int) AS id", "cast(value AS string) AS value")
        df.write.format("delta").mode("overwrite").option("overwriteSchema", "true").save(self.input)
        return self.take(moment, number=number, context=context)

    def take(self, moment: int, *, number: int | None = None, context: Context | None = None, **more: Any) -> int:
        self.number = number or self.number + 1
        job = History(
            **{
                "input_location": self.input,
                "output_location": self.output,
                "keys": ("id",),
                "columns": None,
                "as_of_column": None,
                "taken_at": moment * SECOND,
                "known": tuple(self.known),
                "app_id": "history",
                "version": self.number,
                **more,
            }
        )
        done = execute(self.engine, job, context or Alone())
        self.known += [one for one in done.taken if one not in self.known]
        return done.written.rows_written

    def rows(self, columns: str = "id, value") -> list[Any]:
        df = self.session.read.format("delta").load(self.output)
        found = df.selectExpr(
            *columns.split(", "), "unix_seconds(valid_from)", "unix_seconds(valid_until)", "is_deleted"
        ).collect()
        return sorted((tuple(row) for row in found), key=repr)


@pytest.fixture
def played(engine: Engine, tmp_path: Path) -> Played:
    return Played(engine, tmp_path)


def test_changes_deletions_and_returns_are_kept(played: Played) -> None:
    played.put(10, {1: "a", 2: "b"})
    played.put(20, {1: "a", 2: "c"})
    played.put(30, {1: "a"})
    played.put(40, {1: None, 2: "c"})
    assert played.rows() == [
        (1, "a", 10, 40, False),
        (1, None, 40, None, False),
        (2, "b", 10, 20, False),
        (2, "c", 20, 30, True),
        (2, "c", 40, None, False),
    ]


def test_a_late_snapshot_finds_its_place(played: Played) -> None:
    played.put(10, {1: "a"})
    played.put(30, {1: "a"})
    assert played.rows() == [(1, "a", 10, None, False)]
    played.put(20, {1: "b", 2: "x"})
    assert played.rows() == [
        (1, "a", 10, 20, False),
        (1, "a", 30, None, False),
        (1, "b", 20, 30, False),
        (2, "x", 20, 30, True),
    ]


def test_a_snapshot_taken_again_changes_nothing(played: Played) -> None:
    played.put(10, {1: "a"})
    before = played.rows()
    assert played.put(10, {1: "b"}) == 0
    assert played.rows() == before


def test_the_same_rows_again_write_nothing(played: Played) -> None:
    played.put(10, {1: "a", 2: "b"})
    assert played.put(20, {1: "a", 2: "b"}) == 0
    assert played.put(30, {1: "a"}) == 1  # two was there until then
    assert played.rows() == [(1, "a", 10, None, False), (2, "b", 10, 30, True)]


def test_a_lost_attempt_is_not_written_twice(played: Played) -> None:
    played.put(10, {1: "a"})
    played.put(20, {1: "b"})
    after = played.rows()
    played.known.remove(20 * SECOND)  # its worker was lost before this was put down
    played.put(20, {1: "never read"}, number=2)
    assert played.rows() == after
    assert 20 * SECOND in played.known


def test_a_table_that_holds_several_snapshots_is_taken_by_its_own_times(played: Played) -> None:
    rows = "(1, 'a', date'1970-01-02'), (1, 'b', date'1970-01-04'), (2, 'x', date'1970-01-02')"
    df = played.session.sql(f"SELECT * FROM VALUES {rows} AS t(id, value, day)")
    df.write.format("delta").save(played.input)
    day = 24 * 3600
    played.take(0, as_of_column="day")
    assert played.rows() == [
        (1, "a", day, 3 * day, False),
        (1, "b", 3 * day, None, False),
        (2, "x", day, 3 * day, True),
    ]
    late = played.session.sql("SELECT 1 AS id, 'z' AS value, date'1970-01-03' AS day")
    late.write.format("delta").mode("append").save(played.input)
    played.take(0, as_of_column="day")
    assert played.rows() == [
        (1, "a", day, 2 * day, False),
        (1, "b", 3 * day, None, False),
        (1, "z", 2 * day, 3 * day, False),
        (2, "x", day, 2 * day, True),
    ]


def test_a_new_column_is_followed(played: Played, spark: SparkSession) -> None:
    played.put(10, {1: "a"})
    df = spark.sql("SELECT cast(1 AS int) AS id, 'a' AS value, 'new' AS more")
    df.write.format("delta").mode("overwrite").option("overwriteSchema", "true").save(played.input)
    played.take(20)
    assert played.rows("id, value, more") == [(1, "a", "new", 20, None, False), (1, "a", None, 10, 20, False)]


def test_only_chosen_columns_count(played: Played) -> None:
    played.put(10, {1: "a"})
    played.put(20, {1: "b"})
    other = Played(played.engine, Path(played.output).parent / "other")
    other.input = played.input
    other.take(10, columns=())
    assert other.rows("id") == [(1, 10, None, False)]


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("SELECT * FROM VALUES (1, 'a'), (1, 'b') AS t(id, value)", "key_twice"),
        ("SELECT * FROM VALUES (1, 'a'), (NULL, 'b') AS t(id, value)", "key_null"),
        ("SELECT 1 AS other", "column_absent"),
        ("SELECT 1 AS id, true AS is_deleted", "column_twice"),
    ],
)
def test_what_cannot_be_kept_is_said(played: Played, sql: str, code: str) -> None:
    played.session.sql(sql).write.format("delta").save(played.input)
    with pytest.raises(SparkProblem) as problem:
        played.take(10)
    assert problem.value.code == code
    assert not Path(played.output).exists()


def test_nothing_is_written_when_a_right_was_lost_meanwhile(played: Played) -> None:
    played.put(10, {1: "a"})
    before = played.rows()

    class Lost(Exception):
        pass

    def lost() -> None:
        raise Lost

    context = Alone()
    context.on_confirm = lost
    with pytest.raises(Lost):
        played.put(20, {1: "b"}, context=context)
    assert played.rows() == before


def test_windows_and_gaps_fill_all_time() -> None:
    windows = windows_of([5, 20], [10, 20, 30])
    assert windows == [(5, 10), (20, 30)]
    gaps = gaps_of(windows)
    assert [gap[1] for gap in gaps[:-1]] == [5, 20]
    assert [gap[0] for gap in gaps[1:]] == [10, 30]


snapshots = st.dictionaries(st.integers(1, 3), st.sampled_from(["a", "b", None]), max_size=3)
plays = st.lists(st.tuples(st.integers(1, 6), snapshots), min_size=2, max_size=5)


@settings(max_examples=PLAYS, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(plays)
def test_in_whatever_order_snapshots_come_the_history_is_the_same(
    engine: Engine, tmp_path_factory: pytest.TempPathFactory, play: list[tuple[int, Snapshot]]
) -> None:
    played = Played(engine, tmp_path_factory.mktemp("play"))
    kept: dict[int, Snapshot] = {}
    for moment, snapshot in play:
        kept.setdefault(moment, snapshot)
        played.put(moment, snapshot)
    assert played.rows() == model(kept)
