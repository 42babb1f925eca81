"""Results of queries as files: read in pages, downloaded as CSV, Parquet or Excel, written where the catalogue answers.

No Spark is needed. Columns are called c0, c1, … in the files, for a statement may call two of them the same."""

from __future__ import annotations

import csv
import io
import math
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bailiwick.errors import Conflict
from bailiwick.spark.jobs import Column
from bailiwick.spark.queries.jobs import ResultFiles

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

BATCH_ROWS = 10_000
BATCH_BYTES = 1 << 20  # about; a row is never parted
PAGE_BYTES = 8 << 20
ROW_BYTES = 64 << 20  # no page shows a row of more
BYTES_OF_A_VALUE = 8  # at least, in memory; a file may hold a million NULLs in a few bytes
EXCEL_BYTES = 512 << 20
SAFE_INTEGER = 2**53 - 1  # beyond it, a number in JSON is not the same number everywhere
EXCEL_ROWS = 1_048_575
EXCEL_TEXT = 32_767
FORMULA = tuple(
    "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"
)  # begins a formula in spreadsheets; the last four, wide ones of =+-@


class TooLargeToShow(Conflict):
    """A row that no page can hold; files can."""


@dataclass(frozen=True)
class Result:
    """A result that is kept: where, and what is known of it."""

    folder: Path
    about: Mapping[str, Any]

    @property
    def columns(self) -> list[dict[str, str]]:
        return list(self.about["columns"])

    @property
    def rows(self) -> int:
        return int(self.about["rows"])

    @property
    def cut(self) -> bool:
        return bool(self.about["cut"])

    @property
    def names(self) -> list[str]:
        return [column["name"] for column in self.columns]


def described(result: ResultFiles) -> dict[str, Any]:
    """What the run keeps of a result."""
    return {
        "columns": [{"name": column.name, "type": column.type} for column in result.columns],
        "rows": result.rows,
        "cut": result.cut,
        "files": [list(file) for file in result.files],
    }


def page(result: Result, offset: int, limit: int) -> list[list[Any]]:
    """Some rows, as JSON can say them; fewer than asked for when they are wide."""
    found: list[list[Any]] = []
    size = 0
    for batch in batches(result, offset, limit):
        weight = _weight(batch)
        if weight > ROW_BYTES and batch.num_rows == 1:
            if found:
                break  # the rows before it are shown
            raise TooLargeToShow("A row of this result is too large to be shown. Download it, or ask for less of it.")
        found += [[plain(value) for value in row] for row in _rows(batch)]
        size += weight
        if size >= PAGE_BYTES:
            break
    return found


def batches(result: Result, offset: int = 0, limit: int | None = None) -> Iterator[pa.RecordBatch]:
    """The rows from `offset` on, some at a time; files and row groups before it are not opened."""
    import pyarrow.parquet as pq

    left = result.rows - offset if limit is None else limit
    for name, rows in result.about["files"]:
        if left <= 0:
            return
        if offset >= rows:
            offset -= rows
            continue
        with pq.ParquetFile(result.folder / name) as file:
            taken = min(left, rows - offset)
            left -= taken
            yield from _pieces(file, offset, taken)
        offset = 0


def _pieces(file: pq.ParquetFile, offset: int, limit: int) -> Iterator[pa.RecordBatch]:
    """Rows of one file, in pieces of about a megabyte, however wide they are."""
    for at in range(file.metadata.num_row_groups):
        group = file.metadata.row_group(at)
        if offset >= group.num_rows:
            offset -= group.num_rows
            continue
        rows = max(1, min(BATCH_ROWS, group.num_rows * BATCH_BYTES // max(1, _size(group))))
        for batch in file.iter_batches(rows, row_groups=[at]):
            if offset >= batch.num_rows:
                offset -= batch.num_rows
                continue
            piece = batch.slice(offset, limit)
            offset = 0
            limit -= piece.num_rows
            yield piece
            if limit == 0:
                return


def _size(group: Any) -> int:
    """About how much memory the rows of a group take."""
    values = sum(group.column(at).num_values for at in range(group.num_columns))
    return max(int(group.total_byte_size), BYTES_OF_A_VALUE * int(values))


def _weight(batch: pa.RecordBatch) -> int:
    return max(int(batch.nbytes), BYTES_OF_A_VALUE * sum(_values(column) for column in batch.columns))


def _values(array: Any) -> int:
    """How many values there are, those in lists, maps and structs counted one by one."""
    import pyarrow as pa

    if pa.types.is_map(array.type):
        return _values(array.keys) + _values(array.items)
    if pa.types.is_struct(array.type):
        return sum(_values(field) for field in array.flatten())
    if pa.types.is_nested(array.type):
        return _values(array.flatten()) + len(array)
    return len(array)


def _rows(batch: pa.RecordBatch) -> Iterator[tuple[Any, ...]]:
    return zip(*(_listed(column) for column in batch.columns), strict=True)


def _listed(column: Any) -> list[Any]:
    """The values of a column in Python; dates and times of years that Python does not know as text."""
    try:
        return list(column.to_pylist())
    except (ValueError, OverflowError):
        return list(column.cast(_with_times_as_text(column.type)).to_pylist())


def _with_times_as_text(kind: Any) -> Any:
    import pyarrow as pa

    if pa.types.is_temporal(kind):
        return pa.string()
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(_with_times_as_text(field.type)) for field in kind])
    if pa.types.is_map(kind):
        return pa.map_(_with_times_as_text(kind.key_type), _with_times_as_text(kind.item_type))
    return pa.list_(_with_times_as_text(kind.value_type)) if pa.types.is_nested(kind) else kind


