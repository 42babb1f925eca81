"""What requests are about: found by id or by name, and how a caller stands towards it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision
from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.roles import inherited_project_role, is_tenant_admin, lakehouse_standing
from bailiwick.access.tables.lakehouse.levels import MANAGER
from bailiwick.access.tables.roles.invitations import INVITE
from bailiwick.access.world import records
from bailiwick.access.world.people import World
from bailiwick.access.world.placing import Placed, place
from bailiwick.database.locks import KEPT
from bailiwick.lakehouse.grants import MANAGE, MANAGE_MANAGERS
from bailiwick.lakehouse.models import Layer, Table, Volume
from bailiwick.lakehouse.names import name_of
from bailiwick.lakehouse.standing import on_layers, on_things
from bailiwick.lakehouse.targets import kind_of, layer_of
from bailiwick.projects.members import CHANGE_ROLE
from bailiwick.projects.models import Project, ProjectGrant
from bailiwick.projects.standing import as_record, reaching
from bailiwick.requests.models import AccessRequest
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.tenant import data_grants_refused

About = Layer | Table | Volume | Project
ROWS: dict[str, type[About]] = {"layer": Layer, "table": Table, "volume": Volume, "project": Project}
Row = TypeVar("Row", Layer, Table, Volume, Project)


def named(session: Session, kind: str, name: str, made_since: datetime | None = None) -> About | None:
    """What is written so, whether the caller may know of it or not. It stays until the transaction ends: whoever
    deletes it at the same moment comes before or after."""
    found = _written(kind, name)
    if made_since is not None:
        found = found.where(ROWS[kind].created_at >= made_since)
    row: About | None = session.scalars(found.with_for_update(**KEPT)).first()
    return row


def _written(kind: str, name: str) -> Select[Any]:
    if kind == "project":
        # Both made small by the database: SQLite knows fewer letters than Python does.
        same = func.lower(Project.name) == func.lower(name)
        return select(Project).where(same).order_by(Project.name != name, Project.id).limit(1)
    layer, _, own = name.lower().partition(".")
    in_layer = select(Layer).where(Layer.name == layer)
    if kind == "layer":
        return in_layer
    thing: type[Table] | type[Volume] = Table if kind == "table" else Volume
    return select(thing).where(thing.layer_id.in_(in_layer.with_only_columns(Layer.id)), thing.name == own)


def called(session: Session, about: About) -> str:
    """Its name at present, as it is written in requests."""
    return about.name if isinstance(about, Project) else name_of(session, about)


def references(about: About) -> dict[str, UUID]:
    """The columns of a request that name what it is about: a table or volume with its layer."""
    if isinstance(about, Project):
        return {"project_id": about.id}
    return {"layer_id": layer_of(about), f"{kind_of(about)}_id": about.id}


def keep(session: Session, request: AccessRequest) -> None:
    """Let nobody delete what the request is about before the transaction ends."""
    kind = ROWS[request.kind]
    session.execute(select(kind.id).where(kind.id == request.about_id).with_for_update(**KEPT))


class Standing:
    """How a caller stands towards what some requests are about, read together."""

    def __init__(self, session: Session, caller: Caller, requests: Collection[AccessRequest]) -> None:
        self._caller = caller
        # On Starter everybody manages all data. What waits from before, which nobody can grant, is no news to them all.
        self._asleep = bool(data_grants_refused(session)) and not is_tenant_admin(caller.member.tenant_role)
        self._layers = _read(session, Layer, (request.layer_id for request in requests))
        tables = _read(session, Table, (request.table_id for request in requests))
        volumes = _read(session, Volume, (request.volume_id for request in requests))
        self._projects = _read(session, Project, (request.project_id for request in requests))
        self._things: dict[UUID, Table | Volume] = {**tables, **volumes}
        self._placed: dict[UUID, Placed] = {
            **on_layers(session, caller, list(self._layers.values())),
            **on_things(session, caller, list(self._things.values())),
        }
        self._inside: dict[UUID, Placed] = {}
        self._place_projects(session)

    def _place_projects(self, session: Session) -> None:
        grants: dict[UUID, list[ProjectGrant]] = {id_: [] for id_ in self._projects}
        for grant in session.scalars(reaching(self._projects.values(), [self._caller.standing])):
            grants[grant.project_id].append(grant)
        world = World([self._caller.standing])
        for id_, project in self._projects.items():
            record = as_record(project, grants[id_])
            self._placed[id_] = place(world, record)
            self._inside[id_] = place(world, records.ProjectMembership(record))

    def row(self, request: AccessRequest) -> About | None:
        id_ = request.about_id
        if id_ is None:
            return None
        found: dict[UUID, Any] = {**self._layers, **self._things, **self._projects}
        return found.get(id_)

    def name(self, request: AccessRequest) -> str:
        """What it is called now; for whoever sees it."""
        row = self.row(request)
        assert row is not None
        return f"{self._layers[row.layer_id].name}.{row.name}" if isinstance(row, (Table, Volume)) else row.name

    def placed(self, request: AccessRequest) -> Placed:
        """Towards the layer, table, volume or project itself."""
        assert request.about_id is not None
        return self._placed[request.about_id]

    def sees(self, request: AccessRequest) -> bool:
        if self.row(request) is None:
            return False
        see = RESOURCE_TYPES[request.kind].see
        assert see is not None
        return self.placed(request).allows(self._caller.id, see)

    def decides(self, request: AccessRequest) -> bool:
        """Whether they could give it, and so may know of the request."""
        real = request.was_seen or request.layer_id is not None or request.project_id is not None
        asleep = self._asleep and request.kind != "project"
        return real and not asleep and self.decision(request).allowed

    def decision(self, request: AccessRequest) -> Decision:
        """On giving what is asked for. Of a table that was deleted the layer's Managers may still know, of what is
        gone altogether only those who reach everything."""
        id_ = request.about_id if request.about_id is not None else request.layer_id
        if id_ is None:
            return by_role_alone(self._caller, request)
        if request.kind == "project":
            changing = self._inside[id_].check(self._caller.id, CHANGE_ROLE)
            return changing if not changing.allowed else _both(self._inside[id_], self._caller, request, changing)
        return self._placed[id_].check(self._caller.id, _giving(request))


def by_role_alone(caller: Caller, request: AccessRequest) -> Decision:
    """Whether somebody who holds nothing there could give it: all that is said of what is hidden or not there."""
    if request.kind == "project":
        type_ = RESOURCE_TYPES["project_membership"]
        role = inherited_project_role(caller.member.tenant_role)
        return type_.check(type_.pack({"project role": role}), CHANGE_ROLE)
    type_ = RESOURCE_TYPES[request.kind]
    standing = lakehouse_standing(caller.member.tenant_role)
    return type_.check(type_.pack({"standing": standing}), _giving(request))


def not_seen(request: AccessRequest) -> Decision:
    """What goes on record when somebody looks for a request that is not for them."""
    type_ = RESOURCE_TYPES[request.kind]
    assert type_.see is not None
    return type_.check(0, type_.see)


def _giving(request: AccessRequest) -> str:
    return MANAGE_MANAGERS if request.wanted == MANAGER else MANAGE


def _both(inside: Placed, caller: Caller, request: AccessRequest, changing: Decision) -> Decision:
    """Who changes roles gives those that they may invite with."""
    inviting = inside.check(caller.id, INVITE[request.wanted])
    return changing if inviting.allowed else inviting


def _read(session: Session, kind: type[Row], ids: Iterable[UUID | None]) -> dict[UUID, Row]:
    wanted = {id_ for id_ in ids if id_ is not None}
    return {row.id: row for row in session.scalars(select(kind).where(kind.id.in_(wanted)))}
