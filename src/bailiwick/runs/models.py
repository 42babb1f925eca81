"""The runs' tables: the queue itself, logs, triggers and lineage."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import JSON, CheckConstraint, ForeignKey, Index, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.database.base import Base, Encrypted, Id, Versioned, utc_now
from bailiwick.tenancy.models import one_of

INTERACTIVE, ORDINARY, IN_SPARE_TIME = 0, 10, 20  # priorities: the smaller, the sooner


class RunState(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    RESTRICTED = "restricted"  # whom it acts as lost a right that it needs


ENDED = (RunState.SUCCEEDED, RunState.FAILED, RunState.CANCELLED, RunState.RESTRICTED)


class Run(Base):
    """One piece of work: waiting, being done, or done. The table is the queue.

    It belongs to a subject (a pipeline, a query somebody typed) that is named by type and id, not by a foreign key:
    every area has subjects of its own, and what a run did stays told when its subject is gone."""

    __tablename__ = "run"
    __table_args__ = (
        one_of("state", tuple(RunState)),
        UniqueConstraint("trigger_id", "scheduled_for"),  # a firing happens once, whoever is quicker
        UniqueConstraint("subject_id", "number"),
        # What is claimed next, and nothing else, however long the past is.
        Index(
            "ix_run_claim",
            "priority",
            "id",
            sqlite_where=text("state IN ('queued', 'running')"),
            postgresql_where=text("state IN ('queued', 'running')"),
        ),
        Index("ix_run_subject_id_id", "subject_type", "subject_id", "id"),
        # With all that says whether somebody sees it, so that a search reads no row that does not fit.
        Index("ix_run_subject_name", "subject_type", "subject_name", "id", "subject_id", "kind"),
        Index("ix_run_started_by_id_id", "started_by_id", "kind", "id"),
        Index("ix_run_state_id", "state", "id"),
        Index("ix_run_expires_at", "result_expires_at"),
    )

    id: Mapped[Id]
    kind: Mapped[str] = mapped_column(String(40))  # what is done: worker/kinds.py
    subject_type: Mapped[str] = mapped_column(String(40))
    subject_id: Mapped[UUID]
    subject_name: Mapped[str] = mapped_column(String(200), default="")
    number: Mapped[int]  # of its subject's runs; the same at every attempt
    project_id: Mapped[UUID | None] = mapped_column(ForeignKey("project.id", ondelete="SET NULL"))
    parameters: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    priority: Mapped[int] = mapped_column(default=ORDINARY)
    trigger_id: Mapped[UUID | None] = mapped_column(ForeignKey("run_trigger.id", ondelete="SET NULL"))
    scheduled_for: Mapped[datetime | None]
    started_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("member.id"))  # none: a trigger started it
    acts_as_id: Mapped[UUID] = mapped_column(ForeignKey("member.id"))
    token_id: Mapped[UUID | None] = mapped_column(ForeignKey("api_token.id"))  # through which it was started, if any

    state: Mapped[str] = mapped_column(String(20), default=RunState.QUEUED)
    attempt: Mapped[int] = mapped_column(default=0)
    most_attempts: Mapped[int] = mapped_column(default=3)
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    not_before: Mapped[datetime | None]  # of another try; none: at once, whatever a clock says that was set back
    time_limit_seconds: Mapped[int | None]  # none: as the worker's settings say
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    worker: Mapped[str | None] = mapped_column(String(100))
    lease: Mapped[UUID | None]  # who holds it, anew at every claim
    lease_until: Mapped[datetime | None]
    cancel_asked_at: Mapped[datetime | None]
    cancel_asked_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("member.id"))

    progress: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    rows_read: Mapped[int | None]
    rows_written: Mapped[int | None]
    executed_sql: Mapped[str | None] = mapped_column(Text)
    problem: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))  # code, message, fix
    missing: Mapped[list[dict[str, Any]] | None] = mapped_column(JSON(none_as_null=True))  # of a restricted run
    result: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    result_expires_at: Mapped[datetime | None]


class RunCounter(Base):
    """How many runs a subject has had. Deleted ones count: a number never comes twice, for tables remember the last."""

    __tablename__ = "run_counter"

    subject_id: Mapped[UUID] = mapped_column(primary_key=True)
    last: Mapped[int]


class RunLog(Base):
    """A line of a run's log."""

    __tablename__ = "run_log"
    __table_args__ = (Index("ix_run_log_run_id_id", "run_id", "id"),)

    id: Mapped[Id]
    run_id: Mapped[UUID] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"))
    at: Mapped[datetime] = mapped_column(default=utc_now)
    level: Mapped[str] = mapped_column(String(10), default="info")
    text: Mapped[str] = mapped_column(Text)


class TriggerKind(StrEnum):
    CRON = "cron"
    AFTER = "after"  # another subject's run succeeded


