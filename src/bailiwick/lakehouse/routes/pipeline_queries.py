"""Pipeline queries over HTTP."""

from __future__ import annotations

from typing import Any, TypeVar
from uuid import UUID

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel
from sqlalchemy.orm import Session

from bailiwick.errors import Invalid
from bailiwick.lakehouse import pipelines
from bailiwick.lakehouse.models import Pipeline, PipelineKind
from bailiwick.lakehouse.pipelines import SeenPipeline
from bailiwick.lakehouse.queries import analysis as analysing
from bailiwick.lakehouse.queries import pipeline as queries
from bailiwick.lakehouse.routes.analysed import Analysis, with_analysis
from bailiwick.lakehouse.routes.pipelines import add_common
from bailiwick.lakehouse.schemas.pipeline_queries import (
    DryRunOut,
    NewPipelineQuery,
    PipelineQueriesOut,
    PipelineQueryChange,
    PipelineQueryOut,
    Statement,
)
from bailiwick.lakehouse.schemas.pipelines import StartedOut
from bailiwick.problems import PROBLEMS
from bailiwick.runs.asking import Wait
from bailiwick.runs.models import Run
from bailiwick.tenancy.calling import Call, Reading
from bailiwick.tenancy.listing import Cursor, Limit, PartOfName, Sort
from bailiwick.tenancy.versions import IfMatch, tag

Out = TypeVar("Out", bound=BaseModel)

router = APIRouter(prefix="/api/v1/pipeline-queries", tags=["pipeline queries"], responses=PROBLEMS)


