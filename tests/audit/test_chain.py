"""The audit's chains: what is recorded stays, and whoever changes it is found out."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.audit.models import AuditEntry
from bailiwick.audit.service import record
from bailiwick.audit.verify import checkpoint, verify
from bailiwick.database.engine import Database
from bailiwick.errors import Invalid

DECISION = RESOURCE_TYPES["tenant"].check(0, "Create groups")


def write(database: Database, *names: str) -> None:
    """One entry a transaction, one after the other, so that they share a chain."""
    for name in names:
        with database.session() as session:
            record(session, action="edit_group", resource_type="group", resource_name=name, after={"name": name})


def tamper(database: Database, statement: str, **values: Any) -> None:
    """Change the audit as somebody with the keys could: taking its guards away, and putting them back."""
    with database.session() as session:
        for away in _guards(database, session, away=True):
            session.execute(text(away))
        session.execute(text(statement), values)
        for back in _guards(database, session, away=False):
            session.execute(text(back))


GUARDS: dict[str, str] = {}


def _guards(database: Database, session: Session, *, away: bool) -> list[str]:
    if database.engine.dialect.name != "sqlite":
        return [f"ALTER TABLE audit_entry {'DISABLE' if away else 'ENABLE'} TRIGGER USER"]
    if away:
        found = session.execute(text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"))
        GUARDS.update({row.name: row.sql for row in found})
        return [f"DROP TRIGGER {name}" for name in GUARDS]
    return list(GUARDS.values())


def problems(database: Database, kept: dict[str, Any] | None = None) -> list[str]:
    with database.read() as session:
        return verify(session, kept).problems


def test_an_untouched_record_is_whole(database: Database) -> None:
    write(database, "a", "b", "c")
    with database.read() as session:
        report = verify(session)
    assert (report.entries, report.chains, report.problems) == (3, 1, [])


def test_an_empty_record_is_whole(database: Database) -> None:
    with database.read() as session:
        assert verify(session, checkpoint(session)).is_whole


def test_each_entry_carries_the_hash_of_the_one_before(database: Database) -> None:
    write(database, "a", "b", "c")
    with database.read() as session:
        entries = session.scalars(select(AuditEntry).order_by(AuditEntry.number)).all()
    assert entries[0].previous_hash == ""
    assert [entry.previous_hash for entry in entries[1:]] == [entry.hash for entry in entries[:-1]]
    assert len({entry.hash for entry in entries}) == 3


@pytest.mark.parametrize("statement", ["UPDATE audit_entry SET resource_name = 'x'", "DELETE FROM audit_entry"])
def test_the_database_itself_lets_nobody_change_an_entry(database: Database, statement: str) -> None:
    write(database, "a")
    with pytest.raises(DBAPIError, match="append-only"), database.session() as session:
        session.execute(text(statement))
    assert problems(database) == []


def test_a_guard_that_was_taken_away_is_missed(database: Database) -> None:
    write(database, "a")
    with database.session() as session:
        for away in _guards(database, session, away=True):
            session.execute(text(away))
    assert problems(database) == ["The database's guard against changing entries was taken away."]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("UPDATE audit_entry SET resource_name = 'x' WHERE number = 2", "entry 2 .*content is not what was written"),
        ('UPDATE audit_entry SET after = \'{"name": "x"}\' WHERE number = 3', "entry 3 .*content"),
        ("UPDATE audit_entry SET actor_id = NULL, request_id = 'y' WHERE number = 1", "entry 1 .*content"),
        ("DELETE FROM audit_entry WHERE number = 2", "entry 3 .*entry 2 is missing before it"),
        ("DELETE FROM audit_entry WHERE number < 3", "entry 3 .*entries 1 to 2 are missing before it"),
        ("DELETE FROM audit_entry WHERE number = 4", "ends at entry 3, its head says 4"),
    ],
)
def test_an_edit_or_a_deletion_is_found(database: Database, change: str, found: str) -> None:
    write(database, "a", "b", "c", "d")
    tamper(database, change)
    assert any(_matches(found, problem) for problem in problems(database))


def test_entries_that_change_places_are_found(database: Database) -> None:
    write(database, "a", "b", "c")
    for old, new in ((1, 99), (2, 1), (99, 2)):
        tamper(database, "UPDATE audit_entry SET number = :new WHERE number = :old", old=old, new=new)
    assert len(problems(database)) >= 2


def test_a_rewritten_entry_with_a_fresh_hash_breaks_the_next_one(database: Database) -> None:
    write(database, "a", "b", "c")
    tamper(database, "UPDATE audit_entry SET resource_name = 'x', hash = :hash WHERE number = 2", hash="0" * 64)
    assert any(_matches("entry 3 .*does not follow", problem) for problem in problems(database))


def test_a_cut_off_tail_with_a_mended_head_is_found_by_a_checkpoint_only(database: Database) -> None:
    write(database, "a", "b", "c")
    with database.read() as session:
        kept = checkpoint(session)
        last = session.scalars(select(AuditEntry).where(AuditEntry.number == 2)).one()
    tamper(database, "DELETE FROM audit_entry WHERE number = 3")
    tamper(database, "UPDATE audit_lane SET number = 2, hash = :hash WHERE number = 3", hash=last.hash)
    assert problems(database) == []
    assert any("tail was cut off" in problem for problem in problems(database, kept))


def test_a_record_written_anew_from_the_start_is_found_by_a_checkpoint(database: Database) -> None:
    write(database, "a", "b")
    with database.read() as session:
        kept = checkpoint(session)
    tamper(database, "DELETE FROM audit_entry")
    tamper(database, "UPDATE audit_lane SET number = 0, hash = ''")
    write(database, "a", "x", "y")
    assert problems(database) == []
    assert any("not the entry that the checkpoint saw" in problem for problem in problems(database, kept))


def test_a_checkpoint_goes_on_holding_while_the_record_grows(database: Database) -> None:
    write(database, "a")
    with database.read() as session:
        kept = checkpoint(session)
    write(database, "b", "c")
    assert problems(database, kept) == []


@pytest.mark.parametrize("kept", [{}, {"format": "other", "chains": {}}, {"format": "x"}, {"chains": 3}])
def test_what_is_no_checkpoint_is_refused(database: Database, kept: dict[str, Any]) -> None:
    with database.read() as session, pytest.raises(Invalid, match="not a checkpoint"):
        verify(session, kept)


def test_what_is_rolled_back_was_never_recorded(database: Database) -> None:
    with pytest.raises(RuntimeError), database.session() as session:
        record(session, action="a", resource_type="group")
        raise RuntimeError
    write(database, "b")
    with database.read() as session:
        assert session.scalar(select(func.count()).select_from(AuditEntry)) == 1
        assert verify(session).is_whole


def test_a_savepoint_that_is_rolled_back_takes_no_entry_of_its_transaction_along(database: Database) -> None:
    with database.session() as session:
        record(session, action="before", resource_type="group")
        with pytest.raises(RuntimeError), session.begin_nested():
            raise RuntimeError
        with session.begin_nested():
            pass
        record(session, action="after", resource_type="group")
    with database.read() as session:
        assert session.scalars(select(AuditEntry.action).order_by(AuditEntry.number)).all() == ["before", "after"]
        assert verify(session).is_whole


def test_an_entry_keeps_the_deciding_cell(database: Database) -> None:
    with database.session() as session:
        record(session, action="a", resource_type="tenant", outcome="refused", decision=DECISION)
    with database.read() as session:
        entry = session.scalars(select(AuditEntry)).one()
    assert entry.decision == {
        "document": "tenant",
        "table": "Tenant roles",
        "row": "Create groups",
        "column": "none",
        "action": "create_groups",
        "allowed": False,
    }


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_writer_waits_for_no_other_writer(database: Database) -> None:
    """While one transaction holds a chain's head, another commits to a chain of its own."""
    with database.engine.connect() as holding:
        holding.execute(text("SELECT * FROM audit_lane WHERE lane = 0 FOR UPDATE"))
        write(database, "meanwhile")
        with database.read() as session:
            assert session.scalars(select(AuditEntry.lane)).all() == [1]


def test_many_writers_at_once_leave_a_whole_record(database: Database) -> None:
    def work() -> None:
        write(database, *(str(number) for number in range(10)))

    _at_once(work, 8)
    with database.read() as session:
        report = verify(session)
    assert (report.entries, report.problems) == (80, [])


def test_reading_back_gives_the_same_hash_whatever_is_in_an_entry(database: Database) -> None:
    odd = {"name": "Zoë “”", "nested": {"b": [1, 2.5, None, True], "a": "ü"}, "empty": {}}
    with database.session() as session:
        record(session, action="a", resource_type="group", before=odd, after=odd, resource_name="Zoë")
    assert problems(database) == []


def _at_once(work: Callable[[], None], times: int) -> None:
    failures: list[BaseException] = []

    def guarded() -> None:
        try:
            work()
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=guarded) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def _matches(pattern: str, problem: str) -> bool:
    return re.search(pattern, problem) is not None
