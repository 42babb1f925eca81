"""Results as files: pages across files and row groups, and values as JSON says them."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bailiwick.lakehouse.queries import results
from bailiwick.spark.jobs import Column


def kept(folder: Path, sizes: list[int], group: int = 3) -> results.Result:
    """A result of numbers from nought on, in files of these sizes; each holds one row more than counts."""
    files, first = [], 0
    for at, size in enumerate(sizes):
        table = pa.table({"c0": pa.array([*range(first, first + size), -1], pa.int64())})
        pq.write_table(table, folder / f"part-{at}.parquet", row_group_size=group)
        files.append([f"part-{at}.parquet", size])
        first += size
    about = {"columns": [{"name": "n", "type": "bigint"}], "rows": first, "cut": False, "files": files}
    return results.Result(folder, about)


@settings(deadline=None)
@given(st.lists(st.integers(1, 10), max_size=4), st.integers(0, 45), st.integers(1, 45))
def test_a_page_is_that_part_of_the_rows(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int], offset: int, limit: int
) -> None:
    result = kept(tmp_path_factory.mktemp("result"), sizes)
    expected = list(range(sum(sizes)))[offset : offset + limit]
    assert [row[0] for row in results.page(result, offset, limit)] == expected


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (2**53, str(2**53)),
        (2**53 - 1, 2**53 - 1),
        (float("inf"), "inf"),
        (Decimal("1.10"), "1.10"),
        (date(2026, 3, 1), "2026-03-01"),
        (datetime(2026, 3, 1, 10, tzinfo=UTC), "2026-03-01T10:00:00Z"),
        (b"\x00\xff", "AP8="),
        ({"a": [Decimal("1.5"), None]}, {"a": ["1.5", None]}),
        (True, True),
    ],
)
def test_values_are_said_without_loss(value: Any, said: Any) -> None:
    assert results.plain(value) == said


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\tx", "\rx"])
def test_what_looks_like_a_formula_is_taken_for_text(tmp_path: Path, text: str) -> None:
    files = results.write(tmp_path, [Column("=name", "string")], [(text,)])
    result = results.Result(tmp_path, results.described(files))
    assert "".join(results.as_csv(result)).replace('"', "") == f"'=name\r\n'{text}\r\n"
    assert "".join(results.as_csv(result, escape_formulas=False)).replace('"', "") == f"=name\r\n{text}\r\n"


def test_more_rows_than_a_sheet_holds_are_refused(tmp_path: Path) -> None:
    result = results.Result(tmp_path, {"columns": [], "rows": results.EXCEL_ROWS + 1, "cut": False, "files": []})
    with pytest.raises(Exception, match="Take CSV or Parquet"):
        results.to_excel(result, tmp_path / "x.xlsx")
