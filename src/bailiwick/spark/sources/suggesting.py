"""Which files of a folder belong together, most likely: the streams to suggest where nobody has named any."""

from __future__ import annotations

import re
from collections.abc import Iterable
from glob import escape
from pathlib import PurePosixPath

from bailiwick.spark.sources.files import SeenFile

# What differs from one file or folder to the next of its kind: dates, numbers, ids, partitions.
ID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
COUNTED = re.compile(rf"{ID}|\d+(?:[-._T](?!{ID})\d+)*")
PARTITION = re.compile(r"\w+=.*")


def suggested(files: Iterable[SeenFile], suffixes: Iterable[str]) -> dict[str, tuple[str, list[SeenFile]]]:
    """Patterns, each with a name for its stream and the files that fit it."""
    found: dict[str, tuple[str, list[SeenFile]]] = {}
    for file in files:
        path = PurePosixPath(file.name)
        if path.suffix.lower() in suffixes:
            pattern, name = _kind_of(path)
            found.setdefault(pattern, (name, []))[1].append(file)
    return dict(sorted(found.items()))


def _kind_of(path: PurePosixPath) -> tuple[str, str]:
    """Files of a folder with a name are one stream, called like it. Elsewhere, files of one name are."""
    folders = [_without_counts(part) for part in path.parent.parts]
    named = [part for part, kept in zip(path.parent.parts, folders, strict=True) if kept != "*"]
    file = "*" if named else _without_counts(path.stem)
    words = re.findall(r"[^\W_]+", COUNTED.sub(" ", named[-1] if named else path.stem))
    return "/".join([*folders, f"{file}{escape(path.suffix)}"]), "_".join(words) or "files"


def _without_counts(text: str) -> str:
    if PARTITION.fullmatch(text):
        return "*"
    return "*".join(escape(part) for part in COUNTED.split(text))
