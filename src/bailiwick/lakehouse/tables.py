"""Tables: listed for who sees them, described by Editors, deleted by Managers who have seen what depends on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import delete, or_, select, update
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision, require, slug
from bailiwick.access.roles import is_tenant_admin
from bailiwick.access.world.placing import Placed
from bailiwick.database.base import new_id
from bailiwick.database.listing import BY_NAME
from bailiwick.database.locks import TO_DELETE, hold
from bailiwick.database.paging import Page
from bailiwick.errors import Conflict, Invalid, NotFound
from bailiwick.lakehouse import dependents
from bailiwick.lakehouse.dependents import Dependents
from bailiwick.lakehouse.layers import CHANGE_DESCRIPTIONS, DELETE, find_layer
from bailiwick.lakehouse.models import Discarded, Layer, Pipeline, SavedQuery, SavedQueryRead, Stream, Table
from bailiwick.lakehouse.names import name_of
from bailiwick.lakehouse.seeing_data import SEE_TABLES, named_like, page_seen
from bailiwick.lakehouse.standing import level_of, on_thing, on_things
from bailiwick.runs.models import LineageEdge, Run, RunState
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.versions import require_unchanged


@dataclass(frozen=True)
class SeenTable:
    """A table, the caller's level on it, and what they may do with it."""

    table: Table
    layer: Layer
    level: str
    actions: Sequence[str]
    location: str | None = None  # for those who run the platform

    @property
    def name(self) -> str:
        """As statements write it."""
        return f"{self.layer.name}.{self.table.name}"


