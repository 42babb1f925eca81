"""Layers, tables, volumes, grants, pipelines and saved queries for the tests, straight into the database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from bailiwick.database.base import new_id
from bailiwick.lakehouse.models import (
    Grant,
    Layer,
    Pipeline,
    PipelineInput,
    PipelineVolume,
    SavedQuery,
    SavedQueryRead,
    Stream,
    Table,
    Volume,
)
from bailiwick.tenancy.caller import ALL_GROUP_ID
from bailiwick.tenancy.models import Group, Member

COLUMNS: tuple[Mapping[str, Any], ...] = (
    {"name": "id", "type": "bigint", "nullable": False},
    {"name": "customer", "type": "string", "nullable": True},
    {"name": "amount", "type": "decimal(10,2)", "nullable": True},
)

# Who stands where on the layer raw, in the tests that call every route.
LEVELS_ON_RAW = {"B": "Viewer", "T": "Editor", "P": "Manager"}


def make_layer(session: Session, name: str = "raw", *, description: str = "") -> Layer:
    """The layer of this name, made if there is none: raw, trusted and service are there from the start."""
    layer = session.scalars(select(Layer).where(Layer.name == name)).one_or_none()
    if layer is None:
        layer = Layer(name=name, description=description)
        session.add(layer)
        session.flush()
    return layer


def make_table(
    session: Session,
    name: str = "orders",
    *,
    layer: Layer | str = "raw",
    columns: Sequence[Mapping[str, Any]] = COLUMNS,
    **values: Any,
) -> Table:
    """A table in a layer, as the catalogue knows it; there are no files behind it."""
    layer = make_layer(session, layer) if isinstance(layer, str) else layer
    id_ = values.pop("id", None) or new_id()
    table = Table(
        id=id_,
        layer_id=layer.id,
        name=name,
        location=f"tables/{id_}",
        columns=[dict(column) for column in columns],
        **values,
    )
    session.add(table)
    session.flush()
    return table


def make_volume(session: Session, name: str = "files", *, layer: Layer | str = "raw", **values: Any) -> Volume:
    layer = make_layer(session, layer) if isinstance(layer, str) else layer
    volume = Volume(layer_id=layer.id, name=name, **values)
    session.add(volume)
    session.flush()
    return volume


def make_grant(
    session: Session,
    on: Layer | Table | Volume,
    to: Member | Group | str,
    level: str = "Viewer",
    *,
    expires_at: datetime | None = None,
    by: Member | None = None,
) -> Grant:
    """A level on a layer, table or volume, to a member, to a group, or with `"All"` to everybody."""
    grant = Grant(
        layer_id=on.id if isinstance(on, Layer) else on.layer_id,
        level=level,
        expires_at=expires_at,
        granted_by_id=by.id if by else None,
    )
    if isinstance(on, Table):
        grant.table_id = on.id
    elif isinstance(on, Volume):
        grant.volume_id = on.id
    if isinstance(to, Member):
        grant.member_id = to.id
    else:
        grant.group_id = ALL_GROUP_ID if isinstance(to, str) else to.id
    session.add(grant)
    session.flush()
    return grant


def make_pipeline(
    session: Session,
    name: str,
    owner: Member,
    *,
    kind: str = "query",
    reads: Iterable[Table | Volume] = (),
    output_layer: Layer | None = None,
    output_name: str | None = None,
    output: Table | None = None,
    writes: Iterable[Volume] = (),
    settings: Mapping[str, Any] | None = None,
    active: bool = True,
) -> Pipeline:
    """A pipeline of any kind: what it reads, and the table it writes, has yet to write, or the volumes it writes to."""
    pipeline = Pipeline(
        kind=kind,
        name=name,
        owner_id=owner.id,
        created_by_id=owner.id,
        saved_by_id=owner.id,
        active=active,
        settings=dict(settings or {}),
        output_layer_id=output_layer.id if output_layer else output.layer_id if output else None,
        output_name=output_name or (output.name if output else None),
        output_table_id=output.id if output else None,
    )
    session.add(pipeline)
    session.flush()
    for thing in reads:
        read = {"table_id": thing.id} if isinstance(thing, Table) else {"volume_id": thing.id}
        session.add(PipelineInput(pipeline_id=pipeline.id, **read))
    session.add_all(PipelineVolume(pipeline_id=pipeline.id, volume_id=volume.id) for volume in writes)
    session.flush()
    return pipeline


def make_stream(
    session: Session,
    source: Pipeline,
    name: str = "orders",
    *,
    layer: Layer | str = "raw",
    table: Table | None = None,
    enabled: bool = True,
    reads: Iterable[Table | Volume] = (),
    **values: Any,
) -> Stream:
    """A stream of a source, with the table it lands in, or the layer where it has yet to make it."""
    layer = make_layer(session, layer) if isinstance(layer, str) else layer
    stream = Stream(
        pipeline_id=source.id,
        name=name,
        enabled=enabled,
        output_layer_id=table.layer_id if table else layer.id,
        output_name=values.pop("output_name", None) or (table.name if table else name),
        output_table_id=table.id if table else None,
        **values,
    )
    session.add(stream)
    session.flush()
    for thing in reads:
        read = {"table_id": thing.id} if isinstance(thing, Table) else {"volume_id": thing.id}
        session.add(PipelineInput(pipeline_id=source.id, stream_id=stream.id, **read))
    session.flush()
    return stream


def make_saved_query(
    session: Session,
    name: str,
    author: Member,
    *,
    reads: Iterable[Table] = (),
    shared: bool = False,
    sql: str = "SELECT 1",
) -> SavedQuery:
    query = SavedQuery(name=name, author_id=author.id, shared=shared, sql=sql)
    session.add(query)
    session.flush()
    session.add_all(SavedQueryRead(saved_query_id=query.id, table_id=table.id) for table in reads)
    session.flush()
    return query


def levels_on_raw(session: Session, people: Mapping[str, Member]) -> Layer:
    """The layer raw with its Viewer, Editor and Manager; asked for twice, it is the same."""
    raw = make_layer(session, "raw")
    for key, level in LEVELS_ON_RAW.items():
        held = select(Grant).where(
            Grant.layer_id == raw.id,
            Grant.member_id == people[key].id,
            Grant.table_id.is_(None),
            Grant.volume_id.is_(None),
        )
        if session.scalars(held).one_or_none() is None:
            make_grant(session, raw, people[key], level)
    return raw
