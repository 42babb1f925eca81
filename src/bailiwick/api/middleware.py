"""Around every request: its id, a limit on its size, headers that keep browsers careful, one log line, the metrics."""

from __future__ import annotations

import re
import time
from urllib.parse import quote
from uuid import uuid4

import structlog
from fastapi import HTTPException, Request
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bailiwick import logs
from bailiwick.api import errors
from bailiwick.api.health import Metrics
from bailiwick.tenancy.viewing import VIEWING_AS_HEADER

log = structlog.get_logger(__name__)

GOOD_REQUEST_ID = re.compile(r"[\x21-\x7e]{1,200}")  # what a caller sends is given back as it is
LONGEST_KEPT = 64
MEBIBYTE = 1024 * 1024
LARGEST_BODY = MEBIBYTE
# A file that is put into a volume is no request that anybody has to hold in memory.
FILES = re.compile(r"/api/v1/volumes/[^/]+/files/.+")
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": "frame-ancestors 'none'",
}


class AroundEveryRequest:
    """Plain ASGI, because it is on the way of every request."""

    def __init__(self, app: ASGIApp, metrics: Metrics, largest_file: int = LARGEST_BODY) -> None:
        self.app = app
        self.metrics = metrics
        self.largest_file = largest_file

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        given = headers.get("X-Request-Id", "")
        answered = given if GOOD_REQUEST_ID.fullmatch(given) else uuid4().hex
        request_id = answered[:LONGEST_KEPT]
        request = Request(scope)
        request.state.request_id = request_id
        status, read = 0, 0
        most = self.largest_file if scope["method"] == "PUT" and FILES.fullmatch(scope["path"]) else LARGEST_BODY
        too_large = f"The request is larger than {most // MEBIBYTE} MiB. Send less at once."
        started = time.perf_counter()

        async def receive_within_limit() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:
                raise HTTPException(413, too_large)
            return message

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                sent = MutableHeaders(scope=message)
                sent["X-Request-Id"] = answered
                if (viewed := getattr(request.state, "viewing_as", None)) is not None:
                    sent[VIEWING_AS_HEADER] = str(viewed)
                for name, value in HEADERS.items():
                    sent.setdefault(name, value)
                if scope["path"].startswith(("/api/", "/access/")):
                    sent.setdefault("Cache-Control", "no-store")
            await send(message)

        with logs.request(request_id):
            try:
                if _announces_more_than(most, headers):
                    await errors.problem(request, 413, too_large)(scope, receive, send_with_headers)
                else:
                    await self.app(scope, receive_within_limit, send_with_headers)
            except Exception as error:
                if status:
                    raise  # Half an answer is out; the connection has to break.
                await errors.bug(request, error)(scope, receive, send_with_headers)
            finally:
                seconds = time.perf_counter() - started
                self.metrics.count(request, status, seconds)
                log.info(
                    "request",
                    method=scope["method"],
                    path=quote(scope["path"], errors="replace"),  # as it came: a log is read in a terminal
                    status=status,
                    milliseconds=round(seconds * 1000, 1),
                )


def _announces_more_than(most: int, headers: Headers) -> bool:
    announced = headers.get("Content-Length", "")
    return announced.isdecimal() and int(announced[:20]) > most
