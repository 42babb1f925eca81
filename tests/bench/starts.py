"""From the start of a process to the first answer of Spark in it, with the class-data archive and without.

The home is warm: nothing has to be fetched or made. `python -m tests.bench.starts home jars way location` starts once,
prints a line when it has the answer, and ends; `make` as the location makes the archive."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bailiwick.settings import Settings, load_settings
from bailiwick.spark.jars import find_jars
from tests.bench.measure import Result, Say
from tests.spark.conftest import CACHE

ROOT = Path(__file__).parent.parent.parent
ROUNDS = 3
WITH, WITHOUT, MAKE = "with", "without", "make"
ANSWERED = "answered\n"

Start = Callable[[str, str], float]


def run(say: Say, quick: bool) -> Iterator[Result]:
    yield from measured(say, 1 if quick else ROUNDS, start)


def measured(say: Say, rounds: int, start: Start) -> Iterator[Result]:
    with tempfile.TemporaryDirectory(prefix="bw-") as folder:
        location = str(Path(folder) / "orders")
        say("making the archive, if it is not there from the last time")
        start(WITH, MAKE)
        start(WITHOUT, location)  # writes the table, and counts for nothing
        spent: dict[str, list[float]] = {WITH: [], WITHOUT: []}
        for number in range(rounds):
            say(f"starting Spark with the archive and without, {number + 1} of {rounds}")
            for way, times in spent.items():
                times.append(start(way, location))
    ours, theirs = (statistics.median(times) for times in spent.values())
    yield Result("start of a warm home to its first answer", ours, "without archive", theirs, ours / theirs, at_most=1)


def start(way: str, location: str) -> float:
    """The seconds until there was an answer. The end of the process is waited for, and not counted."""
    jars = find_jars(Settings(home=CACHE))[0].parent
    command = [sys.executable, "-m", "tests.bench.starts", str(CACHE), str(jars), way, location]
    with tempfile.TemporaryFile("w+") as log:
        began = time.perf_counter()
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=log, text=True)
        assert process.stdout is not None
        answered = ANSWERED in process.stdout
        seconds = time.perf_counter() - began
        process.stdout.read()
        if process.wait(60) or not answered:
            log.seek(0)
            raise RuntimeError(f"Spark did not start:\n{log.read()}")
    return seconds


def main(home: Path, jars: Path, way: str, location: str) -> None:
    from bailiwick.spark import gate
    from bailiwick.spark.engine import Engine
    from bailiwick.spark.jobs import TableRef

    engine = Engine.start(load_settings(home=home, spark_jars=jars, spark_archive=way == WITH))
    try:
        if location == MAKE:
            engine.warm_up()
        else:
            session = engine.session_for("start")
            if not Path(location).exists():
                session.range(1000).write.format("delta").save(location)
            orders = TableRef("orders", "raw", "orders", location)
            sql = "SELECT * FROM raw.orders LIMIT 100"
            admitted = gate.admit(session, sql, lambda names: dict.fromkeys(names, orders))
            assert len(admitted.dataframe.collect()) == 100
        sys.stdout.write(ANSWERED)
        sys.stdout.flush()
    finally:
        engine.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4])
