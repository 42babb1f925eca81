"""Search over HTTP."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from bailiwick.problems import PROBLEMS
from bailiwick.search import service
from bailiwick.search.schemas import SearchOut
from bailiwick.tenancy.calling import Reading
from bailiwick.tenancy.listing import PLAIN

router = APIRouter(prefix="/api/v1", tags=["search"], responses=PROBLEMS)


@router.get("/search", summary="Find whatever you may see by its name")
def search(
    call: Reading,
    q: Annotated[str, Query(min_length=1, max_length=200, pattern=PLAIN, description="What was typed.")],
    limit: Annotated[int, Query(ge=1, le=50, description="How many at most; of each kind no more than 8.")] = 20,
) -> SearchOut:
    """Tables, layers, volumes, pipelines, saved queries, projects, members and groups, the best first: the same name,
    begun so, with a word begun so, with it inside. A table fits as `raw.orders` too; members by e-mail address."""
    return SearchOut.of(service.search(call.session, call.caller, q, limit))
