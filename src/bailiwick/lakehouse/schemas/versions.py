"""Versions of tables, and the maintenance of a layer's tables, on the wire."""

from __future__ import annotations

from typing import Annotated, Self
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

from bailiwick.lakehouse.maintenance import SeenMaintenance
from bailiwick.lakehouse.schemas.pipelines import Named
from bailiwick.tenancy.schemas.fields import Body, Version


class MadeBy(BaseModel):
    id: UUID
    name: str
    kind: str


class VersionOut(BaseModel):
    version: int
    at: AwareDatetime
    operation: Annotated[str, Field(examples=["write", "merge", "restore"])]
    rows: Annotated[int | None, Field(description="Rows it added, changed or removed, where that is known.")]
    restored: Annotated[int | None, Field(description="The version that was gone back to.")]
    pipeline: Annotated[MadeBy | None, Field(description="What made it, if you may see that.")]
    run_id: Annotated[UUID | None, Field(description="In which run, if you may see that.")]
    started_by: Annotated[str | None, Field(description="Who started that run, if it was not a trigger.")]


class VersionsOut(BaseModel):
    run_id: UUID
    state: str
    items: list[VersionOut] | None
    more: Annotated[bool, Field(description="There are earlier ones: ask for those `before` the last of these.")]


class ToVersion(Body):
    version: Annotated[int, Field(ge=0, le=2**53, description="One of the table's versions.")]


class MaintenanceIn(Body):
    active: Annotated[bool, Field(description="Whether triggers start it.")] = True
    compact: Annotated[bool, Field(description="Put small files together.")] = True
    keep_days: Annotated[
        int, Field(ge=7, le=365, description="Versions younger than this can be restored; older ones are removed.")
    ] = 30


class MaintenanceOut(BaseModel):
    layer: Named
    active: bool
    compact: bool
    keep_days: int
    owner: Annotated[Named | None, Field(description="Whom it acts as when a trigger starts it.")]
    version: Version

    @classmethod
    def of(cls, seen: SeenMaintenance) -> Self:
        row, owner = seen.maintenance, seen.owner
        return cls(
            layer=Named(id=seen.layer.id, name=seen.layer.name),
            active=row.active,
            compact=row.compact,
            keep_days=row.keep_days,
            owner=Named(id=owner.id, name=owner.name) if owner else None,
            version=row.version,
        )
