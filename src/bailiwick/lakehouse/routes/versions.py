"""Samples and versions of tables over HTTP, and the maintenance of a layer's tables."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response

from bailiwick.lakehouse import maintenance, versions
from bailiwick.lakehouse.routes.queries import answered
from bailiwick.lakehouse.schemas.pipelines import StartedOut
from bailiwick.lakehouse.schemas.queries import QueryOut
from bailiwick.lakehouse.schemas.versions import MaintenanceIn, MaintenanceOut, ToVersion, VersionsOut
from bailiwick.problems import PROBLEMS
from bailiwick.runs.asking import Wait, ask
from bailiwick.runs.models import ENDED, RunState
from bailiwick.tenancy.calling import Changing, ChangingTables, Reading, asking
from bailiwick.tenancy.versions import IfMatch, tag

tables = APIRouter(prefix="/api/v1/tables", tags=["tables"], responses=PROBLEMS)
layers = APIRouter(prefix="/api/v1/layers", tags=["layers"], responses=PROBLEMS)


@tables.get("/{table_id}/sample", summary="See some rows of a table", responses={202: {"model": QueryOut}})
async def sample(
    request: Request,
    table_id: UUID,
    response: Response,
    rows: Annotated[int, Query(ge=1, le=1000)] = 20,
    version: Annotated[int | None, Query(ge=0, le=2**53, description="As it was in this version.")] = None,
    wait: Wait = 10,
) -> QueryOut:
    """The answer is that of a query you ask."""
    run = await ask(
        request,
        lambda call: versions.ask_sample(call.session, call.caller, table_id, rows=rows, version=version),
        wait,
        asking,
    )
    return await answered(request, run, response)


@tables.get("/{table_id}/versions", summary="List the versions of a table", responses={202: {"model": VersionsOut}})
async def list_versions(
    request: Request,
    table_id: UUID,
    response: Response,
    before: Annotated[int | None, Query(ge=0, le=2**53, description="Only versions before this one.")] = None,
    limit: Annotated[int, Query(ge=1, le=versions.MOST_VERSIONS)] = 50,
    wait: Wait = 10,
) -> VersionsOut:
    """The latest first, as far back as they are kept."""
    run = await ask(
        request,
        lambda call: versions.ask_versions(call.session, call.caller, table_id, before=before, limit=limit),
        wait,
        asking,
    )
    if run.state not in ENDED:
        response.status_code = 202
    found = (run.result or {}) if run.state == RunState.SUCCEEDED else {}
    return VersionsOut(run_id=run.id, state=run.state, items=found.get("versions"), more=found.get("more", False))


@tables.post("/{table_id}/restore", summary="Let a table be what it was in an earlier version", status_code=202)
def restore(call: ChangingTables, table_id: UUID, body: ToVersion) -> StartedOut:
    """For Editors. It becomes a new version, so it can be taken back; pipelines go on from where they are."""
    return StartedOut.of(versions.restore(call.session, call.caller, table_id, body.version))


@layers.get("/{layer_id}/maintenance", summary="See how a layer's tables are maintained")
def get_maintenance(call: Reading, layer_id: UUID, response: Response) -> MaintenanceOut:
    return _answer(response, maintenance.get_maintenance(call.session, call.caller, layer_id))


@layers.put("/{layer_id}/maintenance", summary="Set how a layer's tables are maintained")
def set_maintenance(
    call: Changing, layer_id: UUID, body: MaintenanceIn, response: Response, if_match: IfMatch = None
) -> MaintenanceOut:
    """For Managers. When it runs by itself is said by triggers on the layer; it acts as you then."""
    seen = maintenance.set_maintenance(call.session, call.caller, layer_id, body.model_dump(), if_match=if_match)
    return _answer(response, seen)


@layers.post("/{layer_id}/maintenance/runs", summary="Maintain a layer's tables now", status_code=202)
def start_maintenance(call: Changing, layer_id: UUID) -> StartedOut:
    return StartedOut.of(maintenance.start(call.session, call.caller, layer_id))


def _answer(response: Response, seen: maintenance.SeenMaintenance) -> MaintenanceOut:
    tag(response, seen.maintenance.version)
    return MaintenanceOut.of(seen)
