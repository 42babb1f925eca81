"""API tokens on the wire."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

from bailiwick.tenancy.models import ApiToken
from bailiwick.tenancy.schemas.fields import In, Name


class TokenInUseOut(BaseModel):
    """The token a program came with."""

    id: UUID
    name: str
    read_only: bool
    tables: list[UUID] | None
    expires_at: AwareDatetime | None


class TokenIn(In):
    name: Name
    read_only: bool = False
    tables: Annotated[list[UUID], Field(min_length=1, max_length=1000)] | None = Field(
        None, description="Only these lakehouse tables; without it, whatever its maker may reach."
    )
    expires_at: AwareDatetime | None = None
    expires_in_days: Annotated[int, Field(ge=1, le=3650)] | None = None


class TokenOut(BaseModel):
    id: UUID
    name: str
    hint: str
    read_only: bool
    tables: list[UUID] | None
    created_at: AwareDatetime
    expires_at: AwareDatetime | None
    last_used_at: AwareDatetime | None
    actions: list[str]

    @classmethod
    def of(cls, row: ApiToken, actions: list[str]) -> TokenOut:
        return cls(actions=actions, **_columns(row))


class NewTokenOut(TokenOut):
    secret: str = Field(description="Shown this once.")

    @classmethod
    def made(cls, row: ApiToken, secret: str) -> NewTokenOut:
        return cls(secret=secret, actions=["revoke"], **_columns(row))


class TokensOut(BaseModel):
    items: list[TokenOut]
    next_cursor: str | None


def _columns(row: ApiToken) -> dict[str, Any]:
    shown = [name for name in TokenOut.model_fields if name not in ("actions", "tables")]
    tables = None if row.tables is None else [UUID(table) for table in row.tables]
    return {"tables": tables, **{name: getattr(row, name) for name in shown}}
