"""A folder for what one engine writes and nobody needs afterwards; those of the dead are swept away."""

from __future__ import annotations

import fcntl
import secrets
import shutil
from pathlib import Path

LOCK = "lock"


class Scratch:
    """A folder that is ours as long as this process lives: its lock is freed however the process ends."""

    def __init__(self, parent: Path) -> None:
        parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        sweep(parent)
        self.folder = parent / secrets.token_hex(4)
        self.folder.mkdir(mode=0o700)
        self._lock = (self.folder / LOCK).open("w")
        fcntl.flock(self._lock, fcntl.LOCK_EX)

    def remove(self) -> None:
        self._lock.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def sweep(parent: Path) -> None:
    """Remove the folders whose process is gone."""
    for folder in parent.iterdir():
        try:
            with (folder / LOCK).open() as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
        except (BlockingIOError, FileNotFoundError, NotADirectoryError):
            continue  # Somebody lives there, or is just moving in.
