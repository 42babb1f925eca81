"""The API: the areas' routes, errors as problem+json, request ids, health and metrics."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from typing import Any

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool

import bailiwick.areas  # noqa: F401 - ties the areas to the tenancy
from bailiwick import __version__
from bailiwick.api import errors, health, pages
from bailiwick.api.middleware import MEBIBYTE, AroundEveryRequest
from bailiwick.audit import routes as audit
from bailiwick.background import Background
from bailiwick.database.engine import Database
from bailiwick.lakehouse.routes import (
    completion,
    destinations,
    files,
    flow,
    grants,
    histories,
    integrations,
    layers,
    notebooks,
    pipeline_queries,
    queries,
    saved_queries,
    sources,
    tables,
    versions,
    volumes,
)
from bailiwick.notify.deliverer import Deliverer
from bailiwick.problems import PROBLEM
from bailiwick.projects import routes as projects
from bailiwick.questions import authzen
from bailiwick.questions import routes as questions
from bailiwick.requests import routes as requests
from bailiwick.runs.bell import hearing
from bailiwick.runs.routes import events, notifications, runs, triggers
from bailiwick.search import routes as search
from bailiwick.settings import Settings
from bailiwick.tenancy.last_seen import WRITE_SECONDS, LastSeen
from bailiwick.tenancy.routes import (
    groups,
    members,
    sessions,
    sign_in,
    tenant,
    tokens,
    viewing,
)


class Api(FastAPI):
    """The application, whose OpenAPI document says once what a problem looks like."""

    def openapi(self) -> dict[str, Any]:
        document = super().openapi()
        document["components"]["schemas"]["Problem"] = PROBLEM
        return document


def create_app(settings: Settings, database: Database) -> FastAPI:
    last_seen = LastSeen(database)
    deliverer = Deliverer(database, settings)
    background = Background("write last seen", last_seen.write, WRITE_SECONDS)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        deliverer.start()
        background.start()
        # As long as the API lives it hears of runs, so that nobody who waits for one has to begin with that.
        with ExitStack() as listening:
            await run_in_threadpool(listening.enter_context, hearing(database, (), lambda: None))
            yield
        deliverer.stop()
        background.stop()
        database.close()

    app = Api(
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
    largest_file = settings.upload_megabytes * MEBIBYTE
    app.add_middleware(AroundEveryRequest, metrics=app.state.metrics, largest_file=largest_file)
    app.include_router(health.router)
    app.include_router(sign_in.router)
    app.include_router(sessions.router)
    app.include_router(tokens.router)
    app.include_router(members.router)
    app.include_router(viewing.router)
    app.include_router(groups.router)
    app.include_router(tenant.router)
    app.include_router(projects.router)
    app.include_router(projects.of_members)
    app.include_router(layers.router)
    app.include_router(tables.router)
    app.include_router(volumes.router)
    app.include_router(files.router)
    app.include_router(grants.router)
    app.include_router(completion.router)
    app.include_router(flow.router)
    app.include_router(queries.router)
    app.include_router(saved_queries.router)
    app.include_router(sources.router)
    app.include_router(pipeline_queries.router)
    app.include_router(histories.router)
    app.include_router(destinations.router)
    app.include_router(notebooks.router)
    app.include_router(integrations.router)
    app.include_router(versions.tables)
    app.include_router(versions.layers)
    app.include_router(events.router)  # before the runs, one of which its address could be
    app.include_router(runs.router)
    app.include_router(triggers.router)
    app.include_router(notifications.router)
    app.include_router(requests.router)
    app.include_router(search.router)
    app.include_router(audit.router)
    app.include_router(questions.router)
    app.include_router(authzen.router)
    app.router.default = pages.serve
    return app
