"""Streams that a run of a source tells nothing of: whoever sees the source need not see its disabled streams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from bailiwick.lakehouse.models import Stream
from bailiwick.lakehouse.pipelines import SEE
from bailiwick.lakehouse.sources.standing import on_streams
from bailiwick.runs.deciding import sees_what_is_left
from bailiwick.runs.models import Run
from bailiwick.tenancy.caller import Caller

SYNC = "sync"


def untold_streams(session: Session, caller: Caller, runs: Sequence[Run]) -> Mapping[UUID, set[str]]:
    """Those that the caller may not see, and those that are gone, of whose tables nothing is known any more."""
    runs = [run for run in runs if run.kind == SYNC]
    if not runs or sees_what_is_left(caller):
        return {}
    of_these = select(Stream).where(Stream.pipeline_id.in_({run.subject_id for run in runs}))
    streams = session.scalars(of_these).all()
    placed = on_streams(session, caller, streams)
    names: dict[UUID, set[str]] = {
        run.id: {part["name"] for part in (run.result or {}).get("streams", ())} for run in runs
    }
    for run in runs:
        for stream in (one for one in streams if one.pipeline_id == run.subject_id):
            if placed[stream.id].allows(caller.id, SEE):
                names[run.id].discard(stream.name)
            else:
                names[run.id].add(stream.name)
    return names
