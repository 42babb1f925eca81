"""The keeper: one thread that keeps the leases of all runs a worker has in hand, and looks after them.

It renews, writes down progress and logs, and stops what was cancelled, takes too long or is not ours any more."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import UUID

import structlog

from bailiwick.database.engine import Database, DatabaseUnavailable
from bailiwick.runs import queue
from bailiwick.runs.errors import LeaseLost
from bailiwick.worker.context import CANCELLED, LOST, TIMED_OUT, RunContext
from bailiwick.worker.engine import Engine

log = structlog.get_logger(__name__)

LOOK_SECONDS = 0.4
WRITE_SECONDS = 1.0
STOP_SECONDS = 10.0
RENEW_SECONDS = queue.LEASE.total_seconds() / 4


class Keeper:
    """Looks after contexts from when a run is claimed until it has ended."""

    def __init__(self, database: Database, engine: Callable[[], Engine | None]) -> None:
        self._database = database
        self._engine = engine
        self._contexts: dict[UUID, RunContext] = {}
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._renewed_at = self._written_at = 0.0

    @contextmanager
    def keeping(self, context: RunContext) -> Iterator[None]:
        with self._lock:
            if not self._contexts:
                self._start()
            self._contexts[context.lease] = context
        try:
            yield
        finally:
            with self._lock:
                del self._contexts[context.lease]
                thread = None if self._contexts else self._thread
                if thread is not None:
                    self._stop.set()
            if thread is not None:
                thread.join(STOP_SECONDS)

    def _start(self) -> None:
        stop = self._stop = threading.Event()
        self._renewed_at = self._written_at = time.monotonic()

        def run() -> None:
            while not stop.wait(LOOK_SECONDS):
                try:
                    self.look()
                except DatabaseUnavailable:
                    log.warning("the keeper waits for the database")
                except Exception:
                    log.exception("the keeper failed")

        self._thread = threading.Thread(target=run, name="keep the leases", daemon=True)
        self._thread.start()

    @property
    def contexts(self) -> list[RunContext]:
        with self._lock:
            return list(self._contexts.values())

    def look(self) -> None:
        contexts = {context.lease: context for context in self.contexts}
        if not contexts:
            return
        now = time.monotonic()
        for context in contexts.values():
            if context.took_too_long:
                context.interrupt(TIMED_OUT)
        with self._database.read() as session:
            kept = {one.lease: one for one in queue.look(session, list(contexts))}
        for lease, context in contexts.items():
            if lease not in kept:
                context.interrupt(LOST)
            elif kept[lease].cancel_asked:
                context.interrupt(CANCELLED)
            self._look_at_spark(context)
        if now - self._renewed_at >= RENEW_SECONDS:
            with self._database.session() as session:
                queue.renew(session, list(contexts))
            self._renewed_at = now
        if now - self._written_at >= WRITE_SECONDS:
            self._written_at = now
            for context in contexts.values():
                try:
                    context.write()
                except LeaseLost:
                    context.interrupt(LOST)

    def _look_at_spark(self, context: RunContext) -> None:
        engine = self._engine()
        if engine is None or not context.kind.needs_spark:
            return
        try:
            if context.why is not None:
                engine.cancel(context.run_id)  # again at each look: the work may have asked for more meanwhile
            else:
                seen = engine.progress(context.run_id)
                if seen.stages_total:
                    context.progress(stages_done=seen.stages_done, stages_total=seen.stages_total)
        except Exception as error:
            log.info("spark does not say how a run goes", run_id=context.run_id, error=type(error).__name__)
