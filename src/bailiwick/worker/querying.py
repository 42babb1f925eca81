"""Kinds of run over tables: queries and what is analysed for them, pipelines but for sources, versions, maintenance."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from bailiwick.lakehouse import catalogue, histories, maintenance, versions
from bailiwick.lakehouse.destinations import sending
from bailiwick.lakehouse.destinations import service as destinations
from bailiwick.lakehouse.queries import adhoc, analysis, pipeline
from bailiwick.settings import Settings
from bailiwick.spark.destinations import spilling
from bailiwick.spark.destinations.jobs import Delivered, Delivery
from bailiwick.spark.histories import comparing
from bailiwick.spark.jobs import Context
from bailiwick.spark.maintenance import tables
from bailiwick.spark.queries import adhoc as on_spark
from bailiwick.spark.queries import pipeline as pipeline_on_spark
from bailiwick.worker.kinds import Kind


def kinds(settings: Settings) -> Mapping[str, Kind]:
    def told(function: Any) -> Any:
        """What needs to know where things lie."""
        return partial(function, settings=settings)

    return {
        adhoc.KIND: Kind(told(adhoc.prepare), on_spark.execute, told(adhoc.finish), resolve=told(catalogue.resolve)),
        analysis.KIND: Kind(told(analysis.prepare), on_spark.dry_run, analysis.finish, resolve=told(catalogue.resolve)),
        "pipeline_query": Kind(
            told(pipeline.prepare), pipeline_on_spark.execute, told(pipeline.finish), resolve=told(pipeline.resolve)
        ),
        "history": Kind(told(histories.prepare), comparing.execute, told(histories.finish)),
        "destination": Kind(told(destinations.prepare), deliver, destinations.finish),
        destinations.TEST: Kind(told(destinations.prepare_test), _try_out, destinations.finish_test, needs_spark=False),
        versions.SAMPLE: Kind(told(versions.prepare_sample), on_spark.look, told(versions.finish_sample)),
        versions.VERSIONS: Kind(told(versions.prepare_versions), tables.versions, versions.finish_versions),
        versions.RESTORE: Kind(told(versions.prepare_restore), tables.restore, versions.finish_restore),
        maintenance.KIND: Kind(told(maintenance.prepare), tables.maintain, maintenance.finish),
    }


def deliver(engine: Any, job: Delivery, context: Context) -> Delivered:
    """Spark puts the rows into files; from there they are sent without it."""
    return sending.deliver(job, lambda asking: spilling.execute(engine, job, asking), context)


def _try_out(engine: Any, target: Any, context: Context) -> str:
    return sending.try_out(target)
