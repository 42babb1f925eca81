"""The bell: whoever waits for something in the database hears of it at once, in this process or another.

On PostgreSQL it is NOTIFY, in the transaction that has news. On SQLite everybody who listens has a loopback port, named
in a folder beside the database, and gets a datagram after the commit. Neither is relied upon: who listens also looks by
themselves every now and then."""

from __future__ import annotations

import os
import select
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import UUID
from weakref import WeakKeyDictionary

import structlog
from sqlalchemy import Engine, event, text
from sqlalchemy.orm import Session, SessionTransaction

from bailiwick.database.engine import Database

log = structlog.get_logger(__name__)

LOOK_SECONDS = 2.0  # how long a news may go unheard
QUEUED = "queued"  # there is a run to take up
FIRE = "fire"  # a trigger may be due
ANY_RUN = "run:*"  # for who listens: the topic of every run
CHANNEL = "bailiwick"
RUNG = "what was rung in this transaction"
READY_SECONDS, AGAIN_SECONDS = 5.0, 1.0
LARGEST = 1000


def about(run_id: UUID | str) -> str:
    """The topic of one run: its state, its progress, its log."""
    return f"run:{run_id}"


# Ringing -------------------------------------------------------------------------------------------------------------


def ring(session: Session, *topics: str) -> None:
    """Tell whoever listens, once this transaction has committed."""
    if session.get_bind().dialect.name == "postgresql":
        told = ", ".join(f"pg_notify('{CHANNEL}', :topic_{number})" for number in range(len(topics)))
        session.execute(text(f"SELECT {told}"), {f"topic_{number}": topic for number, topic in enumerate(topics)})
    else:
        session.info.setdefault(RUNG, {}).update(dict.fromkeys(topics))


@event.listens_for(Session, "after_commit")
def _send(session: Session) -> None:
    if not session.in_nested_transaction() and (topics := session.info.pop(RUNG, None)):
        folder = _folder_of(session.get_bind().engine.url.database)
        if folder is not None:
            send_datagrams(folder, topics)


@event.listens_for(Session, "after_soft_rollback")
def _forget(session: Session, ended: SessionTransaction) -> None:
    if not ended.nested:
        session.info.pop(RUNG, None)


def send_datagrams(folder: Path, topics: Iterable[str]) -> None:
    """To every port that is named there; nobody is at those of who has died, and that does no harm."""
    ports = [int(name.rpartition("-")[2]) for name in _names_in(folder)]
    if not ports:
        return
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.setblocking(False)
        for letter in _letters(topics):
            for port in ports:
                with suppress(OSError):
                    sender.sendto(letter, ("127.0.0.1", port))


def _letters(topics: Iterable[str]) -> Iterator[bytes]:
    letter = b""
    for topic in topics:
        line = topic.encode() + b"\n"
        if len(letter) + len(line) > LARGEST:
            yield letter
            letter = b""
        letter += line
    yield letter


def _folder_of(database: str | None) -> Path | None:
    return Path(f"{database}-bells") if database and database != ":memory:" else None


def _names_in(folder: Path) -> list[str]:
    """The listeners' files, `<process>-<port>`."""
    try:
        names = os.listdir(folder)  # noqa: PTH208 - on the way of every commit, and half the price
    except OSError:
        return []
    return [name for name in names if name.replace("-", "", 1).isdecimal()]


# Hearing -------------------------------------------------------------------------------------------------------------


class Ear:
    """Somebody who waits. What is rung between two waits is not missed."""

    def __init__(self) -> None:
        self._rung = threading.Event()

    def ring(self) -> None:
        self._rung.set()

    def wait(self, seconds: float) -> bool:
        """Until it rings, but not for ever; whether it rang."""
        rang = self._rung.wait(seconds)
        self._rung.clear()
        return rang


@contextmanager
def listening(database: Database, *topics: str) -> Iterator[Ear]:
    """An ear for these topics."""
    ear = Ear()
    with hearing(database, topics, ear.ring):
        yield ear


@contextmanager
def hearing(database: Database, topics: Iterable[str], call: Callable[[], None]) -> Iterator[None]:
    """Let `call` be called, from a thread of ours, whenever one of these topics is rung."""
    bell = bell_of(database)
    key = bell.subscribe(frozenset(topics), call)
    try:
        yield
    finally:
        bell.unsubscribe(key)


_bells: WeakKeyDictionary[Engine, Bell] = WeakKeyDictionary()
_bells_lock = threading.Lock()


def bell_of(database: Database) -> Bell:
    """The one bell that this process has for a database."""
    with _bells_lock:
        if database.engine not in _bells:
            _bells[database.engine] = Bell(database.engine)
        return _bells[database.engine]


