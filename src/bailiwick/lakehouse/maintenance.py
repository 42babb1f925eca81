"""Maintenance of a layer's tables: small files compacted, what only old versions need removed; now, or by a trigger.

It is for Managers, by the row for deleting: versions that are removed cannot be restored. Triggers let it act as who
saved it last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, null, select
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision, require
from bailiwick.access.world import records
from bailiwick.access.world.placing import Placed, place
from bailiwick.database.locks import KEPT, hold
from bailiwick.errors import Conflict, NotFound
from bailiwick.lakehouse import outputs
from bailiwick.lakehouse.catalogue import table_location
from bailiwick.lakehouse.layers import DELETE, find_layer
from bailiwick.lakehouse.models import Layer, Maintenance, Table
from bailiwick.lakehouse.seeing_data import SEE_LAYERS, ways_to_see_layers
from bailiwick.lakehouse.standing import Known, on_layer, world_of
from bailiwick.runs.acting import acting
from bailiwick.runs.deciding import EVERY_RUN, sees_what_is_left
from bailiwick.runs.errors import Restricted, RunProblem
from bailiwick.runs.models import IN_SPARE_TIME, Run, Trigger
from bailiwick.runs.queue import enqueue
from bailiwick.runs.subjects import SUBJECTS, Subject
from bailiwick.settings import Settings
from bailiwick.spark.jobs import TableRef
from bailiwick.spark.maintenance.jobs import Maintain, Maintained
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Member
from bailiwick.tenancy.versions import require_unchanged

KIND, SUBJECT = "maintenance", "layer"
SEE_RUNS = "See runs"
MAINTENANCE_OF = "Maintenance of "


@dataclass(frozen=True)
class SeenMaintenance:
    """How a layer is maintained, and whom that acts as."""

    layer: Layer
    maintenance: Maintenance
    owner: Member | None


def get_maintenance(session: Session, caller: Caller, layer_id: UUID) -> SeenMaintenance:
    layer, _ = find_layer(session, caller, layer_id)
    return _seen(session, layer)


def set_maintenance(
    session: Session, caller: Caller, layer_id: UUID, values: Mapping[str, Any], *, if_match: str | None
) -> SeenMaintenance:
    layer, placed = find_layer(session, caller, layer_id)
    decision = require(placed.check(caller.id, DELETE))
    row = session.get(Maintenance, layer.id)
    require_unchanged(if_match, row.version if row else 0, "maintenance")
    before = _told(row) if row else None
    if row is None:
        row = Maintenance(layer_id=layer.id)
        session.add(row)
    for field, value in values.items():
        setattr(row, field, value)
    row.owner_id = caller.member.id
    session.flush()
    _record(session, caller, "set_maintenance", layer, decision, before, _told(row))
    return _seen(session, layer)


def start(
    session: Session,
    caller: Caller | None,
    layer_id: UUID,
    trigger: Trigger | None = None,
    scheduled_for: datetime | None = None,
) -> Run:
    """Maintain the layer's tables: as who asks, or when a trigger fires as who saved the maintenance last."""
    decision: Decision | None = None
    if caller is None:
        layer = session.get(Layer, layer_id)
        row = session.get(Maintenance, layer_id)
        if layer is None:
            raise NotFound("layer")
        if row is None or row.owner_id is None or not row.active:
            raise Conflict(f"The maintenance of {layer.name} is not active.")
        acts_as = session.get_one(Member, row.owner_id)
    else:
        layer, placed = find_layer(session, caller, layer_id)
        decision = require(placed.check(caller.id, DELETE))
        acts_as = caller.member
    hold(session, Layer, layer.id, KEPT, "layer")  # no run is left of a layer that is being deleted
    run = enqueue(
        session,
        kind=KIND,
        subject_type=SUBJECT,
        subject_id=layer.id,
        subject_name=f"{MAINTENANCE_OF}{layer.name}",
        acts_as=acts_as,
        started_by=caller.member if caller else None,
        token=caller.token if caller else None,
        priority=IN_SPARE_TIME,
        trigger=trigger,
        scheduled_for=scheduled_for,
    )
    if caller is not None and decision is not None:
        _record(session, caller, "start_maintenance", layer, decision, None, {"run_id": str(run.id)})
    return run


