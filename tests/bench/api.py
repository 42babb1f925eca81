"""A page of members over the API, against the same page from a route that asks nobody who they are."""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from bailiwick.database.engine import Database
from bailiwick.demo.generator import grow
from tests.bench.databases import BACKENDS, databases
from tests.bench.measure import Result, Say, in_turn
from tests.bench.server import BARE, GUARDED
from tests.people import make_member, make_session

MEMBERS, CLIENTS, REQUESTS = 1_000, 4, 25  # requests of each client in a round
ROOT = Path(__file__).parent.parent.parent


def run(say: Say, quick: bool) -> Iterator[Result]:
    rounds = 3 if quick else 9
    with databases(migrated=True) as new_database:
        for backend, name in BACKENDS.items():
            say(f"making a company of {MEMBERS:,} on {name}")
            database = new_database(backend)
            with database.session() as session:
                owner = make_member(session, "Olga Owner", role="owner")
                _, secret = make_session(session, owner)
            grow(database, MEMBERS)
            say(f"asking the API on {name}")
            with server(database) as port, ThreadPoolExecutor(CLIENTS) as pool:
                spent = in_turn(rounds, {path: partial(ask, pool, port, path, secret) for path in (GUARDED, BARE)})
            rate = {path: CLIENTS * REQUESTS / seconds for path, seconds in spent.items()}
            yield Result(
                f"{name}: pages of 50 members over the API",
                rate[GUARDED],
                "without any check",
                rate[BARE],
                rate[GUARDED] / rate[BARE],
                at_least=0.5,
                unit="a second",
            )


@contextmanager
def server(database: Database, home: Path | None = None) -> Iterator[int]:
    """The port of an API process over this database, in a home of its own unless one is given."""
    url = database.engine.url.set(drivername=database.engine.url.get_backend_name())
    with tempfile.TemporaryDirectory() as own, (Path(own) / "log").open("w") as log:
        given = [str(home or own), url.render_as_string(hide_password=False)]
        command = [sys.executable, "-m", "tests.bench.server", *given]
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=log, text=True)
        assert process.stdout is not None
        try:
            port = process.stdout.readline()
            if not port:
                raise RuntimeError("The API did not start:\n" + (Path(own) / "log").read_text())
            yield int(port)
        finally:
            process.terminate()
            process.wait(20)
            process.stdout.close()


def ask(pool: ThreadPoolExecutor, port: int, path: str, secret: str) -> None:
    for asked in [pool.submit(get, port, path, secret) for _ in range(CLIENTS)]:
        asked.result()


def get(port: int, path: str, secret: str) -> None:
    """A few requests over one connection, read with as little ado as possible: client and server share the cores."""
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {secret}\r\n\r\n".encode()
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection, connection.makefile("rb") as answer:
        for _ in range(REQUESTS):
            connection.sendall(request)
            status = answer.readline()
            assert b" 200 " in status, status
            length = 0
            while (line := answer.readline().lower()) != b"\r\n":
                if line.startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            assert len(answer.read(length)) == length > 1_000
