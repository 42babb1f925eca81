"""Sources: adding them, changing where they point, and what is said of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from bailiwick.database.listing import BY_NAME
from bailiwick.database.paging import Page
from bailiwick.errors import Invalid
from bailiwick.lakehouse import pipelines
from bailiwick.lakehouse.models import Pipeline, PipelineKind, Stream, Volume
from bailiwick.lakehouse.pipelines import SeenPipeline
from bailiwick.lakehouse.sources.inputs import kept, set_inputs
from bailiwick.lakehouse.sources.settings import CONNECTION, Files, Http, Postgresql, Tables, target_of
from bailiwick.lakehouse.sources.standing import is_seen, require_may_read
from bailiwick.lakehouse.sources.streams import NewStream, add_to, seen_streams
from bailiwick.settings import Settings
from bailiwick.tenancy.caller import Caller

SOURCE = PipelineKind.SOURCE
Connection = Files | Postgresql | Http | Tables


def list_sources(
    session: Session,
    caller: Caller,
    *,
    search: str | None = None,
    sort: str = BY_NAME,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[SeenPipeline]:
    return pipelines.list_pipelines(session, caller, SOURCE, search=search, sort=sort, cursor=cursor, limit=limit)


def get_source(session: Session, caller: Caller, source_id: UUID) -> SeenPipeline:
    return pipelines.get_pipeline(session, caller, source_id, SOURCE)


def add_source(
    session: Session,
    caller: Caller,
    settings: Settings,
    *,
    name: str,
    description: str,
    connection: Connection,
    secret: str | None,
    output_layer_id: UUID,
    streams: Sequence[NewStream] = (),
) -> SeenPipeline:
    """Add a source with its first streams. It acts as whoever adds it."""
    decision = pipelines.require_may_add(session, caller, output_layer_id, "output_layer_id")
    pipelines.refuse_taken_name(session, SOURCE, name)
    _require_place(session, caller, settings, connection)
    me = caller.member.id
    source = Pipeline(
        kind=SOURCE,
        name=name,
        description=description,
        settings=connection.model_dump(mode="json"),
        credentials=kept(secret),
        output_layer_id=output_layer_id,
        owner_id=me,
        created_by_id=me,
        saved_by_id=me,
    )
    session.add(source)
    session.flush()
    for position, stream in enumerate(streams):
        try:
            add_to(session, caller, source, stream)
        except Invalid as wrong:
            raise Invalid(f"streams.{position}.{wrong.field}", wrong.problem, wrong.fix) from None
    return pipelines.save_new(session, caller, source, decision)


def edit_source(
    session: Session,
    caller: Caller,
    settings: Settings,
    source_id: UUID,
    changes: Mapping[str, Any],
    *,
    connection: Connection | None = None,
    secret: str | None = None,
    if_match: str | None = None,
) -> SeenPipeline:
    """Change a source. Pointed elsewhere, it forgets its secret unless it is given anew: nobody sends it elsewhere."""
    with pipelines.edit(session, caller, source_id, SOURCE, if_match=if_match) as source:
        layer_id = changes.get("output_layer_id")
        if layer_id is not None and layer_id != source.output_layer_id:
            pipelines.require_may_add(session, caller, layer_id, "output_layer_id")
        for field in ("name", "description", "output_layer_id"):
            if changes.get(field) is not None:
                setattr(source, field, changes[field])
        if connection is not None:
            _point_to(session, caller, settings, source, connection)
        if secret is not None:
            source.credentials = kept(secret)
    return pipelines.one(session, caller, source)


def _point_to(session: Session, caller: Caller, settings: Settings, source: Pipeline, connection: Connection) -> None:
    before = CONNECTION.validate_python(source.settings)
    if before.type != connection.type:
        fix = "Add another source."
        raise Invalid("connection.type", f"A source of {before.type} cannot become one of {connection.type}.", fix)
    if before == connection:
        return
    _require_place(session, caller, settings, connection)
    if target_of(before) != target_of(connection):
        source.credentials = None
    source.settings = connection.model_dump(mode="json")
    session.flush()
    if isinstance(connection, Files):
        for stream in session.scalars(select(Stream).where(Stream.pipeline_id == source.id)):
            set_inputs(session, source, stream)


def _require_place(session: Session, caller: Caller, settings: Settings, connection: Connection) -> None:
    """A volume the caller may read, or a folder that is allowed."""
    if not isinstance(connection, Files):
        return
    if connection.volume_id is not None:
        volume = session.get(Volume, connection.volume_id)
        if volume is None or not is_seen(session, caller, volume):
            fix = "List the volumes you see: GET /api/v1/volumes"
            raise Invalid("connection.volume_id", "There is no such volume.", fix)
        require_may_read(session, caller, volume)
    elif connection.folder is not None and not is_allowed_folder(connection.folder, settings):
        raise Invalid(
            "connection.folder",
            "Files of this folder may not be read.",
            "An administrator can allow it with the setting source_folders.",
        )


def is_allowed_folder(folder: str, settings: Settings) -> bool:
    """Whether it lies in an allowed folder, links followed."""
    there = Path(folder).resolve()
    return any(there.is_relative_to(allowed.expanduser().resolve()) for allowed in settings.source_folders)


def _told(session: Session, source: Pipeline) -> dict[str, Any]:
    """Each stream by itself, so that an entry tells of those alone that were changed."""
    return {_on_record(stream): _told_of(stream) for stream in _streams_of(session, source)}


def _told_of(stream: Stream) -> dict[str, Any]:
    return {
        "enabled": stream.enabled,
        "settings": stream.settings,
        "output_layer_id": str(stream.output_layer_id),
        "output_name": stream.output_name,
    }


def _hidden(session: Session, caller: Caller, source: Pipeline) -> set[str]:
    streams = _streams_of(session, source)
    seen = {one.stream.id for one in seen_streams(session, caller, streams)}
    return {_on_record(stream) for stream in streams if stream.id not in seen}


def _on_record(stream: Stream) -> str:
    return f"stream {stream.name}"


def _streams_of(session: Session, source: Pipeline) -> Sequence[Stream]:
    return session.scalars(select(Stream).where(Stream.pipeline_id == source.id).order_by(Stream.name)).all()


pipelines.TOLD[SOURCE], pipelines.HIDDEN[SOURCE] = _told, _hidden
