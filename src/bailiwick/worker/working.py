"""Working: claims runs, has them executed, and brings each to its end, whatever becomes of it."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable, Collection, Mapping
from contextlib import nullcontext
from datetime import timedelta
from uuid import UUID

import structlog
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from sqlalchemy.orm.exc import StaleDataError
from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_delay, wait_exponential_jitter

from bailiwick.access.decision import Refused
from bailiwick.database.engine import Database, DatabaseUnavailable
from bailiwick.errors import Conflict, Invalid, NotFound
from bailiwick.logs import request
from bailiwick.runs import ending, queue
from bailiwick.runs.errors import LeaseLost, Passing, Restricted, RunProblem
from bailiwick.runs.models import INTERACTIVE, Run
from bailiwick.settings import Settings
from bailiwick.spark.errors import Interrupted, Refusal, SparkProblem
from bailiwick.worker.context import CANCELLED, LOST, STOPPING, TIMED_OUT, RunContext
from bailiwick.worker.engine import Engine
from bailiwick.worker.keeping import Keeper
from bailiwick.worker.kinds import Kind, all_kinds

log = structlog.get_logger(__name__)

UNEXPECTED = RunProblem(
    "unexpected",
    "Something went wrong on our side.",
    "Run it again. If it happens again, an administrator finds the details in the worker's log, under the run's id.",
)
# What may hold up the transaction that ends a run: others change the same rows, or the database is away for a moment.
# Beyond that, the lease runs out and another worker does the run again.
END_WITHIN_SECONDS = 20.0
MOST_CLASHES = 5


class Worker:
    """One worker. `run_next` and `drain` do what is there in the calling thread; see `process.py` for slots."""

    def __init__(
        self,
        database: Database,
        settings: Settings,
        engine: Engine | None = None,
        *,
        kinds: Mapping[str, Kind] | None = None,
        name: str | None = None,
    ) -> None:
        self.name = name or f"{socket.gethostname()[:60]}-{os.getpid()}-{secrets.token_hex(3)}"
        self.engine = engine
        self._database = database
        self._settings = settings
        self._kinds = all_kinds(settings) if kinds is None else kinds
        self.keeper = Keeper(database, lambda: self.engine)

    @property
    def kinds(self) -> Collection[str]:
        """What can be done now: without Spark, what does not need it."""
        return [name for name, kind in self._kinds.items() if self.engine is not None or not kind.needs_spark]

    def run_next(self) -> bool:
        """Do the run that is next, if there is any."""
        context = self.claim()
        if context is None:
            return False
        self.do(context)
        return True

    def drain(self) -> int:
        """Do everything that can be done now; how many runs that was."""
        done = 0
        while self.run_next():
            done += 1
        return done

    def claim(self, *, interactive: bool | None = None, busy: Collection[UUID] = ()) -> RunContext | None:
        wanted = queue.Wanted(self.kinds, interactive, busy)
        if self._database.engine.dialect.name == "sqlite":  # where nobody else writes while one looks for what to claim
            with self._database.read() as session:
                if not queue.is_any_free(session, wanted):
                    return None
        with self._database.session() as session:
            run = queue.claim(session, self.name, wanted)
            return RunContext(self._database, run, self._kinds[run.kind], self._limit(run)) if run else None

    def do(self, context: RunContext) -> None:
        """Execute a claimed run and bring it to its end."""
        with request(f"run {context.run_id}"), self.keeper.keeping(context):
            engine = self.engine
            try:
                self._execute(context)
            except Exception as error:
                if engine is not None and not engine.alive() and self.engine is engine:
                    self.engine = None  # runs that need it wait until it was started again
                blameless = engine.ended_on_purpose if engine is not None else context.kind.needs_spark
                self._end_badly(context, error, blameless)

    # Steps -----------------------------------------------------------------------------------------------------------

    def _execute(self, context: RunContext) -> None:
        kind, engine = context.kind, self.engine
        if kind.needs_spark and engine is None:
            raise Passing("spark_stopped", "Spark stopped before this began.", "It is tried again by itself.")
        with self._database.read() as session:
            run = session.get_one(Run, context.id)
            pool = kind.pool or ("interactive" if run.priority <= INTERACTIVE else "pipelines")
            job = kind.prepare(session, run)
        context.check()
        with engine.in_run(context.run_id, pool) if engine and kind.needs_spark else nullcontext():
            outcome = kind.execute(engine, job, context)

        def finish(session: Session, run: Run) -> None:
            problem = kind.finish(session, run, outcome)
            if problem is None:
                ending.succeed(session, run)
            else:
                _fail(session, run, problem)

        self._end(context, finish)

    def _end(self, context: RunContext, how: Callable[[Session, Run], None]) -> None:
        """The run's last transaction, again if something was in its way; refused if the run is not ours any more."""
        with context.writing:
            for attempt in Retrying(
                retry=retry_if_exception_type((DatabaseUnavailable, StaleDataError, IntegrityError)),
                wait=wait_exponential_jitter(multiplier=0.05, max=2, jitter=0.1),
                stop=_tried_enough,
                reraise=True,
            ):
                with attempt, self._database.session() as session:
                    run = queue.hold(session, context.id, context.lease)
                    context.write_into(session, run)
                    how(session, run)

    def _end_badly(self, context: RunContext, error: Exception, blameless: bool) -> None:
        try:
            self._end(context, self._how(context, error, blameless))
        except LeaseLost:
            if context.why != STOPPING:  # else it was given back
                log.warning("a run was lost to another worker", run_id=context.run_id, run_kind=context.run_kind)
        except Exception:
            log.exception("a run could not be ended; its lease will run out", run_id=context.run_id)

    def _how(self, context: RunContext, error: Exception, blameless: bool) -> Callable[[Session, Run], None]:
        """How a run ends after this error. If Spark was ended because of another run, or before this one had begun, the
        attempt does not count."""
        if isinstance(error, LeaseLost) or context.why == LOST:
            raise LeaseLost from error
        if context.why == CANCELLED:
            return ending.end_cancelled
        if context.why == STOPPING:
            return queue.release
        if context.why == TIMED_OUT:
            return lambda session, run: ending.fail(session, run, _timed_out(context.time_limit))
        if isinstance(error, Refused):
            error = Restricted(error.decision)
        if isinstance(error, Restricted):
            lack = error
            return lambda session, run: ending.restrict(session, run, lack)
        problem = _problem(error, context)
        if blameless and problem.code == "spark_stopped":
            return queue.release
        return lambda session, run: _fail(session, run, problem)

    def _limit(self, run: Run) -> timedelta:
        if run.time_limit_seconds is not None:
            return timedelta(seconds=run.time_limit_seconds)
        asked = run.priority <= INTERACTIVE
        return timedelta(minutes=self._settings.query_minutes if asked else self._settings.run_minutes)


