"""Runs, triggers and the tenant's notification channels, called as every kind of member."""
# ruff: noqa: E501 - a table is read by its columns

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from bailiwick.database.base import utc_now
from bailiwick.runs.models import RunState, Trigger, TriggerKind
from bailiwick.runs.queue import enqueue
from bailiwick.tenancy.models import Member
from tests.lakehouse.making import levels_on_raw, make_layer, make_pipeline, make_table

BODIES: dict[str, Any] = {
    "trigger": {"subject": {"type": "pipeline", "id": "{run_pipeline}"}, "cron": "30 6 * * *", "time_zone": "UTC"},
    "cron": {"cron": "0 7 * * *"},
}

# B, T and P are Viewer, Editor and Manager on what the pipeline reads and writes; N and V have nothing there.
ROUTES = """
method path                                                          body             A   S   N   V   B   T   P   D   O   R   C
GET    /api/v1/runs                                                  -               401 401 200 200 200 200 200 200 200 200 403
GET    /api/v1/runs/events                                           -               401 401 200 200 200 200 200 200 200 200 403
GET    /api/v1/runs/{ended_run}                                      -               401 401 404 404 200 200 200 200 200 200 403
GET    /api/v1/runs/{ended_run}/log                                  -               401 401 404 404 200 200 200 200 200 200 403
GET    /api/v1/runs/{ended_run}/lineage                              -               401 401 404 404 200 200 200 200 200 200 403
GET    /api/v1/runs/{ended_run}/events                               -               401 401 404 404 200 200 200 200 200 200 403
POST   /api/v1/runs/{queued_run}/cancel                              -               401 401 404 404 403 200 200 200 200 403 403
POST   /api/v1/runs/{ended_run}/again                                -               401 401 404 404 403 201 201 201 201 403 403
DELETE /api/v1/runs/{ended_run}                                      -               401 401 404 404 403 403 403 204 204 403 403
GET    /api/v1/spark                                                 -               401 401 200 200 200 200 200 200 200 200 403
GET    /api/v1/triggers                                              -               401 401 200 200 200 200 200 200 200 200 403
POST   /api/v1/triggers                                              trigger         401 401 404 404 403 201 201 201 201 403 403
GET    /api/v1/triggers/preview?cron=0+6+*+*+*                       -               401 401 200 200 200 200 200 200 200 200 403
GET    /api/v1/triggers/{trigger}                                    -               401 401 404 404 200 200 200 200 200 200 403
PATCH  /api/v1/triggers/{trigger}                                    cron            401 401 404 404 403 200 200 200 200 403 403
DELETE /api/v1/triggers/{trigger}                                    -               401 401 404 404 403 204 204 204 204 403 403
POST   /api/v1/triggers/{trigger}/pause                              -               401 401 404 404 403 200 200 200 200 403 403
POST   /api/v1/triggers/{trigger}/resume                             -               401 401 404 404 403 200 200 200 200 403 403
GET    /api/v1/tenant/notifications                                  -               401 401 403 403 403 403 403 200 200 200 403
PATCH  /api/v1/tenant/notifications/run_failed                       channel         401 401 403 403 403 403 403 200 200 403 403
GET    /api/v1/tenant/notifications/run_failed/receivers             -               401 401 403 403 403 403 403 200 200 200 403
PUT    /api/v1/tenant/notifications/run_failed/receivers/{target}    -               401 401 403 403 403 403 403 204 204 403 403
DELETE /api/v1/tenant/notifications/run_failed/receivers/{target}    -               401 401 403 403 403 403 403 204 204 403 403
"""


def prepare(session: Session, people: dict[str, Member]) -> dict[str, Any]:
    """A pipeline on the layer raw, with a run that has ended, one that waits, and a trigger."""
    levels_on_raw(session, people)
    owner = people["P"]
    table = make_table(session, "runs_read_this")
    pipeline = make_pipeline(
        session, "Every morning", owner, reads=[table], output_layer=make_layer(session), output_name="run_result"
    )
    of_it: dict[str, Any] = {
        **{"kind": "pipeline_query", "subject_type": "pipeline", "subject_id": pipeline.id},
        **{"subject_name": pipeline.name, "acts_as": owner, "started_by": people["target"]},
    }
    ended, queued = enqueue(session, **of_it), enqueue(session, **of_it)
    ended.state, ended.ended_at = RunState.SUCCEEDED, utc_now()
    trigger = Trigger(
        **{"subject_type": "pipeline", "subject_id": pipeline.id, "kind": TriggerKind.CRON, "cron": "0 6 * * *"},
        saved_by_id=owner.id,
    )
    session.add(trigger)
    session.flush()
    return {"run_pipeline": pipeline, "ended_run": ended, "queued_run": queued, "trigger": trigger}
