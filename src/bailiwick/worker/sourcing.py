"""Kinds of run of sources: looking at them, and reading them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from bailiwick.lakehouse.sources import looking, syncing
from bailiwick.settings import Settings
from bailiwick.spark.sources import looking as looking_on_spark
from bailiwick.spark.sources import sync as on_spark
from bailiwick.worker.kinds import Kind


def kinds(settings: Settings) -> Mapping[str, Kind]:
    look = partial(looking.prepare, settings=settings)
    return {
        "sync": Kind(prepare=partial(syncing.prepare, settings=settings), execute=on_spark.sync, finish=syncing.finish),
        looking.DISCOVER: Kind(prepare=look, execute=looking_on_spark.discover, finish=looking.finish),
        looking.TEST: Kind(prepare=look, execute=looking_on_spark.try_connection, finish=looking.finish),
    }
