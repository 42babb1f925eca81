"""Lists by name: each way of being on the list is an ordered, limited sub-query of its own, and they are merged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from sqlalchemy import ColumnElement, select, tuple_, union
from sqlalchemy.orm import Session

from bailiwick.database.paging import Page, page_of, read_cursor
from bailiwick.projects.models import Project
from bailiwick.tenancy.listing import position
from bailiwick.tenancy.models import Group, Member

Named = TypeVar("Named", Project, Member, Group)


def page_of_ways(
    session: Session,
    kind: type[Named],
    ways: Sequence[ColumnElement[bool]],
    filters: Sequence[ColumnElement[bool]],
    cursor: str | None,
    limit: int,
) -> Page[Named]:
    """A page of those that some way leads to and every filter lets through.

    A single condition with the ways joined by OR would make the database walk through everything that is on no way."""
    if not ways:
        return Page([])
    order = (kind.name, kind.id)
    last = read_cursor(cursor, 2)
    beyond = [tuple_(*order) > position(last)] if last else []
    branches = [select(*order).where(way, *filters, *beyond).order_by(*order).limit(limit + 1) for way in ways]
    merged = union(*(select(branch.subquery()) for branch in branches)).subquery()
    found = select(kind).join(merged, merged.c.id == kind.id).order_by(*order).limit(limit + 1)
    return page_of(session.scalars(found).all(), limit, lambda row: (row.name, str(row.id)))
