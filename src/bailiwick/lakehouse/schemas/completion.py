"""Completion on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, Self

from pydantic import BaseModel, Field

from bailiwick.lakehouse.completion import Offer


class OfferOut(BaseModel):
    kind: Literal["layer", "table", "column"]
    text: Annotated[str, Field(description="What would stand there.", examples=["raw.orders"])]
    type: Annotated[str, Field(description="Of a column.")]
    description: str


class CompletionOut(BaseModel):
    items: list[OfferOut]

    @classmethod
    def of(cls, offers: Sequence[Offer]) -> Self:
        return cls(items=[OfferOut(**vars(offer)) for offer in offers])
