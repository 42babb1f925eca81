"""What `bailiwick doctor` looks at for Spark: Java, jars, where it runs, and the memory for it. Starts nothing."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from bailiwick.cli.findings import FAIL, OK, WARN, Finding

if TYPE_CHECKING:
    from bailiwick.settings import Settings

CONNECT_SECONDS = 3.0
UNITS = {"m": 1 << 20, "g": 1 << 30}
ROOM_BESIDE_THE_HEAP = 1.25  # Java takes more than its heap: its own structures, buffers, threads.


def examine_spark(settings: Settings) -> Iterator[Finding]:
    """Everything that Spark stands on, in the order in which it is needed."""
    from bailiwick.spark.configuration import chosen_properties
    from bailiwick.spark.errors import SparkProblem

    yield java(settings)
    yield jars(settings)
    try:
        properties = chosen_properties(settings)
    except SparkProblem as problem:
        yield Finding("spark", FAIL, problem.message, problem.fix)
        return
    yield spark(settings, properties)
    if (finding := memory(properties["spark.driver.memory"])) is not None:
        yield finding


def java(settings: Settings) -> Finding:
    """The Java that Spark would run on, found by asking it for its version."""
    from bailiwick.spark.errors import SparkProblem
    from bailiwick.spark.java import find_java

    try:
        found = find_java(settings)
    except SparkProblem as problem:
        return Finding("java", FAIL, problem.message, problem.fix)
    also = f" Not taken: {'; '.join(found.passed_over)}." if found.passed_over else ""
    return Finding("java", OK, f"{found.version} from {found.origin}: {found.executable}.{also}")


def jars(settings: Settings) -> Finding:
    """The jars that Spark does not bring."""
    from bailiwick.spark.errors import SparkProblem
    from bailiwick.spark.jars import JARS, find_jars, kept_in, missing_from

    if settings.spark_jars is None and missing_from(kept_in(settings)):
        todo = "The first start fetches them. Without a network: set spark_jars, as docs/operate/spark.md says."
        return Finding("spark jars", WARN, f"Not here yet; they come from {settings.spark_maven_url}.", todo)
    try:
        found = find_jars(settings)
    except SparkProblem as problem:
        return Finding("spark jars", FAIL, problem.message, problem.fix)
    return Finding("spark jars", OK, f"All {len(JARS)} are whole, in {found[0].parent}.")


def spark(settings: Settings, properties: Mapping[str, str]) -> Finding:
    """Where Spark runs, and whether a cluster that can be asked answers."""
    master = properties["spark.master"]
    given = f", with {settings.spark_properties}" if settings.spark_properties else ""
    if re.fullmatch(r"local(\[[\d*]+(,\s*\d+)?\])?", master):
        return Finding("spark", OK, f"{master}: on this machine{given}.")
    if master.startswith("spark://"):
        return standalone(master, given)
    if master == "yarn" and not (os.environ.get("HADOOP_CONF_DIR") or os.environ.get("YARN_CONF_DIR")):
        todo = "Set HADOOP_CONF_DIR in the environment to the folder that describes the cluster."
        return Finding("spark", FAIL, "yarn: nothing says where the cluster is.", todo)
    if master == "yarn" or master.startswith("k8s://"):
        return Finding("spark", OK, f"{master}{given}.")
    todo = "Set spark_master to local[*], spark://host:7077, yarn or k8s://https://host:port."
    return Finding("spark", FAIL, f"{master} is no Spark master.", todo)


def standalone(master: str, given: str) -> Finding:
    """A standalone cluster has one master at least, of which one has to answer."""
    for place in master.removeprefix("spark://").split(","):
        host, _, port = place.rpartition(":")
        try:
            socket.create_connection((host, int(port)), CONNECT_SECONDS).close()
        except (OSError, ValueError):
            continue
        return Finding("spark", OK, f"{master} answers{given}.")
    return Finding(
        "spark", FAIL, f"{master} does not answer.", "Start the cluster, or correct the setting spark_master."
    )


def memory(heap: str) -> Finding | None:
    """Whether a worker's Spark fits into the memory that is free now; None where nobody can tell."""
    free = free_memory()
    size = re.fullmatch(r"(\d+)([mg])b?", heap.lower())
    if free is None or size is None:
        return None
    found = f"{free / 1e9:.1f} GB free; Spark's driver may take {heap}."
    if free < int(size[1]) * UNITS[size[2]] * ROOM_BESIDE_THE_HEAP:
        return Finding("memory", WARN, found, "Free some, or lower the setting spark_memory.")
    return Finding("memory", OK, found)


def free_memory() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")), None)
