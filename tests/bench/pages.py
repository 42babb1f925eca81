"""From a real browser: how soon each page can be used and a search has answered, and how much script home takes."""

from __future__ import annotations

import gzip
import statistics
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, Response, sync_playwright
from sqlalchemy import insert
from sqlalchemy.orm import Session

from bailiwick.database.base import utc_now
from bailiwick.database.engine import Database
from bailiwick.demo.generator import grow
from bailiwick.lakehouse.models import Layer, Pipeline, Table
from bailiwick.lakehouse.pipeline_runs import SUBJECT as PIPELINE
from bailiwick.requests.models import LAPSE, AccessRequest
from bailiwick.runs.models import Run, RunState, Trigger
from bailiwick.tenancy.calling import COOKIE
from bailiwick.tenancy.models import Member
from tests.bench.api import server
from tests.bench.databases import BACKENDS, databases, settle
from tests.bench.measure import Result, Say
from tests.bench.tables import add_tables
from tests.e2e.browser import launch_options
from tests.lakehouse.making import make_layer, make_pipeline, make_volume
from tests.people import make_group, make_member, make_project, make_session, make_tenant

USABLE_WITHIN, FOUND_WITHIN, MOST_SCRIPT = 1.5, 0.1, 350_000  # seconds, seconds, bytes
LIKE_THE_DEMO = 20  # members and tables
SOUGHT, SOUGHT_TABLE, SOUGHT_GROUP, SOUGHT_PROJECT = "Zacharias Zwick", "zz_sought", "Analysts", "Sales insight"
SOUGHT_RUN = "Weekly count"
ALIKE = 15  # up to the last key as many fit as well and come first: more than any search shows without asking again
# The browser's clock once the heading is there and nothing is waited for; looked at anew for every frame.
USABLE = """(heading) =>
    document.querySelector("h1")?.textContent.includes(heading)
    && !document.querySelector(".mantine-Skeleton-root, .mantine-Loader-root, [aria-busy=true]")
    && performance.now()
"""
# When the last key was pressed, and when what was sought stood there; both by the browser's own clock.
WATCH = """([sought, where]) => {
    window.pressed = 0; window.shown = 0;
    document.addEventListener("keydown", () => { window.pressed = performance.now(); }, true);
    const first = () => document.querySelector(where)?.textContent ?? "";
    new MutationObserver(() => {
        if (!window.shown && first().includes(sought)) window.shown = performance.now();
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


@dataclass(frozen=True)
class Company:
    """A large one: an owner's session, and something of each kind to look at."""

    secret: str
    member: str
    project: str
    group: str
    layer: str
    table: str
    volume: str
    pipeline: str

    @property
    def pages(self) -> dict[str, str]:
        """Every page, and the heading that is there when it can be used."""
        return {
            "/": "Hello",
            "/layers": "Layers",
            f"/layers/{self.layer}": "raw",
            "/tables": "Tables",
            f"/tables/{self.table}": SOUGHT_TABLE,
            "/members": "Members",
            f"/members/{self.member}": SOUGHT,
            "/groups": "Groups",
            f"/groups/{self.group}": SOUGHT_GROUP,
            "/projects": "Projects",
            f"/projects/{self.project}": SOUGHT_PROJECT,
            "/runs": "Runs",
            "/requests": "Requests",
            "/access": "Access",
            "/audit": "Audit",
            "/sql": "SQL",
            "/flow": "Flow",
            "/sources": "Sources",
            "/triggers": "Triggers",
            "/account": "Your account",
            "/settings": "Settings",
            "/volumes": "Volumes",
            f"/volumes/{self.volume}": "raw.",
            "/pipeline-queries": "Pipeline queries",
            f"/pipeline-queries/{self.pipeline}": "Daily",
            "/histories": "Histories",
            "/destinations": "Destinations",
            "/notebooks": "Notebooks",
            "/integrations": "Integrations",
        }


