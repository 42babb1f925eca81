"""`bailiwick up` on bad days: parts that die, a supervisor that is killed, and kill -9 in the middle of writes."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import psutil
import pytest

from bailiwick.cli import supervisor
from bailiwick.cli.client import Client
from bailiwick.cli.failures import Failure
from bailiwick.cli.supervisor import NeverReady, Part, Supervisor
from tests.cli.terminal import Terminal

PATIENCE = 90.0  # a busy computer starts slowly; waiting ends as soon as it may


def eventually(happened: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, f"waited in vain: {what}"
        time.sleep(0.05)


class Running:
    """A real `bailiwick up`, with processes for the supervisor, the API and a worker, which finds no Java."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            self.port = taken.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.log = folder / "up.log"
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("BAILIWICK_")},
            "BAILIWICK_HOME": str(folder / "home"),
            "BAILIWICK_PORT": str(self.port),
            "BAILIWICK_JAVA_HOME": str(folder / "no java"),
        }
        self.terminal = Terminal(folder / "config", {**self.environment, "BAILIWICK_SERVER": self.address})
        self.start()

    def start(self) -> None:
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "bailiwick.cli", "up"],
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        eventually(lambda: "is ready at" in self.said() or self.process.poll() is not None, "the start")
        assert self.process.poll() is None, self.said()

    def said(self) -> str:
        return self.log.read_text()

    def api(self) -> psutil.Process:
        return self.part("serve")

    def part(self, command: str) -> psutil.Process:
        (child,) = (it for it in psutil.Process(self.process.pid).children() if command in it.cmdline())
        return child

    def end(self) -> None:
        children = []
        with suppress(psutil.NoSuchProcess):
            children = psutil.Process(self.process.pid).children()
        for process in (self.process, *children):
            with suppress(psutil.NoSuchProcess, ProcessLookupError):
                process.kill()
        self.process.wait()


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    home = Terminal(tmp_path / "config", {"BAILIWICK_HOME": str(tmp_path / "home")})
    home("init", "--email", "ada@example.com", "--name", "Ada Lovelace", "--company", "Northwind")
    up = Running(tmp_path)
    yield up
    up.end()


def test_from_init_to_a_signed_in_owner(running: Running) -> None:
    ada = running.terminal
    link = ada.json("init", "--new-link")["link"]
    assert link.startswith(running.address)
    ada("login", "--link", link, typed="four words in a row\n")
    assert ada.json("profile")["tenant_role"] == "owner"
    assert "already" in ada.refused("up")
    assert "Bailiwick itself" in ada.run("doctor").output
    running.process.send_signal(signal.SIGINT)
    began = time.monotonic()
    assert running.process.wait(PATIENCE) == 0
    assert time.monotonic() - began < supervisor.STOP_SECONDS
    assert running.said().rstrip().endswith("Stopped.")
    assert "bailiwick up" in ada.refused("whoami")


def test_an_api_that_is_killed_comes_back(running: Running) -> None:
    first = running.api()
    first.kill()
    eventually(lambda: "is ready again" in running.said(), "the API to come back")
    assert "The API was killed by signal 9. Starting it again" in running.said()
    assert running.api().pid != first.pid
    assert httpx.get(f"{running.address}/readyz").status_code == 200


def test_a_worker_that_is_killed_comes_back_and_nobody_notices(running: Running) -> None:
    first = running.part("worker")
    first.kill()
    eventually(lambda: "The worker is ready again" in running.said(), "the worker to come back")
    assert "The worker was killed by signal 9. Starting it again" in running.said()
    assert running.part("worker").pid != first.pid
    assert httpx.get(f"{running.address}/readyz").status_code == 200


def test_whoever_calls_while_the_api_restarts_waits_and_is_answered(running: Running) -> None:
    running.api().kill()
    assert httpx.get(f"{running.address}/healthz", timeout=PATIENCE).status_code == 200


def test_nothing_is_left_of_a_supervisor_that_is_killed(running: Running) -> None:
    parts = [running.api(), running.part("worker")]
    running.process.kill()
    running.process.wait()
    for part in parts:
        eventually(lambda part=part: not part.is_running() or part.status() == psutil.STATUS_ZOMBIE, "its end")  # type: ignore[misc]
    running.start()
    assert httpx.get(f"{running.address}/readyz").status_code == 200


