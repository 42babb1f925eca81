"""Saving what takes an analysis by Spark: asked for before, waited for, and handed to the transaction that saves."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from typing import Annotated, TypeVar
from uuid import UUID

from fastapi import Query, Request
from starlette.concurrency import run_in_threadpool

from bailiwick.lakehouse.queries.analysis import has_ended
from bailiwick.runs.asking import ask
from bailiwick.runs.models import Run
from bailiwick.tenancy.calling import Call, changing

Saved = TypeVar("Saved")

Analysis = Annotated[
    UUID | None,
    Query(
        description="The run of a dry run of this statement, from a 202 before; without it one is made and waited for."
    ),
]


async def with_analysis(
    request: Request,
    asked: Callable[[Call], Run | None],
    save: Callable[[Call, UUID | None], Saved],
    wait: float,
    analysis: UUID | None,
) -> Saved | Run:
    """Save with an analysis of the statement. `asked` decides what can be decided before it, and asks for one if one is
    needed; `save` does the rest. When no worker has analysed it in time, the answer is the run, and nothing is saved:
    repeat the request with its id."""

    def saved(run_id: UUID | None) -> Saved:
        with contextmanager(changing)(request) as call:
            return save(call, run_id)

    if analysis is None:
        needed: list[Run | None] = []

        def start(call: Call) -> Run:
            needed.append(asked(call))
            run = needed[0]
            if run is None:
                raise _NotNeeded
            return run

        try:
            run = await ask(request, start, wait)
        except _NotNeeded:
            return await run_in_threadpool(saved, None)
        if not has_ended(run):
            return run
        analysis = run.id
    return await run_in_threadpool(saved, analysis)


class _NotNeeded(Exception):
    """The statement stays what it was."""
