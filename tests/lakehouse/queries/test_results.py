"""Results as files: pages across files and row groups, values as JSON says them, and how long they are there."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import settings as bounded
from hypothesis import strategies as st
from sqlalchemy import delete

from bailiwick.database.base import utc_now
from bailiwick.errors import Conflict
from bailiwick.lakehouse import versions
from bailiwick.lakehouse.models import Grant, Table
from bailiwick.lakehouse.queries import adhoc, results
from bailiwick.runs.models import Run
from bailiwick.settings import Settings
from bailiwick.spark.jobs import Column
from tests.lakehouse.company import Company


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


@bounded(deadline=None)
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


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\tx", "\rx", "\n=1", "\uff1d1", "\uff20x"])
def test_what_looks_like_a_formula_is_taken_for_text(tmp_path: Path, text: str) -> None:
    files = results.write(tmp_path, [Column("=name", "string")], [(text,)])
    result = results.Result(tmp_path, results.described(files))
    assert "".join(results.as_csv(result)).replace('"', "") == f"'=name\r\n'{text}\r\n"
    assert "".join(results.as_csv(result, escape_formulas=False)).replace('"', "") == f"=name\r\n{text}\r\n"


def test_more_rows_than_a_sheet_holds_are_refused(tmp_path: Path) -> None:
    result = results.Result(tmp_path, {"columns": [], "rows": results.EXCEL_ROWS + 1, "cut": False, "files": []})
    with pytest.raises(Exception, match="Take CSV or Parquet"):
        results.to_excel(result, tmp_path / "x.xlsx")


def of_columns(folder: Path, *columns: Any) -> results.Result:
    table = pa.table({f"c{at}": column for at, column in enumerate(columns)})
    pq.write_table(table, folder / "part-0.parquet", use_dictionary=False)
    names = [{"name": f"n{at}", "type": "?"} for at in range(len(columns))]
    about = {"columns": names, "rows": table.num_rows, "cut": False, "files": [["part-0.parquet", table.num_rows]]}
    return results.Result(folder, about)


def test_a_page_ends_before_it_fills_the_memory_however_small_the_file(tmp_path: Path) -> None:
    nothing = pa.array([[None] * 200_000] * 100, pa.list_(pa.int8()))
    result = of_columns(tmp_path, nothing)
    assert (tmp_path / "part-0.parquet").stat().st_size < 100_000
    page = results.page(result, 0, 100)
    assert 1 <= len(page) <= results.PAGE_BYTES // (results.BYTES_OF_A_VALUE * 200_000) + 1
    assert len(results.page(result, 99, 100)) == 1


def test_a_row_too_large_to_be_shown_is_said_to_be_and_the_others_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "ROW_BYTES", 1000)
    monkeypatch.setattr(results, "BATCH_BYTES", 1)
    result = of_columns(tmp_path, pa.array(["a", "b" * 2000]))
    assert results.page(result, 0, 1) == results.page(result, 0, 2) == [["a"]]
    with pytest.raises(Conflict, match="too large to be shown"):
        results.page(result, 1, 1)


def test_dates_and_times_that_python_does_not_know_are_said_as_text(tmp_path: Path) -> None:
    days = pa.array([3_790_000, 0, -800_000], pa.int32()).cast(pa.date32())
    moments = pa.array([400_000_000_000_000_000, 0, None], pa.int64()).cast(pa.timestamp("us", "UTC"))
    lists = pa.ListArray.from_arrays(pa.array([0, 1, 2, 3]), days)
    result = of_columns(tmp_path, days, moments, lists)
    first, second, third = results.page(result, 0, 3)
    assert first[0].startswith("12346-")
    assert first[1].startswith("14645-")
    assert first[2] == [first[0]]
    assert (second[0], third[1]) == ("1970-01-01", None)
    assert third[0].startswith("-")
    assert first[0] in "".join(results.as_csv(result))
    results.to_excel(result, tmp_path / "sheet.xlsx")


def test_what_a_sheet_would_swell_to_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "EXCEL_BYTES", 10_000)
    result = of_columns(tmp_path, pa.array(["x" * 30_000]))
    with pytest.raises(Conflict, match="too much for a sheet"):
        results.to_excel(result, tmp_path / "sheet.xlsx")


@pytest.mark.parametrize("kind", [adhoc.KIND, versions.SAMPLE])
@pytest.mark.parametrize("lost", ["the level", "the table"])
def test_rows_are_read_as_long_as_what_they_come_from(
    company: Company, settings: Settings, kind: str, lost: str
) -> None:
    """What Vic read stays his only while he may read it; whether a table is hidden or gone, nobody can tell."""
    vic, table = company.id("vic"), company.orders
    with company.database.session() as session:
        run = Run(kind=kind, subject_type=adhoc.SUBJECT, subject_id=table.id, number=1, state="succeeded")
        run.acts_as_id = run.started_by_id = vic
        run.parameters = {"sql": "SELECT * FROM raw.orders"} if kind == adhoc.KIND else {"table_id": str(table.id)}
        session.add(run)
        session.flush()
        files = results.write(settings.results_folder / str(run.id), [Column("customer", "string")], [("Ann",)])
        reads = [{"id": str(table.id), "name": "raw.orders"}] if kind == adhoc.KIND else []
        run.result, run.result_expires_at = {**results.described(files), "reads": reads}, utc_now() + timedelta(hours=1)
    assert company.get("vic", f"/queries/{run.id}/rows").json()["rows"] == [["Ann"]]
    with company.database.session() as session:
        session.execute(
            delete(Grant).where(Grant.member_id == vic)
            if lost == "the level"
            else delete(Table).where(Table.id == table.id)
        )
    for path in ("rows", "download"):
        answer = company.get("vic", f"/queries/{run.id}/{path}")
        assert (answer.status_code, answer.json()["detail"]) == (404, "There is no such table.")
