"""The benches of runs and the lakehouse, small: they measure what they say, and a miss is seen as one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import select

from bailiwick.database.engine import Database
from bailiwick.lakehouse.models import Layer
from bailiwick.runs.models import Run, Trigger
from bailiwick.spark.engine import Engine
from tests.bench import gate, pipelines, queries, queue, starts, tables
from tests.bench.measure import Result
from tests.runs.making import make_run
from tests.spark.conftest import engine, jars, spark_settings

__all__ = ["engine", "jars", "spark_settings"]

FEW = 12


def silent(what: str) -> None:
    pass


@pytest.fixture
def only_sqlite(monkeypatch: pytest.MonkeyPatch) -> None:
    for bench in (queries, queue, tables):
        monkeypatch.setattr(bench, "BACKENDS", {"sqlite": "SQLite"})


def test_four_workers_fire_and_do_everything_once(database: Database) -> None:
    owner, made = queue.make_pipelines(database, FEW)
    queue.make_due(database, owner, made)
    assert (queue.fired_once(database), queue.done_once(database)) == (0, 0)
    done = queue.work_together(database)
    assert len(done) == queue.WORKERS
    results = list(queue.fired_and_done(database, "here", FEW, done))
    assert [result.ratio for result in results[:2]] == [1, 1]
    assert all(seconds > 0 for seconds in queue.one_by_one(database, made[:2]))


def test_a_missed_and_a_doubled_firing_count_as_not_once(database: Database) -> None:
    owner, made = queue.make_pipelines(database, 3)
    queue.make_due(database, owner, made)
    while queue.fire(database):
        pass
    assert queue.fired_once(database) == 3
    with database.session() as session:
        first, second, _ = session.scalars(select(Trigger).order_by(Trigger.id))
        make_run(session, owner, trigger=first)
        second.next_at = second.last_scheduled_for
    assert queue.fired_once(database) == 1
    *_, last = queue.fired_and_done(database, "here", 3, [queue.Done(1, 2)])
    assert not last.passed  # two seconds for three runs


def test_a_run_that_was_done_twice_counts_as_not_once(database: Database) -> None:
    _, (pipeline,) = queue.make_pipelines(database, 1)
    list(queue.one_by_one(database, [pipeline]))
    assert queue.done_once(database) == 1
    with database.session() as session:
        session.scalars(select(Run)).one().attempt = 2
    assert queue.done_once(database) == 0


def test_everybody_sees_as_much_of_many_tables_as_of_few(database: Database) -> None:
    made = tables.make_lakehouse(database, 2 * tables.PAGE)
    for who, seen in {"holds few": tables.OWN}.items() | dict.fromkeys(made.people.keys() - {"holds few"}, 50).items():
        assert tables.first_page(made, who) == tables.completion(made, who) == seen
        assert tables.check(made, who)
    assert tables.grant_and_take(made)


def test_answers_of_different_lengths_are_not_compared_and_a_slow_one_misses(database: Database) -> None:
    made = tables.make_lakehouse(database, tables.FEWEST)
    by_size = {1: made, 2: made}
    lengths = iter([1, 2])
    with pytest.raises(AssertionError, match="cannot be compared"):
        tables.compare("something", lambda _: next(lengths), by_size, (2, 1), 1)

    def slower_each_time(calls: Iterator[int]) -> Result:
        def task(lakehouse: tables.Lakehouse) -> int:
            with lakehouse.database.read() as session:
                for _ in range(next(calls)):
                    session.execute(select(Layer))
            return 0

        return tables.compare("something", task, by_size, (2, 1), 1)

    assert slower_each_time(iter([1] * 4 + [100, 1])).ratio > tables.AT_MOST


def test_the_gate_lets_every_statement_of_its_bench_through(engine: Engine) -> None:
    results = list(gate.run(silent, quick=True))
    assert [result.against for result in results] == ["what it may take", "Spark's own analysis"]
    assert all(result.ratio > 0 for result in results)
    assert len(set(gate.STATEMENTS)) == len(gate.STATEMENTS) >= 30


def test_a_query_is_asked_over_the_api_and_of_spark_itself(engine: Engine, only_sqlite: None) -> None:
    results = list(queries.run(silent, quick=True))
    assert [result.what for result in results] == [f"SQLite: {what} over the API" for what in queries.STATEMENTS]


def test_a_query_may_take_twice_as_long_as_spark_and_a_tenth_of_a_second() -> None:
    assert queries.compared("some", {"ours": 0.299, "bare": 0.1}).passed
    assert not queries.compared("some", {"ours": 0.301, "bare": 0.1}).passed


def test_a_pipeline_writes_the_same_rows_through_the_platform_and_without(engine: Engine) -> None:
    (result,) = pipelines.run(silent, quick=True)
    assert result.ratio > 0


@pytest.mark.parametrize(("with_archive", "passes"), [(6.0, True), (11.0, False)])
def test_an_archive_has_to_make_starts_quicker(with_archive: float, passes: bool) -> None:
    asked: list[tuple[str, str]] = []

    def start(way: str, location: str) -> float:
        asked.append((way, location))
        return with_archive if way == starts.WITH else 10.0

    (result,) = starts.measured(silent, 2, start)
    assert result.passed == passes
    assert asked[0] == (starts.WITH, starts.MAKE)
    assert [way for way, _ in asked[2:]] == [starts.WITH, starts.WITHOUT] * 2
