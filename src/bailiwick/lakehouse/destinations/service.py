"""Lakehouse destinations: adding them, changing where they lead, trying them, and what a worker is told of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import delete
from sqlalchemy.orm import Session

from bailiwick.access.decision import Refused, require
from bailiwick.database.base import utc_now
from bailiwick.errors import Invalid, NotFound
from bailiwick.lakehouse import outputs, pipelines, tables, volumes
from bailiwick.lakehouse.catalogue import table_location
from bailiwick.lakehouse.destinations.settings import (
    TARGET,
    FileTarget,
    PostgresqlTarget,
    WebhookTarget,
    filled,
    place_of,
    stored,
)
from bailiwick.lakehouse.files import CHANGE_FILES, folder_of
from bailiwick.lakehouse.models import Pipeline, PipelineKind, PipelineVolume, Table, Volume
from bailiwick.lakehouse.paths import parts_of
from bailiwick.lakehouse.pipeline_runs import acting_owner
from bailiwick.lakehouse.pipelines import EDIT, SeenPipeline
from bailiwick.lakehouse.queries.adhoc import SUBJECT, names_of
from bailiwick.lakehouse.sources.inputs import kept, secret_of
from bailiwick.notify.addresses import AddressRefused, pin, refuse_private
from bailiwick.runs.acting import acting
from bailiwick.runs.errors import Restricted, RunProblem
from bailiwick.runs.lineage import Edge, set_lineage
from bailiwick.runs.models import INTERACTIVE, Run
from bailiwick.runs.queue import enqueue
from bailiwick.settings import Settings
from bailiwick.spark.destinations.jobs import Delivered, Delivery, Target, ToFile, ToPostgresql, ToWebhook
from bailiwick.spark.sources.jobs import HttpAt, PostgresqlAt
from bailiwick.tenancy.caller import Caller

KIND = PipelineKind.DESTINATION
TEST: Literal["test_destination"] = "test_destination"
AnyTarget = PostgresqlTarget | FileTarget | WebhookTarget


def add(
    session: Session,
    caller: Caller,
    *,
    name: str,
    description: str,
    table_id: UUID,
    columns: Sequence[str] | None,
    target: AnyTarget,
    secret: str | None,
) -> SeenPipeline:
    """Add one. It makes no table, so no layer is asked about: the level is the lowest on the table and the volume."""
    pipelines.refuse_taken_name(session, KIND, name)
    _require_table(session, caller, table_id, columns)
    pipeline = Pipeline(
        kind=KIND,
        name=name,
        description=description,
        settings=_settings(table_id, columns, target),
        credentials=kept(secret),
        owner_id=caller.member.id,
        created_by_id=caller.member.id,
        saved_by_id=caller.member.id,
    )
    session.add(pipeline)
    session.flush()
    _set_ends(session, caller, pipeline, table_id, target)
    return pipelines.save_new(session, caller, pipeline)


def edit(
    session: Session,
    caller: Caller,
    pipeline_id: UUID,
    changes: Mapping[str, Any],
    *,
    target: AnyTarget | None,
    if_match: str | None,
) -> SeenPipeline:
    """Change it. When it leads elsewhere its secret is forgotten, so that no editor can send it there."""
    with pipelines.edit(session, caller, pipeline_id, KIND, if_match=if_match) as pipeline:
        for field in ("name", "description"):
            if changes.get(field) is not None:
                setattr(pipeline, field, changes[field])
        now = TARGET.validate_python(pipeline.settings["target"])
        new = target if target is not None else now
        table_id = changes.get("table_id") or UUID(pipeline.settings["table_id"])
        columns = changes["columns"] if "columns" in changes else pipeline.settings["columns"]
        if place_of(new) != place_of(now):
            pipeline.credentials = None
        if changes.get("secret"):
            pipeline.credentials = kept(changes["secret"])
        settings = _settings(table_id, columns, new)
        if settings != pipeline.settings:
            _require_table(session, caller, table_id, columns)
            pipeline.settings = settings
            _set_ends(session, caller, pipeline, table_id, new)
    return pipelines.one(session, caller, pipeline)


def _settings(table_id: UUID, columns: Sequence[str] | None, target: AnyTarget) -> dict[str, Any]:
    return {
        "table_id": str(table_id),
        "columns": None if columns is None else list(columns),
        "target": stored(target),
    }


def _require_table(session: Session, caller: Caller, table_id: UUID, columns: Sequence[str] | None) -> None:
    try:
        table, _ = tables.find_table(session, caller, table_id)
    except (NotFound, Refused):
        raise Invalid("table_id", "There is no such table.", "List the tables you see: GET /api/v1/tables") from None
    there = {column["name"].lower() for column in table.columns}
    absent = [name for name in columns or [] if name.lower() not in there]
    if absent:
        raise Invalid("columns", f"The table has no column {absent[0][:100]}.", "Take the names from the table.")


def _set_ends(session: Session, caller: Caller, pipeline: Pipeline, table_id: UUID, target: AnyTarget) -> None:
    """What it reads, and the volume it writes to; both count for its level."""
    outputs.set_inputs(session, pipeline, [table_id])
    session.execute(delete(PipelineVolume).where(PipelineVolume.pipeline_id == pipeline.id))
    if isinstance(target, FileTarget):
        try:
            volume, placed = volumes.find_volume(session, caller, target.volume_id)
        except (NotFound, Refused):
            raise Invalid("volume_id", "There is no such volume.", "List the volumes you see.") from None
        require(placed.check(caller.id, CHANGE_FILES))
        session.add(PipelineVolume(pipeline_id=pipeline.id, volume_id=volume.id))
    session.flush()


def inputs_of(session: Session, listed: Sequence[Pipeline]) -> dict[UUID, dict[str, str] | None]:
    """The table whose rows each of them carries; none where it was deleted."""
    names = {one["id"]: one for one in names_of(session, [pipeline.settings["table_id"] for pipeline in listed])}
    return {pipeline.id: names.get(pipeline.settings["table_id"]) for pipeline in listed}


# Trying --------------------------------------------------------------------------------------------------------------


def try_out(session: Session, caller: Caller, pipeline_id: UUID) -> Run:
    """Ask a worker whether the place answers; for who may edit the destination, and nothing is sent."""
    pipeline, _ = pipelines.decided(session, caller, pipeline_id, EDIT, KIND)
    return enqueue(
        session,
        kind=TEST,
        subject_type=SUBJECT,
        subject_id=None,
        subject_name=pipeline.name,
        acts_as=caller.member,
        started_by=caller.member,
        token=caller.token,
        parameters={"pipeline_id": str(pipeline.id)},
        priority=INTERACTIVE,
        most_attempts=1,
    )


def prepare_test(session: Session, run: Run, settings: Settings) -> Target:
    pipeline = session.get(Pipeline, UUID(run.parameters["pipeline_id"]))
    if pipeline is None:
        raise RunProblem("gone", "The destination was deleted meanwhile.", "")
    decision = pipelines.decide(session, acting(session, run), pipeline, EDIT)
    if not decision.allowed:
        raise Restricted(decision)
    return _target(session, run, pipeline, settings)


def finish_test(session: Session, run: Run, says: str) -> None:
    run.result = {"says": says}


# What a worker does --------------------------------------------------------------------------------------------------


def prepare(session: Session, run: Run, settings: Settings) -> Delivery:
    pipeline, _ = acting_owner(session, run)
    table = session.get(Table, UUID(pipeline.settings["table_id"]))
    if table is None:
        raise RunProblem("table_gone", "The table whose rows it carries was deleted.", "Choose another one.")
    columns = pipeline.settings["columns"]
    return Delivery(
        id=str(run.id),
        table=names_of(session, [str(table.id)])[0]["name"],
        location=table_location(settings, table),
        columns=None if columns is None else tuple(columns),
        folder=str(settings.results_folder / str(run.id)),
        target=_target(session, run, pipeline, settings),
    )


def finish(session: Session, run: Run, done: Delivered) -> None:
    run.rows_written = done.rows
    run.result = {"says": done.says, "rows": done.rows}
    pipeline = session.get(Pipeline, run.subject_id)
    if pipeline is not None:
        table_id = UUID(pipeline.settings["table_id"])
        set_lineage(session, run, [Edge(table_id, column, None, column) for column in done.columns])


def _target(session: Session, run: Run, pipeline: Pipeline, settings: Settings) -> Target:
    """Where it leads, looked up now and checked now; what is looked up is what is connected to."""
    target = TARGET.validate_python(pipeline.settings["target"])
    secret = secret_of(pipeline)
    try:
        if isinstance(target, PostgresqlTarget):
            pinned = pin(target.host, target.port, settings)
            at = PostgresqlAt(
                target.host, pinned.address, target.port, target.database, target.user, secret, target.encryption
            )
            return ToPostgresql(at, target.db_schema, target.table, target.mode, tuple(target.keys))
        if isinstance(target, WebhookTarget):
            pinned = refuse_private(target.url, settings)
            if target.authentication != "none" and secret is None:
                message = "The destination has no secret: it was not entered, or the destination leads elsewhere now."
                raise RunProblem("secret_missing", message, "Enter it again.")
            http = HttpAt(
                target.url,
                pinned.address,
                "",
                target.headers,
                target.authentication,
                target.user,
                target.header,
                secret,
            )
            return ToWebhook(http, target.batch_rows)
    except AddressRefused as error:
        raise RunProblem("address_refused", str(error), "") from None
    volume = session.get(Volume, target.volume_id)
    if volume is None:
        raise RunProblem("volume_gone", "The volume that it writes to was deleted.", "Choose another one.")
    moment = run.started_at or utc_now()
    values = {"date": f"{moment:%Y-%m-%d}", "time": f"{moment:%H%M%S}", "run": str(run.id), "number": str(run.number)}
    path = parts_of(filled(target.path, values))
    return ToFile(str(folder_of(settings, volume)), path, target.format, target.escape_formulas)
