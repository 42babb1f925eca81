"""What all pipelines share: seeing, adding, editing, activating, starting and deleting them, and changing their owner.

A use case of one kind of pipeline goes like this:

* `require_may_add` (the output layer), insert the rows, `save_new` (what was saved lies within the saver's own level);
* `edit`: a block in which the rows are changed, asked for before and after;
* `start`, `activate`, `change_owner`, `delete` as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision, require, slug
from bailiwick.access.world.placing import Placed
from bailiwick.audit import service as audit
from bailiwick.database.base import utc_now
from bailiwick.database.listing import BY_NAME, has_in_name, page_by_name
from bailiwick.database.locks import LOCKED, hold
from bailiwick.database.names import namesakes
from bailiwick.database.paging import Page
from bailiwick.errors import Conflict, Invalid, NotFound
from bailiwick.lakehouse.models import Layer, Pipeline, PipelineKind
from bailiwick.lakehouse.seeing_pipelines import ways_to_see
from bailiwick.lakehouse.standing import on_lakehouse, on_layer, on_pipeline, on_pipelines
from bailiwick.runs.models import Run
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Member, MemberState
from bailiwick.tenancy.versions import require_unchanged

SEE, ADD = "See pipelines", "Add pipelines"
EDIT, ACTIVATE, TRIGGER = "Edit pipelines", "Activate or deactivate pipelines", "Trigger pipelines"
DELETE, SEE_RUNS = "Delete pipelines", "See runs"
INTEGRATIONS = "Add, edit, activate, trigger and delete integrations"
CHANGE_OWNER = "Manage users and roles"  # the row of the table that is for admins and owners

# What is told of a pipeline in the audit, by kind; of every kind its name, description, owner and settings.
TOLD: dict[str, Callable[[Session, Pipeline], dict[str, Any]]] = {}
# And of this, what the caller may not see: whoever deletes a source need not see all of its disabled streams.
HIDDEN: dict[str, Callable[[Session, Caller, Pipeline], Collection[str]]] = {}


@dataclass(frozen=True)
class SeenPipeline:
    """A pipeline, what the caller may do with it, and the names behind its ids."""

    pipeline: Pipeline
    actions: Sequence[str]
    owner: Member
    output_layer: Layer | None
    last_run: Run | None = None  # where the caller sees its runs


# Deciding ------------------------------------------------------------------------------------------------------------


def word(pipeline: Pipeline, action: str) -> str:
    """The document's word for the action; integrations have one for all changes."""
    changes = pipeline.kind == PipelineKind.INTEGRATION and action not in (SEE, SEE_RUNS)
    return INTEGRATIONS if changes else action


def find(session: Session, pipeline_id: UUID, kind: PipelineKind | None = None) -> Pipeline:
    pipeline = session.get(Pipeline, pipeline_id)
    if pipeline is None or (kind is not None and pipeline.kind != kind):
        # In the words of a refusal to see it.
        raise NotFound("integration" if kind == PipelineKind.INTEGRATION else "pipeline")
    return pipeline


def decide(session: Session, caller: Caller, pipeline: Pipeline, action: str) -> Decision:
    return on_pipeline(session, caller, pipeline).check(caller.id, word(pipeline, action))


def decided(
    session: Session, caller: Caller, pipeline_id: UUID, action: str, kind: PipelineKind | None = None
) -> tuple[Pipeline, Decision]:
    """The pipeline, if the caller may do this with it; who may not see it finds nothing."""
    pipeline = find(session, pipeline_id, kind)
    placed = on_pipeline(session, caller, pipeline)
    require(placed.check(caller.id, SEE))
    return pipeline, require(placed.check(caller.id, word(pipeline, action)))


def may_change_owner(session: Session, caller: Caller) -> Decision:
    return on_lakehouse(session, caller).check(caller.id, CHANGE_OWNER)


# Seeing --------------------------------------------------------------------------------------------------------------


