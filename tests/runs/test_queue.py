"""The queue: who is next, whose a run is, and what becomes of a worker that vanishes."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select, update

from bailiwick.database.base import new_id, utc_now
from bailiwick.database.engine import Database
from bailiwick.runs import ending, queue
from bailiwick.runs.errors import LeaseLost, Passing, RunProblem
from bailiwick.runs.models import IN_SPARE_TIME, INTERACTIVE, ORDINARY, Run, RunLog, RunState
from bailiwick.tenancy.models import Member
from tests.runs.making import make_run

KINDS = ["errand"]


def claim(database: Database, worker: str = "one", **how: Any) -> Run | None:
    with database.session() as session:
        return queue.claim(session, worker, queue.Wanted(KINDS, **how))


def claimed(database: Database, worker: str = "one") -> Run:
    run = claim(database, worker)
    assert run is not None
    return run


def lose(database: Database, run: Run) -> None:
    """Let the lease run out, as when its worker is gone."""
    with database.session() as session:
        session.execute(update(Run).where(Run.id == run.id).values(lease_until=utc_now() - timedelta(seconds=1)))


def now(database: Database, run: Run) -> Run:
    with database.read() as session:
        return session.get_one(Run, run.id)


def test_numbers_go_up_for_each_subject_even_when_many_join_at_once(database: Database, ada: Member) -> None:
    subject, other = new_id(), new_id()
    start = threading.Barrier(4)

    def join() -> None:
        start.wait()
        for _ in range(5):
            with database.session() as session:
                make_run(session, ada, subject_id=subject)

    threads = [threading.Thread(target=join) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.session() as session:
        assert make_run(session, ada, subject_id=other).number == 1
        numbers = session.scalars(select(Run.number).where(Run.subject_id == subject)).all()
    assert sorted(numbers) == list(range(1, 21))


def test_a_number_does_not_come_back_with_a_deleted_run(database: Database, ada: Member) -> None:
    subject = new_id()
    with database.session() as session:
        session.delete(make_run(session, ada, subject_id=subject))
        session.flush()
        assert make_run(session, ada, subject_id=subject).number == 2


def test_a_run_of_its_own_is_its_subject(database: Database, ada: Member) -> None:
    with database.session() as session:
        run = queue.enqueue(
            session,
            kind="errand",
            subject_type="query",
            subject_id=None,
            subject_name="SELECT 1",
            acts_as=ada,
            started_by=ada,
        )
    assert (run.subject_id, run.number) == (run.id, 1)


def test_who_waits_comes_before_pipelines_and_these_before_spare_time(database: Database, ada: Member) -> None:
    with database.session() as session:
        runs = {
            priority: make_run(session, ada, priority=priority)
            for priority in (IN_SPARE_TIME, ORDINARY, INTERACTIVE, ORDINARY + 1)
        }
        first = make_run(session, ada, priority=ORDINARY)
    order = [claimed(database).id for _ in range(5)]
    assert order == [
        runs[INTERACTIVE].id,
        runs[ORDINARY].id,
        first.id,
        runs[ORDINARY + 1].id,
        runs[IN_SPARE_TIME].id,
    ]
    assert claim(database) is None


def test_slots_for_people_take_nothing_else_and_the_others_nothing_of_theirs(database: Database, ada: Member) -> None:
    with database.session() as session:
        make_run(session, ada)
    assert claim(database, interactive=True) is None
    with database.session() as session:
        asked = make_run(session, ada, priority=INTERACTIVE)
    found = claim(database, interactive=False)
    assert found is not None
    assert found.priority == ORDINARY
    assert claim(database, interactive=False) is None
    found = claim(database, interactive=True)
    assert found is not None
    assert found.id == asked.id


def test_kinds_a_worker_does_not_know_are_left_to_others(database: Database, ada: Member) -> None:
    with database.session() as session:
        make_run(session, ada, kind="something new")
    assert claim(database) is None


def test_a_run_is_claimed_by_one_of_many(database: Database, ada: Member) -> None:
    with database.session() as session:
        for _ in range(20):
            make_run(session, ada)
    got: list[UUID] = []
    start = threading.Barrier(5)

    def work(name: str) -> None:
        start.wait()
        while (run := claim(database, name)) is not None:
            got.append(run.id)

    threads = [threading.Thread(target=work, args=[f"worker {number}"]) for number in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == len(set(got)) == 20


def test_a_run_whose_worker_was_lost_is_taken_up_again_as_the_same_run(database: Database, ada: Member) -> None:
    with database.session() as session:
        make_run(session, ada)
    first = claimed(database, "one")
    assert claim(database, "two") is None
    lose(database, first)
    second = claimed(database, "two")
    assert (second.id, second.number, second.attempt) == (first.id, first.number, 2)
    assert second.lease != first.lease
    assert first.lease is not None
    assert second.lease is not None
    with database.session() as session:
        assert [kept.lease for kept in queue.look(session, [first.lease, second.lease])] == [second.lease]
        with pytest.raises(LeaseLost):
            queue.hold(session, first.id, first.lease)
        with pytest.raises(LeaseLost):
            queue.report(session, first.id, first.lease, {"rows_read": 1}, [])
        queue.report(session, second.id, second.lease, {"rows_read": 2}, [])
        ending.succeed(session, queue.hold(session, second.id, second.lease))
    assert (now(database, second).state, now(database, second).rows_read) == (RunState.SUCCEEDED, 2)


def test_a_renewed_lease_is_kept(database: Database, ada: Member) -> None:
    with database.session() as session:
        make_run(session, ada)
    run = claimed(database)
    lose(database, run)
    assert run.lease is not None
    with database.session() as session:
        queue.renew(session, [run.lease])
    assert claim(database, "two") is None


def test_a_run_that_loses_its_worker_again_and_again_fails(database: Database, ada: Member) -> None:
    with database.session() as session:
        make_run(session, ada, most_attempts=2)
    for attempt in (1, 2):
        run = claimed(database)
        assert run.attempt == attempt
        lose(database, run)
    assert claim(database) is None
    ended = now(database, run)
    assert ended.state == RunState.FAILED
    assert ended.problem is not None
    assert ended.problem["code"] == "worker_lost"


def test_what_may_pass_is_tried_again_after_longer_and_longer_waits(database: Database, ada: Member) -> None:
    with database.session() as session:
        make_run(session, ada, most_attempts=3)
    problem = Passing("connection_lost", "The connection broke.")
    for attempt in (1, 2):
        run = claimed(database)
        assert run.lease is not None
        with database.session() as session:
            assert queue.try_again_later(session, queue.hold(session, run.id, run.lease), problem)
        waiting = now(database, run)
        assert waiting.state == RunState.QUEUED
        assert waiting.not_before is not None
        wait = (waiting.not_before - utc_now()).total_seconds()
        assert 2 * 2 ** (attempt - 1) - 1 < wait <= 2 * 2 ** (attempt - 1) + 2
        assert claim(database) is None
        with database.session() as session:
            session.execute(update(Run).values(not_before=utc_now()))
    run = claimed(database)
    assert run.lease is not None
    with database.session() as session:
        held = queue.hold(session, run.id, run.lease)
        assert not queue.try_again_later(session, held, problem)
        ending.fail(session, held, problem)
        lines = session.scalars(select(RunLog.text).where(RunLog.run_id == run.id).order_by(RunLog.id)).all()
    assert "Trying again" in lines[0]
    assert lines[-1] == "Failed: The connection broke."


def test_a_released_run_is_free_at_once_and_counts_no_attempt(database: Database, ada: Member) -> None:
    with database.session() as session:
        make_run(session, ada, most_attempts=1)
    run = claimed(database)
    assert run.lease is not None
    with database.session() as session:
        queue.release(session, queue.hold(session, run.id, run.lease))
    assert claimed(database, "two").attempt == 1


def test_a_waiting_run_is_cancelled_at_once_and_a_running_one_when_its_worker_hears(
    database: Database, ada: Member
) -> None:
    with database.session() as session:
        waits, runs = make_run(session, ada, priority=IN_SPARE_TIME), make_run(session, ada)
    run = claimed(database)
    assert run.id == runs.id
    assert run.lease is not None
    with database.session() as session:
        for one in (waits, runs):
            ending.ask_to_cancel(session, session.get_one(Run, one.id), ada)
    assert now(database, waits).state == RunState.CANCELLED
    assert now(database, runs).state == RunState.RUNNING
    with database.read() as session:
        assert [kept.cancel_asked for kept in queue.look(session, [run.lease])] == [True]
    assert claim(database) is None


def test_a_cancelled_run_whose_worker_is_lost_is_not_taken_up_again(database: Database, ada: Member) -> None:
    with database.session() as session:
        make_run(session, ada)
    run = claimed(database)
    with database.session() as session:
        ending.ask_to_cancel(session, session.get_one(Run, run.id), ada)
    lose(database, run)
    assert claim(database) is None
    assert now(database, run).state == RunState.CANCELLED


def test_a_run_that_ended_is_ended_once(database: Database, ada: Member) -> None:
    with database.session() as session:
        make_run(session, ada)
    run = claimed(database)
    assert run.lease is not None
    with database.session() as session:
        ending.fail(session, queue.hold(session, run.id, run.lease), RunProblem("bad", "It went wrong."))
    with database.session() as session:
        with pytest.raises(LeaseLost):
            queue.hold(session, run.id, run.lease)
        ending.ask_to_cancel(session, session.get_one(Run, run.id), ada)
    assert now(database, run).state == RunState.FAILED


def test_a_clock_that_was_set_back_holds_up_no_run(database: Database, ada: Member) -> None:
    from bailiwick.database.base import pretending

    with pretending(utc_now() + timedelta(hours=1)), database.session() as session:
        make_run(session, ada)
    assert claim(database) is not None
