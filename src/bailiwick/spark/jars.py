"""The jars that Spark itself does not bring, Delta Lake and PostgreSQL: fetched once, checked, and kept."""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from bailiwick.settings import Settings
from bailiwick.spark.errors import SparkProblem

SECONDS_A_JAR = 120.0
BLOCK = 1 << 20


@dataclass(frozen=True)
class Jar:
    """A jar by its Maven coordinates, and the SHA-256 of what is published under them."""

    group: str
    artifact: str
    version: str
    sha256: str

    @property
    def file_name(self) -> str:
        return f"{self.artifact}-{self.version}.jar"

    @property
    def path(self) -> str:
        """Where it lies in a Maven repository."""
        return f"{self.group.replace('.', '/')}/{self.artifact}/{self.version}/{self.file_name}"

    @property
    def coordinates(self) -> str:
        return f"{self.group}:{self.artifact}:{self.version}"


# What io.delta:delta-spark_4.2_2.13:4.4.0 and org.postgresql:postgresql:42.7.14 need and Spark 4.2.0 does not have;
# jackson-datatype-jdk8 in the version of Spark's own Jackson.
JARS = tuple(
    Jar(*line.split())
    for line in """\
io.delta delta-spark_4.2_2.13 4.4.0 27d4fd8b1f879535c573ed1c718177d6a27f24d3e626ba02e216369725721ead
io.delta delta-storage 4.4.0 c46735481fa8e326b0957be02b4420cbcab4b325bb08009b7f2045a95133f1cc
io.delta delta-kernel-api 4.4.0 ee9b5a14ac3b7efdff4d61a58478fe8eb0e5a3fbca43889dca7290795fe79a11
io.delta delta-kernel-defaults 4.4.0 225c975199e4718b38ee5b7e6da7f19e9585024262b2cec2656b32151a856b0b
io.delta delta-kernel-unitycatalog 4.4.0 cea22dfb4ac562b3cd27bf652697750e8336009d73fb06631363aaaad5345ffa
io.unitycatalog unitycatalog-client 0.6.0 48257499a86b801a3e2372cec55ac226ca1c1c7eabe5c118e7302f29a1fdbc19
io.unitycatalog unitycatalog-hadoop 0.6.0 c47b63c961c87102b9e1d63809a0915ba4c86b7652f57c8d39ca3a05b441a150
com.fasterxml.jackson.datatype jackson-datatype-jdk8 2.21.2 \
e581bbf3fc5622d16b57366dd41e10fc56921fb202879de2ef487f87dd9b30e7
org.postgresql postgresql 42.7.14 73914527305a40cce504b0d3d90b23caf565136912d607ae8ae7c5895512332c
""".splitlines()
)


def find_jars(settings: Settings, on_progress: Callable[[str], None] | None = None) -> list[Path]:
    """Every jar, ready to use: from the folder that the settings name, or else kept in the home folder."""
    if settings.spark_jars is not None:
        if missing := missing_from(settings.spark_jars):
            raise SparkProblem(
                "jars",
                f"The folder {settings.spark_jars} of the setting spark_jars lacks {_named(missing)}.",
                "Put these jars there; any Maven repository has them.",
            )
        return sorted(settings.spark_jars.glob("*.jar"))
    folder = kept_in(settings)
    if missing_from(folder):
        _fetch_all(settings.spark_maven_url, folder, on_progress or (lambda text: None))
    return sorted(folder / jar.file_name for jar in JARS)


def kept_in(settings: Settings) -> Path:
    """The folder of the fetched jars, a new one whenever the list changes."""
    return settings.home / "spark" / "jars" / fingerprint(jar.sha256 for jar in JARS)


def missing_from(folder: Path) -> list[Jar]:
    """The jars that are not in the folder, or not whole."""
    return [jar for jar in JARS if _sum_of(folder / jar.file_name) != jar.sha256]


def jars_of_spark() -> list[Path]:
    """The jars that came with pyspark, found without loading it."""
    return sorted((spark_home() / "jars").glob("*.jar"))


def spark_home() -> Path:
    """The folder of the installed pyspark."""
    found = importlib.util.find_spec("pyspark")
    if found is None or found.origin is None:
        raise SparkProblem("pyspark", "The package pyspark is not installed.", "Install Bailiwick again.")
    return Path(found.origin).parent


def fingerprint(parts: Iterable[str]) -> str:
    """A short name for exactly these parts, in this order."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _sum_of(file: Path) -> str | None:
    try:
        with file.open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest()
    except OSError:
        return None


def _fetch_all(repository: str, folder: Path, on_progress: Callable[[str], None]) -> None:
    """Fetch into a draft and give it its name when it is whole, so that nobody ever sees half a folder."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not missing_from(folder):
            return  # Another process fetched them while we waited.
        draft = Path(tempfile.mkdtemp(prefix="draft-", dir=folder.parent))
        try:
            for number, jar in enumerate(JARS, start=1):
                on_progress(f"Fetching {jar.artifact} ({number} of {len(JARS)})")
                _fetch(repository, jar, draft / jar.file_name)
            shutil.rmtree(folder, ignore_errors=True)
            draft.chmod(0o755)
            draft.rename(folder)
        finally:
            shutil.rmtree(draft, ignore_errors=True)


def _fetch(repository: str, jar: Jar, file: Path) -> None:
    import httpx
    from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential

    address = f"{repository.rstrip('/')}/{jar.path}"
    try:
        for attempt in Retrying(
            retry=retry_if_exception_type(httpx.TransportError),
            stop=stop_after_attempt(3),
            wait=wait_exponential(max=5),
            reraise=True,
        ):
            with attempt:
                found = _download(address, file)
    except httpx.HTTPStatusError as error:
        raise _not_to_be_had(jar, address, f"the answer is {error.response.status_code}") from None
    except (httpx.HTTPError, OSError) as error:
        raise _not_to_be_had(jar, address, f"{type(error).__name__}: {error}") from None
    if found != jar.sha256:
        raise _not_to_be_had(jar, address, "what is there is not the jar that was published")


def _download(address: str, file: Path) -> str:
    """Write what the address holds to the file; its SHA-256."""
    import httpx

    digest = hashlib.sha256()
    with file.open("wb") as target:
        if address.startswith("file://"):
            content = Path(address.removeprefix("file://")).read_bytes()
            digest.update(content)
            target.write(content)
        else:
            with httpx.stream("GET", address, follow_redirects=True, timeout=SECONDS_A_JAR) as answer:
                answer.raise_for_status()
                for block in answer.iter_bytes(BLOCK):
                    digest.update(block)
                    target.write(block)
        target.flush()
        os.fsync(target.fileno())
    return digest.hexdigest()


def _not_to_be_had(jar: Jar, address: str, reason: str) -> SparkProblem:
    return SparkProblem(
        "jars",
        f"The jar {jar.coordinates} cannot be fetched from {address}: {reason}.",
        "Set spark_maven_url to a Maven repository that this machine reaches, or put the jars "
        f"({_named(JARS)}) into a folder and name it with the setting spark_jars.",
        passing=True,
    )


def _named(jars: Iterable[Jar]) -> str:
    return ", ".join(jar.coordinates for jar in jars)
