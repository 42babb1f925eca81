"""Scrolling through a result in a real browser: 100,000 rows against 1,000, frame by frame."""

from __future__ import annotations

import statistics
from collections.abc import Iterator

import httpx
from playwright.sync_api import Page

from tests.bench.api import server
from tests.bench.databases import databases
from tests.bench.measure import Result, Say
from tests.bench.pages import browsing, signed_in
from tests.bench.queries import settings_of, working
from tests.bench.spark import running
from tests.people import make_member, make_session, make_tenant

FEW = 1_000
AT_MOST = 1.5
SQL = "SELECT id, cast(id AS string) AS said, id * 1.5 AS price, concat('row ', id) AS note FROM range({})"
# Milliseconds between the frames of a scroll through the grid, at the pace of a quick finger.
SCROLL = """async () => {
    const grid = document.querySelector("[role=grid]").parentElement;
    grid.scrollTop = 0;
    const times = [];
    for (let frame = 0; frame < 240; frame++) {
        times.push(await new Promise((done) => requestAnimationFrame(done)));
        grid.scrollTop += 120;
    }
    return times.slice(1).map((time, at) => time - times[at]);
}"""


def run(say: Say, quick: bool) -> Iterator[Result]:
    many, rounds = (10_000, 1) if quick else (100_000, 5)
    say("starting Spark")
    with databases(migrated=True) as new_database, running() as spark, browsing() as browser:
        database = new_database("sqlite")
        settings = settings_of(database, spark.settings)
        with database.session() as session:
            make_tenant(session)
            _, secret = make_session(session, make_member(session, "Rita Reader"))
        with server(database, settings.home) as port, working(database, settings, spark.engine):
            address = f"http://127.0.0.1:{port}"
            frames: dict[int, list[float]] = {}
            with signed_in(browser, address, secret) as page:
                asked = {rows: ask(address, secret, rows) for rows in (FEW, many)}
                for _ in range(rounds):
                    for rows, query in asked.items():
                        say(f"scrolling through {rows:,} rows")
                        open_all(page, f"{address}/sql?query={query}", rows)
                        frames.setdefault(rows, []).extend(page.evaluate(SCROLL))
    ours, theirs = (statistics.quantiles(frames[rows], n=20)[-1] / 1000 for rows in (many, FEW))
    said = f"95 of 100 frames of a scroll through {many:,} rows"
    yield Result(said, ours, f"{FEW:,} rows", theirs, ours / theirs, at_most=AT_MOST)


def ask(address: str, secret: str, rows: int) -> str:
    """The id of a query that has answered."""
    headers = {"Authorization": f"Bearer {secret}"}
    url = f"{address}/api/v1/queries?wait=60"
    answer = httpx.post(url, json={"sql": SQL.format(rows)}, headers=headers, timeout=120).json()
    assert answer["state"] == "succeeded", answer
    return str(answer["id"])


def open_all(page: Page, address: str, rows: int) -> None:
    """All rows are fetched before anything is measured."""
    page.goto(address)
    page.locator("[role=grid]").focus()
    page.keyboard.press("Control+End")
    page.locator(f'[aria-rowindex="{rows + 1}"][aria-busy="false"]').wait_for(timeout=120_000)
