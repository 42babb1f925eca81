"""The demo company: what is in it, who sees what of it, and that it can grow."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from fastapi import FastAPI
from sqlalchemy import func, select

from bailiwick.audit.models import AuditEntry
from bailiwick.audit.verify import verify
from bailiwick.cli.failures import Failure
from bailiwick.cli.home import opened_database
from bailiwick.database.engine import Database
from bailiwick.demo import commands
from bailiwick.demo.generator import grow
from bailiwick.demo.people import BEN, BRUNO, EVERYBODY, GUIDES, NINA, OLIVIA, TESSA, Person
from bailiwick.demo.story import Story
from bailiwick.projects.models import Project, ProjectGrant
from bailiwick.settings import Settings, load_settings
from bailiwick.tenancy.models import ApiToken, Group, Member
from bailiwick.tenancy.tenant import create_tenant
from tests.people import TestClient, make_app, make_session

SALES, SUPPLY, CUSTOMERS = "Sales insight", "Supply chain", "Customer 360"


@pytest.fixture
def told(database: Database, settings: Settings, quick_passwords: None) -> FastAPI:
    Story(database, settings).tell()
    return make_app(settings, database)


def as_person(app: FastAPI, database: Database, person: Person) -> TestClient:
    with database.session() as session:
        member = session.scalars(select(Member).where(Member.email == person.email)).one()
        _, secret = make_session(session, member)
    return TestClient(app, headers={"Authorization": f"Bearer {secret}"})


def test_there_are_members_of_every_role_and_state(told: FastAPI, database: Database) -> None:
    with database.read() as session:
        members = session.scalars(select(Member)).all()
        assert len(members) >= 20
        assert {member.tenant_role for member in members} == {"owner", "admin", "editor", "viewer", "none"}
        assert {member.state for member in members} == {"waiting", "invited", "active", "suspended", "removed"}
        assert any(member.data_admin for member in members)
        assert any(member.data_space_creator for member in members)
        assert session.scalar(select(func.count()).select_from(Project)) == 3
        assert {grant.role for grant in session.scalars(select(ProjectGrant))} == {
            *("Admin", "Technical User", "Business User")
        }
        assert session.scalar(select(func.count()).select_from(Group)) == 4  # with All
        assert session.scalar(select(func.count()).select_from(ApiToken)) == 2


def test_five_people_see_different_things(told: FastAPI, database: Database) -> None:
    def projects(person: Person) -> dict[str, str]:
        listed = as_person(told, database, person).get("/api/v1/projects").json()["items"]
        return {project["name"]: project["role"] for project in listed}

    everywhere = {SALES: "Admin", SUPPLY: "Admin", CUSTOMERS: "Admin"}
    assert set(GUIDES) == {OLIVIA, BRUNO, TESSA, BEN, NINA}
    assert projects(OLIVIA) == projects(BRUNO) == everywhere
    assert projects(TESSA) == {SALES: "Technical User", SUPPLY: "Admin"}
    assert projects(BEN) == {SALES: "Business User"}
    assert projects(NINA) == {}
    plan = {"plan": "custom"}
    assert as_person(told, database, BRUNO).put("/api/v1/tenant/plan", json=plan).status_code == 403
    assert as_person(told, database, OLIVIA).put("/api/v1/tenant/plan", json=plan).status_code == 200


def test_the_audit_tells_the_story_with_its_refusals(told: FastAPI, database: Database) -> None:
    with database.read() as session:
        entries = session.scalars(select(AuditEntry).order_by(AuditEntry.id)).all()
        assert verify(session).is_whole
    assert [entry.at for entry in entries] == sorted(entry.at for entry in entries)
    done = Counter(entry.action for entry in entries if entry.outcome == "done")
    assert done["join"] == len(EVERYBODY) - 1  # Rita is invited and has yet to come
    assert {"create_tenant", "invite_to_project", "decline_member", "suspend_member", "remove_member"} <= set(done)
    refused = [entry.decision["row"] for entry in entries if entry.outcome == "refused" and entry.decision]
    assert refused == ["Business User", "Edit project metadata", "Manage billing"]


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_the_same_seed_grows_the_same_company(
    told: FastAPI, database: Database, tmp_path: Path, quick_passwords: None
) -> None:
    grow(database, 1000, seed=7)
    with database.read() as session:
        emails = session.scalars(select(Member.email).order_by(Member.email)).all()
        roles = Counter(session.scalars(select(ProjectGrant.role)))
        groups = session.scalar(select(func.count()).select_from(Group))
    assert len(emails) == 1000
    assert groups == 4 + 19
    other = load_settings(home=tmp_path / "other")
    commands.prepare(other, 0, 1)
    with opened_database(other) as second:
        grow(second, 1000, seed=7)
        with second.read() as session:
            assert session.scalars(select(Member.email).order_by(Member.email)).all() == emails
            assert Counter(session.scalars(select(ProjectGrant.role))) == roles


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_demo_is_made_once_and_left_alone_afterwards(
    database: Database, tmp_path: Path, quick_passwords: None
) -> None:
    settings = load_settings(home=tmp_path / "demo")
    first, second = commands.prepare(settings, 0, 1), commands.prepare(settings, 0, 1)
    assert [guide["name"] for guide in first] == [person.name for person in GUIDES]
    assert {guide["link"] for guide in first}.isdisjoint(guide["link"] for guide in second)
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith("demo")) == ["demo"]


def test_a_demo_that_breaks_off_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quick_passwords: None
) -> None:
    settings = load_settings(home=tmp_path / "demo")

    def power_cut(story: Story) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(Story, "_changes", power_cut)
        with pytest.raises(KeyboardInterrupt):
            commands.prepare(settings, 0, 1)
    assert not settings.home.exists()
    assert len(commands.prepare(settings, 0, 1)) == 5


def test_a_demo_does_not_touch_a_real_company(tmp_path: Path) -> None:
    settings = load_settings(home=tmp_path / "real")
    with opened_database(settings) as database, database.session() as session:
        create_tenant(session, "Ours", "ann@example.com", "Ann")
    with pytest.raises(Failure, match="something else"):
        commands.prepare(settings, 0, 1)
