"""Queries and their results on the wire."""

from __future__ import annotations

from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field, StringConstraints

from bailiwick.database.paging import Page, write_cursor
from bailiwick.lakehouse.queries.results import Result
from bailiwick.lakehouse.schemas.pipelines import Named, Note
from bailiwick.runs.models import Run
from bailiwick.runs.schemas.runs import ProblemOut
from bailiwick.tenancy.schemas.fields import Body, NextCursor

Sql = Annotated[
    str,
    StringConstraints(min_length=1, max_length=100_000, pattern=r"^[^\x00]*$"),
    Field(description="One statement. Tables are named layer.table.", examples=["SELECT * FROM raw.orders LIMIT 10"]),
]


class NewQuery(Body):
    sql: Sql
    limit: Annotated[int | None, Field(ge=1, description="Rows to keep at most; fewer are quicker.")] = None


class ColumnOut(BaseModel):
    name: str
    type: Annotated[str, Field(examples=["bigint", "decimal(10,2)"])]


class QueryInListOut(BaseModel):
    id: Annotated[UUID, Field(description="Also the id of its run.")]
    sql: str
    state: Annotated[str, Field(examples=["succeeded"])]
    created_at: AwareDatetime
    started_at: AwareDatetime | None
    ended_at: AwareDatetime | None
    saved_query_id: UUID | None
    problem: ProblemOut | None
    row_count: Annotated[int | None, Field(description="Rows of the result, as far as they were kept.")]
    cut: Annotated[bool | None, Field(description="There would have been more rows.")]
    result_until: Annotated[AwareDatetime | None, Field(description="So long the result is kept.")]

    @classmethod
    def of(cls, run: Run) -> Self:
        return cls(**_told(run))


class QueryOut(QueryInListOut):
    columns: list[ColumnOut] | None
    reads: Annotated[list[Named] | None, Field(description="The tables it read.")]
    rows: Annotated[
        list[list[Any]] | None,
        Field(
            description="The first page, once it succeeded. Decimals, dates and times are text, as are integers beyond "
            "2^53; binary is in base 64."
        ),
    ] = None
    next_cursor: NextCursor = None
    note: Note = None

    @classmethod
    def of(cls, run: Run, first: RowsOut | None = None, note: str | None = None) -> Self:
        result = run.result or {}
        return cls(
            **_told(run),
            columns=result.get("columns"),
            reads=result.get("reads"),
            rows=first.rows if first else None,
            next_cursor=first.next_cursor if first else None,
            note=note if run.ended_at else run.progress.get("note"),
        )


class QueriesOut(BaseModel):
    items: list[QueryInListOut]
    next_cursor: NextCursor

    @classmethod
    def of(cls, page: Page[Run]) -> Self:
        return cls(items=[QueryInListOut.of(run) for run in page.items], next_cursor=page.next_cursor)


class RowsOut(BaseModel):
    columns: list[ColumnOut]
    rows: list[list[Any]]
    next_cursor: NextCursor

    @classmethod
    def of(cls, result: Result, offset: int, rows: list[list[Any]]) -> Self:
        after = offset + len(rows)
        more = write_cursor(str(after)) if after < result.rows else None
        return cls(columns=[ColumnOut(**column) for column in result.columns], rows=rows, next_cursor=more)


def _told(run: Run) -> dict[str, Any]:
    result = run.result or {}
    return {
        "id": run.id,
        "sql": run.parameters.get("sql", ""),
        "state": run.state,
        "created_at": run.created_at,
        "started_at": run.started_at,
        "ended_at": run.ended_at,
        "saved_query_id": run.parameters.get("saved_query_id"),
        "problem": run.problem,
        "row_count": result.get("rows"),
        "cut": result.get("cut"),
        "result_until": run.result_expires_at,
    }
