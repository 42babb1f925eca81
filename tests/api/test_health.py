"""Whether the process lives, can answer, and what it counts."""

import time
from datetime import timedelta
from pathlib import Path

import pytest
from fastapi import FastAPI

from bailiwick.api.app import create_app
from bailiwick.database.base import new_id, pretending, utc_now
from bailiwick.database.engine import Database, DatabaseUnavailable
from bailiwick.notify import service as notify
from bailiwick.settings import Settings, load_settings
from tests.people import SignInAs, TestClient, make_member


def test_a_process_that_lives_says_so_even_without_a_database(
    app_client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Database, "is_ready", lambda _: False)
    assert app_client.get("/healthz").json()["status"] == "ok"
    answer = app_client.get("/readyz")
    assert answer.status_code == 503
    assert "does not answer" in answer.json()["detail"]


def test_it_is_ready_with_a_migrated_database(app_client: TestClient) -> None:
    for _ in range(2):
        assert app_client.get("/readyz").status_code == 200


def test_it_is_not_ready_with_an_empty_database(empty_database: Database, tmp_path: Path) -> None:
    app = create_app(load_settings(home=tmp_path), empty_database)
    answer = TestClient(app).get("/readyz")
    assert answer.status_code == 503
    assert "migrated" in answer.json()["detail"]


def test_the_metrics_count_requests_and_decisions_and_name_nobody(
    database: Database, app_client: TestClient, sign_in_as: SignInAs
) -> None:
    with database.session() as session:
        ada, mia = make_member(session, "Ada", role="admin"), make_member(session, "Mia")
        olga = make_member(session, "Olga", role="owner")
        with pretending(utc_now() - timedelta(minutes=2)):
            notify.send(session, "mia@example.com", "Hello", "…")
            session.flush()
    assert sign_in_as(ada).get(f"/api/v1/members/{mia.id}/tokens").status_code == 200
    assert sign_in_as(ada).get(f"/api/v1/members/{olga.id}/tokens").status_code == 403
    app_client.get("/api/v1/nothing/at/all")
    text = app_client.get("/metrics").text
    assert 'bailiwick_requests_total{method="GET",route="/api/v1/members/{member_id}/tokens",status="200"} 1.0' in text
    assert 'bailiwick_request_seconds_count{method="GET",route="/api/v1/members/{member_id}/tokens"} 2.0' in text
    assert 'bailiwick_decisions_total{outcome="allowed"} 1.0' in text
    assert 'bailiwick_decisions_total{outcome="refused"} 1.0' in text
    assert 'route="none",status="404"' in text
    assert "bailiwick_email_queue 1.0" in text
    for name in (str(mia.id), str(ada.id), "mia@", "Mia", "nothing/at/all"):
        assert name not in text


def test_the_metrics_tell_nobody_what_the_answers_keep_to_themselves(
    database: Database, app_client: TestClient, sign_in_as: SignInAs
) -> None:
    with database.session() as session:
        mia, olga = make_member(session, "Mia"), make_member(session, "Olga", role="owner")
    client, numbers = sign_in_as(mia), []
    for address, id_ in (("mia@example.com", olga.id), ("nobody@example.com", new_id())):
        before = _numbers(app_client)
        assert app_client.post("/api/v1/links", json={"email": address}).status_code == 202
        assert client.get(f"/api/v1/members/{id_}").status_code == 404
        after = _numbers(app_client)
        numbers.append({name: value - before.get(name, 0) for name, value in after.items()})
    assert numbers[0] == numbers[1]


def _numbers(client: TestClient) -> dict[str, float]:
    lines = [line for line in client.get("/metrics").text.splitlines() if line.startswith("bailiwick_")]
    found = {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}
    return {name: value for name, value in found.items() if "_total" in name or "queue" in name}


def test_the_metrics_are_there_when_the_database_is_not(
    app_client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise DatabaseUnavailable("away")

    monkeypatch.setattr(Database, "read", away)
    assert "bailiwick_email_queue NaN" in app_client.get("/metrics").text


def test_while_the_app_runs_emails_leave_by_themselves(app: FastAPI, database: Database, settings: Settings) -> None:
    with TestClient(app):
        with database.session() as session:
            notify.send(session, "mia@example.com", "Hello", "A short text")
        for _ in range(200):
            if files := list((settings.home / "outbox").glob("*.eml")):
                break
            time.sleep(0.05)
        assert "A short text" in files[0].read_text()
    assert not notify.queued
