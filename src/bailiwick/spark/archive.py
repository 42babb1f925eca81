"""The class-data archive: Spark's classes as Java keeps them in memory, made once, so that later starts are quicker."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import structlog

from bailiwick.spark.jars import fingerprint
from bailiwick.spark.java import Java
from bailiwick.spark.jvm import module_options

log = structlog.get_logger(__name__)

FEWEST_CLASSES = 5000  # A list shorter than this is not of a Spark that worked.
MAKING_SECONDS = 600


class Archive:
    """The archive for exactly this Java and these jars. Java looks at both again, and ignores one that does not fit."""

    def __init__(self, folder: Path, java: Java, class_path: list[Path]) -> None:
        self.folder = folder
        self._java = java
        self._class_path = class_path
        parts = [str(java.executable.resolve()), java.version, *module_options(java)]
        for jar in class_path:
            status = jar.stat()
            parts.append(f"{jar} {status.st_size} {status.st_mtime_ns}")
        self.file = folder / f"{fingerprint(parts)}.jsa"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def exists(self) -> bool:
        return self.file.is_file()

    def options(self, classes: Path) -> list[str]:
        """What Java is told: to use the archive, or, without one, to note the classes that it loads."""
        if self.exists:
            return [f"-XX:SharedArchiveFile={self.file}", "-Xlog:disable", "-Xlog:all=error:stderr"]
        return [f"-XX:DumpLoadedClassList={classes}"]

    def make(self, classes: Path) -> bool:
        """Make it of the classes that were noted, out of everybody's way. False if it is there or cannot be made."""
        if self.exists or not classes.is_file():
            return False
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "lock").open("a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False  # Another worker is at it.
            return self._make(classes)

    def abandon(self) -> None:
        """Leave off, if it is being made."""
        process = self._process
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()

    def _make(self, classes: Path) -> bool:
        for left_over in self.folder.glob("draft-*"):
            left_over.unlink(missing_ok=True)
        noted = self.folder / f"draft-{os.getpid()}.classes"
        draft = self.folder / f"draft-{os.getpid()}.jsa"
        try:
            shutil.copyfile(classes, noted)  # Spark may go on noting.
            if noted.read_bytes().count(b"\n") < FEWEST_CLASSES:
                return False
            self._process = subprocess.Popen(  # noqa: S603 - the administrator says which Java runs
                [
                    *_kindly(),
                    str(self._java.executable),
                    *module_options(self._java),
                    "-Xmx1g",
                    "-Xshare:dump",
                    "-Xlog:disable",
                    f"-XX:SharedClassListFile={noted}",
                    f"-XX:SharedArchiveFile={draft}",
                    "-cp",
                    os.pathsep.join(map(str, self._class_path)),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            code = self._wait(self._process)
            if code != 0 or not draft.is_file():
                log.info("no class-data archive", code=code)
                return False
            for former in self.folder.glob("*.jsa"):
                if former != draft:
                    former.unlink(missing_ok=True)
            draft.replace(self.file)
            log.info("class-data archive made", megabytes=self.file.stat().st_size >> 20)
            return True
        finally:
            self._process = None
            noted.unlink(missing_ok=True)
            draft.unlink(missing_ok=True)

    def _wait(self, process: subprocess.Popen[bytes]) -> int:
        try:
            return process.wait(MAKING_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()


def _kindly() -> list[str]:
    """The way to start something that gives way to everything else, where there is one."""
    found = shutil.which("nice")
    return [found, "-n", "19"] if found else []
