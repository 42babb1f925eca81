"""Streams that are suggested for files: what belongs together, and what it is called."""

from __future__ import annotations

from pathlib import Path

import pytest

from bailiwick.spark.sources.files import find_files
from bailiwick.spark.sources.suggesting import suggested


@pytest.mark.parametrize(
    ("files", "streams"),
    [
        (["orders.csv", "customers.csv"], {"customers.csv": "customers", "orders.csv": "orders"}),
        (["orders_2026-07.csv", "orders_2026-08.csv"], {"orders_*.csv": "orders"}),
        (["2026/07/orders.csv", "2026/08/orders.csv"], {"*/*/orders.csv": "orders"}),
        (["day=1/a.csv", "day=2/b.csv"], {"*/a.csv": "a", "*/b.csv": "b"}),
        (["orders/a.csv", "orders/b.csv", "orders/c.txt"], {"orders/*.csv": "orders", "orders/*.txt": "orders"}),
        (["shop/orders/2026/07/a.csv", "shop/orders/2026/08/b.csv"], {"shop/orders/*/*/*.csv": "orders"}),
        (["part-0-0c1d2e3f-0123-4567-89ab-0123456789ab-c0.csv"], {"part-*-*-c*.csv": "part_c"}),
        (["2026.csv"], {"*.csv": "files"}),
        (["of [a] kind 1.csv"], {"of [[]a] kind *.csv": "of_a_kind"}),
        (["picture.png", ".hidden.csv"], {}),
    ],
)
def test_files_that_belong_together_are_one_stream(tmp_path: Path, files: list[str], streams: dict[str, str]) -> None:
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    found = suggested(find_files(str(tmp_path), "**/*"), {".csv", ".txt"})
    assert {pattern: name for pattern, (name, _) in found.items()} == streams
    for pattern, (_, belonging) in found.items():  # a pattern finds what it was made of
        assert {file.name for file in belonging} <= {file.name for file in find_files(str(tmp_path), pattern)}
