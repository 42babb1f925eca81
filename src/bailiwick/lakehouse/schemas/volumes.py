"""Volumes and their files on the wire."""

from __future__ import annotations

from typing import Annotated, Literal, Self
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

from bailiwick.database.paging import Page
from bailiwick.lakehouse.files import Entry
from bailiwick.lakehouse.schemas.fields import Identifier, OwnLevel
from bailiwick.lakehouse.schemas.tables import LayerNamed
from bailiwick.lakehouse.volumes import SeenVolume
from bailiwick.tenancy.schemas.fields import Actions, Body, Description, NextCursor, Version


class NewVolume(Body):
    layer: Annotated[UUID, Field(description="The id of the layer it will lie in.")]
    name: Annotated[Identifier, Field(examples=["uploads"])]
    description: Annotated[Description, Field(examples=["What the shops send every night."])] = ""


class VolumeChange(Body):
    description: Annotated[Description, Field(examples=["What the shops send every night."])]


class VolumeOut(BaseModel):
    id: UUID
    name: Annotated[str, Field(description="The volume's own name.")]
    full_name: Annotated[str, Field(examples=["raw.uploads"])]
    layer: LayerNamed
    description: str
    created_at: AwareDatetime
    level: OwnLevel
    actions: Actions
    version: Version

    @classmethod
    def of(cls, seen: SeenVolume) -> Self:
        volume = seen.volume
        return cls(
            id=volume.id,
            name=volume.name,
            full_name=seen.name,
            layer=LayerNamed(id=seen.layer.id, name=seen.layer.name),
            description=volume.description,
            created_at=volume.created_at,
            level=seen.level,
            actions=list(seen.actions),
            version=volume.version,
        )


class VolumesOut(BaseModel):
    items: list[VolumeOut]
    next_cursor: NextCursor

    @classmethod
    def of(cls, page: Page[SeenVolume]) -> Self:
        return cls(items=[VolumeOut.of(seen) for seen in page.items], next_cursor=page.next_cursor)


class FileOut(BaseModel):
    kind: Literal["file", "folder"]
    name: str
    path: Annotated[str, Field(description="From the volume's own folder on.", examples=["2026/orders.csv"])]
    bytes: int | None
    changed_at: AwareDatetime | None

    @classmethod
    def of(cls, entry: Entry) -> Self:
        return cls(**_columns(entry))


class PutFileOut(FileOut):
    replaced: Annotated[bool, Field(description="Whether there was a file of this name before.")]

    @classmethod
    def put(cls, entry: Entry, replaced: bool) -> Self:
        return cls(**_columns(entry), replaced=replaced)


class FilesOut(BaseModel):
    items: list[FileOut]
    next_cursor: NextCursor

    @classmethod
    def of(cls, page: Page[Entry]) -> Self:
        return cls(items=[FileOut.of(entry) for entry in page.items], next_cursor=page.next_cursor)


def _columns(entry: Entry) -> dict[str, object]:
    return {
        "kind": "folder" if entry.is_folder else "file",
        "name": entry.name,
        "path": entry.path,
        "bytes": entry.bytes,
        "changed_at": entry.changed_at,
    }
