"""Waiting for a run to end, without asking again and again, and without holding a transaction meanwhile."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import ExitStack, asynccontextmanager
from uuid import UUID

from starlette.concurrency import run_in_threadpool

from bailiwick.database.engine import Database
from bailiwick.errors import NotFound
from bailiwick.runs.bell import LOOK_SECONDS, about, hearing, listening
from bailiwick.runs.models import ENDED, Run


def wait_for(database: Database, run_id: UUID, seconds: float) -> Run:
    """The run as it is when it has ended, or when the time is up. Not to be called inside a transaction that has yet to
    commit the run."""
    end = time.monotonic() + seconds
    with listening(database, about(run_id)) as ear:
        while True:
            run = look_at(database, run_id)
            left = end - time.monotonic()
            if run.state in ENDED or left <= 0:
                return run
            ear.wait(min(left, LOOK_SECONDS))


async def until_ended(database: Database, run_id: UUID, seconds: float) -> Run:
    """The same for routes: hundreds may wait, and take no thread while they do."""
    end = time.monotonic() + seconds
    async with listening_async(database, [about(run_id)]) as rung:
        while True:
            run = await run_in_threadpool(look_at, database, run_id)
            left = end - time.monotonic()
            if run.state in ENDED or left <= 0:
                return run
            await heard(rung, min(left, LOOK_SECONDS))


@asynccontextmanager
async def listening_async(database: Database, topics: Iterable[str]) -> AsyncIterator[asyncio.Event]:
    """An event that is set whenever one of these topics is rung."""
    loop, rung = asyncio.get_running_loop(), asyncio.Event()
    with ExitStack() as stack:

        def ring() -> None:
            loop.call_soon_threadsafe(rung.set)

        await run_in_threadpool(stack.enter_context, hearing(database, topics, ring))
        yield rung


async def heard(rung: asyncio.Event, seconds: float) -> bool:
    """Wait until it is set, but not for ever; whether it was."""
    try:
        await asyncio.wait_for(rung.wait(), seconds)
    except TimeoutError:
        return False
    rung.clear()
    return True


def look_at(database: Database, run_id: UUID) -> Run:
    with database.read() as session:
        run = session.get(Run, run_id)
        if run is None:
            raise NotFound("run")
        session.expunge(run)
        return run
