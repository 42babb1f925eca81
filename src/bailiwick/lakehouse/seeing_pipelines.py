"""Which pipelines a caller sees, as a condition for the database: Viewer on everything they read and write."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, and_, exists, or_, select, true
from sqlalchemy.orm import InstrumentedAttribute, Session

from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.roles import lakehouse_standing
from bailiwick.access.tables.lakehouse.levels import LEVELS
from bailiwick.lakehouse.models import Grant, Pipeline, PipelineInput, PipelineVolume, Stream, Table, Volume
from bailiwick.lakehouse.standing import reaches
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.standing import the_tenant

SEE = "See pipelines"
TYPE = RESOURCE_TYPES["pipeline"]


def ways_to_see(session: Session, caller: Caller) -> list[ColumnElement[bool]]:
    """Conditions on `Pipeline`, one of which holds for each pipeline that the caller sees."""
    standing = lakehouse_standing(caller.member.tenant_role)
    if TYPE.allows(TYPE.pack({"standing": standing}), SEE):
        return [true()]
    if the_tenant(session).plan == "starter":  # everybody manages all data, where there is any
        return [or_(_touches_something(), Pipeline.output_layer_id.is_not(None))]
    return [and_(~_touches_something_hidden(caller), or_(_touches_something(), _in_layer(caller, OUTPUT_LAYER)))]


OUTPUT_LAYER = Pipeline.output_layer_id
WRITES_ONE_TABLE = Pipeline.output_name.is_not(None) & Pipeline.output_layer_id.is_not(None)


def _counting_input() -> ColumnElement[bool]:
    """Of this pipeline, and not of a disabled stream."""
    disabled = exists().where(Stream.id == PipelineInput.stream_id, ~Stream.enabled)
    return and_(PipelineInput.pipeline_id == Pipeline.id, ~disabled)


def _counting_stream() -> ColumnElement[bool]:
    return and_(Stream.pipeline_id == Pipeline.id, Stream.enabled)


def _touches_something() -> ColumnElement[bool]:
    return or_(
        WRITES_ONE_TABLE,
        exists().where(_counting_stream()),
        exists().where(_counting_input()),
        exists().where(PipelineVolume.pipeline_id == Pipeline.id),
    )


def _touches_something_hidden(caller: Caller) -> ColumnElement[bool]:
    table_hidden = PipelineInput.table_id.is_not(None) & ~_seen(caller, Table, PipelineInput.table_id)
    volume_hidden = PipelineInput.volume_id.is_not(None) & ~_seen(caller, Volume, PipelineInput.volume_id)
    return or_(
        and_(WRITES_ONE_TABLE, _output_hidden(caller, Pipeline.output_table_id, Pipeline.output_layer_id)),
        exists().where(_counting_stream(), _output_hidden(caller, Stream.output_table_id, Stream.output_layer_id)),
        exists().where(_counting_input(), or_(table_hidden, volume_hidden)),
        exists().where(PipelineVolume.pipeline_id == Pipeline.id, ~_seen(caller, Volume, PipelineVolume.volume_id)),
    )


def _output_hidden(
    caller: Caller, table_id: InstrumentedAttribute[Any], layer_id: InstrumentedAttribute[Any]
) -> ColumnElement[bool]:
    """A table that does not exist yet counts as its layer."""
    return or_(
        table_id.is_not(None) & ~_seen(caller, Table, table_id), table_id.is_(None) & ~_in_layer(caller, layer_id)
    )


def _seen(
    caller: Caller, kind: type[Table] | type[Volume], thing_id: InstrumentedAttribute[Any]
) -> ColumnElement[bool]:
    own = Grant.table_id if kind is Table else Grant.volume_id
    granted = select(own).where(_enough(caller), own.is_not(None))
    return exists().where(kind.id == thing_id, or_(kind.id.in_(granted), kind.layer_id.in_(_layers(caller))))


def _in_layer(caller: Caller, layer_id: InstrumentedAttribute[Any]) -> ColumnElement[bool]:
    return layer_id.in_(_layers(caller))


def _layers(caller: Caller) -> Any:
    """Those with a grant on the layer itself; visibility from below does not count."""
    return select(Grant.layer_id).where(_enough(caller), Grant.table_id.is_(None), Grant.volume_id.is_(None))


def _enough(caller: Caller) -> ColumnElement[bool]:
    seeing = [level for level in LEVELS if TYPE.allows(TYPE.pack({"level": level}), SEE)]
    return and_(reaches(caller), Grant.level.in_(seeing))
