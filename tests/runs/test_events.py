"""Watching runs: events as they happen, and an end as soon as there is nothing more to see."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import update

from bailiwick.database.base import utc_now
from bailiwick.database.engine import Database
from bailiwick.runs import ending, queue
from bailiwick.runs.models import Run, RunLog
from bailiwick.tenancy.models import Member, SignInSession
from tests.cli.terminal import Platform, serving
from tests.people import make_member, make_session
from tests.runs.making import Errands, make_run

pytestmark = pytest.mark.parametrize("database", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture
def platform(database: Database, tmp_path: Path) -> Iterator[Platform]:
    with serving(database, tmp_path) as running:
        yield running


class Watcher:
    """Somebody who watches a run over a real connection, in a thread."""

    def __init__(self, platform: Platform, member: Member, path: str, last: str | None = None) -> None:
        with platform.database.session() as session:
            self.signed_in, secret = make_session(session, member)
        headers = {"Authorization": f"Bearer {secret}", **({"Last-Event-ID": last} if last else {})}
        self.events: list[tuple[str, Any]] = []
        self.status = 0
        self._address = f"{platform.address}/api/v1{path}"
        self._headers = headers
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        with httpx.stream("GET", self._address, headers=self._headers, timeout=30) as answer:
            self.status = answer.status_code
            name = ""
            for line in answer.iter_lines():
                field, _, value = line.partition(": ")
                if field == "event":
                    name = value
                elif field == "data":
                    self.events.append((name, json.loads(value)))

    def until(self, *names: str) -> list[tuple[str, Any]]:
        """Wait until these events have come."""
        end = time.monotonic() + 15
        while [name for name, _ in self.events][: len(names)] != list(names):
            assert time.monotonic() < end, self.events
            time.sleep(0.02)
        return self.events

    def ended(self) -> list[tuple[str, Any]]:
        self._thread.join(15)
        assert not self._thread.is_alive()
        return self.events


@pytest.fixture
def ada(database: Database) -> Member:
    with database.session() as session:
        return make_member(session, "Ada")


@pytest.fixture
def run(platform: Platform, database: Database, errands: Errands, ada: Member) -> Run:
    errand = errands.add("Count the stars", ada)
    with database.session() as session:
        return make_run(session, ada, subject_id=errand)


def test_a_watched_run_tells_its_state_progress_and_log_until_it_ends(
    platform: Platform, database: Database, run: Run, ada: Member
) -> None:
    watcher = Watcher(platform, ada, f"/runs/{run.id}/events")
    assert watcher.until("run")[0][1]["state"] == "queued"
    with database.session() as session:
        claimed = queue.claim(session, "one", queue.Wanted(["errand"]))
        assert claimed is not None
    assert watcher.until("run", "run")[1][1]["state"] == "running"
    assert claimed.lease is not None
    with database.session() as session:
        told = {"progress": {"stages_done": 1, "stages_total": 2}, "rows_read": 5}
        queue.report(session, run.id, claimed.lease, told, [RunLog(run_id=run.id, text="Half way.")])
    events = watcher.until("run", "run", "log", "run")
    assert events[2][1]["text"] == "Half way."
    assert events[3][1]["progress"] == {"stages_done": 1, "stages_total": 2, "note": None}
    with database.session() as session:
        ending.succeed(session, queue.hold(session, run.id, claimed.lease))
    events = watcher.ended()
    assert events[-2][1]["state"] == "succeeded"
    assert events[-1] == ("end", {"reason": "ended"})


def test_a_broken_line_goes_on_after_the_last_line_of_the_log(
    platform: Platform, database: Database, run: Run, ada: Member
) -> None:
    with database.session() as session:
        lines = [RunLog(run_id=run.id, text=text) for text in ("one", "two")]
        for line in lines:
            session.add(line)
            session.flush()
        ending.ask_to_cancel(session, session.get_one(Run, run.id), ada)
    events = Watcher(platform, ada, f"/runs/{run.id}/events", last=str(lines[0].id)).ended()
    assert [event["text"] for name, event in events if name == "log"] == ["two", "Cancelled."]


@pytest.mark.parametrize("what", ["session", "member", "right"])
def test_watching_ends_with_the_right_to_see(
    platform: Platform, database: Database, errands: Errands, run: Run, ada: Member, what: str
) -> None:
    watcher = Watcher(platform, ada, f"/runs/{run.id}/events")
    watcher.until("run")
    with database.session() as session:
        if what == "session":
            ended = update(SignInSession).where(SignInSession.id == watcher.signed_in.id)
            session.execute(ended.values(revoked_at=utc_now()))
        elif what == "member":
            session.execute(update(Member).where(Member.id == ada.id).values(state="suspended"))
        else:
            errands.friends[run.subject_id]["see"].clear()
    reason = "not_found" if what == "right" else "signed_out"
    assert watcher.ended()[-1] == ("end", {"reason": reason})


def test_who_may_not_see_it_gets_an_answer_like_any_other(platform: Platform, database: Database, run: Run) -> None:
    with database.session() as session:
        stranger = make_member(session, "Stranger")
    watcher = Watcher(platform, stranger, f"/runs/{run.id}/events")
    watcher.ended()
    assert (watcher.status, watcher.events) == (404, [])


def test_all_of_ones_runs_are_watched_until_none_is_left(
    platform: Platform, database: Database, errands: Errands, run: Run, ada: Member
) -> None:
    with database.session() as session:
        other = make_run(session, ada, subject_id=errands.add("Another", ada))
    watcher = Watcher(platform, ada, "/runs/events")
    assert {event["id"] for _, event in watcher.until("run", "run")} == {str(run.id), str(other.id)}
    for one in (run, other):
        with database.session() as session:
            ending.ask_to_cancel(session, session.get_one(Run, one.id), ada)
        time.sleep(0.5)
    events = watcher.ended()
    assert [event["state"] for _, event in events[2:-1]] == ["cancelled", "cancelled"]
    assert events[-1] == ("end", {"reason": "ended"})
