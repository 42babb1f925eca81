"""Notebooks and integrations: kept with their rights and with what they read and write. They do not execute yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision, Refused, require
from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.roles import lakehouse_standing
from bailiwick.errors import Invalid, NotFound
from bailiwick.lakehouse import outputs, pipelines, tables
from bailiwick.lakehouse.layers import find_layer
from bailiwick.lakehouse.models import Pipeline, PipelineKind
from bailiwick.lakehouse.pipelines import INTEGRATIONS, SeenPipeline
from bailiwick.lakehouse.queries.pipeline import inputs_of as inputs_of
from bailiwick.tenancy.caller import Caller

INTEGRATION = RESOURCE_TYPES["integration"]


def add(
    session: Session,
    caller: Caller,
    kind: PipelineKind,
    *,
    name: str,
    description: str,
    settings: Mapping[str, Any],
    input_table_ids: Sequence[UUID],
    output_layer_id: UUID,
    output_name: str | None,
) -> SeenPipeline:
    """A notebook asks Editor on the output layer, as whatever makes tables there; integrations are for admins."""
    decision = _require_may_add(session, caller, kind, output_layer_id)
    pipelines.refuse_taken_name(session, kind, name)
    _require_tables(session, caller, input_table_ids)
    pipeline = Pipeline(
        kind=kind,
        name=name,
        description=description,
        settings=dict(settings),
        owner_id=caller.member.id,
        created_by_id=caller.member.id,
        saved_by_id=caller.member.id,
        output_layer_id=output_layer_id,
    )
    if output_name is not None:
        outputs.set_output(session, pipeline, output_layer_id, output_name)
    session.add(pipeline)
    session.flush()
    outputs.set_inputs(session, pipeline, input_table_ids)
    return pipelines.save_new(session, caller, pipeline, decision)


def edit(
    session: Session,
    caller: Caller,
    pipeline_id: UUID,
    kind: PipelineKind,
    changes: Mapping[str, Any],
    *,
    if_match: str | None,
) -> SeenPipeline:
    with pipelines.edit(session, caller, pipeline_id, kind, if_match=if_match) as pipeline:
        for field in ("name", "description"):
            if changes.get(field) is not None:
                setattr(pipeline, field, changes[field])
        if changes.get("settings") is not None:
            pipeline.settings = dict(changes["settings"])
        layer_id = changes.get("output_layer_id") or pipeline.output_layer_id
        name = changes.get("output_name") or pipeline.output_name
        if (layer_id, name) != (pipeline.output_layer_id, pipeline.output_name):
            assert layer_id is not None
            _require_may_add(session, caller, kind, layer_id)
            pipeline.output_layer_id = layer_id
            if name is not None:
                outputs.set_output(session, pipeline, layer_id, name)
        if changes.get("input_table_ids") is not None:
            _require_tables(session, caller, changes["input_table_ids"])
            outputs.set_inputs(session, pipeline, changes["input_table_ids"])
    return pipelines.one(session, caller, pipeline)


def _require_may_add(session: Session, caller: Caller, kind: PipelineKind, layer_id: UUID) -> Decision:
    if kind == PipelineKind.NOTEBOOK:
        return pipelines.require_may_add(session, caller, layer_id)
    try:
        find_layer(session, caller, layer_id)
    except (NotFound, Refused):
        fix = "List the layers you see: GET /api/v1/layers"
        raise Invalid("output_layer_id", "There is no such layer.", fix) from None
    standing = lakehouse_standing(caller.member.tenant_role)
    return require(INTEGRATION.check(INTEGRATION.pack({"standing": standing}), INTEGRATIONS))


def _require_tables(session: Session, caller: Caller, ids: Sequence[UUID]) -> None:
    for id_ in ids:
        try:
            tables.find_table(session, caller, id_)
        except (NotFound, Refused):
            fix = "List the tables you see: GET /api/v1/tables"
            raise Invalid("input_table_ids", "There is no such table.", fix) from None
