"""Completion over HTTP, for editors and the shell."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import StringConstraints

from bailiwick.lakehouse.completion import complete
from bailiwick.lakehouse.schemas.completion import CompletionOut
from bailiwick.problems import PROBLEMS
from bailiwick.tenancy.calling import ReadingTables
from bailiwick.tenancy.listing import PLAIN, Limit

router = APIRouter(prefix="/api/v1", tags=["tables"], responses=PROBLEMS)

TableName = Annotated[str, StringConstraints(max_length=200, pattern=PLAIN)]


@router.get("/completion", summary="Complete the name of a layer, a table or a column")
def complete_name(
    call: ReadingTables,
    prefix: Annotated[
        str, Query(max_length=400, pattern=PLAIN, description="What was typed so far.", examples=["raw.ord"])
    ] = "",
    tables: Annotated[
        list[TableName] | None,
        Query(max_length=100, description="Tables that the statement names already: their columns fit too."),
    ] = None,
    limit: Limit = 50,
) -> CompletionOut:
    """Of what you may see."""
    return CompletionOut.of(complete(call.session, call.caller, prefix, tables or (), limit))
