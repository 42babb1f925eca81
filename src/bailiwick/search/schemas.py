"""What was found, on the wire."""

from __future__ import annotations

from typing import Annotated, Self
from uuid import UUID

from pydantic import BaseModel, Field

from bailiwick.search.service import Answer, Type


class FoundOut(BaseModel):
    type: Annotated[Type, Field(description="Of pipelines, their kind.")]
    id: UUID
    name: Annotated[str, Field(examples=["raw.orders"])]
    about: Annotated[str, Field(description="What is said of it; of members, their e-mail address.")]


class SearchOut(BaseModel):
    items: list[FoundOut]
    is_all: Annotated[bool, Field(description="Nothing else that you may see fits. If false, there may be more.")]

    @classmethod
    def of(cls, answer: Answer) -> Self:
        return cls(items=[FoundOut(**vars(one)) for one in answer.found], is_all=answer.is_all)
