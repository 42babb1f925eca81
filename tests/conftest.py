"""What all tests share: fresh, migrated databases on SQLite and PostgreSQL, and no settings from outside."""

import gc
import json
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL, event, make_url

from bailiwick.audit.models import AuditEntry
from bailiwick.audit.words import WORDS
from bailiwick.database import encryption, migrate
from bailiwick.database.engine import Database, make_engine
from tests import postgres

pytest_plugins = ["tests.people"]

RUN_FOLDER = pytest.StashKey[Path]()
RUN_PROCESS = pytest.StashKey[int]()
GIVEN_SERVER = os.environ.get("BAILIWICK_TEST_POSTGRES_URL")
ROOM = 1_000_000_000
BACKENDS = ("sqlite", "postgresql")
TOGETHER = "together.json"
# What takes long: by what it uses, or by where it is.
SLOW = ("engine", "demo", "jars", "tests/e2e", "tests/cli", "tests/api/test_schema", "tests/access")


def pytest_configure(config: pytest.Config) -> None:
    """Make a folder that all processes of this run share."""
    given: dict[str, Any] | None = getattr(config, "workerinput", None)
    if given is None:
        folder = make_run_folder()
        config.stash[RUN_FOLDER], config.stash[RUN_PROCESS] = folder, os.getpid()
    else:
        config.stash[RUN_FOLDER], config.stash[RUN_PROCESS] = Path(given["folder"]), given["process"]


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a parallel worker of that folder."""
    node.workerinput["folder"] = str(node.config.stash[RUN_FOLDER])
    node.workerinput["process"] = os.getpid()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop the server and remove the folder, once all workers are done."""
    if RUN_FOLDER in config.stash and not hasattr(config, "workerinput"):
        folder = config.stash[RUN_FOLDER]
        if GIVEN_SERVER and (folder / template_name(folder)).exists():
            postgres.execute(make_url(GIVEN_SERVER), f"DROP DATABASE {template_name(folder)}")
        postgres.stop_server(folder)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.hookimpl(trylast=True)  # once they are in random order
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long comes first, so that in the end no process waits for another."""

    def place(item: Any) -> int:
        found = (at for at, slow in enumerate(SLOW) if slow in item.fixturenames or item.nodeid.startswith(slow))
        return next(found, len(SLOW))

    items.sort(key=place)


@pytest.hookimpl(tryfirst=True)  # before xdist tells that this process is ready
def pytest_collection_finish(session: pytest.Session) -> None:
    """Write down for `OneSpark` which tests have to stay together; only processes that run tests know. And let the
    garbage collector leave alone what is there for all of them, and come less often."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    if hasattr(session.config, "workerinput"):
        folder = session.config.stash[RUN_FOLDER]
        draft = folder / f"together.{os.getpid()}"
        draft.write_text(json.dumps({item.nodeid: stays_with(item) for item in session.items}))
        draft.rename(folder / TOGETHER)


