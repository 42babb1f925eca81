"""What the audit keeps of a request."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision
from bailiwick.requests.models import GRANTED, AccessRequest
from bailiwick.tenancy.caller import Caller


def said_of(request: AccessRequest) -> dict[str, Any]:
    granted = request.state == GRANTED
    return {
        "state": str(request.state),
        "role" if request.kind == "project" else "level": request.given if granted else request.wanted,
        "expires_at": _moment(request.given_until if granted else request.expires_at),
        "type": request.kind,
        "reason": request.reason,
        **({"answer": request.answer} if request.answer else {}),
    }


def _moment(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def record(
    session: Session,
    caller: Caller,
    action: str,
    request: AccessRequest,
    decision: Decision | None,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
) -> None:
    """Under the name that whoever asked knows, for they read it too; in a project's record where they saw it."""
    where = {"project_id": request.project_id, "seen_from": "Admin"} if request.was_seen and request.project_id else {}
    caller.record(
        session,
        action,
        "access_request",
        resource_id=request.id,
        resource_name=request.name,
        decision=decision,
        before=before,
        after=after,
        about_id=request.member_id,
        **where,
    )
