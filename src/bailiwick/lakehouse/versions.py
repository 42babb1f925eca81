"""Versions of a table: listed, looked at, and gone back to.

Restoring changes all rows at once, which an Editor may do with a pipeline that overwrites: it asks for the same level,
by the row for changing a resource without deleting it. It is a new version itself, so it can be taken back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, null, select
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision, require
from bailiwick.database.base import utc_now
from bailiwick.errors import Conflict, NotFound
from bailiwick.lakehouse import outputs, pipelines, tables
from bailiwick.lakehouse.catalogue import READ, table_location
from bailiwick.lakehouse.layers import CHANGE_DESCRIPTIONS
from bailiwick.lakehouse.models import Layer, Pipeline, Stream, Table
from bailiwick.lakehouse.names import name_of
from bailiwick.lakehouse.queries import results
from bailiwick.lakehouse.queries.adhoc import SUBJECT as ASKED
from bailiwick.lakehouse.queries.adhoc import folder_of, names_of
from bailiwick.lakehouse.seeing_data import SEE_TABLES, ways_to_see
from bailiwick.lakehouse.standing import on_thing
from bailiwick.runs.acting import acting
from bailiwick.runs.deciding import EVERY_RUN, sees_what_is_left
from bailiwick.runs.errors import Restricted, RunProblem
from bailiwick.runs.models import INTERACTIVE, Run, Trigger
from bailiwick.runs.queue import enqueue
from bailiwick.runs.subjects import SUBJECTS, Subject
from bailiwick.settings import Settings
from bailiwick.spark.jobs import Written
from bailiwick.spark.maintenance.jobs import ListVersions, Restore, Version
from bailiwick.spark.queries.jobs import Answer, TableLook
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Member

SAMPLE, VERSIONS, RESTORE = "preview_table", "table_versions", "restore"
SUBJECT = "table"
CHANGE = CHANGE_DESCRIPTIONS
MOST_VERSIONS = 200


def ask_sample(session: Session, caller: Caller, table_id: UUID, *, rows: int, version: int | None) -> Run:
    """Some rows of the table, as it is or was; seen by who asked."""
    table, placed = tables.find_table(session, caller, table_id)
    require(placed.check(caller.id, READ))
    return _ask(session, caller, SAMPLE, table, {"rows": rows, "version": version})


def ask_versions(session: Session, caller: Caller, table_id: UUID, *, before: int | None, limit: int) -> Run:
    table, _ = tables.find_table(session, caller, table_id)
    return _ask(session, caller, VERSIONS, table, {"limit": limit, "before": before})


def restore(session: Session, caller: Caller, table_id: UUID, version: int) -> Run:
    """Let the table be what it was. Pipelines go on from where they are, and are not sent back."""
    table, placed = tables.find_table(session, caller, table_id)
    decision = require(placed.check(caller.id, CHANGE))
    if table.data_version is None:
        raise Conflict("There is no data yet, so there is no version to go back to.")
    run = enqueue(
        session,
        kind=RESTORE,
        subject_type=SUBJECT,
        subject_id=table.id,
        subject_name=name_of(session, table),
        acts_as=caller.member,
        started_by=caller.member,
        token=caller.token,
        parameters={"version": version},
    )
    caller.record(
        session,
        "restore_table",
        "table",
        resource_id=table.id,
        resource_name=name_of(session, table),
        before={"version": table.data_version},
        after={"version": version, "run_id": str(run.id)},
        decision=decision,
    )
    return run


def _ask(session: Session, caller: Caller, kind: str, table: Table, more: dict[str, Any]) -> Run:
    return enqueue(
        session,
        kind=kind,
        subject_type=ASKED,
        subject_id=None,
        subject_name=name_of(session, table),
        acts_as=caller.member,
        started_by=caller.member,
        token=caller.token,
        parameters={"table_id": str(table.id), **more},
        priority=INTERACTIVE,
    )


# What a worker does --------------------------------------------------------------------------------------------------


def prepare_sample(session: Session, run: Run, settings: Settings) -> TableLook:
    table = _table(session, run, UUID(run.parameters["table_id"]), READ)
    folder = str(folder_of(settings, run))
    most = settings.result_megabytes << 20
    return TableLook(table_location(settings, table), run.parameters["version"], folder, run.parameters["rows"], most)


def finish_sample(session: Session, run: Run, answer: Answer, settings: Settings) -> None:
    assert answer.result is not None
    run.result = results.described(answer.result)
    run.result_expires_at = utc_now() + timedelta(hours=settings.result_hours)


def prepare_versions(session: Session, run: Run, settings: Settings) -> ListVersions:
    table = _table(session, run, UUID(run.parameters["table_id"]), SEE_TABLES)
    one_more = run.parameters["limit"] + 1  # tells that there are earlier ones
    before = run.parameters.get("before")  # one that waits since an earlier release knows of none
    return ListVersions(table_location(settings, table), one_more, before)


def finish_versions(session: Session, run: Run, found: list[Version]) -> None:
    """With the runs that made them, as far as who asked may see what these belong to."""
    caller, table_id = acting(session, run), UUID(run.parameters["table_id"])
    apps = {app: id_ for app in {one.app for one in found if one.app} if (id_ := _as_id(app))}
    pipelines_ = {app: _pipeline_behind(session, caller, id_) for app, id_ in apps.items()}
    told = []
    for one in found:
        app = one.app or ""
        pipeline = pipelines_.get(app)
        made_in = _run_behind(session, table_id, apps[app], one, pipeline) if app in apps else None
        told.append(_told(session, one, pipeline, made_in))
    limit = run.parameters["limit"]
    run.result = {"versions": told[:limit], "more": len(told) > limit}


def _as_id(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _run_behind(session: Session, table_id: UUID, app: UUID, one: Version, pipeline: Pipeline | None) -> Run | None:
    """Of a pipeline that is seen, or of the table itself, which made it or went back to a version of it."""
    if pipeline is not None or app == table_id:
        subject_id = pipeline.id if pipeline else table_id
        return session.scalar(select(Run).where(Run.subject_id == subject_id, Run.number == one.number))
    run = session.get(Run, app)
    return run if run is not None and run.subject_id == table_id else None


def _pipeline_behind(session: Session, caller: Caller, id_: UUID) -> Pipeline | None:
    stream = session.get(Stream, id_)
    pipeline = session.get(Pipeline, stream.pipeline_id if stream else id_)
    if pipeline is None or not pipelines.decide(session, caller, pipeline, pipelines.SEE).allowed:
        return None
    return pipeline


def _told(session: Session, one: Version, pipeline: Pipeline | None, made_in: Run | None) -> dict[str, Any]:
    starter = session.get(Member, made_in.started_by_id) if made_in and made_in.started_by_id else None
    return {
        "version": one.version,
        "at": datetime.fromtimestamp(one.at / 1000, UTC).isoformat(),
        "operation": one.operation.lower().replace("_", " "),
        "rows": one.rows,
        "pipeline": {"id": str(pipeline.id), "name": pipeline.name, "kind": pipeline.kind} if pipeline else None,
        "run_id": str(made_in.id) if made_in else None,
        "started_by": starter.name if starter else None,
        "restored": one.restored,
    }


def prepare_restore(session: Session, run: Run, settings: Settings) -> Restore:
    table = _table(session, run, run.subject_id, CHANGE)
    return Restore(str(run.id), table_location(settings, table), run.parameters["version"])


def finish_restore(session: Session, run: Run, written: Written) -> None:
    table = session.get(Table, run.subject_id)
    if table is not None:
        outputs.note(session, table, written)
    # Nobody counts which rows that changed.
    run.result = {"data_version": written.delta_version, "rows": written.rows}


def _table(session: Session, run: Run, table_id: UUID, action: str) -> Table:
    caller = acting(session, run)
    table = session.get(Table, table_id)
    if table is None:
        raise RunProblem("gone", "The table was deleted meanwhile.", "")
    decision = on_thing(session, caller, table).check(caller.id, action)
    if not decision.allowed:
        raise Restricted(decision, [_missing(session, table, decision)])
    return table


def _missing(session: Session, table: Table, decision: Decision) -> dict[str, Any]:
    name = names_of(session, [str(table.id)])[0]["name"]
    needs = "Editor" if decision.action == CHANGE else "Viewer"
    has = decision.facts.get("level", "none")
    return {"resource_type": "table", "resource_id": str(table.id), "name": name, "has": has, "needs": needs}


# What the runs know of tables ----------------------------------------------------------------------------------------


def _decide(session: Session, caller: Caller, table_id: UUID, action: str) -> Decision:
    table = session.get(Table, table_id)
    if table is None:
        raise NotFound("table")
    placed = on_thing(session, caller, table)
    return placed.check(caller.id, SEE_TABLES if action == "see" else CHANGE)


def _start(
    session: Session, caller: Caller | None, table_id: UUID, trigger: Trigger | None, scheduled_for: datetime | None
) -> Run:
    raise Conflict("A table is restored once, to a version that is named. Restore it again instead.")


def _names() -> Select[UUID, str, str | None]:
    in_full = (Layer.name + "." + Table.name).label("name")
    return select(Table.id, in_full, null().label("kind")).join(Layer, Layer.id == Table.layer_id)


def _ways_to_see(session: Session, caller: Caller) -> list[ColumnElement[bool]]:
    if sees_what_is_left(caller):
        return [EVERY_RUN]
    return [Run.subject_id.in_(select(Table.id).where(way)) for way in ways_to_see(session, caller, Table)]


SUBJECTS[SUBJECT] = Subject(
    SUBJECT, _decide, _start, _names, _ways_to_see, by_trigger=False, repeats=lambda session, run: False
)
