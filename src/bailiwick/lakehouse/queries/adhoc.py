"""Queries that somebody asks once: put into the queue as whoever asks, their rows kept in files for a while.

Whose rows they are is settled: of whoever asked. Nobody else sees them, tenant owners and admins neither. Importing
this module tells the runs what a query is."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, false, null, select
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision, require
from bailiwick.database.base import utc_now
from bailiwick.database.listing import NEWEST, Order, has_in_name, page_merged
from bailiwick.database.paging import Page
from bailiwick.errors import Conflict, NotFound
from bailiwick.lakehouse import catalogue
from bailiwick.lakehouse.models import Layer, Table
from bailiwick.lakehouse.queries import results
from bailiwick.lakehouse.seeing_data import SEE_TABLES
from bailiwick.lakehouse.standing import on_query, on_things
from bailiwick.runs.acting import acting
from bailiwick.runs.models import INTERACTIVE, Run, RunState, Trigger
from bailiwick.runs.queue import enqueue
from bailiwick.runs.subjects import SUBJECTS, Subject
from bailiwick.settings import Settings
from bailiwick.spark.queries.jobs import Answer, Query
from bailiwick.tenancy.caller import Caller

SUBJECT, KIND = "query", "query"
WITH_ROWS = (KIND, "preview_table")  # whose rows are kept for who asked
EXECUTE = "Execute queries"
SHOWN = 200


def ask(
    session: Session,
    caller: Caller,
    sql: str,
    *,
    limit: int | None = None,
    saved_query_id: UUID | None = None,
) -> Run:
    """Put a statement into the queue, ahead of what nobody waits for. What it may read is decided when it runs."""
    parameters: dict[str, Any] = {"sql": sql, "limit": limit}
    if saved_query_id is not None:
        parameters["saved_query_id"] = str(saved_query_id)
    return enqueue(
        session,
        kind=KIND,
        subject_type=SUBJECT,
        subject_id=None,
        subject_name=" ".join(sql.split())[:SHOWN],
        acts_as=caller.member,
        started_by=caller.member,
        token=caller.token,
        parameters=parameters,
        priority=INTERACTIVE,
    )


def list_queries(
    session: Session,
    caller: Caller,
    *,
    search: str | None = None,
    sort: str = NEWEST,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Run]:
    """What the caller asked before, the latest first."""
    sql = Run.parameters["sql"].as_string()
    filters = [Run.kind == KIND, *([has_in_name(sql, search)] if search else [])]
    return page_merged(session, Run, Order(sort), cursor, limit, [(Run, and_(*_own(caller), *filters))])


def get_query(session: Session, caller: Caller, run_id: UUID) -> Run:
    """A query that the caller asked; those of others do not exist for them."""
    run = asked_by(session, caller, run_id)
    if run.kind not in WITH_ROWS:
        raise NotFound("query")
    return run


def asked_by(session: Session, caller: Caller, run_id: UUID) -> Run:
    """Whatever the caller asked once: a query, its analysis, a look at something."""
    run = session.scalars(select(Run).where(Run.id == run_id, *_own(caller), Run.subject_type == SUBJECT)).one_or_none()
    if run is None:
        raise NotFound("query")
    return run


def result_of(session: Session, caller: Caller, run_id: UUID, settings: Settings) -> results.Result:
    """The rows of a query that has succeeded, as long as they are kept, and what they come from is there to be read."""
    run = get_query(session, caller, run_id)
    if run.state in (RunState.QUEUED, RunState.RUNNING):
        raise Conflict("The query has not ended yet. Wait for it.")
    if run.state != RunState.SUCCEEDED or run.result is None or "columns" not in run.result:
        raise Conflict("The query did not succeed, so there is no result.")
    folder = folder_of(settings, run)
    over = run.result_expires_at is not None and run.result_expires_at <= utc_now()
    if over or (run.result.get("files") and not folder.is_dir()):
        raise Conflict("The result is no longer kept. Run the query again.")
    _require_still_read(session, caller, run)
    return results.Result(folder, run.result)


def _require_still_read(session: Session, caller: Caller, run: Run) -> None:
    """A level that was taken is taken from what was read with it, too; a table that is gone is not told from that."""
    result, looked_at = run.result or {}, run.parameters.get("table_id")
    reads = {UUID(looked_at)} if looked_at else {UUID(one["id"]) for one in result.get("reads", ())}
    tables = session.scalars(select(Table).where(Table.id.in_(reads))).all()
    for placed in on_things(session, caller, tables).values():
        require(placed.check(caller.id, SEE_TABLES))
    if len(tables) < len(reads):
        raise NotFound("table")


def _own(caller: Caller) -> list[ColumnElement[bool]]:
    """Asked by the caller; through a token for chosen tables, only what was asked through it. What somebody asked is
    not there for whoever views as them, not even as a run."""
    if caller.viewer is not None:
        return [false()]
    own = [Run.started_by_id == caller.member.id]
    if caller.chosen_tables is not None and caller.token is not None:
        own.append(Run.token_id == caller.token.id)
    return own


def folder_of(settings: Settings, run: Run) -> Path:
    return settings.results_folder / str(run.id)


# What a worker does --------------------------------------------------------------------------------------------------


def prepare(session: Session, run: Run, settings: Settings) -> Query:
    acting(session, run)
    limit = run.parameters.get("limit")
    most = min(limit, settings.result_rows) if limit else settings.result_rows
    return Query(run.parameters["sql"], str(folder_of(settings, run)), most, settings.result_megabytes << 20)


def finish(session: Session, run: Run, answer: Answer, settings: Settings) -> None:
    result = answer.result
    if answer.question is not None:
        told = catalogue.answer_question(session, acting(session, run), answer.question)
        result = results.write(folder_of(settings, run), told.columns, told.rows)
    assert result is not None
    run.result = {
        **results.described(result),
        "reads": names_of(session, answer.reads),
        "lineage": [[edge.from_table_id, edge.from_column, edge.to_column] for edge in answer.lineage],
    }
    run.result_expires_at = utc_now() + timedelta(hours=settings.result_hours)


def names_of(session: Session, table_ids: Any) -> list[dict[str, str]]:
    """Tables by id and name, for a result that is told later."""
    found = session.execute(
        select(Table.id, Layer.name, Table.name)
        .join(Layer, Layer.id == Table.layer_id)
        .where(Table.id.in_([UUID(id_) for id_ in table_ids]))
    )
    return [{"id": str(id_), "name": f"{layer}.{name}"} for id_, layer, name in found]


def forget_results(session: Session, settings: Settings) -> int:
    """Remove the files of results that are no longer kept; how many there were. Called now and then by a worker."""
    over = select(Run).where(Run.result_expires_at <= utc_now()).order_by(Run.result_expires_at).limit(1000)
    runs = session.scalars(over).all()
    for run in runs:
        shutil.rmtree(folder_of(settings, run), ignore_errors=True)
        run.result_expires_at = None
        if run.result is not None:
            run.result = {**run.result, "gone": True}
    session.flush()
    return len(runs)


# What the runs know of queries ---------------------------------------------------------------------------------------


def _decide(session: Session, caller: Caller, run_id: UUID, action: str) -> Decision:
    asked_by(session, caller, run_id)
    return on_query(session, caller, []).check(caller.id, EXECUTE)


def _start(
    session: Session, caller: Caller | None, run_id: UUID, trigger: Trigger | None, scheduled_for: datetime | None
) -> Run:
    if caller is None:
        raise Conflict("A query is asked by somebody, not by a trigger. Make it a pipeline query.")
    run = asked_by(session, caller, run_id)
    if run.kind != KIND:
        raise Conflict("This was asked on the way to something else. Repeat that instead.")
    return ask(session, caller, run.parameters["sql"], limit=run.parameters.get("limit"))


def _names() -> Select[UUID, str, str | None]:
    return select(Run.id, Run.subject_name, null().label("kind"))


def _repeats(session: Session, run: Run) -> bool:
    return run.kind == KIND


def _allowed(session: Session, caller: Caller, ids: Collection[UUID], action: str) -> Sequence[UUID]:
    if not on_query(session, caller, []).allows(caller.id, EXECUTE):
        return ()
    return session.scalars(select(Run.id).where(Run.id.in_(ids), *_own(caller), Run.subject_type == SUBJECT)).all()


def _ways_to_see(session: Session, caller: Caller) -> list[ColumnElement[bool]]:
    own, *more = _own(caller)
    for condition in more:
        own = own & condition
    return [own]


SUBJECTS[SUBJECT] = Subject(
    SUBJECT, _decide, _start, _names, _ways_to_see, by_trigger=False, work=KIND, allowed=_allowed, repeats=_repeats
)
