"""What was asked for by a name that nothing had, and that something has by now: it reaches those who decide.

It is looked for again and again, and not when something is made: who asks and who makes it at the same moment do not
see each other. Whoever asked learns nothing by it: neither a version nor the audit tells that it was found."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from uuid import UUID

from sqlalchemy import exists, func, or_, select, update
from sqlalchemy.orm import Session

from bailiwick.database.base import first_id_at, utc_now
from bailiwick.database.engine import Database
from bailiwick.lakehouse.models import Layer, Table, Volume
from bailiwick.lakehouse.names import name_of
from bailiwick.projects.models import Project
from bailiwick.requests.about import named, references
from bailiwick.requests.models import LAPSE, WAITING, AccessRequest, refers_to_something
from bailiwick.requests.telling import tell_deciders
from bailiwick.settings import Settings
from bailiwick.tenancy.models import Member, MemberState
from bailiwick.tenancy.tenant import data_grants_refused

AT_ONCE = 500  # names looked up at a time


def find_what_came(database: Database, settings: Settings) -> None:
    """Every waiting request whose name has come to mean something. Several may look at once: each request is locked,
    and who comes second finds it done."""
    with database.read() as session:
        come = list(_come(session))
    for request_id in come:
        with database.session() as session:
            _reach(session, settings, request_id)


def _come(session: Session) -> Iterator[UUID]:
    """Requests that wait for a name which something has now."""
    asker = exists().where(Member.id == AccessRequest.member_id, Member.state == MemberState.ACTIVE)
    unfound = select(AccessRequest.id, AccessRequest.kind, AccessRequest.name).where(
        AccessRequest.id >= first_id_at(utc_now() - LAPSE),
        AccessRequest.state == WAITING,
        AccessRequest.lapses_at > utc_now(),
        ~AccessRequest.was_seen,
        ~refers_to_something(),
        asker,
    )
    if data_grants_refused(session):  # nobody could give it now
        unfound = unfound.where(AccessRequest.kind == "project")
    for some in session.execute(unfound).partitions(AT_ONCE):
        wanted: dict[str, set[str]] = defaultdict(set)
        for _, kind, name in some:
            wanted[kind].add(name)
        there = {kind: set(_there(session, kind, names)) for kind, names in wanted.items()}
        yield from (id_ for id_, kind, name in some if name.lower() in there[kind])


def _there(session: Session, kind: str, names: Collection[str]) -> Iterator[str]:
    """What of this kind there is under one of these names, in small letters."""
    small = {name.lower() for name in names}
    if kind == "project":
        alike = or_(Project.name.in_(names), func.lower(Project.name).in_(small))
        yield from (name.lower() for name in session.scalars(select(Project.name).where(alike)))
        return
    layers = Layer.name.in_({name.partition(".")[0] for name in small})
    if kind == "layer":
        yield from session.scalars(select(Layer.name).where(layers))
        return
    thing: type[Table] | type[Volume] = Table if kind == "table" else Volume
    own = thing.name.in_({name.partition(".")[2] for name in small})
    found = select(Layer.name, thing.name).join(Layer, Layer.id == thing.layer_id).where(layers, own)
    yield from (f"{layer}.{name}" for layer, name in session.execute(found))


def _reach(session: Session, settings: Settings, request_id: UUID) -> None:
    """Locked in the order in which everybody locks: what it is about, who asked, the request."""
    request = session.get_one(AccessRequest, request_id)
    about = named(session, request.kind, request.name)
    asker = session.get_one(Member, request.member_id, with_for_update=True, populate_existing=True)
    session.refresh(request, with_for_update=True)
    waits = request.state == WAITING and request.about_id is None and asker.state == MemberState.ACTIVE
    if about is None or not waits:
        return
    # Not through the row itself, which would count as a change of it.
    session.execute(update(AccessRequest).where(AccessRequest.id == request.id).values(**references(about)))
    session.refresh(request)
    name = about.name if isinstance(about, Project) else name_of(session, about)
    tell_deciders(session, settings, request, asker, about, name)
