"""What is the same over HTTP for pipelines of every kind: activating, starting, giving away and deleting them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar
from uuid import UUID

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel
from sqlalchemy.orm import Session

from bailiwick.lakehouse import pipeline_runs, pipelines
from bailiwick.lakehouse.models import PipelineKind
from bailiwick.lakehouse.pipelines import SeenPipeline
from bailiwick.lakehouse.schemas.pipelines import DeletedOut, NewOwner, StartedOut
from bailiwick.tenancy.calling import Call, Changing
from bailiwick.tenancy.versions import IfMatch, tag

Out = TypeVar("Out", bound=BaseModel)
Confirm = Annotated[str | None, Query(max_length=200, description="Its name, in confirmation.")]


def add_common(
    router: APIRouter, kind: PipelineKind, out: type[Out], show: Callable[[Session, SeenPipeline], Out], what: str
) -> None:
    """Add the routes that every kind of pipeline has; `what` is what one of it is called."""

    def answer(call: Call, response: Response, seen: SeenPipeline) -> Out:
        tag(response, seen.pipeline.version)
        return show(call.session, seen)

    @router.post("/{pipeline_id}/activate", summary=f"Let {what} run", response_model=out)
    def activate(call: Changing, pipeline_id: UUID, response: Response, if_match: IfMatch = None) -> Out:
        done = pipelines.activate(call.session, call.caller, pipeline_id, kind, True, if_match=if_match)
        return answer(call, response, done)

    @router.post("/{pipeline_id}/deactivate", summary=f"Let {what} rest", response_model=out)
    def deactivate(call: Changing, pipeline_id: UUID, response: Response, if_match: IfMatch = None) -> Out:
        """Nobody starts it then, and no trigger."""
        done = pipelines.activate(call.session, call.caller, pipeline_id, kind, False, if_match=if_match)
        return answer(call, response, done)

    @router.post("/{pipeline_id}/runs", summary=f"Start {what}", status_code=202)
    def start(call: Changing, pipeline_id: UUID) -> StartedOut:
        """It acts as its owner."""
        return StartedOut.of(pipeline_runs.start(call.session, call.caller, pipeline_id, kind=kind))

    @router.put("/{pipeline_id}/owner", summary=f"Let {what} act as another member", response_model=out)
    def change_owner(
        call: Changing, pipeline_id: UUID, body: NewOwner, response: Response, if_match: IfMatch = None
    ) -> Out:
        """For tenant owners and admins."""
        done = pipelines.change_owner(call.session, call.caller, pipeline_id, kind, body.owner_id, if_match=if_match)
        return answer(call, response, done)

    @router.delete("/{pipeline_id}", summary=f"Delete {what}")
    def delete(call: Changing, pipeline_id: UUID, confirm: Confirm = None, if_match: IfMatch = None) -> DeletedOut:
        """Tables that it wrote stay. Without the confirmation, 409 says what hangs on it."""
        gone = pipeline_runs.delete_pipeline(
            call.session, call.caller, pipeline_id, kind, confirm=confirm, if_match=if_match
        )
        return DeletedOut(**gone)
