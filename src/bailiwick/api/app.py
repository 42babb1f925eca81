"""The API: the areas' routes, errors as problem+json, request ids, health and metrics."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

import bailiwick.areas  # noqa: F401 - ties the areas to the tenancy
from bailiwick import __version__
from bailiwick.api import errors, health, landing
from bailiwick.api.middleware import AroundEveryRequest
from bailiwick.audit import routes as audit
from bailiwick.background import Background
from bailiwick.database.engine import Database
from bailiwick.notify.deliverer import Deliverer
from bailiwick.projects import routes as projects
from bailiwick.questions import authzen
from bailiwick.questions import routes as questions
from bailiwick.settings import Settings
from bailiwick.tenancy.last_seen import WRITE_SECONDS, LastSeen
from bailiwick.tenancy.routes import (
    groups,
    members,
    sessions,
    sign_in,
    tenant,
    tokens,
)


def create_app(settings: Settings, database: Database) -> FastAPI:
    last_seen = LastSeen(database)
    deliverer = Deliverer(database, settings)
    background = Background("write last seen", last_seen.write, WRITE_SECONDS)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        deliverer.start()
        background.start()
        yield
        deliverer.stop()
        background.stop()
        database.close()

    app = FastAPI(
        title="Bailiwick",
        version=__version__,
        description="The governed data platform: everyone sees and does exactly what they may, and can ask why.",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,  # its page would fetch scripts from elsewhere
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.settings = settings
    app.state.database = database
    app.state.last_seen = last_seen
    app.state.metrics = health.Metrics()
    errors.install(app)
    app.add_middleware(AroundEveryRequest, metrics=app.state.metrics)
    app.include_router(health.router)
    app.include_router(landing.router)
    app.include_router(sign_in.router)
    app.include_router(sessions.router)
    app.include_router(tokens.router)
    app.include_router(members.router)
    app.include_router(groups.router)
    app.include_router(tenant.router)
    app.include_router(projects.router)
    app.include_router(audit.router)
    app.include_router(questions.router)
    app.include_router(authzen.router)
    return app
