"""Files: read once, checked value by value, followed when their columns change, noticed when they change meanwhile."""

from __future__ import annotations

import csv
import json
import os
import shutil
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter

from bailiwick.spark.engine import Engine
from bailiwick.spark.sources import looking
from bailiwick.spark.sources.jobs import FilesAt, LookJob
from tests.spark.contexts import Alone
from tests.spark.sources.making import Source, make_source

DIRTY = '''id,customer,amount,ordered
1,Ada,10.5,2024-01-01
2,"Bo, the ""second""",abc,2024-01-02
3,Cy,7,2024-13-99
4,"a
line",8.25,2024-01-04
5,Eve,9
6,Flo,,2024-01-06
'''


@pytest.fixture
def landing(tmp_path: Path) -> Path:
    folder = tmp_path / "landing"
    folder.mkdir()
    return folder


def source(engine: Engine, tmp_path: Path, format_: str = "csv", pattern: str = "*", **more: Any) -> Source:
    at = FilesAt(str(tmp_path / "landing"), str(tmp_path / "staging"), format_)
    return make_source(engine, tmp_path, at, {"pattern": pattern}, **more)


KNOWN = {"id": "bigint", "amount": "double", "ordered": "date"}


def test_dirty_csv_lands_what_fits_and_sets_aside_the_rest(engine: Engine, tmp_path: Path, landing: Path) -> None:
    (landing / "a.csv").write_text(DIRTY)
    here = source(engine, tmp_path, types=KNOWN)
    outcome = here.run()
    by_hand = list(csv.reader(DIRTY.splitlines(keepends=True)))[1:]
    good = [row for row in by_hand if row[0] in "146"]
    assert here.rows() == [
        (int(id_), customer, float(amount) if amount else None, date.fromisoformat(ordered))
        for id_, customer, amount, ordered in good
    ]
    reasons = [reason for reason, _ in here.rejects()]
    assert reasons == [
        "cannot be read as CSV",
        "column amount: 'abc' is not a double",
        "column ordered: '2024-13-99' is not a date",
    ]
    assert "5,Eve,9" in here.rejects()[0][1]
    assert json.loads(here.rejects()[1][1])["customer"] == 'Bo, the "second"'
    assert (outcome.rows_written, outcome.rows_rejected, outcome.rejects_rows) == (3, 3, 3)
    assert not list((tmp_path / "staging").iterdir())


def test_types_are_worked_out_and_a_little_dirt_does_not_make_numbers_text(
    engine: Engine, tmp_path: Path, landing: Path
) -> None:
    lines = [f"{n},{n / 4},0{n},true,2024-01-01 10:00:00,x" for n in range(100)] + [
        "oops,1,01,false,2024-01-01 11:00:00,y"
    ]
    (landing / "a.csv").write_text("Id,the amount,code,good?,at,Id\n" + "\n".join(lines))
    here = source(engine, tmp_path)
    outcome = here.run()
    assert here.types() == {
        "Id": "bigint",
        "the_amount": "double",
        "code": "string",
        "good": "boolean",
        "at": "timestamp",
        "Id_2": "string",
    }
    assert (outcome.rows_written, outcome.rows_rejected) == (100, 1)
    assert here.rejects()[0][0] == "column Id: 'oops' is not a bigint"


def test_a_full_reading_replaces_rows_and_rejects(engine: Engine, tmp_path: Path, landing: Path) -> None:
    (landing / "a.csv").write_text(DIRTY)
    here = source(engine, tmp_path, types=KNOWN)
    here.run()
    here.run()
    assert len(here.rows()) == 3
    assert len(here.rejects()) == 3
    (landing / "a.csv").write_text("id,customer,amount,ordered\n9,Zoe,1,2024-02-01\n")
    assert here.run().rows_rejected == 0
    assert here.rows("id") == [(9,)]
    assert here.rejects() == []


def test_only_files_not_read_yet_are_read_and_late_ones_too(engine: Engine, tmp_path: Path, landing: Path) -> None:
    (landing / "2024-02.csv").write_text("id,v\n1,a\n2,b\n")
    here = source(engine, tmp_path, mode="incremental")
    assert here.run().rows_written == 2
    assert not here.run().committed
    (landing / "2024-01.csv").write_text("id,v\n3,late\n")
    assert here.run().rows_written == 1
    assert here.rows() == [(1, "a"), (2, "b"), (3, "late")]


