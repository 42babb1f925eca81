"""Work that goes on after it was cancelled, or after its job failed.

Spark asks its tasks to stop, and a task looks up only now and then: one that joins everything with everything may not
for hours, and keeps a core from everybody else. On a cluster Spark itself ends the executor; in one process we do."""

from __future__ import annotations

import re
import time
from typing import Any

LONGEST_SECONDS = 20
TASK = re.compile(r"Executor task launch worker for task .* in stage (\d+)\.\d+ \(TID \d+\)")


class Lingering:
    """Looks for such tasks, once there is reason to."""

    def __init__(self) -> None:
        self._suspected = False
        self._since: dict[str, float] = {}

    def suspect(self) -> None:
        """Something was cancelled, or has failed."""
        self._suspected = True

    def too_long(self, context: Any) -> bool:
        """Whether some task should have stopped long ago; `context` is Spark's own, in Java."""
        if not self._suspected:
            return False
        now = time.monotonic()
        found = _tasks_of_nobody(context)
        self._since = {task: self._since.get(task, now) for task in found}
        self._suspected = bool(found)
        return any(now - since > LONGEST_SECONDS for since in self._since.values())


def _tasks_of_nobody(context: Any) -> set[str]:
    """The tasks at work whose stage has ended. A thread is called after its last task, and rests when it has none."""
    jvm, tracker = context._jvm, context._jsc.statusTracker()
    working = {
        str(thread.getName())
        for thread in jvm.java.lang.Thread.getAllStackTraces().keySet()
        if thread.getState().toString() == "RUNNABLE"
    }
    tasks = {name: int(found[1]) for name in working if (found := TASK.fullmatch(name))}
    active = set(tracker.getActiveStageIds())
    return {name for name, stage in tasks.items() if stage not in active}
