"""How the workers are, and Spark in them, in words for whoever waits."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from bailiwick.database.base import utc_now
from bailiwick.runs.models import WorkerBeat

ALIVE = timedelta(seconds=30)
READY, STARTING, FAILED = "ready", "starting", "failed"


@dataclass(frozen=True)
class Readiness:
    state: str  # ready, starting, failed or none
    workers: int
    detail: str
    problem: str  # for those who look after the platform


def spark_readiness(session: Session) -> Readiness:
    """The best that any worker has to offer."""
    beats = session.scalars(select(WorkerBeat).where(WorkerBeat.seen_at > utc_now() - ALIVE)).all()
    states = {beat.spark for beat in beats}
    if READY in states:
        return Readiness(READY, len(beats), "Spark is ready.", "")
    if STARTING in states:
        doing = next((f" ({beat.problem})" for beat in beats if beat.spark == STARTING and beat.problem), "")
        said = f"Spark is still starting{doing}; what waits for it begins by itself."
        return Readiness(STARTING, len(beats), said, "")
    if FAILED in states:
        problem = next((beat.problem for beat in beats if beat.problem), "")
        return Readiness(FAILED, len(beats), "Spark did not start. It is tried again and again.", problem)
    return Readiness("none", 0, "No worker is running, so nothing that is queued begins.", "")


def why_it_waits(session: Session) -> str | None:
    """What to tell whoever waits for a run that has not begun; nothing where only its turn has yet to come."""
    found = spark_readiness(session)
    return None if found.state == READY else found.detail
