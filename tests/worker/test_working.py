"""Working: what a run's steps say decides how it ends; the lease decides whether it may."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from bailiwick.access.decision import Refused
from bailiwick.audit.models import AuditEntry
from bailiwick.database.base import utc_now
from bailiwick.database.engine import Database, DatabaseUnavailable
from bailiwick.errors import Conflict
from bailiwick.runs import ending
from bailiwick.runs.acting import acting
from bailiwick.runs.errors import Passing, Restricted, RunProblem
from bailiwick.runs.models import INTERACTIVE, Run, RunLog, RunState
from bailiwick.settings import Settings
from bailiwick.spark.errors import Refusal, SparkProblem
from bailiwick.spark.jobs import TableRef
from bailiwick.tenancy.models import Member, MemberState
from bailiwick.worker import keeping
from bailiwick.worker.context import RunContext
from bailiwick.worker.kinds import Kind
from bailiwick.worker.working import Worker
from tests.lakehouse.making import make_table
from tests.people import SignInAs, make_member, make_token
from tests.runs.making import decision, kind, make_run


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LOOK_SECONDS", "WRITE_SECONDS"):
        monkeypatch.setattr(keeping, name, 0.02)


@pytest.fixture
def ada(database: Database) -> Member:
    with database.session() as session:
        return make_member(session, "Ada")


@dataclass
class Bench:
    """A worker without Spark, whose runs do what the test says."""

    database: Database
    settings: Settings
    ada: Member

    def worker(self, does: Kind | Callable[..., Any], **more: Any) -> Worker:
        made = does if isinstance(does, Kind) else kind(does)
        return Worker(self.database, self.settings, kinds={"errand": made}, **more)

    def run(self, **more: Any) -> Run:
        with self.database.session() as session:
            return make_run(session, self.ada, **more)

    def now(self, run: Run) -> Run:
        with self.database.read() as session:
            return session.get_one(Run, run.id)

    def done(self, does: Kind | Callable[..., Any], **more: Any) -> Run:
        """A run that did this, as it ended."""
        run = self.run(**more)
        assert self.worker(does).run_next()
        return self.now(run)

    def log(self, run: Run) -> list[str]:
        with self.database.read() as session:
            return list(session.scalars(select(RunLog.text).where(RunLog.run_id == run.id).order_by(RunLog.id)))


@pytest.fixture
def bench(database: Database, settings: Settings, ada: Member) -> Bench:
    return Bench(database, settings, ada)


def test_a_run_goes_through_its_three_steps_and_succeeds(bench: Bench) -> None:
    steps: list[Any] = []

    def finish(session: Session, run: Run, outcome: Any) -> None:
        steps.append(outcome)
        run.result = {"rows": outcome}

    def execute(engine: Any, job: Any, context: RunContext) -> int:
        steps.append(job)
        context.log("Reading.")
        context.progress(rows_read=10, stages_done=1, stages_total=4, note="half way")
        context.progress(rows_written=9, stages_done=4)
        context.executed("SELECT 1")
        context.executed("SELECT 2")
        return 9

    ended = bench.done(
        kind(execute, prepare=lambda session, run: run.parameters["a"], finish=finish), parameters={"a": 1}
    )
    assert steps == [1, 9]
    assert ended.state == RunState.SUCCEEDED
    assert (ended.rows_read, ended.rows_written, ended.result) == (10, 9, {"rows": 9})
    assert ended.progress == {"stages_done": 4, "stages_total": 4, "note": "half way"}
    assert ended.executed_sql == "SELECT 1;\n\nSELECT 2"
    assert ended.lease is None
    assert ended.ended_at is not None
    assert bench.log(ended) == ["Reading."]


def test_an_idle_worker_has_nothing_to_do(bench: Bench) -> None:
    worker = bench.worker(lambda *_: None)
    assert not worker.run_next()
    bench.run()
    bench.run()
    assert worker.drain() == 2


@pytest.mark.parametrize(
    ("error", "state", "code"),
    [
        (RunProblem("bad_rows", "Two rows are bad.", "Mend them."), RunState.FAILED, "bad_rows"),
        (SparkProblem("divide_by_zero", "Division by zero."), RunState.FAILED, "divide_by_zero"),
        (Refusal("not_allowed", "SET is not allowed here."), RunState.FAILED, "not_allowed"),
        (Conflict("It is used by others."), RunState.FAILED, "not_possible"),
        (ValueError("secret detail"), RunState.FAILED, "unexpected"),
        (Restricted(None, []), RunState.RESTRICTED, "restricted"),
        (Passing("connection_lost", "The connection broke."), RunState.QUEUED, None),
        (SparkProblem("spark_stopped", "Spark stopped.", passing=True), RunState.QUEUED, None),
        (DatabaseUnavailable("The database is too busy."), RunState.QUEUED, None),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else str(value),
)
@pytest.mark.parametrize("step", ["prepare", "execute", "finish"])
def test_what_goes_wrong_decides_how_it_ends(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, step: str, error: Exception, state: RunState, code: str | None
) -> None:
    from bailiwick.worker import working

    monkeypatch.setattr(working, "END_WITHIN_SECONDS", 0.2)

    def fails(*_: Any) -> None:
        raise error

    ended = bench.done(kind(**{step: fails}))
    assert ended.state == state
    assert (ended.problem or {}).get("code") == code
    assert "secret detail" not in " ".join(bench.log(ended))
    if state == RunState.QUEUED:
        assert ended.not_before is not None


def test_a_failed_finish_leaves_nothing_behind(bench: Bench) -> None:
    def finish(session: Session, run: Run, outcome: Any) -> None:
        make_run(session, bench.ada, subject_name="left behind")
        session.flush()
        raise RunProblem("late", "Too late.")

    bench.done(kind(finish=finish))
    with bench.database.read() as session:
        assert session.scalars(select(Run.subject_name)).all() == ["An errand"]


def test_what_may_pass_fails_when_it_does_not(bench: Bench) -> None:
    def fails(*_: Any) -> None:
        raise Passing("connection_lost", "The connection broke.", "Look at the network.")

    ended = bench.done(fails, most_attempts=1)
    assert ended.state == RunState.FAILED
    assert ended.problem == {
        "code": "connection_lost",
        "message": "The connection broke.",
        "fix": "Look at the network.",
    }


def test_a_right_that_was_lost_restricts_the_run_and_is_on_record(bench: Bench) -> None:
    missing = [{"resource_type": "table", "resource_id": "1", "name": "raw.orders", "has": "Viewer", "needs": "Editor"}]

    def fails(session: Session, run: Run) -> None:
        raise Restricted(decision("Trigger pipelines", False), missing)

    ended = bench.done(kind(prepare=fails))
    assert (ended.state, ended.missing) == (RunState.RESTRICTED, missing)
    with bench.database.read() as session:
        entry = session.scalars(select(AuditEntry).where(AuditEntry.outcome == "refused")).one()
    assert (entry.actor_id, entry.resource_id) == (bench.ada.id, str(ended.subject_id))
    assert entry.decision is not None
    assert entry.decision["action"] == "trigger_pipelines"
    assert "orders" not in str(entry.after)


def test_a_refusal_of_the_access_tables_restricts_too(bench: Bench) -> None:
    def fails(session: Session, run: Run) -> None:
        raise Refused(decision("See tables", False))

    assert bench.done(kind(prepare=fails)).state == RunState.RESTRICTED


def change(database: Database, row: Any, **values: Any) -> None:
    with database.session() as session:
        session.execute(update(type(row)).where(type(row).id == row.id).values(**values))


@pytest.mark.parametrize(
    ("what", "values", "state"),
    [
        ("member", {"state": MemberState.SUSPENDED}, RunState.RESTRICTED),
        ("member", {"state": MemberState.REMOVED}, RunState.RESTRICTED),
        ("token", {"revoked_at": utc_now()}, RunState.RESTRICTED),
        ("token", {"expires_at": utc_now() - timedelta(seconds=1)}, RunState.RESTRICTED),
        ("token", {"expires_at": utc_now() + timedelta(hours=1)}, RunState.SUCCEEDED),
    ],
)
def test_a_run_acts_as_its_member_is_when_it_starts(
    bench: Bench, what: str, values: dict[str, Any], state: RunState
) -> None:
    with bench.database.session() as session:
        token, _ = make_token(session, bench.ada, read_only=True)
    run = bench.run(token=token)
    change(bench.database, {"member": bench.ada, "token": token}[what], **values)
    callers: list[Any] = []

    def prepare(session: Session, run: Run) -> None:
        callers.append(acting(session, run))

    bench.worker(kind(prepare=prepare)).run_next()
    assert bench.now(run).state == state
    if state == RunState.SUCCEEDED:
        assert callers[0].token.id == token.id


def test_somebody_elses_token_does_not_narrow_whom_the_run_acts_as(bench: Bench) -> None:
    with bench.database.session() as session:
        token, _ = make_token(session, make_member(session, "Bo"), read_only=True)
        run = make_run(session, bench.ada, token=token)
        caller = acting(session, run)
    assert (caller.member.id, caller.token) == (bench.ada.id, None)


def test_names_are_resolved_as_the_acting_member_of_that_moment(bench: Bench) -> None:
    ref = TableRef("1", "raw", "orders", "/tables/1")

    def resolve(session: Session, caller: Any, names: Any) -> Any:
        return {name: ref for name in names if caller.member.name == "Ada"}

    found: list[Any] = []

    def execute(engine: Any, job: Any, context: RunContext) -> None:
        found.append(context.resolve([("raw", "orders")]))
        change(bench.database, bench.ada, state=MemberState.SUSPENDED)
        context.resolve([("raw", "orders")])

    ended = bench.done(kind(execute, resolve=resolve))
    assert found == [{("raw", "orders"): ref}]
    assert ended.state == RunState.RESTRICTED


# Stopping ------------------------------------------------------------------------------------------------------------


def until_stopped(engine: Any, job: Any, context: RunContext) -> None:
    """Work that looks now and then whether to go on."""
    for _ in range(500):
        context.check()
        time.sleep(0.01)
    raise AssertionError("nobody stopped it")


def test_a_cancelled_run_stops_within_a_second(bench: Bench) -> None:
    run = bench.run()
    asked: list[float] = []

    def execute(engine: Any, job: Any, context: RunContext) -> None:
        with bench.database.session() as session:
            ending.ask_to_cancel(session, session.get_one(Run, run.id), bench.ada)
        asked.append(time.monotonic())
        until_stopped(engine, job, context)

    bench.worker(execute).run_next()
    assert time.monotonic() - asked[0] < 1
    assert bench.now(run).state == RunState.CANCELLED
    assert bench.log(run) == ["Cancelled."]


def test_a_run_that_was_cancelled_too_late_has_succeeded(bench: Bench) -> None:
    def finish(session: Session, run: Run, outcome: Any) -> None:
        run.cancel_asked_at = utc_now()

    assert bench.done(kind(finish=finish)).state == RunState.SUCCEEDED


def test_a_run_that_takes_too_long_is_stopped_and_says_so(bench: Bench) -> None:
    ended = bench.done(until_stopped, time_limit_seconds=0)
    assert ended.state == RunState.FAILED
    assert ended.problem is not None
    assert ended.problem["code"] == "timed_out"


def test_the_settings_limit_what_names_no_limit(bench: Bench) -> None:
    limits: list[timedelta] = []
    worker = bench.worker(lambda engine, job, context: limits.append(context.time_limit))
    bench.run()
    bench.run(priority=INTERACTIVE)
    bench.run(time_limit_seconds=7)
    worker.drain()
    assert sorted(limits) == [timedelta(seconds=7), timedelta(minutes=30), timedelta(minutes=720)]


def test_a_lost_lease_stops_the_work_and_leaves_the_run_to_who_has_it(bench: Bench) -> None:
    run = bench.run()
    others: list[RunContext] = []

    def execute(engine: Any, job: Any, context: RunContext) -> None:
        change(bench.database, run, lease_until=utc_now() - timedelta(seconds=1))
        other = bench.worker(lambda *_: None, name="other").claim()
        assert other is not None
        others.append(other)
        until_stopped(engine, job, context)

    bench.worker(execute).run_next()
    left = bench.now(run)
    assert (left.state, left.worker, left.lease) == (RunState.RUNNING, "other", others[0].lease)


def test_work_that_was_done_twice_is_written_down_once(bench: Bench) -> None:
    """The first worker sleeps past its lease; both do the work, one finish counts."""
    run = bench.run()
    finished: list[str] = []

    def work(name: str) -> Kind:
        def execute(engine: Any, job: Any, context: RunContext) -> None:
            if name == "first":
                change(bench.database, run, lease_until=utc_now() - timedelta(seconds=1))
                bench.worker(work("second")).run_next()

        return kind(execute, finish=lambda session, run, outcome: finished.append(name))

    bench.worker(work("first")).run_next()
    assert finished == ["second"]
    assert (bench.now(run).state, bench.now(run).attempt) == (RunState.SUCCEEDED, 2)


def test_a_long_run_keeps_its_lease_and_shows_how_far_it_is(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "RENEW_SECONDS", 0.02)
    run = bench.run()
    seen: list[Run] = []

    def execute(engine: Any, job: Any, context: RunContext) -> None:
        change(bench.database, run, lease_until=utc_now() + timedelta(seconds=1))
        context.log("Begun.")
        context.progress(rows_read=5)
        for _ in range(300):
            time.sleep(0.01)
            now = bench.now(run)
            assert now.lease_until is not None
            if now.rows_read == 5 and now.lease_until > utc_now() + timedelta(seconds=10):
                seen.append(now)
                assert bench.log(run) == ["Begun."]
                return

    bench.worker(execute).run_next()
    assert seen
    assert bench.log(run) == ["Begun."]


# Spark ---------------------------------------------------------------------------------------------------------------


@dataclass
class PretendedSpark:
    """An engine that only remembers what it was asked."""

    ended_on_purpose: bool = False
    asked: list[tuple[str, ...]] = field(default_factory=list)
    cancelled: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def in_run(self, run_id: str, pool: str = "") -> Iterator[None]:
        self.asked.append((run_id, pool))
        yield

    def cancel(self, run_id: str) -> None:
        self.cancelled.set()

    def progress(self, run_id: str) -> Any:
        @dataclass
        class Progress:
            stages_done: int = 2
            stages_total: int = 3

        return Progress()

    def alive(self) -> bool:
        return True

    def remove(self, location: str) -> None:
        self.asked.append((location,))

    def warm_up(self) -> None: ...

    def restart(self, on_progress: Any = None) -> None: ...

    def stop(self) -> None: ...


def test_without_spark_only_what_needs_none_is_done(bench: Bench) -> None:
    run = bench.run()
    worker = bench.worker(kind(needs_spark=True))
    assert not worker.run_next()
    worker.engine = PretendedSpark()
    assert worker.run_next()
    assert bench.now(run).state == RunState.SUCCEEDED


def test_a_spark_that_stops_before_a_run_begins_costs_no_attempt(bench: Bench) -> None:
    run = bench.run()
    worker = bench.worker(kind(needs_spark=True), engine=PretendedSpark())
    context = worker.claim()
    assert context is not None
    worker.engine = None
    worker.do(context)
    now = bench.now(run)
    assert (now.state, now.attempt, now.not_before) == (RunState.QUEUED, 0, None)
    worker.engine = PretendedSpark()
    assert worker.run_next()
    assert (bench.now(run).state, bench.now(run).attempt) == (RunState.SUCCEEDED, 1)


def test_spark_works_in_the_pool_of_who_waits_or_of_pipelines(bench: Bench) -> None:
    spark = PretendedSpark()
    ids: list[UUID] = [bench.run(priority=INTERACTIVE).id, bench.run().id]
    bench.worker(kind(needs_spark=True), engine=spark).drain()
    assert spark.asked == [(str(ids[0]), "interactive"), (str(ids[1]), "pipelines")]


def test_cancelling_reaches_spark_and_its_error_is_no_failure(bench: Bench) -> None:
    spark = PretendedSpark()
    run = bench.run()

    def execute(engine: Any, job: Any, context: RunContext) -> None:
        with bench.database.session() as session:
            ending.ask_to_cancel(session, session.get_one(Run, run.id), bench.ada)
        assert spark.cancelled.wait(5)
        raise SparkProblem("cancelled", "The work was cancelled.")

    bench.worker(kind(execute, needs_spark=True), engine=spark).run_next()
    assert bench.now(run).state == RunState.CANCELLED


def test_sparks_stages_are_the_runs_progress(bench: Bench) -> None:
    run = bench.run()

    def execute(engine: Any, job: Any, context: RunContext) -> None:
        end = time.monotonic() + 5
        while not bench.now(run).progress and time.monotonic() < end:
            time.sleep(0.01)

    bench.worker(kind(execute, needs_spark=True), engine=PretendedSpark()).run_next()
    assert bench.now(run).progress == {"stages_done": 2, "stages_total": 3}


# What a statement may not read ---------------------------------------------------------------------------------------


def reading(*names: str) -> Kind:
    """A run whose statement names these tables, as the gate asks for them."""

    def execute(engine: Any, job: Any, context: RunContext) -> None:
        asked = [(layer, table) for layer, _, table in (name.partition(".") for name in names)]
        found = context.resolve(asked)
        if missing := [".".join(name) for name in asked if name not in found]:
            raise Refusal("table_not_found", f"Table not found: {', '.join(missing)}.")

    return replace(kind(execute), resolve=lambda session, caller, names: {})


def refusals(database: Database) -> list[AuditEntry]:
    with database.read() as session:
        return list(session.scalars(select(AuditEntry).where(AuditEntry.outcome == "refused")))


def test_a_statement_that_names_a_hidden_table_is_one_refusal_on_record(bench: Bench, database: Database) -> None:
    with database.session() as session:
        salaries, _ = make_table(session, "salaries"), make_table(session, "bonuses")
        token, _ = make_token(session, bench.ada)
    ended = bench.done(reading("raw.salaries", "raw.bonuses", "raw.nothing"), token=token)
    assert ended.problem is not None
    assert (ended.state, ended.problem["refused"]) == (RunState.FAILED, True)
    (entry,) = refusals(database)
    assert (entry.actor_id, entry.token_id, entry.about_id) == (bench.ada.id, ended.token_id, None)
    assert entry.token_id is not None
    assert (entry.action, entry.resource_type) == ("execute_queries", "table")
    assert (entry.resource_id, entry.resource_name) == (str(salaries.id), "raw.salaries")
    assert entry.decision is not None
    assert (entry.decision["row"], entry.decision["allowed"]) == ("Execute queries", False)
    assert entry.after == {"run_id": str(ended.id), "kind": "errand", "also": ["raw.bonuses"]}


def test_nothing_in_the_record_tells_a_hidden_table_from_one_that_is_not_there(
    bench: Bench, database: Database, sign_in_as: SignInAs
) -> None:
    with database.session() as session:
        make_table(session, "salaries")
        olga = make_member(session, "Olga", role="owner")
    for name in ("raw.salaries", "raw.nothing"):
        assert bench.done(reading(name)).state == RunState.FAILED
    assert sign_in_as(bench.ada).get("/api/v1/audit").json()["items"] == []
    (read,) = sign_in_as(olga).get("/api/v1/audit", params={"outcome": "refused"}).json()["items"]
    told = (read["actor"]["name"], read["said"], read["resource_name"])
    assert told == ("Ada", "tried “Execute queries”", "raw.salaries")


def test_a_statement_that_is_refused_to_everybody_is_no_refusal_of_a_right(bench: Bench, database: Database) -> None:
    def delete(*_: Any) -> None:
        raise Refusal("command", "DELETE is not allowed here.")

    assert bench.done(delete).state == RunState.FAILED
    assert refusals(database) == []
