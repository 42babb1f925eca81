"""Whatever the caller may see, by its name: tables and layers, pipelines and queries, projects and people.

A few of each kind, the best first. Each is found as its own list finds it, so that nothing shows here that does not
show there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, cast, get_args
from uuid import UUID

from sqlalchemy import ColumnElement, false, or_, select, true
from sqlalchemy.orm import Session

from bailiwick.lakehouse.models import Layer, Pipeline, SavedQuery, Table, Volume
from bailiwick.lakehouse.queries.seeing import ways_to_see as ways_to_see_queries
from bailiwick.lakehouse.seeing_data import sources, ways_to_see_layers
from bailiwick.lakehouse.seeing_pipelines import ways_to_see as ways_to_see_pipelines
from bailiwick.projects.models import Project
from bailiwick.projects.service import ways_to_see as ways_to_see_projects
from bailiwick.search.fitting import IDENTIFIERS, SOUGHT, By, Typed, best, typed
from bailiwick.search.people import find_members
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Group

A_FEW = 8  # of each kind

Type = Literal[
    "table",
    "layer",
    "volume",
    "source",
    "query",
    "history",
    "destination",
    "notebook",
    "integration",
    "saved_query",
    "project",
    "member",
    "group",
]
ORDER: tuple[Type, ...] = get_args(Type)  # of what fits equally well
Kind = TypeVar("Kind", Layer, Pipeline, SavedQuery, Project, Group)
Thing = TypeVar("Thing", Table, Volume)


@dataclass(frozen=True)
class Found:
    """Something by that name."""

    type: Type
    id: UUID
    name: str
    about: str  # what is said of it; of members, their e-mail address


@dataclass(frozen=True)
class Answer:
    """What was found, the best first; whether there is nothing else."""

    found: Sequence[Found]
    is_all: bool


def search(session: Session, caller: Caller, text: str, limit: int = 20) -> Answer:
    """The best first: the same name, begun so, with a word begun so, with it inside."""
    wanted = typed(text)
    if not wanted.text:
        return Answer([], is_all=True)
    few = min(limit, A_FEW)
    answers = [find(session, caller, wanted, few) for find in FINDERS]
    found = sorted((one for answer in answers for one in answer.found), key=lambda one: _place(wanted, one))
    return Answer(found[:limit], is_all=len(found) <= limit and all(answer.is_all for answer in answers))


def _place(text: Typed, found: Found) -> tuple[int, int, str, str]:
    names = [found.name, found.about] if found.type == "member" else [found.name]
    if found.type in ("table", "volume"):
        names.append(found.name.partition(".")[2])
    return text.rank(*names), ORDER.index(found.type), found.name.casefold(), str(found.id)


# Data ----------------------------------------------------------------------------------------------------------------


def _tables(session: Session, caller: Caller, text: Typed, few: int) -> Answer:
    return _things(session, caller, text, few, Table, "table")


def _volumes(session: Session, caller: Caller, text: Typed, few: int) -> Answer:
    return _things(session, caller, text, few, Volume, "volume")


def _things(
    session: Session, caller: Caller, text: Typed, few: int, kind: type[Thing], type_: Literal["table", "volume"]
) -> Answer:
    """Tables or volumes by name, or written as in statements, raw.orders."""
    layer_name, dot, name = text.text.lower().rpartition(".")
    layer_id = None
    if dot:
        seen = select(Layer.id).where(Layer.name == layer_name, or_(false(), *ways_to_see_layers(session, caller)))
        layer_id = session.scalars(seen).one_or_none()
        if layer_id is None:
            return Answer([], is_all=True)
        text = Typed(name)
    found = best(session, text, few, sources(session, caller, kind, layer_id), by=IDENTIFIERS).first(few)
    rows = _rows(session, kind, found.ids)
    names = {layer.id: layer.name for layer in _rows(session, Layer, list({row.layer_id for row in rows}))}
    shown = [Found(type_, row.id, f"{names[row.layer_id]}.{row.name}", row.description) for row in rows]
    return Answer(shown, found.is_all)


def _layers(session: Session, caller: Caller, text: Typed, few: int) -> Answer:
    return _named(session, Layer, text, few, ways_to_see_layers(session, caller), "layer", by=IDENTIFIERS)


# What is made of data ------------------------------------------------------------------------------------------------


def _pipelines(session: Session, caller: Caller, text: Typed, few: int) -> Answer:
    ways = ways_to_see_pipelines(session, caller)
    return _named(session, Pipeline, text, few, ways, lambda row: cast(Type, row.kind))


def _saved_queries(session: Session, caller: Caller, text: Typed, few: int) -> Answer:
    return _named(session, SavedQuery, text, few, ways_to_see_queries(session, caller), "saved_query")


# Work and people -----------------------------------------------------------------------------------------------------


def _projects(session: Session, caller: Caller, text: Typed, few: int) -> Answer:
    return _named(session, Project, text, few, ways_to_see_projects(caller), "project")


def _members(session: Session, caller: Caller, text: Typed, few: int) -> Answer:
    members, is_all = find_members(session, caller, text, few)
    return Answer([Found("member", member.id, member.name, member.email) for member in members], is_all)


def _groups(session: Session, caller: Caller, text: Typed, few: int) -> Answer:
    ways = [true()] if caller.on_tenant("See groups").allowed else []
    return _named(session, Group, text, few, ways, "group")


# In common -----------------------------------------------------------------------------------------------------------


def _named(
    session: Session,
    kind: type[Kind],
    text: Typed,
    few: int,
    ways: Sequence[ColumnElement[bool]],
    type_: Type | Callable[[Kind], Type],
    *,
    by: By = SOUGHT,
) -> Answer:
    """Only what the caller sees is looked at: what is hidden takes no time and pushes nothing out."""
    found = best(session, text, few, [(kind, way) for way in ways], by=by).first(few)
    rows = _rows(session, kind, found.ids)
    types = [type_ if isinstance(type_, str) else type_(row) for row in rows]
    shown = [Found(one, row.id, row.name, row.description) for one, row in zip(types, rows, strict=True)]
    return Answer(shown, found.is_all)


def _rows(session: Session, kind: Any, ids: Sequence[UUID]) -> list[Any]:
    """In this order."""
    rows = {row.id: row for row in session.scalars(select(kind).where(kind.id.in_(ids)))} if ids else {}
    return [rows[id_] for id_ in ids]


FINDERS: tuple[Callable[[Session, Caller, Typed, int], Answer], ...] = (
    _tables,
    _layers,
    _volumes,
    _pipelines,
    _saved_queries,
    _projects,
    _members,
    _groups,
)
