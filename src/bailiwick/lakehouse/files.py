"""Files in a volume: put there whole or not at all, listed by folder, read and deleted."""

from __future__ import annotations

import errno
import os
import re
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO
from uuid import UUID

from sqlalchemy.orm import Session

from bailiwick.access.decision import Decision, require
from bailiwick.database.base import new_id
from bailiwick.database.listing import BY_NAME
from bailiwick.database.paging import Page, not_a_cursor, read_cursor, write_cursor
from bailiwick.errors import Conflict, NotFound
from bailiwick.lakehouse import volumes
from bailiwick.lakehouse.layers import CHANGE_DESCRIPTIONS
from bailiwick.lakehouse.models import Volume
from bailiwick.lakehouse.paths import opened_folder, parts_of
from bailiwick.settings import Settings
from bailiwick.tenancy.caller import Caller

CHANGE_FILES = CHANGE_DESCRIPTIONS  # the row for changing a resource without creating or deleting it
DRAFTS = ".drafts"
ABANDONED_SECONDS = 24 * 3600
TRIES = 5
BY_CHANGE = "changed"
NO_SIZE = -1  # of a folder: before all files
Place = tuple[int, str]  # by what it is ordered, and where that is the same, by its name


@dataclass(frozen=True)
class Entry:
    """A file or a folder, as a list shows it."""

    name: str
    path: str
    is_folder: bool
    bytes: int | None
    changed_at: datetime | None


@dataclass(frozen=True)
class OpenFile:
    """A file opened for reading; whoever gets it closes it."""

    file: BinaryIO
    name: str
    bytes: int
    changed_at: datetime
    tag: str


def folder_of(settings: Settings, volume: Volume) -> Path:
    """Where the volume's files lie, for the API and for workers."""
    return settings.volumes_folder / str(volume.id)


# Looking -------------------------------------------------------------------------------------------------------------


def list_files(
    session: Session,
    caller: Caller,
    settings: Settings,
    volume_id: UUID,
    *,
    folder: str = "",
    search: str | None = None,
    sort: str = BY_NAME,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[Entry]:
    """What lies in a folder of a volume, by name unless another order is asked for."""
    volume, _ = volumes.find_volume(session, caller, volume_id)
    folders = parts_of(folder, "folder") if folder else ()
    last, backwards = _position(sort, cursor), sort.startswith("-")
    try:
        with opened_folder(folder_of(settings, volume), folders) as here:
            places = sorted(_places(here, sort.removeprefix("-"), (search or "").casefold()), reverse=backwards)
            rest = [one for one in places if last is None or (one < last if backwards else one > last)]
            entries = [entry for _, name in rest[:limit] if (entry := _entry(here, folders, name))]
    except NotFound:
        if folders:
            raise
        return Page([])  # a volume into which nothing was put yet
    if len(rest) <= limit:
        return Page(entries)
    value, name = rest[limit - 1]
    return Page(entries, write_cursor(sort, str(value), name))


def _places(here: int, order: str, wanted: str) -> Iterator[Place]:
    """Where each file and folder stands in the order that is asked for."""
    for entry in os.scandir(here):
        is_folder = entry.is_dir(follow_symlinks=False)
        if wanted not in entry.name.casefold() or not (is_folder or entry.is_file(follow_symlinks=False)):
            continue
        if order == BY_NAME:
            yield 0, entry.name
            continue
        with suppress(FileNotFoundError):  # deleted while we looked
            found = entry.stat(follow_symlinks=False)
            yield (found.st_mtime_ns if order == BY_CHANGE else NO_SIZE if is_folder else found.st_size), entry.name


def _position(sort: str, cursor: str | None) -> Place | None:
    key = read_cursor(cursor, 3)
    if key is None:
        return None
    of_sort, value, name = key
    if of_sort != sort or not re.fullmatch(r"-?\d{1,30}", value, re.ASCII):
        raise not_a_cursor()
    return int(value), name


def open_file(session: Session, caller: Caller, settings: Settings, volume_id: UUID, path: str) -> OpenFile:
    volume, _ = volumes.find_volume(session, caller, volume_id)
    *folders, name = parts_of(path)
    try:
        with opened_folder(folder_of(settings, volume), tuple(folders)) as here:
            # Not waiting: whatever else got there, such as a pipe, must not hold us.
            opened = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=here)
    except (OSError, NotFound) as error:
        raise _no_such_file(error) from None
    found = os.fstat(opened)
    if not stat.S_ISREG(found.st_mode):
        os.close(opened)
        raise NotFound("file")
    tag = f'"{found.st_mtime_ns:x}-{found.st_size:x}"'
    return OpenFile(os.fdopen(opened, "rb"), name, found.st_size, _moment(found.st_mtime), tag)


def _entry(here: int, folders: tuple[str, ...], name: str) -> Entry | None:
    try:
        found = os.stat(name, dir_fd=here, follow_symlinks=False)
    except FileNotFoundError:
        return None  # deleted while we looked
    if not (stat.S_ISDIR(found.st_mode) or stat.S_ISREG(found.st_mode)):
        return None  # a link or a pipe, which did not come through us
    is_folder = stat.S_ISDIR(found.st_mode)
    path = "/".join((*folders, name))
    return Entry(name, path, is_folder, None if is_folder else found.st_size, _moment(found.st_mtime))


