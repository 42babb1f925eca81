"""How the platform is: whether it lives, whether it can answer, and numbers for Prometheus that are about nobody."""

from __future__ import annotations

from datetime import timedelta

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from pydantic import BaseModel

from bailiwick.database import migrate
from bailiwick.database.engine import Database, DatabaseUnavailable
from bailiwick.notify.service import queue_length

router = APIRouter(tags=["health"])

LONG_WAIT = timedelta(minutes=1)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Metrics:
    """The numbers of one app. Routes are named by their template, so that no id of anything becomes a label."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        labels = ("route", "method", "status")
        self._requests = Counter("bailiwick_requests", "Requests answered.", labels, registry=self.registry)
        self._seconds = Histogram(
            "bailiwick_request_seconds", "How long requests took.", ("route", "method"), registry=self.registry
        )
        self._decisions = Counter(
            "bailiwick_decisions", "Members' requests, by what was decided.", ("outcome",), registry=self.registry
        )
        self._queue = Gauge(
            "bailiwick_email_queue", "E-mails that have waited for more than a minute.", registry=self.registry
        )

    def count(self, request: Request, status: int, seconds: float) -> None:
        route = getattr(request.scope.get("route"), "path", "none")
        method = request.method if request.method in METHODS else "other"
        self._requests.labels(route, method, str(status)).inc()
        self._seconds.labels(route, method).observe(seconds)
        # What one may not see counts like what is not there, or the count would tell them apart.
        if getattr(request.state, "refused", False) or (hasattr(request.state, "caller") and status == 404):
            self._decisions.labels("refused").inc()
        elif hasattr(request.state, "caller") and 200 <= status < 400:
            self._decisions.labels("allowed").inc()

    def write(self, database: Database) -> bytes:
        try:
            with database.read() as session:
                # Not the newest: one that appears when a link is asked for would tell that there is such an account.
                self._queue.set(queue_length(session, older_than=LONG_WAIT))
        except DatabaseUnavailable:
            self._queue.set(float("nan"))  # Not known just now; the other numbers are.
        return generate_latest(self.registry)


class Health(BaseModel):
    status: str
    detail: str = ""


@router.get("/healthz", summary="Whether the process lives")
async def is_alive() -> Health:
    return Health(status="ok")


@router.get("/readyz", summary="Whether the database answers and has this version's shape")
def is_ready(request: Request, response: Response) -> Health:
    problem = _what_is_missing(request)
    if problem:
        response.status_code = 503
        response.headers["Retry-After"] = "5"
        return Health(status="not ready", detail=problem)
    return Health(status="ok")


@router.get("/metrics", summary="Numbers for Prometheus", response_class=Response)
def see_metrics(request: Request) -> Response:
    metrics: Metrics = request.app.state.metrics
    return Response(metrics.write(request.app.state.database), headers={"Content-Type": CONTENT_TYPE_LATEST})


def _what_is_missing(request: Request) -> str:
    database: Database = request.app.state.database
    if not database.is_ready():
        return "The database does not answer."
    # Reading the migrations takes a while, and what has once been applied stays.
    if not getattr(request.app.state, "is_migrated", False):
        try:
            request.app.state.is_migrated = migrate.is_current(database.engine)
        except DatabaseUnavailable:
            return "The database does not answer."
        except migrate.MigrationError as error:
            return str(error)
        if not request.app.state.is_migrated:
            return "The database has to be migrated: run bailiwick up."
    return ""
