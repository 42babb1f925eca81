"""Proving that the audit is what was written: entry by entry, and against a checkpoint kept elsewhere; or, quickly, of
the latest entries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import func, or_, select, text
from sqlalchemy.orm import Session

from bailiwick.audit.chain import hash_of
from bailiwick.audit.models import LANES, AuditEntry, AuditLane
from bailiwick.database.base import utc_now
from bailiwick.errors import Invalid

BATCH = 1000
LATEST = 4000  # of all chains together: what can be checked in less than half a second
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
    report.problems += _guard_problems(session)
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
        report.problems += _tail_problems(head, number, previous)
        if known and number < known[0]:
            report.problems.append(
                f"Chain {lane}: the checkpoint saw entry {known[0]}, only {number} are left. The tail was cut off."
            )
    for lane in sorted(expected.keys() - heads.keys()):
        report.problems.append(f"Chain {lane}: the checkpoint saw it, and it is gone.")
    progress(total, total)
    return report


@dataclass
class ChainState:
    """One chain, as far as it was looked at."""

    chain: int
    entries: int
    checked: int = 0
    since: datetime | None = None
    latest_at: datetime | None = None
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class State:
    """All chains at one moment, and what is wrong beside them."""

    at: datetime
    latest: int  # how many of each chain were checked at most
    chains: list[ChainState]
    problems: list[str]


def look_at_chains(session: Session, latest: int = LATEST) -> State:
    """What can be told at once, however long the audit is: of each chain the first entry and the latest ones are
    checked as `verify` does, the latest of them as far as `latest` reaches when all chains in use share it. How many
    entries there are is what the heads say."""
    heads = {head.lane: head for head in session.scalars(select(AuditLane))}
    headless = [lane for lane in range(LANES) if lane not in heads]
    stray = or_(AuditEntry.lane < 0, AuditEntry.lane >= LANES, AuditEntry.lane.in_(headless))
    problems = _guard_problems(session)
    if session.scalar(select(AuditEntry.lane).where(stray).limit(1)) is not None:
        problems.append("There are entries of a chain that has no head.")
    of_each = max(1, latest // max(1, sum(head.number > 0 for head in heads.values())))
    chains = [_state_of(session, head, of_each) for _, head in sorted(heads.items())]
    return State(utc_now(), of_each, [one for one in chains if one.entries or one.checked], problems)


def _state_of(session: Session, head: AuditLane, latest: int) -> ChainState:
    state = ChainState(head.lane, head.number)
    begin = max(1, head.number - latest + 1)
    in_lane = select(AuditEntry).where(AuditEntry.lane == head.lane)
    first = session.scalars(in_lane.where(AuditEntry.number == 1)).one_or_none()
    # One more than there can be: what was added beyond the head is noticed, however much it is.
    tail = in_lane.where(AuditEntry.number >= begin).order_by(AuditEntry.number).limit(latest + 1)
    entries = session.scalars(tail).all()
    if begin > 1:
        state.checked += 1
        state.problems += (
            [f"Chain {head.lane}: its first entry is missing."] if first is None else _problems(first, head.lane, 1, "")
        )
    number, previous = begin - 1, entries[0].previous_hash if entries and begin > 1 else ""
    for entry in entries:
        state.checked += 1
        state.problems += _problems(entry, head.lane, number + 1, previous)
        number, previous = entry.number, entry.hash
    state.problems += _tail_problems(head, number, previous)
    state.since = first.at if first else None
    state.latest_at = entries[-1].at if entries else None
    return state


def _tail_problems(head: AuditLane, number: int, last: str) -> list[str]:
    if (number, last) == (head.number, head.hash):
        return []
    return [
        f"Chain {head.lane}: ends at entry {number}, its head says {head.number}. The tail was cut off or rewritten."
    ]


def _guard_problems(session: Session) -> list[str]:
    return [] if _is_guarded(session) else ["The database's guard against changing entries was taken away."]


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
