"""What streams read of the lakehouse itself, and where a source's secret is kept."""

from __future__ import annotations

import json
from uuid import UUID

from sqlalchemy import delete
from sqlalchemy.orm import Session

from bailiwick.lakehouse.models import Pipeline, PipelineInput, Stream


def set_inputs(session: Session, source: Pipeline, stream: Stream) -> None:
    """What the stream reads of the lakehouse: the source's volume, or a table."""
    session.execute(delete(PipelineInput).where(PipelineInput.stream_id == stream.id))
    volume_id = source.settings.get("volume_id")
    table_id = stream.settings["read"].get("table_id")
    if volume_id or table_id:
        session.add(
            PipelineInput(
                pipeline_id=source.id,
                stream_id=stream.id,
                volume_id=UUID(volume_id) if volume_id else None,
                table_id=UUID(table_id) if table_id and not volume_id else None,
            )
        )
    session.flush()


def kept(secret: str | None) -> str | None:
    """A secret as it is stored; encrypted by its column."""
    return json.dumps({"secret": secret}) if secret else None


def secret_of(source: Pipeline) -> str | None:
    secret: str | None = json.loads(source.credentials)["secret"] if source.credentials else None
    return secret
