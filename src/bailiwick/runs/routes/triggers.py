"""Triggers over HTTP."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response

from bailiwick.problems import PROBLEMS
from bailiwick.runs import triggers
from bailiwick.runs.models import TriggerKind
from bailiwick.runs.schemas.triggers import (
    Cron,
    NewTrigger,
    PreviewOut,
    SubjectType,
    TriggerChange,
    TriggerOut,
    TriggersOut,
)
from bailiwick.runs.seeing_triggers import SeenTrigger, list_triggers
from bailiwick.tenancy.calling import Changing, Reading
from bailiwick.tenancy.listing import Cursor, Limit, Search, TriggerSort
from bailiwick.tenancy.schemas.fields import TimeZone
from bailiwick.tenancy.versions import IfMatch, tag

router = APIRouter(prefix="/api/v1/triggers", tags=["triggers"], responses=PROBLEMS)


@router.get("", summary="List triggers")
def list_them(
    call: Reading,
    subject_type: SubjectType | None = None,
    subject_id: UUID | None = None,
    after_id: Annotated[UUID | None, Query(description="Only those that wait for this one to succeed.")] = None,
    kind: Annotated[TriggerKind | None, Query(description="Only at times, or only after others.")] = None,
    paused: Annotated[bool | None, Query(description="Only those that rest, or only those that do not.")] = None,
    search: Annotated[Search, Query(description="Part of the name of what they start.")] = None,
    sort: TriggerSort = "-created",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> TriggersOut:
    """Of one subject, or of everything you may see; newest first."""
    page = list_triggers(
        call.session,
        call.caller,
        subject_type=subject_type,
        subject_id=subject_id,
        after_id=after_id,
        kind=kind,
        paused=paused,
        search=search,
        sort=sort,
        cursor=cursor,
        limit=limit,
    )
    return TriggersOut.of(page)


@router.post("", summary="Let something run by itself", status_code=201)
def create_trigger(call: Changing, body: NewTrigger, response: Response) -> TriggerOut:
    """At times, or after others have succeeded: whoever may edit it may say so, of what they see."""
    seen = triggers.create_trigger(
        call.session,
        call.caller,
        body.subject.type,
        body.subject.id,
        cron=body.cron,
        time_zone=body.time_zone,
        after=[(subject.type, subject.id) for subject in body.after or ()],
        needs_all=body.needs_all,
    )
    response.headers["Location"] = f"/api/v1/triggers/{seen.trigger.id}"
    return _answer(response, seen)


@router.get("/preview", summary="Read times in words, with the next five")
def preview(
    call: Reading, cron: Annotated[Cron, Query()], time_zone: Annotated[TimeZone | None, Query()] = None
) -> PreviewOut:
    words, firings = triggers.preview(cron, time_zone or call.caller.member.time_zone)
    return PreviewOut(words=words, next_firings=firings)


@router.get("/{trigger_id}", summary="Look at a trigger")
def get_trigger(call: Reading, trigger_id: UUID, response: Response) -> TriggerOut:
    return _answer(response, triggers.get_trigger(call.session, call.caller, trigger_id))


@router.patch("/{trigger_id}", summary="Change a trigger's times, or what it waits for")
def edit_trigger(
    call: Changing, trigger_id: UUID, body: TriggerChange, response: Response, if_match: IfMatch = None
) -> TriggerOut:
    changes = body.changes()
    return _answer(response, triggers.edit_trigger(call.session, call.caller, trigger_id, changes, if_match=if_match))


@router.post("/{trigger_id}/pause", summary="Pause a trigger")
def pause_trigger(call: Changing, trigger_id: UUID, response: Response, if_match: IfMatch = None) -> TriggerOut:
    return _answer(response, triggers.pause_trigger(call.session, call.caller, trigger_id, if_match=if_match))


@router.post("/{trigger_id}/resume", summary="Resume a trigger")
def resume_trigger(call: Changing, trigger_id: UUID, response: Response, if_match: IfMatch = None) -> TriggerOut:
    """It goes on from now: what it would have fired meanwhile does not come."""
    return _answer(response, triggers.resume_trigger(call.session, call.caller, trigger_id, if_match=if_match))


@router.delete("/{trigger_id}", summary="Remove a trigger", status_code=204)
def remove_trigger(call: Changing, trigger_id: UUID, if_match: IfMatch = None) -> None:
    triggers.remove_trigger(call.session, call.caller, trigger_id, if_match=if_match)


def _answer(response: Response, seen: SeenTrigger) -> TriggerOut:
    tag(response, seen.trigger.version)
    return TriggerOut.of(seen)
