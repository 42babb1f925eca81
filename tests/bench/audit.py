"""Writes a second into the audit's chains, against the same rows inserted plainly, by one writer and by eight."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from unittest.mock import patch

from sqlalchemy import select
from sqlalchemy.orm import Session

from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.audit import service
from bailiwick.audit.models import AuditLane
from bailiwick.database.engine import Database
from tests.bench.databases import BACKENDS, databases
from tests.bench.measure import Result, Say

PROJECT = RESOURCE_TYPES["project"]
DECISION = PROJECT.check(PROJECT.pack({"project role": "Admin"}), "Edit project metadata")
NO_LANE, NO_HASH, NUMBERS = 99, "0" * 64, count()
AT_LEAST = 0.5

Write = Callable[[Session], None]


def run(say: Say, quick: bool) -> Iterator[Result]:
    rounds, seconds = (3, 0.5) if quick else (5, 1.0)
    with databases(migrated=True, durable=True) as new_database:
        for backend, name in BACKENDS.items():
            database = new_database(backend)
            for writers, who in ((1, "1 writer"), (8, "8 writers at once")):
                say(f"auditing on {name}, {who}")
                ways: dict[str, Write] = {"chained": chained, "plain": plain}
                if backend == "postgresql" and writers > 1:
                    ways["one chain"] = chained
                rate = rates(database, ways, writers, rounds, seconds)
                for way, against in (("plain", "without the chain"), ("one chain", "all in one chain")):
                    if way in rate:
                        yield Result(
                            f"{name}: audited writes by {who}",
                            rate["chained"],
                            against,
                            rate[way],
                            rate["chained"] / rate[way],
                            at_least=AT_LEAST if way == "plain" else None,
                            unit="a second",
                        )


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


def the_one_lane(session: Session) -> AuditLane:
    """What the chain would be if there was only one."""
    head = select(AuditLane).where(AuditLane.lane == 0).with_for_update().execution_options(populate_existing=True)
    return session.execute(head).scalar_one()


def rates(database: Database, ways: Mapping[str, Write], writers: int, rounds: int, seconds: float) -> dict[str, float]:
    """Transactions a second of each way, taken in turn."""
    found: dict[str, list[float]] = {way: [] for way in ways}
    with ThreadPoolExecutor(writers) as pool:
        for round_ in range(rounds + 1):
            for way, write in ways.items():
                lane = the_one_lane if way == "one chain" else service._free_lane
                with patch.object(service, "_free_lane", lane):
                    started = time.perf_counter()
                    each = [pool.submit(write_until, started + seconds, database, write) for _ in range(writers)]
                    total, spent = sum(done.result() for done in each), time.perf_counter() - started
                if round_:  # the first one only warms up
                    found[way].append(total / spent)
    return {way: statistics.median(each) for way, each in found.items()}


def write_until(end: float, database: Database, write: Write) -> int:
    done = 0
    while time.perf_counter() < end:
        with database.session() as session:
            write(session)
        done += 1
    return done
