"""What a command prints: tables and sentences for people, JSON for programs, a spinner for whoever waits."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Any

from bailiwick.cli.text import as_json, as_text, is_moment, moment, words

if TYPE_CHECKING:
    from rich.console import Console

Item = Mapping[str, Any]
# A column's heading, and the field it shows or how to work it out.
Columns = Mapping[str, "str | Callable[[Item], object]"]

PIPED_WIDTH = 200
PATIENCE_SECONDS = 1.0


def console() -> Console:
    """Standard output; in a pipe wide enough that a row is a line."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else PIPED_WIDTH)


def print_json(answer: object) -> None:
    sys.stdout.write(as_json(answer) + "\n")


def print_table(items: Sequence[Item], columns: Columns, zone: Callable[[], tzinfo | None]) -> None:
    """A row an item. The time zone is asked for only where a time is shown."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    rows = [[value_of(item, field, zone) for field in columns.values()] for item in items]
    screen = console()
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    widths = widths_of([list(columns), *rows], screen.width - 2 * len(columns))
    for heading, width in zip(columns, widths, strict=True):
        table.add_column(Text(heading), overflow="fold", width=width)
    for row in rows:
        table.add_row(*map(Text, row))
    screen.print(table)


def widths_of(rows: Sequence[Sequence[str]], room: int) -> list[int]:
    """How wide each column is: as it needs, and where there is no room, the widest give way, between words if they can.

    An e-mail address or an id is one word: broken, it could not be copied."""
    from rich.cells import cell_len

    columns = list(zip(*rows, strict=True))
    words_in = [max(cell_len(word) for text in column for word in text.split() or [""]) for column in columns]
    lines_in = [max(cell_len(line) for text in column for line in text.splitlines() or [""]) for column in columns]
    widths = [1] * len(columns)
    for wanted in (words_in, lines_in):
        for level in range(1, max(wanted) + 1):
            wider = [max(width, min(want, level)) for width, want in zip(widths, wanted, strict=True)]
            if sum(wider) > room:
                break
            widths = wider
    return widths


def print_fields(item: Item, columns: Columns, zone: Callable[[], tzinfo | None]) -> None:
    """One thing: a line a field, and what the caller may do with it."""
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for heading, field in columns.items():
        table.add_row(heading, Text(value_of(item, field, zone)))
    if "actions" in item:
        table.add_row("You may", Text(", ".join(words(action) for action in item["actions"]) or "–"))
    console().print(table)


def value_of(item: Item, field: str | Callable[[Item], object], zone: Callable[[], tzinfo | None]) -> str:
    value = item.get(field) if isinstance(field, str) else field(item)
    if isinstance(value, datetime):
        return moment(value.isoformat(), zone())
    if isinstance(field, str) and is_moment(field, value):
        return as_text(value, field, zone())
    return as_text(value)


@contextmanager
def waiting(message: str) -> Iterator[None]:
    """Turn a wheel beside the message, once the wait has become longer than a second."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    status = Console(stderr=True).status(message)
    timer = threading.Timer(PATIENCE_SECONDS, status.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        status.stop()


@contextmanager
def progress(message: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error that is told `(done, total)`; it shows nothing where nobody looks on."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(message, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def steps(message: str) -> Iterator[Callable[[str, int, int], None]]:
    """A bar on standard error that is told `(what, done, total)`; where nobody looks on, a line a step."""
    if not sys.stderr.isatty():
        yield lambda what, done, total: print(f"{message} {done}/{total}: {what}", file=sys.stderr, flush=True)  # noqa: T201
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(message, total=None)
        yield lambda what, done, total: bar.update(task, description=what, completed=done, total=total)
