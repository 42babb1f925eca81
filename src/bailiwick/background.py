"""Work beside the requests: a thread that does one thing again and again, at once when woken."""

from __future__ import annotations

import threading
from collections.abc import Callable

import structlog

from bailiwick.database.engine import DatabaseUnavailable

log = structlog.get_logger(__name__)


class Background:
    """Runs `work` every so many seconds and whenever it is woken. A failure is logged and tried again next time."""

    def __init__(self, name: str, work: Callable[[], None], every_seconds: float) -> None:
        self.name = name
        self._work = work
        self._every = every_seconds
        self._woken = threading.Event()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        self._stopping.clear()
        self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
        self._thread.start()

    def wake(self) -> None:
        self._woken.set()

    def stop(self, wait_seconds: float = 5) -> None:
        """Let the piece of work in hand come to its end, but do not wait for ever."""
        self._stopping.set()
        self._woken.set()
        if self._thread is not None:
            self._thread.join(wait_seconds)
            self._thread = None

    @property
    def stopping(self) -> bool:
        return self._stopping.is_set()

    def _run(self) -> None:
        while not self.stopping:
            self._woken.clear()
            try:
                self._work()
            except DatabaseUnavailable:
                log.warning("background work waits for the database", work=self.name)
            except Exception:
                log.exception("background work failed", work=self.name)
            self._woken.wait(self._every)
