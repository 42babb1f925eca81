"""The lakehouse's tables: layers, tables, volumes, grants, pipelines with their streams, saved queries."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import JSON, BigInteger, CheckConstraint, ForeignKey, Index, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.access.tables.lakehouse.levels import LEVELS
from bailiwick.database.base import Base, Encrypted, Id, Named, Sought, Versioned, new_id, utc_now
from bailiwick.tenancy.models import one_of

# A name in statements. Sorted by its letters' codes on either database, so that what begins alike stands together and
# completion reads one range of an index.
Identifier = String(63).with_variant(String(63, collation="C"), "postgresql")


class Layer(Versioned, Named, Base):
    """A layer; in SQL a database. Its name is in lower case, as it is written in statements."""

    __tablename__ = "layer"
    __table_args__ = (Index("ix_layer_name_id", "name", "id"),)

    name: Mapped[str] = mapped_column(Identifier, unique=True)
    description: Mapped[str] = mapped_column(String(2000), default="")
    created_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("member.id"))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)


class Table(Versioned, Named, Base):
    """A Delta table. This row is the catalogue of record: where it lies, its fields, how large it was last seen."""

    __tablename__ = "lakehouse_table"
    __table_args__ = (
        UniqueConstraint("layer_id", "name"),
        Index("ix_lakehouse_table_name_id", "name", "id"),
        Index("ix_lakehouse_table_layer_id_name_id", "layer_id", "name", "id"),
        # With the name, so that a search along them reads no row that does not fit.
        Index("ix_lakehouse_table_changed_at", "changed_at", "id", "name"),
        Index("ix_lakehouse_table_layer_id_changed_at", "layer_id", "changed_at", "id", "name"),
    )

    layer_id: Mapped[UUID] = mapped_column(ForeignKey("layer.id"))
    name: Mapped[str] = mapped_column(Identifier)
    description: Mapped[str] = mapped_column(String(2000), default="")
    location: Mapped[str] = mapped_column(String(1000))  # below the warehouse: tables/<id>
    columns: Mapped[list[dict[str, Any]]] = mapped_column(JSON, default=list)  # name, type, nullable
    field_descriptions: Mapped[dict[str, str]] = mapped_column(JSON, default=dict)
    data_version: Mapped[int | None]  # Delta's
    rows: Mapped[int | None] = mapped_column(BigInteger)
    bytes: Mapped[int | None] = mapped_column(BigInteger)
    changed_at: Mapped[datetime | None]  # its data
    holds_rejects_of_id: Mapped[UUID | None]  # the stream whose bad records are quarantined here
    created_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("member.id"))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)


class Volume(Versioned, Named, Base):
    """A folder of files in a layer."""

    __tablename__ = "volume"
    __table_args__ = (
        UniqueConstraint("layer_id", "name"),
        Index("ix_volume_name_id", "name", "id"),
        Index("ix_volume_layer_id_name_id", "layer_id", "name", "id"),
    )

    layer_id: Mapped[UUID] = mapped_column(ForeignKey("layer.id"))
    name: Mapped[str] = mapped_column(Identifier)
    description: Mapped[str] = mapped_column(String(2000), default="")
    created_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("member.id"))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)


def _one_on_the_layer_itself(holder: str) -> Index:
    itself = text("table_id IS NULL AND volume_id IS NULL")
    name = f"uq_lakehouse_grant_layer_id_{holder}"
    return Index(name, "layer_id", holder, unique=True, sqlite_where=itself, postgresql_where=itself)


def _by_holder(holder: str) -> Index:
    held = text(f"{holder} IS NOT NULL")  # else it would hold everybody else too
    columns = (holder, "layer_id", "table_id", "volume_id")
    return Index(f"ix_lakehouse_grant_{holder}", *columns, sqlite_where=held, postgresql_where=held)


class Grant(Versioned, Base):
    """A level on a layer, or on one table or volume in it, to a member or a group, until it expires.

    The layer is named in every case, so that one look tells who has something in it."""

    __tablename__ = "lakehouse_grant"
    __table_args__ = (
        one_of("level", LEVELS[1:]),
        CheckConstraint("(member_id IS NULL) <> (group_id IS NULL)", name="one_holder"),
        CheckConstraint("table_id IS NULL OR volume_id IS NULL", name="one_thing"),
        _by_holder("member_id"),
        _by_holder("group_id"),
        # Everybody holds one level on a thing: two who grant at once do not leave two.
        UniqueConstraint("table_id", "member_id"),
        UniqueConstraint("table_id", "group_id"),
        UniqueConstraint("volume_id", "member_id"),
        UniqueConstraint("volume_id", "group_id"),
        _one_on_the_layer_itself("member_id"),
        _one_on_the_layer_itself("group_id"),
        # None on the layer alone: SQLite would take it for the way to one person's grants there, and read everybody's.
        Index("ix_lakehouse_grant_expires_at", "expires_at"),
    )

    id: Mapped[Id]
    layer_id: Mapped[UUID] = mapped_column(ForeignKey("layer.id", ondelete="CASCADE"))
    table_id: Mapped[UUID | None] = mapped_column(ForeignKey("lakehouse_table.id", ondelete="CASCADE"))
    volume_id: Mapped[UUID | None] = mapped_column(ForeignKey("volume.id", ondelete="CASCADE"))
    member_id: Mapped[UUID | None] = mapped_column(ForeignKey("member.id"))
    group_id: Mapped[UUID | None] = mapped_column(ForeignKey("member_group.id", ondelete="CASCADE"))
    level: Mapped[str] = mapped_column(String(10))
    expires_at: Mapped[datetime | None]
    granted_by_id: Mapped[UUID | None] = mapped_column(ForeignKey("member.id"))
    granted_at: Mapped[datetime] = mapped_column(default=utc_now)


class PipelineKind(StrEnum):
    SOURCE = "source"
    QUERY = "query"
    NOTEBOOK = "notebook"
    HISTORY = "history"
    DESTINATION = "destination"
    INTEGRATION = "integration"


class Pipeline(Versioned, Sought, Named, Base):
    """A source, query, notebook, history, lakehouse destination or integration. What is special about a kind is in
    `settings`, in the form its schema gives; secrets are apart."""

    __tablename__ = "pipeline"
    __table_args__ = (
        one_of("kind", tuple(PipelineKind)),
        UniqueConstraint("kind", "name"),
        Index("ix_pipeline_kind_name_id", "kind", "name", "id"),
        Index("ix_pipeline_name_id", "name", "id"),
        Index("ix_pipeline_sought", "sought", "id"),
        Index("ix_pipeline_output_layer_id", "output_layer_id"),
        Index("ix_pipeline_output_table_id", "output_table_id"),
    )

    kind: Mapped[str] = mapped_column(String(20))
    name: Mapped[str] = mapped_column(String(200))
    description: Mapped[str] = mapped_column(String(2000), default="")
    owner_id: Mapped[UUID] = mapped_column(ForeignKey("member.id"))  # whom it acts as
    active: Mapped[bool] = mapped_column(default=True)
    settings: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    credentials: Mapped[str | None] = mapped_column(Encrypted)  # JSON; never leaves
    output_layer_id: Mapped[UUID | None] = mapped_column(ForeignKey("layer.id"))
    # Of queries and histories: the one table they write. Its id is planned before it exists, so that every attempt
    # at the first run writes to the same place.
    output_name: Mapped[str | None] = mapped_column(String(63))
    output_table_id: Mapped[UUID | None] = mapped_column(ForeignKey("lakehouse_table.id", ondelete="SET NULL"))
    planned_table_id: Mapped[UUID] = mapped_column(default=new_id)
    created_by_id: Mapped[UUID] = mapped_column(ForeignKey("member.id"))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    saved_by_id: Mapped[UUID] = mapped_column(ForeignKey("member.id"))
    saved_at: Mapped[datetime] = mapped_column(default=utc_now)


class Stream(Versioned, Base):
    """One stream of a source: what is read, how, and the table it lands in."""

    __tablename__ = "stream"
    __table_args__ = (
        UniqueConstraint("pipeline_id", "name"),
        Index("ix_stream_output_table_id", "output_table_id"),
        Index("ix_stream_output_layer_id", "output_layer_id"),
        Index("ix_stream_rejects_table_id", "rejects_table_id"),
    )

    id: Mapped[Id]
    pipeline_id: Mapped[UUID] = mapped_column(ForeignKey("pipeline.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(200))  # what it is called at the source
    enabled: Mapped[bool] = mapped_column(default=True)
    settings: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)  # mode, cursor column, primary key, …
    columns: Mapped[list[dict[str, Any]] | None] = mapped_column(JSON(none_as_null=True))  # as discovered
    state: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)  # how far it has read
    output_layer_id: Mapped[UUID] = mapped_column(ForeignKey("layer.id"))
    output_name: Mapped[str] = mapped_column(String(63))
    output_table_id: Mapped[UUID | None] = mapped_column(ForeignKey("lakehouse_table.id", ondelete="SET NULL"))
    planned_table_id: Mapped[UUID] = mapped_column(default=new_id)
    rejects_table_id: Mapped[UUID | None] = mapped_column(ForeignKey("lakehouse_table.id", ondelete="SET NULL"))
    planned_rejects_id: Mapped[UUID] = mapped_column(default=new_id)


class PipelineInput(Base):
    """A table or volume that a pipeline, or one stream of it, reads; worked out when it is saved and at each run."""

    __tablename__ = "pipeline_input"
    __table_args__ = (
        CheckConstraint("(table_id IS NULL) <> (volume_id IS NULL)", name="one_thing"),
        Index("ix_pipeline_input_pipeline_id", "pipeline_id"),
        Index("ix_pipeline_input_table_id", "table_id"),
        Index("ix_pipeline_input_volume_id", "volume_id"),
    )

    id: Mapped[Id]
    pipeline_id: Mapped[UUID] = mapped_column(ForeignKey("pipeline.id", ondelete="CASCADE"))
    stream_id: Mapped[UUID | None] = mapped_column(ForeignKey("stream.id", ondelete="CASCADE"))
    table_id: Mapped[UUID | None] = mapped_column(ForeignKey("lakehouse_table.id", ondelete="CASCADE"))
    volume_id: Mapped[UUID | None] = mapped_column(ForeignKey("volume.id", ondelete="CASCADE"))


class PipelineVolume(Base):
    """A volume that a pipeline writes files to."""

    __tablename__ = "pipeline_volume"

    pipeline_id: Mapped[UUID] = mapped_column(ForeignKey("pipeline.id", ondelete="CASCADE"), primary_key=True)
    volume_id: Mapped[UUID] = mapped_column(ForeignKey("volume.id", ondelete="CASCADE"), primary_key=True, index=True)


class HistorySnapshot(Base):
    """A snapshot that is in a history: when it was taken, in microseconds since 1970, as exactly as Spark keeps it."""

    __tablename__ = "history_snapshot"

    pipeline_id: Mapped[UUID] = mapped_column(ForeignKey("pipeline.id", ondelete="CASCADE"), primary_key=True)
    taken_at: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)


class SavedQuery(Versioned, Sought, Named, Base):
    """A statement that its author keeps, and may share; it runs as whoever runs it."""

    __tablename__ = "saved_query"
    __table_args__ = (
        UniqueConstraint("author_id", "name"),
        Index("ix_saved_query_author_id_name_id", "author_id", "name", "id"),
        Index("ix_saved_query_shared_name_id", "shared", "name", "id"),
        Index("ix_saved_query_name_id", "name", "id"),
        Index("ix_saved_query_sought", "sought", "id"),
    )

    description: Mapped[str] = mapped_column(String(2000), default="")
    sql: Mapped[str] = mapped_column(Text)
    author_id: Mapped[UUID] = mapped_column(ForeignKey("member.id"))
    shared: Mapped[bool] = mapped_column(default=False)
    chart: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))  # how what it gives is drawn
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    saved_at: Mapped[datetime] = mapped_column(default=utc_now)


class SavedQueryRead(Base):
    """A table that a saved query reads."""

    __tablename__ = "saved_query_read"

    saved_query_id: Mapped[UUID] = mapped_column(ForeignKey("saved_query.id", ondelete="CASCADE"), primary_key=True)
    table_id: Mapped[UUID] = mapped_column(
        ForeignKey("lakehouse_table.id", ondelete="CASCADE"), primary_key=True, index=True
    )


class Maintenance(Versioned, Base):
    """How the tables of a layer are kept in shape: small files compacted, old versions removed."""

    __tablename__ = "table_maintenance"

    layer_id: Mapped[UUID] = mapped_column(ForeignKey("layer.id", ondelete="CASCADE"), primary_key=True)
    active: Mapped[bool] = mapped_column(default=True)
    compact: Mapped[bool] = mapped_column(default=True)
    keep_days: Mapped[int] = mapped_column(default=30)  # versions younger than this can be restored
    owner_id: Mapped[UUID | None] = mapped_column(ForeignKey("member.id"))


class Discarded(Base):
    """Files of something deleted, which a worker has yet to remove: `tables/<id>` below the warehouse, `volumes/<id>`
    in the folder of volumes."""

    __tablename__ = "discarded"

    location: Mapped[str] = mapped_column(String(1000), primary_key=True)
    discarded_at: Mapped[datetime] = mapped_column(default=utc_now)
