"""Column types: ids, times and encrypted text come back as they went in, on both databases."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import text
from sqlalchemy.exc import StatementError
from sqlalchemy.orm import Session

from bailiwick.database.base import new_id, utc_now
from bailiwick.database.encryption import EncryptionError, use_keys
from bailiwick.database.engine import Database
from tests.database.tables import Note


def test_ids_sort_in_the_order_they_were_made() -> None:
    ids = [new_id() for _ in range(1000)]
    assert ids == sorted(ids)
    assert {identifier.version for identifier in ids} == {7}


def test_a_time_comes_back_in_utc_whatever_zone_it_had(notes: Database) -> None:
    moment = datetime(2026, 3, 1, 12, 30, 15, 123456, tzinfo=timezone(timedelta(hours=5, minutes=30)))
    with notes.session() as session:
        session.add(Note(text="", made_at=moment))
    with notes.read() as session:
        stored = only(session).made_at
    assert stored == moment
    assert stored.tzinfo is UTC


def test_times_are_compared_as_moments(notes: Database) -> None:
    now = utc_now()
    with notes.session() as session:
        session.add(Note(text="", made_at=now))
    elsewhere = (now + timedelta(seconds=1)).astimezone(timezone(timedelta(hours=-8)))
    with notes.read() as session:
        assert session.query(Note).filter(Note.made_at < elsewhere).count() == 1


def test_a_time_without_a_zone_is_refused(notes: Database) -> None:
    with pytest.raises(StatementError, match="needs its zone"), notes.session() as session:
        session.add(Note(text="", made_at=datetime(2026, 3, 1)))


def test_encrypted_text_is_unreadable_in_the_table(notes: Database) -> None:
    with notes.session() as session:
        session.add(Note(text="", credential="hunter2 ✓"))
    with notes.read() as session:
        stored: str = session.execute(text("SELECT credential FROM test_note")).scalar_one()
        assert "hunter2" not in stored
        assert only(session).credential == "hunter2 ✓"


def test_another_key_is_told_apart_from_damage_by_a_clear_message(notes: Database) -> None:
    with notes.session() as session:
        session.add(Note(text="", credential="hunter2"))
    use_keys(["YW5vdGhlcmFub3RoZXJhbm90aGVyYW5vdGhlciEhISE="])
    with pytest.raises(EncryptionError, match="another key"), notes.read() as session:
        only(session)


def only(session: Session) -> Note:
    return session.query(Note).one()
