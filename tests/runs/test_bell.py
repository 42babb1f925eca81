"""Nobody waits for a poll: what is rung is heard at once, in every thread and process, and never before the commit."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from sqlalchemy import text

from bailiwick.database.engine import Database
from bailiwick.errors import NotFound
from bailiwick.runs import bell, ending, queue
from bailiwick.runs.bell import QUEUED, about, listening, ring
from bailiwick.runs.models import Run, RunState
from bailiwick.runs.waiting import until_ended, wait_for
from bailiwick.tenancy.models import Member
from tests.runs.making import make_run

SOON = 1.0  # a poll would take longer


def rung(database: Database, *topics: str) -> None:
    with database.session() as session:
        ring(session, *topics)


def test_a_ring_is_heard_at_once(database: Database) -> None:
    with listening(database, QUEUED) as ear:
        started = time.monotonic()
        threading.Timer(0.05, rung, [database, QUEUED]).start()
        assert ear.wait(10)
        assert time.monotonic() - started < SOON


def test_what_is_rung_before_the_wait_is_not_missed_and_counts_once(database: Database) -> None:
    with listening(database, QUEUED) as ear:
        rung(database, QUEUED)
        assert ear.wait(SOON)
        assert not ear.wait(0.05)


def test_other_topics_are_not_heard(database: Database) -> None:
    with listening(database, "run:1") as ear, listening(database, "run:2") as other:
        rung(database, "run:2", "run:3")
        assert other.wait(SOON)
        assert not ear.wait(0.05)


def test_nothing_is_heard_before_the_commit_nor_after_a_rollback(database: Database) -> None:
    with listening(database, QUEUED) as ear:
        with database.session() as session:
            ring(session, QUEUED)
            with session.begin_nested():
                session.execute(text("SELECT 1"))
            assert not ear.wait(0.1)
        assert ear.wait(SOON)
        with pytest.raises(RuntimeError), database.session() as session:
            ring(session, QUEUED)
            raise RuntimeError
        rung(database, "something else")
        assert not ear.wait(0.1)


def test_a_rolled_back_savepoint_does_not_silence_the_rest(database: Database) -> None:
    with listening(database, QUEUED) as ear:
        with database.session() as session:
            ring(session, QUEUED)
            with pytest.raises(RuntimeError), session.begin_nested():
                raise RuntimeError
        assert ear.wait(SOON)


def test_many_topics_in_one_transaction_all_arrive(database: Database) -> None:
    with listening(database, "run:199") as last, listening(database, "run:0") as first:
        rung(database, *(f"run:{number}" for number in range(200)))
        assert first.wait(SOON)
        assert last.wait(SOON)


OTHER = """
import sys
from bailiwick.database.engine import Database, make_engine
from bailiwick.runs.bell import ring, listening
database = Database(make_engine(sys.argv[1]))
with listening(database, "question") as ear:
    print("listening", flush=True)
    assert ear.wait(20)
    with database.session() as session:
        ring(session, "answer")
database.close()
"""


def other_process(database: Database) -> subprocess.Popen[str]:
    url = database.engine.url.set(drivername=database.engine.url.get_backend_name())
    process = subprocess.Popen(
        [sys.executable, "-c", OTHER, url.render_as_string(hide_password=False)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "listening\n"
    return process


def test_processes_hear_each_other(database: Database) -> None:
    with listening(database, "answer") as ear, other_process(database) as process:
        rung(database, "question")
        assert ear.wait(5)
        assert process.wait(10) == 0


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_killed_listener_leaves_a_name_that_the_next_one_sweeps(database: Database) -> None:
    folder = Path(f"{database.engine.url.database}-bells")
    with other_process(database) as process:
        process.kill()
    assert len(list(folder.iterdir())) == 1
    rung(database, "question")  # nobody is there, and nobody minds
    with listening(database, QUEUED) as ear:
        assert len(list(folder.iterdir())) == 1
        rung(database, QUEUED)
        assert ear.wait(SOON)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_connection_that_was_cut_is_made_again_and_everybody_looks(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bell, "AGAIN_SECONDS", 0.05)
    with listening(database, QUEUED) as ear:
        with database.session() as session:
            session.execute(text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"))
        assert ear.wait(5)  # something may have been missed
        for _ in range(50):
            rung(database, QUEUED)
            if ear.wait(0.1):
                break
        else:
            pytest.fail("it is not heard again")


def test_no_thread_and_no_connection_stays_when_nobody_listens(database: Database) -> None:
    with listening(database, QUEUED):
        assert "hear the bell" in {thread.name for thread in threading.enumerate()}
    assert "hear the bell" not in {thread.name for thread in threading.enumerate()}


def test_waiting_ends_with_the_run(database: Database, ada: Member) -> None:
    with database.session() as session:
        run = make_run(session, ada)

    def work() -> None:
        with database.session() as session:
            claimed = queue.claim(session, "one", queue.Wanted(["errand"]))
            assert claimed is not None
            ending.succeed(session, claimed)

    threading.Timer(0.1, work).start()
    started = time.monotonic()
    assert wait_for(database, run.id, 20).state == RunState.SUCCEEDED
    assert time.monotonic() - started < SOON


def test_waiting_ends_when_the_time_is_up(database: Database, ada: Member) -> None:
    with database.session() as session:
        run = make_run(session, ada)
    assert wait_for(database, run.id, 0.05).state == RunState.QUEUED
    assert asyncio.run(until_ended(database, run.id, 0.05)).state == RunState.QUEUED


def test_many_wait_at_once_without_a_thread_each(database: Database, ada: Member) -> None:
    with database.session() as session:
        run = make_run(session, ada)

    async def everybody() -> list[Run]:
        waiting = [asyncio.create_task(until_ended(database, run.id, 20)) for _ in range(100)]
        await asyncio.sleep(0.5)
        with database.session() as session:
            ending.ask_to_cancel(session, session.get_one(Run, run.id), ada)
        return await asyncio.gather(*waiting)

    started = time.monotonic()
    assert {ended.state for ended in asyncio.run(everybody())} == {RunState.CANCELLED}
    assert time.monotonic() - started < 5


def test_waiting_for_what_is_not_there_is_said(database: Database, ada: Member) -> None:
    with pytest.raises(NotFound):
        wait_for(database, ada.id, 1)
    assert about(ada.id) == f"run:{ada.id}"