def is_dead(worker: str) -> bool:
    """Whether this is the name of a worker of this machine whose process is no more."""
    host, _, pid = worker.rpartition("-")[0].rpartition("-")
    if host != socket.gethostname()[:60] or not pid.isdecimal():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except OSError:
        pass  # it lives, as somebody else's process
    return False


def _tried_enough(state: RetryCallState) -> bool:
    """A database that is away is waited for; rows that others change meanwhile are tried again a few times."""
    assert state.outcome is not None
    if isinstance(state.outcome.exception(), DatabaseUnavailable):
        return stop_after_delay(END_WITHIN_SECONDS)(state)
    return state.attempt_number >= MOST_CLASHES


def _fail(session: Session, run: Run, problem: RunProblem) -> None:
    if not (isinstance(problem, Passing) and queue.try_again_later(session, run, problem)):
        ending.fail(session, run, problem)


def _problem(error: Exception, context: RunContext) -> RunProblem:
    """What went wrong, in words. Details of what nobody foresaw are for the log alone: they may hold anything."""
    if isinstance(error, RunProblem):
        return error
    if type(error).__module__.startswith(("py4j", "pyspark")):
        from bailiwick.spark.problems import explain

        error = explain(error)
    if isinstance(error, SparkProblem):
        kind: type[RunProblem] = Passing if error.passing else RunProblem
        refused = isinstance(error, Refusal) and not error.mistaken
        return kind(error.code, error.message, error.fix, refused=refused, hidden=context.hidden if refused else ())
    if isinstance(error, Interrupted):
        return Passing("interrupted", "The work was interrupted.", "Run it again.")
    if isinstance(error, DatabaseUnavailable):
        return Passing("database_unavailable", str(error), "Run it again.")
    if isinstance(error, (Conflict, Invalid, NotFound)):
        return RunProblem("not_possible", str(error))
    log.error("a run failed in a way nobody foresaw", run_id=context.run_id, run_kind=context.run_kind, exc_info=error)
    return UNEXPECTED


def _timed_out(limit: timedelta) -> RunProblem:
    seconds = limit.total_seconds()
    said = f"{seconds / 60:g} minutes" if seconds >= 120 else f"{seconds:g} seconds"
    return RunProblem("timed_out", f"It took longer than {said} and was stopped.", "Let it do less at once.")
