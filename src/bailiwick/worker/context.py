"""A run that is being worked on: what its work tells and asks, and whether it has to stop."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from bailiwick.database.base import utc_now
from bailiwick.database.engine import Database
from bailiwick.lakehouse.catalogue import hidden
from bailiwick.runs import queue
from bailiwick.runs.acting import acting
from bailiwick.runs.errors import Hidden
from bailiwick.runs.models import Run, RunLog
from bailiwick.spark.errors import Interrupted
from bailiwick.spark.jobs import Name, TableRef
from bailiwick.worker.kinds import Kind

CANCELLED, TIMED_OUT, LOST, STOPPING = "cancelled", "timed out", "lost", "stopping"
LONGEST_LINE, LONGEST_SQL = 10_000, 1_000_000

Line = tuple[datetime, str, str]  # when, how important, what


class RunContext:
    """The `Context` of `spark/jobs.py`. What it is told goes to the database a little later, by the keeper's thread."""

    def __init__(self, database: Database, run: Run, kind: Kind, time_limit: timedelta) -> None:
        assert run.lease is not None
        self.id: UUID = run.id
        self.lease: UUID = run.lease
        self.kind = kind
        self.run_kind = run.kind
        self.acts_as_id = run.acts_as_id
        self.time_limit = time_limit
        self.why: str | None = None  # it has to stop
        self.hidden: Sequence[Hidden] = ()  # what the work named and may not see
        self._database = database
        self._ends_at = time.monotonic() + time_limit.total_seconds()
        self.writing = threading.Lock()  # held while what was told is written, so that no line falls between two
        self._lock = threading.Lock()
        self._told: dict[str, Any] = {}
        self._progress: dict[str, Any] = {}
        self._statements: list[str] = []
        self._lines: list[Line] = []

    @property
    def run_id(self) -> str:
        return str(self.id)

    # What the work tells ---------------------------------------------------------------------------------------------

    def log(self, text: str, level: str = "info") -> None:
        line = text[:LONGEST_LINE].replace("\0", "\N{REPLACEMENT CHARACTER}")
        with self._lock:
            self._lines.append((utc_now(), level, line))

    def progress(
        self,
        *,
        rows_read: int | None = None,
        rows_written: int | None = None,
        stages_done: int | None = None,
        stages_total: int | None = None,
        note: str | None = None,
    ) -> None:
        steps = {"stages_done": stages_done, "stages_total": stages_total, "note": note}
        rows = {"rows_read": rows_read, "rows_written": rows_written}
        with self._lock:
            before = dict(self._progress)
            self._progress |= {name: value for name, value in steps.items() if value is not None}
            if before != self._progress:
                self._told["progress"] = dict(self._progress)
            self._told |= {name: value for name, value in rows.items() if value is not None}

    def executed(self, sql: str) -> None:
        with self._lock:
            self._statements.append(sql)
            self._told["executed_sql"] = ";\n\n".join(self._statements)[:LONGEST_SQL]

    # What the work asks ----------------------------------------------------------------------------------------------

    def resolve(self, names: Sequence[Name]) -> Mapping[Name, TableRef]:
        if self.kind.resolve is None:
            raise NotImplementedError(f"Runs of the kind {self.run_kind} name no tables.")
        with self._database.read() as session:
            caller = acting(session, session.get_one(Run, self.id))
            found = self.kind.resolve(session, caller, names)
            if missing := [name for name in names if name not in found]:
                self.hidden = hidden(session, caller, missing)
            return found

    def check(self) -> None:
        if self.why is not None:
            raise Interrupted(self.why)

    def confirm(self) -> None:
        self.check()
        with self._database.read() as session:  # Preparing decides; what it describes is known already.
            self.kind.prepare(session, session.get_one(Run, self.id))

    # What the worker does --------------------------------------------------------------------------------------------

    def interrupt(self, why: str) -> None:
        """Let the work stop at its next look; the first reason counts."""
        self.why = self.why or why

    @property
    def took_too_long(self) -> bool:
        return time.monotonic() > self._ends_at

    def write(self) -> None:
        """Put what was told into the database, if there is anything. It is told again should that fail."""
        if not self.writing.acquire(blocking=False):
            return  # the run is being ended, and this with it
        try:
            told, lines = self._pour()
            if told or lines:
                try:
                    with self._database.session() as session:
                        queue.report(session, self.id, self.lease, told, self._rows(lines))
                except Exception:
                    self._put_back(told, lines)
                    raise
        finally:
            self.writing.release()

    def write_into(self, session: Session, run: Run) -> None:
        """The same, in the transaction that ends the run; should that fail, the next one writes it again."""
        told, lines = self._pour()
        for name, value in told.items():
            setattr(run, name, value)
        session.add_all(self._rows(lines))
        self._put_back(told, lines)

    def _pour(self) -> tuple[dict[str, Any], list[Line]]:
        with self._lock:
            told, self._told = self._told, {}
            lines, self._lines = self._lines, []
            return told, lines

    def _put_back(self, told: dict[str, Any], lines: list[Line]) -> None:
        with self._lock:
            self._told = told | self._told
            self._lines = lines + self._lines

    def _rows(self, lines: Sequence[Line]) -> list[RunLog]:
        return [RunLog(run_id=self.id, at=at, level=level, text=text) for at, level, text in lines]
