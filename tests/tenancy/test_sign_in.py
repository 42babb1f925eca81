"""Signing in by password: who gets in, what the others learn (nothing), and how often they may try."""

import json
import time
from datetime import timedelta
from typing import Any

import pytest
from argon2 import PasswordHasher
from fastapi import FastAPI
from sqlalchemy import func, select, update

from bailiwick.audit.models import AuditEntry
from bailiwick.database.base import utc_now
from bailiwick.database.engine import Database
from bailiwick.errors import TooManyAttempts
from bailiwick.settings import Settings
from bailiwick.tenancy import limits, passwords
from bailiwick.tenancy.calling import COOKIE
from bailiwick.tenancy.models import Attempt, Member, MemberState, SignInSession
from tests.people import SignInAs, TestClient, emails_to, make_member

PASSWORD = "violet tram in the rain"
NEW = "seven green umbrellas"
quick = pytest.mark.usefixtures("quick_passwords")


def make_mia(database: Database, **more: Any) -> Member:
    with database.session() as session:
        return make_member(session, "Mia", password_hash=passwords.hash_password(PASSWORD), **more)


def sign_in(client: TestClient, email: str = "mia@example.com", password: str = PASSWORD, **more: Any) -> Any:
    return client.post("/api/v1/session", json={"email": email, "password": password, **more})


def without_request_id(body: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in body.items() if key != "request_id"}


@quick
def test_a_browser_gets_a_cookie_that_scripts_cannot_read(database: Database, app_client: TestClient) -> None:
    make_mia(database)
    answer = sign_in(app_client)
    assert answer.status_code == 200
    assert answer.json()["secret"] is None
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith(f"{COOKIE}=bws_")
    assert {"httponly", "samesite=lax", "path=/"} <= {part.strip().lower() for part in cookie.split(";")}
    assert "secure" not in cookie.lower()
    me = app_client.get("/api/v1/session").json()
    assert me["name"] == "Mia"
    assert me["csrf_token"] == answer.json()["csrf_token"]


@quick
def test_the_cookie_travels_only_encrypted_where_the_platform_does(
    database: Database, app: FastAPI, settings: Settings
) -> None:
    make_mia(database)
    app.state.settings = settings.model_copy(update={"public_url": "https://data.example.com"})
    assert "secure" in sign_in(TestClient(app)).headers["Set-Cookie"].lower()


@quick
def test_a_program_gets_the_secret_in_the_answer_and_no_cookie(database: Database, app_client: TestClient) -> None:
    make_mia(database)
    answer = sign_in(app_client, **{"as": "bearer"})
    assert "Set-Cookie" not in answer.headers
    bearer = {"Authorization": f"Bearer {answer.json()['secret']}"}
    assert app_client.get("/api/v1/session", headers=bearer).json()["name"] == "Mia"


@quick
def test_the_address_may_be_typed_in_any_case(database: Database, app_client: TestClient) -> None:
    make_mia(database)
    assert sign_in(app_client, " MIA@Example.com ").status_code == 200


@quick
def test_nobody_learns_whether_an_account_exists(database: Database, app_client: TestClient) -> None:
    make_mia(database)
    with database.session() as session:
        known = passwords.hash_password(PASSWORD)
        for state in (MemberState.SUSPENDED, MemberState.REMOVED, MemberState.INVITED, MemberState.WAITING):
            make_member(session, state.title(), state=state, password_hash=known)
        make_member(session, "Passwordless")
    answers = [
        sign_in(app_client, password="wrong wrong wrong"),
        sign_in(app_client, "nobody@example.com"),
        sign_in(app_client, "not an address"),
        *(sign_in(app_client, f"{name}@example.com") for name in ("suspended", "removed", "invited", "waiting")),
        sign_in(app_client, "passwordless@example.com"),
    ]
    assert {answer.status_code for answer in answers} == {401}
    first, *others = (without_request_id(answer.json()) for answer in answers)
    assert all(other == first for other in others)
    headers = [{k: v for k, v in answer.headers.items() if k != "x-request-id"} for answer in answers]
    assert all(other == headers[0] for other in headers)


