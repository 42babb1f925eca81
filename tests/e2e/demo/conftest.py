"""The demo as a newcomer starts it, with Spark and a month of sales: one for all journeys through it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest
from python_calamine import load_workbook
from sqlalchemy import create_engine, text

from bailiwick.cli.home import opened_database
from bailiwick.settings import load_settings
from tests.e2e.conftest import House
from tests.ports import free_port
from tests.spark.conftest import jars as jars
from tests.spark.scripts import HASTE


@dataclass(frozen=True)
class Demo:
    """A running demo, and what it held when its data was there and nobody had touched anything."""

    home: Path
    port: int
    rows: dict[str, int]  # of each table
    exported: int  # rows of the spreadsheet


@pytest.fixture(scope="package")
def demo(jars: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    home, port = tmp_path_factory.mktemp("demo") / "home", free_port()
    command = [sys.executable, "-m", "bailiwick.cli", "demo", "--json", "--home", str(home), "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment(home.parent, jars)) as process:
        assert process.stdout is not None
        try:
            said = objects(process.stdout)
            assert "links" in next(said)
            assert next(said) == {"data": "ready"}
            yield Demo(home, port, rows_of(home), exported_from(home))
        finally:
            process.terminate()


def environment(folder: Path, jars: Path) -> dict[str, str]:
    """Nothing of whoever runs the tests; and a Spark that does not prepare for days that never come."""
    properties = folder / "spark.properties"
    properties.write_text(f"spark.driver.extraJavaOptions {HASTE}\n")
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("BAILIWICK_")},
        "BAILIWICK_LOG_LEVEL": "error",
        "BAILIWICK_SPARK_PROPERTIES": str(properties),
        "BAILIWICK_SPARK_JARS": str(jars),
        "BAILIWICK_SPARK_ARCHIVE": "false",
    }


def objects(lines: IO[str]) -> Iterator[dict[str, Any]]:
    """JSON objects that are printed over several lines."""
    held = ""
    for line in lines:
        held += line
        try:
            yield json.loads(held)
        except ValueError:
            continue
        held = ""


def rows_of(home: Path) -> dict[str, int]:
    """The rows of each table, as the catalogue says."""
    engine = create_engine(f"sqlite:///{home / 'bailiwick.db'}")
    with engine.connect() as connection:
        found = connection.execute(
            text("SELECT l.name || '.' || t.name, t.rows FROM lakehouse_table t JOIN layer l ON l.id = t.layer_id")
        )
        tables: dict[str, int] = {row[0]: row[1] for row in found}
    engine.dispose()
    return tables


def exported_from(home: Path) -> int:
    (workbook,) = (home / "volumes").rglob("daily-sales-*.xlsx")
    return len(load_workbook(str(workbook)).get_sheet_by_index(0).to_python()) - 1


@pytest.fixture(scope="module")
def house(demo: Demo) -> Iterator[House]:
    settings = load_settings(home=demo.home, database_url=f"sqlite:///{demo.home / 'bailiwick.db'}", port=demo.port)
    with opened_database(settings) as database:
        yield House(settings, database)
