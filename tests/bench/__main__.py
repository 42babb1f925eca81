"""Runs the benches, prints the table, writes it as JSON, and fails when a target is missed."""

from __future__ import annotations

import argparse
import json
import logging
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import structlog
from rich.console import Console
from rich.table import Table

from tests.bench import api, audit, checks, gate, grid, lists, pages, pipelines, queries, queue, reviews, starts, tables
from tests.bench.measure import Result, Say

BENCHES: dict[str, Callable[[Say, bool], Iterator[Result]]] = {
    "check": checks.run,
    "list": lists.run,
    "review": reviews.run,
    "api": api.run,
    "audit": audit.run,
    "queue": queue.run,
    "tables": tables.run,
    "gate": gate.run,
    "query": queries.run,
    "pipeline": pipelines.run,
    "start": starts.run,
    "pages": pages.run,
    "grid": grid.run,
}
JSON_FILE = Path("bench-results") / "results.json"
WIDTH = 140  # of a table that goes into a file


def main(words: list[str] | None = None) -> int:
    arguments = _arguments(words)
    console, progress = Console(), Console(stderr=True)
    if not console.is_terminal:
        console.width = WIDTH
    results: dict[str, list[Result]] = {}
    started = datetime.now(UTC)
    for name in arguments.names or BENCHES:
        results[name] = _run(name, arguments.quick, progress)
    console.print(_table(results))
    _write(arguments.json, results, started, quick=arguments.quick)
    console.print(f"Written to {arguments.json}")
    missed = [result for found in results.values() for result in found if not result.passed]
    if missed:
        console.print(f"[red]{len(missed)} missed their target.[/red]")
    return 1 if missed else 0


def _run(name: str, quick: bool, progress: Console) -> list[Result]:
    began = time.monotonic()
    with progress.status(name) as status:

        def say(what: str) -> None:
            status.update(f"{name}: {what} …")
            if not progress.is_terminal:
                progress.print(f"{name}: {what} …")

        found = list(BENCHES[name](say, quick))
    progress.print(f"{name}: done in {time.monotonic() - began:.0f} s")
    return found


def _arguments(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="bench", help=f"which of {', '.join(BENCHES)}; all without a name")
    parser.add_argument("--quick", action="store_true", help="fewer rows and rounds")
    parser.add_argument("--json", type=Path, default=JSON_FILE, help=f"where to write the results ({JSON_FILE})")
    arguments = parser.parse_args(words)
    if unknown := set(arguments.names) - set(BENCHES):
        parser.error(f"there is no bench {', '.join(sorted(unknown))}; there are {', '.join(BENCHES)}")
    return arguments


def _table(results: dict[str, list[Result]]) -> Table:
    table = Table("", "measured", "against", "ratio", "target", "", title="Bailiwick, measured")
    for found in results.values():
        for result in found:
            verdict = "" if not result.target else "[green]✓[/green]" if result.passed else "[red]✗ missed[/red]"
            ratio = f"{result.ratio:,.2f}×" if result.ratio < 10 else f"{result.ratio:,.0f}×"
            table.add_row(result.what, result.measured, result.peer, ratio, result.target, verdict)
        table.add_section()
    return table


def _write(file: Path, results: dict[str, list[Result]], started: datetime, *, quick: bool) -> None:
    report = {
        "started": started.isoformat(timespec="seconds"),
        "quick": quick,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "load": os.getloadavg(),  # what else the machine had to do
        "results": [
            {"bench": name, **asdict(result), "passed": result.passed}
            for name, found in results.items()
            for result in found
        ],
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    # Between the lines that say what is measured, only what went wrong.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    sys.exit(main())
