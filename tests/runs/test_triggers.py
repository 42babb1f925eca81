"""Triggers through the API: who may have something run by itself, and what they are shown."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select

from bailiwick.audit.models import AuditEntry
from bailiwick.database.base import new_id
from bailiwick.database.engine import Database
from bailiwick.runs import triggers
from bailiwick.runs.models import Trigger
from bailiwick.tenancy.models import Member
from tests.people import SignInAs, TestClient, make_member
from tests.runs.making import ERRAND, Errands

TRIGGERS = "/api/v1/triggers"


@pytest.fixture
def people(database: Database) -> dict[str, Member]:
    with database.session() as session:
        return {name: make_member(session, name, time_zone="Europe/Berlin") for name in ("Ada", "Eva", "Vic", "Nia")}


@pytest.fixture
def errand(errands: Errands, people: dict[str, Member]) -> UUID:
    """Ada's; Eva edits it, Vic sees it."""
    return errands.add("Count the stars", people["Ada"], see=[people["Vic"]], edit=[people["Eva"]])


def subject(errand: UUID) -> dict[str, str]:
    return {"type": ERRAND, "id": str(errand)}


def added(client: TestClient, errand: UUID, **more: Any) -> dict[str, Any]:
    answer = client.post(TRIGGERS, json={"subject": subject(errand), **(more or {"cron": "30 6 * * MON-FRI"})})
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_schedule_is_shown_in_words_with_its_next_five_firings(
    sign_in_as: SignInAs, people: dict[str, Member]
) -> None:
    client = sign_in_as(people["Nia"])
    answer = client.get(f"{TRIGGERS}/preview", params={"cron": "30 6 * * MON-FRI"}).json()
    assert answer["words"] == "At 06:30, Monday through Friday, Europe/Berlin time"
    firings = [datetime.fromisoformat(moment) for moment in answer["next_firings"]]
    assert len(firings) == 5
    assert firings == sorted(firings)
    answer = client.get(f"{TRIGGERS}/preview", params={"cron": "30 6 * *", "time_zone": "UTC"})
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "cron")


def test_whoever_may_edit_it_lets_it_run_by_itself(
    database: Database, sign_in_as: SignInAs, people: dict[str, Member], errand: UUID
) -> None:
    made = added(sign_in_as(people["Eva"]), errand)
    assert made["words"] == "At 06:30, Monday through Friday, Europe/Berlin time"
    assert (made["saved_by"], made["time_zone"], made["kind"]) == ("Eva", "Europe/Berlin", "cron")
    assert made["actions"] == ["see", "edit", "pause", "remove"]
    assert len(made["next_firings"]) == 5
    seen = sign_in_as(people["Vic"]).get(f"{TRIGGERS}/{made['id']}").json()
    assert seen["actions"] == ["see"]
    for name, code in (("Vic", 403), ("Nia", 404)):
        client = sign_in_as(people[name])
        body = {"subject": subject(errand), "cron": "0 0 * * *"}
        assert client.post(TRIGGERS, json=body).status_code == code
        assert client.patch(f"{TRIGGERS}/{made['id']}", json={"cron": "0 0 * * *"}).status_code == code
        assert client.post(f"{TRIGGERS}/{made['id']}/pause").status_code == code
        assert client.delete(f"{TRIGGERS}/{made['id']}").status_code == code
    with database.read() as session:
        entry = session.scalars(select(AuditEntry).where(AuditEntry.action == "create_trigger")).one()
    assert entry.resource_name == "Count the stars"
    assert entry.after is not None
    assert entry.after["cron"] == "30 6 * * MON-FRI"


def test_lists_hold_the_triggers_of_what_one_sees(
    sign_in_as: SignInAs, people: dict[str, Member], errands: Errands, errand: UUID
) -> None:
    other = errands.add("Something else", people["Ada"], edit=[people["Eva"]])
    eva = sign_in_as(people["Eva"])
    made = [added(eva, one)["id"] for one in (errand, errand, other)]

    def listed(name: str, **wanted: Any) -> list[str]:
        return [item["id"] for item in sign_in_as(people[name]).get(TRIGGERS, params=wanted).json()["items"]]

    assert listed("Eva") == made[::-1]
    assert listed("Vic") == made[1::-1]
    assert listed("Nia") == []
    assert listed("Eva", subject_id=str(other), subject_type=ERRAND) == [made[2]]
    page = eva.get(TRIGGERS, params={"limit": 2}).json()
    assert [item["id"] for item in eva.get(TRIGGERS, params={"cursor": page["next_cursor"]}).json()["items"]] == made[
        :1
    ]


