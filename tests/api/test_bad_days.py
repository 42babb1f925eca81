"""Bad days: the database goes away, is locked or full, two admins meet, and whoever delivers e-mail dies half-way."""

from __future__ import annotations

import selectors
import socket
import sqlite3
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import URL, event, select, update

from bailiwick.api.app import create_app
from bailiwick.audit.models import AuditEntry
from bailiwick.audit.verify import verify
from bailiwick.database.base import utc_now
from bailiwick.database.engine import Database, make_engine
from bailiwick.notify.deliverer import CLAIM, Deliverer
from bailiwick.notify.models import OutgoingEmail
from bailiwick.settings import Settings
from bailiwick.tenancy.models import Group, Member
from tests.people import SignInAs, TestClient, emails_to, make_member, make_project, make_session

AWAY = "The database cannot be reached or is too busy. Try again in a few seconds."


def is_away(answer: Any) -> None:
    assert answer.status_code == 503, answer.text
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert (answer.headers["Retry-After"], answer.json()["detail"]) == ("5", AWAY)


class Forwarder:
    """A wire to the database server that can be cut and mended."""

    def __init__(self, server: URL) -> None:
        self._server = server
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self.is_cut = False
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Every connection breaks off, and new ones are turned away."""
        self.is_cut = True
        for one in (one for pair in self._pairs for one in pair):
            _shut(one)
        self._pairs.clear()

    def mend(self) -> None:
        self.is_cut = False

    def close(self) -> None:
        self.cut()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                caller, _ = self._listener.accept()
            except OSError:
                return
            if self.is_cut:
                _shut(caller)
                continue
            pair = caller, self._reach()
            self._pairs.append(pair)
            threading.Thread(target=self._carry, args=pair, daemon=True).start()

    def _reach(self) -> socket.socket:
        """The server listens on a socket file, or on a port where the environment names it."""
        folder = str(self._server.query.get("host") or self._server.host)
        port = self._server.port or 5432
        if not folder.startswith("/"):
            return socket.create_connection((folder, port))
        reached = socket.socket(socket.AF_UNIX)
        reached.connect(f"{folder}/.s.PGSQL.{port}")
        return reached

    def _carry(self, *ends: socket.socket) -> None:
        with selectors.DefaultSelector() as ready:
            try:
                for one, other in (ends, ends[::-1]):
                    ready.register(one, selectors.EVENT_READ, other)
                while True:
                    for key, _ in ready.select():
                        assert isinstance(key.fileobj, socket.socket)
                        data = key.fileobj.recv(65536)
                        if not data:
                            return
                        key.data.sendall(data)
            except (OSError, ValueError):
                return
            finally:
                for one in ends:
                    _shut(one)


def _shut(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()


@pytest.fixture
def wire(database: Database) -> Iterator[Forwarder]:
    forwarder = Forwarder(database.engine.url)
    yield forwarder
    forwarder.close()


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_database_server_that_goes_away_for_a_while(database: Database, settings: Settings, wire: Forwarder) -> None:
    with database.session() as session:
        mia = make_member(session, "Mia")
        _, secret = make_session(session, mia)
    through = database.engine.url.set(drivername="postgresql", host="127.0.0.1", port=wire.port, query={})
    far = Database(make_engine(through.render_as_string(hide_password=False)))
    client = TestClient(create_app(settings, far), headers={"Authorization": f"Bearer {secret}"})
    with ThreadPoolExecutor(4) as threads:  # so that several connections are open when the wire is cut
        answers = threads.map(lambda _: client.get("/api/v1/me").status_code, range(8))
        assert set(answers) == {200}
    wire.cut()
    started = time.monotonic()
    for _ in range(2):
        is_away(client.get("/api/v1/me"))
        is_away(client.patch("/api/v1/me", json={"name": "Mia M."}))
        is_away(client.post("/api/v1/session", json={"email": "mia@example.com", "password": "x"}))
        is_away(client.post("/api/v1/links", json={"email": "mia@example.com"}))
    assert client.get("/readyz").status_code == 503
    assert client.get("/readyz").headers["Retry-After"] == "5"
    assert client.get("/healthz").status_code == client.get("/metrics").status_code == 200
    assert time.monotonic() - started < 10
    wire.mend()
    assert client.get("/api/v1/me").json()["name"] == "Mia"
    assert client.patch("/api/v1/me", json={"name": "Mia M."}).status_code == 200
    assert client.get("/readyz").status_code == 200
    far.close()


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_server_that_vanishes_without_a_word_is_not_waited_for_long(database: Database) -> None:
    """No test can unplug a host; that the operating system is asked to notice is what can be seen."""
    with database.engine.connect() as connection:
        driver: Any = connection.connection.dbapi_connection
        asked = driver.info.get_parameters()
    assert (asked["tcp_user_timeout"], asked["keepalives_idle"]) == ("10000", "5")


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_wire_cut_in_the_middle_of_a_change_leaves_all_of_it_or_nothing(
    database: Database, settings: Settings, wire: Forwarder
) -> None:
    with database.session() as session:
        _, secret = make_session(session, make_member(session, "Olga", role="owner"))
    through = database.engine.url.set(drivername="postgresql", host="127.0.0.1", port=wire.port, query={})
    far = Database(make_engine(through.render_as_string(hide_password=False)))
    client = TestClient(create_app(settings, far), headers={"Authorization": f"Bearer {secret}"})

    def cut_at_the_audit(*given: Any) -> None:
        if "audit_entry" in given[2]:
            wire.cut()

    event.listen(far.engine, "before_cursor_execute", cut_at_the_audit)
    is_away(client.post("/api/v1/groups", json={"name": "Finance"}))
    with database.read() as session:
        assert session.scalars(select(Group).where(Group.name == "Finance")).one_or_none() is None
        assert not session.scalars(select(AuditEntry)).all()
    far.close()


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_of_two_who_wait_for_each_other_one_is_asked_to_try_again(
    database: Database, app: FastAPI, app_client: TestClient
) -> None:
    with database.session() as session:
        one, two = make_member(session, "One"), make_member(session, "Two")
    met = threading.Barrier(2, timeout=10)

    @app.get("/api/v1/wait/{first}/{second}")
    def wait(first: str, second: str) -> None:
        with database.session() as session:
            session.execute(update(Member).where(Member.name == first).values(time_zone="UTC"))
            met.wait()
            session.execute(update(Member).where(Member.name == second).values(time_zone="UTC"))

    with ThreadPoolExecutor(2) as threads:
        names = [(one.name, two.name), (two.name, one.name)]
        answers = list(threads.map(lambda pair: app_client.get(f"/api/v1/wait/{pair[0]}/{pair[1]}"), names))
    assert sorted(answer.status_code for answer in answers) == [200, 503]


@contextmanager
def impatient(database: Database, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """The API over the same file, waiting a tenth of a second where it would wait for ten."""
    monkeypatch.setattr("bailiwick.database.engine.WAIT_SECONDS", 0.1)
    again = Database(make_engine(f"sqlite:///{database.engine.url.database}"))
    yield TestClient(create_app(settings, again), raise_server_exceptions=False)
    again.close()


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_file_that_somebody_else_has_locked(
    database: Database, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database.session() as session:
        mia, bea = make_member(session, "Mia"), make_member(session, "Bea")
        project = make_project(session, "Sales", make_member(session, "Olga", role="owner"), {mia: "Technical User"})
        _, secret = make_session(session, mia)
    file = str(database.engine.url.database)
    with impatient(database, settings, monkeypatch) as client:
        client.headers["Authorization"] = f"Bearer {secret}"
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        is_away(client.patch("/api/v1/me", json={"name": "Mia M."}))
        is_away(client.post("/api/v1/session", json={"email": "mia@example.com", "password": "x"}))
        is_away(client.post("/api/v1/members", json={"email": "new@example.com", "name": "New"}))
        # Whoever only looks is not held up, not even where looking for the first time would leave a note; but a
        # refusal that cannot be put on record is not answered as one.
        assert client.get("/api/v1/me").status_code == client.get("/readyz").status_code == 200
        assert client.get(f"/api/v1/projects/{project.id}").status_code == 200
        is_away(client.get("/api/v1/members"))
        is_away(client.get(f"/api/v1/members/{bea.id}"))
        other.execute("ROLLBACK")
        other.close()
        assert client.patch("/api/v1/me", json={"name": "Mia M."}).status_code == 200
        assert client.get("/api/v1/members").status_code == 403


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_disk_that_is_full(database: Database, settings: Settings) -> None:
    with database.session() as session:
        _, secret = make_session(session, make_member(session, "Olga", role="owner"))
    full = Database(make_engine(f"sqlite:///{database.engine.url.database}"))
    room = {"pages": 1}  # less than there are already: as much as nothing more
    event.listen(
        full.engine, "begin", lambda connection: connection.exec_driver_sql(f"PRAGMA max_page_count = {room['pages']}")
    )
    client = TestClient(create_app(settings, full), headers={"Authorization": f"Bearer {secret}"})
    made = 0
    while (
        answer := client.post("/api/v1/groups", json={"name": f"Group {made}", "description": "x" * 2000})
    ).is_success:
        made += 1
        assert made < 200
    is_away(answer)
    assert client.get("/api/v1/groups").status_code == 200  # reading goes on
    room["pages"] = 1_000_000
    assert client.post("/api/v1/groups", json={"name": f"Group {made}"}).status_code == 201
    with database.read() as session:
        assert verify(session).is_whole
        assert len(session.scalars(select(Group).where(Group.name.startswith("Group "))).all()) == made + 1
    full.close()


def test_of_two_admins_who_change_one_role_at_once_the_second_is_told(database: Database, sign_in_as: SignInAs) -> None:
    with database.session() as session:
        olga, adam = make_member(session, "Olga", role="owner"), make_member(session, "Adam", role="admin")
        mia = make_member(session, "Mia")
        project = make_project(session, "Sales", olga, {mia: "Business User"})
    clients = [sign_in_as(olga), sign_in_as(adam)]
    at_once = {"If-Match": '"1"'}

    def in_tenant(number: int) -> int:
        body = {"tenant_role": ("viewer", "editor")[number]}
        path = f"/api/v1/members/{mia.id}/tenant-role"
        return int(clients[number].put(path, json=body, headers=at_once).status_code)

    def in_project(number: int) -> int:
        body = {"role": ("Admin", "Technical User")[number]}
        path = f"/api/v1/projects/{project.id}/members/{mia.id}"
        return int(clients[number].patch(path, json=body, headers=at_once).status_code)

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(in_tenant, range(2))) == [200, 409]
        assert sorted(threads.map(in_project, range(2))) == [200, 409]
    with database.read() as session:
        actions = ("change_tenant_role", "change_project_role")
        kept = session.scalars(select(AuditEntry.action).where(AuditEntry.action.in_(actions))).all()
        assert sorted(kept) == sorted(actions)
        assert verify(session).is_whole


def test_two_owners_who_demote_each_other_leave_one(database: Database, sign_in_as: SignInAs) -> None:
    with database.session() as session:
        owners = [make_member(session, name, role="owner") for name in ("Olga", "Otto")]
    clients = [sign_in_as(owner) for owner in owners]

    def demote(number: int) -> int:
        other = owners[1 - number]
        answer = clients[number].put(f"/api/v1/members/{other.id}/tenant-role", json={"tenant_role": "none"})
        return int(answer.status_code)

    with ThreadPoolExecutor(2) as threads:
        codes = sorted(threads.map(demote, range(2)))
    assert codes[0] == 200
    assert codes[1] in (403, 404)
    with database.read() as session:
        assert len(session.scalars(select(Member).where(Member.tenant_role == "owner")).all()) == 1


def test_an_email_outlives_whoever_was_to_deliver_it(
    database: Database, settings: Settings, app_client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the commit and the delivery the process dies; another one dies in the middle of the delivery."""
    with database.session() as session:
        make_member(session, "Mia")
    assert app_client.post("/api/v1/links", json={"email": "mia@example.com"}).status_code == 202

    class Killed(BaseException):
        """Nothing that anybody catches."""

    def die(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patched, pytest.raises(Killed):
        patched.setattr(Deliverer, "_send", die)
        Deliverer(database, settings).deliver()
    outbox = Path(settings.home) / "outbox"
    Deliverer(database, settings).deliver()
    assert not outbox.exists()  # it is still the dead one's, for a while
    with database.session() as session:
        session.execute(update(OutgoingEmail).values(try_at=utc_now() - CLAIM))
    Deliverer(database, settings).deliver()
    (file,) = outbox.iterdir()
    assert "/sign-in#bwl_" in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600
    with database.read() as session:
        (email,) = emails_to(session, "mia@example.com")
        assert (email.text, email.sent_at is not None, email.attempts) == (None, True, 2)
