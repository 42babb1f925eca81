"""The API: the areas' routes, errors as problem+json, request ids, health and metrics."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from uuid import uuid4

import structlog
from fastapi import FastAPI, Request, Response

from bailiwick import __version__, logs
from bailiwick.api import errors
from bailiwick.database.engine import Database
from bailiwick.settings import Settings

log = structlog.get_logger(__name__)
GOOD_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


def create_app(settings: Settings, database: Database) -> FastAPI:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        database.close()

    app = FastAPI(
        title="Bailiwick",
        version=__version__,
        description="The governed data platform: everyone sees and does exactly what they may, and can ask why.",
        openapi_url="/api/v1/openapi.json",
        docs_url="/api/v1/docs",
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.settings = settings
    app.state.database = database
    errors.install(app)

    @app.middleware("http")
    async def with_request_id(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
        given = request.headers.get("X-Request-Id", "")
        request.state.request_id = given if GOOD_REQUEST_ID.fullmatch(given) else uuid4().hex
        started = time.perf_counter()
        with logs.request(request.state.request_id):
            response = await call_next(request)
            log.info(
                "request",
                method=request.method,
                path=request.url.path,
                status=response.status_code,
                milliseconds=round((time.perf_counter() - started) * 1000, 1),
            )
        response.headers["X-Request-Id"] = request.state.request_id
        return response

    return app
