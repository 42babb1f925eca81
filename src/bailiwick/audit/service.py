"""Recording what happened, in the transaction in which it happens."""

from __future__ import annotations

import secrets
from typing import Any, cast
from uuid import UUID

from sqlalchemy import Table, bindparam, event, select, update
from sqlalchemy.orm import Session, SessionTransaction

from bailiwick.access.decision import Decision
from bailiwick.audit.chain import hash_of
from bailiwick.audit.models import LANES, AuditEntry, AuditLane
from bailiwick.database.base import new_id, utc_now
from bailiwick.database.locks import LOCKED

PENDING = "audit entries of this transaction"

# Plain rows instead of mapped ones: every change passes here, and they halve what the chain costs.
LANE = cast(Table, AuditLane.__table__)
HEADS = select(LANE.c.lane, LANE.c.number, LANE.c.hash)
HEAD = HEADS.where(LANE.c.lane == bindparam("of"))
FREE_HEAD = HEADS.order_by(LANE.c.lane).limit(1).with_for_update(skip_locked=True, **LOCKED)
MOVE_HEAD = update(LANE).where(LANE.c.lane == bindparam("of"))  # number and hash come with the call


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
    lane, number, last = _free_lane(session)
    for entry in entries:
        number += 1
        entry.lane, entry.number, entry.previous_hash = lane, number, last
        entry.hash = last = hash_of(entry)
    session.add_all(entries)
    session.execute(MOVE_HEAD, {"of": lane, "number": number, "hash": last})


@event.listens_for(Session, "after_soft_rollback")
def _forget(session: Session, ended: SessionTransaction) -> None:
    if not ended.nested:
        session.info.pop(PENDING, None)


def _free_lane(session: Session) -> tuple[int, int, str]:
    """Number and hash of a chain's head that nobody holds; where all are held, wait for one of them."""
    if session.get_bind().dialect.name == "sqlite":  # one writer at a time anyway
        head = session.execute(HEAD, {"of": 0}).one_or_none()
    else:
        head = session.execute(FREE_HEAD).one_or_none()
    head = head or session.execute(HEAD.with_for_update(**LOCKED), {"of": secrets.randbelow(LANES)}).one()
    return head.lane, head.number, head.hash


def _short(decision: Decision) -> dict[str, Any]:
    kept = ("document", "table", "row", "column", "action", "allowed")
    return {key: value for key, value in decision.to_dict().items() if key in kept}