def test_lists_can_be_searched_narrowed_and_sorted(
    database: Database, sign_in_as: SignInAs, people: dict[str, Member], errands: Errands, errand: UUID
) -> None:
    eva, vic = sign_in_as(people["Eva"]), sign_in_as(people["Vic"])
    hidden = errands.add("Count the stars at home", people["Ada"], edit=[people["Eva"]])
    moon, sun = (
        errands.add(name, people["Ada"], see=[people["Vic"]], edit=[people["Eva"]])
        for name in ("Fetch the moon", "Fetch the sun")
    )
    late, soon, after, rests, unseen = (
        added(eva, sun, cron="0 0 1 1 *")["id"],
        added(eva, moon, cron="* * * * *")["id"],
        added(eva, errand, after=[subject(moon)])["id"],
        added(eva, moon, cron="30 6 * * *")["id"],
        added(eva, hidden, cron="* * * * *")["id"],
    )
    assert eva.post(f"{TRIGGERS}/{rests}/pause").status_code == 200
    with database.session() as session:
        session.get_one(Trigger, UUID(soon)).last_fired_at = datetime(2026, 5, 2, tzinfo=UTC)
        session.get_one(Trigger, UUID(rests)).last_fired_at = datetime(2026, 5, 1, tzinfo=UTC)

    def listed(client: TestClient = vic, **wanted: Any) -> list[str]:
        found: list[str] = []
        while True:
            answer = client.get(TRIGGERS, params={"limit": 2, **wanted})
            assert answer.status_code == 200, answer.text
            found += [item["id"] for item in answer.json()["items"]]
            if (cursor := answer.json()["next_cursor"]) is None:
                return found
            wanted["cursor"] = cursor

    assert listed(search="FETCH") == [rests, soon, late]
    assert listed(search="stars") == [after]
    assert listed(eva, search="stars") == [unseen, after]
    assert listed(search="moon", paused=False) == [soon]
    assert listed(search="moon", paused=True) == listed(paused=True) == [rests]
    assert listed(kind="after") == [after]
    assert listed(kind="cron") == [rests, soon, late]
    orders = {
        "created": [late, soon, after, rests],
        "name": [after, soon, rests, late],
        # What does not fire again, or never fired, comes last in both.
        "next": [soon, late, after, rests],
        "-next": [late, soon, rests, after],
        "fired": [rests, soon, late, after],
        "-fired": [soon, rests, after, late],
    }
    orders |= {f"-{sort}": orders[sort][::-1] for sort in ("created", "name")}
    for sort, order in orders.items():
        assert listed(sort=sort) == order
    assert listed() == orders["created"][::-1]
    cursor = vic.get(TRIGGERS, params={"limit": 2, "sort": "next"}).json()["next_cursor"]
    for wrong in ({"sort": "fired", "cursor": cursor}, {"sort": "size"}, {"kind": "moon"}, {"paused": "perhaps"}):
        assert vic.get(TRIGGERS, params=wrong).status_code == 422
    errands.names[moon] = "Bring the moon"  # what it starts is called by the name it has now
    assert listed(search="fetch") == [late]
    assert listed(search="bring") == [rests, soon]


def test_a_trigger_is_edited_paused_resumed_and_removed(
    database: Database, sign_in_as: SignInAs, people: dict[str, Member], errand: UUID
) -> None:
    eva = sign_in_as(people["Eva"])
    made = added(eva, errand, cron="0 6 * * *", time_zone="UTC")
    at = f"{TRIGGERS}/{made['id']}"
    edited = eva.patch(at, json={"time_zone": "Asia/Tokyo"}, headers={"If-Match": '"1"'})
    assert edited.json()["words"] == "At 06:00, Asia/Tokyo time"
    assert edited.headers["ETag"] == '"2"'
    assert eva.patch(at, json={"cron": "0 7 * * *"}, headers={"If-Match": '"1"'}).status_code == 409
    paused = eva.post(f"{at}/pause").json()
    assert (paused["paused"], paused["next_firings"]) == (True, [])
    assert paused["actions"] == ["see", "edit", "resume", "remove"]
    assert eva.post(f"{at}/pause").status_code == 200
    assert eva.patch(at, json={"cron": "0 8 * * *"}).json()["paused"]
    with database.read() as session:
        assert session.get_one(Trigger, UUID(made["id"])).next_at is None
    resumed = eva.post(f"{at}/resume").json()
    assert (resumed["paused"], len(resumed["next_firings"])) == (False, 5)
    assert eva.delete(at).status_code == 204
    assert eva.get(at).status_code == 404
    with database.read() as session:
        done = session.scalars(select(AuditEntry.action).where(AuditEntry.resource_id == made["id"])).all()
    actions = ["create_trigger", "edit_trigger", "pause_trigger", "edit_trigger", "resume_trigger", "remove_trigger"]
    assert sorted(done) == sorted(actions)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"cron": "0 6 * * *", "after": [{"type": ERRAND, "id": "{other}"}]},
        {"cron": "sometimes"},
        {"cron": "0 6 * * *", "time_zone": "Mars/Olympus"},
        {"after": []},
        {"after": [{"type": ERRAND, "id": "{nothing}"}]},
        {"after": [{"type": "unheard_of", "id": "{other}"}]},
        {"after": [{"type": ERRAND, "id": "{hidden}"}]},
    ],
)
def test_what_makes_no_trigger_is_refused(
    sign_in_as: SignInAs, people: dict[str, Member], errands: Errands, errand: UUID, body: dict[str, Any]
) -> None:
    names = {
        "other": errands.add("Other", people["Eva"]),
        "hidden": errands.add("Hidden", people["Ada"]),
        "nothing": new_id(),
    }
    for one in body.get("after", []):
        one["id"] = str(names[one["id"].strip("{}")]) if one["id"].startswith("{") else one["id"]
    answer = sign_in_as(people["Eva"]).post(TRIGGERS, json={"subject": subject(errand), **body})
    assert answer.status_code == 422, answer.text


