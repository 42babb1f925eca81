"""Watching runs in a terminal: bars that move, or plain lines where nobody looks on."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from bailiwick.cli.command import Here
from bailiwick.cli.failures import Failure, Problem
from bailiwick.cli.text import printable

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

TRIES, PAUSE_SECONDS = 5, 1.0
ENDED = ("succeeded", "failed", "cancelled", "restricted")


class Screen(Protocol):
    """Where events are shown."""

    def run(self, run: dict[str, Any]) -> None: ...

    def line(self, line: dict[str, Any]) -> None: ...


def watch_one(here: Here, run_id: str) -> list[dict[str, Any]]:
    """Until it has ended; the run as it ended."""
    return _watch(here, f"/runs/{run_id}/events")


def watch_mine(here: Here) -> list[dict[str, Any]]:
    """Until all of the caller's runs have ended; the runs as they ended."""
    ended = _watch(here, "/runs/events")
    if not ended:
        here.say("Nothing of yours waits or runs.")
    return ended


def _watch(here: Here, path: str) -> list[dict[str, Any]]:
    runs: dict[str, dict[str, Any]] = {}
    with _screen(here) as screen:
        for event, data in _events(here, path):
            if event == "run":
                runs[data["id"]] = data
                screen.run(data)
            elif event == "log":
                screen.line(data)
            elif event == "end" and data["reason"] != "ended":
                raise Failure("You are no longer signed in, or may not see it any more.", title="Not found")
    return [run for run in runs.values() if run["state"] in ENDED]


def _events(here: Here, path: str) -> Iterator[tuple[str, Any]]:
    """Go on where it stopped, should the line break."""
    last: str | None = None
    tries = TRIES
    while True:
        try:
            for event, id_, data in here.client.events(path, last):
                last, tries = id_ or last, TRIES
                yield event, data
                if event == "end":
                    return
        except Problem:
            raise
        except Failure:
            if tries == 0:
                raise
        tries -= 1
        if tries < 0:
            raise Failure(f"{here.server} stopped telling.", "Try again.", "No answer")
        time.sleep(PAUSE_SECONDS)


@contextmanager
def _screen(here: Here) -> Iterator[Screen]:
    if here.as_json:
        yield AsJson()
    elif not sys.stdout.isatty():
        yield Plain(here)
    else:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        with Progress(*columns, TextColumn("{task.fields[told]}"), TimeElapsedColumn()) as bars:
            yield Bars(bars)


class AsJson:
    """A line an event, for programs."""

    def run(self, run: dict[str, Any]) -> None:
        sys.stdout.write(json.dumps({"event": "run", "data": run}) + "\n")

    def line(self, line: dict[str, Any]) -> None:
        sys.stdout.write(json.dumps({"event": "log", "data": line}) + "\n")


class Plain:
    """A line a change."""

    def __init__(self, here: Here) -> None:
        self._here = here
        self._said: dict[str, str] = {}

    def run(self, run: dict[str, Any]) -> None:
        said = f"{_name(run)}: {run['state']}{_told(run)}"
        if self._said.get(run["id"]) != said:
            self._said[run["id"]] = said
            self._here.say(said)

    def line(self, line: dict[str, Any]) -> None:
        self._here.say(f"  {line['text']}")


class Bars:
    """A bar a run, with its log above."""

    def __init__(self, bars: Progress) -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}

    def run(self, run: dict[str, Any]) -> None:
        from rich.markup import escape

        if run["id"] not in self._tasks:
            self._tasks[run["id"]] = self._bars.add_task("", total=None, told="")
        done, total = run["progress"].get("stages_done"), run["progress"].get("stages_total")
        if run["state"] in ENDED:
            done = total = total or 1
        description = escape(f"{_name(run)} {run['state']}")
        self._bars.update(
            self._tasks[run["id"]], description=description, completed=done or 0, total=total, told=escape(_told(run))
        )
        if run["state"] in ENDED:
            self._bars.stop_task(self._tasks[run["id"]])

    def line(self, line: dict[str, Any]) -> None:
        self._bars.console.print(printable(line["text"]), markup=False, highlight=False)


def _name(run: dict[str, Any]) -> str:
    return printable(f"{run['subject']['name'] or run['kind']} #{run['number']}")


def _told(run: dict[str, Any]) -> str:
    progress, problem = run["progress"], run["problem"]
    parts = []
    if progress.get("stages_total") and run["state"] == "running":
        parts.append(f"{progress['stages_done'] or 0} of {progress['stages_total']} stages")
    parts += [f"{run[f'rows_{way}']:,} rows {way}" for way in ("read", "written") if run[f"rows_{way}"] is not None]
    if progress.get("note") and run["state"] == "running":
        parts.append(progress["note"])
    if problem:
        parts.append(f"{problem['message']} {problem['fix']}".strip())
    return printable(f" ({', '.join(parts)})") if parts else ""
