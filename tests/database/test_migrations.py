"""Migrations: the same tree on both databases, all or nothing, one start at a time, and never backwards by accident."""

import threading
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
import sqlalchemy as sa
from alembic import command
from sqlalchemy import inspect, text

from bailiwick.database import migrate
from bailiwick.database.base import UtcDateTime, utc_now
from bailiwick.database.engine import Database, DatabaseUnavailable, make_engine
from bailiwick.database.migrate import MigrationError
from bailiwick.tenancy.models import ApiToken, Member, SignInSession

FIRST = """
import sqlalchemy as sa
from alembic import op
revision, down_revision = "first", None
def upgrade():
    op.create_table("parent", sa.Column("id", sa.Integer, primary_key=True), sa.Column("old", sa.Text))
    op.create_table(
        "child",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("parent_id", sa.Integer, sa.ForeignKey("parent.id", ondelete="CASCADE")),
    )
    op.execute("INSERT INTO parent (id, old) VALUES (1, 'x')")
    op.execute("INSERT INTO child (id, parent_id) VALUES (1, 1)")
"""
REBUILD = """
import sqlalchemy as sa
from alembic import op
revision, down_revision = "rebuild", "first"
def upgrade():
    with op.batch_alter_table("parent", recreate="auto") as table:
        table.alter_column("old", new_column_name="new", existing_type=sa.Text, nullable=False)
"""
BROKEN = """
from alembic import op
revision, down_revision = "broken", "first"
def upgrade():
    op.execute("UPDATE parent SET old = 'half'")
    op.execute("CREATE TABLE half (id INTEGER)")
    op.execute("SELECT * FROM no_such_table")
"""


@pytest.fixture
def scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A migration tree of the test's own, run by the real environment."""
    tree = tmp_path / "migrations"
    (tree / "versions").mkdir(parents=True)
    (tree / "env.py").write_text(
        "from bailiwick.database.migrations import env\nimport importlib; importlib.reload(env)"
    )
    monkeypatch.setattr(migrate, "SCRIPTS", str(tree))
    return tree / "versions"


def test_an_empty_database_becomes_current_and_matches_the_models(empty_database: Database) -> None:
    migrate.upgrade(empty_database.engine)
    assert migrate.is_current(empty_database.engine)
    migrate.check(empty_database.engine)


def test_what_was_opened_by_a_link_that_nobody_knows_who_saw_has_ended(empty_database: Database) -> None:
    """Also there and back again."""
    engine = empty_database.engine
    with migrate._alone(engine) as connection:
        command.upgrade(migrate._config(connection), "0008")
        for number, handed_over in enumerate((True, False)):
            id_ = uuid4()
            member = {"id": id_, "name": f"M{number}", "email": f"m{number}", "password_hash": "x", "version": 1}
            member |= {"state": "active", "tenant_role": "none", "data_admin": False, "data_space_creator": False}
            member |= {"time_zone": "UTC", "created_at": utc_now(), "password_handed_over": handed_over}
            opened = {"id": id_, "member_id": id_, "secret_hash": f"s{number}", "handed_over": handed_over}
            opened |= {"created_at": utc_now()}
            token = {**opened, "name": "T", "hint": "x", "read_only": False}
            signed_in = {**opened, "csrf_token": "x", "client": "x", "address": "x", "last_seen_at": utc_now()}
            signed_in |= {"expires_at": utc_now()}
            for name, row in {"member": member, "api_token": token, "sign_in_session": signed_in}.items():
                types: dict[type, Any] = {UUID: sa.Uuid(), datetime: UtcDateTime()}
                columns: list[Any] = [sa.column(key, types.get(type(value))) for key, value in row.items()]
                connection.execute(sa.insert(sa.table(name, *columns)).values(row))
    migrate.upgrade(engine)
    with empty_database.read() as session:
        assert dict(session.execute(sa.select(Member.name, Member.password_hash)).all()) == {"M0": None, "M1": "x"}
        for kind in (SignInSession, ApiToken):
            revoked = sa.select(Member.name).join(kind, kind.member_id == Member.id).where(kind.revoked_at.is_not(None))
            assert session.scalars(revoked).all() == ["M0"]
    with migrate._alone(engine) as connection:
        command.downgrade(migrate._config(connection), "0008")
    migrate.upgrade(engine)
    migrate.check(engine)


def test_asking_whether_it_is_current_waits_for_no_writer(database: Database) -> None:
    with database.session() as session:
        session.execute(text("CREATE TABLE busy (id INTEGER)"))
        assert migrate.is_current(database.engine)


def test_a_database_that_cannot_be_reached_is_said_so() -> None:
    engine = make_engine("postgresql://nobody@127.0.0.1:1/nothing")
    for ask in (migrate.upgrade, migrate.is_current):
        with pytest.raises(DatabaseUnavailable):
            ask(engine)


def test_migrating_again_changes_nothing(database: Database) -> None:
    migrate.upgrade(database.engine)
    assert migrate.is_current(database.engine)


def test_a_database_from_a_newer_version_is_refused(database: Database) -> None:
    with database.session() as session:
        session.execute(text("CREATE TABLE IF NOT EXISTS alembic_version (version_num VARCHAR(32) NOT NULL)"))
        session.execute(text("DELETE FROM alembic_version"))
        session.execute(text("INSERT INTO alembic_version VALUES ('from_the_future')"))
    for ask in (migrate.upgrade, migrate.is_current):
        with pytest.raises(MigrationError, match=r"from_the_future.* newer version"):
            ask(database.engine)


def test_rebuilding_a_table_keeps_the_rows_that_refer_to_it(empty_database: Database, scripts: Path) -> None:
    (scripts / "first.py").write_text(FIRST)
    migrate.upgrade(empty_database.engine)
    (scripts / "rebuild.py").write_text(REBUILD)
    assert not migrate.is_current(empty_database.engine)
    migrate.upgrade(empty_database.engine)
    with empty_database.read() as session:
        assert session.scalar(text("SELECT new FROM parent JOIN child ON parent.id = parent_id")) == "x"


def test_a_failing_migration_leaves_the_database_as_it_was(empty_database: Database, scripts: Path) -> None:
    (scripts / "first.py").write_text(FIRST)
    migrate.upgrade(empty_database.engine)
    (scripts / "broken.py").write_text(BROKEN)
    with pytest.raises(Exception, match="no_such_table"):
        migrate.upgrade(empty_database.engine)
    assert not inspect(empty_database.engine).has_table("half")
    with empty_database.read() as session:
        assert session.scalar(text("SELECT old FROM parent")) == "x"
        assert session.scalar(text("SELECT version_num FROM alembic_version")) == "first"


def test_two_starts_at_the_same_moment_migrate_once(empty_database: Database, scripts: Path) -> None:
    (scripts / "first.py").write_text(FIRST)
    problems: list[BaseException] = []
    with migrate._alone(empty_database.engine):
        late = threading.Thread(target=lambda: _collect(problems, empty_database))
        late.start()
        late.join(0.3)
        assert late.is_alive(), "the second start waits for the first"
    late.join()
    migrate.upgrade(empty_database.engine)
    assert not problems
    assert migrate.is_current(empty_database.engine)


def _collect(problems: list[BaseException], database: Database) -> None:
    try:
        migrate.upgrade(database.engine)
    except BaseException as problem:
        problems.append(problem)
