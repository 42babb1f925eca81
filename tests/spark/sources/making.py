"""Streams and what they leave behind, for tests of readers on a real Spark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bailiwick.database.base import new_id
from bailiwick.spark.engine import Engine
from bailiwick.spark.jobs import TableRef
from bailiwick.spark.sources.jobs import Place, StreamJob, StreamOutcome, SyncJob
from bailiwick.spark.sources.sync import sync
from tests.spark.contexts import Alone


@dataclass
class Source:
    """A source with one stream: each `run` is the next run of it."""

    engine: Engine
    place: Place
    stream: StreamJob
    number: int = 0
    told: Alone = field(default_factory=Alone)

    def run(self, *, again: bool = False, note: bool = True) -> StreamOutcome:
        """The next run, or the same one again; `note` is whether its end is written down as a worker would."""
        self.number += 0 if again else 1
        self.told = Alone(str(new_id()))
        job = SyncJob(self.place, (self.stream,), f"run-{self.number}", self.number)
        (outcome,) = sync(self.engine, job, self.told).streams
        if note and outcome.committed:
            self.stream = replace(self.stream, state=outcome.state, start_over=False)
        return outcome

    def change(self, **what: Any) -> None:
        self.stream = replace(self.stream, **what)

    def rows(self, *columns: str) -> list[tuple[Any, ...]]:
        """What is in the table, in order."""
        return rows_at(self.engine, self.stream.output.location, *columns)

    def rejects(self) -> list[tuple[Any, ...]]:
        return rows_at(self.engine, self.stream.rejects.location, "reason", "record")

    def types(self) -> dict[str, str]:
        read = self.engine.spark.read.format("delta").load(self.stream.output.location)
        return dict(read.dtypes)


def rows_at(engine: Engine, location: str, *columns: str) -> list[tuple[Any, ...]]:
    if not (Path(location) / "_delta_log").exists():
        return []
    read = engine.spark.read.format("delta").load(location)
    found = [tuple(row) for row in (read.select(*columns) if columns else read).collect()]
    return sorted(found, key=lambda row: tuple((value is not None, str(value)) for value in row))


def make_source(engine: Engine, folder: Path, place: Place, read: Mapping[str, Any], **stream: Any) -> Source:
    ids = [str(new_id()) for _ in range(3)]
    job = StreamJob(
        ids[0],
        "orders",
        read,
        TableRef(ids[1], "raw", "orders", str(folder / "tables" / ids[1])),
        TableRef(ids[2], "raw", "orders_rejects", str(folder / "tables" / ids[2])),
        **stream,
    )
    return Source(engine, place, job)
