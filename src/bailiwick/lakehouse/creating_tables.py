"""New tables without data: asked for by an Editor of the layer, made by a run on Spark, there once it has succeeded.

Importing this module tells the runs what a new table is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, null, select
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision, require
from bailiwick.database.base import new_id
from bailiwick.errors import Conflict, Invalid, NotFound
from bailiwick.lakehouse import outputs
from bailiwick.lakehouse.layers import CHANGE_DESCRIPTIONS, find_layer
from bailiwick.lakehouse.models import Layer, Table
from bailiwick.lakehouse.seeing_data import SEE_TABLES, sees_everything, ways_to_see
from bailiwick.lakehouse.standing import on_layer, on_thing
from bailiwick.lakehouse.volumes import CREATE
from bailiwick.runs.acting import acting
from bailiwick.runs.deciding import EVERY_RUN
from bailiwick.runs.errors import RunProblem
from bailiwick.runs.models import INTERACTIVE, Run, Trigger
from bailiwick.runs.queue import enqueue
from bailiwick.runs.subjects import SUBJECTS, Subject
from bailiwick.settings import Settings
from bailiwick.spark.jobs import Column, Written
from bailiwick.spark.tables.jobs import NewTable
from bailiwick.tenancy.caller import Caller

SUBJECT, KIND = "new_table", "create_table"
SIMPLE = (
    *("string", "boolean", "tinyint", "smallint", "int", "bigint", "float", "double", "date", "timestamp"),
    *("timestamp_ntz", "binary"),
)
DECIMAL = re.compile(r"decimal\(([0-9]{1,2}),([0-9]{1,2})\)")
LARGEST_PRECISION = 38
TYPES = f"Use {', '.join(SIMPLE)}, decimal(precision,scale), or array<…> of one of these."


# Asking --------------------------------------------------------------------------------------------------------------


def ask_for_table(
    session: Session,
    caller: Caller,
    layer_id: UUID,
    name: str,
    *,
    columns: Sequence[Mapping[str, str]],
    description: str = "",
) -> Run:
    """Put the making of a table into the queue. Columns have a name, a type and what is said of them."""
    layer, placed = find_layer(session, caller, layer_id)
    require(placed.check(caller.id, CREATE))
    _require_free(session, layer, name)
    wanted = [{**column, "type": _type_of(position, column["type"])} for position, column in enumerate(columns)]
    names = [column["name"].lower() for column in columns]
    for position, column in enumerate(columns):
        if names.index(column["name"].lower()) != position:
            raise Invalid(f"columns.{position}.name", "There is a column of this name before it.", "Choose another.")
    parameters = {"layer_id": str(layer.id), "name": name, "description": description, "columns": wanted}
    return _enqueue(session, caller, new_id(), f"{layer.name}.{name}", parameters)


def _enqueue(session: Session, caller: Caller, table_id: UUID, name: str, parameters: Mapping[str, Any]) -> Run:
    return enqueue(
        session,
        kind=KIND,
        subject_type=SUBJECT,
        subject_id=table_id,
        subject_name=name,
        acts_as=caller.member,
        started_by=caller.member,
        token=caller.token,
        parameters=parameters,
        priority=INTERACTIVE,
    )


def _type_of(position: int, given: str) -> str:
    """The type in Spark's words; only from this list, so that nothing else gets into a statement."""
    plain = re.sub(r"\s+", "", given).lower()
    inner = plain.removeprefix("array<").removesuffix(">") if plain.startswith("array<") else plain
    decimal = DECIMAL.fullmatch(inner)
    fits = decimal is not None and 0 < int(decimal[1]) <= LARGEST_PRECISION and int(decimal[2]) <= int(decimal[1])
    if not (fits or inner in SIMPLE) or plain not in (inner, f"array<{inner}>"):
        raise Invalid(f"columns.{position}.type", "This is no type of a column.", TYPES)
    return plain


def _require_free(session: Session, layer: Layer, name: str) -> None:
    if outputs.named(session, layer.id, name) is not None:
        raise Conflict(f"There is a table {layer.name}.{name} already. Choose another name.")


# What a worker does --------------------------------------------------------------------------------------------------


