"""Triggers on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import BaseModel, Field, StrictBool, StringConstraints

from bailiwick.database.paging import Page
from bailiwick.runs.models import TriggerKind
from bailiwick.runs.schemas.runs import SubjectOut
from bailiwick.runs.seeing_triggers import SeenTrigger
from bailiwick.runs.subjects import Named
from bailiwick.tenancy.listing import PLAIN
from bailiwick.tenancy.schemas.fields import Actions, Body, Change, NextCursor, TimeZone, Version

Cron = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=200, pattern=PLAIN),
    Field(description="Minute, hour, day of the month, month, day of the week.", examples=["30 6 * * MON-FRI"]),
]
SubjectType = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[a-z_]+$", examples=["pipeline"])]
NeedsAll = Annotated[StrictBool, Field(description="After all of them succeeded, not any.", examples=[False])]


class SubjectIn(Body):
    type: SubjectType
    id: Annotated[UUID, Field(examples=["01980000-0000-7000-8000-000000000001"])]


Upstream = Annotated[
    list[SubjectIn], Field(min_length=1, max_length=50, description="What it waits for; you have to see all of it.")
]


class NewTrigger(Body):
    """Times, or what it waits for."""

    subject: SubjectIn
    cron: Cron | None = None
    time_zone: Annotated[TimeZone | None, Field(description="Without it, that of your profile.")] = None
    after: Upstream | None = None
    needs_all: NeedsAll = False


class TriggerChange(Change):
    cron: Cron | None = None
    time_zone: TimeZone | None = None
    after: Upstream | None = None
    needs_all: NeedsAll | None = None

    def changes(self) -> dict[str, Any]:
        found = super().changes()
        if self.after is not None:
            found["after"] = [(subject.type, subject.id) for subject in self.after]
        return found


class KindOfSubjectOut(SubjectOut):
    kind: Annotated[str | None, Field(description="Where there are kinds of it.", examples=["source"])]


class TriggerOut(BaseModel):
    id: UUID
    subject: KindOfSubjectOut
    kind: TriggerKind
    cron: str | None
    time_zone: str
    words: Annotated[str, Field(description="When it fires, in words.", examples=["At 06:30, Europe/Berlin time"])]
    next_firings: Annotated[list[datetime], Field(description="The next five.")]
    after: Annotated[list[KindOfSubjectOut], Field(description="What it waits for, as far as you may see it.")]
    hidden: Annotated[int, Field(description="How much of what it waits for you may not see.")]
    needs_all: bool
    paused: bool
    last_fired_at: datetime | None
    note: Annotated[str, Field(description="Why it started nothing the last time.")]
    saved_by: str
    saved_at: datetime
    created_at: datetime
    actions: Annotated[Actions, Field(examples=[["see", "edit", "pause", "remove"]])]
    version: Version

    @classmethod
    def of(cls, seen: SeenTrigger) -> Self:
        trigger = seen.trigger
        plain = (
            "id",
            "cron",
            "time_zone",
            "needs_all",
            "paused",
            "last_fired_at",
            "note",
            "saved_at",
            "created_at",
            "version",
        )
        return cls.model_validate(
            {
                **{field: getattr(trigger, field) for field in plain},
                "subject": _named(seen.subject),
                "kind": trigger.kind,
                "words": seen.words,
                "next_firings": list(seen.firings),
                "after": [_named(one) for one in seen.after],
                "hidden": seen.hidden,
                "saved_by": seen.saved_by,
                "actions": list(seen.actions),
            }
        )


class TriggersOut(BaseModel):
    items: list[TriggerOut]
    next_cursor: NextCursor

    @classmethod
    def of(cls, page: Page[SeenTrigger]) -> Self:
        return cls(items=[TriggerOut.of(seen) for seen in page.items], next_cursor=page.next_cursor)


class PreviewOut(BaseModel):
    words: Annotated[str, Field(examples=["At 06:30, Monday through Friday, Europe/Berlin time"])]
    next_firings: list[datetime]


def _named(named: Named) -> KindOfSubjectOut:
    return KindOfSubjectOut(type=named.type, id=named.id, name=named.name, kind=named.kind)
