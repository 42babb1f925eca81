"""Telling: what was noted of runs goes out when its delay is over, by e-mail and to web addresses."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import structlog
from sqlalchemy import Select, select, update
from sqlalchemy.orm import Session

from bailiwick.database.base import utc_now
from bailiwick.database.encryption import EncryptionError
from bailiwick.database.engine import Database
from bailiwick.database.locks import LOCKED
from bailiwick.errors import NotFound
from bailiwick.notify import service as notify
from bailiwick.notify import texts, webhooks
from bailiwick.runs.deciding import decide
from bailiwick.runs.models import Run, RunNotice
from bailiwick.runs.notices import Channel, channel_of
from bailiwick.settings import Settings
from bailiwick.tenancy.authentication import groups_of
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Member

log = structlog.get_logger(__name__)

CLAIM = timedelta(minutes=1)  # longer than a web address is waited for
FIRST_WAIT, MOST_ATTEMPTS = timedelta(seconds=15), 8  # doubled each time: over half an hour in all


def tell_due(database: Database, settings: Settings) -> None:
    """Tell whatever is due. Several workers may do so at once; each piece of news is told by one of them."""
    while _tell_people(database, settings):
        pass
    while (claimed := _claim_webhook(database)) is not None:
        _tell_webhook(database, settings, *claimed)


def _tell_people(database: Database, settings: Settings) -> bool:
    with database.read() as session:  # most of the time nothing is due, and nobody should wait for that
        if session.execute(_due()).first() is None:
            return False
    with database.session() as session:
        notice_id = session.scalars(_due().with_for_update(skip_locked=True, **LOCKED)).first()
        if notice_id is None:
            return False
        notice = session.get_one(RunNotice, notice_id)
        notice.told_at = utc_now()
        run = session.get_one(Run, notice.run_id)
        channel = channel_of(session, notice.project_id, notice.channel)
        if channel is not None and channel.is_on:
            _send(session, settings, run, channel)
            notice.webhook_at = utc_now() if channel.webhook_url else None
    return True


def _due() -> Select[UUID]:
    due = select(RunNotice.id).where(RunNotice.told_at.is_(None), RunNotice.due_at <= utc_now())
    return due.order_by(RunNotice.due_at).limit(1)


def _send(session: Session, settings: Settings, run: Run, channel: Channel) -> None:
    """To every receiver who may see the run, now."""
    problem = " ".join(filter(None, ((run.problem or {}).get("message"), (run.problem or {}).get("fix"))))
    for member in channel.receivers():
        if _may_see(session, member, run):
            text = texts.run_ended(
                member.name, run.subject_name, run.number, run.state, problem, link_to(settings, run)
            )
            notify.send(session, member.email, text.subject, text.body)


def _may_see(session: Session, member: Member, run: Run) -> bool:
    try:
        caller = Caller(member, groups_of(session, member))
        return decide(session, caller, run.subject_type, run.subject_id, "see").allowed
    except NotFound:
        return False


def link_to(settings: Settings, run: Run) -> str:
    return f"{settings.public_url}/runs/{run.id}"


def _claim_webhook(database: Database) -> tuple[UUID, UUID] | None:
    due = select(RunNotice).where(RunNotice.webhook_at <= utc_now()).order_by(RunNotice.webhook_at).limit(1)
    with database.read() as session:
        if session.scalars(due).first() is None:
            return None
    with database.session() as session:
        notice = session.scalars(due.with_for_update(skip_locked=True, **LOCKED)).first()
        if notice is None:
            return None
        # Committed before it is tried, so that a crash only delays; it may be told twice then, but never not at all.
        notice.webhook_at = utc_now() + CLAIM
        notice.webhook_attempts += 1
        return notice.id, notice.run_id


def _tell_webhook(database: Database, settings: Settings, notice_id: UUID, run_id: UUID) -> None:
    try:
        with database.read() as session:
            notice, run = session.get_one(RunNotice, notice_id), session.get_one(Run, run_id)
            channel = channel_of(session, notice.project_id, notice.channel)
            url = channel.webhook_url if channel else None
            attempts = notice.webhook_attempts
            message = message_of(notice, run, settings)
        if url:
            webhooks.post(url, message, settings)
        again = None
    except (webhooks.NotTold, EncryptionError) as error:
        gives_up = attempts >= MOST_ATTEMPTS or getattr(error, "final", False)
        again = None if gives_up else utc_now() + FIRST_WAIT * 2 ** (attempts - 1)
        log.warning("a web address was not told", run_id=str(run_id), problem=str(error), gives_up=gives_up)
    with database.session() as session:
        session.execute(update(RunNotice).where(RunNotice.id == notice_id).values(webhook_at=again))


def message_of(notice: RunNotice, run: Run, settings: Settings) -> dict[str, Any]:
    """What a web address is told: how it went, without statements and without what a right was missing on."""
    return {
        "event": notice.channel,
        "run": {
            "id": str(run.id),
            "number": run.number,
            "kind": run.kind,
            "state": run.state,
            "subject": {"type": run.subject_type, "id": str(run.subject_id), "name": run.subject_name},
            "project_id": str(run.project_id) if run.project_id else None,
            "created_at": run.created_at.isoformat(),
            "started_at": run.started_at.isoformat() if run.started_at else None,
            "ended_at": run.ended_at.isoformat() if run.ended_at else None,
            "rows_read": run.rows_read,
            "rows_written": run.rows_written,
            "problem": run.problem,
        },
        "link": link_to(settings, run),
    }