def test_a_wrong_password_and_an_unknown_account_take_as_long(database: Database, app_client: TestClient) -> None:
    make_mia(database)

    fastest = {"mia@example.com": float("inf"), "nobody@example.com": float("inf")}
    for _ in range(4):
        for email in fastest:
            started = time.perf_counter()
            assert sign_in(app_client, email, "wrong wrong wrong").status_code == 401
            fastest[email] = min(fastest[email], time.perf_counter() - started)
    # Without the work for the unknown account, it would be some thirty times faster.
    assert 0.3 < fastest["nobody@example.com"] / fastest["mia@example.com"] < 3


@quick
def test_too_many_wrong_passwords_make_the_account_wait_whether_it_exists_or_not(
    database: Database, app_client: TestClient, settings: Settings
) -> None:
    make_mia(database)
    for email in ("mia@example.com", "nobody@example.com"):
        for _ in range(settings.sign_in_attempts_per_account):
            assert sign_in(app_client, email, "wrong wrong wrong").status_code == 401
    answers = [sign_in(app_client, "mia@example.com"), sign_in(app_client, "nobody@example.com")]
    assert [answer.status_code for answer in answers] == [429, 429]
    assert without_request_id(answers[0].json()) == without_request_id(answers[1].json())
    for answer in answers:
        assert 0 < int(answer.headers["Retry-After"]) <= settings.sign_in_window_minutes * 60
    with database.read() as session:
        assert session.scalar(select(func.count()).select_from(SignInSession)) == 0


@quick
def test_the_account_opens_again_when_the_attempts_are_old_enough(
    database: Database, app_client: TestClient, settings: Settings
) -> None:
    make_mia(database)
    for _ in range(settings.sign_in_attempts_per_account + 1):
        answer = sign_in(app_client, password="wrong wrong wrong")
    assert answer.status_code == 429
    with database.session() as session:
        session.execute(update(Attempt).values(at=utc_now() - timedelta(minutes=settings.sign_in_window_minutes)))
    assert sign_in(app_client).status_code == 200


@quick
def test_signing_in_forgives_the_slips_before_it(database: Database, app_client: TestClient) -> None:
    make_mia(database)
    for _ in range(3):
        for _ in range(9):
            assert sign_in(app_client, password="wrong wrong wrong").status_code == 401
        assert sign_in(app_client).status_code == 200


@quick
def test_one_address_cannot_try_account_after_account(
    database: Database, app: FastAPI, app_client: TestClient, settings: Settings
) -> None:
    app.state.settings = settings.model_copy(update={"sign_in_attempts_per_address": 5})
    for number in range(5):
        assert sign_in(app_client, f"nobody{number}@example.com").status_code == 401
    make_mia(database)
    assert sign_in(app_client).status_code == 429
    elsewhere = TestClient(app, client=("203.0.113.9", 5))
    assert sign_in(elsewhere).status_code == 200


def test_all_of_an_ipv6_network_is_one_address(database: Database, settings: Settings) -> None:
    few = settings.model_copy(update={"sign_in_attempts_per_address": 2})
    for host in ("2001:db8::1", "2001:db8::2"):
        limits.count(database, few, address=host)
    with pytest.raises(TooManyAttempts):
        limits.count(database, few, address="2001:db8::ffff")
    limits.count(database, few, address="2001:db8:0:1::1")


def test_attempts_are_kept_without_names_and_not_longer_than_needed(database: Database, settings: Settings) -> None:
    limits.count(database, settings, address="203.0.113.9", account="mia@example.com")
    with database.session() as session:
        for row in session.scalars(select(Attempt)):
            assert "mia" not in row.key
            assert "203" not in row.key.partition(":")[0]
        old = limits._first_id_of(utc_now() - timedelta(minutes=settings.sign_in_window_minutes + 1))
        session.execute(update(Attempt).where(Attempt.key.startswith("account")).values(id=old))
    limits.count(database, settings, address="203.0.113.10")
    with database.read() as session:
        assert session.scalar(select(func.count()).select_from(Attempt)) == 2