@dataclass(frozen=True)
class Search:
    """Where something is looked for by typing, and where what was found first stands."""

    path: str
    sought: str
    answer: str = "tbody tr a, tbody tr td"
    begin: Callable[[Page], Locator] = lambda page: page.get_by_role("searchbox")


def palette(page: Page) -> Locator:
    page.keyboard.press("Control+k")
    return page.get_by_label("Go to")


def picker(page: Page) -> Locator:
    field = page.get_by_role("combobox", name="Who")
    field.click()
    return field


SEARCHES = {
    "/members": Search("/members", SOUGHT),
    "/groups": Search("/groups", SOUGHT_GROUP),
    "/projects": Search("/projects", SOUGHT_PROJECT),
    "/tables": Search("/tables", SOUGHT_TABLE),
    "/runs": Search("/runs", SOUGHT_RUN),
    "/triggers": Search("/triggers", SOUGHT_RUN),
    "/requests": Search("/requests?which=waiting", SOUGHT_TABLE),
    "who can": Search("/access?part=who&type=tenant&id=tenant&action=see_groups", SOUGHT),
    "what can they": Search("/access?part=what&type=table&action=see_tables", SOUGHT_TABLE),
    "tables beside SQL": Search("/sql", SOUGHT_TABLE, "[aria-label^='Write']"),
    "choosing somebody": Search("/access?part=check", SOUGHT, "[role=option]", picker),
    "the palette": Search("/", SOUGHT, ".mantine-Spotlight-action", palette),
}


def run(say: Say, quick: bool) -> Iterator[Result]:
    sizes, rounds = ((2_000,), 1) if quick else ((LIKE_THE_DEMO, 100_000), 3)
    with databases(migrated=True) as new_database, browsing() as browser:
        for size, (backend, name) in product(sizes, BACKENDS.items()):
            say(f"making {size:,} members and tables on {name}")
            database = new_database(backend)
            company = make_company(database, size)
            with server(database) as port:
                address = f"http://127.0.0.1:{port}"
                for path, heading in company.pages.items():
                    say(f"opening {path} on {name}")
                    times = [opened(browser, address, company.secret, path, heading) for _ in range(rounds)]
                    kind = path.replace(path.rpartition("/")[2], "…") if path.count("/") > 1 else path
                    yield limited(f"{name}, {size:,}: {kind} can be used", times, USABLE_WITHIN)
                for place, search in SEARCHES.items():
                    say(f"searching in {place} on {name}")
                    times = [found(browser, address, company.secret, search) for _ in range(rounds)]
                    yield limited(f"{name}, {size:,}: {place} after the last key", times, FOUND_WITHIN)
                if (size, backend) == (sizes[0], "sqlite"):
                    script = script_of(browser, address, company.secret)
                    yield Result(
                        "script of the home page, compressed",
                        script / 1000,
                        "the limit",
                        MOST_SCRIPT / 1000,
                        script / MOST_SCRIPT,
                        at_most=1,
                        unit="kB",
                    )


def limited(what: str, times: list[float], limit: float) -> Result:
    spent = statistics.median(times)
    return Result(what, spent, "the limit", limit, spent / limit, at_most=1)


@contextmanager
def browsing() -> Iterator[Browser]:
    with tempfile.TemporaryDirectory(prefix="bw-") as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options(Path(folder)))
        yield browser
        browser.close()


@contextmanager
def signed_in(browser: Browser, address: str, secret: str) -> Iterator[Page]:
    """A window that was never opened before: nothing of the app is kept from an earlier visit."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_cookies([{"name": COOKIE, "value": secret, "url": address}])
    yield context.new_page()
    context.close()


def opened(browser: Browser, address: str, secret: str, path: str, heading: str) -> float:
    """Seconds until the page's heading stands there and nothing on it is still being fetched."""
    with signed_in(browser, address, secret) as page:
        page.goto(f"{address}{path}", wait_until="commit")
        return float(page.wait_for_function(USABLE, arg=heading, timeout=60_000).json_value()) / 1000


