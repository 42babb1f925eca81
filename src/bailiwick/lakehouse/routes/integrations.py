"""Integrations over HTTP. They do not execute yet: starting one says so."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Response
from sqlalchemy.orm import Session

from bailiwick.lakehouse import notebooks, pipelines
from bailiwick.lakehouse.models import PipelineKind
from bailiwick.lakehouse.pipelines import SeenPipeline
from bailiwick.lakehouse.routes.pipelines import add_common
from bailiwick.lakehouse.schemas.notebooks import IntegrationChange, IntegrationOut, IntegrationsOut, NewIntegration
from bailiwick.problems import PROBLEMS
from bailiwick.tenancy.calling import Changing, Reading
from bailiwick.tenancy.listing import Cursor, Limit, PartOfName, Sort
from bailiwick.tenancy.versions import IfMatch, tag

router = APIRouter(prefix="/api/v1/integrations", tags=["integrations"], responses=PROBLEMS)
KIND = PipelineKind.INTEGRATION


@router.get("", summary="List integrations, by name")
def list_integrations(
    call: Reading,
    search: PartOfName = None,
    sort: Sort = "name",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> IntegrationsOut:
    page = pipelines.list_pipelines(
        call.session, call.caller, KIND, search=search, sort=sort, cursor=cursor, limit=limit
    )
    inputs = notebooks.inputs_of(call.session, [seen.pipeline for seen in page.items])
    items = [IntegrationOut.of(seen, inputs[seen.pipeline.id]) for seen in page.items]
    return IntegrationsOut(items=items, next_cursor=page.next_cursor)


@router.post("", summary="Add an integration", status_code=201)
def add_integration(call: Changing, body: NewIntegration, response: Response) -> IntegrationOut:
    """For tenant owners and admins."""
    seen = notebooks.add(
        call.session,
        call.caller,
        KIND,
        name=body.name,
        description=body.description,
        settings=body.settings,
        input_table_ids=body.input_table_ids,
        output_layer_id=body.output_layer_id,
        output_name=body.output_name,
    )
    response.headers["Location"] = f"/api/v1/integrations/{seen.pipeline.id}"
    return _answer(call.session, response, seen)


@router.get("/{pipeline_id}", summary="Look at an integration")
def get_integration(call: Reading, pipeline_id: UUID, response: Response) -> IntegrationOut:
    return _answer(call.session, response, pipelines.get_pipeline(call.session, call.caller, pipeline_id, KIND))


@router.patch("/{pipeline_id}", summary="Edit an integration")
def edit_integration(
    call: Changing, pipeline_id: UUID, body: IntegrationChange, response: Response, if_match: IfMatch = None
) -> IntegrationOut:
    changes = body.changes()
    seen = notebooks.edit(call.session, call.caller, pipeline_id, KIND, changes, if_match=if_match)
    return _answer(call.session, response, seen)


def _show(session: Session, seen: SeenPipeline) -> IntegrationOut:
    return IntegrationOut.of(seen, notebooks.inputs_of(session, [seen.pipeline])[seen.pipeline.id])


def _answer(session: Session, response: Response, seen: SeenPipeline) -> IntegrationOut:
    tag(response, seen.pipeline.version)
    return _show(session, seen)


add_common(router, KIND, IntegrationOut, _show, "an integration")
