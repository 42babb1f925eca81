"""The tenant over HTTP: its name, settings and plan."""

from __future__ import annotations

from fastapi import APIRouter, Response

from bailiwick.problems import PROBLEMS
from bailiwick.tenancy import tenant
from bailiwick.tenancy.calling import Changing, Reading
from bailiwick.tenancy.listing import Cursor, Limit
from bailiwick.tenancy.schemas.tenant import Plan, PlanChange, PlanPreviewOut, SettingsChange, SettingsOut, TenantOut
from bailiwick.tenancy.versions import IfMatch, tag

router = APIRouter(prefix="/api/v1/tenant", tags=["tenant"], responses=PROBLEMS)


@router.get("", summary="Look at the tenant: name, plan, and what you may do in it")
def get_tenant(call: Reading, response: Response) -> TenantOut:
    seen = tenant.get_tenant(call.session, call.caller)
    tag(response, seen.tenant.version)
    return TenantOut.of(seen)


@router.get("/settings", summary="See the settings")
def get_settings(call: Reading, response: Response) -> SettingsOut:
    found = tenant.get_settings(call.session, call.caller)
    tag(response, found.version)
    return SettingsOut.of(found)


@router.patch("/settings", summary="Change the settings")
def change_settings(call: Changing, body: SettingsChange, response: Response, if_match: IfMatch = None) -> SettingsOut:
    changed = tenant.change_settings(call.session, call.caller, body.changes(), if_match=if_match)
    tag(response, changed.version)
    return SettingsOut.of(changed)


@router.get("/plan/preview", summary="See who would gain what on another plan")
def preview_plan(call: Reading, plan: Plan, cursor: Cursor = None, limit: Limit = 50) -> PlanPreviewOut:
    return PlanPreviewOut.of(tenant.preview_plan(call.session, call.caller, plan, cursor=cursor, limit=limit))


@router.put("/plan", summary="Change the plan")
def change_plan(call: Changing, body: PlanChange, response: Response, if_match: IfMatch = None) -> TenantOut:
    """Going down to starter needs `confirm`, and answers 409 with what it would give to whom without it."""
    changed = tenant.change_plan(call.session, call.caller, body.plan, confirm=body.confirm, if_match=if_match)
    tag(response, changed.tenant.version)
    return TenantOut.of(changed)
