"""The jars that Spark does not bring: fetched once and whole, checked, or taken from a folder."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from bailiwick.settings import Settings, load_settings
from bailiwick.spark.errors import SparkProblem
from bailiwick.spark.jars import JARS, find_jars, jars_of_spark, kept_in, missing_from


class Repository(SimpleHTTPRequestHandler):
    """A Maven repository on this machine, which remembers what was asked of it."""

    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        super().do_GET()

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def repository(jars: Path, tmp_path: Path) -> Path:
    """The folder of a Maven repository that has every jar."""
    folder = tmp_path / "repository"
    for jar in JARS:
        (folder / jar.path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(jars / jar.file_name, folder / jar.path)
    return folder


@pytest.fixture
def asked() -> list[str]:
    """What was asked of the repository."""
    return []


@pytest.fixture
def settings(repository: Path, asked: list[str]) -> Iterator[Settings]:
    """A home without jars, and a repository that has them."""
    handler = type("Handler", (Repository,), {"asked": asked})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(repository))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield load_settings(spark_maven_url=f"http://127.0.0.1:{server.server_port}/")
        server.shutdown()
        thread.join()


def test_the_jars_are_fetched_once(settings: Settings, asked: list[str]) -> None:
    told: list[str] = []
    found = find_jars(settings, told.append)

    assert [jar.name for jar in found] == sorted(jar.file_name for jar in JARS)
    assert all(jar.is_file() for jar in found)
    assert sorted(asked) == sorted(f"/{jar.path}" for jar in JARS)
    assert told[0] == "Fetching delta-spark_4.2_2.13 (1 of 9)"

    assert find_jars(settings) == found
    assert len(asked) == len(JARS), "Nothing was asked for again."


def test_several_that_start_at_the_same_time_fetch_them_once(settings: Settings, asked: list[str]) -> None:
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(find_jars, [settings] * 4))

    assert found == [found[0]] * 4
    assert len(asked) == len(JARS)


def test_a_jar_that_is_not_to_be_had_is_named_with_what_to_do(settings: Settings, repository: Path) -> None:
    (repository / JARS[-1].path).unlink()
    with pytest.raises(SparkProblem, match=r"org\.postgresql:postgresql:42\.7\.14 .*: the answer is 404") as raised:
        find_jars(settings)

    for needed in ("spark_jars", "spark_maven_url", *(jar.coordinates for jar in JARS)):
        assert needed in raised.value.fix
    assert left_in(settings) == ["lock"], "Nothing half-fetched stays."


def test_a_jar_that_was_tampered_with_is_refused(settings: Settings, repository: Path) -> None:
    with (repository / JARS[0].path).open("ab") as file:
        file.write(b"more")
    with pytest.raises(SparkProblem, match="not the jar that was published"):
        find_jars(settings)

    assert left_in(settings) == ["lock"]


def test_a_repository_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tenacity.nap.time.sleep", lambda seconds: None)
    with pytest.raises(SparkProblem, match=r"cannot be fetched from http://127\.0\.0\.1:9/maven"):
        find_jars(load_settings(spark_maven_url="http://127.0.0.1:9/maven"))


def test_a_repository_may_be_a_folder(repository: Path) -> None:
    found = find_jars(load_settings(spark_maven_url=repository.as_uri()))

    assert len(found) == len(JARS)


def test_a_folder_that_is_set_is_used_with_everything_in_it(jars: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(jars, tmp_path / "folder")
    (folder / "another.jar").touch()
    found = find_jars(load_settings(spark_jars=folder))

    assert folder / "another.jar" in found
    assert len(found) == len(JARS) + 1
    assert not kept_in(load_settings()).exists()


def test_a_folder_that_is_set_has_to_be_complete(jars: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(jars, tmp_path / "folder")
    (folder / JARS[0].file_name).unlink()
    (folder / JARS[1].file_name).write_bytes(b"half a jar")
    with pytest.raises(SparkProblem) as raised:
        find_jars(load_settings(spark_jars=folder))

    assert f"lacks {JARS[0].coordinates}, {JARS[1].coordinates}." in raised.value.message


def test_no_jar_is_there_twice() -> None:
    spark = {jar.name.rpartition("-")[0] for jar in jars_of_spark()}

    assert len(spark) > 100
    assert not spark & {jar.artifact for jar in JARS}
    assert missing_from(Path("/nowhere")) == list(JARS)


def left_in(settings: Settings) -> list[str]:
    return sorted(path.name for path in kept_in(settings).parent.iterdir())


def test_the_page_lists_them() -> None:
    page = (Path(__file__).parents[2] / "docs" / "operate" / "spark.md").read_text()
    listed = page.partition("<!-- jars -->\n")[2].partition("\n\n")[0].split()

    assert listed == [jar.coordinates for jar in JARS]
