"""Notebooks over HTTP. They do not execute yet: starting one says so."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Response
from sqlalchemy.orm import Session

from bailiwick.lakehouse import notebooks, pipelines
from bailiwick.lakehouse.models import PipelineKind
from bailiwick.lakehouse.pipelines import SeenPipeline
from bailiwick.lakehouse.routes.pipelines import add_common
from bailiwick.lakehouse.schemas.notebooks import NewNotebook, NotebookChange, NotebookOut, NotebooksOut
from bailiwick.problems import PROBLEMS
from bailiwick.tenancy.calling import Changing, Reading
from bailiwick.tenancy.listing import Cursor, Limit, PartOfName, Sort
from bailiwick.tenancy.versions import IfMatch, tag

router = APIRouter(prefix="/api/v1/notebooks", tags=["notebooks"], responses=PROBLEMS)
KIND = PipelineKind.NOTEBOOK


@router.get("", summary="List notebooks, by name")
def list_notebooks(
    call: Reading,
    search: PartOfName = None,
    sort: Sort = "name",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> NotebooksOut:
    page = pipelines.list_pipelines(
        call.session, call.caller, KIND, search=search, sort=sort, cursor=cursor, limit=limit
    )
    inputs = notebooks.inputs_of(call.session, [seen.pipeline for seen in page.items])
    items = [NotebookOut.of(seen, inputs[seen.pipeline.id]) for seen in page.items]
    return NotebooksOut(items=items, next_cursor=page.next_cursor)


@router.post("", summary="Add a notebook", status_code=201)
def add_notebook(call: Changing, body: NewNotebook, response: Response) -> NotebookOut:
    """Needs Editor on the output layer and on everything it reads."""
    seen = notebooks.add(
        call.session,
        call.caller,
        KIND,
        name=body.name,
        description=body.description,
        settings={"content": body.content},
        input_table_ids=body.input_table_ids,
        output_layer_id=body.output_layer_id,
        output_name=body.output_name,
    )
    response.headers["Location"] = f"/api/v1/notebooks/{seen.pipeline.id}"
    return _answer(call.session, response, seen)


@router.get("/{pipeline_id}", summary="Look at a notebook")
def get_notebook(call: Reading, pipeline_id: UUID, response: Response) -> NotebookOut:
    return _answer(call.session, response, pipelines.get_pipeline(call.session, call.caller, pipeline_id, KIND))


@router.patch("/{pipeline_id}", summary="Edit a notebook")
def edit_notebook(
    call: Changing, pipeline_id: UUID, body: NotebookChange, response: Response, if_match: IfMatch = None
) -> NotebookOut:
    changes = body.changes()
    if body.content is not None:
        changes["settings"] = {"content": changes.pop("content")}
    seen = notebooks.edit(call.session, call.caller, pipeline_id, KIND, changes, if_match=if_match)
    return _answer(call.session, response, seen)


def _show(session: Session, seen: SeenPipeline) -> NotebookOut:
    return NotebookOut.of(seen, notebooks.inputs_of(session, [seen.pipeline])[seen.pipeline.id])


def _answer(session: Session, response: Response, seen: SeenPipeline) -> NotebookOut:
    tag(response, seen.pipeline.version)
    return _show(session, seen)


add_common(router, KIND, NotebookOut, _show, "a notebook")