def list_tables(
    session: Session,
    caller: Caller,
    *,
    layer_id: UUID | None = None,
    search: str | None = None,
    sort: str = BY_NAME,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[SeenTable]:
    """The tables the caller may see, of one layer or of all, by name."""
    if layer_id is not None:
        _require_layer(session, caller, layer_id)
    fits = named_like(session, search, layer_id)
    page = page_seen(session, caller, Table, cursor, limit, layer_id=layer_id, fits=fits, sort=sort)
    return Page(_seen(session, caller, page.items), page.next_cursor)


def get_table(session: Session, caller: Caller, table_id: UUID) -> SeenTable:
    table, _ = find_table(session, caller, table_id)
    return _one(session, caller, table)


def find_table(session: Session, caller: Caller, table_id: UUID) -> tuple[Table, Placed]:
    """A table that the caller may see, to decide about; every other one does not exist for them."""
    table = session.get(Table, table_id)
    chosen = caller.chosen_tables
    if table is None or (chosen is not None and table.id not in chosen):
        raise NotFound("table")
    placed = on_thing(session, caller, table)
    require(placed.check(caller.id, SEE_TABLES))
    return table, placed


def used_by(session: Session, caller: Caller, table_id: UUID) -> Sequence[dependents.Dependent]:
    """The pipelines and saved queries on the table, as far as the caller sees them; of others there is no sign."""
    table, _ = find_table(session, caller, table_id)
    return dependents.of_table(session, caller, table).seen


def edit_table(
    session: Session,
    caller: Caller,
    table_id: UUID,
    *,
    description: str | None = None,
    fields: Mapping[str, str] | None = None,
    if_match: str | None = None,
) -> SeenTable:
    """Change what is said of the table and of its fields; a field's text is taken away by an empty one."""
    table, placed = find_table(session, caller, table_id)
    decision = require(placed.check(caller.id, CHANGE_DESCRIPTIONS))
    require_unchanged(if_match, table.version, "table")
    known = {column["name"] for column in table.columns}
    unknown = sorted(set(fields or {}) - known)
    if unknown:
        raise Invalid("fields", f"The table has no such field: {unknown[0][:100]}.", "Take the names from the table.")
    before = _said_of(table)
    if description is not None:
        table.description = description
    if fields:
        merged = {**table.field_descriptions, **fields}
        table.field_descriptions = {name: text for name, text in merged.items() if text and name in known}
    after = _said_of(table)
    if after != before:
        session.flush()
        _record(session, caller, "edit_table", table, decision, before, after)
    return _one(session, caller, table)


def delete_table(
    session: Session, caller: Caller, table_id: UUID, *, confirm: str | None, if_match: str | None
) -> Dependents:
    """Delete a table with its data, grants and descriptions, once the caller has seen what depends on it and repeated
    its name. Pipelines that wrote it make it anew at their next run."""
    table, placed = find_table(session, caller, table_id)
    decision = require(placed.check(caller.id, DELETE))
    hold(session, Table, table.id, TO_DELETE, "table")  # nothing comes to depend on it between this look and its end
    require_unchanged(if_match, table.version, "table")
    name = name_of(session, table)
    if _is_written_now(session, table):
        raise Conflict(f"A run writes to {name} right now. Wait for its end, or cancel it.")
    held = dependents.of_table(session, caller, table)
    if confirm not in (name, table.name):
        used = f" It is used by {held.in_words}." if held.any else " Nothing depends on it."
        raise Conflict(
            f"Deleting {name} removes its data and all its versions for good.{used} "
            "Repeat the request with ?confirm= and the table's name.",
            depends_on_it=held.to_list(),
            depends_on_it_more=held.more,
        )
    before = {**_said_of(table), "columns": table.columns, "rows": table.rows, "used_by": held.to_list()}
    _let_go(session, table)
    session.add(Discarded(location=table.location))
    session.delete(table)
    session.flush()
    _record(session, caller, "delete_table", table, decision, before, None, name)
    return held


def _is_written_now(session: Session, table: Table) -> bool:
    """Its data would be written into nothing, and counted as if it were there."""
    streams = or_(Stream.output_table_id == table.id, Stream.rejects_table_id == table.id)
    writers = or_(Pipeline.output_table_id == table.id, Pipeline.id.in_(select(Stream.pipeline_id).where(streams)))
    running = select(Run.id).where(
        Run.subject_type == "pipeline",
        Run.subject_id.in_(select(Pipeline.id).where(writers)),
        Run.state == RunState.RUNNING,
    )
    return session.scalars(running.limit(1)).first() is not None


def _let_go(session: Session, table: Table) -> None:
    """Whatever wrote the table plans another one and begins from the start; what was said of it is forgotten."""
    for stream in session.scalars(select(Stream).where(Stream.output_table_id == table.id)):
        stream.output_table_id, stream.planned_table_id, stream.state = None, new_id(), {}
    for stream in session.scalars(select(Stream).where(Stream.rejects_table_id == table.id)):
        stream.rejects_table_id, stream.planned_rejects_id = None, new_id()
    for pipeline in session.scalars(select(Pipeline).where(Pipeline.output_table_id == table.id)):
        pipeline.output_table_id, pipeline.planned_table_id = None, new_id()
    # A shared query is seen with Viewer on what it reads. With a table less to ask about, more would see it.
    reading = select(SavedQueryRead.saved_query_id).where(SavedQueryRead.table_id == table.id)
    session.execute(update(SavedQuery).where(SavedQuery.id.in_(reading), SavedQuery.shared).values(shared=False))
    edges = or_(LineageEdge.from_table_id == table.id, LineageEdge.to_table_id == table.id)
    session.execute(delete(LineageEdge).where(edges))
    session.flush()


def _require_layer(session: Session, caller: Caller, layer_id: UUID) -> None:
    """Through a token for chosen tables a layer is not looked at, only listed from."""
    if caller.chosen_tables is None:
        find_layer(session, caller, layer_id)


def _seen(session: Session, caller: Caller, tables: Sequence[Table]) -> list[SeenTable]:
    placed = on_things(session, caller, tables)
    wanted = {table.layer_id for table in tables}
    layers = {layer.id: layer for layer in session.scalars(select(Layer).where(Layer.id.in_(wanted)))}
    return [
        SeenTable(
            table,
            layers[table.layer_id],
            level_of(placed[table.id], caller.id),
            tuple(map(slug, placed[table.id].actions(caller.id))),
            table.location if is_tenant_admin(caller.member.tenant_role) else None,
        )
        for table in tables
    ]


def _one(session: Session, caller: Caller, table: Table) -> SeenTable:
    (only,) = _seen(session, caller, [table])
    return only


def _said_of(table: Table) -> dict[str, Any]:
    return {"name": table.name, "description": table.description, "fields": dict(table.field_descriptions)}


def _record(
    session: Session,
    caller: Caller,
    action: str,
    table: Table,
    decision: Decision,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
    name: str | None = None,
) -> None:
    caller.record(
        session,
        action,
        "table",
        resource_id=table.id,
        resource_name=name or name_of(session, table),
        before=before,
        after=after,
        decision=decision,
    )
