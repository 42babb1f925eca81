"""The kind of run that makes an empty table."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from bailiwick.lakehouse import creating_tables
from bailiwick.settings import Settings
from bailiwick.spark.tables import creating
from bailiwick.worker.kinds import Kind


def kinds(settings: Settings) -> Mapping[str, Kind]:
    return {
        creating_tables.KIND: Kind(
            prepare=partial(creating_tables.prepare, settings=settings),
            execute=creating.execute,
            finish=creating_tables.finish,
        )
    }
