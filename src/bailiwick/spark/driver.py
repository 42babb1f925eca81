"""pyspark's one context of this process: made in our JVM, and forgotten when that JVM is gone."""

from __future__ import annotations

import logging
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

from pyspark import SparkContext
from pyspark.logger import PySparkLogger
from pyspark.sql import SparkSession
from pyspark.sql.context import SQLContext

from bailiwick.spark.jvm import Jvm


def make_session(jvm: Jvm, properties: Mapping[str, str]) -> SparkSession:
    """Spark's context and first session in this JVM. Its properties it has already, from its start."""
    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
        PySparkLogger.getLogger(name).disabled = True  # What goes wrong is raised; it is not printed as well.
    with _untouched():
        context = SparkContext(gateway=jvm.gateway)
        # A JVM that is gone, maybe on purpose, hangs up on what gathers its counts; that is told elsewhere.
        setattr(context._accumulatorServer, "handle_error", _said_elsewhere)  # noqa: B010
        context.pythonExec = properties["spark.pyspark.python"]
        return SparkSession(context)


def forget(session: SparkSession | None, jvm: Jvm) -> None:
    """Make pyspark forget the context, so that another can be made; whether or not its JVM still lives."""
    quiet = logging.getLogger("py4j")
    level = quiet.level
    quiet.setLevel(logging.CRITICAL)  # That a dead JVM does not answer is no news here.
    try:
        context = SparkContext._active_spark_context if session is None else session.sparkContext
        if context is not None:
            java = context._jsc
            with warnings.catch_warnings(), suppress(Exception):
                warnings.simplefilter("ignore")
                context.stop()
            context._jsc = java  # So that whoever still holds a session finds nobody there, not a hole in pyspark.
        with suppress(Exception):
            jvm.gateway.shutdown()
    finally:
        quiet.setLevel(level)
    with SparkContext._lock:
        SparkContext._active_spark_context = SparkContext._gateway = SparkContext._jvm = None
    SparkSession._instantiatedSession = SparkSession._activeSession = None
    SQLContext._instantiatedContext = None


def _said_elsewhere(*_: object) -> None:
    """Instead of printing what went wrong."""


@contextmanager
def _untouched() -> Iterator[None]:
    """Keep pyspark from taking over Ctrl-C and the places modules are looked for."""
    path = list(sys.path)
    main = threading.current_thread() is threading.main_thread()
    handler = signal.getsignal(signal.SIGINT) if main else None
    try:
        yield
    finally:
        sys.path[:] = path
        if main:
            signal.signal(signal.SIGINT, handler)
