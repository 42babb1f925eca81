"""The class-data archive: made of the classes that were used, used when it fits, and never in the way."""

from __future__ import annotations

import fcntl
import subprocess
from pathlib import Path

import pytest

from bailiwick.settings import load_settings
from bailiwick.spark import archive as archive_module
from bailiwick.spark.archive import Archive
from bailiwick.spark.java import find_java
from bailiwick.spark.jvm import module_options

PROGRAM = "org.postgresql.util.PGJDBCMain"  # A small program in one of our jars, to stand for Spark.


@pytest.fixture
def archive(jars: Path, tmp_path: Path) -> Archive:
    return Archive(tmp_path / "archive", find_java(load_settings()), [next(jars.glob("postgresql-*.jar"))])


@pytest.fixture
def classes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the classes are noted; a few are enough here."""
    monkeypatch.setattr(archive_module, "FEWEST_CLASSES", 100)
    return tmp_path / "classes.txt"


def run(archive: Archive, classes: Path) -> str:
    """Run the program as Spark would be; where its classes came from, and whatever Java has to complain about."""
    java = archive._java
    command = [
        str(java.executable),
        *module_options(java),
        *archive.options(classes),
        "-Xlog:class+load:stdout",
        "-cp",
        ":".join(map(str, archive._class_path)),
        PROGRAM,
    ]
    return subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL).stdout


def main_class(said: str) -> str:
    return next(line for line in said.splitlines() if f" {PROGRAM} source" in line)


def test_an_archive_is_made_of_what_was_used_and_then_used(archive: Archive, classes: Path) -> None:
    assert "shared objects file" not in main_class(run(archive, classes))
    assert archive.make(classes)

    assert "shared objects file" in main_class(run(archive, classes))
    assert [path.name for path in sorted(archive.folder.iterdir())] == sorted([archive.file.name, "lock"])
    assert not archive.make(classes), "It is there already."


def test_an_archive_that_is_broken_is_ignored_without_a_word(archive: Archive, classes: Path) -> None:
    archive.folder.mkdir()
    archive.file.write_bytes(b"no archive" * 1000)

    said = run(archive, classes)
    assert "shared objects file" not in main_class(said)
    assert "warning" not in said.lower()


def test_another_java_or_another_jar_means_another_archive(archive: Archive, jars: Path) -> None:
    java, class_path = archive._java, archive._class_path
    more = Archive(archive.folder, java, sorted(jars.glob("*.jar")))

    assert Archive(archive.folder, java, class_path).file == archive.file
    assert more.file != archive.file


def test_only_one_worker_makes_it(archive: Archive, classes: Path) -> None:
    run(archive, classes)
    archive.folder.mkdir()
    with (archive.folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert not archive.make(classes)

    assert not archive.exists


def test_too_few_classes_make_no_archive(archive: Archive, classes: Path) -> None:
    assert not archive.make(classes)
    classes.write_text("java/lang/Object id: 0\n")
    assert not archive.make(classes)

    assert not archive.exists