def plain(value: Any) -> Any:
    """A value as JSON can say it: decimals, dates and times as text, binary in base 64, large numbers as text."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return value if abs(value) <= SAFE_INTEGER else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, (datetime, date, time)):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, (Decimal, timedelta)):
        return str(value)
    if isinstance(value, bytes):
        return b64encode(value).decode()
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return str(value)


def write(folder: Path, columns: Sequence[Column], rows: Sequence[Sequence[Any]]) -> ResultFiles:
    """Rows that the catalogue told, as a result like any other."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    kinds = {"bigint": pa.int64(), "int": pa.int64(), "boolean": pa.bool_()}
    arrays = [
        pa.array([row[at] if kind else _text(row[at]) for row in rows], kind or pa.string())
        for at, kind in enumerate(kinds.get(column.type) for column in columns)
    ]
    table = pa.table(arrays, names=[f"c{at}" for at in range(len(columns))])
    pq.write_table(table, folder / "part-0.parquet")
    return ResultFiles(tuple(columns), (("part-0.parquet", len(rows)),) if rows else ())


def _text(value: Any) -> str | None:
    return None if value is None else str(plain(value))


# Downloads -----------------------------------------------------------------------------------------------------------


def as_csv(result: Result, *, escape_formulas: bool = True) -> Iterator[str]:
    """Lines of comma-separated values. Text that spreadsheets would take for a formula gets an apostrophe in front,
    unless a program reads it and wants every value as it is."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)

    def poured() -> str:
        text = buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
        return text

    writer.writerow([_escaped(name) if escape_formulas else name for name in result.names])
    yield poured()
    for batch in batches(result):
        for row in _rows(batch):
            writer.writerow([_cell(value, escape_formulas) for value in row])
        yield poured()


def _cell(value: Any, escape_formulas: bool) -> Any:
    if value is None:
        return ""
    if isinstance(value, str):
        return _escaped(value) if escape_formulas else value
    if isinstance(value, (Mapping, list, tuple)):
        import json

        return json.dumps(plain(value), ensure_ascii=False)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return plain(value)


def _escaped(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULA) else text


def to_parquet(result: Result, file: Path) -> None:
    """One Parquet file with the columns' own names; a name that occurs again is numbered."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = _different(result.names)
    writer: pq.ParquetWriter | None = None
    try:
        for batch in batches(result):
            table = pa.Table.from_batches([batch]).rename_columns(names)
            writer = writer or pq.ParquetWriter(file, table.schema)
            writer.write_table(table)
        if writer is None:
            pq.write_table(pa.table({name: pa.array([], pa.string()) for name in names}), file)
    finally:
        if writer is not None:
            writer.close()


def _different(names: Sequence[str]) -> list[str]:
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name}_{seen[name]}")
    return found


def to_excel(result: Result, file: Path) -> None:
    """One sheet. Text stays text: nothing of it is taken for a formula or a link."""
    if result.rows > EXCEL_ROWS:
        raise Conflict(f"A sheet holds {EXCEL_ROWS} rows, and there are {result.rows}. Take CSV or Parquet.")
    if _unpacked(result) > EXCEL_BYTES:
        raise Conflict(f"The result has more than {EXCEL_BYTES >> 20} MB, too much for a sheet. Take CSV or Parquet.")
    import xlsxwriter

    options = {
        "constant_memory": True,
        "tmpdir": str(file.parent),
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
        "remove_timezone": True,
        "nan_inf_to_errors": True,
        "default_date_format": "yyyy-mm-dd hh:mm:ss",
    }
    with xlsxwriter.Workbook(file, options) as book:
        sheet = book.add_worksheet("Result")
        day = book.add_format({"num_format": "yyyy-mm-dd"})
        for at, name in enumerate(result.names):
            sheet.write_string(0, at, name[:EXCEL_TEXT])
        line = 0
        for batch in batches(result):
            for row in _rows(batch):
                line += 1
                for at, value in enumerate(row):
                    _write_cell(sheet, line, at, value, day)


def _unpacked(result: Result) -> int:
    import pyarrow.parquet as pq

    metas = [pq.read_metadata(result.folder / name) for name, _ in result.about["files"]]
    return sum(_size(meta.row_group(at)) for meta in metas for at in range(meta.num_row_groups))


def _write_cell(sheet: Any, line: int, at: int, value: Any, day: Any) -> None:
    if value is None:
        return
    if isinstance(value, bool):
        sheet.write_boolean(line, at, value)
    elif isinstance(value, (int, float, Decimal)) and abs(float(value)) <= SAFE_INTEGER:  # NaN is neither
        sheet.write_number(line, at, value)
    elif isinstance(value, datetime) and value.year >= 1900:
        sheet.write_datetime(line, at, value)
    elif isinstance(value, date) and not isinstance(value, datetime) and value.year >= 1900:
        sheet.write_datetime(line, at, value, day)
    else:
        sheet.write_string(line, at, str(_cell(value, False))[:EXCEL_TEXT])
