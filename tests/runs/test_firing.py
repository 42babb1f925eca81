"""Firing: once each, however many workers look and whatever clocks do; missed times come once; nothing piles up."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from sqlalchemy import func, insert, select, update

from bailiwick.database.base import new_id, pretending, utc_now
from bailiwick.database.engine import Database
from bailiwick.runs import ending, queue, triggers
from bailiwick.runs.firing import fire_due, next_due
from bailiwick.runs.models import Run, RunState, Trigger, TriggerKind
from bailiwick.runs.schedules import Schedule
from bailiwick.tenancy.models import Member
from tests.people import as_caller
from tests.runs.making import ERRAND, Errands

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


@pytest.fixture
def errand(errands: Errands, ada: Member) -> UUID:
    return errands.add("Count the stars", ada)


def make_cron(database: Database, ada: Member, errand: UUID, cron: str = "0 * * * *", zone: str = "UTC") -> Trigger:
    """Saved at noon."""
    with pretending(NOON), database.session() as session:
        return triggers.create_trigger(session, as_caller(ada), ERRAND, errand, cron=cron, time_zone=zone).trigger


def make_after(database: Database, ada: Member, errand: UUID, *others: UUID, needs_all: bool = False) -> Trigger:
    with database.session() as session:
        return triggers.create_trigger(
            session, as_caller(ada), ERRAND, errand, after=[(ERRAND, other) for other in others], needs_all=needs_all
        ).trigger


def fire(database: Database, at: datetime) -> int:
    with pretending(at), database.session() as session:
        return fire_due(session)


def runs_of(database: Database, errand: UUID) -> list[Run]:
    with database.read() as session:
        return list(session.scalars(select(Run).where(Run.subject_id == errand).order_by(Run.id)))


def end_all(database: Database, state: RunState = RunState.SUCCEEDED) -> None:
    """What a worker does."""
    with database.session() as session:
        while (run := queue.claim(session, "one", queue.Wanted(["errand"]))) is not None:
            if state == RunState.SUCCEEDED:
                ending.succeed(session, run)
            else:
                ending.end_cancelled(session, run)


def now(database: Database, trigger: Trigger) -> Trigger:
    with database.read() as session:
        return session.get_one(Trigger, trigger.id)


def test_what_is_due_fires_once_and_then_at_its_next_time(database: Database, ada: Member, errand: UUID) -> None:
    trigger = make_cron(database, ada, errand)
    assert fire(database, NOON + 59 * MINUTE) == 0
    assert fire(database, NOON + HOUR) == 1
    assert fire(database, NOON + HOUR) == 0
    (run,) = runs_of(database, errand)
    assert (run.trigger_id, run.scheduled_for, run.started_by_id) == (trigger.id, NOON + HOUR, None)
    fired = now(database, trigger)
    assert (fired.next_at, fired.last_fired_at, fired.note) == (NOON + 2 * HOUR, NOON + HOUR, "")
    assert fired.version == trigger.version  # whoever edits it is not told that somebody else did


def test_times_that_were_missed_fire_once(database: Database, ada: Member, errand: UUID) -> None:
    trigger = make_cron(database, ada, errand)
    assert fire(database, NOON + timedelta(hours=40, minutes=30)) == 1
    assert len(runs_of(database, errand)) == 1
    assert now(database, trigger).next_at == NOON + 41 * HOUR


def test_a_clock_that_is_set_back_fires_nothing_again(database: Database, ada: Member, errand: UUID) -> None:
    trigger = make_cron(database, ada, errand)
    fire(database, NOON + HOUR)
    end_all(database)
    assert fire(database, NOON + 30 * MINUTE) == 0
    assert fire(database, NOON + HOUR) == 0
    with pretending(NOON + 30 * MINUTE), database.session() as session:  # nor does touching it meanwhile
        caller = as_caller(ada)
        triggers.pause_trigger(session, caller, trigger.id, if_match=None)
        triggers.resume_trigger(session, caller, trigger.id, if_match=None)
        triggers.edit_trigger(session, caller, trigger.id, {"cron": "*/60 * * * *"}, if_match=None)
    assert fire(database, NOON + HOUR) == 0
    assert fire(database, NOON + 2 * HOUR) == 1
    assert len(runs_of(database, errand)) == 2


def test_a_clock_that_was_days_ahead_holds_up_nothing_for_ever(database: Database, ada: Member, errand: UUID) -> None:
    trigger = make_cron(database, ada, errand)
    fire(database, NOON + timedelta(days=400))
    end_all(database)
    with pretending(NOON + 30 * MINUTE), database.session() as session:
        triggers.edit_trigger(session, as_caller(ada), trigger.id, {"cron": "30 * * * *"}, if_match=None)
    assert fire(database, NOON + 2 * HOUR) == 1


def test_changes_of_clocks_fire_once(database: Database, ada: Member, errand: UUID) -> None:
    trigger = make_cron(database, ada, errand, "30 2 * * *", "Europe/Berlin")
    for day in (datetime(2027, 3, 28, tzinfo=UTC), datetime(2026, 10, 25, tzinfo=UTC)):
        with database.session() as session:
            schedule = Schedule("30 2 * * *", "Europe/Berlin")
            session.execute(
                update(Trigger).where(Trigger.id == trigger.id).values(next_at=schedule.next_after(day - 2 * HOUR))
            )
        before = len(runs_of(database, errand))
        for minutes in range(-120, 6 * 60, 15):  # a night of looking every quarter of an hour
            fire(database, day + minutes * MINUTE)
            end_all(database)
        assert len(runs_of(database, errand)) == before + 1


def test_nothing_piles_up_behind_a_run_that_has_not_ended(database: Database, ada: Member, errand: UUID) -> None:
    trigger = make_cron(database, ada, errand)
    for hour in (1, 2, 3):
        assert fire(database, NOON + hour * HOUR) == 1
    assert len(runs_of(database, errand)) == 1
    left_out = now(database, trigger)
    assert left_out.last_fired_at == NOON + HOUR
    assert left_out.note == "Left out at 2026-06-01 15:00 UTC: a run was queued still."
    end_all(database)
    fire(database, NOON + 4 * HOUR)
    assert len(runs_of(database, errand)) == 2
    assert now(database, trigger).note == ""


def test_two_triggers_of_one_subject_at_one_moment_start_one_run(database: Database, ada: Member, errand: UUID) -> None:
    make_cron(database, ada, errand)
    make_cron(database, ada, errand, "0 13 * * *")
    assert fire(database, NOON + HOUR) == 2
    assert len(runs_of(database, errand)) == 1


def test_a_paused_trigger_is_silent_and_a_resumed_one_forgets_the_past(
    database: Database, ada: Member, errand: UUID
) -> None:
    trigger = make_cron(database, ada, errand)
    caller = as_caller(ada)
    with pretending(NOON), database.session() as session:
        triggers.pause_trigger(session, caller, trigger.id, if_match=None)
    assert fire(database, NOON + 5 * HOUR) == 0
    with pretending(NOON + 5 * HOUR + MINUTE), database.session() as session:
        triggers.resume_trigger(session, caller, trigger.id, if_match=None)
    assert fire(database, NOON + 5 * HOUR + 2 * MINUTE) == 0
    assert fire(database, NOON + 6 * HOUR) == 1


def test_one_that_cannot_start_does_not_hold_up_the_others(
    database: Database, ada: Member, errands: Errands, errand: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    inactive, gone, broken = (errands.add(name, ada) for name in ("Inactive", "Gone", "Broken"))
    made = {id_: make_cron(database, ada, id_) for id_ in (inactive, gone, broken, errand)}
    errands.active[inactive] = False
    del errands.names[gone]
    del errands.owners[broken]  # a bug of ours
    assert fire(database, NOON + HOUR) == 4
    assert len(runs_of(database, errand)) == 1
    assert "not active" in now(database, made[inactive]).note
    assert "on our side" in now(database, made[broken]).note
    assert now(database, made[inactive]).next_at == NOON + 2 * HOUR
    with database.read() as session:
        assert session.get(Trigger, made[gone].id) is None


def test_the_next_due_time_is_known(database: Database, ada: Member, errand: UUID) -> None:
    with database.read() as session:
        assert next_due(session) is None
    make_cron(database, ada, errand)
    make_cron(database, ada, errand, "30 * * * *")
    with database.read() as session:
        assert next_due(session) == NOON + 30 * MINUTE


# After others --------------------------------------------------------------------------------------------------------


def run_once(database: Database, errands: Errands, errand: UUID, state: RunState = RunState.SUCCEEDED) -> None:
    with database.session() as session:
        errands.start(session, None, errand)
    end_all(database, state)


def test_after_any_of_them_succeeded(database: Database, ada: Member, errands: Errands, errand: UUID) -> None:
    first, second = errands.add("First", ada), errands.add("Second", ada)
    make_after(database, ada, errand, first, second)
    assert fire(database, utc_now()) == 0
    for other in (first, second, second):
        run_once(database, errands, other)
        assert fire(database, utc_now()) == 1
        end_all(database)
    run_once(database, errands, first, RunState.CANCELLED)
    assert fire(database, utc_now()) == 0
    assert len(runs_of(database, errand)) == 3


def test_after_all_of_them_succeeded(database: Database, ada: Member, errands: Errands, errand: UUID) -> None:
    first, second = errands.add("First", ada), errands.add("Second", ada)
    make_after(database, ada, errand, first, second, needs_all=True)
    for rounds in (1, 2):
        run_once(database, errands, first)
        run_once(database, errands, first)
        assert fire(database, utc_now()) == 0
        run_once(database, errands, second)
        assert fire(database, utc_now()) == 1
        assert len(runs_of(database, errand)) == rounds
        end_all(database)


def test_the_last_two_of_all_may_succeed_at_once(
    database: Database, ada: Member, errands: Errands, errand: UUID
) -> None:
    others = [errands.add(f"Number {number}", ada) for number in range(4)]
    make_after(database, ada, errand, *others, needs_all=True)
    with database.session() as session:
        for other in others:
            errands.start(session, None, other)
    with database.session() as session:
        leases = [queue.claim(session, "one", queue.Wanted(["errand"])) for _ in others]
    start = threading.Barrier(len(others))

    def succeed(run: Run) -> None:
        start.wait()
        assert run.lease is not None
        with database.session() as session:
            ending.succeed(session, queue.hold(session, run.id, run.lease))

    threads = [threading.Thread(target=succeed, args=[run]) for run in leases]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert fire(database, utc_now()) == 1


def test_what_succeeded_while_it_ran_is_run_for_afterwards(
    database: Database, ada: Member, errands: Errands, errand: UUID
) -> None:
    """Unlike a time of the clock, a success must not be left out: the run in hand may not have seen it."""
    other = errands.add("Other", ada)
    trigger = make_after(database, ada, errand, other)
    run_once(database, errands, other)
    fire(database, utc_now())
    with database.session() as session:
        running = queue.claim(session, "one", queue.Wanted(["errand"]))
    assert running is not None
    run_once(database, errands, other)
    fire(database, utc_now())
    assert len(runs_of(database, errand)) == 1
    assert "as soon as" in now(database, trigger).note
    with database.session() as session:
        assert running.lease is not None
        ending.succeed(session, queue.hold(session, running.id, running.lease))
    assert fire(database, utc_now() + timedelta(seconds=6)) == 1
    assert len(runs_of(database, errand)) == 2


def test_a_resumed_trigger_waits_for_what_succeeds_from_then_on(
    database: Database, ada: Member, errands: Errands, errand: UUID
) -> None:
    first, second = errands.add("First", ada), errands.add("Second", ada)
    trigger = make_after(database, ada, errand, first, second, needs_all=True)
    run_once(database, errands, first)
    with database.session() as session:
        triggers.pause_trigger(session, as_caller(ada), trigger.id, if_match=None)
    run_once(database, errands, second)
    with database.session() as session:
        triggers.resume_trigger(session, as_caller(ada), trigger.id, if_match=None)
    run_once(database, errands, second)
    assert fire(database, utc_now()) == 0
    run_once(database, errands, first)
    assert fire(database, utc_now()) == 1


# Many ----------------------------------------------------------------------------------------------------------------


def test_a_thousand_due_triggers_fire_once_each_with_four_workers(
    database: Database, ada: Member, errands: Errands
) -> None:
    subjects = [errands.add(f"Errand {number}", ada) for number in range(1000)]
    with database.session() as session:
        session.execute(
            insert(Trigger),
            [
                {
                    "id": new_id(),
                    "version": 1,
                    "subject_type": ERRAND,
                    "subject_id": id_,
                    "kind": TriggerKind.CRON,
                    "cron": "0 * * * *",
                    "time_zone": "Europe/Berlin",
                    "next_at": NOON,
                    "saved_by_id": ada.id,
                }
                for id_ in subjects
            ],
        )
    fired = []

    def work() -> None:
        while True:
            with database.session() as session:
                count = fire_due(session)
            fired.append(count)
            if not count:
                return

    started = time.monotonic()
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.monotonic() - started
    assert sum(fired) == 1000
    with database.read() as session:
        assert session.scalar(select(func.count()).select_from(Run)) == 1000
        assert session.scalar(select(func.count(Run.subject_id.distinct()))) == 1000
        assert session.scalar(select(func.count()).where(Trigger.next_at > utc_now())) == 1000
    assert took < 60
