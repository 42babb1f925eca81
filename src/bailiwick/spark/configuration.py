"""What Spark is told at its start: our defaults, then the administrator's properties file, then what must hold."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bailiwick.settings import Settings
from bailiwick.spark.errors import SparkProblem
from bailiwick.spark.lingering import LONGEST_SECONDS

INTERACTIVE, PIPELINES = "interactive", "pipelines"
DELTA_EXTENSION = "io.delta.sql.DeltaSparkSessionExtension"
LOOPBACK = "127.0.0.1"

# Neither pool takes from the other by force: a share of its own keeps a query from waiting behind a long pipeline.
POOLS = f"""<?xml version="1.0"?>
<allocations>
  <pool name="{INTERACTIVE}"><schedulingMode>FAIR</schedulingMode><weight>4</weight><minShare>1</minShare></pool>
  <pool name="{PIPELINES}"><schedulingMode>FAIR</schedulingMode><weight>1</weight><minShare>1</minShare></pool>
</allocations>
"""

LOG = """rootLogger.level = warn
rootLogger.appenderRef.file.ref = file
appender.file.type = RollingFile
appender.file.name = file
appender.file.fileName = {file}
appender.file.filePattern = {file}.%i
appender.file.layout.type = PatternLayout
appender.file.layout.pattern = %d{{yyyy-MM-dd'T'HH:mm:ss.SSSX}}{{UTC}} %p %c{{1}}: %m%n%ex
appender.file.policies.type = Policies
appender.file.policies.size.type = SizeBasedTriggeringPolicy
appender.file.policies.size.size = 10MB
appender.file.strategy.type = DefaultRolloverStrategy
appender.file.strategy.max = 3
"""


@dataclass(frozen=True)
class Places:
    """Where one engine keeps what it writes: a folder of its own, gone with it, and the log that stays."""

    folder: Path
    log: Path

    @property
    def properties(self) -> Path:
        return self.folder / "spark.properties"

    @property
    def pools(self) -> Path:
        return self.folder / "pools.xml"

    @property
    def log_configuration(self) -> Path:
        return self.folder / "log4j2.properties"

    @property
    def temporary(self) -> Path:
        return self.folder / "temporary"

    @property
    def classes(self) -> Path:
        """The classes that were loaded, noted for the class-data archive."""
        return self.folder / "classes.txt"

    @property
    def output(self) -> Path:
        """What the JVM itself says, which is little unless it fails."""
        return self.folder / "output.txt"


def spark_properties(settings: Settings, jars: list[Path], places: Places) -> dict[str, str]:
    """Every property of this engine."""
    given = chosen_properties(settings)
    master = given["spark.master"]
    properties = {**_defaults(master), **given}
    must = {
        "spark.submit.deployMode": "client",
        "spark.scheduler.mode": "FAIR",
        "spark.sql.extensions": _joined(DELTA_EXTENSION, given.get("spark.sql.extensions")),
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.warehouse.dir": f"file://{places.folder}/warehouse",
        # A statement names tables and nothing else, and is one statement (docs/operate/spark.md).
        "spark.sql.runSQLOnFiles": "false",
        "spark.sql.scripting.enabled": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.ansi.enabled": "true",
    }
    properties.update(must)
    # Hadoop takes an address as it stands, with its spaces.
    properties.setdefault("spark.scheduler.allocation.file", f"file://{places.pools}")
    properties.setdefault("spark.local.dir", str(places.folder / "local"))
    if not is_local(master):
        # On one machine the jars are on the class path; executors elsewhere get them from us.
        properties["spark.jars"] = _joined(*(jar.as_uri() for jar in jars), given.get("spark.jars"))
        zone = "-Duser.timezone=UTC"
        properties["spark.executor.extraJavaOptions"] = f"{zone} {given.get('spark.executor.extraJavaOptions', '')}"
    return properties


def chosen_properties(settings: Settings) -> dict[str, str]:
    """What the administrator chose, by settings and by the properties file."""
    given = read_properties(settings.spark_properties)
    for name, setting in (("spark.master", "spark_master"), ("spark.driver.memory", "spark_memory")):
        # A setting that somebody set wins over the file, and the file over the setting's default.
        if setting in settings.model_fields_set or name not in given:
            given[name] = getattr(settings, setting)
    return given


def read_properties(file: Path | None) -> dict[str, str]:
    """A properties file, written like spark-defaults.conf: a name, white space or =, and a value on a line."""
    if file is None:
        return {}
    try:
        text = file.read_text()
    except (OSError, UnicodeDecodeError) as error:
        problem = f"The file {file} of the setting spark_properties cannot be read: {error}."
        raise SparkProblem("spark_properties", problem, "Correct the file, its permissions or the setting.") from None
    properties = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith(("#", "!")):
            continue
        parts = re.fullmatch(r"\s*(spark\.[^\s=:]+)\s*[\s=:]\s*(\S.*?)\s*", line)
        if parts is None or line.endswith("\\"):
            raise SparkProblem(
                "spark_properties",
                f"Line {number} of {file}, the setting spark_properties, is not a Spark property.",
                "Write a name that begins with spark., white space and a value, all on one line.",
            )
        properties[parts[1]] = parts[2]
    return properties


def is_local(master: str) -> bool:
    """Whether the work happens in the driver itself."""
    return master == "local" or master.startswith("local[")


def write_configuration(properties: Mapping[str, str], places: Places) -> None:
    """Put down what Spark reads at its start, for nobody else to read: properties may hold passwords."""
    places.temporary.mkdir(parents=True, exist_ok=True)
    places.log.parent.mkdir(parents=True, exist_ok=True)
    lines = "".join(f"{name} {value.replace(chr(92), chr(92) * 2)}\n" for name, value in sorted(properties.items()))
    places.properties.touch(mode=0o600)
    places.properties.write_text(lines)
    places.pools.write_text(POOLS)
    places.log_configuration.write_text(LOG.format(file=places.log))


def _defaults(master: str) -> dict[str, str]:
    """What the properties file may change."""
    local = is_local(master)
    defaults = {
        "spark.app.name": "bailiwick",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.pyspark.python": sys.executable if local else "python3",
        "spark.pyspark.driver.python": sys.executable,
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        "spark.databricks.delta.snapshotPartitions": "2",
        "spark.sql.adaptive.enabled": "true",
        "spark.driver.maxResultSize": "256m",  # wider results do not come through the driver
        "spark.log.level": "WARN",
        "spark.cleaner.periodicGC.interval": "10min",
    }
    if local:
        defaults |= {
            "spark.driver.host": LOOPBACK,
            "spark.driver.bindAddress": LOOPBACK,
            # A task that asks for more memory than there is fails alone; Spark would end the process, and every run.
            "spark.executor.killOnFatalError.depth": "0",
            "spark.sql.shuffle.partitions": str(max(4, 2 * _cores(master))),
            # Into so many tasks a vacuum cuts its listing of files; ten thousand if it is not told.
            "spark.sql.sources.parallelPartitionDiscovery.parallelism": str(max(4, 2 * _cores(master))),
        }
    else:
        defaults |= {
            # An executor whose cancelled tasks do not stop is ended, and another takes its place.
            "spark.task.reaper.enabled": "true",
            "spark.task.reaper.killTimeout": f"{LONGEST_SECONDS}s",
        }
    return defaults


def _cores(master: str) -> int:
    number = re.match(r"local\[(\d+)", master)
    return int(number[1]) if number else os.cpu_count() or 1


def _joined(*values: str | None) -> str:
    return ",".join(value for value in values if value)
