"""The Java process that Spark lives in: started by us, talked to by pyspark, gone when this process is."""

from __future__ import annotations

import os
import shlex
import struct
import subprocess
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from py4j.java_gateway import JavaGateway
from pyspark import SparkContext
from pyspark.java_gateway import launch_gateway

from bailiwick.settings import PREFIX
from bailiwick.spark.configuration import Places
from bailiwick.spark.errors import SparkProblem
from bailiwick.spark.jars import spark_home
from bailiwick.spark.java import TRUST_STORE_PASSWORD, VECTOR_MODULE, Java

START_SECONDS = 180
STOP_SECONDS = 10
PORT, SECRET = "PYSPARK_GATEWAY_PORT", "PYSPARK_GATEWAY_SECRET"

# As org.apache.spark.launcher.JavaModuleOptions has them; a test compares.
MODULE_OPTIONS = (
    "-XX:+IgnoreUnrecognizedVMOptions",
    VECTOR_MODULE,
    *(
        f"--add-opens={package}=ALL-UNNAMED"
        for package in (
            "java.base/java.lang",
            "java.base/java.lang.invoke",
            "java.base/java.lang.reflect",
            "java.base/java.io",
            "java.base/java.net",
            "java.base/java.nio",
            "java.base/java.util",
            "java.base/java.util.concurrent",
            "java.base/java.util.concurrent.atomic",
            "java.base/jdk.internal.ref",
            "java.base/sun.nio.ch",
            "java.base/sun.nio.cs",
            "java.base/sun.security.action",
            "java.base/sun.util.calendar",
            "java.security.jgss/sun.security.krb5",
        )
    ),
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dio.netty.allocator.type=pooled",
    "-Dio.netty.handler.ssl.defaultEndpointVerificationAlgorithm=NONE",
    "--sun-misc-unsafe-memory-access=allow",
    "--enable-native-access=ALL-UNNAMED",
)

_environment = threading.Lock()


class Jvm:
    """A running Java process with Spark in it."""

    def __init__(self, process: subprocess.Popen[bytes], gateway: JavaGateway) -> None:
        self.process = process
        self.gateway = gateway

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def stop(self) -> None:
        """End the process: kindly at first."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.close()  # It reads there, and leaves when nobody is left to write.
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End the process at once."""
        self.process.kill()
        self.process.wait()


def java_class(context: SparkContext, name: str) -> Any:
    """A class by its whole name. Were it asked for part by part, as attributes are, every part would first be looked
    for in every jar, which takes ten milliseconds."""
    return getattr(context._jvm, name)


def start_jvm(
    java: Java, class_path: list[Path], properties: Mapping[str, str], places: Places, options: list[str]
) -> Jvm:
    """Start Java with Spark, and wait until pyspark can talk to it."""
    announced = places.folder / "gateway"
    with places.output.open("wb") as output:
        process = subprocess.Popen(  # noqa: S603 - the administrator says which Java runs
            command(java, class_path, properties, places, options),
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=output,
            env=environment(announced),
            cwd=places.folder,
            start_new_session=True,  # Ctrl-C is ours to answer: it ends Spark when the runs have been put in order.
        )
    try:
        port, secret = _wait_for(announced, process, places)
        return Jvm(process, _connect(port, secret))
    except BaseException:
        process.kill()
        process.wait()
        assert process.stdin is not None
        process.stdin.close()
        raise
    finally:
        announced.unlink(missing_ok=True)


def command(
    java: Java, class_path: list[Path], properties: Mapping[str, str], places: Places, options: list[str]
) -> list[str]:
    """The command that starts Spark. Its class path is a plain list of files, as a class-data archive needs it."""
    return [
        str(java.executable),
        *module_options(java),
        f"-Xmx{properties['spark.driver.memory']}",
        "-Xss4m",  # Deeply nested statements are parsed and analysed by recursion.
        "-XX:-UsePerfData",
        f"-XX:ErrorFile={places.log.parent}/crash-%p.log",
        "-Dfile.encoding=UTF-8",
        "-Duser.timezone=UTC",
        f"-Djava.io.tmpdir={places.temporary}",
        f"-Dlog4j2.configurationFile={places.log_configuration.as_uri()}",
        *options,
        *shlex.split(properties.get("spark.driver.defaultJavaOptions", "")),
        *shlex.split(properties.get("spark.driver.extraJavaOptions", "")),
        "-cp",
        os.pathsep.join([*map(str, class_path), *_configuration_of_hadoop(), *_extra_class_path(properties)]),
        "org.apache.spark.deploy.SparkSubmit",
        "--properties-file",
        str(places.properties),
        "pyspark-shell",
    ]


def module_options(java: Java) -> list[str]:
    """What Spark needs opened in this Java, less what it does not have."""
    return [option for option in MODULE_OPTIONS if java.has_vectors or option != VECTOR_MODULE]


def trusting(store: Path | None) -> list[str]:
    """The options that make Java trust what is in this store."""
    if store is None:
        return []
    return [f"-Djavax.net.ssl.trustStore={store}", f"-Djavax.net.ssl.trustStorePassword={TRUST_STORE_PASSWORD}"]


def environment(announced: Path) -> dict[str, str]:
    """Our environment less our own settings, whose secrets are no concern of Spark's."""
    kept = {name: value for name, value in os.environ.items() if not name.upper().startswith(PREFIX)}
    return kept | {
        "SPARK_HOME": str(spark_home()),
        "SPARK_CONNECT_MODE": "0",
        "_PYSPARK_DRIVER_CONN_INFO_PATH": str(announced),
    }


def _wait_for(announced: Path, process: subprocess.Popen[bytes], places: Places) -> tuple[int, str]:
    deadline = time.monotonic() + START_SECONDS
    while not announced.is_file():
        if process.poll() is not None or time.monotonic() > deadline:
            said = places.output.read_text(errors="replace").strip().splitlines()
            reason = next((line for line in reversed(said) if not line.startswith(("\t", " "))), "it said nothing")
            problem = f"Java ended before Spark ran: {reason}" if process.poll() is not None else "Spark did not start."
            raise SparkProblem(
                "spark_start", problem, f"See {places.log}, and check with: bailiwick doctor", passing=True
            )
        time.sleep(0.02)
    # A number, and a text behind its length.
    port, length = struct.unpack_from("!ii", content := announced.read_bytes())
    return port, content[8 : 8 + length].decode()


def _connect(port: int, secret: str) -> JavaGateway:
    """Let pyspark connect as if it had been started by this Java; the environment is where it looks."""
    with _environment:
        os.environ[PORT], os.environ[SECRET] = str(port), secret
        try:
            return launch_gateway()  # type: ignore[no-untyped-call]
        finally:
            del os.environ[PORT], os.environ[SECRET]


def _configuration_of_hadoop() -> list[str]:
    """The folders that tell of a YARN cluster or a shared file system, as Spark's own start script adds them."""
    return [os.environ[name] for name in ("HADOOP_CONF_DIR", "YARN_CONF_DIR") if os.environ.get(name)]


def _extra_class_path(properties: Mapping[str, str]) -> list[str]:
    return [part for part in properties.get("spark.driver.extraClassPath", "").split(os.pathsep) if part]