class Trigger(Versioned, Base):
    """When a subject runs by itself: at times, or after others succeeded."""

    __tablename__ = "run_trigger"
    __table_args__ = (
        one_of("kind", tuple(TriggerKind)),
        CheckConstraint("(kind = 'cron') = (cron IS NOT NULL)", name="cron_has_its_times"),
        Index("ix_run_trigger_next_at", "next_at"),
        Index("ix_run_trigger_subject_id", "subject_type", "subject_id"),
    )

    id: Mapped[Id]
    subject_type: Mapped[str] = mapped_column(String(40))
    subject_id: Mapped[UUID]
    kind: Mapped[str] = mapped_column(String(10))
    cron: Mapped[str | None] = mapped_column(String(200))
    time_zone: Mapped[str] = mapped_column(String(64), default="UTC")
    needs_all: Mapped[bool] = mapped_column(default=False)  # of what it waits for; else any of it
    paused: Mapped[bool] = mapped_column(default=False)
    next_at: Mapped[datetime | None]
    last_fired_at: Mapped[datetime | None]
    last_scheduled_for: Mapped[datetime | None]  # nothing fires for a time before, should a clock be set back
    note: Mapped[str] = mapped_column(String(500), default="")  # why the last firing started nothing
    saved_by_id: Mapped[UUID] = mapped_column(ForeignKey("member.id"))
    saved_at: Mapped[datetime] = mapped_column(default=utc_now)
    created_at: Mapped[datetime] = mapped_column(default=utc_now)


class TriggerUpstream(Base):
    """What a trigger waits for, and whether that has succeeded since the trigger fired last."""

    __tablename__ = "run_trigger_upstream"
    __table_args__ = (Index("ix_run_trigger_upstream_subject_id", "subject_id"),)

    trigger_id: Mapped[UUID] = mapped_column(ForeignKey("run_trigger.id", ondelete="CASCADE"), primary_key=True)
    subject_id: Mapped[UUID] = mapped_column(primary_key=True)
    subject_type: Mapped[str] = mapped_column(String(40))
    succeeded_at: Mapped[datetime | None]


class LineageEdge(Base):
    """A column of a table went into a column of another, or into a result; the latest run of the subject tells."""

    __tablename__ = "lineage_edge"
    __table_args__ = (
        Index("ix_lineage_edge_subject_id", "subject_id"),
        Index("ix_lineage_edge_from_table_id", "from_table_id"),
        Index("ix_lineage_edge_to_table_id", "to_table_id"),
    )

    id: Mapped[Id]
    subject_type: Mapped[str] = mapped_column(String(40))
    subject_id: Mapped[UUID]
    run_id: Mapped[UUID | None] = mapped_column(ForeignKey("run.id", ondelete="SET NULL"))
    from_table_id: Mapped[UUID | None]  # none: from outside
    from_column: Mapped[str | None] = mapped_column(String(255))  # none: the table as a whole
    to_table_id: Mapped[UUID | None]  # none: to outside, or into a result
    to_column: Mapped[str | None] = mapped_column(String(255))


class WorkerBeat(Base):
    """A worker that lives, and how its Spark is."""

    __tablename__ = "worker"

    name: Mapped[str] = mapped_column(String(100), primary_key=True)
    started_at: Mapped[datetime] = mapped_column(default=utc_now)
    seen_at: Mapped[datetime] = mapped_column(default=utc_now)
    spark: Mapped[str] = mapped_column(String(20), default="starting")  # starting, ready, failed
    problem: Mapped[str] = mapped_column(String(500), default="")
    slots: Mapped[int] = mapped_column(default=0)


class ChannelKind(StrEnum):
    RUN_FAILED = "run_failed"
    RUN_SUCCEEDED = "run_succeeded"


class RunNotice(Base):
    """News of a run that is yet to be told, after its channel's delay; once for a run and a channel."""

    __tablename__ = "run_notice"
    __table_args__ = (
        UniqueConstraint("run_id", "channel"),
        Index("ix_run_notice_due_at", "told_at", "due_at"),
        Index("ix_run_notice_webhook_at", "webhook_at"),
    )

    id: Mapped[Id]
    run_id: Mapped[UUID] = mapped_column(ForeignKey("run.id", ondelete="CASCADE"))
    channel: Mapped[str] = mapped_column(String(20))  # run_failed, run_succeeded
    project_id: Mapped[UUID | None] = mapped_column(ForeignKey("project.id", ondelete="CASCADE"))  # none: the tenant's
    due_at: Mapped[datetime]
    told_at: Mapped[datetime | None]  # when the e-mails were queued
    webhook_at: Mapped[datetime | None]  # when the web address is tried next; none: there is nothing to tell it
    webhook_attempts: Mapped[int] = mapped_column(default=0)


class TenantChannel(Versioned, Base):
    """One kind of news of runs that belong to no project: whether it is sent, how late, and to which web address."""

    __tablename__ = "tenant_channel"
    __table_args__ = (one_of("kind", tuple(ChannelKind)),)

    kind: Mapped[str] = mapped_column(String(20), primary_key=True)
    is_on: Mapped[bool]
    delay_minutes: Mapped[int] = mapped_column(default=0)
    webhook_url: Mapped[str | None] = mapped_column(Encrypted)  # such addresses often hold a secret


class TenantReceiverChoice(Base):
    """What was decided by hand about a receiver: somebody was added, or opted out. Owners and admins receive."""

    __tablename__ = "tenant_receiver_choice"

    kind: Mapped[str] = mapped_column(String(20), primary_key=True)
    member_id: Mapped[UUID] = mapped_column(ForeignKey("member.id"), primary_key=True)
    receives: Mapped[bool]
