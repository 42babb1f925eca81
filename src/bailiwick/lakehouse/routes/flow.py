"""The whole flow over HTTP."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query

from bailiwick.lakehouse import flow
from bailiwick.lakehouse.schemas.flow import WholeFlowOut
from bailiwick.problems import PROBLEMS
from bailiwick.tenancy.calling import Reading
from bailiwick.tenancy.listing import Search

router = APIRouter(prefix="/api/v1", tags=["tables"], responses=PROBLEMS)


@router.get("/flow", summary="See what flows from sources through tables to destinations")
def whole_flow(
    call: Reading,
    layer: Annotated[UUID | None, Query(description="Only pipelines that read from or write to this layer.")] = None,
    search: Annotated[
        Search, Query(description="Part of the name of a pipeline, or of a table or volume that it reads or writes.")
    ] = None,
    around: Annotated[
        UUID | None, Query(description="A pipeline, table or volume: what leads to it, and what comes from it.")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=1000, description="How many nodes at most.")] = 200,
) -> WholeFlowOut:
    """Pipelines that you may see, with the tables and volumes that they read and write. A table that none of them
    touches is no part of it. Node ids are those of the pipelines, tables and volumes themselves."""
    found = flow.flow(call.session, call.caller, layer_id=layer, search=search, around=around, limit=limit)
    return WholeFlowOut.of(found)
