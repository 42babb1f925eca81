"""Work that goes on after it was cancelled, or after its job failed.

Spark asks its tasks to stop, and a task looks up only now and then: one that joins everything with everything may not
for hours, and keeps a core from everybody else. On a cluster Spark itself ends the executor; in one process we do. And
nobody at all can stop what Spark works out while it plans, such as an expression of nothing but constants."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterable
from typing import Any

from bailiwick.spark.progress import Watch

LONGEST_SECONDS = 20
LOOK_SECONDS = 30  # after the last reason to; Spark knows a little late which stages have ended
TASK = re.compile(r"Executor task launch worker for task .* in stage (\d+)\.\d+ \(TID \d+\)")


class Lingering:
    """Looks for such tasks, once there is reason to."""

    def __init__(self) -> None:
        self._look_until = 0.0
        self._since: dict[str, float] = {}

    def suspect(self) -> None:
        """Something was cancelled, or has failed."""
        self._look_until = time.monotonic() + LOOK_SECONDS

    def too_long(self, context: Any, watches: Iterable[Watch]) -> bool:
        """Whether some task, or the planning of some work, should have stopped long ago."""
        now = time.monotonic()
        for watch in watches:
            asked = watch.cancelled_at
            if asked is not None and now - asked > LONGEST_SECONDS and _waits_for_java(watch.thread):
                return True
        if now > self._look_until:
            return False
        found = _tasks_of_nobody(context)
        if found:
            self.suspect()
        self._since = {task: self._since.get(task, now) for task in found}
        return any(now - since > LONGEST_SECONDS for since in self._since.values())


def _waits_for_java(thread: int) -> bool:
    frame = sys._current_frames().get(thread)
    while frame is not None:
        if "py4j" in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return False


def _tasks_of_nobody(context: Any) -> set[str]:
    """The tasks at work whose stage has ended. A thread is called after its last task, and rests when it has none."""
    jvm, tracker = context._jvm, context._jsc.statusTracker()
    working = {
        str(thread.getName())
        for thread in jvm.java.lang.Thread.getAllStackTraces().keySet()
        if thread.getState().toString() in ("RUNNABLE", "BLOCKED")
    }
    tasks = {name: int(found[1]) for name in working if (found := TASK.fullmatch(name))}
    active = set(tracker.getActiveStageIds())
    return {name for name, stage in tasks.items() if stage not in active}
