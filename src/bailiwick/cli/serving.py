"""One API process: a bound socket, the database brought up to date, and uvicorn until told to stop."""

from __future__ import annotations

import errno
import signal
import socket
import time
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from typing import TYPE_CHECKING

from bailiwick.cli.failures import Failure
from bailiwick.cli.home import opened_database, require_tenant

if TYPE_CHECKING:
    from bailiwick.settings import Settings

BACKLOG = 2048
GRACE_SECONDS = 5


def listen(settings: Settings, patience: float = 0.0) -> socket.socket:
    """A socket that listens where the settings say; a port still in use is waited for, for a moment."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    end = time.monotonic() + patience
    while True:
        try:
            listener = socket.create_server((settings.host, settings.port), family=family, backlog=BACKLOG)
        except OSError as error:
            if error.errno == errno.EADDRINUSE and time.monotonic() < end:
                time.sleep(0.1)
                continue
            raise _explain(error, settings) from None
        # Connections inherit it. Without it, an answer on a kept connection waits 40 ms for the last one's receipt.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listener


def until_ready(listener: socket.socket) -> None:
    """Wait until the API behind this socket says that it can answer.

    Its requests wait in the socket's queue while the API starts, so there is one at a time and it may take long."""
    host, port = listener.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104 - compared, not bound
        host = "127.0.0.1" if listener.family == socket.AF_INET else "::1"
    while listener.fileno() >= 0:
        connection = HTTPConnection(host, port, timeout=60)
        try:
            connection.request("GET", "/readyz")
            if connection.getresponse().status == 200:
                return
        except (OSError, HTTPException):
            pass
        finally:
            connection.close()
        time.sleep(0.2)


def serve(settings: Settings, listener: socket.socket) -> None:
    """Answer requests until SIGINT or SIGTERM, then finish those that have begun."""
    import uvicorn

    from bailiwick.api.app import create_app
    from bailiwick.logs import configure_logs

    configure_logs(settings)
    # uvicorn raises the signal again when it has stopped; by then everything is done, and the exit code should say so.
    signal.signal(signal.SIGTERM, lambda *_: None)
    with opened_database(settings) as database:
        require_tenant(database)
        config = uvicorn.Config(
            create_app(settings, database),
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="on",
            proxy_headers=bool(settings.trusted_proxies),
            forwarded_allow_ips=[str(network) for network in settings.trusted_proxies],
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        server = uvicorn.Server(config)
        with suppress(KeyboardInterrupt):
            server.run(sockets=[listener])
        if not server.started:
            raise Failure("The API did not start; the log above says why.")


def _explain(error: OSError, settings: Settings) -> Failure:
    from bailiwick.settings import FILE_NAME

    where = f"{settings.host}:{settings.port}"
    if error.errno == errno.EADDRINUSE:
        return Failure(
            f"Port {settings.port} is in use by another program.",
            f"Stop that program, or choose another port for the platform, its links and its commands: "
            f"BAILIWICK_PORT={settings.port + 1} in the environment, or port = {settings.port + 1} in "
            f"{settings.home / FILE_NAME}",
            "Port in use",
        )
    if error.errno == errno.EACCES:
        return Failure(f"This user may not listen on {where}.", "Choose a port above 1023 with --port.", "Port refused")
    return Failure(
        f"Cannot listen on {where}: {error.strerror or error}.", "Correct the setting host.", "No such address"
    )
