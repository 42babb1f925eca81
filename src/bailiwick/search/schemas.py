"""What was found, on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Self
from uuid import UUID

from pydantic import BaseModel, Field

from bailiwick.search.service import Found, Type


class FoundOut(BaseModel):
    type: Annotated[Type, Field(description="Of pipelines, their kind.")]
    id: UUID
    name: Annotated[str, Field(examples=["raw.orders"])]
    about: Annotated[str, Field(description="What is said of it; of members, their e-mail address.")]


class SearchOut(BaseModel):
    items: list[FoundOut]

    @classmethod
    def of(cls, found: Sequence[Found]) -> Self:
        return cls(items=[FoundOut(**vars(one)) for one in found])
