"""What runs tell of parts of their subject that a reader may not see: it is left out, and counted."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement
from sqlalchemy.orm import Session

from bailiwick.runs.models import Run, RunLog
from bailiwick.runs.subjects import SUBJECTS
from bailiwick.tenancy.caller import Caller

Told = dict[str, Any]


def untold(session: Session, caller: Caller, runs: Sequence[Run]) -> Mapping[UUID, Collection[str]]:
    """The names that each of these runs may not tell the caller."""
    found: dict[UUID, Collection[str]] = {}
    for type_ in {run.subject_type for run in runs}:
        subject = SUBJECTS.get(type_)
        if subject is not None and subject.untold is not None:
            found |= subject.untold(session, caller, [run for run in runs if run.subject_type == type_])
    return found


def result_without(result: Told | None, names: Collection[str]) -> Told | None:
    if result is None or not names:
        return result
    told = [part for part in result.get("streams", ()) if part["name"] not in names]
    return {**result, "streams": told, "hidden": len(result.get("streams", ())) - len(told)}


def problem_without(problem: Told | None, names: Collection[str]) -> Told | None:
    if problem is None or not any(_begins(name) in problem["message"] for name in names):
        return problem
    return {**problem, "message": "It failed with something that you may not see.", "fix": "Ask who may see all of it."}


def lines_without(names: Collection[str]) -> list[ColumnElement[bool]]:
    """Conditions on a log's lines."""
    return [~RunLog.text.startswith(_begins(name), autoescape=True) for name in sorted(names)]


def _begins(name: str) -> str:
    """How what is said of a part begins."""
    return f"{name}: "
