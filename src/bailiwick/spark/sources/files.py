"""Files of a folder: which there are, which were not read yet, and a copy of them that nobody changes."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bailiwick.spark.errors import SparkProblem

MOST_FILES = 20_000


@dataclass(frozen=True)
class SeenFile:
    """A file as it was seen: should its time or size be another one later, it is another file."""

    name: str  # below the folder
    path: Path
    mtime_ns: int
    size: int

    @property
    def mark(self) -> str:
        return f"{self.mtime_ns}:{self.size}"


def find_files(folder: str, pattern: str) -> list[SeenFile]:
    """The files that fit the pattern, by name. What a link leads out of the folder to is left out."""
    root = Path(folder)
    if not root.is_dir():
        raise SparkProblem("no_folder", "The folder is not there.", "Create it, or point the source to another one.")
    inside = root.resolve()
    found = []
    for path in root.glob(pattern):
        name = path.relative_to(root)
        hidden = any(part.startswith(".") for part in name.parts)  # half-written uploads, and what editors leave
        if hidden or not path.is_file() or not path.resolve().is_relative_to(inside):
            continue
        status = path.stat()
        found.append(SeenFile(name.as_posix(), path, status.st_mtime_ns, status.st_size))
        if len(found) > MOST_FILES:
            message = f"More than {MOST_FILES} files fit the pattern {pattern}."
            raise SparkProblem("too_many_files", message, "Choose a narrower pattern.")
    return sorted(found, key=lambda file: file.name)


def unread(files: Iterable[SeenFile], state: Mapping[str, Any]) -> list[SeenFile]:
    known: Mapping[str, str] = state.get("files", {})
    return [file for file in files if known.get(file.name) != file.mark]


def copied(files: Iterable[SeenFile], staging: Path) -> list[str]:
    """Copies of the files. One that changed since it was seen is noticed: half of what we have would be old."""
    staging.mkdir(parents=True, exist_ok=True)
    copies = []
    for number, file in enumerate(files):
        copy = staging / f"{number:05d}{file.path.suffix}"
        try:
            shutil.copyfile(file.path, copy)
            status = file.path.stat()
        except FileNotFoundError:
            raise _changed(file, "disappeared") from None
        except OSError as error:
            message = f"The file {file.name} cannot be copied: {error.strerror or error}."
            raise SparkProblem("file_unreadable", message, "See to the file and the room on the disk.") from error
        if (status.st_mtime_ns, status.st_size) != (file.mtime_ns, file.size) or copy.stat().st_size != file.size:
            raise _changed(file, "changed")
        copies.append(str(copy))
    return copies


def _changed(file: SeenFile, how: str) -> SparkProblem:
    message = f"The file {file.name} {how} while it was read."
    fix = "Put files there under their name when they are complete."
    return SparkProblem("file_changed", message, fix, passing=True)
