"""How far a run has come, from what Spark knows of its jobs."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Progress:
    """The stages and tasks that Spark knows of by now. More may follow."""

    stages_done: int = 0
    stages_total: int = 0
    tasks_done: int = 0
    tasks_total: int = 0

    def __add__(self, other: Progress) -> Progress:
        return Progress(
            self.stages_done + other.stages_done,
            self.stages_total + other.stages_total,
            self.tasks_done + other.tasks_done,
            self.tasks_total + other.tasks_total,
        )


class Watch:
    """Looks at one job group again and again, at each finished job once: a question to Spark costs a little each."""

    def __init__(self, group: str) -> None:
        self.group = group
        self.thread = threading.get_ident()
        self.cancelled_at: float | None = None
        self._finished: dict[int, Progress] = {}

    def look(self, tracker: Any) -> Progress:
        """What has been done so far; `tracker` is Spark's own, in Java."""
        return sum((self._job(tracker, job) for job in tracker.getJobIdsForGroup(self.group)), Progress())

    def _job(self, tracker: Any, job: int) -> Progress:
        if job in self._finished:
            return self._finished[job]
        info = tracker.getJobInfo(job)
        if info is None:
            return Progress()
        status = str(info.status())
        progress = sum((_stage(tracker, stage, status) for stage in info.stageIds()), Progress())
        if status in ("SUCCEEDED", "FAILED"):
            self._finished[job] = progress
        return progress


def _stage(tracker: Any, stage: int, status: str) -> Progress:
    info = tracker.getStageInfo(stage)
    tasks, done = (info.numTasks(), info.numCompletedTasks()) if info is not None else (0, 0)
    if status == "SUCCEEDED":
        return Progress(1, 1, done, done)  # What did not run was not needed: its result was there already.
    return Progress(int(0 < tasks <= done), 1, done, tasks)
