"""Proving that the audit is what was written: entry by entry, and against a checkpoint kept elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from bailiwick.audit.chain import hash_of
from bailiwick.audit.models import AuditEntry, AuditLane
from bailiwick.database.base import utc_now
from bailiwick.errors import Invalid

BATCH = 1000
FORMAT = "bailiwick-audit-checkpoint-1"


@dataclass
class Report:
    """What was read, and every place where the record is not what it was."""

    entries: int = 0
    chains: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        return not self.problems


def checkpoint(session: Session) -> dict[str, Any]:
    """The heads of all chains. Kept where the database's keepers cannot write, it shows a cut-off tail later on."""
    heads = session.scalars(select(AuditLane).order_by(AuditLane.lane))
    chains = {str(head.lane): {"number": head.number, "hash": head.hash} for head in heads if head.number}
    return {"format": FORMAT, "at": utc_now().isoformat(), "chains": chains}


def verify(
    session: Session,
    kept: dict[str, Any] | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Report:
    """Read every entry again: finds edited, deleted, added and moved ones, and with a checkpoint a cut-off tail."""
    report = Report()
    expected = _chains_of(kept)
    total = session.scalar(select(func.count()).select_from(AuditEntry)) or 0
    heads = {head.lane: head for head in session.scalars(select(AuditLane))}
    stray = select(AuditEntry.lane).where(AuditEntry.lane.not_in(list(heads))).distinct()
    report.problems += [
        f"Chain {lane}: there are entries, but the chain has no head." for lane in session.scalars(stray)
    ]
    if not _is_guarded(session):
        report.problems.append("The database's guard against changing entries was taken away.")
    for lane, head in sorted(heads.items()):
        if not head.number and lane not in expected:
            continue
        report.chains += 1
        known = expected.get(lane)
        number, previous = 0, ""
        for entry in _entries(session, lane):
            report.entries += 1
            if report.entries % BATCH == 0:
                progress(report.entries, total)
            number += 1
            report.problems += _problems(entry, lane, number, previous)
            number, previous = entry.number, entry.hash
            if known and number == known[0] and entry.hash != known[1]:
                report.problems.append(f"Chain {lane}, entry {number}: not the entry that the checkpoint saw.")
        if (number, previous) != (head.number, head.hash):
            report.problems.append(
                f"Chain {lane}: ends at entry {number}, its head says {head.number}. The tail was cut off or rewritten."
            )
        if known and number < known[0]:
            report.problems.append(
                f"Chain {lane}: the checkpoint saw entry {known[0]}, only {number} are left. The tail was cut off."
            )
    for lane in sorted(expected.keys() - heads.keys()):
        report.problems.append(f"Chain {lane}: the checkpoint saw it, and it is gone.")
    progress(total, total)
    return report


def _problems(entry: AuditEntry, lane: int, number: int, previous: str) -> Iterator[str]:
    where = f"Chain {lane}, entry {entry.number} ({entry.at.isoformat()}, {entry.action})"
    if entry.number != number:
        missing = f"entry {number} is" if entry.number == number + 1 else f"entries {number} to {entry.number - 1} are"
        yield f"{where}: {missing} missing before it."
    elif entry.previous_hash != previous:
        yield f"{where}: does not follow the entry before it. One of the two was changed or moved."
    if hash_of(entry) != entry.hash:
        yield f"{where}: its content is not what was written."


def _is_guarded(session: Session) -> bool:
    """Whether the triggers that keep entries as they are still stand; see the migrations."""
    if session.get_bind().dialect.name == "sqlite":
        guards = "SELECT count(*) = 2 FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit_entry'"
    else:
        guards = "SELECT count(*) = 1 FROM pg_trigger WHERE tgname = 'audit_entry_append_only' AND tgenabled = 'O'"
    return bool(session.scalar(text(guards)))


def _entries(session: Session, lane: int) -> Iterator[AuditEntry]:
    in_order = select(AuditEntry).where(AuditEntry.lane == lane).order_by(AuditEntry.number)
    for entry in session.scalars(in_order.execution_options(yield_per=BATCH)):
        yield entry
        session.expunge(entry)


def _chains_of(kept: dict[str, Any] | None) -> dict[int, tuple[int, str]]:
    if kept is None:
        return {}
    try:
        if kept["format"] != FORMAT:
            raise ValueError(kept["format"])
        return {int(lane): (int(head["number"]), str(head["hash"])) for lane, head in kept["chains"].items()}
    except (KeyError, TypeError, ValueError, AttributeError):
        fix = "Give the file that `bailiwick audit checkpoint` wrote."
        raise Invalid("checkpoint", "This is not a checkpoint of the audit.", fix) from None
