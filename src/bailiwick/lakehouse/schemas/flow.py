"""The flow on the wire."""

from __future__ import annotations

from typing import Annotated, Literal, Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from bailiwick.lakehouse.flow import Flow, Node
from bailiwick.lakehouse.models import Pipeline, PipelineKind, Table
from bailiwick.lakehouse.schemas.pipelines import LastRunOut

NodeType = Literal["source", "query", "notebook", "history", "destination", "integration", "table", "volume"]


class FlowNodeOut(BaseModel):
    """A pipeline, a table or a volume."""

    id: Annotated[UUID, Field(description="That of the pipeline, table or volume itself.")]
    type: NodeType
    name: Annotated[str, Field(examples=["orders"])]
    layer: Annotated[str | None, Field(description="Its name; of tables and volumes.", examples=["raw"])]
    state: Annotated[Literal["active", "inactive"] | None, Field(description="Of pipelines.")]
    last_run: Annotated[LastRunOut | None, Field(description="Of a table and a volume, of whatever writes it.")]


class FlowEdgeOut(BaseModel):
    """Data goes from one node to another."""

    model_config = ConfigDict(populate_by_name=True)

    from_: Annotated[UUID, Field(alias="from", serialization_alias="from")]
    to: UUID


class WholeFlowOut(BaseModel):
    """What flows from sources to destinations, as far as you may see."""

    nodes: list[FlowNodeOut]
    edges: list[FlowEdgeOut]
    truncated: Annotated[bool, Field(description="There is more than was asked for: filter, or raise the limit.")]

    @classmethod
    def of(cls, flow: Flow) -> Self:
        return cls(
            nodes=[_node(flow, node) for node in flow.nodes],
            edges=[FlowEdgeOut(from_=one, to=other) for one, other in flow.edges],
            truncated=flow.truncated,
        )


def _node(flow: Flow, node: Node) -> FlowNodeOut:
    run = flow.last_runs.get(node.id)
    last = LastRunOut.model_validate(run, from_attributes=True) if run else None
    if isinstance(node, Pipeline):
        kind: NodeType = PipelineKind(node.kind).value
        state: Literal["active", "inactive"] = "active" if node.active else "inactive"
        return FlowNodeOut(id=node.id, type=kind, name=node.name, layer=None, state=state, last_run=last)
    type_: NodeType = "table" if isinstance(node, Table) else "volume"
    layer = flow.layers[node.layer_id]
    return FlowNodeOut(id=node.id, type=type_, name=node.name, layer=layer, state=None, last_run=last)
