"""`bailiwick up`: keeps the platform's parts running in one process tree, and takes them along when it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

POLL_SECONDS = 0.1
STOP_SECONDS = 8.0
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
STEADY_SECONDS = 60.0
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass
class Part:
    """A process to keep running: what it is called, how it is started, and a wait until it is ready."""

    name: str
    arguments: Sequence[str]
    until_ready: Callable[[], None]
    pass_fds: Sequence[int] = ()
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    next_start: float = 0.0
    pause: float = FIRST_PAUSE
    waiter: threading.Thread | None = None
    ready: bool = False
    was_ready: bool = False


class NeverReady(Exception):
    """A part ended before it had ever been ready: starting it again would not help, and it has said why."""


@dataclass
class Supervisor:
    """Starts the parts, starts a dead one again after a pause that grows, and stops all in a few seconds."""

    parts: Sequence[Part]
    on_ready: Callable[[], None]
    say: Callable[[str], None]
    _stop: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Keep the parts running until a signal says to stop."""
        # The parts read one end of this pipe. Nobody writes to it: it ends when this process does, even by kill -9.
        self._watched, held = os.pipe()
        before = {number: signal.signal(number, self._on_signal) for number in STOP_SIGNALS}
        try:
            announced = False
            while not self._stop.wait(POLL_SECONDS):
                for part in self.parts:
                    self._look_after(part)
                    if not part.was_ready:
                        break  # the next begins when this one stands, and is spared what keeps this one from it
                if not announced and all(part.ready for part in self.parts):
                    announced = True
                    self.on_ready()
        finally:
            self._stop_all()
            for number, handler in before.items():
                signal.signal(number, handler)
            os.close(self._watched)
            os.close(held)

    def _on_signal(self, number: int, frame: object) -> None:
        self._stop.set()

    def _look_after(self, part: Part) -> None:
        now = time.monotonic()
        if part.process is None:
            if now >= part.next_start:
                self._start(part)
            return
        code = part.process.poll()
        if code is None:
            if not part.ready and part.waiter is not None and not part.waiter.is_alive():
                if part.was_ready:
                    self.say(f"The {part.name} is ready again.")
                part.ready = part.was_ready = True
            return
        part.process = None
        if not part.was_ready:
            raise NeverReady(f"The {part.name} did not start.")
        if now - part.started > STEADY_SECONDS:
            part.pause = FIRST_PAUSE
        ended = f"was killed by signal {-code}" if code < 0 else f"ended with code {code}"
        self.say(f"The {part.name} {ended}. Starting it again in {part.pause:g} seconds.")
        part.ready = False
        part.next_start = now + part.pause
        part.pause = min(part.pause * 2, LONGEST_PAUSE)

    def _start(self, part: Part) -> None:
        part.started = time.monotonic()
        part.process = subprocess.Popen(  # noqa: S603 - our own command
            [*part.arguments, "--watch", str(self._watched)],
            stdin=subprocess.DEVNULL,
            pass_fds=[*part.pass_fds, self._watched],
            # Of its own session: Ctrl-C reaches only the supervisor, which then stops its parts in order.
            start_new_session=True,
        )
        if part.waiter is None or not part.waiter.is_alive():
            part.waiter = threading.Thread(target=part.until_ready, name=f"wait for the {part.name}", daemon=True)
            part.waiter.start()

    def _stop_all(self) -> None:
        running = [part.process for part in self.parts if part.process is not None]
        for process in running:
            process.terminate()
        end = time.monotonic() + STOP_SECONDS
        for process in running:
            try:
                process.wait(max(0.0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def end_with_supervisor(watched: int) -> None:
    """In a part: stop like on a signal when the supervisor's pipe ends, and for certain a few seconds later."""

    def watch() -> None:
        while os.read(watched, 1):
            pass
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(STOP_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, name="watch the supervisor", daemon=True).start()


def python_command(*arguments: str) -> list[str]:
    """This same installation, as a process of its own."""
    return [sys.executable, "-m", "bailiwick.cli", *arguments]
