"""Runs, triggers and notifications at the terminal."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from bailiwick.runs import ending, queue
from bailiwick.runs.commands import triggers, watching
from bailiwick.runs.errors import RunProblem
from bailiwick.runs.models import Run
from bailiwick.tenancy.models import Member
from tests.cli.terminal import Platform, Terminal
from tests.people import make_member
from tests.runs.making import ERRAND, Errands, errands_known, make_run


@pytest.fixture
def errands() -> Iterator[Errands]:
    with errands_known() as made:
        yield made


@pytest.fixture
def dan(platform: Platform) -> Member:
    with platform.database.session() as session:
        return make_member(session, "Dan", role="admin")


@pytest.fixture
def terminal(platform: Platform, dan: Member) -> Terminal:
    return platform.signed_in(dan)


def queued(platform: Platform, dan: Member, errands: Errands, name: str = "Count the stars") -> Run:
    with platform.database.session() as session:
        return make_run(session, dan, subject_id=errands.add(name, dan, edit=[dan]), subject_name=name)


def work(platform: Platform, seen: list[str], *, fail: bool = False) -> None:
    """What a worker does, each step once whoever watches has seen the one before."""

    def until(said: str) -> None:
        end = time.monotonic() + 60
        while not any(said in one for one in seen):
            assert time.monotonic() < end
            time.sleep(0.02)

    until("queued")
    with platform.database.session() as session:
        run = queue.claim(session, "one", queue.Wanted(["errand"]))
        assert run is not None
        assert run.lease is not None
        queue.report(session, run.id, run.lease, {"progress": {"stages_done": 1, "stages_total": 4}}, [])
    until("running")
    with platform.database.session() as session:
        held = queue.hold(session, run.id, run.lease)
        held.rows_written = 1234
        if fail:
            ending.fail(session, held, RunProblem("bad", "It went wrong.", "Mend it."))
        else:
            ending.succeed(session, held)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The states that whoever watches has seen."""
    states: list[str] = []
    for screen in (watching.Plain, watching.AsJson):
        shown: Any = screen.run

        def run(self: Any, run: dict[str, Any], shown: Any = shown) -> None:
            shown(self, run)
            states.append(run["state"])

        monkeypatch.setattr(screen, "run", run)
    return states


def test_a_run_is_watched_to_its_end(
    platform: Platform, terminal: Terminal, errands: Errands, dan: Member, seen: list[str]
) -> None:
    queued(platform, dan, errands)
    thread = threading.Thread(target=work, args=[platform, seen])
    thread.start()
    said = terminal("runs", "watch", "last")
    thread.join()
    assert said.splitlines() == [
        "Count the stars #1: queued",
        "Count the stars #1: running (1 of 4 stages)",
        "Count the stars #1: succeeded (1,234 rows written)",
    ]


def test_watching_all_of_ones_runs_ends_with_the_last_and_tells_programs_by_lines(
    platform: Platform, terminal: Terminal, errands: Errands, dan: Member, seen: list[str]
) -> None:
    assert "Nothing of yours" in terminal("runs", "watch")
    queued(platform, dan, errands)
    thread = threading.Thread(target=work, args=[platform, seen], kwargs={"fail": True})
    thread.start()
    result = terminal.run("runs", "watch", "--json")
    thread.join()
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert events[-1]["data"]["state"] == "failed"
    assert result.exit_code == 1


def test_runs_are_listed_shown_cancelled_retried_and_deleted(
    platform: Platform, terminal: Terminal, errands: Errands, dan: Member
) -> None:
    run = queued(platform, dan, errands)
    assert "Count the stars #1" in terminal("runs", "list", "--mine", "--state", "queued")
    assert terminal.json("runs", "list", "--state", "failed")["items"] == []
    assert "is cancelled" in terminal("runs", "cancel", str(run.id))
    shown = terminal("runs", "show", "last")
    assert "cancelled" in shown
    assert "run again" in shown
    assert "Cancelled." in terminal("runs", "log", "last")
    assert terminal.json("runs", "lineage", "last") == {"items": [], "hidden": 0}
    assert "ended already" in terminal.refused("runs", "cancel", "last")
    assert "#2 waits for its turn" in terminal("runs", "retry", "last")
    terminal("runs", "delete", str(run.id), "--yes")
    assert terminal.problem("runs", "show", str(run.id))["status"] == 404
    assert "no run's id" in terminal.refused("runs", "show", "yesterday")
    assert "No worker is running" in terminal("runs", "spark")


