"""Results with their targets, and times taken in turn, so that a busy moment of the machine hits both sides."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Say = Callable[[str], None]


@dataclass(frozen=True)
class Result:
    """One line of the table: what was measured, against what, and how the two compare."""

    what: str
    ours: float
    against: str
    theirs: float
    ratio: float
    at_least: float | None = None
    at_most: float | None = None
    unit: str = "seconds"  # or "a second": how many

    @property
    def measured(self) -> str:
        return self._in_words(self.ours)

    @property
    def peer(self) -> str:
        return f"{self.against}: {self._in_words(self.theirs)}"

    def _in_words(self, value: float) -> str:
        return duration(value) if self.unit == "seconds" else f"{value:,.0f} {self.unit}"

    @property
    def target(self) -> str:
        if self.at_least is not None:
            return f"≥ {self.at_least:g}×"
        return "" if self.at_most is None else f"≤ {self.at_most:g}×"

    @property
    def passed(self) -> bool:
        return (self.at_least is None or self.ratio >= self.at_least) and (
            self.at_most is None or self.ratio <= self.at_most
        )


def in_turn(rounds: int, tasks: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """The median seconds of each task; one of each in every round, after a first one that nobody counts."""
    times: dict[str, list[float]] = {name: [] for name in tasks}
    gc.collect()
    gc.disable()
    for _ in range(rounds + 1):
        for name, task in tasks.items():
            started = time.perf_counter()
            task()
            times[name].append(time.perf_counter() - started)
    gc.enable()
    return {name: statistics.median(spent[1:]) for name, spent in times.items()}


def duration(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"