def found(browser: Browser, address: str, secret: str, search: Search) -> float:
    """Seconds from the last key of a search to its answer."""
    with signed_in(browser, address, secret) as page:
        page.goto(f"{address}{search.path}")
        page.wait_for_load_state("networkidle")
        field = search.begin(page)
        page.evaluate(WATCH, [search.sought, search.answer])
        field.press_sequentially(search.sought, delay=60)
        page.wait_for_function("() => window.shown > 0", timeout=60_000)
        return float(page.evaluate("window.shown - window.pressed")) / 1000


def script_of(browser: Browser, address: str, secret: str) -> int:
    """Bytes of all script that the home page fetches, compressed as servers do."""
    answers: list[Response] = []
    with signed_in(browser, address, secret) as page:
        page.on("response", lambda answer: answers.append(answer))
        page.goto(address)
        page.wait_for_load_state("networkidle")
        return sum(len(gzip.compress(one.body())) for one in answers if one.url.endswith(".js"))


def make_company(database: Database, size: int) -> Company:
    """So many members and tables; who is sought is one among them."""
    with database.session() as session:
        make_tenant(session)
        owner = make_member(session, "Olga Owner", role="owner")
        _, secret = make_session(session, owner)
        sought = make_member(session, SOUGHT)
        group = make_group(session, SOUGHT_GROUP, sought)
        project = make_project(session, SOUGHT_PROJECT, owner, {sought: "Business User"})
        for member_name, group_name, project_name in zip(
            *map(alike, (SOUGHT, SOUGHT_GROUP, SOUGHT_PROJECT)), strict=True
        ):
            make_member(session, member_name)
            make_group(session, group_name)
            make_project(session, project_name, owner, {})
    grow(database, size)
    with database.session() as session:
        layers: list[Layer] = [make_layer(session, name) for name in ("raw", "trusted")]
        tables = add_tables(session, layers, size, group)
        for id_, name in zip(tables, alike(SOUGHT_TABLE), strict=False):
            session.get_one(Table, id_).name = name
        table = session.get_one(Table, tables[-1])
        table.name = SOUGHT_TABLE
        for id_ in (*tables[:ALIKE], table.id):
            ask_for(session, sought, session.get_one(Table, id_))
        volume = make_volume(session, layer=layers[0])
        query = {"sql": "SELECT 1 AS id", "mode": "overwrite", "keys": [], "replace_schema": False, "expectations": []}
        pipeline = make_pipeline(session, "Daily", owner, settings=query, output_layer=layers[1], output_name="daily")
        for name in (SOUGHT_RUN, *alike(SOUGHT_RUN)):
            other = make_pipeline(session, name, owner, settings=query, output_layer=layers[1], output_name="weekly")
            add_runs(session, other, 1)
            session.add(
                Trigger(subject_type=PIPELINE, subject_id=other.id, kind="cron", cron="0 6 * * *", saved_by_id=owner.id)
            )
        add_runs(session, pipeline, size)
        ids = (sought.id, project.id, group.id, layers[0].id, table.id, volume.id, pipeline.id)
    settle(database)
    return Company(secret, *(str(id_) for id_ in ids))


def ask_for(session: Session, member: Member, table: Table) -> None:
    about = {"kind": "table", "name": table.name, "layer_id": table.layer_id, "table_id": table.id, "was_seen": False}
    lapses = utc_now() + LAPSE
    session.add(AccessRequest(member_id=member.id, **about, wanted="Viewer", reason="Why not?", lapses_at=lapses))


def add_runs(session: Session, pipeline: Pipeline, count: int) -> None:
    """So many that ended."""
    same = {"kind": "pipeline_query", "subject_type": PIPELINE, "subject_id": pipeline.id, "state": RunState.SUCCEEDED}
    whose = {"subject_name": pipeline.name, "acts_as_id": pipeline.owner_id, "started_by_id": pipeline.owner_id}
    session.execute(insert(Run), [{**same, **whose, "number": number} for number in range(1, count + 1)])


def alike(name: str) -> list[str]:
    """What is called so but for the last letter, and comes before it."""
    return [f"{name[:-1]}a{number}" for number in range(ALIKE)]
