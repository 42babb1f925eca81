"""Histories over HTTP."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Response
from sqlalchemy.orm import Session

from bailiwick.lakehouse import histories, pipelines
from bailiwick.lakehouse.models import PipelineKind
from bailiwick.lakehouse.pipelines import SeenPipeline
from bailiwick.lakehouse.routes.pipelines import add_common
from bailiwick.lakehouse.schemas.histories import HistoriesOut, HistoryChange, HistoryOut, NewHistory
from bailiwick.problems import PROBLEMS
from bailiwick.tenancy.calling import Changing, Reading
from bailiwick.tenancy.listing import Cursor, Limit, PartOfName, Sort
from bailiwick.tenancy.versions import IfMatch, tag

router = APIRouter(prefix="/api/v1/histories", tags=["histories"], responses=PROBLEMS)


@router.get("", summary="List histories, by name")
def list_histories(
    call: Reading,
    search: PartOfName = None,
    sort: Sort = "name",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> HistoriesOut:
    page = pipelines.list_pipelines(
        call.session, call.caller, PipelineKind.HISTORY, search=search, sort=sort, cursor=cursor, limit=limit
    )
    of = histories.inputs_of(call.session, [seen.pipeline for seen in page.items])
    items = [HistoryOut.of(seen, of[seen.pipeline.id]) for seen in page.items]
    return HistoriesOut(items=items, next_cursor=page.next_cursor)


@router.post("", summary="Add a history of a table", status_code=201)
def add_history(call: Changing, body: NewHistory, response: Response) -> HistoryOut:
    """Needs Editor on the output layer and on the table. Each run takes a snapshot: what changed, what is new and what
    is gone since the last one."""
    said = body.model_dump(exclude={"name", "description"})
    seen = histories.add(
        call.session, call.caller, name=body.name, description=body.description, draft=histories.Draft(**said)
    )
    response.headers["Location"] = f"/api/v1/histories/{seen.pipeline.id}"
    return _answer(call.session, response, seen)


@router.get("/{pipeline_id}", summary="Look at a history")
def get_history(call: Reading, pipeline_id: UUID, response: Response) -> HistoryOut:
    seen = pipelines.get_pipeline(call.session, call.caller, pipeline_id, PipelineKind.HISTORY)
    return _answer(call.session, response, seen)


@router.patch("/{pipeline_id}", summary="Edit a history")
def edit_history(
    call: Changing, pipeline_id: UUID, body: HistoryChange, response: Response, if_match: IfMatch = None
) -> HistoryOut:
    seen = histories.edit(call.session, call.caller, pipeline_id, body.changes(), if_match=if_match)
    return _answer(call.session, response, seen)


def _show(session: Session, seen: SeenPipeline) -> HistoryOut:
    return HistoryOut.of(seen, histories.inputs_of(session, [seen.pipeline])[seen.pipeline.id])


def _answer(session: Session, response: Response, seen: SeenPipeline) -> HistoryOut:
    tag(response, seen.pipeline.version)
    return _show(session, seen)


add_common(router, PipelineKind.HISTORY, HistoryOut, _show, "a history")
