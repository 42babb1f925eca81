"""Writes a second into the audit's chains, against the same rows inserted plainly, by one writer and by eight."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from unittest.mock import patch

from sqlalchemy import delete
from sqlalchemy.orm import Session

from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.audit import service
from bailiwick.audit.models import LANES, AuditLane
from bailiwick.database.engine import Database
from tests.bench.databases import BACKENDS, databases
from tests.bench.measure import Result, Say

PROJECT = RESOURCE_TYPES["project"]
DECISION = PROJECT.check(PROJECT.pack({"project role": "Admin"}), "Edit project metadata")
NO_LANE, NO_HASH, NUMBERS = 99, "0" * 64, count()
ONE_CHAIN = "all in one chain"
AT_LEAST = 0.5

Write = Callable[[Session], None]


def run(say: Say, quick: bool) -> Iterator[Result]:
    rounds, seconds = (3, 0.5) if quick else (5, 1.0)
    with databases(migrated=True, durable=True) as new_database:
        for backend, name in BACKENDS.items():
            database = new_database(backend)
            for writers, who in ((1, "1 writer"), (8, "8 writers at once")):
                say(f"auditing on {name}, {who}")
                ways = {"in chains": (database, chained), "without the chain": (database, plain)}
                if backend == "postgresql" and writers > 1:
                    ways[ONE_CHAIN] = (with_one_chain(new_database(backend)), chained)
                rate = rates(ways, writers, rounds, seconds)
                ours = rate.pop("in chains")
                for way, theirs in rate.items():
                    at_least = None if way == ONE_CHAIN else AT_LEAST
                    what = f"{name}: audited writes by {who}"
                    yield Result(what, ours, way, theirs, ours / theirs, at_least=at_least, unit="a second")


def chained(session: Session) -> None:
    service.record(
        session,
        action="edit_project",
        resource_type="project",
        resource_id="0190c6a5-0000-7000-8000-000000000001",
        resource_name="Sales",
        request_id="bench",
        decision=DECISION,
        before={"name": "Sales", "description": ""},
        after={"name": "Sales and service", "description": "All that we sell, and what comes after."},
        seen_from="Business User",
    )


def plain(session: Session) -> None:
    """The very same row, tied to nothing."""
    chained(session)
    (entry,) = session.info.pop(service.PENDING)
    entry.lane, entry.number, entry.previous_hash, entry.hash = NO_LANE, next(NUMBERS), NO_HASH, NO_HASH
    session.add(entry)


def with_one_chain(database: Database) -> Database:
    """As it would be if all writers had to pass by the same head."""
    with database.session() as session:
        session.execute(delete(AuditLane).where(AuditLane.lane > 0))
    return database


def rates(ways: Mapping[str, tuple[Database, Write]], writers: int, rounds: int, seconds: float) -> dict[str, float]:
    """Transactions a second of each way, taken in turn; the first round only warms up."""
    found: dict[str, list[float]] = {way: [] for way in ways}
    with ThreadPoolExecutor(writers) as pool:
        for _ in range(rounds + 1):
            for way, (database, write) in ways.items():
                with patch.object(service, "LANES", 1 if way == ONE_CHAIN else LANES):
                    started = time.perf_counter()
                    each = [pool.submit(write_until, started + seconds, database, write) for _ in range(writers)]
                    done = sum(writer.result() for writer in each)
                    found[way].append(done / (time.perf_counter() - started))
    return {way: statistics.median(each[1:]) for way, each in found.items()}


def write_until(end: float, database: Database, write: Write) -> int:
    done = 0
    while time.perf_counter() < end:
        with database.session() as session:
            write(session)
        done += 1
    return done
