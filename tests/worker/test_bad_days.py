"""Bad days of a whole platform: fifty people at once, a full disk, results that fit nowhere, second thoughts."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import psutil
import pytest
from sqlalchemy import select

from bailiwick.cli.home import opened_database
from bailiwick.database.engine import Database
from bailiwick.lakehouse.models import Pipeline, Table
from tests.lakehouse.making import make_grant, make_layer, make_pipeline
from tests.people import make_member, make_session
from tests.worker.platform import PATIENCE_SECONDS, Platform

TABLES = 5
PEOPLE = 50
SMALL = "SELECT id, id * {factor} AS value FROM range(1000)"
LARGE = "SELECT id, rand(7) AS a, rand(8) AS b, rand(9) AS c FROM range(0, 200000, 1, 2)"
ENDLESS = "SELECT a.id FROM range(0, 1000000, 1, 8) a CROSS JOIN range(1000000) b"


@pytest.fixture(scope="module")
def house(jars: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    platform = Platform(tmp_path_factory.mktemp("platform"), jars, result_megabytes=200)
    with opened_database(platform.settings) as database:
        with database.session() as session:
            owner = make_member(session, "Ola", role="owner")
            _, secret = make_session(session, owner)
        platform.client.headers["Authorization"] = f"Bearer {secret}"
        try:
            platform.start("serve")
            platform.start("worker")
            house = House(platform, database)
            assert house.run(house.pipeline("first", "SELECT 1 AS id"))["state"] == "succeeded"
            yield house
        finally:
            platform.stop()


@pytest.fixture(autouse=True)
def _rested(house: House) -> Iterator[None]:
    """Each test finds Spark at rest: what was cancelled or failed has stopped, if need be by ending that Spark."""
    yield
    house.until_at_rest()


class House:
    """The platform, and shorter words for what the tests do in it."""

    def __init__(self, platform: Platform, database: Database) -> None:
        self.platform, self.database = platform, database

    def pipeline(self, name: str, sql: str) -> str:
        """A pipeline query that overwrites the table of its name in raw."""
        with self.database.session() as session:
            made = make_pipeline(
                session,
                name,
                make_member(session, f"Owner of {name}", role="owner"),
                settings=said(sql),
                output_layer=make_layer(session),
                output_name=name,
            )
            return str(made.id)

    def edit(self, pipeline: str, sql: str) -> None:
        with self.database.session() as session:
            session.get_one(Pipeline, UUID(pipeline)).settings = said(sql)

    def run(self, pipeline: str) -> dict[str, Any]:
        return self.ended(self.platform.begin("pipeline-queries", pipeline))

    def ended(self, run: str) -> dict[str, Any]:
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            found = self.look(run)
            if found["ended_at"]:
                return found
            time.sleep(0.1)
        raise AssertionError(found)

    def until_at_rest(self) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while not any(_rests(jvm) for jvm in self.platform.jvms()):
            assert time.monotonic() < end, "Spark is still at work."

    def look(self, run: str) -> dict[str, Any]:
        found: dict[str, Any] = self.platform.client.get(f"/runs/{run}").json()
        return found

    def folder(self, table: str) -> Path:
        with self.database.read() as session:
            found = session.scalars(select(Table).where(Table.name == table)).one()
            return Path(self.platform.settings.warehouse) / found.location


def _rests(jvm: psutil.Process) -> bool:
    try:
        return bool(jvm.cpu_percent(1) < 50)
    except psutil.NoSuchProcess:  # it was ended while we looked
        return False


def said(sql: str) -> dict[str, Any]:
    return {"sql": sql, "mode": "overwrite", "keys": [], "replace_schema": True, "expectations": []}


def test_fifty_people_ask_at_once_and_each_gets_their_own(house: House) -> None:
    for number in range(TABLES):
        assert house.run(house.pipeline(f"t{number}", SMALL.format(factor=number)))["state"] == "succeeded"
    secrets = []
    with house.database.session() as session:
        tables = {table.name: table for table in session.scalars(select(Table))}
        for number in range(PEOPLE):
            person = make_member(session, f"Person {number}")
            make_grant(session, tables[f"t{number % TABLES}"], person, "Viewer")
            secrets.append(make_session(session, person)[1])

    def ask(number: int) -> tuple[int, dict[str, Any], dict[str, Any] | None]:
        base, headers = house.platform.client.base_url, {"Authorization": f"Bearer {secrets[number]}"}
        with httpx.Client(base_url=base, headers=headers, timeout=PATIENCE_SECONDS) as client:
            own, other = number % TABLES, (number + 1) % TABLES
            mine = answered(client, f"SELECT {number}, sum(value) FROM raw.t{own}")
            mine |= client.get(f"/queries/{mine['id']}/rows").json()
            tries = number % 5 == 0  # some try what is not theirs, too
            return number, mine, answered(client, f"SELECT sum(value) FROM raw.t{other}") if tries else None

    with ThreadPoolExecutor(PEOPLE) as together:
        answers = list(together.map(ask, range(PEOPLE)))
    for number, mine, theirs in answers:
        assert mine["state"] == "succeeded", mine
        assert mine["rows"] == [[number, number % TABLES * sum(range(1000))]]
        if theirs is not None:
            assert theirs["state"] == "failed"
            assert f"t{(number + 1) % TABLES}" in theirs["problem"]["message"]
            assert theirs["problem"]["code"] == "table_not_found"
    assert sum(theirs is not None for _, _, theirs in answers) == PEOPLE / 5


def answered(client: httpx.Client, sql: str) -> dict[str, Any]:
    """As soon as it has ended, which on a busy machine may be after more than one call waits."""
    query: dict[str, Any] = client.post("/queries?wait=60", json={"sql": sql}).json()
    end = time.monotonic() + PATIENCE_SECONDS
    while query["ended_at"] is None and time.monotonic() < end:
        time.sleep(0.5)
        query = client.get(f"/queries/{query['id']}").json()
    return query


def test_a_result_larger_than_the_memory_is_kept_and_read_in_pages(house: House) -> None:
    (jvm,) = house.platform.jvms()
    client = house.platform.client
    wide = "SELECT id, repeat(cast(id % 10 AS string), 200000) AS text FROM range(0, 8000, 1, 4)"  # 1.6 GB, in 1 GB
    asked = client.post("/queries?wait=0", json={"sql": wide}).json()
    assert house.ended(asked["id"])["state"] == "succeeded"
    page = client.get(f"/queries/{asked['id']}/rows", params={"limit": 10_000}).json()
    assert 1 <= len(page["rows"]) < 8000
    assert page["next_cursor"]
    assert [row[0] for row in page["rows"]] == list(range(len(page["rows"])))
    following = client.get(f"/queries/{asked['id']}/rows", params={"cursor": page["next_cursor"], "limit": 1}).json()
    assert [row[0] for row in following["rows"]] == [len(page["rows"])]
    assert house.platform.jvms() == [jvm]


@pytest.mark.parametrize("rows", ["", " LIMIT 3"])
def test_a_value_larger_than_the_memory_fails_alone(house: House, rows: str) -> None:
    (jvm,) = house.platform.jvms()
    client = house.platform.client
    sql = f"SELECT repeat(cast(id AS string), 1500000000) FROM range(10){rows}"
    ended = house.ended(client.post("/queries?wait=0", json={"sql": sql}).json()["id"])
    assert (ended["state"], ended["problem"]["code"], ended["attempt"]) == ("failed", "out_of_memory", 1)
    assert house.platform.jvms() == [jvm]
    assert client.post("/queries?wait=60", json={"sql": "SELECT 1"}).json()["state"] == "succeeded"


def test_a_result_larger_than_what_is_kept_is_refused_and_nothing_stays(house: House) -> None:
    client = house.platform.client
    random = "SELECT randstr(100000) FROM range(0, 10000, 1, 2)"  # a gigabyte that nothing compresses
    asked = client.post("/queries?wait=0", json={"sql": random}).json()
    ended = house.ended(asked["id"])
    assert (ended["state"], ended["problem"]["code"]) == ("failed", "result_too_large")
    assert f"{house.platform.settings.result_megabytes} MB" in ended["problem"]["message"]
    kept = house.platform.settings.results_folder
    assert not any(asked["id"].replace("-", "") in path.name.replace("-", "") for path in kept.rglob("*"))
    assert client.post("/queries?wait=60", json={"sql": "SELECT 1"}).json()["state"] == "succeeded"


@contextmanager
def no_room(house: House) -> Iterator[None]:
    """No file of the JVM's can grow beyond 100 kB, as if the disk were full."""
    (jvm,) = house.platform.jvms()
    before = resource.prlimit(jvm.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(jvm.pid, resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        yield
    finally:
        resource.prlimit(jvm.pid, resource.RLIMIT_FSIZE, before)


def test_a_full_disk_leaves_the_table_as_it_was_and_room_lets_the_run_through(house: House) -> None:
    pipeline = house.pipeline("filled", "SELECT id FROM range(10)")
    assert house.run(pipeline)["state"] == "succeeded"
    house.edit(pipeline, LARGE)
    with no_room(house):
        ended = house.run(pipeline)
    assert (ended["state"], ended["problem"]["code"]) == ("failed", "disk_full")
    assert sorted(house.platform.read(house.database, "filled").column("id").to_pylist()) == list(range(10))
    assert house.run(pipeline)["rows_written"] == 200_000
    assert house.platform.read(house.database, "filled").num_rows == 200_000


def test_a_pipeline_that_is_cancelled_while_it_writes_leaves_the_table_as_it_was(house: House) -> None:
    pipeline = house.pipeline("cancelled", "SELECT id FROM range(10)")
    assert house.run(pipeline)["state"] == "succeeded"
    house.edit(pipeline, ENDLESS)
    folder = house.folder("cancelled")
    before = set(folder.rglob("*.parquet"))
    run = house.platform.begin("pipeline-queries", pipeline)
    end = time.monotonic() + PATIENCE_SECONDS
    while set(folder.rglob("*.parquet")) == before:  # until it has begun to write
        assert time.monotonic() < end
        assert house.look(run)["ended_at"] is None
        time.sleep(0.05)
    assert house.platform.client.post(f"/runs/{run}/cancel").status_code == 202
    assert house.ended(run)["state"] == "cancelled"
    assert sorted(house.platform.read(house.database, "cancelled").column("id").to_pylist()) == list(range(10))
    house.edit(pipeline, "SELECT id FROM range(20)")
    assert house.run(pipeline)["state"] == "succeeded"
    assert house.platform.read(house.database, "cancelled").num_rows == 20
