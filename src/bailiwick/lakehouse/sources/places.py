"""Sources and streams as Spark is handed them: where they really point, by address, folder and location."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from bailiwick.lakehouse.catalogue import table_location
from bailiwick.lakehouse.files import folder_of
from bailiwick.lakehouse.models import Layer, Pipeline, Stream, Table, Volume
from bailiwick.lakehouse.sources.inputs import secret_of
from bailiwick.lakehouse.sources.service import is_allowed_folder
from bailiwick.lakehouse.sources.settings import CONNECTION, Files, Http, Postgresql, StreamSettings, needs_secret
from bailiwick.lakehouse.sources.streams import START_OVER
from bailiwick.notify.addresses import AddressRefused, pin, refuse_private
from bailiwick.runs.errors import RunProblem
from bailiwick.settings import Settings
from bailiwick.spark.jobs import Column, TableRef
from bailiwick.spark.sources.jobs import FilesAt, HttpAt, Place, PostgresqlAt, StreamJob, TablesAt

STAGING = ".staging"  # in the folder of the volumes, which all of Spark can read


def place_of(session: Session, source: Pipeline, settings: Settings) -> Place:
    """Where the source points, looked up now and checked now; what is looked up is what is connected to."""
    connection = CONNECTION.validate_python(source.settings)
    secret = secret_of(source)
    if needs_secret(connection) and secret is None:
        message = "The source has no secret: it was not entered, or the source was pointed elsewhere since."
        raise RunProblem("secret_missing", message, "Enter it again.")
    staging = str(settings.volumes_folder / STAGING)
    try:
        if isinstance(connection, Postgresql):
            pinned = pin(connection.host, connection.port, settings)
            return PostgresqlAt(
                connection.host,
                pinned.address,
                connection.port,
                connection.database,
                connection.user,
                secret,
                connection.encryption,
            )
        if isinstance(connection, Http):
            pinned = refuse_private(connection.url, settings)
            return HttpAt(
                connection.url,
                pinned.address,
                staging,
                connection.headers,
                connection.authentication,
                connection.user,
                connection.header,
                secret,
                connection.most_megabytes * 1_000_000,
            )
    except AddressRefused as error:
        raise RunProblem("address_refused", str(error), "") from None
    if isinstance(connection, Files):
        return FilesAt(
            _folder(session, connection, settings),
            staging,
            connection.format,
            connection.delimiter,
            connection.quote,
            connection.header,
            connection.encoding,
            connection.sheet,
        )
    return TablesAt()


def _folder(session: Session, connection: Files, settings: Settings) -> str:
    if connection.volume_id is not None:
        volume = session.get(Volume, connection.volume_id)
        if volume is None:
            raise RunProblem("volume_gone", "The volume that the source reads was deleted.", "Point it to another one.")
        folder = folder_of(settings, volume)
        folder.mkdir(parents=True, exist_ok=True)
        return str(folder)
    assert connection.folder is not None
    if not is_allowed_folder(connection.folder, settings):
        fix = "An administrator can allow it with the setting source_folders."
        raise RunProblem("folder_refused", "Files of this folder may not be read.", fix)
    return connection.folder


def stream_jobs(session: Session, streams: Sequence[Stream], settings: Settings) -> tuple[StreamJob, ...]:
    layers = {layer.id: layer.name for layer in session.scalars(select(Layer))}
    return tuple(_stream_job(session, stream, settings, layers[stream.output_layer_id]) for stream in streams)


def _stream_job(session: Session, stream: Stream, settings: Settings, layer: str) -> StreamJob:
    how = StreamSettings.model_validate(stream.settings)
    table = session.get(Table, stream.output_table_id or stream.planned_table_id)
    rejects = session.get(Table, stream.rejects_table_id or stream.planned_rejects_id)
    read = dict(stream.settings["read"])
    return StreamJob(
        id=str(stream.id),
        name=stream.name,
        read=read,
        output=_ref(settings, layer, stream.output_name, table, stream.planned_table_id),
        rejects=_ref(settings, layer, f"{stream.output_name}_rejects", rejects, stream.planned_rejects_id),
        mode=how.mode,
        cursor_column=how.cursor_column,
        primary_key=tuple(how.primary_key),
        only_columns=tuple(how.only_columns) if how.only_columns is not None else None,
        types=how.types,
        known=tuple(Column(one["name"], one["type"], one.get("nullable", True)) for one in stream.columns or []),
        state={key: value for key, value in stream.state.items() if key != START_OVER},
        start_over=bool(stream.state.get(START_OVER)),
        table=_read_table(session, settings, read.get("table_id")),
    )


def _read_table(session: Session, settings: Settings, table_id: str | None) -> TableRef | None:
    if table_id is None:
        return None
    table = session.get(Table, UUID(table_id))
    if table is None:
        raise RunProblem("table_gone", "A table that the source reads was deleted.", "Delete the stream.")
    layer = session.get_one(Layer, table.layer_id)
    return TableRef(str(table.id), layer.name, table.name, table_location(settings, table))


def _ref(settings: Settings, layer: str, name: str, table: Table | None, planned: UUID) -> TableRef:
    """A table, or the place where it will be."""
    if table is not None:
        return TableRef(str(table.id), layer, table.name, table_location(settings, table))
    return TableRef(str(planned), layer, name, f"{settings.warehouse.rstrip('/')}/tables/{planned}")
