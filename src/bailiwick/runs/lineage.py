"""Lineage: which column of which table went where, as the latest run of a subject told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import delete, insert
from sqlalchemy.orm import Session

from bailiwick.database.base import new_id
from bailiwick.runs.models import LineageEdge, Run


@dataclass(frozen=True)
class Edge:
    """No table stands for the outside or a result, no column for the table as a whole."""

    from_table_id: UUID | None
    from_column: str | None
    to_table_id: UUID | None
    to_column: str | None


def set_lineage(session: Session, run: Run, edges: Iterable[Edge]) -> None:
    """What the subject does now, in place of what it did before."""
    session.execute(
        delete(LineageEdge).where(
            LineageEdge.subject_type == run.subject_type, LineageEdge.subject_id == run.subject_id
        )
    )
    rows = [
        {
            "id": new_id(),
            "subject_type": run.subject_type,
            "subject_id": run.subject_id,
            "run_id": run.id,
            "from_table_id": edge.from_table_id,
            "from_column": edge.from_column,
            "to_table_id": edge.to_table_id,
            "to_column": edge.to_column,
        }
        for edge in dict.fromkeys(edges)
    ]
    if rows:
        session.execute(insert(LineageEdge), rows)
