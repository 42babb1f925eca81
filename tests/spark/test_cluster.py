"""The engine on a real cluster, a master and two workers on this machine, reached by nothing but settings."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from bailiwick.settings import load_settings
from bailiwick.spark.jars import spark_home
from bailiwick.spark.java import find_java
from bailiwick.spark.jvm import module_options
from tests.spark.scripts import HASTE, run_script, small

HERE = "127.0.0.1"

SCRIPT = """
    engine = Engine.start(settings)
    table = given["table"]
    with engine.in_run("run", "pipelines"):
        session = engine.session_for("run")
        naps = session.range(0, 8, 1, 8).selectExpr("id", "java_method('java.lang.Thread', 'sleep', 100 + id) AS nap")
        naps.write.format("delta").save(table)
        rows = session.read.format("delta").load(table).count()
        progress = engine.progress("run")
    store = engine.spark.sparkContext._jsc.sc().statusStore()
    executors = store.executorList(True)
    done = {}
    for number in range(executors.size()):
        executor = executors.apply(number)
        done[executor.id()] = executor.completedTasks()
    say(rows=rows, done=done, master=engine.spark.sparkContext.master, tasks=progress.tasks_done)
    engine.stop()
"""


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[str]:
    """A master and two workers, each with one core; the address of the master."""
    with socket.socket() as free:
        free.bind((HERE, 0))
        port = free.getsockname()[1]
    address = f"spark://{HERE}:{port}"
    with ExitStack() as processes:
        log = tmp_path / "master.log"
        master = f"org.apache.spark.deploy.master.Master --host {HERE} --port {port} --webui-port 0"
        processes.enter_context(part_of_the_cluster(master, log))
        wait_for_port(port, log)
        for name in ("one", "two"):
            worker = (
                f"org.apache.spark.deploy.worker.Worker --host {HERE} --webui-port 0 --cores 1 --memory 600m "
                f"--work-dir {tmp_path / name} {address}"
            )
            processes.enter_context(part_of_the_cluster(worker, tmp_path / f"{name}.log"))
        yield address


def test_a_delta_table_is_written_by_the_executors_of_both_workers(cluster: str, jars: Path, tmp_path: Path) -> None:
    properties = (
        "# What this cluster needs beyond its address\n"
        f"spark.driver.host {HERE}\n"
        "spark.executor.memory=500m\n"
        "spark.scheduler.minRegisteredResourcesRatio 1.0\n"
        f"spark.pyspark.python   {sys.executable}\n"
    )
    settings = small(jars, tmp_path / "home", properties, spark_master=cluster)
    said, ended = run_script(SCRIPT, settings, table=str(tmp_path / "table"))

    assert ended.returncode == 0, ended.stderr
    assert said["master"] == cluster
    assert said["rows"] == 8
    assert said["tasks"] >= 8
    executors = {name: tasks for name, tasks in said["done"].items() if name != "driver"}
    assert len(executors) == 2
    assert all(executors.values()), f"Each did something: {said['done']}"
    assert not said["done"].get("driver"), "The driver did nothing itself."
    for worker in ("one", "two"):
        assert len(list((tmp_path / worker).glob("app-*/*"))) == 1, f"Worker {worker} ran one executor."


@contextmanager
def part_of_the_cluster(arguments: str, log: Path) -> Iterator[None]:
    """A process of Spark's own standalone cluster, ended together with whatever it started."""
    java = find_java(load_settings())
    with log.open("w") as output:
        process = subprocess.Popen(
            [
                str(java.executable),
                *module_options(java),
                *HASTE.split(),
                "-Xmx256m",
                "-cp",
                f"{spark_home()}/jars/*",
                *arguments.split(),
            ],
            # As Spark's own start scripts set them.
            env={**os.environ, "SPARK_HOME": str(spark_home()), "SPARK_SCALA_VERSION": "2.13", "SPARK_LOCAL_IP": HERE},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        yield
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def wait_for_port(port: int, log: Path, seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection((HERE, port), 1).close()
            return
        except OSError:
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.1)