class Bell:
    """Hears for everybody in this process, in one thread, as long as somebody listens."""

    def __init__(self, engine: Engine) -> None:
        self._make_line: Callable[[Callable[[Iterable[str]], None]], Line]
        folder = _folder_of(engine.url.database)
        if engine.dialect.name == "postgresql":
            # Not the engine itself, which could then never be forgotten.
            connect = engine.pool
            self._make_line = lambda heard: Notifications(heard, connect)
        elif folder is not None:
            self._make_line = lambda heard: Datagrams(heard, folder)
        else:
            self._make_line = Line
        self._subscribers: dict[object, tuple[frozenset[str], Callable[[], None]]] = {}
        self._line: Line | None = None
        self._lock = threading.Lock()

    def subscribe(self, topics: frozenset[str], call: Callable[[], None]) -> object:
        key = object()
        with self._lock:
            self._subscribers[key] = (topics, call)
            if self._line is None:
                self._line = self._make_line(self._heard)
                self._line.start()
            line = self._line
        line.ready.wait(READY_SECONDS)  # what is rung from now on is heard
        return key

    def unsubscribe(self, key: object) -> None:
        with self._lock:
            self._subscribers.pop(key, None)
            line, self._line = (None, self._line) if self._subscribers else (self._line, None)
        if line is not None:
            line.stop()

    def _heard(self, topics: Iterable[str]) -> None:
        rung = set(topics)
        if any(topic.startswith("run:") for topic in rung):
            rung.add(ANY_RUN)
        with self._lock:
            calls = [call for wanted, call in self._subscribers.values() if not rung or rung & wanted]
        for call in calls:
            with suppress(RuntimeError):  # an event loop that has ended waits for nothing
                call()


class Line:
    """Where rings come from. This one stays silent: a database in memory is nobody else's."""

    def __init__(self, heard: Callable[[Iterable[str]], None]) -> None:
        self.heard = heard  # called with no topics at all when some may have been missed
        self.ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="hear the bell", daemon=True)
        self._awake, self._wake = os.pipe()
        self._stopping = False

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping = True
        os.write(self._wake, b"!")
        self._thread.join(READY_SECONDS)
        if not self._thread.is_alive():  # it reads from the other end
            os.close(self._wake)
            os.close(self._awake)

    def _run(self) -> None:
        while not self._stopping:
            try:
                self.listen()
            except Exception as error:
                log.warning("the bell is not heard for a moment", error=type(error).__name__)
                self.ready.set()  # nobody waits for it: they look by themselves
                self.wait(None, AGAIN_SECONDS)
                self.heard(())

    def listen(self) -> None:
        """Hear until stopped."""
        self.ready.set()
        while self.wait(None):
            pass

    def wait(self, source: Any, seconds: float | None = None) -> bool:
        """Until the source has something; False when told to stop."""
        select.select([self._awake, *([] if source is None else [source])], [], [], seconds)
        return not self._stopping


class Datagrams(Line):
    """A loopback port."""

    def __init__(self, heard: Callable[[Iterable[str]], None], folder: Path) -> None:
        super().__init__(heard)
        self._folder = folder

    def listen(self) -> None:
        self._folder.mkdir(mode=0o700, exist_ok=True)
        self._sweep()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
            receiver.bind(("127.0.0.1", 0))
            file = self._folder / f"{os.getpid()}-{receiver.getsockname()[1]}"
            file.touch(mode=0o600)
            try:
                self.ready.set()
                while self.wait(receiver):
                    self.heard(receiver.recv(65536).decode(errors="replace").split("\n"))
            finally:
                file.unlink(missing_ok=True)

    def _sweep(self) -> None:
        """Remove the names of processes that were killed."""
        for name in _names_in(self._folder):
            try:
                os.kill(int(name.partition("-")[0]), 0)
            except ProcessLookupError:
                (self._folder / name).unlink(missing_ok=True)
            except OSError:
                continue


class Notifications(Line):
    """PostgreSQL's LISTEN, on a connection of its own."""

    def __init__(self, heard: Callable[[Iterable[str]], None], pool: Any) -> None:
        super().__init__(heard)
        self._pool = pool

    def listen(self) -> None:
        borrowed = self._pool.connect()
        connection: Any = borrowed.driver_connection
        borrowed.detach()  # it gives its place in the pool back
        try:
            connection.rollback()
            connection.autocommit = True
            connection.execute(f"LISTEN {CHANNEL}")
            self.ready.set()
            while self.wait(connection):
                self.heard([notice.payload for notice in connection.notifies(timeout=0)] or [""])
        finally:
            connection.close()
