"""What was asked for by a name that nothing had, and that was made since: it reaches those who decide.

It is looked for again and again, and not when something is made: who asks and who makes it at the same moment do not
see each other. What was there before, under another name, was not meant: whatever is renamed catches no requests.
Whoever asked learns nothing by it: neither a version nor the audit tells that it was found."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from sqlalchemy import exists, func, select, update
from sqlalchemy.orm import Session

from bailiwick.database.base import first_id_at, utc_now
from bailiwick.database.engine import Database, DatabaseUnavailable
from bailiwick.database.locks import LOCKED
from bailiwick.lakehouse.models import Layer, Table, Volume
from bailiwick.projects.models import Project
from bailiwick.requests.about import named, references
from bailiwick.requests.models import LAPSE, WAITING, AccessRequest, refers_to_something
from bailiwick.requests.telling import tell_deciders
from bailiwick.settings import Settings
from bailiwick.tenancy.models import Member, MemberState
from bailiwick.tenancy.tenant import data_grants_refused

AT_ONCE = 500  # names looked up at a time
SAME_MOMENT = timedelta(minutes=1)  # before asking: what was made then may not have been there yet for who asked

log = structlog.get_logger(__name__)


def find_what_came(database: Database, settings: Settings) -> None:
    """Every waiting request whose name has come to mean something. Several may look at once: each request is locked,
    and who comes second finds it done."""
    with database.read() as session:
        come = list(_come(session))
    for request_id in come:
        try:
            with database.session() as session:
                _reach(session, settings, request_id)
        except DatabaseUnavailable:
            raise
        except Exception:  # the others are not to wait for it
            log.exception("what was asked for is there, and nobody could be told", request_id=str(request_id))


def _come(session: Session) -> Iterator[UUID]:
    """Requests that wait for a name which something that was made since has now."""
    asker = exists().where(Member.id == AccessRequest.member_id, Member.state == MemberState.ACTIVE)
    small = func.lower(AccessRequest.name)
    unfound = select(AccessRequest.id, AccessRequest.kind, small, AccessRequest.asked_at).where(
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
        for _, kind, name, _ in some:
            wanted[kind].add(name)
        made = {(kind, *found) for kind, names in wanted.items() for found in _there(session, kind, names)}
        newest = {(kind, name): made_at for kind, name, made_at in sorted(made)}
        for id_, kind, name, asked_at in some:
            made_at = newest.get((kind, name))
            if made_at is not None and made_at >= asked_at - SAME_MOMENT:
                yield id_


def _there(session: Session, kind: str, names: Collection[str]) -> Iterator[tuple[str, datetime]]:
    """What of this kind there is under one of these names, all in the database's small letters, and when it was made;
    as `named` finds it."""
    if kind == "project":
        small = func.lower(Project.name)
        yield from session.execute(select(small, Project.created_at).where(small.in_(names)))
        return
    layers = Layer.name.in_({name.partition(".")[0] for name in names})
    if kind == "layer":
        yield from session.execute(select(Layer.name, Layer.created_at).where(layers))
        return
    thing: type[Table] | type[Volume] = Table if kind == "table" else Volume
    own = thing.name.in_({name.partition(".")[2] for name in names})
    found = select(Layer.name, thing.name, thing.created_at).join(Layer, Layer.id == thing.layer_id).where(layers, own)
    yield from ((f"{layer}.{name}", made_at) for layer, name, made_at in session.execute(found))


def _reach(session: Session, settings: Settings, request_id: UUID) -> None:
    """Locked in the order in which everybody locks: what it is about, who asked, the request."""
    request = session.get_one(AccessRequest, request_id)
    about = named(session, request.kind, request.name, made_since=request.asked_at - SAME_MOMENT)
    asker = session.get_one(Member, request.member_id, with_for_update=LOCKED, populate_existing=True)
    session.refresh(request, with_for_update=LOCKED)
    waits = request.state == WAITING and request.about_id is None and asker.state == MemberState.ACTIVE
    if about is None or not waits:
        return
    # Not through the row itself, which would count as a change of it.
    session.execute(update(AccessRequest).where(AccessRequest.id == request.id).values(**references(about)))
    session.refresh(request)
    tell_deciders(session, settings, request, asker, about)