# Changing ------------------------------------------------------------------------------------------------------------


def may_put_file(session: Session, caller: Caller, volume_id: UUID, path: str) -> None:
    """Refuse before anything is sent what would be refused after it."""
    _, placed = volumes.find_volume(session, caller, volume_id)
    require(placed.check(caller.id, CHANGE_FILES))
    parts_of(path)


def _changing(session: Session, caller: Caller, volume_id: UUID) -> tuple[Volume, Decision]:
    volume, placed = volumes.find_volume(session, caller, volume_id, to_stay=True)
    return volume, require(placed.check(caller.id, CHANGE_FILES))


class Draft:
    """A file on its way into a volume, which nobody sees before it is complete."""

    def __init__(self, settings: Settings) -> None:
        folder = settings.volumes_folder / DRAFTS
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _sweep(folder)
        self.path = folder / new_id().hex
        self.bytes = 0
        self._file = os.fdopen(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o660), "wb")

    def write(self, data: bytes) -> None:
        self.bytes += self._file.write(data)

    def finish(self) -> None:
        """Complete, and on the disk even if the power fails now."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()

    def discard(self) -> None:
        """Remove what was not put anywhere; what was put is no longer here."""
        with suppress(OSError):
            self._file.close()
        self.path.unlink(missing_ok=True)


def put_file(
    session: Session,
    caller: Caller,
    settings: Settings,
    volume_id: UUID,
    path: str,
    complete: Draft,
    *,
    overwrite: bool = False,
) -> tuple[Entry, bool]:
    """Let a complete draft become a file of the volume, at once; and whether it replaced another."""
    volume, decision = _changing(session, caller, volume_id)
    *folders, name = parts_of(path)
    for attempt in range(TRIES):
        try:
            with opened_folder(folder_of(settings, volume), tuple(folders), make=True) as here:
                before = _entry(here, tuple(folders), name)
                if before is not None and (before.is_folder or not overwrite):
                    raise _there_already(before)
                after = {"path": "/".join((*folders, name)), "bytes": complete.bytes}
                was = None if before is None else {"path": before.path, "bytes": before.bytes}
                _move(complete.path, name, here, overwrite)
                volumes.record(session, caller, "put_file", volume, decision, was, after)
                os.fsync(here)
                entry = _entry(here, tuple(folders), name)
                assert entry is not None
                return entry, before is not None
        except FileNotFoundError:
            # Somebody deleted the last file of this folder, and the folder with it, between our steps.
            if attempt == TRIES - 1:
                raise
    raise AssertionError("unreachable")


def delete_file(session: Session, caller: Caller, settings: Settings, volume_id: UUID, path: str) -> None:
    """Delete a file, and folders that are empty without it."""
    volume, decision = _changing(session, caller, volume_id)
    *folders, name = parts_of(path)
    root = folder_of(settings, volume)
    try:
        with opened_folder(root, tuple(folders)) as here:
            before = _entry(here, tuple(folders), name)
            if before is None or before.is_folder:
                raise NotFound("file")
            was = {"path": before.path, "bytes": before.bytes}
            volumes.record(session, caller, "delete_file", volume, decision, was, None)
            session.flush()
            os.unlink(name, dir_fd=here)
    except (OSError, NotFound) as error:
        raise _no_such_file(error) from None
    for depth in range(len(folders), 0, -1):
        try:
            with opened_folder(root, tuple(folders[: depth - 1])) as outer:
                os.rmdir(folders[depth - 1], dir_fd=outer)
        except (OSError, NotFound):
            return


def _move(source: Path, name: str, here: int, overwrite: bool) -> None:
    if overwrite:
        os.rename(source, name, dst_dir_fd=here)
        return
    try:
        os.link(source, name, dst_dir_fd=here, follow_symlinks=False)  # fails where somebody was quicker
    except FileExistsError:
        raise Conflict(f"There is a file {name} already. To replace it, repeat with overwrite.") from None
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.EXDEV):
            raise
        os.rename(source, name, dst_dir_fd=here)  # a file system without hard links; we looked a moment ago


def _there_already(entry: Entry) -> Conflict:
    if entry.is_folder:
        return Conflict(f"There is a folder {entry.path} already. Choose another name.")
    return Conflict(f"There is a file {entry.path} already. To replace it, repeat with overwrite.")


def _no_such_file(error: Exception) -> Exception:
    missing = isinstance(error, NotFound) or (
        isinstance(error, OSError)
        and error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENXIO, errno.EISDIR)
    )
    return NotFound("file") if missing else error


def _sweep(folder: Path) -> None:
    """Remove drafts whose upload ended with its process."""
    long_ago = time.time() - ABANDONED_SECONDS
    for entry in os.scandir(folder):
        with suppress(OSError):
            if entry.stat(follow_symlinks=False).st_mtime < long_ago:
                Path(entry.path).unlink()


def _moment(timestamp: float) -> datetime:
    return datetime.fromtimestamp(timestamp, UTC)
