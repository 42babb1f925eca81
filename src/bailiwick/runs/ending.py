"""How a run ends: its last state, and in the same transaction what follows: news to people, triggers that waited."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from bailiwick.access.decision import slug
from bailiwick.audit import service as audit
from bailiwick.database.base import utc_now
from bailiwick.runs import after, notices
from bailiwick.runs.bell import FIRE, about, ring
from bailiwick.runs.errors import Hidden, Restricted, RunProblem
from bailiwick.runs.models import ENDED, Run, RunLog, RunState
from bailiwick.tenancy.models import Member

LONGEST = 10_000
RESTRICTED = "The member it acts as lacks a right that starting it by hand needs."


def succeed(session: Session, run: Run) -> None:
    run.problem = run.missing = None
    _end(session, run, RunState.SUCCEEDED)
    after.note_success(session, run)


def fail(session: Session, run: Run, problem: RunProblem) -> None:
    said = {"code": problem.code, "message": problem.message[:LONGEST], "fix": problem.fix[:LONGEST]}
    run.problem = {**said, "refused": True} if problem.refused else said
    how = "Refused" if problem.refused else "Failed"
    log_line(session, run, f"{how}: {problem.message} {problem.fix}".strip(), "error")
    if problem.hidden:
        _record_hidden(session, run, problem.hidden)
    _end(session, run, RunState.FAILED)


def restrict(session: Session, run: Run, lack: Restricted) -> None:
    """Whom it acts as lacks a right: a refusal like any other, so it goes on record. If they do not even see it any
    more, it is the platform's own entry, which is not theirs to read."""
    run.missing = lack.missing
    run.problem = {
        "code": "restricted",
        "message": lack.reason or RESTRICTED,
        "fix": "Give the right back, or let an admin make somebody else the owner; then run it again.",
    }
    log_line(session, run, f"Restricted: {lack.reason or RESTRICTED}", "error")
    audit.record(
        session,
        action="run",
        resource_type=run.subject_type,
        resource_id=run.subject_id,
        resource_name=name_on_record(run),
        actor_id=run.acts_as_id if lack.seen else None,
        token_id=run.token_id if lack.seen else None,
        outcome="refused",
        decision=lack.decision,
        project_id=run.project_id,
        # Without what is missing, which not everybody who reads this may see.
        after={"run_id": str(run.id), "number": run.number, **({} if lack.seen else {"acts_as": str(run.acts_as_id)})},
    )
    _end(session, run, RunState.RESTRICTED)


def _record_hidden(session: Session, run: Run, hidden: Sequence[Hidden]) -> None:
    """One entry a run, under the first of what is hidden. It is not for whom the run acts as to read, for whom these
    are not there: see `LOOKED_IN_VAIN` in `audit/reading.py`."""
    first = hidden[0]
    also = {"also": [one.name for one in hidden[1:]]} if len(hidden) > 1 else {}
    audit.record(
        session,
        action=slug(first.decision.action),
        resource_type=first.decision.resource_type,
        resource_id=first.id,
        resource_name=first.name,
        actor_id=run.acts_as_id,
        token_id=run.token_id,
        outcome="refused",
        decision=first.decision,
        after={"run_id": str(run.id), "kind": run.kind, **also},
    )


def ask_to_cancel(session: Session, run: Run, by: Member) -> None:
    """A run that waits is over at once; of one that is being worked on, the worker hears and stops it."""
    if run.state in ENDED or run.cancel_asked_at is not None:
        return
    run.cancel_asked_at, run.cancel_asked_by_id = utc_now(), by.id
    if run.state == RunState.QUEUED:
        end_cancelled(session, run)
    else:
        session.flush()
        ring(session, about(run.id))


def end_cancelled(session: Session, run: Run) -> None:
    log_line(session, run, "Cancelled.")
    _end(session, run, RunState.CANCELLED)


def name_on_record(run: Run) -> str:
    """A run in the audit. What somebody asked once is called by its own words, and those are theirs."""
    return run.kind if run.subject_id == run.id else f"{run.subject_name}, run {run.number}"


def log_line(session: Session, run: Run, text: str, level: str = "info") -> None:
    session.add(RunLog(run_id=run.id, text=text[:LONGEST].replace("\0", "\N{REPLACEMENT CHARACTER}"), level=level))


def _end(session: Session, run: Run, state: RunState) -> None:
    run.state = state
    run.ended_at = utc_now()
    run.lease = run.lease_until = run.not_before = None
    session.flush()
    notices.note_end(session, run)
    # What waited for this run to end before it could fire, fires now.
    ring(session, about(run.id), FIRE)
