"""Tables over HTTP. What a token for chosen tables may do is asked for with `ReadingTables` and `ChangingTables`."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from bailiwick.errors import Conflict
from bailiwick.lakehouse import creating_tables, tables
from bailiwick.lakehouse.lineage import lineage_of
from bailiwick.lakehouse.schemas.lineage import LineageOut
from bailiwick.lakehouse.schemas.tables import DependentsOut, NewTable, NewTableOut, TableChange, TableOut, TablesOut
from bailiwick.problems import PROBLEMS
from bailiwick.runs.asking import Wait, ask
from bailiwick.runs.models import ENDED, Run, RunState
from bailiwick.tenancy.calling import Call, Changing, ChangingTables, Reading, ReadingTables, reading_tables
from bailiwick.tenancy.listing import Cursor, Limit, PartOfName, TableSort
from bailiwick.tenancy.versions import IfMatch, tag

router = APIRouter(prefix="/api/v1/tables", tags=["tables"], responses=PROBLEMS)

Steps = Annotated[int, Query(ge=0, le=10, description="How many steps to follow.")]


@router.get("", summary="List the tables you may see, by name")
def list_tables(
    call: ReadingTables,
    layer: Annotated[UUID | None, Query(description="Only those of this layer.")] = None,
    search: PartOfName = None,
    sort: TableSort = "name",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> TablesOut:
    page = tables.list_tables(
        call.session, call.caller, layer_id=layer, search=search, sort=sort, cursor=cursor, limit=limit
    )
    return TablesOut.of(page)


@router.post("", summary="Create an empty table in a layer", status_code=201, responses={202: {"model": NewTableOut}})
async def create_table(request: Request, body: NewTable, response: Response, wait: Wait = 20) -> NewTableOut:
    """A worker makes it. Within the wait, the answer holds the table; otherwise it is 202, and the run goes on."""
    columns = [column.model_dump() for column in body.columns]

    def asked(call: Call) -> Run:
        return creating_tables.ask_for_table(
            call.session, call.caller, body.layer, body.name, columns=columns, description=body.description
        )

    run = await ask(request, asked, wait)
    if run.state not in ENDED:
        response.status_code = 202
        return NewTableOut(run_id=run.id, state=RunState(run.state), table=None)
    if run.state != RunState.SUCCEEDED:
        told = run.problem or {}
        detail = told.get("message") or f"The run that was to make it ended {run.state}."
        raise Conflict(f"{detail} {told.get('fix', '')}".strip(), run_id=str(run.id))
    return await run_in_threadpool(_made, request, run, response)


def _made(request: Request, run: Run, response: Response) -> NewTableOut:
    with contextmanager(reading_tables)(request) as call:
        table = _answer(response, tables.get_table(call.session, call.caller, run.subject_id))
    response.headers["Location"] = f"/api/v1/tables/{table.id}"
    return NewTableOut(run_id=run.id, state=RunState.SUCCEEDED, table=table)


@router.get("/{table_id}", summary="Look at a table and its fields")
def get_table(call: ReadingTables, table_id: UUID, response: Response) -> TableOut:
    return _answer(response, tables.get_table(call.session, call.caller, table_id))


@router.patch("/{table_id}", summary="Change the descriptions of a table and its fields")
def edit_table(
    call: ChangingTables, table_id: UUID, body: TableChange, response: Response, if_match: IfMatch = None
) -> TableOut:
    changed = tables.edit_table(
        call.session,
        call.caller,
        table_id,
        description=body.description,
        fields=body.fields,
        if_match=if_match,
    )
    return _answer(response, changed)


@router.delete("/{table_id}", summary="Delete a table with its data")
def delete_table(
    call: Changing,
    table_id: UUID,
    confirm: Annotated[str | None, Query(max_length=200, description="The table's name.")] = None,
    if_match: IfMatch = None,
) -> DependentsOut:
    """Without the confirmation, 409 lists what depends on it; with it, the answer does."""
    held = tables.delete_table(call.session, call.caller, table_id, confirm=confirm, if_match=if_match)
    return DependentsOut.of(held.seen)


@router.get("/{table_id}/used-by", summary="See which pipelines and saved queries use a table")
def used_by(call: Reading, table_id: UUID) -> DependentsOut:
    """Those you may see."""
    return DependentsOut.of(tables.used_by(call.session, call.caller, table_id))


@router.get("/{table_id}/lineage", summary="See where a table's data comes from and goes to")
def lineage(call: Reading, table_id: UUID, up: Steps = 1, down: Steps = 1) -> LineageOut:
    """By table and column, as far as you may see."""
    return LineageOut.of(lineage_of(call.session, call.caller, table_id, up=up, down=down))


def _answer(response: Response, seen: tables.SeenTable) -> TableOut:
    tag(response, seen.table.version)
    return TableOut.of(seen)
