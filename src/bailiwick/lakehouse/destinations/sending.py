"""Rows that were spilled to files, to where they go. One attempt or several, they arrive once."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from bailiwick.lakehouse.destinations import postgresql, webhook
from bailiwick.lakehouse.paths import opened_folder
from bailiwick.lakehouse.queries import results
from bailiwick.spark.destinations.jobs import Delivered, Delivery, Target, ToFile, ToPostgresql, ToWebhook
from bailiwick.spark.errors import SparkProblem
from bailiwick.spark.jobs import Context
from bailiwick.spark.queries.jobs import ResultFiles
from bailiwick.spark.words import how_many

Spill = Callable[[Context], ResultFiles]


def deliver(job: Delivery, spill: Spill, context: Context) -> Delivered:
    """Send the table's rows. `spill` has Spark put them into files, unless they arrived already."""
    target = job.target
    if isinstance(target, ToPostgresql):
        before = postgresql.delivered(target, job.id)
        if before is not None:
            context.log("An attempt before this one had delivered the rows already.")
            return Delivered(before, (), f"{how_many(before, 'row')} delivered")
    try:
        found = spill(context)
        result = results.Result(Path(job.folder), results.described(found))
        context.confirm()
        if isinstance(target, ToPostgresql):
            says = postgresql.send(target, job.id, result, context)
        elif isinstance(target, ToFile):
            says = to_file(target, job.id, result)
        else:
            says = webhook.send(target, job.id, job.table, result, context)
        context.progress(rows_written=found.rows)
        return Delivered(found.rows, tuple(column.name for column in found.columns), says)
    finally:
        shutil.rmtree(job.folder, ignore_errors=True)


def try_out(target: Target) -> str:
    """Whether the place answers; nothing is sent."""
    if isinstance(target, ToPostgresql):
        return postgresql.try_out(target)
    if isinstance(target, ToWebhook):
        return webhook.try_out(target)
    with opened_folder(Path(target.folder), target.path[:-1], make=True):
        return f"The folder is there; the file will be {'/'.join(target.path)}."


def to_file(target: ToFile, delivery: str, result: results.Result) -> str:
    """Write the file beside its place, then put it there: whoever looks sees the old one or the new one, whole."""
    if target.format == "xlsx" and result.rows > results.EXCEL_ROWS:
        message = f"A sheet holds {results.EXCEL_ROWS} rows, and there are {result.rows}."
        raise SparkProblem("too_many_rows", message, "Choose CSV or Parquet.")
    draft = Path(target.folder).parent / ".drafts" / delivery  # beside the volumes, where nobody can look
    draft.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        if target.format == "csv":
            with draft.open("w", encoding="utf-8", newline="") as file:
                for text in results.as_csv(result, escape_formulas=target.escape_formulas):
                    file.write(text)
        elif target.format == "parquet":
            results.to_parquet(result, draft)
        else:
            results.to_excel(result, draft)
        *folders, name = target.path
        with opened_folder(Path(target.folder), tuple(folders), make=True) as here:
            os.replace(draft, name, dst_dir_fd=here)
    finally:
        with contextlib.suppress(FileNotFoundError):
            draft.unlink()
    return f"{how_many(result.rows, 'row')} written to {'/'.join(target.path)}"
