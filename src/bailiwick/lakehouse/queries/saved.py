"""Saved queries: kept by their author, shared if they like, run as whoever runs them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision, require, slug
from bailiwick.database.base import utc_now
from bailiwick.database.listing import BY_NAME, has_in_name, page_by_name
from bailiwick.database.names import namesakes
from bailiwick.database.paging import Page
from bailiwick.errors import Conflict, NotFound
from bailiwick.lakehouse.models import Layer, SavedQuery, SavedQueryRead, Table
from bailiwick.lakehouse.queries import adhoc
from bailiwick.lakehouse.queries.analysis import Analysis
from bailiwick.lakehouse.queries.seeing import ways_to_see
from bailiwick.lakehouse.standing import on_query, on_saved_queries
from bailiwick.runs.models import Run
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Member
from bailiwick.tenancy.versions import require_unchanged

SEE, EXECUTE, EDIT, DELETE = "See", "Execute", "Edit", "Delete"
SAVE = "Save queries individually"


@dataclass(frozen=True)
class SeenQuery:
    """A saved query, who wrote it, what it reads, and what the caller may do with it."""

    query: SavedQuery
    author: Member
    reads: Sequence[Mapping[str, str]]
    actions: Sequence[str]


def list_saved_queries(
    session: Session,
    caller: Caller,
    *,
    search: str | None = None,
    sort: str = BY_NAME,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[SeenQuery]:
    filters = [has_in_name(SavedQuery.name, search)] if search else []
    ways = ways_to_see(session, caller)
    page = page_by_name(session, SavedQuery, cursor, limit, *filters, ways=ways, sort=sort)
    return Page(_seen(session, caller, page.items), page.next_cursor)


def get_saved_query(session: Session, caller: Caller, query_id: UUID) -> SeenQuery:
    query, _ = decided(session, caller, query_id, SEE)
    return _one(session, caller, query)


def decided(session: Session, caller: Caller, query_id: UUID, action: str) -> tuple[SavedQuery, Decision]:
    query = session.get(SavedQuery, query_id)
    if query is None:
        raise NotFound("saved query")
    placed = on_saved_queries(session, caller, [query])[query.id]
    require(placed.check(caller.id, SEE))
    return query, require(placed.check(caller.id, action))


def refuse_taken_name(session: Session, caller: Caller, name: str, but: SavedQuery | None = None) -> None:
    """Names are each author's own."""
    theirs = SavedQuery.author_id == caller.member.id
    if any(query is not but for query in namesakes(session, SavedQuery, name, theirs)):
        raise Conflict("You have a saved query of this name already. Choose another one.")


def save(
    session: Session,
    caller: Caller,
    *,
    name: str,
    description: str,
    sql: str,
    shared: bool,
    chart: dict[str, Any] | None = None,
    analysis: Analysis,
) -> SeenQuery:
    decision = require(on_query(session, caller, analysis.reads).check(caller.id, SAVE))
    refuse_taken_name(session, caller, name)
    said = {"name": name, "description": description, "sql": sql, "shared": shared, "chart": chart}
    query = SavedQuery(**said, author_id=caller.member.id)
    session.add(query)
    session.flush()
    _set_reads(session, query, analysis)
    _record(session, caller, "save_query", query, decision, None, _told(query))
    return _one(session, caller, query)


def edit(
    session: Session,
    caller: Caller,
    query_id: UUID,
    changes: Mapping[str, Any],
    analysis: Analysis | None,
    *,
    if_match: str | None,
) -> SeenQuery:
    """Change it; another statement comes with its analysis."""
    query, decision = decided(session, caller, query_id, EDIT)
    require_unchanged(if_match, query.version, "saved query")
    before = _told(query)
    if "name" in changes:
        refuse_taken_name(session, caller, changes["name"], query)
    if analysis is not None:
        decision = require(on_query(session, caller, analysis.reads).check(caller.id, SAVE))
        _set_reads(session, query, analysis)
    for field, value in changes.items():
        setattr(query, field, value)
    after = _told(query)
    if before != after:
        query.saved_at = utc_now()
        session.flush()
        _record(session, caller, "edit_saved_query", query, decision, before, after)
    return _one(session, caller, query)


def delete_saved_query(session: Session, caller: Caller, query_id: UUID, *, if_match: str | None) -> None:
    query, decision = decided(session, caller, query_id, DELETE)
    require_unchanged(if_match, query.version, "saved query")
    before = _told(query)
    session.delete(query)
    session.flush()
    _record(session, caller, "delete_saved_query", query, decision, before, None)


def run(session: Session, caller: Caller, query_id: UUID, *, limit: int | None = None) -> Run:
    """Ask it as the caller. What it reads is decided anew when it runs."""
    query, _ = decided(session, caller, query_id, EXECUTE)
    return adhoc.ask(session, caller, query.sql, limit=limit, saved_query_id=query.id)


def _set_reads(session: Session, query: SavedQuery, analysis: Analysis) -> None:
    session.execute(delete(SavedQueryRead).where(SavedQueryRead.saved_query_id == query.id))
    session.add_all(SavedQueryRead(saved_query_id=query.id, table_id=table.id) for table in analysis.reads)
    session.flush()


def _seen(session: Session, caller: Caller, queries: Sequence[SavedQuery]) -> list[SeenQuery]:
    placed = on_saved_queries(session, caller, queries)
    authors = {
        member.id: member
        for member in session.scalars(select(Member).where(Member.id.in_({query.author_id for query in queries})))
    }
    reads: dict[UUID, list[dict[str, str]]] = {query.id: [] for query in queries}
    rows = session.execute(
        select(SavedQueryRead.saved_query_id, Table.id, Layer.name, Table.name)
        .join(Table, Table.id == SavedQueryRead.table_id)
        .join(Layer, Layer.id == Table.layer_id)
        .where(SavedQueryRead.saved_query_id.in_(list(reads)))
        .order_by(Layer.name, Table.name)
    )
    for query_id, table_id, layer, table in rows:
        reads[query_id].append({"id": str(table_id), "name": f"{layer}.{table}"})
    return [
        SeenQuery(
            query, authors[query.author_id], reads[query.id], tuple(map(slug, placed[query.id].actions(caller.id)))
        )
        for query in queries
    ]


def _one(session: Session, caller: Caller, query: SavedQuery) -> SeenQuery:
    (only,) = _seen(session, caller, [query])
    return only


def _told(query: SavedQuery) -> dict[str, Any]:
    return {name: getattr(query, name) for name in ("name", "description", "sql", "shared", "chart")}


def _record(
    session: Session,
    caller: Caller,
    action: str,
    query: SavedQuery,
    decision: Decision,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
) -> None:
    caller.record(
        session,
        action,
        "saved_query",
        resource_id=query.id,
        resource_name=query.name,
        before=before,
        after=after,
        decision=decision,
    )