def prepare(session: Session, run: Run, settings: Settings) -> NewTable:
    layer, _ = _decided(session, acting(session, run), run)
    if session.get(Table, run.subject_id) is None:
        _require_free(session, layer, run.parameters["name"])
    columns = tuple(Column(column["name"], column["type"]) for column in run.parameters["columns"])
    location = f"{settings.warehouse.rstrip('/')}/tables/{run.subject_id}"
    return NewTable(location, columns, str(run.subject_id), run.number)


def finish(session: Session, run: Run, written: Written) -> None:
    caller = acting(session, run)
    layer, decision = _decided(session, caller, run)
    _require_free(session, layer, run.parameters["name"])
    said = {column["name"]: column.get("description", "") for column in run.parameters["columns"]}
    table = Table(
        id=run.subject_id,
        layer_id=layer.id,
        name=run.parameters["name"],
        description=run.parameters["description"],
        location=f"tables/{run.subject_id}",
        field_descriptions={name: text for name, text in said.items() if text},
        created_by_id=run.acts_as_id,
    )
    session.add(table)
    session.flush()
    outputs.note(session, table, written)
    run.result = {"table": {"id": str(table.id), "name": run.subject_name}}
    caller.record(
        session,
        "create_table",
        "table",
        resource_id=table.id,
        resource_name=run.subject_name,
        after={"name": run.subject_name, "description": table.description, "columns": table.columns},
        decision=decision,
    )


def _decided(session: Session, caller: Caller, run: Run) -> tuple[Layer, Decision]:
    layer = session.get(Layer, UUID(run.parameters["layer_id"]))
    if layer is None:
        raise RunProblem("gone", "The layer was deleted meanwhile.")
    return layer, require(on_layer(session, caller, layer).check(caller.id, CREATE))


# What the runs know of new tables ------------------------------------------------------------------------------------


def _decide(session: Session, caller: Caller, table_id: UUID, action: str) -> Decision:
    """As the table says, once there is one; until then it is for those who could make it."""
    table = session.get(Table, table_id)
    if table is not None:
        return on_thing(session, caller, table).check(caller.id, SEE_TABLES if action == "see" else CHANGE_DESCRIPTIONS)
    run = _last_run(session, table_id)
    layer = session.get(Layer, UUID(run.parameters["layer_id"]))
    if layer is None:
        raise NotFound("table")
    return on_layer(session, caller, layer).check(caller.id, CREATE)


def _start(
    session: Session, caller: Caller | None, table_id: UUID, trigger: Trigger | None, scheduled_for: datetime | None
) -> Run:
    if caller is None:
        raise Conflict("A table is made once, not by a trigger.")
    if session.get(Table, table_id) is not None:
        raise Conflict("The table is there already.")
    run = _last_run(session, table_id)
    _decided(session, caller, run)
    return _enqueue(session, caller, table_id, run.subject_name, run.parameters)


def _names() -> Select[UUID, str, str | None]:
    named = select(Run.subject_id, Run.subject_name, null().label("kind"))
    return named.where(Run.subject_type == SUBJECT).distinct()


def _last_run(session: Session, table_id: UUID) -> Run:
    run = session.scalars(select(Run).where(_of(table_id)).order_by(Run.id.desc()).limit(1)).one_or_none()
    if run is None:
        raise NotFound("table")
    return run


def _of(table_id: UUID) -> ColumnElement[bool]:
    return (Run.subject_type == SUBJECT) & (Run.subject_id == table_id)


def _ways_to_see(session: Session, caller: Caller) -> list[ColumnElement[bool]]:
    """Those whose table is there; the others are looked at by who asked for them, by their id."""
    if sees_everything(session, caller) and caller.chosen_tables is None:
        return [EVERY_RUN]
    return [Run.subject_id.in_(select(Table.id).where(way)) for way in ways_to_see(session, caller, Table)]


def _repeats(session: Session, run: Run) -> bool:
    return session.get(Table, run.subject_id) is None


SUBJECTS[SUBJECT] = Subject(SUBJECT, _decide, _start, _names, _ways_to_see, by_trigger=False, repeats=_repeats)
