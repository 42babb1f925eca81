"""Saved queries over HTTP."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Request, Response

from bailiwick.lakehouse.queries import analysis as analysing
from bailiwick.lakehouse.queries import saved
from bailiwick.lakehouse.routes.analysed import Analysis, with_analysis
from bailiwick.lakehouse.routes.queries import answered
from bailiwick.lakehouse.schemas.pipelines import StartedOut
from bailiwick.lakehouse.schemas.queries import QueryOut
from bailiwick.lakehouse.schemas.saved_queries import (
    NewSavedQuery,
    RunLimit,
    SavedQueriesOut,
    SavedQueryChange,
    SavedQueryOut,
)
from bailiwick.problems import PROBLEMS
from bailiwick.runs.asking import Wait, ask
from bailiwick.runs.models import Run
from bailiwick.tenancy.calling import Call, Changing, Reading, asking_for_what_is_seen
from bailiwick.tenancy.listing import Cursor, Limit, PartOfName, Sort
from bailiwick.tenancy.versions import IfMatch, tag

router = APIRouter(prefix="/api/v1/saved-queries", tags=["saved queries"], responses=PROBLEMS)


@router.get("", summary="List saved queries, by name")
def list_saved_queries(
    call: Reading,
    search: PartOfName = None,
    sort: Sort = "name",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> SavedQueriesOut:
    """Your own, and those that others share, if you have Viewer on everything they read."""
    return SavedQueriesOut.of(
        saved.list_saved_queries(call.session, call.caller, search=search, sort=sort, cursor=cursor, limit=limit)
    )


@router.post("", summary="Save a query", status_code=201, responses={202: {"model": StartedOut}})
async def save_query(
    request: Request, body: NewSavedQuery, response: Response, wait: Wait = 30, analysis: Analysis = None
) -> SavedQueryOut | StartedOut:
    """Spark works out what it reads first. If that takes longer than the wait, nothing is saved yet and the answer is
    202: repeat the request with the run's id as `analysis`."""

    def asked(call: Call) -> Run:
        saved.refuse_taken_name(call.session, call.caller, body.name)
        return analysing.ask(call.session, call.caller, body.sql)

    def save(call: Call, run_id: UUID | None) -> SavedQueryOut:
        assert run_id is not None
        found = analysing.take(call.session, call.caller, run_id, body.sql)
        return _answer(
            response, saved.save(call.session, call.caller, **body.model_dump(exclude_none=True), analysis=found)
        )

    answer = await with_analysis(request, asked, save, wait, analysis)
    if isinstance(answer, Run):
        response.status_code = 202
        return StartedOut.of(answer)
    response.headers["Location"] = f"/api/v1/saved-queries/{answer.id}"
    return answer


@router.get("/{query_id}", summary="Look at a saved query")
def get_saved_query(call: Reading, query_id: UUID, response: Response) -> SavedQueryOut:
    return _answer(response, saved.get_saved_query(call.session, call.caller, query_id))


@router.patch("/{query_id}", summary="Change or share a saved query", responses={202: {"model": StartedOut}})
async def edit_saved_query(
    request: Request,
    query_id: UUID,
    body: SavedQueryChange,
    response: Response,
    wait: Wait = 30,
    analysis: Analysis = None,
    if_match: IfMatch = None,
) -> SavedQueryOut | StartedOut:
    """For its author. Another statement is analysed first, as when it is saved."""
    changes = body.changes()

    def asked(call: Call) -> Run | None:
        query, _ = saved.decided(call.session, call.caller, query_id, saved.EDIT)
        sql = changes.get("sql", query.sql)
        return None if sql == query.sql else analysing.ask(call.session, call.caller, sql)

    def save(call: Call, run_id: UUID | None) -> SavedQueryOut:
        found = analysing.take(call.session, call.caller, run_id, changes["sql"]) if run_id else None
        if found is None:
            changes.pop("sql", None)
        return _answer(response, saved.edit(call.session, call.caller, query_id, changes, found, if_match=if_match))

    answer = await with_analysis(request, asked, save, wait, analysis if "sql" in changes else None)
    if isinstance(answer, Run):
        response.status_code = 202
        return StartedOut.of(answer)
    return answer


@router.delete("/{query_id}", summary="Delete a saved query", status_code=204)
def delete_saved_query(call: Changing, query_id: UUID, if_match: IfMatch = None) -> None:
    """Its author; of a shared one also who has Editor on everything it reads."""
    saved.delete_saved_query(call.session, call.caller, query_id, if_match=if_match)


@router.post("/{query_id}/runs", summary="Run a saved query", responses={202: {"model": QueryOut}})
async def run_saved_query(
    request: Request, query_id: UUID, response: Response, body: RunLimit | None = None, wait: Wait = 10
) -> QueryOut:
    """As you, whoever wrote it; the answer is that of a query you ask."""
    most = body.limit if body else None
    run = await ask(
        request,
        lambda call: saved.run(call.session, call.caller, query_id, limit=most),
        wait,
        asking_for_what_is_seen,
    )
    return await answered(request, run, response)


def _answer(response: Response, seen: saved.SeenQuery) -> SavedQueryOut:
    tag(response, seen.query.version)
    return SavedQueryOut.of(seen)
