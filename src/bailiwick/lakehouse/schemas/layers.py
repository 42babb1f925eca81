"""Layers on the wire."""

from __future__ import annotations

from typing import Annotated, Self
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

from bailiwick.database.paging import Page
from bailiwick.lakehouse.layers import SeenLayer
from bailiwick.lakehouse.schemas.fields import Identifier, InPart, OwnLevel
from bailiwick.tenancy.schemas.fields import Actions, Body, Change, Description, NextCursor, Version


class NewLayer(Body):
    name: Annotated[Identifier, Field(examples=["finance"])]
    description: Annotated[Description, Field(examples=["What closes the books."])] = ""


class LayerChange(Change):
    name: Annotated[Identifier | None, Field(description="For admins and owners: statements write it.")] = None
    description: Annotated[Description | None, Field(examples=["What closes the books."])] = None


class LayerOut(BaseModel):
    id: UUID
    name: str
    description: str
    created_at: AwareDatetime
    level: OwnLevel
    in_part: InPart
    actions: Actions
    version: Version

    @classmethod
    def of(cls, seen: SeenLayer) -> Self:
        layer = seen.layer
        return cls(
            id=layer.id,
            name=layer.name,
            description=layer.description,
            created_at=layer.created_at,
            level=seen.level,
            in_part=seen.in_part,
            actions=list(seen.actions),
            version=layer.version,
        )


class LayersOut(BaseModel):
    items: list[LayerOut]
    next_cursor: NextCursor

    @classmethod
    def of(cls, page: Page[SeenLayer]) -> Self:
        return cls(items=[LayerOut.of(seen) for seen in page.items], next_cursor=page.next_cursor)
