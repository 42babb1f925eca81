"""What the command line's tests share: a platform over SQLite, and one over either database."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from sqlalchemy import URL

from bailiwick.api.app import create_app
from bailiwick.database.engine import Database, make_engine
from bailiwick.settings import load_settings
from tests.cli.terminal import Platform, Terminal, serving
from tests.conftest import opened


@pytest.fixture
def sqlite_database(sqlite_template: Path, tmp_path: Path) -> Iterator[Database]:
    shutil.copyfile(sqlite_template, tmp_path / "bailiwick.db")
    yield from opened(URL.create("sqlite", database=str(tmp_path / "bailiwick.db")))


@pytest.fixture
def platform(sqlite_database: Database, tmp_path: Path) -> Iterator[Platform]:
    with serving(sqlite_database, tmp_path) as running:
        yield running


@pytest.fixture
def platform_on_either(database: Database, tmp_path: Path) -> Iterator[Platform]:
    with serving(database, tmp_path) as running:
        yield running


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    """A terminal on a computer where nothing runs yet."""
    return Terminal(tmp_path / "config")


@pytest.fixture(scope="session")
def create_app_only(tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    """The API as it describes itself; nothing is called."""
    folder = tmp_path_factory.mktemp("description")
    settings = load_settings(home=folder)
    return create_app(settings, Database(make_engine(settings.database_url)))