def test_what_it_waits_for_is_named_to_who_may_see_it(
    sign_in_as: SignInAs, people: dict[str, Member], errands: Errands, errand: UUID
) -> None:
    first = errands.add("First", people["Eva"], see=[people["Vic"]])
    second = errands.add("Second", people["Eva"])
    made = added(sign_in_as(people["Eva"]), errand, after=[subject(first), subject(second)], needs_all=True)
    assert made["words"] == "After all of “First”, “Second” succeeded"
    seen = sign_in_as(people["Vic"]).get(f"{TRIGGERS}/{made['id']}")
    assert seen.json()["words"] == "After all of “First”, 1 that you may not see succeeded"
    assert (seen.json()["hidden"], [one["name"] for one in seen.json()["after"]]) == (1, ["First"])
    assert "Second" not in seen.text

    def waiting_for(name: str, one: UUID) -> list[str]:
        answer = sign_in_as(people[name]).get(TRIGGERS, params={"after_id": str(one)})
        return [item["id"] for item in answer.json()["items"]]

    assert waiting_for("Eva", second) == waiting_for("Vic", first) == [made["id"]]
    assert waiting_for("Vic", second) == waiting_for("Eva", errand) == []


def test_nothing_waits_for_itself_not_even_through_others(
    sign_in_as: SignInAs, people: dict[str, Member], errands: Errands, errand: UUID
) -> None:
    eva = sign_in_as(people["Eva"])
    second, third = (errands.add(name, people["Eva"]) for name in ("Second", "Third"))
    added(eva, second, after=[subject(errand)])
    added(eva, third, after=[subject(second)])
    for waits_for in (errand, third):
        answer = eva.post(TRIGGERS, json={"subject": subject(errand), "after": [subject(waits_for)]})
        assert answer.status_code == 409
        assert "itself" in answer.json()["detail"]


def test_times_stay_times(sign_in_as: SignInAs, people: dict[str, Member], errands: Errands, errand: UUID) -> None:
    eva = sign_in_as(people["Eva"])
    other = errands.add("Other", people["Eva"])
    timed, waiting = added(eva, errand, cron="0 6 * * *"), added(eva, errand, after=[subject(other)])
    assert eva.patch(f"{TRIGGERS}/{timed['id']}", json={"after": [subject(other)]}).status_code == 422
    assert eva.patch(f"{TRIGGERS}/{waiting['id']}", json={"cron": "0 6 * * *"}).status_code == 422
    assert eva.patch(f"{TRIGGERS}/{waiting['id']}", json={"needs_all": True}).json()["needs_all"]


def test_deleting_a_subject_takes_its_triggers_and_pauses_what_waited_for_it_alone(
    database: Database, sign_in_as: SignInAs, people: dict[str, Member], errands: Errands, errand: UUID
) -> None:
    eva = sign_in_as(people["Eva"])
    alone, both, other = (errands.add(name, people["Eva"]) for name in ("Alone", "Both", "Other"))
    own = added(eva, errand)
    waits = added(eva, alone, after=[subject(errand)])
    waits_for_two = added(eva, both, after=[subject(errand), subject(other)])
    with database.session() as session:
        triggers.forget_subject(session, session.merge(people["Eva"]), ERRAND, errand)
    del errands.names[errand]
    assert eva.get(f"{TRIGGERS}/{own['id']}").status_code == 404
    left = eva.get(f"{TRIGGERS}/{waits['id']}").json()
    assert (left["paused"], left["note"]) == (True, "What it waited for was deleted.")
    assert eva.post(f"{TRIGGERS}/{waits['id']}/resume").status_code == 409
    left = eva.get(f"{TRIGGERS}/{waits_for_two['id']}").json()
    assert (left["paused"], left["words"]) == (False, "After “Other” succeeded")


def test_a_subject_has_no_end_of_triggers(
    sign_in_as: SignInAs, people: dict[str, Member], errand: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(triggers, "MOST_TRIGGERS", 2)
    eva = sign_in_as(people["Eva"])
    added(eva, errand)
    added(eva, errand)
    assert eva.post(TRIGGERS, json={"subject": subject(errand), "cron": "0 0 * * *"}).status_code == 409
    assert timedelta(0) < triggers.TRUSTED_CLOCK
