"""What a worker asks of Spark, so that all the rest of it can be tried without."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Protocol


class Engine(Protocol):
    """`bailiwick.spark.engine.Engine`, as far as a worker itself is concerned."""

    ended_on_purpose: bool

    def in_run(self, run_id: str, pool: str = ...) -> AbstractContextManager[None]:
        """Count what this thread asks of Spark as this run's."""

    def cancel(self, run_id: str) -> None:
        """Stop what the run has Spark do."""

    def progress(self, run_id: str) -> Any:
        """Stages and tasks, done and in all."""

    def alive(self) -> bool:
        """Whether Spark can be used."""

    def remove(self, location: str) -> None:
        """Delete a folder, wherever Spark reaches."""

    def warm_up(self) -> None:
        """Load what the first run would otherwise wait for."""

    def restart(self, on_progress: Callable[[str], None] | None = None) -> None:
        """Begin anew."""

    def stop(self) -> None:
        """End Spark."""
