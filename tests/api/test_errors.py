"""Every answer has a request id and careful headers; every error is a problem that says what to do."""

import threading
from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.responses import StreamingResponse

from bailiwick.database.engine import Database, DatabaseUnavailable
from bailiwick.tenancy.calling import Reading
from tests.people import SignInAs, TestClient, make_member


def test_every_answer_carries_its_request_id_and_careful_headers(app_client: TestClient) -> None:
    for path in ("/healthz", "/api/v1/me", "/api/v1/nothing", "/metrics"):
        answer = app_client.get(path, headers={"X-Request-Id": "my-id.1"})
        assert answer.headers["X-Request-Id"] == "my-id.1"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    assert app_client.get("/api/v1/me").headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("given", ["", "has space", "x" * 201, "a\tb"])
def test_a_request_id_that_could_harm_the_log_is_replaced(app_client: TestClient, given: str) -> None:
    answer = app_client.get("/api/v1/me", headers={"X-Request-Id": given})
    assert answer.headers["X-Request-Id"] != given
    assert answer.json()["request_id"] == answer.headers["X-Request-Id"]


@pytest.mark.parametrize("given", ["<any>string/+=", "x" * 200])
def test_a_request_id_is_given_back_as_it_came_and_kept_as_far_as_it_fits(app_client: TestClient, given: str) -> None:
    answer = app_client.get("/api/v1/me", headers={"X-Request-Id": given})
    assert answer.headers["X-Request-Id"] == given
    assert answer.json()["request_id"] == given[:64]


def test_errors_are_problems(app_client: TestClient) -> None:
    for method, path, status in [
        ("GET", "/api/v1/me", 401),
        ("GET", "/api/v1/nothing", 404),
        ("PUT", "/api/v1/session", 405),
        ("POST", "/api/v1/session", 422),
    ]:
        answer = app_client.request(method, path)
        assert answer.status_code == status
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert answer.json()["status"] == status
        assert answer.json()["detail"]
    assert app_client.get("/api/v1/me").headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    ("path", "field", "said"),
    [
        ("flow?layer=x", "layer", "This is no id. Take an id from a list, or leave it out."),
        ("audit?actor=x", "actor", "This is no id. Take an id from a list, or leave it out."),
        ("audit?outcome=x", "outcome", "It is neither of the two outcomes. Give `done` or `refused`."),
        ("audit?since=x", "since", "This is no moment. Write it like 2027-01-31T00:00:00Z."),
        ("audit?limit=0", "limit", "It is too small. Give 1 or more."),
        ("tables?sort=x", "sort", "There is no such choice. Give 'name', '-name', 'changed' or '-changed'."),
        ("access-requests?mine=x", "mine", "This is neither yes nor no. Give `true` or `false`."),
        *(
            (
                f"{path}=%00",
                path.split("?")[1],
                "It holds characters that are not allowed here. Leave out control characters",
            )
            for path in ("tables?search", "audit?search", "audit?action", "search?q", "layers?search")
        ),
    ],
)
def test_wrong_input_is_told_by_its_field_and_how_to_mend_it(
    database: Database, sign_in_as: SignInAs, path: str, field: str, said: str
) -> None:
    with database.session() as session:
        owner = make_member(session, "Olga", role="owner")
    answer = sign_in_as(owner).get(f"/api/v1/{path}")
    assert answer.status_code == 422
    (wrong,) = answer.json()["errors"]
    assert wrong["field"] == field
    assert f"{wrong['problem']} {wrong['fix']}".startswith(said)
    assert answer.json()["detail"] == f"{field}: {wrong['problem']} {wrong['fix']}"


def test_a_bug_is_a_bare_500_with_its_request_id(app: FastAPI, app_client: TestClient) -> None:
    @app.get("/api/v1/bug")
    def bug() -> None:
        raise RuntimeError("the database password is swordfish")

    answer = app_client.get("/api/v1/bug", headers={"X-Request-Id": "the-bug"})
    assert answer.status_code == 500
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.headers["X-Request-Id"] == answer.json()["request_id"] == "the-bug"
    assert "swordfish" not in answer.text


def test_a_large_body_is_refused(app_client: TestClient) -> None:
    large = b'{"email": "' + b"x" * 1024 * 1024 + b'"}'
    json = {"Content-Type": "application/json"}
    announced = app_client.post("/api/v1/session", content=large, headers=json)
    assert announced.status_code == 413
    assert announced.headers["Content-Type"] == "application/problem+json"
    assert announced.headers["X-Request-Id"]

    def in_pieces() -> Iterator[bytes]:
        for start in range(0, len(large), 100_000):
            yield large[start : start + 100_000]

    unannounced = app_client.post("/api/v1/session", content=in_pieces(), headers=json)
    assert unannounced.status_code == 413
    assert unannounced.headers["Content-Type"] == "application/problem+json"
    assert app_client.post("/api/v1/session", content=b"[" * 100_000, headers=json).status_code in (400, 422)


def test_a_database_that_is_away_is_a_clear_503_and_then_all_is_well(
    app: FastAPI, database: Database, sign_in_as: SignInAs, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database.session() as session:
        mia = make_member(session, "Mia")
    client = sign_in_as(mia)

    def away(*_: object) -> None:
        raise DatabaseUnavailable("The database cannot be reached or is too busy.")

    with monkeypatch.context() as patched:
        patched.setattr(Database, "read", away)
        patched.setattr(Database, "session", away)
        for answer in (client.get("/api/v1/me"), client.patch("/api/v1/me", json={"name": "Mia M."})):
            assert answer.status_code == 503
            assert answer.headers["Retry-After"] == "5"
    assert client.get("/api/v1/me").status_code == 200


def test_an_answer_that_broke_off_is_not_taken_for_a_whole_one(app: FastAPI) -> None:
    def half() -> Iterator[bytes]:
        yield b"half an"
        raise RuntimeError("broke")

    @app.get("/half")
    def send_half() -> StreamingResponse:
        return StreamingResponse(half())

    with pytest.raises(RuntimeError, match="broke"):
        TestClient(app).get("/half")


def test_many_requests_at_once_keep_their_ids_apart(app: FastAPI, database: Database, sign_in_as: SignInAs) -> None:
    with database.session() as session:
        mia = make_member(session, "Mia")
    client = sign_in_as(mia)

    @app.get("/api/v1/id-of-this")
    def id_of_this(call: Reading) -> str:
        return call.caller.request_id

    seen: list[tuple[str, str]] = []

    def ask(number: int) -> None:
        answer = client.get("/api/v1/id-of-this", headers={"X-Request-Id": f"request-{number}"})
        seen.append((f"request-{number}", answer.json()))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 8
    assert all(sent == kept for sent, kept in seen)
