"""Layers, tables, volumes and pipelines as the access core sees them, with the grants that reach some people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import ColumnElement, and_, exists, func, or_, select, true, union_all
from sqlalchemy.orm import Session

from bailiwick.access.tables.lakehouse.levels import LEVEL, LEVELS
from bailiwick.access.world import records
from bailiwick.access.world.people import ALL, World
from bailiwick.access.world.placing import Placed, place
from bailiwick.lakehouse.models import (
    Grant,
    Layer,
    Pipeline,
    PipelineInput,
    PipelineKind,
    PipelineVolume,
    SavedQuery,
    SavedQueryRead,
    Stream,
    Table,
    Volume,
)
from bailiwick.tenancy.caller import ALL_GROUP_ID, Caller, holder
from bailiwick.tenancy.expiry import holds_until
from bailiwick.tenancy.standing import the_tenant

Thing = Table | Volume
People = Collection[records.Member]


def tenant_of(session: Session) -> records.Tenant:
    tenant = the_tenant(session)
    return records.Tenant(tenant.plan, tenant.reading_needs_only_viewer)


def world_of(session: Session, caller: Caller, things: Iterable[Thing] | None = None) -> World:
    """The caller alone in their tenant: enough to decide about them. Through a token for chosen tables they are there
    only towards these tables; towards anything else nobody is there, so that it does not exist for them."""
    chosen = caller.chosen_tables
    there = chosen is None or (things is not None and all(thing.id in chosen for thing in things))
    return World([caller.standing] if there else [], tenant_of(session))


def reaches(caller: Caller) -> ColumnElement[bool]:
    """A grant to the caller or a group they are in, as long as it holds."""
    to_them = or_(Grant.member_id == caller.member.id, Grant.group_id.in_([*caller.groups, ALL_GROUP_ID]))
    return to_them & holds_now()


def reaches_one_of(people: People) -> ColumnElement[bool]:
    """A grant to somebody of these or a group they are in, as long as it holds."""
    return or_(*_to_one_of(people)) & holds_now()


def _to_one_of(people: People) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """To one of them by name, or to a group that one of them is in."""
    groups = {UUID(group) for person in people for group in person.groups if group != ALL}
    return Grant.member_id.in_([UUID(person.id) for person in people]), Grant.group_id.in_([*groups, ALL_GROUP_ID])


def holds_now() -> ColumnElement[bool]:
    return holds_until(Grant.expires_at)


def on_layer_itself() -> ColumnElement[bool]:
    return Grant.table_id.is_(None) & Grant.volume_id.is_(None)


def holder_of(grant: Grant) -> str:
    """Whom it was given to, as the access core names them."""
    id_ = grant.member_id or grant.group_id
    assert id_ is not None
    return holder(id_)


def level_of(placed: Placed, member: str) -> str:
    """The level that a member has on it, by grants or by the plan; admins and owners are not held back by theirs."""
    towards = placed.towards.get(member, placed.towards_default)
    return LEVELS[towards // placed.type.stride[LEVEL] % len(LEVELS)]


# Records -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Supposed:
    """Grants as they would be: some that are there left out, some that are not there put in."""

    left_out: frozenset[UUID] = frozenset()
    put_in: tuple[tuple[UUID, UUID | None, str, str], ...] = ()  # layer, table or volume, holder, level
    known_groups: frozenset[UUID] | None = None  # in these layers, levels of other groups are passed over
    in_layers: frozenset[UUID] = frozenset()

    @property
    def kept(self) -> ColumnElement[bool]:
        kept = Grant.id.not_in(self.left_out) if self.left_out else true()
        if self.known_groups is None:
            return kept
        known = or_(Grant.group_id.is_(None), Grant.group_id.in_(self.known_groups))
        return and_(kept, or_(Grant.layer_id.not_in(self.in_layers), known))


AS_IT_IS = Supposed()


class Known:
    """Records of layers, tables and volumes for some people, their grants read together.

    Only grants on these very things and their layers are read: the cost does not grow with what else is granted. That
    a grant on something else makes a layer visible is looked up only where `glimpses` are asked for."""

    def __init__(
        self,
        session: Session,
        people: People,
        things: Iterable[Thing] = (),
        layers: Iterable[UUID] = (),
        *,
        glimpses: bool = False,
        supposed: Supposed = AS_IT_IS,
    ) -> None:
        self._things = {thing.id: thing for thing in things}
        asked = set(layers)
        layer_ids = asked | {thing.layer_id for thing in self._things.values()}
        self._own: dict[UUID, dict[str, str]] = defaultdict(dict)
        for grant in grants_on(session, people, layer_ids, self._things.values(), supposed):
            self._own[grant.table_id or grant.volume_id or grant.layer_id][holder_of(grant)] = grant.level
        for layer_id, thing_id, to, level in supposed.put_in:
            self._own[thing_id or layer_id][to] = level
        below = _granted_below(session, people, asked, supposed) if glimpses else {}
        self._layers = {id_: records.Layer(str(id_), self._own[id_], below.get(id_, frozenset())) for id_ in layer_ids}

    def layer(self, layer_id: UUID) -> records.Layer:
        return self._layers[layer_id]

    def thing(self, thing_id: UUID) -> records.Table | records.Volume:
        thing = self._things[thing_id]
        kind = records.Table if isinstance(thing, Table) else records.Volume
        return kind(str(thing_id), self._layers[thing.layer_id], self._own[thing_id])

    def table(self, table_id: UUID) -> records.Table:
        record = self.thing(table_id)
        assert isinstance(record, records.Table)
        return record


def grants_on(
    session: Session,
    people: People,
    layers: Collection[UUID],
    things: Collection[Thing] = (),
    supposed: Supposed = AS_IT_IS,
) -> Sequence[Grant]:
    """The grants on these very layers and things that reach these people. One look into an index for each way a grant
    can be made: asked for all of them at once, SQLite would read everything that is granted in the layers."""
    tables = [thing.id for thing in things if isinstance(thing, Table)]
    volumes = [thing.id for thing in things if isinstance(thing, Volume)]
    # Asked even for nothing: what is not there must not be answered sooner than what is hidden.
    places: list[ColumnElement[bool]] = [Grant.layer_id.in_(layers) & on_layer_itself(), Grant.table_id.in_(tables)]
    places += [Grant.volume_id.in_(volumes)] if volumes else []
    ways = [select(Grant).where(one, to, holds_now(), supposed.kept) for one in places for to in _to_one_of(people)]
    return session.scalars(select(Grant).from_statement(union_all(*ways))).all() if ways else ()


def _granted_below(
    session: Session, people: People, layers: Collection[UUID], supposed: Supposed
) -> dict[UUID, frozenset[str]]:
    """Who has a grant on something in these layers. Of one person only whether, which costs no more the more they
    have."""
    below = ~on_layer_itself() & supposed.kept
    if len(people) == 1 and not supposed.put_in:
        (person,) = people
        glimpsed = exists().where(Grant.layer_id == Layer.id, reaches_one_of(people), below)
        seen = session.scalars(select(Layer.id).where(Layer.id.in_(layers), glimpsed))
        return {id_: frozenset([person.id]) for id_ in seen}
    found: dict[UUID, set[str]] = defaultdict(set)
    held = select(Grant.layer_id, func.coalesce(Grant.member_id, Grant.group_id)).distinct()
    for layer_id, holder_id in session.execute(held.where(Grant.layer_id.in_(layers), reaches_one_of(people), below)):
        found[layer_id].add(holder(holder_id))
    for layer_id, thing_id, to, _ in supposed.put_in:
        if thing_id is not None:
            found[layer_id].add(to)
    return {id_: frozenset(holders) for id_, holders in found.items()}


# Decisions about one caller ------------------------------------------------------------------------------------------


def on_lakehouse(session: Session, caller: Caller) -> Placed:
    return place(world_of(session, caller), records.Lakehouse())


def on_layer(session: Session, caller: Caller, layer: Layer) -> Placed:
    return on_layers(session, caller, [layer])[layer.id]


def on_layers(session: Session, caller: Caller, layers: Sequence[Layer]) -> dict[UUID, Placed]:
    world = world_of(session, caller)
    known = Known(session, [caller.standing], layers=[layer.id for layer in layers], glimpses=True)
    return {layer.id: place(world, known.layer(layer.id)) for layer in layers}


def held_as_a_whole(session: Session, caller: Caller, layers: Collection[UUID]) -> set[UUID]:
    """Those of these layers on which the caller holds a level, and not only on something in them."""
    return {grant.layer_id for grant in grants_on(session, [caller.standing], layers)}


def on_thing(session: Session, caller: Caller, thing: Thing) -> Placed:
    """The caller towards a table or a volume."""
    return on_things(session, caller, [thing])[thing.id]


def on_things(session: Session, caller: Caller, things: Sequence[Thing]) -> dict[UUID, Placed]:
    known = Known(session, [caller.standing], things)
    tenant = tenant_of(session)
    chosen = caller.chosen_tables
    there, nowhere = World([caller.standing], tenant), World([], tenant)
    return {
        thing.id: place(there if chosen is None or thing.id in chosen else nowhere, known.thing(thing.id))
        for thing in things
    }


def on_query(session: Session, caller: Caller, reads: Collection[Table]) -> Placed:
    """The caller towards a statement that reads these tables."""
    known = Known(session, [caller.standing], reads)
    record = records.Query("", tuple(known.table(table.id) for table in reads))
    return place(world_of(session, caller, reads), record)


def on_pipeline(session: Session, caller: Caller, pipeline: Pipeline) -> Placed:
    return on_pipelines(session, caller, [pipeline])[pipeline.id]


def on_pipelines(session: Session, caller: Caller, pipelines: Sequence[Pipeline]) -> dict[UUID, Placed]:
    """The caller towards many pipelines, with everything read together."""
    world = world_of(session, caller)
    found = pipelines_for(session, [caller.standing], pipelines)
    return {id_: place(world, record) for id_, record in found.items()}


def on_saved_queries(session: Session, caller: Caller, queries: Sequence[SavedQuery]) -> dict[UUID, Placed]:
    world = world_of(session, caller)
    found = saved_queries_for(session, [caller.standing], queries)
    return {id_: place(world, record) for id_, record in found.items()}


# Records of what is made of tables ------------------------------------------------------------------------------------


def pipeline_records(session: Session, caller: Caller, pipelines: Sequence[Pipeline]) -> dict[UUID, records.Pipeline]:
    """Pipelines with the grants that reach the caller."""
    return pipelines_for(session, [caller.standing], pipelines)


def pipelines_for(
    session: Session, people: People, pipelines: Sequence[Pipeline], supposed: Supposed = AS_IT_IS
) -> dict[UUID, records.Pipeline]:
    """Pipelines with the grants that reach these people. Disabled streams do not count."""
    ids = [pipeline.id for pipeline in pipelines]
    streams = [s for s in session.scalars(select(Stream).where(Stream.pipeline_id.in_(ids))) if s.enabled]
    enabled = {stream.id for stream in streams}
    listed = session.scalars(select(PipelineInput).where(PipelineInput.pipeline_id.in_(ids)))
    inputs = [one for one in listed if one.stream_id is None or one.stream_id in enabled]
    outputs = list(session.scalars(select(PipelineVolume).where(PipelineVolume.pipeline_id.in_(ids))))
    table_ids = {id_ for one in inputs if (id_ := one.table_id)}
    table_ids |= {id_ for one in streams if (id_ := one.output_table_id)}
    table_ids |= {id_ for one in pipelines if (id_ := one.output_table_id)}
    volume_ids = {id_ for one in inputs if (id_ := one.volume_id)} | {one.volume_id for one in outputs}
    things: list[Thing] = [
        *session.scalars(select(Table).where(Table.id.in_(table_ids))),
        *session.scalars(select(Volume).where(Volume.id.in_(volume_ids))),
    ]
    layers = {id_ for one in pipelines if (id_ := one.output_layer_id)} | {one.output_layer_id for one in streams}
    known = Known(session, people, things, layers, supposed=supposed)
    there = {thing.id for thing in things}
    found: dict[UUID, records.Pipeline] = {}
    for pipeline in pipelines:
        read = {one.table_id or one.volume_id for one in inputs if one.pipeline_id == pipeline.id} & there
        written = {one.volume_id for one in outputs if one.pipeline_id == pipeline.id}
        layer = known.layer(pipeline.output_layer_id) if pipeline.output_layer_id else None
        to: list[records.Table | records.Volume | records.Layer] = [known.thing(id_) for id_ in written & there]
        own = [stream for stream in streams if stream.pipeline_id == pipeline.id]
        places = [(stream.output_table_id, stream.output_layer_id) for stream in own]
        if pipeline.output_name and pipeline.output_layer_id:
            places.append((pipeline.output_table_id, pipeline.output_layer_id))
        for table_id, layer_id in places:
            to.append(known.layer(layer_id) if table_id is None or table_id not in there else known.thing(table_id))
        kind = records.Integration if pipeline.kind == PipelineKind.INTEGRATION else records.Pipeline
        found[pipeline.id] = kind(str(pipeline.id), tuple(known.thing(id_) for id_ in read if id_), tuple(to), layer)
    return found


def saved_queries_for(
    session: Session, people: People, queries: Sequence[SavedQuery], supposed: Supposed = AS_IT_IS
) -> Mapping[UUID, records.SavedQuery]:
    """Saved queries with the grants that reach these people."""
    ids = [query.id for query in queries]
    reads: dict[UUID, list[UUID]] = defaultdict(list)
    for read in session.scalars(select(SavedQueryRead).where(SavedQueryRead.saved_query_id.in_(ids))):
        reads[read.saved_query_id].append(read.table_id)
    wanted = {table_id for read_by in reads.values() for table_id in read_by}
    tables = session.scalars(select(Table).where(Table.id.in_(wanted))).all()
    known = Known(session, people, tables, supposed=supposed)
    return {
        query.id: records.SavedQuery(
            str(query.id),
            str(query.author_id),
            tuple(known.table(table_id) for table_id in reads[query.id]),
            query.shared,
        )
        for query in queries
    }
