"""The demo as a newcomer starts it: a month of sales flows from files through Spark into tables and a spreadsheet."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from python_calamine import load_workbook
from sqlalchemy import create_engine, text

from bailiwick.demo import data
from tests.ports import free_port


def fits(row: dict[str, str]) -> bool:
    """Whether a receipt can be read, by Python's own reading of dates and numbers."""
    try:
        date.fromisoformat(row["sold_on"])
        int(row["quantity"])
        Decimal(row["price"])
    except (ValueError, InvalidOperation):
        return False
    return True


@contextmanager
def demo(home: Path) -> Iterator[Iterator[dict[str, Any]]]:
    """The demo running in a folder, and what it says, as JSON."""
    command = [sys.executable, "-m", "bailiwick.cli", "demo", "--json", "--home", str(home), "--port", str(free_port())]
    quiet = {**os.environ, "BAILIWICK_LOG_LEVEL": "error"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=quiet)
    assert process.stdout is not None
    try:
        yield objects(process.stdout)
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()


def objects(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    """JSON objects that are printed over several lines."""
    held = ""
    for line in lines:
        held += line
        try:
            yield json.loads(held)
        except ValueError:
            continue
        held = ""


def test_the_data_of_the_demo_is_what_its_files_say(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with demo(home) as said:
        assert "links" in next(said)
        assert next(said) == {"data": "ready"}
        tables, exported = read_back(home)
    files = tmp_path / "files"
    yesterday = datetime.now(UTC).date() - timedelta(days=1)
    data.write_files(files, yesterday)
    receipts = [
        row for file in sorted((files / "sales").iterdir()) for row in csv.DictReader(file.read_text().splitlines())
    ]
    good = [row for row in receipts if fits(row)]
    assert len(good) < len(receipts)
    assert tables["raw.sales"] == tables["trusted.sales"] == len(good)
    assert tables["raw.sales_rejects"] == len(receipts) - len(good)
    deliveries = (files / "deliveries.jsonl").read_text().splitlines()
    whole = sum(line.endswith("}") for line in deliveries)
    assert (tables["raw.deliveries"], tables["raw.deliveries_rejects"]) == (whole, len(deliveries) - whole)
    categories = {product["product_id"]: product["category"] for product in data._products()}
    groups = Counter((row["sold_on"], row["shop_id"], categories[row["product_id"]]) for row in good)
    assert tables["service.daily_sales"] == len(groups) == exported
    before, after = ({one["customer_id"]: one for one in data._customers(week, 1)} for week in (0, 1))
    assert tables["raw.customers"] == len(after)
    changed = sum(before[key] != one for key, one in after.items() if key in before)
    assert tables["trusted.customers_history"] == len(before) + changed + len(after.keys() - before.keys())


def read_back(home: Path) -> tuple[dict[str, int], int]:
    """The rows of each table as the catalogue says, and of the spreadsheet as it was written."""
    engine = create_engine(f"sqlite:///{home / 'bailiwick.db'}")
    with engine.connect() as connection:
        found = connection.execute(
            text("SELECT l.name || '.' || t.name, t.rows FROM lakehouse_table t JOIN layer l ON l.id = t.layer_id")
        )
        tables: dict[str, int] = {row[0]: row[1] for row in found}
    engine.dispose()
    (workbook,) = (home / "volumes").rglob("daily-sales-*.xlsx")
    return tables, len(load_workbook(str(workbook)).get_sheet_by_index(0).to_python()) - 1