def test_a_changed_file_is_read_again_and_merged_by_its_key(engine: Engine, tmp_path: Path, landing: Path) -> None:
    (landing / "a.csv").write_text("id,v,at\n1,a,1\n2,b,1\n,nobody,1\n")
    here = source(engine, tmp_path, mode="incremental", primary_key=("id",), cursor_column="at")
    assert here.run().rows_rejected == 1
    (landing / "a.csv").write_text("id,v,at\n2,newer,3\n2,older,2\n3,c,1\n")
    here.run()
    assert here.rows("id", "v") == [(1, "a"), (2, "newer"), (3, "c")]
    assert [reason for reason, _ in here.rejects()] == ["column id: the primary key is missing"]
    assert any("read again" in line for line in here.told.logged)


def test_of_rows_with_one_key_in_a_full_reading_one_lands(engine: Engine, tmp_path: Path, landing: Path) -> None:
    (landing / "a.csv").write_text("id,v\n1,a\n1,b\n2,c\n")
    here = source(engine, tmp_path, primary_key=("id",))
    assert here.run().rows_rejected == 1
    assert here.rows("id") == [(1,), (2,)]
    assert here.rejects()[0][0] == "primary key id: another row has the same"


def test_json_lines_keep_what_is_nested_as_text(engine: Engine, tmp_path: Path, landing: Path) -> None:
    lines = ['{"id": 1, "tags": ["a", "b"], "zip": "01234", "x": {"y": 1}}', "{broken", '{"id": 2, "new": 1.5}']
    (landing / "a.jsonl").write_text("\n".join(lines))
    here = source(engine, tmp_path, "json_lines")
    assert here.run().rows_rejected == 1
    assert here.types() == {"id": "bigint", "new": "double", "tags": "string", "x": "string", "zip": "string"}
    assert here.rows("id", "tags", "zip", "x") == [(1, '["a", "b"]', "01234", '{"y": 1}'), (2, None, None, None)]
    assert here.rejects() == [("cannot be read as JSON", "{broken")]
    (landing / "a.jsonl").write_text('{"id": "three", "new": 2}\n{"id": 4}')
    assert here.run().rows_rejected == 1
    assert here.rows("id") == [(4,)]
    assert here.rejects()[0][0] == "column id: 'three' is not a bigint"


def test_workbooks_are_read_cell_by_cell(engine: Engine, tmp_path: Path, landing: Path) -> None:
    book = xlsxwriter.Workbook(str(landing / "a.xlsx"))
    sheet = book.add_worksheet("Orders")
    sheet.write_row(0, 0, ["id", "Amount (EUR)", "when", "note"])
    day = book.add_format({"num_format": "yyyy-mm-dd"})
    for row in range(1, 4):
        sheet.write_row(row, 0, [row, row / 2])
        sheet.write_datetime(row, 2, date(2024, 1, row), day)
    sheet.write(3, 3, "last")
    book.close()
    here = source(engine, tmp_path, "excel", "*.xlsx")
    here.run()
    assert here.types() == {"id": "bigint", "Amount_EUR": "double", "when": "date", "note": "string"}
    assert here.rows() == [(n, n / 2, date(2024, 1, n), "last" if n == 3 else None) for n in (1, 2, 3)]


def parquet(engine: Engine, path: Path, select: str) -> None:
    """A file of Parquet made by Spark itself."""
    folder = path.with_suffix(".folder")
    engine.spark.sql(select).coalesce(1).write.mode("overwrite").parquet(str(folder))
    shutil.move(next(folder.glob("*.parquet")), path)
    shutil.rmtree(folder)