def stays_with(item: Any) -> str:
    """Those that use the one Spark there is room for, or the one demo, or start a Spark of their own, of which there is
    one at a time; a module that shares something, or several that say so; or one."""
    if "engine" in item.fixturenames:
        return "spark"
    if "jars" in item.fixturenames:
        return "demo"
    if group := item.get_closest_marker("xdist_group"):
        return str(group.kwargs["name"])
    fixtures = item._fixtureinfo.name2fixturedefs.values()
    shares = any(one.scope == "module" for found in fixtures for one in found)
    return item.nodeid.partition("::")[0] if shares else str(item.nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One process more than there are cores: a test on Spark or in a browser mostly waits for other processes."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Let tests run in whichever process is free, but in one process what has to stay together."""
    from xdist.scheduler import LoadScopeScheduling

    class OneSpark(LoadScopeScheduling):  # type: ignore[misc]
        def schedule(self) -> None:
            self.config.option.loadscopereorder = False  # not those of which there are most, but as they come
            super().schedule()

        @cached_property
        def together(self) -> dict[str, str]:
            found: dict[str, str] = json.loads((config.stash[RUN_FOLDER] / TOGETHER).read_text())
            return found

        def _split_scope(self, nodeid: str) -> str:
            return self.together[nodeid]

    return OneSpark(config, log)


@pytest.fixture(autouse=True)
def settings_from_nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let no test read the settings, nor touch the home folder, of whoever runs it."""
    for name in os.environ:
        if name.upper().startswith("BAILIWICK_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("BAILIWICK_HOME", str(tmp_path / "home"))


@event.listens_for(AuditEntry, "before_insert")
def every_action_has_words(_mapper: object, _connection: object, entry: AuditEntry) -> None:
    """Whatever the tests let happen: nothing goes on record without words for whoever reads it."""
    named = entry.outcome == "done" and "_" in entry.action
    assert not named or entry.action in WORDS, f"{entry.action} has no words in bailiwick.audit.words"


@pytest.fixture(autouse=True)
def encryption_key() -> None:
    """Encrypt with a key of the tests."""
    encryption.use_keys(["dGVzdHMgdGVzdHMgdGVzdHMgdGVzdHMgdGVzdHMgISE="])


@pytest.fixture(scope="session")
def run_folder(pytestconfig: pytest.Config) -> Path:
    """The folder that all processes of this run share."""
    return pytestconfig.stash[RUN_FOLDER]


@pytest.fixture(scope="session")
def sqlite_template(run_folder: Path) -> Path:
    """A migrated SQLite database to copy."""
    file = run_folder / "template.db"
    with postgres.only_one(run_folder):
        if not file.exists():
            draft = run_folder / "template.draft"
            migrate_at(URL.create("sqlite", database=str(draft)))
            draft.rename(file)
    return file


@pytest.fixture(scope="session")
def postgres_server(run_folder: Path, pytestconfig: pytest.Config) -> URL:
    """A PostgreSQL server: the one the environment names, or else our own."""
    return make_url(GIVEN_SERVER or postgres.server_url(run_folder, pytestconfig.stash[RUN_PROCESS]))


@pytest.fixture(scope="session")
def postgres_template(run_folder: Path, postgres_server: URL) -> str:
    """The name of a migrated PostgreSQL database to clone."""
    name = template_name(run_folder)
    with postgres.only_one(run_folder):
        if not (run_folder / name).exists():
            postgres.execute(postgres_server, f"CREATE DATABASE {name}")
            migrate_at(postgres_server.set(database=name))
            (run_folder / name).touch()
    return name


@pytest.fixture(scope="session")
def postgres_database(postgres_server: URL, postgres_template: str) -> Iterator[postgres.Reused]:
    """The one clone of it that this process has."""
    reused = postgres.Reused(postgres_server, postgres_template)
    yield reused
    reused.drop()


@pytest.fixture(params=BACKENDS)
def database(request: pytest.FixtureRequest, run_folder: Path) -> Iterator[Database]:
    """A fresh, migrated database; the test runs once on SQLite and once on PostgreSQL. Those of a process have one name
    and one engine, which knows the statements of the tests before."""
    if request.param == "sqlite":
        file = run_folder / f"sqlite-{os.getpid()}" / "bailiwick.db"
        file.parent.mkdir()
        shutil.copyfile(request.getfixturevalue("sqlite_template"), file)
        yield from opened(URL.create("sqlite", database=str(file)))
        shutil.rmtree(file.parent)
    else:
        with request.getfixturevalue("postgres_database").taken() as url:
            yield shared(url)


@pytest.fixture(params=BACKENDS)
def empty_database(request: pytest.FixtureRequest, run_folder: Path) -> Iterator[Database]:
    """A database with nothing in it yet, not even tables; once on SQLite and once on PostgreSQL."""
    if request.param == "sqlite":
        with tempfile.TemporaryDirectory(dir=run_folder) as folder:
            yield from opened(URL.create("sqlite", database=f"{folder}/bailiwick.db"))
    else:
        with postgres.new_database(request.getfixturevalue("postgres_server"), "template1") as url:
            yield from opened(url)


def make_run_folder() -> Path:
    """A folder in memory if there is room, where a fresh database costs a tenth; named briefly, as sockets need."""
    memory = Path("/dev/shm")
    roomy = os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > ROOM
    folder = (memory if roomy else Path(tempfile.gettempdir())) / f"bw-{secrets.token_hex(4)}"
    folder.mkdir()
    folder.chmod(0o755)  # Run by root, PostgreSQL is another user, who has to get in.
    return folder


def opened(url: URL) -> Iterator[Database]:
    """The database there, closed after use."""
    database = shared(url)
    yield database
    database.close()


def shared(url: URL) -> Database:
    """The database there, through the one engine that this process has for it."""
    # With options of its own, even if none: who listens to it does not hear the next test.
    return Database(engine_for(url.render_as_string(hide_password=False)).execution_options())


engine_for = cache(make_engine)


def migrate_at(url: URL) -> None:
    """Migrate the database there, leaving no connection open."""
    engine = make_engine(url.render_as_string(hide_password=False))
    migrate.upgrade(engine)
    engine.dispose()


def template_name(run_folder: Path) -> str:
    """The template's name, which no other run on the same server shares."""
    return f"bailiwick_template_{run_folder.name.removeprefix('bw-')}"
