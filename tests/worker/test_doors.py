"""The API and the command line never load Spark: they start at once and answer while it is still starting."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize("door", ["bailiwick.api.app", "bailiwick.cli.main", "bailiwick.worker.process"])
def test_this_does_not_load_spark(door: str) -> None:
    code = f"import sys, {door}; print([name for name in ('pyspark', 'py4j', 'delta') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