@router.get("", summary="List pipeline queries, by name")
def list_pipeline_queries(
    call: Reading,
    search: PartOfName = None,
    sort: Sort = "name",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> PipelineQueriesOut:
    """Those whose inputs and output you all see."""
    page = pipelines.list_pipelines(
        call.session, call.caller, PipelineKind.QUERY, search=search, sort=sort, cursor=cursor, limit=limit
    )
    inputs = queries.inputs_of(call.session, [seen.pipeline for seen in page.items])
    items = [PipelineQueryOut.of(seen, inputs[seen.pipeline.id]) for seen in page.items]
    return PipelineQueriesOut(items=items, next_cursor=page.next_cursor)


@router.post("", summary="Add a pipeline query", status_code=201, responses={202: {"model": StartedOut}})
async def add_pipeline_query(
    request: Request, body: NewPipelineQuery, response: Response, wait: Wait = 30, analysis: Analysis = None
) -> PipelineQueryOut | StartedOut:
    """Needs Editor on the output layer and on everything it reads and writes. Spark analyses the statement first; if
    that takes longer than the wait, nothing is saved yet and the answer is 202: repeat the request with the run's id
    as `analysis`."""
    draft = _draft(body)

    def asked(call: Call) -> Run:
        queries.require_may_add(call.session, call.caller, body.name, draft)
        return analysing.ask(call.session, call.caller, body.sql, draft.writing(call.session))

    def save(call: Call, run_id: UUID | None) -> PipelineQueryOut:
        assert run_id is not None
        found = analysing.take(call.session, call.caller, run_id, body.sql)
        seen = queries.add(
            call.session, call.caller, name=body.name, description=body.description, draft=draft, analysis=found
        )
        response.headers["Location"] = f"/api/v1/pipeline-queries/{seen.pipeline.id}"
        return _answer(call.session, response, seen)

    return _or_started(response, await with_analysis(request, asked, save, wait, analysis))


@router.post(
    "/dry-run", summary="See what a pipeline query would read and write", responses={202: {"model": StartedOut}}
)
async def dry_run(
    request: Request, body: Statement, response: Response, wait: Wait = 30, analysis: Analysis = None
) -> DryRunOut | StartedOut:
    """Inputs, output, columns, and whether you may save it, each decision told. Nothing is read or written."""
    draft = _draft(body)

    def asked(call: Call) -> Run:
        pipelines.require_may_add(call.session, call.caller, draft.output_layer_id)
        return analysing.ask(call.session, call.caller, body.sql, draft.writing(call.session))

    def judge(call: Call, run_id: UUID | None) -> DryRunOut:
        assert run_id is not None
        pipelines.require_may_add(call.session, call.caller, draft.output_layer_id)
        found = analysing.take(call.session, call.caller, run_id, body.sql)
        return DryRunOut.of(queries.judge(call.session, call.caller, draft, found), run_id)

    return _or_started(response, await with_analysis(request, asked, judge, wait, analysis))


@router.get("/{pipeline_id}", summary="Look at a pipeline query")
def get_pipeline_query(call: Reading, pipeline_id: UUID, response: Response) -> PipelineQueryOut:
    seen = pipelines.get_pipeline(call.session, call.caller, pipeline_id, PipelineKind.QUERY)
    return _answer(call.session, response, seen)


@router.patch("/{pipeline_id}", summary="Edit a pipeline query", responses={202: {"model": StartedOut}})
async def edit_pipeline_query(
    request: Request,
    pipeline_id: UUID,
    body: PipelineQueryChange,
    response: Response,
    wait: Wait = 30,
    analysis: Analysis = None,
    if_match: IfMatch = None,
) -> PipelineQueryOut | StartedOut:
    """Needs Editor on what it reads and writes, before and after. Another statement, or another way of writing it, is
    analysed first."""
    changes = body.changes()
    if body.expectations is not None:
        changes["expectations"] = [one.stored() for one in body.expectations]

    def asked(call: Call) -> Run | None:
        pipeline, _ = pipelines.decided(call.session, call.caller, pipeline_id, pipelines.EDIT, PipelineKind.QUERY)
        draft = _changed(pipeline, changes)
        if not queries.needs_analysis(pipeline, draft):
            return None
        return analysing.ask(call.session, call.caller, draft.sql, draft.writing(call.session))

    def save(call: Call, run_id: UUID | None) -> PipelineQueryOut:
        pipeline, _ = pipelines.decided(call.session, call.caller, pipeline_id, pipelines.EDIT, PipelineKind.QUERY)
        draft = _changed(pipeline, changes)
        needed = queries.needs_analysis(pipeline, draft)
        if needed and run_id is None:
            raise Invalid("sql", "Somebody changed it meanwhile.", "Read it again and repeat the change.")
        found = analysing.take(call.session, call.caller, run_id, draft.sql) if needed and run_id else None
        seen = queries.edit(call.session, call.caller, pipeline_id, changes, draft, found, if_match=if_match)
        return _answer(call.session, response, seen)

    return _or_started(response, await with_analysis(request, asked, save, wait, analysis))


def _draft(body: Statement) -> queries.Draft:
    return queries.Draft(
        sql=body.sql,
        mode=body.mode,
        keys=body.keys,
        replace_schema=body.replace_schema,
        expectations=[one.stored() for one in body.expectations],
        output_layer_id=body.output_layer_id,
        output_name=body.output_name,
    )


def _changed(pipeline: Pipeline, changes: dict[str, Any]) -> queries.Draft:
    draft = queries.changed(pipeline, changes)
    if (draft.mode == "merge") != bool(draft.keys):
        raise Invalid("keys", "Keys are needed for merge, and for nothing else.", "Give both mode and keys.")
    return draft


def _show(session: Session, seen: SeenPipeline) -> PipelineQueryOut:
    return PipelineQueryOut.of(seen, queries.inputs_of(session, [seen.pipeline])[seen.pipeline.id])


def _answer(session: Session, response: Response, seen: SeenPipeline) -> PipelineQueryOut:
    tag(response, seen.pipeline.version)
    return _show(session, seen)


def _or_started(response: Response, answer: Out | Run) -> Out | StartedOut:
    if isinstance(answer, Run):
        response.status_code = 202
        return StartedOut.of(answer)
    return answer


add_common(router, PipelineKind.QUERY, PipelineQueryOut, _show, "a pipeline query")
