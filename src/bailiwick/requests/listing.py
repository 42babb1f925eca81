"""Which requests are listed: each way of seeing one is a condition with an index of its own."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, and_, exists, false, or_, select
from sqlalchemy.orm import Session

from bailiwick.access.roles import is_tenant_admin
from bailiwick.access.tables.lakehouse.levels import MANAGER
from bailiwick.access.tables.standing import PROJECT_ROLES
from bailiwick.database.base import first_id_at, utc_now
from bailiwick.database.listing import has_in_name
from bailiwick.lakehouse.models import Grant, Layer, Table, Volume
from bailiwick.lakehouse.seeing_data import ways_to_see, ways_to_see_layers
from bailiwick.lakehouse.standing import on_layer_itself, reaches
from bailiwick.projects.models import Project, ProjectGrant
from bailiwick.projects.service import ways_to_see as ways_to_see_projects
from bailiwick.projects.standing import holds_now
from bailiwick.requests.models import LAPSE, WAITING, AccessRequest, RequestState, in_state
from bailiwick.tenancy.caller import ALL_GROUP_ID, Caller
from bailiwick.tenancy.models import Member, MemberState

FEW = 1000  # so many ids are looked up one by one; more are found sooner by walking through the list


def ways(
    session: Session, caller: Caller, *, mine: bool, for_me: bool, state: RequestState | None
) -> list[ColumnElement[bool]]:
    """Conditions on requests, one of which holds for each that is wanted. Whether the caller could decide one is left
    to the access core to say: these are the few it has to be asked about."""
    own = AccessRequest.member_id == caller.member.id
    found = [] if for_me else [and_(own, in_state(state, requester=True)) if state else own]
    if mine and not for_me:
        return found
    wanted = [own] if mine else []
    if state:
        wanted.append(in_state(state, requester=False))
    if for_me:
        wanted.append(in_state(WAITING, requester=False))
    if for_me or state == WAITING:  # whatever waits is young, and what is kept by id is found by time
        wanted.append(AccessRequest.id >= first_id_at(utc_now() - LAPSE))
    # Whoever was suspended or removed waits for nothing.
    asker = exists().where(Member.id == AccessRequest.member_id, Member.state == MemberState.ACTIVE)
    wanted.append(or_(AccessRequest.state != WAITING, asker))
    return [*found, *(and_(way, *wanted) for way in _ways_to_decide(session, caller))]


def fits(session: Session, caller: Caller, search: str) -> ColumnElement[bool]:
    """Whether who asks is called so, or what they ask for, or what it is about, under the name that the caller is told:
    what they see by the name it has now, and anything else by the name that was written."""
    # Looked up for each request: there are fewer of them than there may be tables and people.
    tables, volumes = (
        and_(thing.id == id_, Layer.id == thing.layer_id, or_(false(), *ways_to_see(session, caller, thing)))
        for thing, id_ in ((Table, AccessRequest.table_id), (Volume, AccessRequest.volume_id))
    )
    layers = and_(Layer.id == AccessRequest.layer_id, or_(false(), *ways_to_see_layers(session, caller)))
    projects = and_(Project.id == AccessRequest.project_id, or_(false(), *ways_to_see_projects(caller)))
    seen = (
        ("table", tables, Layer.name + "." + Table.name),
        ("volume", volumes, Layer.name + "." + Volume.name),
        ("layer", layers, Layer.name),
        ("project", projects, Project.name),
    )
    about_seen = [and_(AccessRequest.kind == kind, exists().where(it)) for kind, it, _ in seen]
    called_so = [
        and_(AccessRequest.kind == kind, exists().where(it, has_in_name(name, search))) for kind, it, name in seen
    ]
    return or_(
        exists().where(Member.id == AccessRequest.member_id, has_in_name(Member.name, search)),
        has_in_name(AccessRequest.wanted, search),
        *called_so,
        and_(has_in_name(AccessRequest.name, search), ~or_(*about_seen)),
    )


def _ways_to_decide(session: Session, caller: Caller) -> list[ColumnElement[bool]]:
    """Everything for those who reach everything; for others what they manage, each by its index."""
    if is_tenant_admin(caller.member.tenant_role):
        named = or_(AccessRequest.layer_id.is_not(None), AccessRequest.project_id.is_not(None))
        return [or_(AccessRequest.was_seen, named)]
    managing = reaches(caller) & (Grant.level == MANAGER)
    to_me = ProjectGrant.member_id == caller.member.id
    to_groups = ProjectGrant.group_id.in_([*caller.groups, ALL_GROUP_ID])
    admin = (ProjectGrant.role == PROJECT_ROLES[-1]) & or_(to_me, to_groups) & holds_now()
    of = (
        (AccessRequest.layer_id, select(Grant.layer_id).where(managing, on_layer_itself())),
        (AccessRequest.table_id, select(Grant.table_id).where(managing, Grant.table_id.is_not(None))),
        (AccessRequest.volume_id, select(Grant.volume_id).where(managing, Grant.volume_id.is_not(None))),
        (AccessRequest.project_id, select(ProjectGrant.project_id).where(admin)),
    )
    return [way for column, held in of if (way := _among(session, column, held)) is not None]


def _among(session: Session, column: Any, held: Select[Any]) -> ColumnElement[bool] | None:
    """A request about one of these. They are looked up first: told all at once, a database may prefer to walk through
    every request and ask of each whether it is about one of them."""
    ids = set(session.scalars(held.distinct().limit(FEW + 1)))
    if not ids:
        return None
    found: ColumnElement[bool] = column.in_(ids if len(ids) <= FEW else held)
    return found
