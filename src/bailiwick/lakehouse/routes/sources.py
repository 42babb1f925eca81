"""Sources over HTTP."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response
from sqlalchemy.orm import Session

from bailiwick.lakehouse.models import PipelineKind
from bailiwick.lakehouse.pipelines import SeenPipeline
from bailiwick.lakehouse.routes.pipelines import add_common
from bailiwick.lakehouse.schemas.sources import (
    LookOut,
    NewSource,
    SourceChange,
    SourceOut,
    SourcesOut,
    StreamChange,
    StreamIn,
    StreamOut,
    StreamsOut,
)
from bailiwick.lakehouse.sources import looking, service, streams
from bailiwick.lakehouse.sources.streams import SeenStream
from bailiwick.problems import PROBLEMS
from bailiwick.runs.asking import Wait, ask
from bailiwick.runs.models import ENDED
from bailiwick.tenancy.calling import Changing, Reading
from bailiwick.tenancy.listing import Cursor, Limit, PartOfName, Sort
from bailiwick.tenancy.versions import IfMatch, tag

router = APIRouter(prefix="/api/v1/sources", tags=["sources"], responses=PROBLEMS)
NOT_YET: dict[int | str, dict[str, Any]] = {202: {"model": LookOut}}


@router.get("", summary="List sources, by name")
def list_sources(
    call: Reading,
    search: PartOfName = None,
    sort: Sort = "name",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> SourcesOut:
    """Those whose tables and volumes you all see."""
    return SourcesOut.of(
        service.list_sources(call.session, call.caller, search=search, sort=sort, cursor=cursor, limit=limit)
    )


@router.post("", summary="Add a source", status_code=201)
def add_source(call: Changing, body: NewSource, response: Response) -> SourceOut:
    """Needs Editor on the layers its streams land in, and on what they read of the lakehouse."""
    added = service.add_source(
        call.session,
        call.caller,
        call.settings,
        name=body.name,
        description=body.description,
        connection=body.connection,
        secret=body.secret.get_secret_value() if body.secret else None,
        output_layer_id=body.output_layer_id,
        streams=[stream.wanted() for stream in body.streams],
    )
    response.headers["Location"] = f"/api/v1/sources/{added.pipeline.id}"
    return _answer(response, added)


@router.get("/{pipeline_id}", summary="Look at a source")
def get_source(call: Reading, pipeline_id: UUID, response: Response) -> SourceOut:
    return _answer(response, service.get_source(call.session, call.caller, pipeline_id))


@router.patch("/{pipeline_id}", summary="Edit a source")
def edit_source(
    call: Changing, pipeline_id: UUID, body: SourceChange, response: Response, if_match: IfMatch = None
) -> SourceOut:
    """Pointed to another server, it needs its secret again."""
    edited = service.edit_source(
        call.session,
        call.caller,
        call.settings,
        pipeline_id,
        {"name": body.name, "description": body.description, "output_layer_id": body.output_layer_id},
        connection=body.connection,
        secret=body.secret.get_secret_value() if body.secret is not None else None,
        if_match=if_match,
    )
    return _answer(response, edited)


def _show(_session: Session, seen: SeenPipeline) -> SourceOut:
    return SourceOut.of(seen)


add_common(router, PipelineKind.SOURCE, SourceOut, _show, "a source")


# Looking before reading ----------------------------------------------------------------------------------------------


@router.post("/{pipeline_id}/test", summary="Test whether a source answers", responses=NOT_YET)
async def try_connection(request: Request, pipeline_id: UUID, response: Response, wait: Wait = 20) -> LookOut:
    """For who may edit it. Nothing is read but what a first answer says; a problem comes in the answer."""
    return await _look(request, pipeline_id, response, wait, looking.TEST)


@router.post("/{pipeline_id}/discover", summary="Discover a source's streams and columns", responses=NOT_YET)
async def discover(request: Request, pipeline_id: UUID, response: Response, wait: Wait = 30) -> LookOut:
    """The streams there are and could be, with columns, types and a few rows. For who may edit it."""
    return await _look(request, pipeline_id, response, wait, looking.DISCOVER)


async def _look(
    request: Request,
    source_id: UUID,
    response: Response,
    wait: float,
    kind: Literal["discover", "test_connection"],
) -> LookOut:
    run = await ask(request, lambda call: looking.look(call.session, call.caller, source_id, kind), wait)
    if run.state not in ENDED:
        response.status_code = 202
    return LookOut.of(run)


# Streams -------------------------------------------------------------------------------------------------------------


@router.get("/{pipeline_id}/streams", summary="List a source's streams")
def list_streams(
    call: Reading,
    pipeline_id: UUID,
    enabled: Annotated[bool | None, Query(description="Only those that are read, or those that rest.")] = None,
    search: PartOfName = None,
    sort: Sort = "name",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> StreamsOut:
    page = streams.list_streams(
        call.session,
        call.caller,
        pipeline_id,
        enabled=enabled,
        search=search,
        sort=sort,
        cursor=cursor,
        limit=limit,
    )
    return StreamsOut.of(page)


@router.post("/{pipeline_id}/streams", summary="Add a stream to a source", status_code=201)
def add_stream(call: Changing, pipeline_id: UUID, body: StreamIn, response: Response) -> StreamOut:
    """Needs Editor on the layer it lands in besides the source's own level."""
    return _stream(response, streams.add_stream(call.session, call.caller, pipeline_id, body.wanted()))


@router.get("/{pipeline_id}/streams/{stream_id}", summary="Look at a stream")
def get_stream(call: Reading, pipeline_id: UUID, stream_id: UUID, response: Response) -> StreamOut:
    return _stream(response, streams.get_stream(call.session, call.caller, pipeline_id, stream_id))


@router.patch("/{pipeline_id}/streams/{stream_id}", summary="Edit, enable or disable a stream")
def edit_stream(
    call: Changing,
    pipeline_id: UUID,
    stream_id: UUID,
    body: StreamChange,
    response: Response,
    if_match: IfMatch = None,
) -> StreamOut:
    """Enabling needs Editor on its table; landing elsewhere, on that layer."""
    edited = streams.edit_stream(
        call.session,
        call.caller,
        pipeline_id,
        stream_id,
        body.model_dump(include={"enabled", "output_layer_id", "output_name"}, exclude_none=True),
        settings=body.changed_settings(),
        if_match=if_match,
    )
    return _stream(response, edited)


@router.post("/{pipeline_id}/streams/{stream_id}/start-over", summary="Let a stream read everything again")
def start_over(
    call: Changing, pipeline_id: UUID, stream_id: UUID, response: Response, if_match: IfMatch = None
) -> StreamOut:
    """The next run replaces its table, columns and all."""
    done = streams.start_over(call.session, call.caller, pipeline_id, stream_id, if_match=if_match)
    return _stream(response, done)


@router.delete("/{pipeline_id}/streams/{stream_id}", summary="Delete a stream", status_code=204)
def delete_stream(call: Changing, pipeline_id: UUID, stream_id: UUID, if_match: IfMatch = None) -> None:
    """Its table stays."""
    streams.delete_stream(call.session, call.caller, pipeline_id, stream_id, if_match=if_match)


def _answer(response: Response, source: SeenPipeline) -> SourceOut:
    tag(response, source.pipeline.version)
    return SourceOut.of(source)


def _stream(response: Response, seen: SeenStream) -> StreamOut:
    tag(response, seen.stream.version)
    return StreamOut.of(seen)
