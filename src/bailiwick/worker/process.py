"""A worker as a process: slots that take up runs, Spark that starts beside them and is started again when it dies,
triggers that fire, news that goes out, and an end that leaves nothing behind."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from uuid import UUID

import structlog
from sqlalchemy import select

from bailiwick.background import Background
from bailiwick.database.base import utc_now
from bailiwick.database.engine import Database, DatabaseUnavailable
from bailiwick.notify.deliverer import Deliverer
from bailiwick.requests.arriving import find_what_came
from bailiwick.runs import queue
from bailiwick.runs.bell import FIRE, LOOK_SECONDS, QUEUED, Ear, listening
from bailiwick.runs.errors import LeaseLost
from bailiwick.runs.firing import fire_due, next_due
from bailiwick.runs.models import WorkerBeat
from bailiwick.runs.readiness import FAILED, READY, STARTING
from bailiwick.runs.telling import tell_due
from bailiwick.settings import Settings
from bailiwick.spark.errors import SparkProblem
from bailiwick.worker.context import STOPPING, RunContext
from bailiwick.worker.engine import Engine
from bailiwick.worker.housekeeping import keep_house
from bailiwick.worker.kinds import Kind
from bailiwick.worker.working import Worker, is_dead

log = structlog.get_logger(__name__)

BEAT_SECONDS = 5.0
TELL_SECONDS = 5.0
FIND_SECONDS = 10.0
HOUSE_SECONDS = 300.0
ALIVE_SECONDS = 1.0  # how soon a dead Spark is noticed
AGAIN_SECONDS, LONGEST_AGAIN_SECONDS = 5.0, 300.0
LONGEST_SLEEP_SECONDS = 15.0  # of who fires: a clock may be set meanwhile
GRACE_SECONDS = 4.0  # for what is nearly done, within what a supervisor gives us


class Process:
    """Everything a worker does, in threads, from `start` to `stop`."""

    def __init__(
        self,
        database: Database,
        settings: Settings,
        start_engine: Callable[[Callable[[str], None]], Engine] | None,
        *,
        kinds: Mapping[str, Kind] | None = None,
    ) -> None:
        self.worker = Worker(database, settings, kinds=kinds)
        self._database = database
        self._settings = settings
        self._start_engine = start_engine
        self._engine: Engine | None = None  # started once, whether it lives or not
        self._spark = STARTING if start_engine else READY
        self._problem = ""
        self._stopping = threading.Event()
        self._ears: list[Ear] = []
        self._threads: list[threading.Thread] = []
        self._chores = [
            Background("beat", self._beat, BEAT_SECONDS),
            Background("tell of runs", lambda: tell_due(database, settings), TELL_SECONDS),
            Background("find what was asked for", lambda: find_what_came(database, settings), FIND_SECONDS),
            Background("keep house", lambda: keep_house(database, settings, self.worker.engine), HOUSE_SECONDS),
        ]
        # News is e-mail, and where the API is on another machine nobody else would send it.
        self._deliverer = Deliverer(database, settings)

    def start(self) -> None:
        """Claim what needs no Spark at once, and the rest as soon as it is there."""
        settings = self._settings
        self._bury_the_dead()
        work: list[tuple[str, Callable[[], None]]] = [
            ("serve who waits", lambda: self._serve(settings.interactive_slots, interactive=True)),
            ("serve pipelines", lambda: self._serve(settings.worker_slots, interactive=False)),
            ("fire triggers", self._fire),
        ]
        if self._start_engine is not None:
            work.append(("keep spark", self._keep_spark))
        for name, target in work:
            thread = threading.Thread(target=target, name=name, daemon=True)
            thread.start()
            self._threads.append(thread)
        self._deliverer.start()
        for chore in self._chores:
            chore.start()
        log.info("worker started", worker=self.worker.name)

    def stop(self) -> None:
        """Take up nothing more, let what is nearly done come to its end, and give the rest back at once."""
        self._stopping.set()
        self._wake()
        end = time.monotonic() + GRACE_SECONDS
        while self.worker.keeper.contexts and time.monotonic() < end:
            time.sleep(0.05)
        for context in self.worker.keeper.contexts:
            self._give_back(context)
        for chore in self._chores:
            chore.stop(1)
        self._deliverer.stop()
        # A Spark that is only just starting cannot be stopped, and ends with this process.
        spark = threading.Thread(target=self._stop_spark, name="stop spark", daemon=True)
        spark.start()
        for thread in (spark, *self._threads):
            thread.join(1)
        with suppress(DatabaseUnavailable), self._database.session() as session:
            if (beat := session.get(WorkerBeat, self.worker.name)) is not None:
                session.delete(beat)
        log.info("worker stopped", worker=self.worker.name)

    # Runs ------------------------------------------------------------------------------------------------------------

    def _serve(self, slots: int, *, interactive: bool) -> None:
        """Claim only what there is a slot for: what waits longer may be taken by another worker. Who waits leaves half
        of the slots to others who wait."""
        free = threading.Semaphore(slots)
        most_of_one = max(1, slots // 2) if interactive else slots
        in_hand: list[UUID] = []  # whom the runs act as

        def do(context: RunContext) -> None:
            try:
                self.worker.do(context)
            finally:
                in_hand.remove(context.acts_as_id)
                free.release()
                ear.ring()  # what waited for this one, of the same member

        with listening(self._database, QUEUED) as ear:
            self._ears.append(ear)
            while not self._stopping.is_set():
                if not free.acquire(timeout=0.5):
                    continue
                busy = [member for member, runs in Counter(in_hand).items() if runs >= most_of_one]
                context = self._claim(interactive, busy)
                if context is None:
                    free.release()
                    ear.wait(LOOK_SECONDS)
                else:
                    in_hand.append(context.acts_as_id)
                    threading.Thread(target=do, args=[context], name=f"run {context.run_id}", daemon=True).start()

    def _bury_the_dead(self) -> None:
        """Take over from workers that were killed on this machine, instead of waiting until their leases run out."""
        with suppress(DatabaseUnavailable), self._database.session() as session:
            for beat in session.scalars(select(WorkerBeat)):
                if is_dead(beat.name):
                    log.warning("a worker was lost", worker=beat.name)
                    queue.let_go_of(session, beat.name)
                    session.delete(beat)

    def _claim(self, interactive: bool, busy: Collection[UUID]) -> RunContext | None:
        try:
            return self.worker.claim(interactive=interactive, busy=busy)
        except DatabaseUnavailable:
            log.warning("the worker waits for the database")
        except Exception:
            log.exception("nothing could be claimed")
        return None

    def _give_back(self, context: RunContext) -> None:
        """Another worker takes it up at once, instead of when its lease has run out."""
        context.interrupt(STOPPING)
        with suppress(Exception):
            if self.worker.engine is not None:
                self.worker.engine.cancel(context.run_id)
        try:
            with self._database.session() as session:
                queue.release(session, queue.hold(session, context.id, context.lease))
        except LeaseLost:
            pass  # it ended by itself
        except DatabaseUnavailable:
            log.warning("a run could not be given back; its lease will run out", run_id=context.run_id)

    def _wake(self) -> None:
        for ear in self._ears:
            ear.ring()

    # Spark -----------------------------------------------------------------------------------------------------------

    def _keep_spark(self) -> None:
        """Start it, and start it again whenever it has died. Runs that it took along are tried again by themselves."""
        pause = AGAIN_SECONDS
        while not self._stopping.is_set():
            try:
                if self._engine is None:
                    assert self._start_engine is not None
                    self._engine = self._start_engine(self._doing)
                elif not self._engine.alive():
                    log.warning("spark died and is started again")
                    self._now(STARTING)
                    self._engine.restart(self._doing)
                pause = AGAIN_SECONDS
                if self._spark == READY and self.worker.engine is None:  # it was found dead, and is alive again
                    self._now(READY)
                if self._spark != READY:
                    self._now(READY)
                    threading.Thread(target=self._engine.warm_up, name="warm spark up", daemon=True).start()
                self._stopping.wait(ALIVE_SECONDS)
            except Exception as error:
                known = isinstance(error, SparkProblem)
                log.error("spark did not start", problem=str(error), exc_info=None if known else error)
                self._now(FAILED, f"{error.message} {error.fix}" if isinstance(error, SparkProblem) else str(error))
                self._stopping.wait(pause)
                pause = min(pause * 2, LONGEST_AGAIN_SECONDS)

    def _stop_spark(self) -> None:
        if self._engine is not None:
            with suppress(Exception):
                self._engine.stop()

    def _doing(self, text: str) -> None:
        """What takes long while Spark starts."""
        log.info("spark is starting", doing=text)
        self._now(STARTING, text)

    def _now(self, state: str, problem: str = "") -> None:
        self._spark, self._problem = state, problem[:500]
        self.worker.engine = self._engine if state == READY else None
        self._chores[0].wake()
        self._wake()

    def _beat(self) -> None:
        beat = WorkerBeat(
            name=self.worker.name,
            seen_at=utc_now(),
            spark=self._spark,
            problem=self._problem,
            slots=self._settings.worker_slots + self._settings.interactive_slots,
        )
        with self._database.session() as session:
            session.merge(beat)

    # Triggers --------------------------------------------------------------------------------------------------------

    def _fire(self) -> None:
        with listening(self._database, FIRE) as ear:
            self._ears.append(ear)
            while not self._stopping.is_set():
                try:
                    ear.wait(self._fire_due())
                except DatabaseUnavailable:
                    log.warning("triggers wait for the database")
                    self._stopping.wait(LOOK_SECONDS)
                except Exception:
                    log.exception("triggers could not fire")
                    self._stopping.wait(LOOK_SECONDS)

    def _fire_due(self) -> float:
        """Fire everything that is due; for how many seconds there is nothing more to do."""
        while not self._stopping.is_set():
            with self._database.read() as session:
                due = next_due(session)
            if due is None:
                return LONGEST_SLEEP_SECONDS
            wait = (due - utc_now()).total_seconds()
            if wait > 0:
                return min(wait, LONGEST_SLEEP_SECONDS)
            with self._database.session() as session:
                if fire_due(session) == 0:
                    return 0.2  # another worker is at it
        return 0.0
