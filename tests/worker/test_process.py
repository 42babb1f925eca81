"""A worker as a process: slots, Spark that comes and goes, triggers, a kind end and a violent one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from bailiwick.database.base import utc_now
from bailiwick.database.engine import Database
from bailiwick.runs import queue
from bailiwick.runs.bell import FIRE, ring
from bailiwick.runs.models import INTERACTIVE, Run, RunState, Trigger, TriggerKind, WorkerBeat
from bailiwick.runs.waiting import wait_for
from bailiwick.settings import Settings
from bailiwick.spark.errors import SparkProblem
from bailiwick.tenancy.models import Member
from bailiwick.worker import process
from bailiwick.worker.context import RunContext
from bailiwick.worker.engine import Engine
from bailiwick.worker.kinds import Kind
from bailiwick.worker.process import Process
from tests.people import make_member
from tests.runs.making import ERRAND, errands_known, kind, make_run
from tests.worker.processes import KINDS
from tests.worker.test_working import PretendedSpark

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in {
        "ALIVE_SECONDS": 0.02,
        "AGAIN_SECONDS": 0.05,
        "GRACE_SECONDS": 0.3,
        "BEAT_SECONDS": 0.1,
    }.items():
        monkeypatch.setattr(process, name, seconds)


@pytest.fixture
def ada(database: Database) -> Member:
    with database.session() as session:
        return make_member(session, "Ada")


def until(true: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


@contextmanager
def working(
    database: Database, settings: Settings, kinds: dict[str, Kind], start_engine: Any = None
) -> Iterator[Process]:
    started = Process(database, settings, start_engine, kinds=kinds)
    started.start()
    try:
        yield started
    finally:
        started.stop()


def queued(database: Database, ada: Member, **more: Any) -> Run:
    with database.session() as session:
        return make_run(session, ada, **more)


def beats(database: Database) -> list[str]:
    with database.read() as session:
        return list(session.scalars(select(WorkerBeat.spark)))


def test_runs_are_taken_up_at_once_and_the_worker_is_seen_to_live(
    database: Database, settings: Settings, ada: Member
) -> None:
    with working(database, settings, {"errand": kind()}):
        until(lambda: beats(database) == ["ready"])
        started = time.monotonic()
        assert wait_for(database, queued(database, ada).id, 10).state == RunState.SUCCEEDED
        assert time.monotonic() - started < 1  # no poll lies between
    assert beats(database) == []


def test_who_waits_does_not_wait_behind_long_pipelines(database: Database, settings: Settings, ada: Member) -> None:
    free = threading.Event()
    long = kind(lambda engine, job, context: free.wait(20) and None)
    with working(database, settings, {"errand": long, "asked": kind()}):
        pipelines = [queued(database, ada) for _ in range(settings.worker_slots + 2)]
        time.sleep(0.2)
        assert wait_for(database, queued(database, ada, kind="asked", priority=INTERACTIVE).id, 10).ended_at
        with database.read() as session:
            states = [session.get_one(Run, run.id).state for run in pipelines]
        # No more are claimed than there are slots: the rest is free for other workers.
        assert states.count("running") == settings.worker_slots
        free.set()
        for run in pipelines:
            assert wait_for(database, run.id, 10).state == RunState.SUCCEEDED


def test_one_member_leaves_half_of_the_slots_to_others_who_wait(
    database: Database, settings: Settings, ada: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "LOOK_SECONDS", 60)
    free = threading.Event()
    kinds = {"errand": kind(lambda engine, job, context: free.wait(20) and None), "asked": kind()}
    with database.session() as session:
        ben = make_member(session, "Ben")
    with working(database, settings, kinds):
        long = [queued(database, ada, priority=INTERACTIVE) for _ in range(settings.interactive_slots)]
        last = queued(database, ada, kind="asked", priority=INTERACTIVE)
        assert wait_for(database, queued(database, ben, kind="asked", priority=INTERACTIVE).id, 10).ended_at
        with database.read() as session:
            states = [session.get_one(Run, run.id).state for run in (*long, last)]
        assert states.count("running") == settings.interactive_slots // 2
        assert states[-1] == "queued"
        free.set()
        for run in (*long, last):  # what waited for one's own is taken up when that ends
            assert wait_for(database, run.id, 10).state == RunState.SUCCEEDED


@dataclass
class SomeSpark(PretendedSpark):
    """A Spark that starts when it is let, and dies when it is told."""

    living: bool = True
    starts: int = 1
    warm: threading.Event = field(default_factory=threading.Event)

    def alive(self) -> bool:
        return self.living

    def restart(self, on_progress: Any = None) -> None:
        self.living = True
        self.starts += 1

    def warm_up(self) -> None:
        self.warm.set()


def test_what_needs_no_spark_does_not_wait_for_it(database: Database, settings: Settings, ada: Member) -> None:
    let = threading.Event()
    spark = SomeSpark()

    def start(on_progress: Callable[[str], None]) -> Engine:
        on_progress("Fetching jars")
        assert let.wait(20)
        return spark

    with working(database, settings, {"errand": kind(), "sparky": kind(needs_spark=True)}, start):
        sparky = queued(database, ada, kind="sparky")
        assert wait_for(database, queued(database, ada).id, 10).state == RunState.SUCCEEDED
        until(lambda: beats(database) == ["starting"])
        with database.read() as session:
            assert session.get_one(Run, sparky.id).state == RunState.QUEUED
            assert session.scalars(select(WorkerBeat.problem)).one() == "Fetching jars"
        let.set()
        assert wait_for(database, sparky.id, 10).state == RunState.SUCCEEDED
        assert spark.warm.wait(5)
        until(lambda: beats(database) == ["ready"])


def test_a_spark_that_dies_is_started_again_and_its_runs_are_tried_again(
    database: Database, settings: Settings, ada: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "wait_seconds", lambda attempt: 0.0)
    monkeypatch.setattr(process, "ALIVE_SECONDS", 0.5)  # until then nobody looks, and no attempt is wasted on it
    spark = SomeSpark()

    def execute(engine: Any, job: Any, context: RunContext) -> None:
        if spark.starts == 1:
            spark.living = False
            raise SparkProblem("spark_stopped", "Spark stopped while it worked on this.", passing=True)

    with working(database, settings, {"errand": kind(execute, needs_spark=True)}, lambda on_progress: spark):
        ended = wait_for(database, queued(database, ada).id, 15)
    assert (ended.state, ended.attempt, spark.starts) == (RunState.SUCCEEDED, 2, 2)


def test_a_spark_that_was_ended_because_of_others_costs_no_attempt(
    database: Database, settings: Settings, ada: Member
) -> None:
    spark = SomeSpark()

    def execute(engine: Any, job: Any, context: RunContext) -> None:
        if spark.starts < 5:
            spark.living, spark.ended_on_purpose = False, True
            raise SparkProblem("spark_stopped", "Spark stopped while it worked on this.", passing=True)

    with working(database, settings, {"errand": kind(execute, needs_spark=True)}, lambda on_progress: spark):
        ended = wait_for(database, queued(database, ada).id, 30)
    assert (ended.state, ended.attempt, spark.starts) == (RunState.SUCCEEDED, 1, 5)


def test_a_spark_that_does_not_start_is_tried_again_and_says_why(
    database: Database, settings: Settings, ada: Member
) -> None:
    mended = threading.Event()

    def start(on_progress: Callable[[str], None]) -> Engine:
        if not mended.is_set():
            raise SparkProblem("no_java", "There is no Java.", "Install one.")
        return SomeSpark()

    with working(database, settings, {"errand": kind(needs_spark=True)}, start):
        until(lambda: beats(database) == ["failed"])
        with database.read() as session:
            assert session.scalars(select(WorkerBeat.problem)).one() == "There is no Java. Install one."
        mended.set()
        assert wait_for(database, queued(database, ada).id, 15).state == RunState.SUCCEEDED


def test_triggers_fire_without_anybody_asking(database: Database, settings: Settings, ada: Member) -> None:
    with errands_known() as errands, working(database, settings, {"errand": kind()}):
        errand = errands.add("Count the stars", ada)
        with database.session() as session:
            trigger = Trigger(
                **{"subject_type": ERRAND, "subject_id": errand, "kind": TriggerKind.CRON, "cron": "* * * * *"},
                next_at=utc_now() + timedelta(seconds=0.5),
                saved_by_id=ada.id,
            )
            session.add(trigger)
            ring(session, FIRE)

        def ended() -> bool:
            with database.read() as session:
                return session.scalars(select(Run.state).where(Run.trigger_id == trigger.id)).all() == ["succeeded"]

        until(ended)


# The end -------------------------------------------------------------------------------------------------------------


def test_a_worker_that_stops_gives_back_what_it_has_in_hand(
    database: Database, settings: Settings, ada: Member
) -> None:
    begun = threading.Event()

    def execute(engine: Any, job: Any, context: RunContext) -> None:
        begun.set()
        for _ in range(1000):
            context.check()
            time.sleep(0.01)

    with working(database, settings, {"errand": kind(execute)}):
        run = queued(database, ada)
        assert begun.wait(10)
    with database.read() as session:
        left = session.get_one(Run, run.id)
    assert (left.state, left.attempt, left.lease) == (RunState.QUEUED, 0, None)


@contextmanager
def spawned(database: Database, lease_seconds: float) -> Iterator[subprocess.Popen[str]]:
    """A worker in a process of its own, which does not outlive the test."""
    url = database.engine.url.set(drivername=database.engine.url.get_backend_name())
    started = subprocess.Popen(
        [sys.executable, "-m", "tests.worker.processes", url.render_as_string(hide_password=False), str(lease_seconds)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "BAILIWICK_HOME": str(ROOT / "nowhere")},
    )
    try:
        assert started.stdout is not None
        assert any(line == "working\n" for line in started.stdout)  # among what it logs
        yield started
    finally:
        started.kill()
        started.communicate()


def test_a_killed_workers_run_is_taken_up_by_another(
    database: Database, settings: Settings, ada: Member, tmp_path: Path
) -> None:
    file = tmp_path / "begun"
    run = queued(database, ada, parameters={"file": str(file), "seconds": 60})
    with spawned(database, 30):  # long enough for a busy machine; that its process is gone is seen at once
        until(lambda: file.exists() and file.read_text() != "")
    with database.read() as session:
        assert session.get_one(Run, run.id).state == RunState.RUNNING  # nobody knows yet
    with working(database, settings, KINDS):
        ended = wait_for(database, run.id, 60)
    assert (ended.state, ended.attempt, ended.number) == (RunState.SUCCEEDED, 2, run.number)
    assert file.read_text().split() == ["1", "2"]


def test_a_worker_that_is_asked_to_stop_leaves_its_run_to_others_at_once(
    database: Database, ada: Member, tmp_path: Path
) -> None:
    file = tmp_path / "begun"
    run = queued(database, ada, parameters={"file": str(file), "seconds": 60})
    with spawned(database, 60) as first:
        until(lambda: file.exists() and file.read_text() != "")
        first.send_signal(signal.SIGTERM)
        assert first.wait(60) == 0
    with database.read() as session:
        left = session.get_one(Run, run.id)
    assert (left.state, left.attempt) == (RunState.QUEUED, 0)


def test_two_workers_share_what_there_is(database: Database, ada: Member, tmp_path: Path) -> None:
    file = tmp_path / "begun"
    with spawned(database, 60), spawned(database, 60):
        runs = [queued(database, ada, parameters={"file": str(file), "seconds": 0.3}) for _ in range(12)]
        ended = [wait_for(database, run.id, 60) for run in runs]
    assert {run.state for run in ended} == {RunState.SUCCEEDED}
    assert len({run.worker for run in ended}) == 2
    assert file.read_text().split() == ["1"] * 12