def test_sigterm_stops_everything_too(running: Running) -> None:
    parts = [running.api(), running.part("worker")]
    running.process.terminate()
    assert running.process.wait(PATIENCE) == 0
    assert not any(part.is_running() for part in parts)


def test_kill_9_in_the_middle_of_writes_leaves_a_whole_database(running: Running) -> None:
    ada = running.terminal
    ada("login", "--link", ada.json("init", "--new-link")["link"], typed="four words in a row\n")
    secret = ada.json("tokens", "create", "writer")["secret"]
    confirmed: list[str] = []
    stop = threading.Event()

    def write(lane: int) -> None:
        client = Client(running.address, secret)
        number = 0
        while not stop.is_set():
            number += 1
            with suppress(Failure):  # answers that got lost with the process are nobody's promise
                confirmed.append(client.post("/groups", {"name": f"Group {lane} {number}"})["name"])
        client.close()

    writers = [threading.Thread(target=write, args=(lane,)) for lane in range(3)]
    for writer in writers:
        writer.start()
    for _ in range(2):
        written = len(confirmed)
        eventually(lambda written=written: len(confirmed) > written + 5, "writes")  # type: ignore[misc]
        running.api().kill()
        said = running.said().count("is ready again")
        eventually(lambda said=said: running.said().count("is ready again") > said, "the API to come back")  # type: ignore[misc]
    stop.set()
    for writer in writers:
        writer.join(PATIENCE)

    assert ada.json("audit", "verify")["whole"] is True
    stored = {it["name"] for it in ada.json("groups", "list", "--all")["items"]}
    assert set(confirmed) <= stored
    recorded = {
        entry["resource_name"] for entry in ada.json("audit", "list", "--action", "create_group", "--all")["items"]
    }
    assert recorded == stored - {"All"}


# The supervisor itself, with parts that do as they are told ---------------------------------------------------------


def part(code: str, ready: Callable[[], None] = lambda: None) -> Part:
    return Part("part", [sys.executable, "-c", code], ready)


def run_until(watch: Supervisor, enough: Callable[[], bool]) -> None:
    """Run the supervisor here, as signals want it, until somebody has seen enough."""

    def look() -> None:
        eventually(enough, "the supervisor")
        os.kill(os.getpid(), signal.SIGTERM)

    looking = threading.Thread(target=look)
    looking.start()
    watch.run()
    looking.join()


def test_each_pause_before_a_restart_is_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "LONGEST_PAUSE", 0.2)
    said: list[str] = []
    dying = part("import time; time.sleep(0.3); raise SystemExit(3)")
    dying.pause = 0.05
    run_until(Supervisor([dying], lambda: None, said.append), lambda: len(said) >= 6)
    ended = [sentence for sentence in said if "ended with code 3" in sentence]
    pauses = [float(sentence.split(" in ")[1].split()[0]) for sentence in ended]
    assert pauses[:3] == [0.05, 0.1, 0.2]
    assert max(pauses) == 0.2


def test_a_part_that_never_was_ready_is_not_started_again_nor_what_comes_after_it() -> None:
    never = part("raise SystemExit(1)", ready=threading.Event().wait)  # type: ignore[arg-type]
    after = part("import time; time.sleep(600)")
    with pytest.raises(NeverReady):
        Supervisor([never, after], lambda: None, lambda _: None).run()
    assert after.process is None


def test_a_part_that_does_not_want_to_stop_is_made_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "STOP_SECONDS", 0.3)
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(600)"
    ready: list[bool] = []
    stubborn = part(deaf, ready=lambda: time.sleep(1))
    run_until(Supervisor([stubborn], lambda: ready.append(True), lambda _: None), lambda: bool(ready))
    assert stubborn.process is not None
    assert stubborn.process.returncode == -signal.SIGKILL


def test_signals_are_the_callers_again_afterwards() -> None:
    before = signal.getsignal(signal.SIGTERM)
    ready: list[bool] = []
    quiet = part("import time; time.sleep(600)")
    run_until(Supervisor([quiet], lambda: ready.append(True), lambda _: None), lambda: bool(ready))
    assert signal.getsignal(signal.SIGTERM) == before
