"""The queue with four workers at it: what is due fires once, every run is done once; and what it costs beside."""

from __future__ import annotations

import multiprocessing
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import select

from bailiwick.database.base import utc_now
from bailiwick.database.engine import Database, DatabaseUnavailable, make_engine
from bailiwick.lakehouse.models import Pipeline
from bailiwick.lakehouse.pipeline_runs import KINDS_OF_RUN, SUBJECT, start
from bailiwick.runs.firing import fire_due
from bailiwick.runs.models import Run, RunState, Trigger
from bailiwick.settings import load_settings
from bailiwick.tenancy.models import Member
from bailiwick.worker.kinds import Kind
from bailiwick.worker.working import Worker
from tests.bench.databases import BACKENDS, databases
from tests.bench.measure import Result, Say
from tests.lakehouse.making import make_layer, make_pipeline
from tests.people import make_member

WORKERS = 4
OVERHEAD = 0.050  # seconds a run, at the median
# A run that does nothing: all it takes is the queue's.
NOTHING = Kind(
    prepare=lambda session, run: None,
    execute=lambda engine, job, context: None,
    finish=lambda session, run, outcome: None,
    needs_spark=False,
)


def run(say: Say, quick: bool) -> Iterator[Result]:
    due, alone = (100, 20) if quick else (1_000, 200)
    with databases(migrated=True, durable=True) as new_database:
        for backend, name in BACKENDS.items():
            database = new_database(backend)
            say(f"making {due:,} triggers that are due on {name}")
            owner, pipelines = make_pipelines(database, due)
            make_due(database, owner, pipelines)
            say(f"firing and working on {name}, {WORKERS} workers at once")
            each = work_together(database)
            yield from fired_and_done(database, name, due, each)
            say(f"one run after another on {name}")
            spent = statistics.median(one_by_one(database, pipelines[:alone]))
            yield within(f"{name}: a run's way through the queue, one at a time", spent)


def within(what: str, spent: float) -> Result:
    return Result(what, spent, "what it may take", OVERHEAD, spent / OVERHEAD, at_most=1)


def fired_and_done(database: Database, name: str, due: int, each: list[Done]) -> Iterator[Result]:
    once = {"fired": fired_once(database), "done": done_once(database)}
    yield Result(
        f"{name}: of {due:,} due triggers, fired exactly once by {WORKERS} workers",
        once["fired"],
        "due",
        due,
        once["fired"] / due,
        at_least=1,
        unit="triggers",
    )
    yield Result(
        f"{name}: of their runs, done exactly once by {WORKERS} workers",
        once["done"],
        "due",
        due,
        once["done"] / due,
        at_least=1,
        unit="runs",
    )
    firing, working = max(one.firing for one in each), max(one.working for one in each)
    rates = due / firing, due / working
    yield Result(
        f"{name}: triggers fired by {WORKERS} workers",
        rates[0],
        "runs done",
        rates[1],
        rates[0] / rates[1],
        unit="a second",
    )
    yield within(f"{name}: the queue for a run, {WORKERS} workers emptying it", working / due)


# What is due ---------------------------------------------------------------------------------------------------------


def make_pipelines(database: Database, number: int) -> tuple[Member, list[Pipeline]]:
    with database.session() as session:
        owner = make_member(session, "Olga Owner", role="owner")
        raw = make_layer(session)
        return owner, [
            make_pipeline(session, f"Pipeline {one}", owner, output_layer=raw, output_name=f"table_{one}")
            for one in range(number)
        ]


def make_due(database: Database, owner: Member, pipelines: list[Pipeline]) -> None:
    """Each a trigger that fires every day, and should have done so a little while ago."""
    past = utc_now() - timedelta(minutes=2)
    with database.session() as session:
        session.add_all(
            Trigger(
                subject_type=SUBJECT,
                subject_id=pipeline.id,
                kind="cron",
                cron=f"{past.minute} {past.hour} * * *",
                next_at=past.replace(second=0, microsecond=0),
                saved_by_id=owner.id,
            )
            for pipeline in pipelines
        )


def fired_once(database: Database) -> int:
    """Triggers with one run, and with a next time that is yet to come."""
    with database.read() as session:
        runs = Counter(session.scalars(select(Run.trigger_id)))
        waiting = session.scalars(select(Trigger.id).where(Trigger.next_at > utc_now()))
        return sum(runs[id_] == 1 for id_ in waiting)


def done_once(database: Database) -> int:
    with database.read() as session:
        runs = session.execute(select(Run.subject_id, Run.state, Run.attempt, Run.number)).all()
        return sum((state, attempt, number) == (RunState.SUCCEEDED, 1, 1) for _, state, attempt, number in runs)


# Working -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Done:
    """What a worker did: the seconds until nothing was left to fire, and then until the queue was empty."""

    firing: float
    working: float


def work_together(database: Database) -> list[Done]:
    """Four processes that fire until nothing is due, then work until the queue is empty."""
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(["__main__", __name__])  # imported once for all of them
    url = database.engine.url.render_as_string(hide_password=False)
    ready, told = processes.Barrier(WORKERS), processes.Queue()
    workers = [processes.Process(target=work, args=(url, f"worker {number}", ready, told)) for number in range(WORKERS)]
    for worker in workers:
        worker.start()
    try:
        return [told.get(timeout=300) for _ in workers]
    finally:
        for worker in workers:
            worker.join(10)
            worker.terminate()


def work(url: str, name: str, ready: Any, told: Any) -> None:
    database = Database(make_engine(url))
    try:
        worker = idle_worker(database, name)
        ready.wait()
        started = time.perf_counter()
        while fire(database):
            pass
        fired = time.perf_counter() - started
        ready.wait()
        started = time.perf_counter()
        worker.drain()
        told.put(Done(fired, time.perf_counter() - started))
    finally:
        database.close()


def fire(database: Database) -> int:
    """As a worker does: a database that is too busy is asked again."""
    try:
        with database.session() as session:
            return fire_due(session)
    except DatabaseUnavailable:
        return 1


def idle_worker(database: Database, name: str) -> Worker:
    settings = load_settings(home=Path(tempfile.gettempdir()))
    return Worker(database, settings, kinds=dict.fromkeys(KINDS_OF_RUN.values(), NOTHING), name=name)


def one_by_one(database: Database, pipelines: list[Pipeline]) -> Iterator[float]:
    """The seconds of each from before it joins the queue to after its end."""
    worker = idle_worker(database, "worker")
    for pipeline in pipelines:
        started = time.perf_counter()
        with database.session() as session:
            start(session, None, pipeline.id)
        assert worker.run_next()
        yield time.perf_counter() - started
