"""What each kind of run does: decide and describe it, execute it, write down what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from bailiwick.runs.errors import RunProblem
from bailiwick.runs.models import Run
from bailiwick.settings import Settings
from bailiwick.spark.jobs import Name, TableRef
from bailiwick.tenancy.caller import Caller

Resolve = Callable[[Session, Caller, Sequence[Name]], Mapping[Name, TableRef]]


@dataclass(frozen=True)
class Kind:
    """One kind of run, in three steps.

    `prepare(session, run)` reads rows, decides with the rights of the acting member at this moment, and describes the
    work as plain data. `execute(engine, job, context)` does it, without a database. `finish(session, run, outcome)`
    writes down what came of it, in the transaction in which the run succeeds; where only a part was done, it returns
    the problem that the run then fails with (or, if that may pass, is tried again for). `resolve` finds tables by the
    names in a statement, for the acting member. Kinds that `need_spark` wait until it has started."""

    prepare: Callable[[Session, Run], Any]
    execute: Callable[[Any, Any, Any], Any]
    finish: Callable[[Session, Run, Any], RunProblem | None]
    pool: str | None = None  # of Spark; none: by the run's priority
    needs_spark: bool = True
    resolve: Resolve | None = None


def all_kinds(settings: Settings) -> Mapping[str, Kind]:
    """Every kind of run by its name. Imported when a worker starts: this is where Spark comes in."""
    from bailiwick.worker import creating, querying, sourcing

    return {**querying.kinds(settings), **creating.kinds(settings), **sourcing.kinds(settings)}
