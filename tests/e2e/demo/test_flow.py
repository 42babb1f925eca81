"""The demo as a newcomer starts it: a month of sales flows from files through Spark into tables and a spreadsheet."""

from __future__ import annotations

import csv
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from pathlib import Path

from bailiwick.demo import data
from tests.e2e.demo.conftest import Demo


def fits(row: dict[str, str]) -> bool:
    """Whether a receipt can be read, by Python's own reading of dates and numbers."""
    try:
        date.fromisoformat(row["sold_on"])
        int(row["quantity"])
        Decimal(row["price"])
    except (ValueError, InvalidOperation):
        return False
    return True


def test_the_data_of_the_demo_is_what_its_files_say(demo: Demo, tmp_path: Path) -> None:
    files, tables = tmp_path / "files", demo.rows
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
    assert tables["service.daily_sales"] == len(groups) == demo.exported
    before, after = ({one["customer_id"]: one for one in data._customers(week, 1)} for week in (0, 1))
    assert tables["raw.customers"] == len(after)
    changed = sum(before[key] != one for key, one in after.items() if key in before)
    assert tables["trusted.customers_history"] == len(before) + changed + len(after.keys() - before.keys())
