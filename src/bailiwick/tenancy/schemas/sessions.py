"""Sessions on the wire."""

from __future__ import annotations

from uuid import UUID

from pydantic import AwareDatetime, BaseModel

from bailiwick.tenancy.models import SignInSession


class SessionOut(BaseModel):
    id: UUID
    client: str
    address: str
    created_at: AwareDatetime
    last_seen_at: AwareDatetime
    expires_at: AwareDatetime
    current: bool
    actions: list[str]

    @classmethod
    def of(cls, row: SignInSession, current: SignInSession | None) -> SessionOut:
        return cls(
            id=row.id,
            client=row.client,
            address=row.address,
            created_at=row.created_at,
            last_seen_at=row.last_seen_at,
            expires_at=row.expires_at,
            current=current is not None and current.id == row.id,
            actions=["revoke"] if current is not None else [],
        )


class SessionsOut(BaseModel):
    items: list[SessionOut]
    next_cursor: str | None


class EndedOut(BaseModel):
    ended: int