def list_pipelines(
    session: Session,
    caller: Caller,
    kind: PipelineKind,
    *,
    search: str | None = None,
    sort: str = BY_NAME,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[SeenPipeline]:
    """The pipelines of one kind that the caller may see, by name."""
    filters = [Pipeline.kind == kind, *([has_in_name(Pipeline.name, search)] if search else [])]
    ways = ways_to_see(session, caller)
    page = page_by_name(session, Pipeline, cursor, limit, *filters, ways=ways, sort=sort)
    return Page(seen(session, caller, page.items), page.next_cursor)


def get_pipeline(session: Session, caller: Caller, pipeline_id: UUID, kind: PipelineKind) -> SeenPipeline:
    pipeline, _ = decided(session, caller, pipeline_id, SEE, kind)
    return one(session, caller, pipeline)


def one(session: Session, caller: Caller, pipeline: Pipeline) -> SeenPipeline:
    (only,) = seen(session, caller, [pipeline])
    return only


def seen(session: Session, caller: Caller, pipelines: Sequence[Pipeline]) -> list[SeenPipeline]:
    placed = on_pipelines(session, caller, pipelines)
    owners = _by_id(session, Member, {pipeline.owner_id for pipeline in pipelines})
    layers = _by_id(session, Layer, {id_ for pipeline in pipelines if (id_ := pipeline.output_layer_id)})
    seen_runs = [pipeline.id for pipeline in pipelines if placed[pipeline.id].allows(caller.id, SEE_RUNS)]
    last = _last_runs(session, seen_runs)
    more = ("change_owner",) if may_change_owner(session, caller).allowed else ()
    return [
        SeenPipeline(
            pipeline,
            (*_slugs(placed[pipeline.id], caller), *more),
            owners[pipeline.owner_id],
            layers.get(pipeline.output_layer_id) if pipeline.output_layer_id else None,
            last.get(pipeline.id),
        )
        for pipeline in pipelines
    ]


def _last_runs(session: Session, ids: Sequence[UUID]) -> dict[UUID, Run]:
    """The latest run of each: numbers grow with every run of a subject, and an index finds the greatest."""
    latest = (
        select(Run.subject_id, func.max(Run.number).label("number"))
        .where(Run.subject_type == "pipeline", Run.subject_id.in_(ids))
        .group_by(Run.subject_id)
        .subquery()
    )
    found = select(Run).join(latest, (Run.subject_id == latest.c.subject_id) & (Run.number == latest.c.number))
    return {run.subject_id: run for run in session.scalars(found)} if ids else {}


def _slugs(placed: Placed, caller: Caller) -> tuple[str, ...]:
    return tuple(slug(action) for action in placed.actions(caller.id))


def _by_id(session: Session, kind: type[Any], ids: set[UUID]) -> dict[UUID, Any]:
    return {row.id: row for row in session.scalars(select(kind).where(kind.id.in_(ids)))} if ids else {}


# Adding and editing --------------------------------------------------------------------------------------------------


def require_may_add(session: Session, caller: Caller, layer_id: UUID, field: str = "output_layer") -> Decision:
    """Whether the caller may add a pipeline, or a stream of one, that creates tables in this layer."""
    layer = session.get(Layer, layer_id)
    placed = on_layer(session, caller, layer) if layer else None
    if placed is None or not placed.allows(caller.id, "See layers"):
        raise Invalid(field, "There is no such layer.", "List the layers you see: GET /api/v1/layers")
    return require(placed.check(caller.id, ADD))


def refuse_taken_name(session: Session, kind: str, name: str, but: Pipeline | None = None) -> None:
    """“shop” beside “Shop” would be started by mistake. Which pipeline it is may not be for the caller to know."""
    if any(pipeline is not but for pipeline in namesakes(session, Pipeline, name, Pipeline.kind == kind)):
        raise Conflict("This name is taken. Choose another one.")


def save_new(session: Session, caller: Caller, pipeline: Pipeline, decision: Decision | None = None) -> SeenPipeline:
    """Called once the new pipeline's rows are there, its inputs and streams too: it has to lie within the saver's own
    level, or nothing of it stays. Creating gives no level."""
    session.flush()
    within = require(decide(session, caller, pipeline, EDIT))
    asked = within if decision is None else decision
    record(session, caller, "add_pipeline", pipeline, asked, None, told(session, pipeline))
    return one(session, caller, pipeline)


@contextmanager
def edit(
    session: Session,
    caller: Caller,
    pipeline_id: UUID,
    kind: PipelineKind,
    *,
    if_match: str | None = None,
    action: str = "edit_pipeline",
) -> Iterator[Pipeline]:
    """A block that changes a pipeline. Nobody borrows the rights of whoever it acts as: the saver needs the level on
    what it reads and writes before the change, and on what it reads and writes after."""
    pipeline, decision = decided(session, caller, pipeline_id, EDIT, kind)
    hold(session, Pipeline, pipeline.id, LOCKED, "pipeline")  # a run notes its output before this change, or after it
    require_unchanged(if_match, pipeline.version, "pipeline")
    before = told(session, pipeline)
    name = pipeline.name
    yield pipeline
    if pipeline.name != name:
        with session.no_autoflush:
            refuse_taken_name(session, pipeline.kind, pipeline.name, pipeline)
    session.flush()
    require(decide(session, caller, pipeline, EDIT))
    after = told(session, pipeline)
    if before != after:
        pipeline.saved_by_id, pipeline.saved_at = caller.member.id, utc_now()
        session.flush()
        record(session, caller, action, pipeline, decision, _only_changed(before, after), _only_changed(after, before))


def told(session: Session, pipeline: Pipeline) -> dict[str, Any]:
    """What the audit tells of a pipeline; of credentials only whether there are any."""
    common = {
        "name": pipeline.name,
        "description": pipeline.description,
        "settings": pipeline.settings,
        "has_credentials": pipeline.credentials is not None,
        "output_layer_id": str(pipeline.output_layer_id) if pipeline.output_layer_id else None,
        "output_name": pipeline.output_name,
    }
    more = TOLD.get(pipeline.kind)
    return common if more is None else {**common, **more(session, pipeline)}


def record_deletion(
    session: Session, caller: Caller, pipeline: Pipeline, decision: Decision, hangs: Mapping[str, Any]
) -> None:
    """What the caller deletes unseen stands in an entry of the platform's own, which is not theirs to read."""
    look = HIDDEN.get(pipeline.kind)
    hidden = look(session, caller, pipeline) if look else ()
    before = told(session, pipeline)
    seen = {name: value for name, value in before.items() if name not in hidden}
    record(session, caller, "delete_pipeline", pipeline, decision, {**seen, **hangs}, None)
    if hidden:
        audit.record(
            session,
            action="delete_pipeline",
            resource_type=_type_on_record(pipeline),
            resource_id=pipeline.id,
            resource_name=pipeline.name,
            request_id=caller.request_id,
            before={"kind": pipeline.kind, **{name: before[name] for name in hidden}},
        )


def _only_changed(these: Mapping[str, Any], others: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in these.items() if others.get(key) != value}


# Activating, owner ---------------------------------------------------------------------------------------------------


def activate(
    session: Session,
    caller: Caller,
    pipeline_id: UUID,
    kind: PipelineKind,
    active: bool,
    *,
    if_match: str | None = None,
) -> SeenPipeline:
    """Let it run, or let it rest: what is not active is started by nobody."""
    pipeline, decision = decided(session, caller, pipeline_id, ACTIVATE, kind)
    require_unchanged(if_match, pipeline.version, "pipeline")
    if pipeline.active != active:
        pipeline.active = active
        session.flush()
        done = "activate_pipeline" if active else "deactivate_pipeline"
        record(session, caller, done, pipeline, decision, {"active": not active}, {"active": active})
    return one(session, caller, pipeline)


def change_owner(
    session: Session,
    caller: Caller,
    pipeline_id: UUID,
    kind: PipelineKind,
    owner_id: UUID,
    *,
    if_match: str | None = None,
) -> SeenPipeline:
    """Let it act as another member."""
    pipeline, _ = decided(session, caller, pipeline_id, SEE, kind)
    decision = require(may_change_owner(session, caller))
    require_unchanged(if_match, pipeline.version, "pipeline")
    owner = session.get(Member, owner_id, with_for_update=LOCKED)
    if owner is None or owner.state != MemberState.ACTIVE:
        raise Invalid("owner_id", "There is no such active member.", "Take an id from the directory.")
    if pipeline.owner_id != owner.id:
        before = {"owner_id": str(pipeline.owner_id)}
        pipeline.owner_id = owner.id
        session.flush()
        after = {"owner_id": str(owner.id), "owner": owner.name}
        record(session, caller, "change_pipeline_owner", pipeline, decision, before, after)
    return one(session, caller, pipeline)


def record(
    session: Session,
    caller: Caller,
    action: str,
    pipeline: Pipeline,
    decision: Decision | None,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
) -> None:
    caller.record(
        session,
        action,
        _type_on_record(pipeline),
        resource_id=pipeline.id,
        resource_name=pipeline.name,
        before=None if before is None else {"kind": pipeline.kind, **before},
        after=None if after is None else {"kind": pipeline.kind, **after},
        decision=decision,
    )


def _type_on_record(pipeline: Pipeline) -> str:
    return "integration" if pipeline.kind == PipelineKind.INTEGRATION else "pipeline"
