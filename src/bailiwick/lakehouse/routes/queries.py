"""Queries over HTTP: asked, waited for, looked at in pages, downloaded. A read-only token may ask; one for chosen
tables reaches these."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import FileResponse, StreamingResponse
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool

from bailiwick.database.paging import read_cursor
from bailiwick.errors import Invalid
from bailiwick.lakehouse.queries import adhoc, results
from bailiwick.lakehouse.schemas.queries import NewQuery, QueriesOut, QueryOut, RowsOut
from bailiwick.problems import PROBLEMS
from bailiwick.runs.asking import Wait, ask
from bailiwick.runs.models import ENDED, Run, RunState
from bailiwick.settings import Settings
from bailiwick.tenancy.calling import ReadingTablesAsOneself, asking
from bailiwick.tenancy.listing import Cursor, Limit, Search, SortByAge

router = APIRouter(prefix="/api/v1/queries", tags=["queries"], responses=PROBLEMS)

FIRST_PAGE = 100
MOST_ON_A_PAGE = 10_000
Format = Literal["csv", "parquet", "xlsx"]
MEDIA: dict[Format, str] = {
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
PageSize = Annotated[int, Query(ge=1, le=MOST_ON_A_PAGE, description="How many rows at most.")]


@router.post("", summary="Ask a query", responses={202: {"model": QueryOut}})
async def ask_query(request: Request, body: NewQuery, response: Response, wait: Wait = 10) -> QueryOut:
    """It runs as you, and reads what you may read, or nothing. Ended within the wait, the answer holds the first rows,
    or the problem; otherwise it is 202, and the query goes on."""
    run = await ask(
        request, lambda call: adhoc.ask(call.session, call.caller, body.sql, limit=body.limit), wait, asking
    )
    return await answered(request, run, response)


async def answered(request: Request, run: Run, response: Response) -> QueryOut:
    """The query as far as it came, with its first rows if it has ended well."""
    if run.state not in ENDED:
        response.status_code = 202
        return QueryOut.of(run)
    settings: Settings = request.app.state.settings
    return await run_in_threadpool(_with_first_page, run, settings)


def _with_first_page(run: Run, settings: Settings) -> QueryOut:
    if run.state != RunState.SUCCEEDED or run.result is None:
        return QueryOut.of(run)
    result = results.Result(adhoc.folder_of(settings, run), run.result)
    try:
        return QueryOut.of(run, RowsOut.of(result, 0, results.page(result, 0, FIRST_PAGE)))
    except results.TooLargeToShow as error:  # the query went well
        return QueryOut.of(run, note=str(error))


@router.get("", summary="List the queries you asked, the latest first")
def list_queries(
    call: ReadingTablesAsOneself,
    search: Annotated[Search, Query(description="Part of the statement.")] = None,
    sort: SortByAge = "-created",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> QueriesOut:
    found = adhoc.list_queries(call.session, call.caller, search=search, sort=sort, cursor=cursor, limit=limit)
    return QueriesOut.of(found)


@router.get("/{query_id}", summary="Look at a query you asked")
def get_query(call: ReadingTablesAsOneself, query_id: UUID) -> QueryOut:
    """Nobody sees the queries of others. To wait for its end, see `GET /api/v1/runs/{run_id}`."""
    return QueryOut.of(adhoc.get_query(call.session, call.caller, query_id))


@router.get("/{query_id}/rows", summary="Read rows of a query's result")
def get_rows(
    call: ReadingTablesAsOneself, query_id: UUID, cursor: Cursor = None, limit: PageSize = FIRST_PAGE
) -> RowsOut:
    """For whoever asked it, as long as it is kept; 409 when it has not succeeded, or is no longer kept."""
    result = adhoc.result_of(call.session, call.caller, query_id, call.settings)
    offset = _offset(cursor)
    return RowsOut.of(result, offset, results.page(result, offset, limit))


@router.get(
    "/{query_id}/download",
    summary="Download a query's result",
    response_class=Response,
    responses={200: {"content": {media.partition(";")[0]: {} for media in MEDIA.values()}}},
)
def download(
    call: ReadingTablesAsOneself,
    query_id: UUID,
    format_: Annotated[Format, Query(alias="format")] = "csv",
    escape_formulas: Annotated[
        bool,
        Query(description="In CSV, put an apostrophe before text that a spreadsheet would take for a formula."),
    ] = True,
) -> Response:
    result = adhoc.result_of(call.session, call.caller, query_id, call.settings)
    named = {"Content-Disposition": f'attachment; filename="query-{query_id}.{format_}"'}
    if format_ == "csv":
        lines = results.as_csv(result, escape_formulas=escape_formulas)
        return StreamingResponse(lines, media_type=MEDIA["csv"], headers=named)
    call.settings.results_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=call.settings.results_folder, suffix=f".{format_}", delete=False) as made:
        file = Path(made.name)
    try:
        (results.to_parquet if format_ == "parquet" else results.to_excel)(result, file)
    except BaseException:
        file.unlink(missing_ok=True)
        raise
    remove = BackgroundTask(file.unlink, missing_ok=True)
    return FileResponse(file, media_type=MEDIA[format_], headers=named, background=remove)


def _offset(cursor: str | None) -> int:
    read = read_cursor(cursor, 1)
    if read is None:
        return 0
    if not read[0].isdecimal() or len(read[0]) > 15:
        raise Invalid("cursor", "This is not a cursor of this result.", "Leave it out to start from the beginning.")
    return int(read[0])
