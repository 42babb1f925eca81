"""The queue: runs join it, workers claim them with a lease, keep it while they work, and give it back."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Select, and_, or_, select, text, update
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.orm import Session
from tenacity import RetryCallState, wait_exponential_jitter

from bailiwick.database.base import new_id, utc_now
from bailiwick.database.locks import LOCKED
from bailiwick.runs import ending
from bailiwick.runs.bell import QUEUED, about, ring
from bailiwick.runs.errors import LeaseLost, RunProblem
from bailiwick.runs.models import INTERACTIVE, ORDINARY, Run, RunCounter, RunLog, RunState, Trigger
from bailiwick.tenancy.models import ApiToken, Member

LEASE = timedelta(seconds=30)
BACK_OFF = wait_exponential_jitter(multiplier=2, max=300, jitter=2)  # seconds
LOST = RunProblem(
    "worker_lost",
    "The worker that executed it was lost, again and again.",
    "Look at the worker's log: it may have run out of memory. Then run it again.",
)
# In the words of the index, or SQLite would not see that it fits.
LIVING = text("run.state IN ('queued', 'running')")


def enqueue(
    session: Session,
    *,
    kind: str,
    subject_type: str,
    subject_id: UUID | None,
    subject_name: str,
    acts_as: Member,
    started_by: Member | None,
    token: ApiToken | None = None,
    parameters: Mapping[str, Any] | None = None,
    priority: int = ORDINARY,
    time_limit_seconds: int | None = None,
    most_attempts: int = 3,
    project_id: UUID | None = None,
    trigger: Trigger | None = None,
    scheduled_for: datetime | None = None,
    not_before: datetime | None = None,
) -> Run:
    """Add a run, in the transaction that asks for it; workers hear of it when that commits. Without a subject's id the
    run is its own subject: something asked for once."""
    id_ = new_id()
    run = Run(
        id=id_,
        kind=kind,
        subject_type=subject_type,
        subject_id=subject_id or id_,
        subject_name=subject_name[:200],
        number=1 if subject_id is None else _next_number(session, subject_id),
        project_id=project_id,
        parameters=dict(parameters or {}),
        priority=priority,
        trigger_id=trigger.id if trigger else None,
        scheduled_for=scheduled_for,
        started_by_id=started_by.id if started_by else None,
        acts_as_id=acts_as.id,
        token_id=token.id if token else None,
        most_attempts=most_attempts,
        time_limit_seconds=time_limit_seconds,
        not_before=not_before,
    )
    session.add(run)
    session.flush()
    ring(session, QUEUED, about(run.id))
    return run


def _next_number(session: Session, subject_id: UUID) -> int:
    """Counted up in one statement, which two at once wait for; a number is never given twice."""
    insert = sqlite_insert if session.get_bind().dialect.name == "sqlite" else postgresql_insert
    counted = (
        insert(RunCounter)
        .values(subject_id=subject_id, last=1)
        .on_conflict_do_update(index_elements=[RunCounter.subject_id], set_={"last": RunCounter.last + 1})
        .returning(RunCounter.last)
    )
    return session.execute(counted).scalar_one()


# Claiming ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Wanted:
    """What a worker looks for: runs of these kinds, of people who wait (interactive) or of the others, or of all, but
    not those that act as somebody who has enough in hand already."""

    kinds: Collection[str]
    interactive: bool | None = None
    busy: Collection[UUID] = ()


def is_any_free(session: Session, wanted: Wanted) -> bool:
    """Whether there is something to claim; a look that holds up nobody."""
    return session.execute(_free(wanted)).first() is not None


def claim(session: Session, worker: str, wanted: Wanted) -> Run | None:
    """Take the run that is next.

    A run whose worker was lost is taken up again, the same run with the same number, unless that happened too often."""
    while True:
        free = _free(wanted).with_only_columns(Run).with_for_update(skip_locked=True, **LOCKED)
        run: Run | None = session.scalars(free.execution_options(populate_existing=True)).one_or_none()
        if run is None:
            return None
        if run.state == RunState.RUNNING:
            ending.log_line(session, run, f"The worker {run.worker} was lost.", "warning")
        if run.cancel_asked_at is not None:
            ending.end_cancelled(session, run)
        elif run.attempt >= run.most_attempts:
            ending.fail(session, run, LOST)
        else:
            return _take(session, run, worker)
        session.flush()


def _free(wanted: Wanted) -> Select[UUID]:
    now = utc_now()
    waiting = and_(Run.state == RunState.QUEUED, or_(Run.not_before.is_(None), Run.not_before <= now))
    lost = and_(Run.state == RunState.RUNNING, Run.lease_until < now)
    found = select(Run.id).where(LIVING, or_(waiting, lost), Run.kind.in_(sorted(wanted.kinds)))
    if wanted.interactive is not None:
        found = found.where(Run.priority <= INTERACTIVE if wanted.interactive else Run.priority > INTERACTIVE)
    if wanted.busy:
        found = found.where(Run.acts_as_id.not_in(list(wanted.busy)))
    return found.order_by(Run.priority, Run.id).limit(1)


def _take(session: Session, run: Run, worker: str) -> Run:
    now = utc_now()
    run.state = RunState.RUNNING
    run.attempt += 1
    run.worker = worker
    run.lease = new_id()
    run.lease_until = now + LEASE
    run.not_before = None
    run.started_at = run.started_at or now
    run.progress = {}
    if run.attempt > 1:
        ending.log_line(session, run, f"Attempt {run.attempt} of {run.most_attempts}.")
    session.flush()
    ring(session, about(run.id))
    return run


# Keeping -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Kept:
    """A lease that is still ours, and whether somebody asked for its run to stop."""

    lease: UUID
    cancel_asked: bool


def look(session: Session, leases: Collection[UUID]) -> list[Kept]:
    """Those of these leases that are still ours."""
    held = select(Run.lease, Run.cancel_asked_at).where(
        LIVING, Run.state == RunState.RUNNING, Run.lease.in_(list(leases))
    )
    return [Kept(lease, asked is not None) for lease, asked in session.execute(held) if lease is not None]


def renew(session: Session, leases: Collection[UUID]) -> None:
    """Keep them for longer; those that are not ours any more stay as they are."""
    session.execute(
        update(Run)
        .where(LIVING, Run.state == RunState.RUNNING, Run.lease.in_(list(leases)))
        .values(lease_until=utc_now() + LEASE)
        .execution_options(synchronize_session=False)
    )


def let_go_of(session: Session, worker: str) -> None:
    """Make everything claimable at once that a worker held which is known to be gone."""
    session.execute(
        update(Run)
        .where(LIVING, Run.state == RunState.RUNNING, Run.worker == worker)
        .values(lease_until=utc_now())
        .execution_options(synchronize_session=False)
    )
    ring(session, QUEUED)


def report(session: Session, run_id: UUID, lease: UUID, told: Mapping[str, Any], lines: Collection[RunLog]) -> None:
    """Write down how far it has come, and what its log says."""
    ours = update(Run).where(Run.id == run_id, Run.lease == lease, Run.state == RunState.RUNNING)
    # With nothing new, it is only a look whether it is ours.
    if session.connection().execute(ours.values(**(told or {"lease": lease}))).rowcount == 0:
        raise LeaseLost
    session.add_all(lines)
    ring(session, about(run_id))


def hold(session: Session, run_id: UUID, lease: UUID) -> Run:
    """The run, for whoever ends it in this transaction; refused if it is another's by now."""
    held = select(Run).where(Run.id == run_id, Run.lease == lease, Run.state == RunState.RUNNING)
    run = session.scalars(held.with_for_update(**LOCKED).execution_options(populate_existing=True)).one_or_none()
    if run is None:
        raise LeaseLost
    return run


# Giving back ---------------------------------------------------------------------------------------------------------


def release(session: Session, run: Run) -> None:
    """Let another worker take it up at once, as if it had never been claimed."""
    run.attempt -= 1
    _back(session, run, None)


def try_again_later(session: Session, run: Run, problem: RunProblem) -> bool:
    """Back into the queue after something that may pass, each time for longer; False when it was tried enough."""
    if run.attempt >= run.most_attempts:
        return False
    seconds = wait_seconds(run.attempt)
    ending.log_line(session, run, f"{problem.message} Trying again in {seconds:.0f} seconds.", "warning")
    _back(session, run, utc_now() + timedelta(seconds=seconds))
    return True


def wait_seconds(attempt: int) -> float:
    """Longer each time, and never the same for two runs that failed together."""
    state = RetryCallState(None, None, (), {})  # type: ignore[arg-type]
    state.attempt_number = attempt
    return BACK_OFF(state)


def _back(session: Session, run: Run, not_before: datetime | None) -> None:
    run.state = RunState.QUEUED
    run.lease = run.lease_until = run.worker = None
    run.not_before = not_before
    run.progress = {}
    session.flush()
    ring(session, QUEUED, about(run.id))
