"""The whole flow, from sources through tables to destinations, as far as the caller may see it.

A pipeline that touches anything hidden is hidden itself, so no edge leads past what the caller may not see."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from sqlalchemy import ColumnElement, and_, or_, select
from sqlalchemy.orm import Session

from bailiwick.database.listing import has_in_name, page_by_name
from bailiwick.errors import NotFound
from bailiwick.lakehouse.ends import Ends, ends_of, reading, touching, within, writing
from bailiwick.lakehouse.layers import find_layer
from bailiwick.lakehouse.models import Layer, Pipeline, Table, Volume
from bailiwick.lakehouse.seeing_data import SEE_TABLES
from bailiwick.lakehouse.seeing_pipelines import SEE, ways_to_see
from bailiwick.lakehouse.standing import Thing, on_pipelines, on_things
from bailiwick.runs.models import Run
from bailiwick.tenancy.caller import Caller

Node = Pipeline | Thing
FEW = 500  # pipelines that are decided one by one
MOST_STEPS = 50  # away from the node that was asked about


@dataclass(frozen=True)
class Flow:
    """What flows: pipelines, tables and volumes, and from which into which; `truncated` where there is more."""

    nodes: Sequence[Node]
    edges: Sequence[tuple[UUID, UUID]]
    layers: dict[UUID, str]
    last_runs: dict[UUID, Run]  # of pipelines; of a table and a volume, the latest of what writes it
    truncated: bool


class _Graph:
    """Nodes in the order in which they were come to, until there are enough."""

    def __init__(self, session: Session, caller: Caller, limit: int) -> None:
        self._session, self._caller, self._limit = session, caller, limit
        self._ways = or_(*ways_to_see(session, caller))
        self._hidden: set[UUID] = set()
        self.things: dict[UUID, Thing] = {}
        self.ends: dict[UUID, Ends] = {}
        self.nodes: dict[UUID, Node] = {}
        self.truncated = False

    @property
    def full(self) -> bool:
        return len(self.nodes) >= self._limit

    def add(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            if node.id not in self.nodes:
                if self.full:
                    self.truncated = True
                    return
                self.nodes[node.id] = node

    def pipelines(self, which: ColumnElement[bool]) -> Sequence[Pipeline]:
        """Those of these that the caller sees, by name, and no more than there is room for. A few are decided one by
        one, which is quicker than to ask the database for all that the caller sees."""
        found = select(Pipeline).where(which).order_by(Pipeline.name, Pipeline.id)
        few = self._session.scalars(found.limit(FEW + 1)).all()
        if len(few) > FEW:
            return self.look_at(self._session.scalars(found.where(self._ways).limit(self._limit + 1)).all())
        placed = on_pipelines(self._session, self._caller, few)
        return self.look_at([one for one in few if placed[one.id].allows(self._caller.id, SEE)][: self._limit + 1])

    def look_at(self, pipelines: Sequence[Pipeline]) -> Sequence[Pipeline]:
        """Learn what these pipelines read and write, and what of that the caller sees."""
        new = [pipeline for pipeline in pipelines if pipeline.id not in self.ends]
        ends, more = ends_of(self._session, new)
        self.truncated |= more
        self.ends |= {pipeline.id: ends.get(pipeline.id, Ends()) for pipeline in new}
        self.see(id_ for one in ends.values() for id_ in one.reads | one.writes)
        return pipelines

    def see(self, ids: Iterable[UUID]) -> None:
        new = set(ids) - self.things.keys() - self._hidden
        if not new:
            return
        things: list[Thing] = [
            *self._session.scalars(select(Table).where(Table.id.in_(new))),
            *self._session.scalars(select(Volume).where(Volume.id.in_(new))),
        ]
        placed = on_things(self._session, self._caller, things)
        self.things |= {one.id: one for one in things if placed[one.id].allows(self._caller.id, SEE_TABLES)}
        self._hidden |= new - self.things.keys()

    def seen(self, ids: Iterable[UUID]) -> list[Thing]:
        return sorted((self.things[id_] for id_ in ids if id_ in self.things), key=lambda one: (one.name, one.id))

    def edges(self) -> list[tuple[UUID, UUID]]:
        found = []
        for id_, ends in self.ends.items():
            if id_ in self.nodes:
                found += [(one, id_) for one in ends.reads if one in self.nodes]
                found += [(id_, one) for one in ends.writes if one in self.nodes]
        return sorted(found)


def flow(
    session: Session,
    caller: Caller,
    *,
    layer_id: UUID | None = None,
    search: str | None = None,
    around: UUID | None = None,
    limit: int = 200,
) -> Flow:
    """Pipelines the caller sees and what they read and write: all, those that fit, or what leads to one node and comes
    from it."""
    if layer_id is not None:
        find_layer(session, caller, layer_id)
    fits = _fitting(layer_id, search)
    graph = _Graph(session, caller, limit)
    if around is None:
        _fill(graph, session, caller, fits, limit)
    else:
        _surround(graph, around)
        if fits:
            _narrow(graph, session, around, fits)
    edges = graph.edges()
    return Flow(
        list(graph.nodes.values()),
        edges,
        _layer_names(session, graph.nodes.values()),
        _last_runs(session, graph.nodes, edges),
        graph.truncated,
    )


def _fitting(layer_id: UUID | None, search: str | None) -> list[ColumnElement[bool]]:
    """Pipelines that have something to do with the layer, and the words in their name or in that of something at their
    ends."""
    fits: list[ColumnElement[bool]] = []
    if layer_id is not None:
        fits.append(within(layer_id))
    if search is not None:
        words = touching(lambda kind: has_in_name(kind.name, search))
        fits.append(or_(has_in_name(Pipeline.name, search), Pipeline.id.in_(words)))
    return fits


def _fill(graph: _Graph, session: Session, caller: Caller, fits: Sequence[ColumnElement[bool]], limit: int) -> None:
    """Pipelines by name, each with its ends, as long as there is room."""
    if fits:
        found = graph.pipelines(and_(*fits))
    else:
        found = graph.look_at(page_by_name(session, Pipeline, None, limit + 1, ways=ways_to_see(session, caller)).items)
    for pipeline in found:
        ends = graph.ends[pipeline.id]
        graph.add([pipeline, *graph.seen(ends.reads | ends.writes)])


def _surround(graph: _Graph, around: UUID) -> None:
    """Everything that leads to the node, and everything that comes from it, the nearest first."""
    pipelines = graph.pipelines(Pipeline.id == around)
    graph.see([around])
    if not pipelines and around not in graph.things:
        raise NotFound("node")
    graph.add(pipelines or [graph.things[around]])
    ways = [_Way(upwards, list(pipelines), set() if pipelines else {around}) for upwards in (True, False)]
    for _ in range(MOST_STEPS):
        for way in ways:
            way.go_on(graph)
        if not any(way.pipelines or way.things for way in ways):
            return
    graph.truncated = True


@dataclass
class _Way:
    """One way from a node, up to where things come from or down to where they go; a circle is walked once."""

    upwards: bool
    pipelines: Sequence[Pipeline]  # that were come to last
    things: Collection[UUID]
    been: set[UUID] = field(default_factory=set)

    def go_on(self, graph: _Graph) -> None:
        """One step: from pipelines to what they read, or write; from things to the pipelines that write, or read,
        them."""
        ends = [self._ahead(graph, pipeline) for pipeline in self.pipelines]
        reached = graph.seen(set().union(*ends))
        graph.add(reached)
        found: list[Pipeline] = []
        if self.things:
            which = writing(self.things) if self.upwards else reading(self.things)
            met = graph.pipelines(which)
            found = [one for one in met if not self._behind(graph, one).isdisjoint(self.things)]
            graph.add(found)
        new = graph.nodes.keys() - self.been
        self.pipelines = [one for one in found if one.id in new]
        self.things = {one.id for one in reached if one.id in new}
        self.been |= {one.id for one in self.pipelines} | set(self.things)

    def _ahead(self, graph: _Graph, pipeline: Pipeline) -> set[UUID]:
        return graph.ends[pipeline.id].reads if self.upwards else graph.ends[pipeline.id].writes

    def _behind(self, graph: _Graph, pipeline: Pipeline) -> set[UUID]:
        return graph.ends[pipeline.id].writes if self.upwards else graph.ends[pipeline.id].reads


def _narrow(graph: _Graph, session: Session, around: UUID, fits: Sequence[ColumnElement[bool]]) -> None:
    """Of what is around a node, the pipelines that fit, with their ends."""
    found = select(Pipeline.id).where(Pipeline.id.in_(graph.ends.keys() & graph.nodes.keys()), *fits)
    kept = set(session.scalars(found))
    ends = {id_ for one in kept for id_ in graph.ends[one].reads | graph.ends[one].writes}
    graph.nodes = {id_: node for id_, node in graph.nodes.items() if id_ == around or id_ in kept or id_ in ends}


def _layer_names(session: Session, nodes: Iterable[Node]) -> dict[UUID, str]:
    ids = {node.layer_id for node in nodes if not isinstance(node, Pipeline)}
    return dict(session.execute(select(Layer.id, Layer.name).where(Layer.id.in_(ids))).all())


def _last_runs(session: Session, nodes: dict[UUID, Node], edges: Sequence[tuple[UUID, UUID]]) -> dict[UUID, Run]:
    """Whoever sees a pipeline sees its runs."""
    ids = [id_ for id_, node in nodes.items() if isinstance(node, Pipeline)]
    of_it = (Run.subject_type == "pipeline") & (Run.subject_id == Pipeline.id)
    newest = select(Run.id).where(of_it).order_by(Run.id.desc()).limit(1).scalar_subquery()
    wanted = set(session.scalars(select(newest).where(Pipeline.id.in_(ids))))
    runs = {run.subject_id: run for run in session.scalars(select(Run).where(Run.id.in_(wanted)))}
    for writer, thing in edges:
        run = runs.get(writer)
        if run is not None and writer in ids and (thing not in runs or runs[thing].id < run.id):
            runs[thing] = run
    return runs
