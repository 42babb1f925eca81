"""Tables on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Self
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field, StringConstraints

from bailiwick.database.paging import Page
from bailiwick.lakehouse.dependents import Dependent
from bailiwick.lakehouse.schemas.fields import Identifier, OwnLevel
from bailiwick.lakehouse.tables import SeenTable
from bailiwick.runs.models import RunState
from bailiwick.tenancy.schemas.fields import Actions, Body, Change, Description, NextCursor, Version

FieldName = Annotated[str, StringConstraints(min_length=1, max_length=255)]


ColumnName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,127}$"), Field(examples=["amount"])]


class NewColumn(Body):
    name: ColumnName
    type: Annotated[str, StringConstraints(max_length=100), Field(examples=["decimal(10,2)"])]
    description: Description = ""


class NewTable(Body):
    layer: Annotated[UUID, Field(description="The id of the layer it will lie in.")]
    name: Annotated[Identifier, Field(examples=["orders"])]
    columns: Annotated[list[NewColumn], Field(min_length=1, max_length=1000)]
    description: Annotated[Description, Field(examples=["One row an order."])] = ""


class TableChange(Change):
    description: Annotated[Description | None, Field(examples=["One row an order."])] = None
    fields: Annotated[
        dict[FieldName, Description] | None,
        Field(max_length=5000, description="What is said of some fields; an empty text takes it away."),
    ] = None


class LayerNamed(BaseModel):
    id: UUID
    name: str


class FieldOut(BaseModel):
    name: str
    type: str
    nullable: bool
    description: str


class TableInListOut(BaseModel):
    id: UUID
    name: Annotated[str, Field(description="The table's own name.")]
    full_name: Annotated[str, Field(description="As statements write it.", examples=["raw.orders"])]
    layer: LayerNamed
    description: str
    rows: Annotated[int | None, Field(description="When its data changed last; none where it was never counted.")]
    bytes: int | None
    changed_at: Annotated[AwareDatetime | None, Field(description="Its data.")]
    level: OwnLevel
    actions: Actions
    version: Version

    @classmethod
    def of(cls, seen: SeenTable) -> Self:
        return cls(**_columns(seen))


class TableOut(TableInListOut):
    fields: list[FieldOut]
    data_version: Annotated[int | None, Field(description="The latest version of its data.")]
    created_at: AwareDatetime
    location: Annotated[str | None, Field(description="Below the warehouse; for owners and admins.")]

    @classmethod
    def of(cls, seen: SeenTable) -> Self:
        table = seen.table
        said = table.field_descriptions
        return cls(
            **_columns(seen),
            fields=[FieldOut(**column, description=said.get(column["name"], "")) for column in table.columns],
            data_version=table.data_version,
            created_at=table.created_at,
            location=seen.location,
        )


class NewTableOut(BaseModel):
    """The run that makes a table, and the table once it has."""

    run_id: UUID
    state: RunState
    table: TableOut | None


class TablesOut(BaseModel):
    items: list[TableInListOut]
    next_cursor: NextCursor

    @classmethod
    def of(cls, page: Page[SeenTable]) -> Self:
        return cls(items=[TableInListOut.of(seen) for seen in page.items], next_cursor=page.next_cursor)


class DependentOut(BaseModel):
    kind: Annotated[str, Field(examples=["source", "pipeline query", "saved query"])]
    id: UUID
    name: str
    how: Annotated[str, Field(examples=["reads it", "writes it"])]


class DependentsOut(BaseModel):
    """What uses it, as far as you may see."""

    items: list[DependentOut]

    @classmethod
    def of(cls, found: Sequence[Dependent]) -> Self:
        return cls(items=[DependentOut(**vars(one)) for one in found])


def _columns(seen: SeenTable) -> dict[str, object]:
    table = seen.table
    return {
        "id": table.id,
        "name": table.name,
        "full_name": seen.name,
        "layer": LayerNamed(id=seen.layer.id, name=seen.layer.name),
        "description": table.description,
        "rows": table.rows,
        "bytes": table.bytes,
        "changed_at": table.changed_at,
        "level": seen.level,
        "actions": list(seen.actions),
        "version": table.version,
    }
