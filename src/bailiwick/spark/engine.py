"""The engine: one long-lived Spark a process, a session a run, and a way to stop, watch and revive it."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Self

import structlog
from pyspark.sql import SparkSession

from bailiwick.settings import Settings
from bailiwick.spark import rehearsal
from bailiwick.spark.archive import Archive
from bailiwick.spark.configuration import INTERACTIVE, PIPELINES, Places, spark_properties, write_configuration
from bailiwick.spark.driver import forget, make_session
from bailiwick.spark.errors import SparkProblem
from bailiwick.spark.jars import find_jars, jars_of_spark
from bailiwick.spark.java import find_java, trust_store
from bailiwick.spark.jvm import Jvm, java_class, start_jvm, trusting
from bailiwick.spark.lingering import Lingering
from bailiwick.spark.problems import explain, explained, not_started, stopped
from bailiwick.spark.progress import Progress, Watch
from bailiwick.spark.scratch import Scratch

__all__ = ["Engine", "Progress", "explain"]

log = structlog.get_logger(__name__)

QUIET_SECONDS = 10
LONGEST_WAIT_SECONDS = 600
POOL = "spark.scheduler.pool"
OF_A_RUN = ("spark.jobGroup.id", "spark.job.description", "spark.job.interruptOnCancel", POOL)


class Engine:
    """Spark, running. There is one in a process at most, because pyspark knows only one."""

    _running: Engine | None = None
    _starting = threading.RLock()

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._jvm: Jvm | None = None
        self._spark: SparkSession | None = None
        self._scratch: Scratch | None = None
        self._places: Places | None = None
        self._archive: Archive | None = None
        self._watches: dict[str, list[Watch]] = {}
        self._lingering = Lingering()
        self.ended_on_purpose = False  # because of work that did not stop: whoever else worked is not to blame
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()

    @classmethod
    def start(cls, settings: Settings, on_progress: Callable[[str], None] | None = None) -> Self:
        """Start Spark as the settings say. `on_progress` is told what takes long, in words."""
        with Engine._starting:
            if Engine._running is not None:
                raise RuntimeError("Spark runs in this process already; stop that engine first.")
            engine = cls(settings)
            engine._start(on_progress or (lambda text: None))
            Engine._running = engine
            return engine

    @property
    def spark(self) -> SparkSession:
        """The session that all others descend from; runs use `session_for`."""
        if self._spark is None or self._jvm is None or not self._jvm.alive:
            raise stopped()
        return self._spark

    @property
    def pid(self) -> int:
        """The process id of the JVM."""
        assert self._jvm is not None
        return self._jvm.process.pid

    def session_for(self, run_id: str) -> SparkSession:
        """A session of the run's own: its settings and temporary views are seen by nobody else."""
        with explained():
            session = self.spark.newSession()
            session.conf.set("spark.bailiwick.run", run_id)
            return session

    @contextmanager
    def in_run(self, run_id: str, pool: str = INTERACTIVE) -> Iterator[None]:
        """Count what this thread asks of Spark as this run's, so that it can be watched and cancelled.

        A thread that the run starts for itself has to say so again."""
        if pool not in (INTERACTIVE, PIPELINES):
            raise ValueError(f"There is no pool {pool}.")
        context = self.spark.sparkContext
        # A name of its own for every try: a cancelled group stays cancelled, and the run may be tried again.
        watch = Watch(f"{run_id}/{next(self._numbers)}")
        with explained():
            before = {name: context.getLocalProperty(name) for name in OF_A_RUN}
            context.setJobGroup(watch.group, f"run {run_id}", interruptOnCancel=True)
            context.setLocalProperty(POOL, pool)
        with self._lock:
            self._watches.setdefault(run_id, []).append(watch)
        try:
            yield
        except BaseException:
            self._lingering.suspect()
            raise
        finally:
            with self._lock:
                self._watches[run_id].remove(watch)
                if not self._watches[run_id]:
                    del self._watches[run_id]
            with suppress(Exception):  # A Spark that is gone has nothing to put back.
                for name, value in before.items():
                    context._jsc.setLocalProperty(name, value)

    def cancel(self, run_id: str) -> None:
        """Stop what the run has Spark do, and whatever it asks for afterwards; from any thread."""
        with explained():
            for watch in self._watches_of(run_id):
                watch.cancelled_at = watch.cancelled_at or time.monotonic()
                self.spark.sparkContext._jsc.sc().cancelJobGroupAndFutureJobs(watch.group)

    def progress(self, run_id: str) -> Progress:
        """What Spark has done of the run, as far as it knows by now; from any thread."""
        with explained():
            tracker = self.spark.sparkContext._jsc.statusTracker()
            return sum((watch.look(tracker) for watch in self._watches_of(run_id)), Progress())

    def alive(self) -> bool:
        """Whether Spark can be used. One that does not let go of cancelled work cannot, and is ended here."""
        if self._jvm is None or self._spark is None or not self._jvm.alive:
            return False
        try:
            with self._lock:
                watches = [watch for found in self._watches.values() for watch in found]
            if self._lingering.too_long(self._spark.sparkContext, watches):
                log.warning("cancelled work does not stop, so spark is ended")
                self.ended_on_purpose = True
                self._jvm.kill()
                return False
            return not self._spark.sparkContext._jsc.sc().isStopped()
        except Exception:
            return False

    def restart(self, on_progress: Callable[[str], None] | None = None) -> None:
        """Begin anew with a fresh JVM if Spark is gone; if another thread was quicker, there is nothing to do.

        Sessions from before are of no use any more."""
        with Engine._starting:
            if self.alive():
                return
            self.stop()
            self._start(on_progress or (lambda text: None))
            Engine._running = self

    def stop(self) -> None:
        """End Spark and its JVM, dead or alive."""
        with Engine._starting:
            if self._archive is not None:
                self._archive.abandon()
            if self._jvm is not None:
                forget(self._spark, self._jvm)
                self._jvm.stop()
            if self._scratch is not None:
                self._scratch.remove()
            self._jvm = self._spark = self._scratch = self._places = self._archive = None
            self._lingering = Lingering()
            if Engine._running is self:
                Engine._running = None

    def remove(self, location: str) -> None:
        """Delete a folder with all that is in it, wherever Spark reaches; one that is not there is gone already."""
        with explained():
            context = self.spark.sparkContext
            path = java_class(context, "org.apache.hadoop.fs.Path")(location)
            path.getFileSystem(context._jsc.hadoopConfiguration()).delete(path, True)

    def warm_up(self) -> None:
        """Have Spark load what the first run would otherwise wait for, and make the class-data archive if it is due.

        Takes a while, gives way to runs, and never fails; meant for a thread of its own, right after the start."""
        archive, places = self._archive, self._places
        if places is None:
            return
        try:
            with explained():
                for step in rehearsal.steps(self.session_for("warm-up"), places.folder / "rehearsal"):
                    if self._watches:
                        self._wait_for_quiet(places)
                    with self.in_run("warm-up", PIPELINES):
                        step()
            if archive is not None:
                self._wait_for_quiet(places)
                archive.make(places.classes)
        except (SparkProblem, OSError) as problem:
            log.info("spark is not warm", problem=str(problem))

    def _wait_for_quiet(self, places: Places) -> None:
        """Wait until no run has needed this Spark for a while, but not for ever. A small machine would miss the cores,
        and runs that are there warm Spark up by themselves."""
        quiet_since = began = time.monotonic()
        while (now := time.monotonic()) - quiet_since < QUIET_SECONDS and now - began < LONGEST_WAIT_SECONDS:
            if self._places is not places:
                raise stopped()
            if self._watches:
                quiet_since = now
            time.sleep(0.5)

    def _start(self, on_progress: Callable[[str], None]) -> None:
        folder = self.settings.home / "spark"
        java = find_java(self.settings)
        jars = find_jars(self.settings, on_progress)
        on_progress("Starting Spark")
        self._scratch = Scratch(folder / "scratch")
        try:
            self._places = places = Places(self._scratch.folder, folder / "spark.log")
            properties = spark_properties(self.settings, jars, places)
            write_configuration(properties, places)
            class_path = [*jars_of_spark(), *jars]
            options = trusting(trust_store(java, folder / "java"))
            if self.settings.spark_archive:
                self._archive = Archive(folder / "archive", java, class_path)
                options += self._archive.options(places.classes)
            self._jvm = start_jvm(java, class_path, properties, places, options)
            try:
                with explained():
                    self._spark = make_session(self._jvm, properties)
            except SparkProblem as problem:
                raise not_started(properties["spark.master"], problem, places.log) from problem
        except BaseException:
            self.stop()
            raise
        self.ended_on_purpose = False
        log.info("spark started", java=java.version, master=properties["spark.master"], jvm=self.pid)

    def _watches_of(self, run_id: str) -> list[Watch]:
        with self._lock:
            return list(self._watches.get(run_id, ()))
