"""Viewing as another member on the wire."""

from __future__ import annotations

from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

from bailiwick.settings import Settings
from bailiwick.tenancy.schemas.fields import In
from bailiwick.tenancy.schemas.profile import ProfileOut
from bailiwick.tenancy.viewing import VIEW_AS_HEADER, Viewing


class ViewAs(In):
    member_id: UUID


class HeaderOut(BaseModel):
    name: str
    value: str


class ViewingOut(BaseModel):
    member: ProfileOut = Field(description="The same as they get from `GET /api/v1/me`.")
    ends_at: AwareDatetime
    header: HeaderOut = Field(description="Send it with every request that shall be seen with their eyes.")

    @classmethod
    def of(cls, viewing: Viewing, settings: Settings) -> ViewingOut:
        member = ProfileOut.of(viewing.profile, settings)
        return cls(member=member, ends_at=viewing.ends_at, header=HeaderOut(name=VIEW_AS_HEADER, value=str(member.id)))