@pytest.mark.parametrize(("mode", "key"), [("full", ()), ("incremental", ()), ("incremental", ("id",))])
def test_columns_are_added_and_widened_and_what_narrows_is_stopped(
    engine: Engine, tmp_path: Path, landing: Path, mode: str, key: tuple[str, ...]
) -> None:
    here = source(engine, tmp_path, "parquet", "*.parquet", mode=mode, primary_key=key)
    file = landing / "a.parquet"
    parquet(engine, file, "SELECT 1 AS id, CAST(1.5 AS float) AS f, CAST(1.25 AS decimal(5,2)) AS d")
    here.run()
    assert here.types() == {"id": "int", "f": "float", "d": "decimal(5,2)"}
    parquet(
        engine,
        file,
        "SELECT 5000000000 AS id, CAST(2.5 AS double) AS f, CAST(1.125 AS decimal(9,3)) AS d, 'new' AS more",
    )
    assert here.run().problem is None
    assert here.types() == {"id": "bigint", "f": "double", "d": "decimal(9,3)", "more": "string"}
    assert (5000000000, 2.5, "new") in here.rows("id", "f", "more")
    before = here.rows()
    parquet(engine, file, "SELECT 7 AS id, CAST(2.5 AS double) AS f, CAST(1.125 AS decimal(9,3)) AS d, 'new' AS more")
    problem = here.run().problem
    assert problem is not None
    assert problem["code"] == "schema_changed"
    assert "the column id was bigint and is int now" in problem["message"]
    assert "start over" in problem["fix"]
    assert here.rows() == before
    here.change(start_over=True)
    assert here.run().problem is None
    assert here.types()["id"] == "int"
    assert here.rows("id") == [(7,)]


def test_a_file_that_changes_while_it_is_read_is_noticed(
    engine: Engine, tmp_path: Path, landing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = landing / "a.csv"
    file.write_text("id,v\n1,a\n")
    copy = shutil.copyfile

    def slowly(source: Path, target: Path) -> None:
        copy(source, target)
        with file.open("a") as more:
            more.write("2,b\n")

    here = source(engine, tmp_path, mode="incremental")
    monkeypatch.setattr(shutil, "copyfile", slowly)
    problem = here.run().problem
    assert problem is not None
    assert problem["passing"]
    assert "a.csv changed while it was read" in problem["message"]
    monkeypatch.undo()
    assert here.run(again=True).rows_written == 2
    assert here.rows() == [(1, "a"), (2, "b")]


def test_nothing_outside_the_folder_is_read(engine: Engine, tmp_path: Path, landing: Path) -> None:
    (tmp_path / "secret.csv").write_text("id\n1\n")
    (landing / "link.csv").symlink_to(tmp_path / "secret.csv")
    (landing / "link").symlink_to(tmp_path, target_is_directory=True)
    (landing / ".half.csv").write_text("id\n1\n")
    here = source(engine, tmp_path, pattern="**/*.csv")
    problem = here.run().problem
    assert problem is not None
    assert problem["code"] == "no_files"


def test_files_with_other_columns_land_together(engine: Engine, tmp_path: Path, landing: Path) -> None:
    (landing / "a.csv").write_text("id,v\n1,a\n")
    (landing / "b.csv").write_text("V;no,ID,w\nb,2,3\n")
    os.utime(landing / "a.csv", (1, 1))
    here = source(engine, tmp_path)
    here.run()
    assert sorted(here.types()) == ["V_no", "id", "v", "w"]
    assert here.rows("id", "v", "V_no") == [(1, "a", None), (2, None, "b")]


def test_a_look_takes_in_the_other_files_too(
    engine: Engine, tmp_path: Path, landing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is shown is what lands: an amount that is no number in an older file makes the column text."""
    (landing / "orders_1.csv").write_text("id,amount\n1,10\n2,abc\n3,x\n4,7\n")
    (landing / "orders_2.csv").write_text("id,amount\n5,8\n")
    for day, name in enumerate(("orders_1.csv", "orders_2.csv"), 1):
        os.utime(landing / name, (day, day))
    at = FilesAt(str(landing), str(tmp_path / "staging"), "csv")

    def look() -> tuple[dict[str, str], list[Any]]:
        (stream,) = looking.discover(engine, LookJob(at, run_id="look", rows=10), Alone()).streams
        assert stream.problem is None
        return {column.name: column.type for column in stream.columns}, sorted(row["id"] for row in stream.sample)

    here = source(engine, tmp_path, pattern="orders_*.csv")
    here.run()
    landed = here.types()
    types, ids = look()
    assert types["amount"] == landed["amount"] == "string"
    assert ids == [1, 2, 3, 4, 5]
    monkeypatch.setattr(looking, "SOON_READ", 10)  # bytes: the newest is read in any case
    assert look() == ({"id": "bigint", "amount": "bigint"}, [5])