@quick
def test_a_hash_made_with_older_parameters_is_renewed_at_sign_in(database: Database, app_client: TestClient) -> None:
    old = PasswordHasher(time_cost=2, memory_cost=8, parallelism=1).hash(PASSWORD)
    with database.session() as session:
        mia = make_member(session, "Mia", password_hash=old)
    assert sign_in(app_client).status_code == 200
    with database.read() as session:
        renewed = session.get_one(Member, mia.id)
        assert renewed.password_hash is not None
        assert renewed.password_hash != old
        assert not passwords.is_outdated(renewed.password_hash)
        assert renewed.version == mia.version
    assert sign_in(app_client).status_code == 200


@quick
def test_signing_in_and_out_is_on_record_without_a_secret(database: Database, app_client: TestClient) -> None:
    mia = make_mia(database)
    csrf = sign_in(app_client).json()["csrf_token"]
    secret = app_client.cookies[COOKIE]
    out = app_client.delete("/api/v1/session", headers={"X-CSRF-Token": csrf})
    assert out.status_code == 204
    assert f'{COOKIE}=""' in out.headers["Set-Cookie"]
    bearer = {"Authorization": f"Bearer {secret}"}
    assert app_client.get("/api/v1/session", headers=bearer).status_code == 401
    with database.read() as session:
        entries = session.scalars(select(AuditEntry).where(AuditEntry.actor_id == mia.id).order_by(AuditEntry.id)).all()
    assert [entry.action for entry in entries] == ["sign_in", "revoke_session"]
    assert not any(secret in str(vars(entry)) or PASSWORD in str(vars(entry)) for entry in entries)


@quick
def test_changing_the_password_needs_the_old_one_and_ends_the_other_sessions(
    database: Database, app_client: TestClient, sign_in_as: SignInAs
) -> None:
    mia = make_mia(database)
    here, elsewhere = sign_in_as(mia, browser=True), sign_in_as(mia)
    wrong = here.post("/api/v1/me/password", json={"old_password": "wrong wrong wrong", "new_password": NEW})
    assert wrong.status_code == 422
    assert wrong.json()["errors"][0]["field"] == "old_password"
    weak = here.post("/api/v1/me/password", json={"old_password": PASSWORD, "new_password": "short"})
    assert weak.json()["errors"][0]["field"] == "new_password"
    done = here.post("/api/v1/me/password", json={"old_password": PASSWORD, "new_password": NEW})
    assert done.status_code == 204
    assert here.get("/api/v1/me").status_code == 200
    assert elsewhere.get("/api/v1/me").status_code == 401
    assert sign_in(app_client).status_code == 401
    assert sign_in(app_client, password=NEW).status_code == 200
    with database.read() as session:
        assert "was changed" in emails_to(session, "mia@example.com")[0].subject


@quick
def test_a_stolen_session_cannot_guess_the_password_for_ever(
    database: Database, sign_in_as: SignInAs, settings: Settings
) -> None:
    here = sign_in_as(make_mia(database))
    body = {"old_password": "wrong wrong wrong", "new_password": NEW}
    for _ in range(settings.sign_in_attempts_per_account):
        assert here.post("/api/v1/me/password", json=body).status_code == 422
    assert here.post("/api/v1/me/password", json=body).status_code == 429


@pytest.mark.parametrize(
    "body",
    [
        *({}, [], "text", {"email": "mia@example.com"}, {"email": 1, "password": 2}),
        {"email": "mia@example.com", "password": "x", "admin": True},
        {"email": "x" * 300, "password": "x"},
        {"email": "mia\x00@example.com", "password": "x"},
        {"email": "mia@example.com", "password": "x" * 1001},
        {"email": "mia@example.com", "password": "x", "as": "root"},
    ],
)
def test_wrong_input_is_named(database: Database, app_client: TestClient, body: object) -> None:
    answer = app_client.post("/api/v1/session", json=body)
    assert answer.status_code == 422
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["errors"]


@quick
def test_half_characters_are_wrong_input_and_no_bug(app_client: TestClient) -> None:
    for field in ("email", "password"):
        body = json.dumps({"email": "mia@example.com", "password": "x", field: "\ud800"})
        answer = app_client.post("/api/v1/session", content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code == 422