def _seen(session: Session, layer: Layer) -> SeenMaintenance:
    row = session.get(Maintenance, layer.id)
    if row is None:  # as it would begin
        row = Maintenance(layer_id=layer.id, active=False, compact=True, keep_days=30, version=0)
    return SeenMaintenance(layer, row, session.get(Member, row.owner_id) if row.owner_id else None)


def _told(row: Maintenance) -> dict[str, Any]:
    return {"active": row.active, "compact": row.compact, "keep_days": row.keep_days}


def _record(
    session: Session,
    caller: Caller,
    action: str,
    layer: Layer,
    decision: Decision,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
) -> None:
    caller.record(
        session,
        action,
        "layer",
        resource_id=layer.id,
        resource_name=layer.name,
        before=before,
        after=after,
        decision=decision,
    )


# What a worker does --------------------------------------------------------------------------------------------------


def prepare(session: Session, run: Run, settings: Settings) -> Maintain:
    caller = acting(session, run)
    layer = session.get(Layer, run.subject_id)
    if layer is None:
        raise RunProblem("gone", "The layer was deleted meanwhile.", "")
    decision = on_layer(session, caller, layer).check(caller.id, DELETE)
    if not decision.allowed:
        has = decision.facts.get("level", "none")
        missing = {"resource_type": "layer", "resource_id": str(layer.id), "name": layer.name}
        seen = _on_runs(session, caller, layer).allows(caller.id, SEE_RUNS)
        raise Restricted(decision, [{**missing, "has": has, "needs": "Manager"}], seen=seen)
    row = _seen(session, layer).maintenance
    found = select(Table).where(Table.layer_id == layer.id, Table.data_version.is_not(None)).order_by(Table.name)
    refs = [
        TableRef(str(table.id), layer.name, table.name, table_location(settings, table))
        for table in session.scalars(found)
    ]
    return Maintain(tuple(refs), row.compact, row.keep_days)


def finish(session: Session, run: Run, done: Sequence[Maintained]) -> RunProblem | None:
    problems = []
    for one in done:
        table = session.get(Table, UUID(one.table_id))
        if table is not None and one.state is not None:
            outputs.note(session, table, one.state, same_rows=True)
        elif one.problem and table is not None:
            problems.append(f"{table.name}: {one.problem}")
    run.result = {
        "tables": len(done),
        "files_before": sum(one.files_before for one in done),
        "files_after": sum(one.files_after for one in done),
        "problems": problems,
    }
    if not problems:
        return None
    said = f"{len(problems)} of {len(done)} tables could not be maintained: {'; '.join(problems[:5])}"
    return RunProblem("maintenance", said, "It is tried again the next time.")


# What the runs know of layers ----------------------------------------------------------------------------------------


def _decide(session: Session, caller: Caller, layer_id: UUID, action: str) -> Decision:
    layer = session.get(Layer, layer_id)
    if layer is None:
        raise NotFound("layer")
    if action == "see":
        return _on_runs(session, caller, layer).check(caller.id, SEE_RUNS)
    placed = on_layer(session, caller, layer)
    require(placed.check(caller.id, SEE_LAYERS))
    return placed.check(caller.id, DELETE)


def _on_runs(session: Session, caller: Caller, layer: Layer) -> Placed:
    """They tell of every table in the layer, so that they are seen like what writes the layer: who sees it for the
    sake of something in it does not see them."""
    known = Known(session, [caller.standing], layers=[layer.id]).layer(layer.id)
    return place(world_of(session, caller), records.Pipeline(str(layer.id), output_layer=known))


def _names() -> Select[UUID, str, str | None]:
    return select(Layer.id, (MAINTENANCE_OF + Layer.name).label("name"), null().label("kind"))


def _ways_to_see(session: Session, caller: Caller) -> list[ColumnElement[bool]]:
    if sees_what_is_left(caller):
        return [EVERY_RUN]
    return [
        Run.subject_id.in_(select(Layer.id).where(way)) for way in ways_to_see_layers(session, caller, as_a_whole=True)
    ]


SUBJECTS[SUBJECT] = Subject(
    type=SUBJECT, row=Layer, decide=_decide, start=start, names=_names, ways_to_see=_ways_to_see
)
