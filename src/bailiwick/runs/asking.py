"""Routes that start a run and wait for it: their transaction is over before the wait, and waiting costs no thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

from fastapi import Query, Request
from starlette.concurrency import run_in_threadpool

from bailiwick.database.engine import Database
from bailiwick.runs.models import Run, RunState
from bailiwick.runs.readiness import why_it_waits
from bailiwick.runs.waiting import until_ended
from bailiwick.tenancy.calling import Call, changing

LONGEST_WAIT = 60.0

Wait = Annotated[
    float,
    Query(
        ge=0,
        le=LONGEST_WAIT,
        description="Seconds to wait for the run to end. If it takes longer, the answer is 202 with the run.",
    ),
]


async def ask(
    request: Request,
    start: Callable[[Call], Run],
    wait: float,
    through: Callable[[Request], Iterator[Call]] = changing,
) -> Run:
    """Start a run as whoever calls, and wait for it: the run as it has ended, or as it is when the time is up, with the
    note in its progress that Spark is still starting, should that be why.

    Only for `async def` routes, which take no `Changing` of their own."""

    def started() -> Run:
        with contextmanager(through)(request) as call:
            return start(call)

    database: Database = request.app.state.database
    run = await run_in_threadpool(started)
    if wait > 0:
        run = await until_ended(database, run.id, wait)
    return await run_in_threadpool(_with_reason, database, run) if run.state == RunState.QUEUED else run


def _with_reason(database: Database, run: Run) -> Run:
    with database.read() as session:
        if why := why_it_waits(session):
            run.progress = {**run.progress, "note": why}  # told, and not kept
    return run
