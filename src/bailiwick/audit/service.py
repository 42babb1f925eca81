"""Recording what happened, in the transaction in which it happens."""

from __future__ import annotations

import secrets
from typing import Any
from uuid import UUID

from sqlalchemy import event, select
from sqlalchemy.orm import Session, SessionTransaction

from bailiwick.access.decision import Decision
from bailiwick.audit.chain import hash_of
from bailiwick.audit.models import LANES, AuditEntry, AuditLane
from bailiwick.database.base import new_id, utc_now

PENDING = "audit entries of this transaction"


def record(
    session: Session,
    *,
    action: str,
    resource_type: str,
    resource_id: object = "",
    resource_name: str = "",
    actor_id: UUID | None = None,
    token_id: UUID | None = None,
    request_id: str = "",
    outcome: str = "done",
    decision: Decision | None = None,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    project_id: UUID | None = None,
    seen_from: str | None = None,
    about_id: UUID | None = None,
) -> None:
    """Add an entry. It joins a chain when the transaction commits, and vanishes with it when it does not."""
    entry = AuditEntry(
        id=new_id(),
        at=utc_now(),
        actor_id=actor_id,
        token_id=token_id,
        request_id=request_id,
        action=action,
        outcome=outcome,
        resource_type=resource_type,
        resource_id=str(resource_id),
        resource_name=resource_name[:300],
        project_id=project_id,
        seen_from=seen_from,
        about_id=about_id,
        decision=None if decision is None else _short(decision),
        before=before,
        after=after,
    )
    session.info.setdefault(PENDING, []).append(entry)


@event.listens_for(Session, "before_commit")
def _chain(session: Session) -> None:
    """Tie the transaction's entries to a chain. The lock on its head is held from here to the end of the commit."""
    if session.in_nested_transaction():  # the end of a savepoint is not the end
        return
    entries: list[AuditEntry] = session.info.pop(PENDING, [])
    if not entries:
        return
    session.flush()
    head = _free_lane(session)
    for entry in entries:
        entry.lane, entry.number, entry.previous_hash = head.lane, head.number + 1, head.hash
        entry.hash = hash_of(entry)
        head.number, head.hash = entry.number, entry.hash
        session.add(entry)
    session.flush()


@event.listens_for(Session, "after_soft_rollback")
def _forget(session: Session, ended: SessionTransaction) -> None:
    if not ended.nested:
        session.info.pop(PENDING, None)


def _free_lane(session: Session) -> AuditLane:
    """A head nobody holds; where all are held, wait for one of them."""
    if session.get_bind().dialect.name == "sqlite":  # one writer at a time anyway
        return session.execute(select(AuditLane).where(AuditLane.lane == 0)).scalar_one()
    free = select(AuditLane).order_by(AuditLane.lane).limit(1).with_for_update(skip_locked=True)
    waited_for = select(AuditLane).where(AuditLane.lane == secrets.randbelow(LANES)).with_for_update()
    head = session.execute(free.execution_options(populate_existing=True)).scalar_one_or_none()
    return head or session.execute(waited_for.execution_options(populate_existing=True)).scalar_one()


def _short(decision: Decision) -> dict[str, Any]:
    kept = ("document", "table", "row", "column", "action", "allowed")
    return {key: value for key, value in decision.to_dict().items() if key in kept}
