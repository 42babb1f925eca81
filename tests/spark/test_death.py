"""Spark and this process do not outlive each other, nor does cancelled work: what happens when one is killed."""

from __future__ import annotations

import time
from pathlib import Path

import psutil

from tests.spark.scripts import run_script, small

SCRIPT = """
    table = given["table"]
    engine = Engine.start(settings)
    write(engine, table, 10)
    counted = engine.spark.sparkContext.accumulator(0)  # for which the JVM calls us, and holds the line
    engine.spark.sparkContext.parallelize([1]).foreach(counted.add)
    first, session = engine.pid, engine.session_for("before")
    in_flight = []

    def work():
        try:
            session.range(1).selectExpr("java_method('java.lang.Thread', 'sleep', 60000 + id)").collect()
        except Exception as error:
            in_flight.append(explain(error).code)

    thread = threading.Thread(target=work)
    thread.start()
    while not engine.spark.sparkContext.statusTracker().getActiveStageIds():
        time.sleep(0.05)
    with engine.in_run("run"):
        os.kill(first, signal.SIGKILL)
        os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)
        problems = []
        for use in (
            lambda: session.range(5).count(),
            lambda: engine.spark,
            lambda: engine.session_for("after"),
            lambda: engine.cancel("run"),
            lambda: engine.progress("run"),
            lambda: engine.in_run("other").__enter__(),
        ):
            try:
                use()
                problems.append("none")
            except Exception as error:
                problem = explain(error)
                problems.append([problem.code, problem.passing])
    thread.join()
    say(problems=problems, in_flight=in_flight, alive=engine.alive())

    engine.restart()
    say(alive_again=engine.alive(), another=engine.pid != first, rows=count(engine, table))
    write(engine, table, 5)
    with engine.in_run("run"):
        say(rows_later=count(engine, table), scratch=len(list((settings.home / "spark" / "scratch").iterdir())))
    try:
        session.range(5).count()
    except Exception as error:
        say(old_session=explain(error).code)
    say(jvm=engine.pid)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_jvm_that_is_killed_is_replaced_and_a_killed_process_takes_its_jvm_along(jars: Path, tmp_path: Path) -> None:
    said, ended = run_script(SCRIPT, small(jars, tmp_path / "a home with spaces"), table=str(tmp_path / "table"))

    assert said["problems"] == [["spark_stopped", True]] * 6, ended.stderr
    assert said["in_flight"] == ["spark_stopped"]
    assert said["alive"] is False
    assert said["alive_again"], ended.stderr
    assert said["another"]
    assert (said["rows"], said["rows_later"]) == (10, 15)
    assert said["scratch"] == 1, "What the dead one left lying around is gone."
    assert said["old_session"] == "spark_stopped"
    assert ended.returncode == -9
    assert "Exception occurred during processing" not in ended.stderr
    assert gone_soon(said["jvm"])


def gone_soon(process: int, seconds: float = 10) -> bool:
    deadline = time.monotonic() + seconds
    while psutil.pid_exists(process):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


CANCELLED = """
    from bailiwick.spark import lingering

    lingering.LONGEST_SECONDS = 1.5
    engine = Engine.start(settings)
    first, said = engine.pid, []

    def work(run, sql):
        try:
            with engine.in_run(run):
                engine.session_for(run).sql(sql).collect()
        except Exception as error:
            said.append(explain(error).code)

    def cancelled(run, sql):
        thread = threading.Thread(target=work, args=(run, sql))
        thread.start()
        while not at_work():
            time.sleep(0.05)
        time.sleep(2)  # until it is well under way, on a busy machine too
        while thread.is_alive():  # again and again, as a worker does
            engine.cancel(run)
            thread.join(0.5)

    def at_work():
        tracker = engine.spark.sparkContext.statusTracker()
        stages = map(tracker.getStageInfo, tracker.getActiveStageIds())
        return any(stage is not None and stage.numActiveTasks for stage in stages)

    def alive_for(seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end and engine.alive():
            time.sleep(0.1)
        return engine.alive()

    cancelled("obedient", "SELECT java_method('java.lang.Thread', 'sleep', 60000 + id) FROM range(1)")
    say(alive_after_the_obedient=alive_for(3))
    cancelled("endless", given["endless"])
    say(alive_at_first=engine.alive(), alive_in_the_end=alive_for(60), said=said)
    engine.restart()
    say(another=engine.pid != first, rows=engine.session_for("run").range(10).count(), alive=alive_for(3))

    thread = threading.Thread(target=work, args=("planning", given["planning"]))
    thread.start()
    time.sleep(2)
    end = time.monotonic() + 60
    while time.monotonic() < end and engine.alive():
        engine.cancel("planning")
        time.sleep(0.1)
    say(alive_while_planning=engine.alive(), on_purpose=engine.ended_on_purpose)
    thread.join()
    engine.stop()
"""
ENDLESS = (  # within a row, no task looks whether it should stop
    "SELECT aggregate(sequence(1, 1000000), id, (a, x) -> a + "
    "aggregate(sequence(1, 1000000), 0L, (c, y) -> c + y % (x + 1))) FROM range(2)"
)
PLANNING = (  # worked out before there is any task
    "SELECT aggregate(sequence(1, 1000000), 0L, (a, x) -> a + "
    "aggregate(sequence(1, 1000000), 0L, (c, y) -> c + y % (x + 1)))"
)


def test_cancelled_work_that_does_not_stop_is_ended_with_its_spark(jars: Path, tmp_path: Path) -> None:
    said, ended = run_script(CANCELLED, small(jars, tmp_path / "home"), endless=ENDLESS, planning=PLANNING)

    assert said["said"] == ["cancelled", "cancelled"], ended.stderr
    assert said["alive_after_the_obedient"]
    assert said["alive_at_first"]
    assert said["alive_in_the_end"] is False
    assert (said["another"], said["rows"], said["alive"]) == (True, 10, True)
    assert (said["alive_while_planning"], said["on_purpose"]) == (False, True), ended.stderr
