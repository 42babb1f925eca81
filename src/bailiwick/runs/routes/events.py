"""Runs as they go, as server-sent events. Rights are asked anew at every look, so a stream ends when they do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, TypeVar
from uuid import UUID

from fastapi import APIRouter, Depends, Header, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.concurrency import run_in_threadpool

from bailiwick.access.decision import Refused
from bailiwick.database.engine import DatabaseUnavailable
from bailiwick.errors import NotFound, NotSignedIn
from bailiwick.problems import PROBLEMS
from bailiwick.runs import service
from bailiwick.runs.bell import ANY_RUN, LOOK_SECONDS, about
from bailiwick.runs.models import ENDED, RunState
from bailiwick.runs.schemas.runs import LogLineOut, RunDetailOut, RunOut
from bailiwick.runs.waiting import heard, listening_async
from bailiwick.tenancy.calling import reading_as_oneself

router = APIRouter(prefix="/api/v1", tags=["runs"], responses=PROBLEMS)

T = TypeVar("T")
PAUSE_SECONDS = 0.25  # between two looks, however often it rings
MOST_LINES = 500
MOST_RUNS = 50
LIVING = (RunState.QUEUED, RunState.RUNNING)


@dataclass(frozen=True)
class Look:
    """A run and the new lines of its log, at one moment."""

    run: RunDetailOut
    lines: list[LogLineOut]


def look_at_run(request: Request, run_id: UUID, after: UUID | None = None) -> Look:
    """As whoever calls, with the rights of now."""
    with contextmanager(reading_as_oneself)(request) as call:
        seen = service.get_run(call.session, call.caller, run_id)
        lines = service.lines_after(call.session, call.caller, seen.run, after, MOST_LINES)
        return Look(RunDetailOut.of(seen), [LogLineOut.of(line) for line in lines])


def look_at_mine(request: Request, also: frozenset[UUID] = frozenset()) -> list[RunOut]:
    """The caller's runs that have not ended, and others that were among them before."""
    with contextmanager(reading_as_oneself)(request) as call:
        page = service.list_runs(call.session, call.caller, states=LIVING, mine=True, limit=MOST_RUNS)
        found = {seen.run.id: RunOut.of(seen) for seen in page.items}
        for id_ in also - set(found):
            try:
                found[id_] = RunOut.of(service.get_run(call.session, call.caller, id_))
            except (NotFound, Refused):
                continue
        return list(found.values())


# The first look comes before the stream: who may not see it gets an answer like any other.


def _first_look(request: Request, run_id: UUID) -> Look:
    return look_at_run(request, run_id)


def _first_of_mine(request: Request) -> list[RunOut]:
    return look_at_mine(request)


@router.get("/runs/events", summary="Watch your runs", response_class=EventSourceResponse)
async def watch_mine(
    request: Request, first: Annotated[list[RunOut], Depends(_first_of_mine)]
) -> AsyncIterator[ServerSentEvent]:
    """An event `run` whenever one of your runs has changed, `end` when none of them is left."""
    runs, told = first, dict[UUID, RunOut]()
    async with listening_async(request.app.state.database, [ANY_RUN]) as rung:
        while True:
            for run in runs:
                if told.get(run.id) != run:
                    yield ServerSentEvent(event="run", data=run)
            told = {run.id: run for run in runs if run.state not in ENDED}
            if not told:
                yield _end("ended")
                return
            try:
                runs = await _next(rung, look_at_mine, request, frozenset(told))
            except NotSignedIn:
                yield _end("signed_out")
                return


@router.get("/runs/{run_id}/events", summary="Watch a run", response_class=EventSourceResponse)
async def watch_run(
    request: Request,
    run_id: UUID,
    first: Annotated[Look, Depends(_first_look)],
    last_event_id: Annotated[
        str | None, Header(description="The id of the last line of the log that arrived, to go on from there.")
    ] = None,
) -> AsyncIterator[ServerSentEvent]:
    """An event `run` whenever it has changed, `log` for each line of its log, `end` when it has ended or is not for you
    to see any more."""
    after = _as_id(last_event_id)
    look, told = first, None
    async with listening_async(request.app.state.database, [about(run_id)]) as rung:
        while True:
            for line in look.lines:
                if after is None or line.id > after:
                    after = line.id
                    yield ServerSentEvent(event="log", data=line, id=str(line.id))
            if look.run != told:
                told = look.run
                yield ServerSentEvent(event="run", data=told)
            if told.state in ENDED and len(look.lines) < MOST_LINES:
                yield _end("ended")
                return
            try:
                look = await _next(rung, look_at_run, request, run_id, after)
            except NotSignedIn:
                yield _end("signed_out")
                return
            except (NotFound, Refused):
                yield _end("not_found")
                return


async def _next(rung: asyncio.Event, look: Callable[..., T], *arguments: object) -> T:
    """The next look, as soon as there is a reason for it; a database that is away for a moment is waited for."""
    while True:
        await asyncio.sleep(PAUSE_SECONDS)
        await heard(rung, LOOK_SECONDS)
        try:
            return await run_in_threadpool(look, *arguments)
        except DatabaseUnavailable:
            continue


def _end(why: str) -> ServerSentEvent:
    return ServerSentEvent(event="end", data={"reason": why})


def _as_id(text: str | None) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError:
        return None
