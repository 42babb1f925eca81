"""Lineage on the wire."""

from __future__ import annotations

from typing import Annotated, Self
from uuid import UUID

from pydantic import BaseModel, Field

from bailiwick.lakehouse.dependents import word_for
from bailiwick.lakehouse.lineage import Lineage


class LineageTable(BaseModel):
    id: UUID
    full_name: Annotated[str, Field(examples=["raw.orders"])]


class LineagePipeline(BaseModel):
    kind: Annotated[str, Field(examples=["pipeline query"])]
    id: UUID
    name: str


class LineageColumns(BaseModel):
    from_column: str
    to_column: str


class FlowOut(BaseModel):
    from_table: UUID
    to_table: UUID
    through: LineagePipeline
    columns: list[LineageColumns]


class LineageOut(BaseModel):
    """Where a table's data comes from and goes to, as far as you may see."""

    tables: list[LineageTable]
    flows: list[FlowOut]

    @classmethod
    def of(cls, lineage: Lineage) -> Self:
        return cls(
            tables=[
                LineageTable(id=id_, full_name=f"{layer}.{table.name}")
                for id_, (table, layer) in lineage.tables.items()
            ],
            flows=[
                FlowOut(
                    from_table=flow.from_table,
                    to_table=flow.to_table,
                    through=LineagePipeline(
                        kind=word_for(flow.pipeline.kind), id=flow.pipeline.id, name=flow.pipeline.name
                    ),
                    columns=[LineageColumns(from_column=one, to_column=other) for one, other in flow.columns],
                )
                for flow in lineage.flows
            ],
        )
