"""Runs a piece of Python with a Spark of its own, in a process that may die without harm to the tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

# A Spark for tests gains nothing from a careful compiler: without it, it takes two thirds of the time. The quick one
# keeps its code in too small a place by default, and would make it again and again.
HASTE = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:+UseSerialGC"
# Nor does a handful of rows from Java that Spark writes and compiles for each statement; what it works out is the same.
# The demo's Spark does so, as in earnest.
SMALL = f"""
spark.driver.extraJavaOptions {HASTE}
spark.executor.extraJavaOptions {HASTE}
spark.sql.codegen.wholeStage false
spark.sql.codegen.factoryMode NO_CODEGEN
"""

BEGINNING = """
import json, os, signal, sys, threading, time
from pathlib import Path
from bailiwick.settings import load_settings
from bailiwick.spark.engine import Engine, explain
from bailiwick.spark.errors import SparkProblem

given = json.loads(sys.argv[1])
settings = load_settings(**given["settings"])

def say(**what):
    print(json.dumps(what), flush=True)

def write(engine, path, rows):
    engine.session_for("run").range(rows).write.format("delta").mode("append").save(path)

def count(engine, path):
    return engine.session_for("run").read.format("delta").load(path).count()
"""


def run_script(
    script: str, settings: Mapping[str, Any], *, environment: Mapping[str, str | None] | None = None, **given: Any
) -> tuple[dict[str, Any], subprocess.CompletedProcess[str]]:
    """Run it to its end: everything it said, put together, and how it ended."""
    variables = {**os.environ, **(environment or {})}
    ended = subprocess.run(
        [
            sys.executable,
            "-W",
            "error",
            "-c",
            BEGINNING + textwrap.dedent(script),
            _as_json({"settings": settings, **given}),
        ],
        env={name: value for name, value in variables.items() if value is not None},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    said: dict[str, Any] = {}
    for line in ended.stdout.splitlines():
        if line.startswith("{"):
            said |= json.loads(line)
    return said, ended


def small(jars: Path, home: Path, properties: str = "", **more: Any) -> dict[str, Any]:
    """The settings of a small Spark, with further properties."""
    home.mkdir(parents=True, exist_ok=True)
    file = home / "small.properties"
    file.write_text(SMALL + properties)
    return {
        "home": home,
        "spark_jars": jars,
        "spark_properties": file,
        "spark_master": "local[2]",
        "spark_memory": "1g",
        "spark_archive": False,
        **more,
    }


def _as_json(given: Mapping[str, Any]) -> str:
    return json.dumps(given, default=str)
