"""The gate's part inside the JVM: a few Java classes, compiled once a JVM by the compiler that Spark brings along."""

from __future__ import annotations

import threading
from importlib import resources
from typing import Any
from uuid import uuid4
from weakref import WeakKeyDictionary

from pyspark.sql import SparkSession

CLASSES = ("Walk", "Rebuild", "Flow", "Statement")  # each may use those before it

_made: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
_lock = threading.Lock()


def statement_on(session: SparkSession) -> Any:
    """A new `Statement` in this session's JVM."""
    gateway = session.sparkContext._gateway
    with _lock:
        first = _made.get(gateway)
        if first is None:
            first = _made[gateway] = _compile(session, gateway)
    return first.on(session._jsparkSession)


def _compile(session: SparkSession, gateway: Any) -> Any:
    jvm = gateway.jvm
    loader = jvm.java.lang.Thread.currentThread().getContextClassLoader()
    sources = resources.files(__package__)
    # py4j remembers methods by the name of their class, so whoever compiles again in this JVM needs other names.
    package = f"bailiwick.gate.made{uuid4().hex}"
    for name in CLASSES:
        compiler = jvm.org.codehaus.janino.SimpleCompiler()
        compiler.setParentClassLoader(loader)
        source = sources.joinpath(f"{name}.java").read_text("utf-8")
        compiler.cook(source.replace("package bailiwick.gate;", f"package {package};"))
        loader = compiler.getClassLoader()
    arguments = gateway.new_array(jvm.java.lang.Object, 1)
    arguments[0] = session._jsparkSession
    return loader.loadClass(f"{package}.Statement").getConstructors()[0].newInstance(arguments)
