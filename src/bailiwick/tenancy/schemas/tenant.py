"""The tenant on the wire: its settings and its plan."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, Field, StrictBool

from bailiwick.tenancy.models import Tenant
from bailiwick.tenancy.schemas.fields import Actions, Body, Change, Name, NextCursor, Version
from bailiwick.tenancy.schemas.members import PersonOut
from bailiwick.tenancy.tenant import PlanPreview, SeenTenant

Plan = Literal["starter", "growth", "custom"]


class SettingsOut(BaseModel):
    name: str
    reading_needs_only_viewer: Annotated[
        bool, Field(description="Pipelines ask Viewer on what they read, instead of the level they need on outputs.")
    ]
    version: Version

    @classmethod
    def of(cls, tenant: Tenant) -> Self:
        return cls(
            name=tenant.name,
            reading_needs_only_viewer=tenant.reading_needs_only_viewer,
            version=tenant.version,
        )


class SettingsChange(Change):
    name: Annotated[Name | None, Field(examples=["Northwind"])] = None
    reading_needs_only_viewer: Annotated[StrictBool | None, Field(examples=[True])] = None


class TenantOut(BaseModel):
    """The tenant as everybody sees it; settings are for owners and admins."""

    name: str
    plan: Plan
    settings: SettingsOut | None
    actions: Actions
    version: Version

    @classmethod
    def of(cls, seen: SeenTenant) -> Self:
        tenant = seen.tenant
        return cls.model_validate(
            {
                "name": tenant.name,
                "plan": tenant.plan,
                "settings": SettingsOut.of(tenant) if seen.settings_seen else None,
                "actions": list(seen.actions),
                "version": tenant.version,
            }
        )


class PlanChange(Body):
    plan: Annotated[Plan, Field(examples=["growth"])]
    confirm: Annotated[
        StrictBool, Field(description="Going down to starter opens all data to every Member, and asks.")
    ] = False


class PlanPreviewOut(BaseModel):
    """Who would gain what on this plan."""

    plan: Plan
    needs_confirmation: bool
    gain: Annotated[str, Field(description="What each of them would gain; empty if nobody gains anything.")]
    members: Annotated[int, Field(description="How many would gain it.")]
    items: list[PersonOut]
    next_cursor: NextCursor

    @classmethod
    def of(cls, preview: PlanPreview) -> Self:
        return cls.model_validate(
            {
                "plan": preview.plan,
                "needs_confirmation": preview.needs_confirmation,
                "gain": preview.gain,
                "members": preview.members,
                "items": [PersonOut.of(seen) for seen in preview.page.items],
                "next_cursor": preview.page.next_cursor,
            }
        )
