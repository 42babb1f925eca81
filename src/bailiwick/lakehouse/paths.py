"""Paths of files in a volume, and the way to them: folder by folder, never through a link, never out of the volume."""

from __future__ import annotations

import errno
import os
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bailiwick.errors import Invalid, NotFound

LONGEST_PATH, LONGEST_NAME, DEEPEST = 1000, 255, 32
# Some systems separate folders with these or keep them to themselves, and Spark reads several as wildcards.
REFUSED = frozenset('\\:*?"<>|[]{}')
HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # controls, marks that turn text around, line ends, no characters
MANGLED = "\N{REPLACEMENT CHARACTER}"  # what stands where a client sent no text
FIX = "Name folders and the file, separated by /, such as 2026/orders.csv."

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def parts_of(text: str, field: str = "path") -> tuple[str, ...]:
    """The folders and the name of a path, each of them plain; anything that could lead elsewhere is refused."""
    if len(text) > LONGEST_PATH:
        raise Invalid(field, f"It is longer than {LONGEST_PATH} characters.", FIX)
    parts = tuple(unicodedata.normalize("NFC", part) for part in text.split("/"))
    if len(parts) > DEEPEST:
        raise Invalid(field, f"It is deeper than {DEEPEST} folders.", FIX)
    for part in parts:
        problem = _problem(part)
        if problem:
            raise Invalid(field, problem, FIX)
    return parts


def _problem(part: str) -> str:
    if part in ("", ".", ".."):
        return "A folder or the file has no name, or one that means another place."
    if part != part.strip() or part.endswith("."):
        return "A name begins or ends with a space, or ends with a dot."
    if any(letter in REFUSED for letter in part):
        return f"A name holds one of the characters {' '.join(sorted(REFUSED))}."
    if any(letter == MANGLED or unicodedata.category(letter) in HIDDEN for letter in part):
        return "A name holds characters that cannot be seen."
    try:
        too_long = len(part.encode()) > LONGEST_NAME
    except UnicodeEncodeError:
        return "A name holds what is no character."
    return f"A name is longer than {LONGEST_NAME} bytes." if too_long else ""


@contextmanager
def opened_folder(root: Path, folders: tuple[str, ...], *, make: bool = False) -> Iterator[int]:
    """A folder of a volume, as a descriptor: opened step by step from the volume's own, and no step may be a link.

    So whatever is put in the way while we walk, we end inside the volume or nowhere."""
    if make:
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        here = os.open(root, FOLDER)
    except FileNotFoundError:
        raise NotFound("folder") from None  # no file was ever put into this volume
    try:
        for name in folders:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(name, 0o770, dir_fd=here)
            try:
                inner = os.open(name, FOLDER, dir_fd=here)
            except OSError as error:
                if error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
                    raise
                if not make:
                    raise NotFound("folder") from None
                if error.errno == errno.ENOENT:
                    raise  # it was deleted again at once; whoever puts something there tries again
                raise Invalid("path", f"“{name}” is a file, not a folder.", FIX) from None
            os.close(here)
            here = inner
        yield here
    finally:
        os.close(here)
