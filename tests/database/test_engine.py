"""Transactions: whole or not at all; writers queue, readers never wait, and an absent database is named as such."""

import re
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

import bailiwick
from bailiwick.database.base import new_id
from bailiwick.database.engine import Database, DatabaseUnavailable, make_engine, open_database
from bailiwick.database.locks import KEPT, LOCKED
from bailiwick.settings import load_settings
from tests.database.tables import Comment, Note


def count(database: Database) -> int:
    with database.read() as session:
        return session.scalar(select(func.count()).select_from(Note)) or 0


def test_a_transaction_is_committed_at_its_end(notes: Database) -> None:
    with notes.session() as session:
        note = Note(text="kept")
        session.add(note)
    assert count(notes) == 1
    assert note.text == "kept", "what was loaded stays readable after the transaction"


def test_a_transaction_is_rolled_back_whole_on_an_exception(notes: Database) -> None:
    with pytest.raises(RuntimeError), notes.session() as session:
        session.add(Note(text="lost"))
        session.flush()
        raise RuntimeError
    assert count(notes) == 0


def test_a_savepoint_rolls_back_alone(notes: Database) -> None:
    with notes.session() as session:
        session.add(Note(text="kept"))
        with pytest.raises(RuntimeError), session.begin_nested():
            session.add(Note(text="lost"))
            session.flush()
            raise RuntimeError
    assert count(notes) == 1


def test_a_reading_transaction_cannot_write(notes: Database) -> None:
    with pytest.raises(DBAPIError), notes.read() as session:
        session.add(Note(text="lost"))
        session.flush()
    with notes.session() as session:
        session.add(Note(text="kept"))
    assert count(notes) == 1


def test_a_reading_transaction_sees_one_moment_and_holds_up_no_writer(notes: Database) -> None:
    with notes.read() as reader:
        before = reader.scalar(select(func.count()).select_from(Note))
        with notes.session() as session:
            session.add(Note(text="meanwhile"))
        assert reader.scalar(select(func.count()).select_from(Note)) == before == 0
    assert count(notes) == 1


def test_foreign_keys_hold(notes: Database) -> None:
    with pytest.raises(IntegrityError), notes.session() as session:
        session.add(Comment(note_id=new_id()))


def test_writers_that_read_first_queue_and_none_is_lost(notes: Database) -> None:
    with notes.session() as session:
        note = Note(text="0")
        session.add(note)
    problems: list[BaseException] = []

    def add_one() -> None:
        try:
            for _ in range(5):
                with notes.session() as session:
                    current = session.scalars(select(Note).where(Note.id == note.id).with_for_update()).one()
                    time.sleep(0.005)
                    current.text = str(int(current.text) + 1)
        except BaseException as problem:
            problems.append(problem)

    threads = [threading.Thread(target=add_one) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems
    with notes.read() as session:
        assert session.get_one(Note, note.id).text == "20"


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_sqlite_writes_ahead_and_enforces_references(database: Database) -> None:
    with database.read() as session:
        assert session.scalar(text("PRAGMA journal_mode")) == "wal"
        assert session.scalar(text("PRAGMA foreign_keys")) == 1
        assert session.scalar(text("PRAGMA busy_timeout")) == 10_000


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_writer_that_waited_too_long_is_told_that_the_database_is_busy(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bailiwick.database.engine.WAIT_SECONDS", 0.1)
    impatient = Database(make_engine(f"sqlite:///{database.engine.url.database}"))
    with database.session() as session:
        session.execute(text("SELECT 1"))
        with pytest.raises(DatabaseUnavailable), impatient.session() as other:
            other.execute(text("SELECT 1"))
    assert impatient.is_ready()
    impatient.close()


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_of_two_that_wait_for_each_other_one_is_told_so(notes: Database) -> None:
    with notes.session() as session:
        ids = [new_id(), new_id()]
        session.add_all(Note(id=id_, text="") for id_ in ids)
    gate = threading.Barrier(2)
    said: list[str] = []

    def change(first: int) -> None:
        try:
            with notes.session() as session:
                session.get_one(Note, ids[first], with_for_update=LOCKED)
                gate.wait()
                session.get_one(Note, ids[1 - first], with_for_update=LOCKED)
        except DatabaseUnavailable as error:
            said.append(str(error))

    threads = [threading.Thread(target=change, args=[first]) for first in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said == ["Another change came at the same moment, so this one was not made."]


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
@pytest.mark.parametrize("lock", [LOCKED, KEPT])
def test_a_row_that_is_locked_can_be_named_by_others(notes: Database, lock: dict[str, Any]) -> None:
    with notes.session() as session:
        note = Note(text="a")
        session.add(note)
    with notes.session() as holding:
        holding.get_one(Note, note.id, with_for_update=lock)
        with notes.session() as session:
            session.execute(text("SET LOCAL lock_timeout = '2s'"))
            session.add(Comment(note_id=note.id))
            session.flush()


def test_every_lock_says_whether_rows_that_name_the_locked_one_wait_for_it() -> None:
    """A plain FOR UPDATE holds up everybody who names that member, and two that name each other fail."""
    source = Path(bailiwick.__file__).parent
    for path in source.rglob("*.py"):
        for use in re.findall(r"with_for_update.*", path.read_text()):
            assert re.search("LOCKED|KEPT|TO_DELETE", use) or path.name == "locks.py", f"{path}: {use}"


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_lost_connection_is_unavailable_once_and_then_replaced(database: Database) -> None:
    with pytest.raises(DatabaseUnavailable), database.session() as session:
        session.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
    assert database.is_ready()


@pytest.mark.parametrize(
    "url", ["postgresql://nobody@127.0.0.1:1/nothing", "postgresql://nobody@/nothing?host=/nowhere"]
)
def test_a_server_that_cannot_be_reached_is_unavailable(url: str) -> None:
    database = Database(make_engine(url))
    assert not database.is_ready()
    with pytest.raises(DatabaseUnavailable, match="cannot be reached"), database.session() as session:
        session.execute(text("SELECT 1"))
    database.close()


def test_a_sqlite_file_that_cannot_be_opened_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "folder.db").mkdir()
    database = Database(make_engine(f"sqlite:///{tmp_path}/folder.db"))
    assert not database.is_ready()
    database.close()


def test_a_mistake_in_a_statement_is_not_mistaken_for_an_absent_database(database: Database) -> None:
    with pytest.raises(DBAPIError), database.session() as session:
        session.execute(text("SELECT * FROM nothing_of_that_name"))


def test_errors_do_not_repeat_the_values_of_a_statement(database: Database) -> None:
    with pytest.raises(DBAPIError) as error, database.session() as session:
        session.execute(text("SELECT * FROM nothing WHERE password = :password"), {"password": "hunter2"})
    assert "hunter2" not in str(error.value)
    assert isinstance(error.value, OperationalError) or database.engine.dialect.name == "postgresql"


def test_opening_makes_a_private_home_with_a_key() -> None:
    settings = load_settings()
    database = open_database(settings)
    assert database.is_ready()
    assert settings.home.stat().st_mode & 0o777 == 0o700
    assert (settings.home / "secret.key").stat().st_mode & 0o777 == 0o600
    database.close()
