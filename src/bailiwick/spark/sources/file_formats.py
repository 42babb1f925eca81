"""Files as rows: CSV, JSON lines, Parquet and Excel."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import (
    ArrayType,
    BooleanType,
    DataType,
    DoubleType,
    LongType,
    MapType,
    StringType,
    StructField,
    StructType,
)

from bailiwick.spark.errors import SparkProblem
from bailiwick.spark.problems import explained
from bailiwick.spark.sources.checking import typed, work_out_types
from bailiwick.spark.sources.jobs import FilesAt
from bailiwick.spark.sources.naming import clean_names
from bailiwick.spark.sources.reading import Reading, with_clean_names
from bailiwick.spark.writing import quoted

CORRUPT = "_corrupt"
Types = Callable[[str], str | None]  # the type a column has to have, if anybody said so


def read_files(session: SparkSession, paths: Sequence[str], at: FilesAt, types: Types) -> Reading:
    """The rows of files that nobody changes."""
    if at.format == "parquet":
        with explained():
            rows = session.read.option("mergeSchema", str(len(paths) > 1).lower()).parquet(*paths)
            return Reading(with_clean_names(rows), may_lack_columns=True)
    if at.format == "csv":
        return _checked(_csv(session, paths, at), types, "CSV")
    if at.format == "excel":
        return _checked(_excel(session, paths, at), types, "Excel")
    return read_json_lines(session, paths, types)


def _checked(texts: DataFrame, types: Types, what: str) -> Reading:
    """Text with types: those that are known, and for other columns what their values look like."""
    columns = [name for name in texts.columns if name != CORRUPT]
    known = {name: type_ for name in columns if (type_ := types(name))}
    with explained():
        found = work_out_types(texts, [name for name in columns if name not in known])
        corrupt = CORRUPT if CORRUPT in texts.columns else None
        rows = typed(texts, {**known, **found}, what, corrupt)
    return Reading(rows, can_reject=True, may_lack_columns=True)


# CSV -----------------------------------------------------------------------------------------------------------------


def _csv(session: SparkSession, paths: Sequence[str], at: FilesAt) -> DataFrame:
    """All columns as text. Files are read together with those that have the same header."""
    session.conf.set("spark.sql.csv.parser.columnPruning.enabled", "false")  # else bad rows pass for good ones
    by_header: dict[tuple[str, ...], list[str]] = {}
    for path in paths:
        header = _header(path, at)
        if header:
            by_header.setdefault(header, []).append(path)
    if not by_header:
        raise SparkProblem("no_rows", "The files are empty.", "Put files with rows there, or narrow the pattern.")
    return _together([_csv_of(session, header, same, at) for header, same in by_header.items()])


def _csv_of(session: SparkSession, header: tuple[str, ...], paths: list[str], at: FilesAt) -> DataFrame:
    schema = _texts([*clean_names(header), CORRUPT])
    with explained():
        return session.read.csv(
            paths,
            schema=schema,
            header=at.header,
            sep=at.delimiter,
            quote=at.quote,
            escape=at.quote,
            encoding=at.encoding,
            mode="PERMISSIVE",
            columnNameOfCorruptRecord=CORRUPT,
            multiLine=True,
            ignoreLeadingWhiteSpace=False,
            ignoreTrailingWhiteSpace=False,
            enforceSchema=True,
        )


def _header(path: str, at: FilesAt) -> tuple[str, ...]:
    encoding = "utf-8-sig" if at.encoding == "utf-8" else at.encoding
    try:
        with Path(path).open(encoding=encoding, newline="") as file:
            first = next(csv.reader(file, delimiter=at.delimiter, quotechar=at.quote), [])
    except (UnicodeError, csv.Error) as error:
        message = f"A file cannot be read as CSV in {at.encoding}: {error}."
        raise SparkProblem("not_csv", message, "Choose another encoding or delimiter.") from error
    return tuple(first) if at.header else tuple(f"column_{number}" for number, _ in enumerate(first, 1))


# JSON ----------------------------------------------------------------------------------------------------------------


def read_json_lines(session: SparkSession, paths: Sequence[str], types: Types) -> Reading:
    """Objects, one a line. What is nested is kept as JSON text, so that it can change without changing the table."""
    session.conf.set("spark.sql.legacy.json.allowEmptyString.enabled", "false")
    with explained():
        found = session.read.json(list(paths), columnNameOfCorruptRecord=CORRUPT, dropFieldIfAllNull=False).schema
    fields = [field for field in found.fields if field.name != CORRUPT]
    if not fields:
        raise SparkProblem("not_json", "There is no JSON object in it.", "One object a line is expected.")
    names = clean_names([field.name for field in fields])
    own = {name: _json_type(field.dataType) for name, field in zip(names, fields, strict=True)}
    schema = _texts([*(field.name for field in fields), CORRUPT])
    with explained():
        texts = session.read.json(
            list(paths), schema=schema, mode="PERMISSIVE", columnNameOfCorruptRecord=CORRUPT
        ).toDF(*names, CORRUPT)
        rows = typed(texts, {name: types(name) or type_ for name, type_ in own.items()}, "JSON", CORRUPT)
    return Reading(rows, can_reject=True, may_lack_columns=True)


def _json_type(type_: DataType) -> str:
    if isinstance(type_, LongType | DoubleType | BooleanType):
        return type_.simpleString()
    assert isinstance(type_, DataType | ArrayType | MapType | StructType)
    return "string"


# Excel ---------------------------------------------------------------------------------------------------------------


def _excel(session: SparkSession, paths: Sequence[str], at: FilesAt) -> DataFrame:
    """The sheet of each workbook, by way of JSON lines beside it: Spark does not read workbooks."""
    parts = []
    for path in paths:
        staged = f"{path}.jsonl"
        header = _stage_sheet(path, staged, at)
        if header:
            with explained():
                parts.append(session.read.json(staged, schema=_texts(header)))
    if not parts:
        raise SparkProblem("no_rows", "The sheets are empty.", "Choose another sheet, or put rows into it.")
    return _together(parts)


def _stage_sheet(path: str, staged: str, at: FilesAt) -> list[str]:
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        book = CalamineWorkbook.from_path(path)
        if at.sheet is not None and at.sheet not in book.sheet_names:
            message = f"There is no sheet “{at.sheet}”; there are {', '.join(book.sheet_names)}."
            raise SparkProblem("no_sheet", message, "Name one of these.")
        sheet = book.get_sheet_by_name(at.sheet) if at.sheet is not None else book.get_sheet_by_index(0)
        rows: Iterator[list[Any]] = iter(sheet.iter_rows())
    except CalamineError as error:
        message = f"A file cannot be read as a workbook: {error}."
        raise SparkProblem("not_excel", message, "Put .xlsx, .xls, .xlsb or .ods files there.") from error
    first = next(rows, None)
    if first is None:
        return []
    if at.header:
        header = clean_names([_cell(value) or "" for value in first])
    else:
        header = [f"column_{number}" for number, _ in enumerate(first, 1)]
        rows = _with_first(first, rows)
    with Path(staged).open("w", encoding="utf-8") as file:
        for row in rows:
            cells = zip(header, map(_cell, row), strict=False)
            values = {name: text for name, text in cells if text is not None}
            if values:
                file.write(json.dumps(values) + "\n")
    return header


def _with_first(first: list[Any], rows: Iterator[list[Any]]) -> Iterator[list[Any]]:
    yield first
    yield from rows


def _cell(value: Any) -> str | None:
    """A cell as text. Workbooks keep whole numbers as fractions; nobody means 5.0 by a 5."""
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    if isinstance(value, datetime):
        return str(value.date()) if value.time() == time() else value.isoformat(sep=" ")
    if isinstance(value, date | time | timedelta):
        return str(value)
    return str(value)


# Shared --------------------------------------------------------------------------------------------------------------


def _texts(names: Sequence[str]) -> StructType:
    return StructType([StructField(name, StringType()) for name in names])


def _together(parts: list[DataFrame]) -> DataFrame:
    """Rows of files whose columns differ; what a file lacks is empty."""
    whole = parts[0]
    for part in parts[1:]:
        same = {name.lower(): name for name in whole.columns}
        part = part.select(*(F.col(quoted(name)).alias(same.get(name.lower(), name)) for name in part.columns))
        whole = whole.unionByName(part, allowMissingColumns=True)
    return whole


def told_types(*several: Mapping[str, str]) -> Types:
    """Types by name, whatever the case; the first that knows a name counts."""
    merged = {name.lower(): type_ for known in reversed(several) for name, type_ in known.items()}
    return lambda name: merged.get(name.lower())