def test_triggers_are_added_shown_paused_and_removed(
    platform: Platform, terminal: Terminal, errands: Errands, dan: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = queued(platform, dan, errands)
    other = queued(platform, dan, errands, "Other")
    # Pipelines are what people name; this test has errands.
    monkeypatch.setattr(triggers, "subject", lambda here, text: {"type": ERRAND, "id": text})
    said = terminal("triggers", "preview", "30 6 * * MON-FRI", "--time-zone", "Europe/Berlin")
    assert said.startswith("At 06:30, Monday through Friday, Europe/Berlin time\n")
    assert said.splitlines()[1] == "Next, in your time zone (UTC):"
    assert len(said.splitlines()) == 7
    made = terminal.json("triggers", "add", str(run.subject_id), "--cron", "0 6 * * *", "--time-zone", "UTC")
    assert made["words"] == "At 06:00, UTC time"
    assert "At 06:00" in terminal("triggers", "list")
    assert "At 07:00" in terminal("triggers", "edit", made["id"], "--cron", "0 7 * * *")
    assert "is paused" in terminal("triggers", "pause", made["id"])
    assert "At 07:00" in terminal("triggers", "resume", made["id"])
    assert "At 07:00" in terminal("triggers", "show", made["id"])
    said = terminal("triggers", "add", str(run.subject_id), "--after", str(other.subject_id), "--needs-all")
    assert "After “Other” succeeded" in said
    terminal("triggers", "remove", made["id"], "--yes")
    assert len(terminal.json("triggers", "list", "--of", str(run.subject_id))["items"]) == 1


def test_a_pipeline_is_named_by_its_kind_and_name(terminal: Terminal) -> None:
    assert "names no pipeline" in terminal.refused("triggers", "add", "Orders", "--cron", "0 6 * * *")
    assert "no source “Orders”" in terminal.refused("triggers", "add", "source:Orders", "--cron", "0 6 * * *")


def test_notifications_are_set_up_and_received(platform: Platform, terminal: Terminal) -> None:
    assert "run failed" in terminal("notifications", "list")
    said = terminal.json("notifications", "channel", "run-succeeded", "--on", "--delay", "15")
    assert (said["is_on"], said["delay_minutes"]) == (True, 15)
    platform.member("Bo")
    terminal("notifications", "receive", "run-failed", "--member", "Bo")
    assert "Bo" in terminal("notifications", "receivers", "run-failed")
    assert "no longer" in terminal("notifications", "receive", "run-failed", "--stop")
    assert "is no channel" in terminal.refused("notifications", "receivers", "run-lost", code=2)


def test_bars_move_in_a_terminal() -> None:
    from io import StringIO

    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    screen = StringIO()
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[told]}"))
    run = {
        **{"id": "1", "kind": "sync", "number": 3, "state": "running", "subject": {"name": "Orders [all]\x1b"}},
        **{"progress": {"stages_done": 1, "stages_total": 4}, "rows_read": 10, "rows_written": None, "problem": None},
    }
    with Progress(*columns, console=Console(file=screen, force_terminal=True, width=120)) as shown:
        bars = watching.Bars(shown)
        bars.run(run)
        assert (shown.tasks[0].completed, shown.tasks[0].total) == (1, 4)
        bars.line({"text": "Reading [bold]"})
        bars.run({**run, "state": "succeeded"})
        assert shown.finished
    assert "Orders [all]" in screen.getvalue()
    assert "Reading [bold]" in screen.getvalue()
