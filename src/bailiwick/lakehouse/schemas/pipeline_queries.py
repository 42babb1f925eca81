"""Pipeline queries on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import BaseModel, Field, StringConstraints, model_validator

from bailiwick.lakehouse.pipelines import SeenPipeline
from bailiwick.lakehouse.queries.pipeline import Judged, settings_of
from bailiwick.lakehouse.schemas.fields import Identifier, OwnLevel
from bailiwick.lakehouse.schemas.pipelines import Named, PipelineOut, common
from bailiwick.lakehouse.schemas.queries import ColumnOut, Sql
from bailiwick.runs.schemas.runs import ProblemOut
from bailiwick.tenancy.schemas.fields import Body, Change, Description, Name, NextCursor
from bailiwick.wrong_input import WrongValue

ColumnName = Annotated[str, StringConstraints(min_length=1, max_length=255)]
Keys = Annotated[list[ColumnName], Field(max_length=32, description="Columns that identify a row, for merge.")]
Mode = Annotated[
    Literal["overwrite", "append", "merge"],
    Field(description="Replace all rows, add to them, or replace those with the same key and add the others."),
]
Value = str | int | float | bool
Kind = Literal["not_null", "unique", "accepted_values", "range", "row_count", "freshness"]


def is_bound(end: float | str | None) -> bool:
    if not isinstance(end, str):
        return True
    try:
        datetime.fromisoformat(end)
    except ValueError:
        return False
    return True


class Expectation(Body):
    """What is expected of the rows that the statement gives, each time it runs."""

    kind: Kind
    column: ColumnName | None = None
    stop: Annotated[bool, Field(description="Write nothing if it is not met; otherwise the run warns.")] = False
    values: Annotated[list[Value], Field(max_length=1000, default_factory=list)]
    least: Annotated[float | str | None, Field(description="Of a range, or of the number of rows.")] = None
    most: float | str | None = None
    minutes: Annotated[int | None, Field(ge=1, description="Of freshness: how old the newest value may be.")] = None

    @model_validator(mode="after")
    def _says_what_its_kind_needs(self) -> Self:
        if (self.kind == "row_count") != (self.column is None):
            problem, fix = ("is of no column", "Leave it out.") if self.column else ("needs a column", "Give it.")
            raise WrongValue(f"{self.kind} {problem}.", fix, "column")
        if self.kind == "accepted_values" and not self.values:
            raise WrongValue("accepted_values needs values.", "Give at least one.", "values")
        if self.kind in ("range", "row_count") and self.least is None and self.most is None:
            raise WrongValue(f"{self.kind} needs least, most, or both.", "Give one of them at least.", "least")
        for field, end in (("least", self.least), ("most", self.most)):
            if self.kind == "row_count" and isinstance(end, str):
                raise WrongValue("row_count needs numbers.", "Give a number.", field)
            if self.kind == "range" and not is_bound(end):
                fix = "Give a number, or write it like 2026-01-31."
                raise WrongValue("range needs numbers, dates or times.", fix, field)
        if self.kind == "freshness" and self.minutes is None:
            raise WrongValue("freshness needs minutes.", "Give them.", "minutes")
        return self

    def stored(self) -> dict[str, Any]:
        return self.model_dump(exclude_none=True)


Expectations = Annotated[list[Expectation], Field(max_length=200)]


class Statement(Body):
    """What runs and where its rows go."""

    sql: Sql
    mode: Mode = "overwrite"
    keys: Annotated[Keys, Field(default_factory=list)]
    replace_schema: Annotated[
        bool, Field(description="Overwriting, let the table have exactly the statement's columns, whatever they were.")
    ] = False
    expectations: Annotated[Expectations, Field(default_factory=list)]
    output_layer_id: Annotated[UUID, Field(description="The layer of the table it writes.")]
    output_name: Annotated[Identifier, Field(examples=["orders_by_day"])]

    @model_validator(mode="after")
    def _has_keys_to_merge_by(self) -> Self:
        if (self.mode == "merge") != bool(self.keys):
            fix = "Leave them out." if self.keys else "Give the columns that identify a row."
            raise WrongValue("Keys are needed for merge, and for nothing else.", fix, "keys")
        return self


class NewPipelineQuery(Statement):
    name: Annotated[Name, Field(examples=["Orders by day"])]
    description: Description = ""


class PipelineQueryChange(Change):
    name: Name | None = None
    description: Description | None = None
    sql: Sql | None = None
    mode: Mode | None = None
    keys: Keys | None = None
    replace_schema: bool | None = None
    expectations: Expectations | None = None
    output_layer_id: UUID | None = None
    output_name: Identifier | None = None


class PipelineQueryOut(PipelineOut):
    sql: str
    mode: str
    keys: list[str]
    replace_schema: bool
    expectations: list[dict[str, Any]]
    inputs: Annotated[list[Named], Field(description="The tables it reads, as of when it was saved or ran last.")]

    @classmethod
    def of(cls, seen: SeenPipeline, inputs: list[dict[str, str]]) -> Self:
        return cls(
            **common(seen),
            **settings_of(seen.pipeline),
            inputs=[Named(id=UUID(one["id"]), name=one["name"]) for one in inputs],
        )


class PipelineQueriesOut(BaseModel):
    items: list[PipelineQueryOut]
    next_cursor: NextCursor


class InputOut(Named):
    level: OwnLevel
    needs: str


class OutputOut(BaseModel):
    id: UUID | None
    name: str
    exists: bool


class DryRunOut(BaseModel):
    """What it would read and write, and whether you may save it."""

    run_id: Annotated[UUID, Field(description="Save with it as `analysis`, and it is not worked out again.")]
    inputs: list[InputOut]
    output: OutputOut
    columns: list[ColumnOut]
    changes: Annotated[list[str], Field(description="To the columns of the table it writes, in words.")]
    problem: Annotated[ProblemOut | None, Field(description="Why it could not be written.")]
    allowed: bool
    decisions: list[dict[str, Any]]

    @classmethod
    def of(cls, judged: Judged, run_id: UUID) -> Self:
        found = judged.analysis
        return cls(
            run_id=run_id,
            inputs=[InputOut(**one) for one in judged.inputs],
            output=OutputOut(**judged.output),
            columns=[ColumnOut(name=one["name"], type=one["type"]) for one in found.columns],
            changes=list(found.changes),
            problem=ProblemOut(**found.problem) if found.problem else None,
            allowed=judged.allowed,
            decisions=[decision.to_dict() for decision in judged.decisions],
        )
