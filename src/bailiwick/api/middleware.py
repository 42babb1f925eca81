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

log = structlog.get_logger(__name__)

GOOD_REQUEST_ID = re.compile(r"[\x21-\x7e]{1,200}")  # what a caller sends is given back as it is
LONGEST_KEPT = 64
LARGEST_BODY = 1024 * 1024
TOO_LARGE = "The request is larger than 1 MiB. Send less at once."
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": "frame-ancestors 'none'",
}


class AroundEveryRequest:
    """Plain ASGI, because it is on the way of every request."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

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
        started = time.perf_counter()

        async def receive_within_limit() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > LARGEST_BODY:
                raise HTTPException(413, TOO_LARGE)
            return message

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                sent = MutableHeaders(scope=message)
                sent["X-Request-Id"] = answered
                for name, value in HEADERS.items():
                    sent.setdefault(name, value)
                if scope["path"].startswith(("/api/", "/access/")):
                    sent.setdefault("Cache-Control", "no-store")
            await send(message)

        with logs.request(request_id):
            try:
                if _announces_too_much(headers):
                    await errors.problem(request, 413, TOO_LARGE)(scope, receive, send_with_headers)
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


def _announces_too_much(headers: Headers) -> bool:
    announced = headers.get("Content-Length", "")
    return announced.isdecimal() and int(announced[:20]) > LARGEST_BODY
