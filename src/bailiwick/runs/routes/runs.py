"""Runs over HTTP, and how Spark is."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response

from bailiwick.problems import PROBLEMS
from bailiwick.runs import service
from bailiwick.runs.models import RunState
from bailiwick.runs.readiness import spark_readiness
from bailiwick.runs.schemas.runs import LogOut, RunDetailOut, RunLineageOut, RunsOut, SparkOut
from bailiwick.runs.schemas.triggers import SubjectType
from bailiwick.tenancy.calling import Changing, Reading
from bailiwick.tenancy.listing import PLAIN, Cursor, Limit, RunSort, Search

router = APIRouter(prefix="/api/v1", tags=["runs"], responses=PROBLEMS)


@router.get("/runs", summary="List runs")
def list_runs(
    call: Reading,
    state: Annotated[set[RunState] | None, Query(description="One or more states.")] = None,
    kind: Annotated[str | None, Query(max_length=40, pattern=PLAIN)] = None,
    subject_type: SubjectType | None = None,
    subject_id: UUID | None = None,
    project_id: UUID | None = None,
    trigger_id: UUID | None = None,
    mine: Annotated[bool, Query(description="Only those you started.")] = False,
    looks: Annotated[
        bool, Query(description="Also samples, lists of versions, tests and dry runs. A kind that is named is told.")
    ] = False,
    search: Annotated[
        Search, Query(description="Part of the name of what ran. `Deliveries #3` is the third run of Deliveries.")
    ] = None,
    sort: RunSort = "-created",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> RunsOut:
    """Runs of what you may see, newest first; queries are seen by who asked them only."""
    page = service.list_runs(
        call.session,
        call.caller,
        states=state or (),
        kind=kind,
        subject_type=subject_type,
        subject_id=subject_id,
        project_id=project_id,
        trigger_id=trigger_id,
        mine=mine,
        looks=looks or kind is not None,
        search=search,
        sort=sort,
        cursor=cursor,
        limit=limit,
    )
    return RunsOut.of(page)


@router.get("/runs/{run_id}", summary="Look at a run")
def get_run(call: Reading, run_id: UUID) -> RunDetailOut:
    return RunDetailOut.of(service.get_run(call.session, call.caller, run_id))


@router.get("/runs/{run_id}/log", summary="Read a run's log, oldest line first")
def read_log(call: Reading, run_id: UUID, cursor: Cursor = None, limit: Limit = 50) -> LogOut:
    return LogOut.of(service.read_log(call.session, call.caller, run_id, cursor=cursor, limit=limit))


@router.get("/runs/{run_id}/lineage", summary="See which columns went where")
def get_lineage(call: Reading, run_id: UUID) -> RunLineageOut:
    """Told by the latest run of its subject, of tables you may see."""
    return RunLineageOut.of(service.get_lineage(call.session, call.caller, run_id))


@router.post("/runs/{run_id}/cancel", summary="Cancel a run")
def cancel_run(call: Changing, run_id: UUID, response: Response) -> RunDetailOut:
    """What waits is over at once. What is being worked on stops within a second or so: 202, and its state tells."""
    seen = service.cancel_run(call.session, call.caller, run_id)
    response.status_code = 202 if seen.run.state == RunState.RUNNING else 200
    return RunDetailOut.of(seen)


@router.post("/runs/{run_id}/again", summary="Run it again, as a new run", status_code=201)
def run_again(call: Changing, run_id: UUID, response: Response) -> RunDetailOut:
    seen = service.run_again(call.session, call.caller, run_id)
    response.headers["Location"] = f"/api/v1/runs/{seen.run.id}"
    return RunDetailOut.of(seen)


@router.delete("/runs/{run_id}", summary="Delete a run that has ended", status_code=204)
def delete_run(call: Changing, run_id: UUID) -> None:
    """With its log and its result. What the audit says of it stays."""
    service.delete_run(call.session, call.caller, run_id)


@router.get("/spark", summary="Whether Spark is ready")
def get_spark(call: Reading) -> SparkOut:
    """While it starts, everything that needs no Spark works, and what needs it waits."""
    with_problem = call.caller.on_tenant("See settings").allowed
    return SparkOut.of(spark_readiness(call.session), with_problem=with_problem)
