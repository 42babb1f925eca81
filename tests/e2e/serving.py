"""A server for a file of tests, forked from a process that has imported it: that takes longer than some tests."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bailiwick.api.app as imported_once  # noqa: F401 - where this module is preloaded, before anything is forked
from bailiwick.cli.serving import GRACE_SECONDS, listen, serve
from bailiwick.settings import Settings, load_settings
from tests.ports import free_port

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload([__name__])


def settings_in(home: Path) -> Settings:
    """Those of a platform there, without Spark."""
    return load_settings(home=home, port=free_port(), log_level="error", source_folders=[home])


@contextmanager
def serving(settings: Settings) -> Iterator[None]:
    """With what `bailiwick serve` does."""
    server = FORKS.Process(target=_serve, args=(settings,), daemon=True)
    server.start()
    try:
        yield
    finally:
        server.terminate()
        server.join(2 * GRACE_SECONDS)
        server.kill()


def _serve(settings: Settings) -> None:
    serve(settings, listen(settings))
