"""The engine: sessions that know nothing of each other, runs that are watched and cancelled, errors in plain words."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import udf

from bailiwick.settings import Settings
from bailiwick.spark.engine import Engine, Progress, explain
from bailiwick.spark.errors import SparkProblem
from bailiwick.spark.jvm import MODULE_OPTIONS

POOL = "spark.scheduler.pool"


def slowly(spark: SparkSession, tasks: int = 1, seconds: float = 60) -> DataFrame:
    """As many tasks, of which the first takes that long, the second twice as long, and so on."""
    nap = f"java_method('java.lang.Thread', 'sleep', (1 + id) * {int(seconds * 1000)})"
    return spark.range(0, tasks, 1, tasks).selectExpr(nap)


@contextmanager
def running(engine: Engine, run_id: str, work: Callable[[], Any], pool: str = "interactive") -> Iterator[Future[Any]]:
    """The work of a run, in a thread of its own that Spark has begun to work for."""

    def run() -> Any:
        with engine.in_run(run_id, pool):
            return work()

    with ThreadPoolExecutor(1) as threads:
        future = threads.submit(run)
        try:
            wait_until(lambda: future.done() or engine.progress(run_id).tasks_total > 0)
            yield future
        finally:
            engine.cancel(run_id)


def wait_until(true: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "It did not happen."
        time.sleep(0.02)


def problem_of(work: Callable[[], Any]) -> SparkProblem:
    with pytest.raises(Exception) as raised:  # noqa: PT011 - what kind it is, is what explain() has to find out
        work()
    return explain(raised.value)


def test_a_delta_table_is_written_and_read(spark: SparkSession, tmp_path: Path) -> None:
    spark.range(100).write.format("delta").save(str(tmp_path / "numbers"))

    assert spark.read.format("delta").load(str(tmp_path / "numbers")).count() == 100


def test_a_process_has_one_engine(engine: Engine, spark_settings: Settings) -> None:
    with pytest.raises(RuntimeError, match="already"):
        Engine.start(spark_settings)
    assert engine.alive()


def test_sessions_of_two_runs_know_nothing_of_each_other(engine: Engine) -> None:
    one, other = engine.session_for("one"), engine.session_for("other")
    one.range(3).createOrReplaceTempView("mine")
    one.conf.set("spark.sql.shuffle.partitions", "77")

    assert one.table("mine").count() == 3
    assert problem_of(lambda: other.table("mine").count()).code == "table_or_view_not_found"
    assert other.conf.get("spark.sql.shuffle.partitions") != "77"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("spark.sql.session.timeZone", "UTC"),
        ("spark.sql.ansi.enabled", "true"),
        ("spark.sql.catalogImplementation", "in-memory"),
        ("spark.sql.execution.arrow.pyspark.enabled", "true"),
        ("spark.driver.bindAddress", "127.0.0.1"),
        ("spark.ui.enabled", "false"),
    ],
)
def test_every_session_begins_with_our_settings(spark: SparkSession, name: str, value: str) -> None:
    assert spark.conf.get(name) == value


def test_a_statement_cannot_name_a_path_nor_be_a_script(spark: SparkSession, tmp_path: Path) -> None:
    path = str(tmp_path / "numbers")
    spark.range(1).write.format("delta").save(path)

    assert problem_of(lambda: spark.sql(f"SELECT * FROM delta.`{path}`")).code == "table_or_view_not_found"
    assert problem_of(lambda: spark.sql("BEGIN SELECT 1; END")).code == "unsupported_feature"


def test_the_platform_s_secrets_do_not_reach_the_jvm(engine: Engine) -> None:
    # The environment of the tests names a home folder at least: tests/conftest.py.
    environment = Path(f"/proc/{engine.pid}/environ").read_bytes()

    assert b"SPARK_HOME=" in environment
    assert b"BAILIWICK_" not in environment
    assert b"GATEWAY_SECRET" not in environment


def test_java_is_opened_as_spark_wants_it(spark: SparkSession) -> None:
    launcher = getattr(spark._jvm, "org.apache.spark.launcher.JavaModuleOptions")

    assert tuple(launcher.defaultModuleOptionArray()) == MODULE_OPTIONS


def test_a_run_has_its_pool_and_its_group_and_leaves_none_behind(engine: Engine) -> None:
    context = engine.spark.sparkContext
    with engine.in_run("outer", "pipelines"):
        outer = context.getLocalProperty("spark.jobGroup.id")
        assert context.getLocalProperty(POOL) == "pipelines"
        with engine.in_run("inner"):
            assert context.getLocalProperty(POOL) == "interactive"
            assert context.getLocalProperty("spark.jobGroup.id") != outer
        assert context.getLocalProperty("spark.jobGroup.id") == outer

    assert context.getLocalProperty(POOL) is None
    assert context.getLocalProperty("spark.jobGroup.id") is None
    pools = context._jsc.sc().getAllPools()
    shares = {pools.apply(i).name(): pools.apply(i).minShare() for i in range(pools.size())}
    assert shares["interactive"] == shares["pipelines"] == 1


def test_there_are_two_pools_only(engine: Engine) -> None:
    with pytest.raises(ValueError, match="no pool fast"), engine.in_run("run", "fast"):
        pass


@pytest.mark.parametrize("broadcast", [False, True], ids=["in its own thread", "in one of Spark's threads"])
def test_a_run_is_cancelled_at_once_from_another_thread_and_no_other_with_it(engine: Engine, broadcast: bool) -> None:
    spark = engine.session_for("long")
    work = slowly(spark)
    if broadcast:
        work = spark.range(5).crossJoin(work.hint("broadcast"))
    with (
        running(engine, "long", work.collect, "pipelines") as long,
        running(engine, "other", slowly(spark, seconds=3).collect) as other,
    ):
        began = time.monotonic()
        engine.cancel("long")
        problem = problem_of(lambda: long.result(5))

        assert time.monotonic() - began < 1
        assert (problem.code, problem.passing) == ("cancelled", False)
        assert len(other.result(20)) == 1


def test_a_cancelled_run_starts_nothing_more_but_may_be_tried_again(engine: Engine) -> None:
    spark = engine.session_for("run")
    with engine.in_run("run"):
        assert spark.range(10).count() == 10
        engine.cancel("run")
        assert problem_of(lambda: spark.range(10).count()).code == "cancelled"

    with engine.in_run("run"):
        assert spark.range(10).count() == 10


def test_cancelling_a_run_that_does_not_run_changes_nothing(engine: Engine) -> None:
    engine.cancel("nobody")

    assert engine.progress("nobody") == Progress()


def test_progress_counts_stages_and_tasks(engine: Engine) -> None:
    spark = engine.session_for("run")
    seen = []
    work = slowly(spark, tasks=4, seconds=0.4).collect
    with running(engine, "run", work) as future:
        while not future.done():
            seen.append(engine.progress("run"))
            time.sleep(0.1)
    assert {(look.stages_total, look.tasks_total) for look in seen} == {(1, 4)}
    assert any(0 < look.tasks_done < 4 and look.stages_done == 0 for look in seen)


def test_the_jobs_of_a_run_add_up(engine: Engine) -> None:
    spark = engine.session_for("run")
    with engine.in_run("run"):
        spark.range(0, 100, 1, 4).repartition(3).count()
        wait_until(lambda: (look := engine.progress("run")).stages_done == look.stages_total >= 2)
        after = engine.progress("run")
        spark.range(0, 10, 1, 2).count()
        wait_until(lambda: engine.progress("run").tasks_done > after.tasks_done)

    assert after.tasks_done == after.tasks_total >= 5, "Stages whose result was there already are not counted."


@pytest.mark.parametrize(
    ("sql", "code", "words"),
    [
        ("SELECT 1/0", "divide_by_zero", "Division by zero. Use `try_divide`"),
        ("SELEC 1", "parse_syntax_error", "Syntax error at or near 'SELEC'. (line 1, pos 0)"),
        ("SELECT a FROM VALUES (1) AS t(b)", "unresolved_column", "[`b`]."),
        ("SELECT * FROM nowhere", "table_or_view_not_found", "The table or view `nowhere` cannot be found."),
        ("SELECT CAST(concat('x', id) AS INT) FROM range(3)", "cast_invalid_input", "cannot be cast"),
        ("SELECT raise_error(concat('boo', id)) FROM range(3)", "user_raised_exception", "boo"),
    ],
)
def test_an_error_is_explained_without_java(spark: SparkSession, sql: str, code: str, words: str) -> None:
    problem = problem_of(lambda: spark.sql(sql).collect())

    assert problem.code == code
    assert words in problem.message
    assert not problem.passing
    for noise in ("\tat ", "java.", "org.apache", "SQLSTATE", "'Project", "+- ", "ansi.enabled", "[" + code.upper()):
        assert noise not in problem.message


def test_what_python_raises_in_a_task_is_the_message(spark: SparkSession) -> None:
    def fail(number):  # type: ignore[no-untyped-def]
        raise LookupError(f"no {number} here")

    problem = problem_of(lambda: spark.range(1).select(udf(fail, "int", useArrow=False)("id")).collect())

    assert problem.message == "LookupError: no 0 here"


def test_two_writers_of_one_row_conflict_and_may_try_again(engine: Engine, tmp_path: Path) -> None:
    path, begun, over = str(tmp_path / "numbers"), tmp_path / "begun", tmp_path / "over"

    def wait(number):  # type: ignore[no-untyped-def]
        begun.touch()
        while not over.exists():
            time.sleep(0.01)
        return number

    spark = engine.session_for("run")
    spark.udf.register("wait", udf(wait, "int", useArrow=False))
    spark.range(1).selectExpr("id", "0 AS value").write.format("delta").save(path)
    spark.sql(f"CREATE TABLE default.contested USING delta LOCATION '{path}'")
    try:
        with running(engine, "slow", lambda: spark.sql("UPDATE default.contested SET value = wait(id)")) as slow:
            wait_until(begun.exists)
            spark.sql("UPDATE default.contested SET value = 3")
            over.touch()
            problem = problem_of(lambda: slow.result(20))
    finally:
        over.touch()
        spark.sql("DROP TABLE default.contested")

    assert (problem.code, problem.passing) == ("write_conflict", True)


def test_a_full_disk_and_a_full_memory_are_named(engine: Engine) -> None:
    jvm: Any = engine.spark._jvm
    full = jvm.java.io.FileOutputStream("/dev/full")
    disk = problem_of(lambda: full.write(1))
    memory = problem_of(lambda: jvm.java.nio.ByteBuffer.allocate(2**31 - 1))

    assert (disk.code, disk.passing) == ("disk_full", False)
    assert (memory.code, memory.passing) == ("out_of_memory", False)
    assert "spark_memory" in memory.fix
    assert engine.alive()


def test_a_thread_that_ends_leaves_its_connection_closed(engine: Engine) -> None:
    counts: list[int] = []
    thread = threading.Thread(target=lambda: counts.append(engine.session_for("run").range(5).count()))
    thread.start()
    thread.join()

    assert counts == [5]


def test_a_folder_is_removed_wherever_it_is(engine: Engine, tmp_path: Path) -> None:
    folder = tmp_path / "tables" / "one"
    (folder / "_delta_log").mkdir(parents=True)
    (folder / "_delta_log" / "0.json").write_text("{}")
    engine.remove(f"file://{folder}")
    engine.remove(f"file://{folder}")
    assert (folder.exists(), folder.parent.exists()) == (False, True)
    with pytest.raises(SparkProblem):
        engine.remove("s3a://bucket/tables/one")  # there is no jar for it here
