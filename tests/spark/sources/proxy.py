"""A way to the tests' PostgreSQL over TCP, which Java needs, and which can break off when a test says so."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from sqlalchemy import URL


class Proxy:
    """Hands on what comes to its port. `break_after` bytes of answers, everything is cut."""

    def __init__(self, target: URL) -> None:
        self.target = target
        self.break_after: int | None = None
        self.connections = 0
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self._answered = 0
        self.port: int = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            self.connections += 1
            far = self._connect()
            self._open += [near, far]
            threading.Thread(target=self._hand_on, args=(near, far, False), daemon=True).start()
            threading.Thread(target=self._hand_on, args=(far, near, True), daemon=True).start()

    def _connect(self) -> socket.socket:
        folder = self.target.query.get("host")
        if folder:
            far = socket.socket(socket.AF_UNIX)
            far.connect(f"{folder}/.s.PGSQL.5432")
            return far
        return socket.create_connection((self.target.host or "127.0.0.1", self.target.port or 5432))

    def _hand_on(self, source: socket.socket, to: socket.socket, is_answer: bool) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if is_answer:
                    self._answered += len(data)
                    if self.break_after is not None and self._answered > self.break_after:
                        self.cut()
                        return
                to.sendall(data)
        for one in (source, to):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def cut(self) -> None:
        """Break every connection, as a server that falls over does."""
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._open.clear()

    def close(self) -> None:
        self._listening.close()
        self.cut()


@contextmanager
def proxy_to(target: URL) -> Iterator[Proxy]:
    proxy = Proxy(target)
    try:
        yield proxy
    finally:
        proxy.close()
