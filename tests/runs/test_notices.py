"""News of runs: who is told, by e-mail and to web addresses, when, and only of what they may see."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select, update

from bailiwick.database.base import pretending, utc_now
from bailiwick.database.engine import Database
from bailiwick.notify import webhooks
from bailiwick.notify.models import OutgoingEmail
from bailiwick.runs import ending, queue
from bailiwick.runs.errors import Restricted, RunProblem
from bailiwick.runs.models import INTERACTIVE, ChannelKind, Run, RunNotice, TenantChannel
from bailiwick.runs.telling import tell_due
from bailiwick.settings import Settings
from bailiwick.tenancy.models import Member
from tests.people import SignInAs, make_member, make_project
from tests.runs.making import Errands, make_run

AT = "/api/v1/tenant/notifications"


@pytest.fixture
def people(database: Database) -> dict[str, Member]:
    roles = {"Ola": "owner", "Dan": "admin", "Bo": "none", "Cy": "none", "Sue": "admin"}
    with database.session() as session:
        found = {name: make_member(session, name, role=role) for name, role in roles.items()}
        found["Sue"].state = "suspended"
        return found


@pytest.fixture
def errand(errands: Errands, people: dict[str, Member]) -> UUID:
    return errands.add("Count the stars", people["Ola"], see=[people["Dan"], people["Bo"], people["Sue"]])


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, Any]]]:
    """What web addresses were told."""
    found: list[tuple[str, dict[str, Any]]] = []
    monkeypatch.setattr(webhooks, "post", lambda url, message, settings: found.append((url, message)))
    return found


def end(database: Database, people: dict[str, Member], errand: UUID, how: str, **more: Any) -> Run:
    """A run that ended so, a moment ago."""
    with database.session() as session:
        make_run(session, people["Ola"], subject_id=errand, subject_name="Count the stars", **more)
        run = queue.claim(session, "one", queue.Wanted(["errand"]))
        assert run is not None
        if how == "failed":
            ending.fail(session, run, RunProblem("bad", "It went wrong.", "Mend it."))
        elif how == "restricted":
            lack = {
                "resource_type": "table",
                "resource_id": "1",
                "name": "raw.secrets",
                "has": "none",
                "needs": "Editor",
            }
            ending.restrict(session, run, Restricted(None, [lack]))
        elif how == "cancelled":
            ending.end_cancelled(session, run)
        else:
            ending.succeed(session, run)
    return run


def emails(database: Database) -> dict[str, str]:
    with database.read() as session:
        found = session.scalars(select(OutgoingEmail))
        return {email.recipient.partition("@")[0]: f"{email.subject}\n{email.text}" for email in found}


@pytest.mark.parametrize("how", ["failed", "restricted"])
def test_a_run_that_did_not_succeed_is_told_to_owners_and_admins_once(
    database: Database, settings: Settings, people: dict[str, Member], errand: UUID, how: str
) -> None:
    run = end(database, people, errand, how)
    tell_due(database, settings)
    found = emails(database)
    assert set(found) == {"ola", "dan"}
    assert f"Count the stars: run 1 {how}" in found["dan"]
    assert f"/runs/{run.id}" in found["dan"]
    assert "secrets" not in str(found)
    tell_due(database, settings)
    with database.read() as session:
        assert len(session.scalars(select(OutgoingEmail)).all()) == 2


@pytest.mark.parametrize(("how", "priority"), [("succeeded", 10), ("cancelled", 10), ("failed", INTERACTIVE)])
def test_what_is_no_news_is_not_told(
    database: Database, settings: Settings, people: dict[str, Member], errand: UUID, how: str, priority: int
) -> None:
    end(database, people, errand, how, priority=priority)
    tell_due(database, settings)
    assert emails(database) == {}


def test_success_is_told_where_that_was_asked_for(
    database: Database, settings: Settings, sign_in_as: SignInAs, people: dict[str, Member], errand: UUID
) -> None:
    assert sign_in_as(people["Dan"]).patch(f"{AT}/run_succeeded", json={"is_on": True}).status_code == 200
    end(database, people, errand, "succeeded")
    tell_due(database, settings)
    assert "run 1 succeeded" in emails(database)["ola"]


def test_news_wait_for_their_delay(
    database: Database, settings: Settings, sign_in_as: SignInAs, people: dict[str, Member], errand: UUID
) -> None:
    sign_in_as(people["Dan"]).patch(f"{AT}/run_failed", json={"delay_minutes": 15})
    end(database, people, errand, "failed")
    tell_due(database, settings)
    assert emails(database) == {}
    with pretending(utc_now() + timedelta(minutes=16)):
        tell_due(database, settings)
    assert set(emails(database)) == {"ola", "dan"}


def test_a_channel_that_was_turned_off_meanwhile_stays_silent(
    database: Database, settings: Settings, sign_in_as: SignInAs, people: dict[str, Member], errand: UUID
) -> None:
    end(database, people, errand, "failed")
    sign_in_as(people["Dan"]).patch(f"{AT}/run_failed", json={"is_on": False})
    tell_due(database, settings)
    assert emails(database) == {}


def test_others_may_be_added_and_are_told_of_what_they_may_see(
    database: Database,
    settings: Settings,
    sign_in_as: SignInAs,
    people: dict[str, Member],
    errand: UUID,
) -> None:
    dan, bo = sign_in_as(people["Dan"]), sign_in_as(people["Bo"])
    assert bo.get(AT).status_code == 403
    for name in ("Bo", "Cy"):
        assert dan.put(f"{AT}/run_failed/receivers/{people[name].id}").status_code == 204
    listed = dan.get(f"{AT}/run_failed/receivers").json()["items"]
    assert [(item["name"], item["added"]) for item in listed] == [
        ("Bo", True),
        ("Cy", True),
        ("Dan", False),
        ("Ola", False),
    ]
    end(database, people, errand, "failed")
    tell_due(database, settings)
    assert set(emails(database)) == {"ola", "dan", "bo"}  # Cy may not see it
    seen = {item["kind"]: item for item in bo.get(AT).json()["items"]}
    assert (seen["run_failed"]["receives"], seen["run_succeeded"]["receives"]) == (True, False)
    assert seen["run_failed"]["actions"] == []


def test_opting_out_is_ones_own_and_remembered(
    database: Database, settings: Settings, sign_in_as: SignInAs, people: dict[str, Member], errand: UUID
) -> None:
    dan, ola, bo = (sign_in_as(people[name]) for name in ("Dan", "Ola", "Bo"))
    own = f"{AT}/run_failed/receivers"
    assert dan.delete(f"{own}/{people['Dan'].id}").status_code == 204
    assert ola.put(f"{own}/{people['Dan'].id}").status_code == 409
    assert ola.delete(f"{own}/{people['Ola'].id}").status_code == 204
    assert ola.put(f"{own}/{people['Ola'].id}").status_code == 204
    assert dan.delete(f"{own}/{people['Ola'].id}").status_code == 409  # by role
    assert bo.put(f"{own}/{people['Bo'].id}").status_code == 403
    ola.put(f"{own}/{people['Bo'].id}")
    assert bo.delete(f"{own}/{people['Bo'].id}").status_code == 204
    assert ola.put(f"{own}/{people['Bo'].id}").status_code == 409
    assert ola.put(f"{own}/{people['Cy'].id}").status_code == 204
    assert ola.delete(f"{own}/{people['Cy'].id}").status_code == 204
    assert ola.put(f"{own}/{errand}").status_code == 404
    end(database, people, errand, "failed")
    tell_due(database, settings)
    assert set(emails(database)) == {"ola"}


def test_a_web_address_is_told_and_kept_secret(
    database: Database,
    settings: Settings,
    sign_in_as: SignInAs,
    people: dict[str, Member],
    errand: UUID,
    told: list[tuple[str, dict[str, Any]]],
) -> None:
    dan = sign_in_as(people["Dan"])
    answer = dan.patch(f"{AT}/run_failed", json={"webhook_url": "https://example.com/hook/s3cret"})
    assert answer.json()["webhook_url"] == "https://example.com/hook/s3cret"
    assert "s3cret" not in dan.get("/api/v1/audit").text
    with database.read() as session:
        assert session.get_one(TenantChannel, ChannelKind.RUN_FAILED).webhook_url == "https://example.com/hook/s3cret"
    run = end(database, people, errand, "failed")
    tell_due(database, settings)
    tell_due(database, settings)
    ((url, message),) = told
    assert url == "https://example.com/hook/s3cret"
    assert (message["event"], message["run"]["id"], message["run"]["state"]) == ("run_failed", str(run.id), "failed")
    assert message["run"]["problem"]["message"] == "It went wrong."
    assert dan.patch(f"{AT}/run_failed", json={"webhook_url": None}).json()["webhook_url"] is None


def test_a_web_address_that_does_not_answer_is_tried_again_for_a_while(
    database: Database,
    settings: Settings,
    sign_in_as: SignInAs,
    people: dict[str, Member],
    errand: UUID,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tries: list[str] = []

    def post(url: str, message: dict[str, Any], settings: Settings) -> None:
        tries.append(url)
        raise webhooks.NotTold("It answered 500.")

    monkeypatch.setattr(webhooks, "post", post)
    sign_in_as(people["Dan"]).patch(f"{AT}/run_failed", json={"webhook_url": "https://example.com/"})
    end(database, people, errand, "failed")
    for _ in range(20):
        tell_due(database, settings)
        with database.session() as session:
            due = RunNotice.webhook_at.is_not(None)
            session.execute(update(RunNotice).where(due).values(webhook_at=utc_now() - timedelta(seconds=1)))
    assert len(tries) == 8
    with database.read() as session:
        assert session.scalars(select(RunNotice.webhook_at)).one() is None


def test_runs_of_a_project_are_told_by_its_own_channels(
    database: Database, settings: Settings, people: dict[str, Member], errand: UUID
) -> None:
    with database.session() as session:
        project = make_project(session, "Sales", people["Ola"], {people["Bo"]: "Admin", people["Cy"]: "Technical User"})
    end(database, people, errand, "failed", project_id=project.id)
    tell_due(database, settings)
    assert set(emails(database)) == {"bo"}  # Cy may not see it, and the owners have not entered the project


def test_changing_channels_is_for_who_may_change_settings(sign_in_as: SignInAs, people: dict[str, Member]) -> None:
    dan, bo = sign_in_as(people["Dan"]), sign_in_as(people["Bo"])
    assert bo.patch(f"{AT}/run_failed", json={"is_on": False}).status_code == 403
    first = dan.patch(f"{AT}/run_failed", json={"is_on": False, "delay_minutes": 5})
    assert (first.json()["is_on"], first.json()["delay_minutes"], first.json()["version"]) == (False, 5, 1)
    assert dan.patch(f"{AT}/run_failed", json={"is_on": True}, headers={"If-Match": '"0"'}).status_code == 409
    assert dan.patch(f"{AT}/run_failed", json={"is_on": True}, headers={"If-Match": '"1"'}).status_code == 200
    for wrong in ({}, {"delay_minutes": -1}, {"webhook_url": "http://169.254.169.254/"}, {"other": 1}):
        assert dan.patch(f"{AT}/run_failed", json=wrong).status_code == 422
    assert dan.patch(f"{AT}/run_lost", json={"is_on": True}).status_code == 422
