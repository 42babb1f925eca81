"""A real browser in front of a real server: for each test a window and a platform, in which the demo's people live."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Literal

import httpx
import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect, sync_playwright
from sqlalchemy import select
from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_fixed

from bailiwick.cli.home import opened_database
from bailiwick.database.engine import Database
from bailiwick.demo.story import Story
from bailiwick.settings import Settings
from bailiwick.tenancy.calling import COOKIE
from bailiwick.tenancy.models import Member
from tests.e2e.browser import launch_options
from tests.e2e.serving import serving, settings_in
from tests.people import hash_quickly, make_session
from tests.postgres import only_one

PATIENCE = 30_000  # milliseconds: the machine may be busy with Spark
expect.set_options(timeout=PATIENCE)
# Light last: tests go on in it. What does not hang on colours need not be looked at twice.
WANTED = {"resultTypes": ["violations"]}
LOOKS: dict[Literal["dark", "light"], dict[str, Any]] = {
    "dark": {**WANTED, "runOnly": ["color-contrast"]},
    "light": WANTED,
}
SCREENS = Path(__file__).parents[2] / "build" / "screens"


@pytest.fixture(scope="session")
def chromium(run_folder: Path) -> dict[str, Any]:
    """How a browser is started; it is unpacked once for all processes of this run."""
    with only_one(run_folder):
        return launch_options(run_folder / "browser")


@pytest.fixture(scope="package")
def browser(chromium: dict[str, Any]) -> Iterator[Browser]:
    """Not for the whole run: as long as it is there, an event loop runs in this thread, and tests of others want to."""
    with sync_playwright() as playwright, playwright.chromium.launch(**chromium) as browser:
        yield browser


@dataclass(frozen=True)
class House:
    """A platform that answers, and its database to prepare things in."""

    settings: Settings
    database: Database

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.settings.port}"

    def until_it_answers(self) -> None:
        for attempt in Retrying(
            retry=retry_if_exception_type(httpx.TransportError), wait=wait_fixed(0.1), stop=stop_after_delay(60)
        ):
            with attempt:
                httpx.get(f"{self.address}/readyz").raise_for_status()

    def member(self, name: str) -> Member:
        with self.database.read() as session:
            return session.scalars(select(Member).where(Member.name == name)).one()


@pytest.fixture(scope="session")
def told(run_folder: Path, sqlite_template: Path) -> Path:
    """A database to copy, in which the demo's story was told; its data only Spark can make."""
    home = run_folder / "told"
    with only_one(run_folder), pytest.MonkeyPatch.context() as monkeypatch:
        if not home.exists():
            hash_quickly(monkeypatch)
            settings = settings_in(run_folder / "telling")
            settings.home.mkdir()
            shutil.copyfile(sqlite_template, settings.home / "bailiwick.db")
            with opened_database(settings) as database:
                Story(database, settings).tell()
            settings.home.rename(home)
    return home / "bailiwick.db"


@pytest.fixture
def house(tmp_path_factory: pytest.TempPathFactory, told: Path) -> Iterator[House]:
    settings = settings_in(tmp_path_factory.mktemp("platform"))
    shutil.copyfile(told, settings.home / "bailiwick.db")
    with opened_database(settings) as database, serving(settings):
        house = House(settings, database)
        house.until_it_answers()
        yield house


class Window:
    """A browser's window, whose every complaint fails the test."""

    def __init__(self, house: House, context: BrowserContext, name: str) -> None:
        self.page: Page = context.new_page()
        self.complaints: list[str] = []
        self.expected: list[str] = []  # parts of complaints that the test asks for
        self.house, self._name, self._shots = house, name, 0
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._hear)
        self._asked: set[Request] = set()  # and not answered yet
        self.page.on("request", self._note)
        for answered in ("requestfinished", "requestfailed"):
            self.page.on(answered, lambda request: self._asked.discard(request))

    def _note(self, request: Request) -> None:
        if request.resource_type != "eventsource":  # such an answer never ends
            self._asked.add(request)

    def _hear(self, said: ConsoleMessage) -> None:
        if said.type == "error":
            self.complaints.append(said.text)

    def go(self, path: str) -> None:
        self.page.goto(f"{self.house.address}{path}")

    def sign_in(self, member: Member) -> None:
        """As somebody whose browser knows them; how one comes in is tested by itself."""
        with self.house.database.session() as session:
            _, secret = make_session(session, session.get_one(Member, member.id))
        self.page.context.add_cookies([{"name": COOKIE, "value": secret, "url": self.house.address}])
        self.go("/")
        expect(self.page.get_by_role("button", name=f"{member.name}: account")).to_be_visible()

    def sign_in_as(self, name: str) -> None:
        """As one of those who are there, by name."""
        self.sign_in(self.house.member(name))

    def look(self) -> None:
        """Keep a picture of what is there, in light and in dark, and let axe look at both."""
        self._settle()
        self._shots += 1
        SCREENS.mkdir(parents=True, exist_ok=True)
        self.page.evaluate(AXE_SCRIPT)
        for colours, options in LOOKS.items():
            self.page.emulate_media(color_scheme=colours)
            self.page.screenshot(path=SCREENS / f"{self._name}-{self._shots}-{colours}.png", animations="disabled")
            found = self.page.evaluate("options => axe.run(options)", options)
            serious = [
                f"{colours}: {one['id']}: {one['help']} ({', '.join(str(node['target']) for node in one['nodes'][:3])})"
                for one in found["violations"]
                if one["impact"] in ("serious", "critical")
            ]
            assert serious == []

    def _settle(self) -> None:
        """Until everything is answered and shown; Playwright's own wait for that takes half a second longer."""
        end, quiet = monotonic() + PATIENCE / 1000, 0
        while quiet < 2:
            assert monotonic() < end, f"no answer: {[request.url for request in self._asked]}"
            self.page.wait_for_timeout(50)
            quiet = 0 if self._asked else quiet + 1

    def finish(self) -> None:
        unexpected = [said for said in self.complaints if not any(part in said for part in self.expected)]
        assert unexpected == []


@contextmanager
def opened(request: pytest.FixtureRequest, house: House, browser: Browser, who: str) -> Iterator[Window]:
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, color_scheme="light", reduced_motion="reduce", locale="en-GB"
    )
    context.set_default_timeout(PATIENCE)
    name = re.sub(r"\W+", "-", f"{request.node.name.removeprefix('test_')} {who}").strip("-")
    window = Window(house, context, name)
    yield window
    window.finish()
    context.close()


@pytest.fixture
def window(request: pytest.FixtureRequest, house: House, browser: Browser) -> Iterator[Window]:
    with opened(request, house, browser, "") as window:
        yield window


@pytest.fixture
def another(request: pytest.FixtureRequest, house: House, browser: Browser) -> Iterator[Window]:
    """The window of somebody else, at the same time."""
    with opened(request, house, browser, "another") as window:
        yield window
