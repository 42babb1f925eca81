"""Lakehouse destinations over HTTP."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Request, Response
from sqlalchemy.orm import Session

from bailiwick.lakehouse import pipelines
from bailiwick.lakehouse.destinations import service as destinations
from bailiwick.lakehouse.models import PipelineKind
from bailiwick.lakehouse.pipelines import SeenPipeline
from bailiwick.lakehouse.routes.pipelines import add_common
from bailiwick.lakehouse.schemas.destinations import (
    DestinationChange,
    DestinationOut,
    DestinationsOut,
    NewDestination,
    TriedOut,
)
from bailiwick.problems import PROBLEMS
from bailiwick.runs.asking import Wait, ask
from bailiwick.runs.models import ENDED, RunState
from bailiwick.tenancy.calling import Changing, Reading
from bailiwick.tenancy.listing import Cursor, Limit, PartOfName, Sort
from bailiwick.tenancy.versions import IfMatch, tag

router = APIRouter(prefix="/api/v1/lakehouse-destinations", tags=["lakehouse destinations"], responses=PROBLEMS)


@router.get("", summary="List lakehouse destinations, by name")
def list_destinations(
    call: Reading,
    search: PartOfName = None,
    sort: Sort = "name",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> DestinationsOut:
    page = pipelines.list_pipelines(
        call.session, call.caller, PipelineKind.DESTINATION, search=search, sort=sort, cursor=cursor, limit=limit
    )
    of = destinations.inputs_of(call.session, [seen.pipeline for seen in page.items])
    items = [DestinationOut.of(seen, of[seen.pipeline.id]) for seen in page.items]
    return DestinationsOut(items=items, next_cursor=page.next_cursor)


@router.post("", summary="Add a lakehouse destination", status_code=201)
def add_destination(call: Changing, body: NewDestination, response: Response) -> DestinationOut:
    """Needs Editor on the table and, for a file, on the volume."""
    seen = destinations.add(
        call.session,
        call.caller,
        name=body.name,
        description=body.description,
        table_id=body.table_id,
        columns=body.columns,
        target=body.target,
        secret=body.secret.get_secret_value() if body.secret else None,
    )
    response.headers["Location"] = f"/api/v1/lakehouse-destinations/{seen.pipeline.id}"
    return _answer(call.session, response, seen)


@router.get("/{pipeline_id}", summary="Look at a lakehouse destination")
def get_destination(call: Reading, pipeline_id: UUID, response: Response) -> DestinationOut:
    seen = pipelines.get_pipeline(call.session, call.caller, pipeline_id, PipelineKind.DESTINATION)
    return _answer(call.session, response, seen)


@router.patch("/{pipeline_id}", summary="Edit a lakehouse destination")
def edit_destination(
    call: Changing, pipeline_id: UUID, body: DestinationChange, response: Response, if_match: IfMatch = None
) -> DestinationOut:
    """When it leads elsewhere, its secret is forgotten: enter it again."""
    changes = body.model_dump(exclude_unset=True, exclude={"target", "secret"})
    if body.secret is not None:
        changes["secret"] = body.secret.get_secret_value()
    seen = destinations.edit(call.session, call.caller, pipeline_id, changes, target=body.target, if_match=if_match)
    return _answer(call.session, response, seen)


@router.post(
    "/{pipeline_id}/test", summary="Try whether a lakehouse destination answers", responses={202: {"model": TriedOut}}
)
async def try_destination(request: Request, pipeline_id: UUID, response: Response, wait: Wait = 20) -> TriedOut:
    """Nothing is sent. For who may edit it."""
    run = await ask(request, lambda call: destinations.try_out(call.session, call.caller, pipeline_id), wait)
    if run.state not in ENDED:
        response.status_code = 202
        return TriedOut(run_id=run.id, state=run.state, ok=None, says="")
    ok = run.state == RunState.SUCCEEDED
    says = (run.result or {}).get("says", "") if ok else (run.problem or {}).get("message", "")
    return TriedOut(run_id=run.id, state=run.state, ok=ok, says=says)


def _show(session: Session, seen: SeenPipeline) -> DestinationOut:
    return DestinationOut.of(seen, destinations.inputs_of(session, [seen.pipeline])[seen.pipeline.id])


def _answer(session: Session, response: Response, seen: SeenPipeline) -> DestinationOut:
    tag(response, seen.pipeline.version)
    return _show(session, seen)


add_common(router, PipelineKind.DESTINATION, DestinationOut, _show, "a lakehouse destination")
