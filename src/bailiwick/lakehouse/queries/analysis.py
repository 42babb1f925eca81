"""What a statement reads and gives, worked out by Spark before it is saved: a dry run as whoever saves it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from bailiwick.database.base import utc_now
from bailiwick.errors import Conflict, Invalid, NotFound
from bailiwick.lakehouse.models import Table
from bailiwick.lakehouse.queries.adhoc import SHOWN, SUBJECT, asked_by
from bailiwick.runs.acting import acting
from bailiwick.runs.models import ENDED, INTERACTIVE, Run, RunState
from bailiwick.runs.queue import enqueue
from bailiwick.settings import Settings
from bailiwick.spark.queries.jobs import Analysed, DryRun, Expectation
from bailiwick.tenancy.caller import Caller

KIND = "dry_run"
HOLDS = timedelta(hours=1)  # so long an analysis can be saved with; at each run it is made again


@dataclass(frozen=True)
class Analysis:
    """What came of a dry run."""

    reads: Sequence[Table]
    columns: Sequence[Mapping[str, Any]]
    changes: Sequence[str]
    problem: Mapping[str, str] | None


def ask(session: Session, caller: Caller, sql: str, writing: Mapping[str, Any] | None = None) -> Run:
    """Have a statement analysed; `writing` says what would be written, and where."""
    return enqueue(
        session,
        kind=KIND,
        subject_type=SUBJECT,
        subject_id=None,
        subject_name=f"Dry run: {' '.join(sql.split())}"[:SHOWN],
        acts_as=caller.member,
        started_by=caller.member,
        token=caller.token,
        parameters={"sql": sql, "writing": dict(writing) if writing else None},
        priority=INTERACTIVE,
    )


def has_ended(run: Run) -> bool:
    return run.state in ENDED


def take(session: Session, caller: Caller, run_id: UUID, sql: str) -> Analysis:
    """The analysis of this very statement, made for the caller a short while ago."""
    try:
        run: Run | None = asked_by(session, caller, run_id)
    except NotFound:
        run = None
    if run is None or run.kind != KIND or run.parameters["sql"] != sql or utc_now() - run.created_at > HOLDS:
        raise Invalid("analysis", "This is no recent dry run of this statement.", "Leave it out; one is made anew.")
    if run.state in (RunState.QUEUED, RunState.RUNNING):
        raise Conflict("The statement is still being analysed. Repeat the request in a moment.", run_id=str(run.id))
    if run.state != RunState.SUCCEEDED or run.result is None:
        said = run.problem or {}
        message = said.get("message") or "The analysis was stopped before it ended."
        raise Invalid("sql", message, said.get("fix", ""))
    ids = [UUID(id_) for id_ in run.result["reads"]]
    reads = session.scalars(select(Table).where(Table.id.in_(ids))).all()
    return Analysis(reads, run.result["columns"], run.result["changes"], run.result["problem"])


def expectations_of(listed: Sequence[Mapping[str, Any]]) -> tuple[Expectation, ...]:
    """Expectations as Spark is told, from how they are stored."""
    return tuple(Expectation(**{**one, "values": tuple(one.get("values", ()))}) for one in listed)


# What a worker does --------------------------------------------------------------------------------------------------


def prepare(session: Session, run: Run, settings: Settings) -> DryRun:
    acting(session, run)
    writing = run.parameters.get("writing")
    if not writing:
        return DryRun(run.parameters["sql"])
    return DryRun(
        run.parameters["sql"],
        f"{settings.warehouse.rstrip('/')}/{writing['location']}" if writing.get("location") else None,
        writing["mode"],
        tuple(writing.get("keys", ())),
        writing.get("replace_schema", False),
        expectations_of(writing.get("expectations", ())),
    )


def finish(session: Session, run: Run, found: Analysed) -> None:
    run.result = {
        "reads": list(found.reads),
        "columns": [asdict(column) for column in found.columns],
        "lineage": [[edge.from_table_id, edge.from_column, edge.to_column] for edge in found.lineage],
        "changes": list(found.changes),
        "problem": dict(found.problem) if found.problem else None,
    }
