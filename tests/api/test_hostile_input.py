"""Hostile input: whatever is sent, the answer is a problem that says what is wrong, and never a 500."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from bailiwick.database.base import new_id
from bailiwick.database.engine import Database
from bailiwick.database.paging import write_cursor
from tests.people import SignInAs, TestClient, make_group, make_member, make_project

JSON = {"Content-Type": "application/json"}
INTERNALS = ("Traceback", "sqlalchemy", "sqlite3", "psycopg", "SELECT ", "INSERT ", 'File "', "site-packages")


@pytest.fixture
def owner(database: Database, sign_in_as: SignInAs) -> TestClient:
    with database.session() as session:
        olga = make_member(session, "Olga", role="owner")
    return sign_in_as(olga)


def is_problem(answer: Any, *statuses: int) -> None:
    """A clear problem with one of these statuses, and nothing of the inside."""
    assert answer.status_code in statuses, f"{answer.status_code}: {answer.text[:500]}"
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["detail"]
    assert not any(word in answer.text for word in INTERNALS), answer.text


def deep(levels: int) -> Any:
    nested: Any = "bottom"
    for _ in range(levels):
        nested = {"a": nested}
    return nested


def packed(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


# Bodies --------------------------------------------------------------------------------------------------------------

BODIES = {
    "nothing": b"",
    "no JSON": b"{",
    "a number": b"1",
    "null": b"null",
    "a list": b"[]",
    "not a number": b'{"name": NaN}',
    "a number of many digits": b'{"name": ' + b"9" * 6000 + b"}",
    "very deep": b"[" * 100_000,
    "deep": b'{"name": ' + b"[" * 900 + b"]" * 900 + b"}",
    "a key that is no text": rb'{"\ud800": 1, "name": "x"}',
    "a key with a zero": rb'{"a\u0000b": 1, "name": "x"}',
    "half a letter": rb'{"name": "\ud800"}',
    "a zero": rb'{"name": "a\u0000b"}',
    "an escape": rb'{"name": "\u001b[2J"}',
    "an escape in one byte": rb'{"name": "\u009b2J"}',
    "text that runs backwards": rb'{"name": "\u202egnp.exe"}',
    "a line of its own": rb'{"name": "a\u2028b"}',
    "not UTF-8": b'{"name": "\xff\xfe"}',
    "very long": b'{"name": "' + b"x" * 300_000 + b'"}',
    "blank": b'{"name": "   "}',
}


@pytest.mark.parametrize("path", ["/api/v1/groups", "/api/v1/projects", "/api/v1/tokens", "/api/v1/members"])
def test_a_body_that_is_none(owner: TestClient, path: str) -> None:
    for body in BODIES.values():
        is_problem(owner.post(path, content=body, headers=JSON), 400, 422)


@pytest.mark.parametrize("path", ["/access/v1/evaluation", "/access/v1/search/subject", "/access/v1/evaluations"])
def test_a_question_that_is_none(owner: TestClient, path: str) -> None:
    for body in BODIES.values():
        is_problem(owner.post(path, content=body, headers=JSON), 400)


@pytest.mark.parametrize(
    ("path", "field", "body"),
    [
        ("session", "password", {"email": "a@b.example"}),
        ("links/look", "secret", {}),
        ("me/password", "old_password", {"new_password": "a long one of its own"}),
        ("sources", "secret", {}),
        ("lakehouse-destinations", "secret", {}),
    ],
)
def test_half_a_character_in_a_secret(owner: TestClient, path: str, field: str, body: dict[str, str]) -> None:
    given = json.dumps({**body, field: "\ud800"})
    answer = owner.post(f"/api/v1/{path}", content=given, headers=JSON)
    is_problem(answer, 422)
    told = {one["field"]: one["problem"] for one in answer.json()["errors"]}
    assert told[field] == "It holds half a character."


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/xml", "multipart/form-data", "", "application/json; charset=nothing"]
)
def test_another_kind_of_content(owner: TestClient, kind: str) -> None:
    answer = owner.post("/api/v1/groups", content=b'{"name": "Finance"}', headers={"Content-Type": kind})
    if kind.startswith("application/json"):
        assert answer.status_code == 201
    else:
        is_problem(answer, 415, 422)


def test_the_last_of_two_equal_keys_counts_for_the_check_and_for_the_change(owner: TestClient) -> None:
    answer = owner.post("/api/v1/groups", content=b'{"name": "", "name": "Finance"}', headers=JSON)
    assert (answer.status_code, answer.json()["name"]) == (201, "Finance")
    is_problem(owner.post("/api/v1/groups", content=b'{"name": "Sales", "name": ""}', headers=JSON), 422)


@pytest.mark.parametrize("search", ["subject", "resource", "action"])
@pytest.mark.parametrize("levels", [200, 300, 900])
def test_properties_as_deep_as_a_well(owner: TestClient, search: str, levels: int) -> None:
    nested = deep(levels)
    me = owner.get("/api/v1/me").json()["id"]
    body = {
        "subject": {"type": "member", "id": me, "properties": nested},
        "action": {"name": "see_members"},
        "resource": {"type": "tenant", "id": "tenant", "properties": nested},
        "context": nested,
        "page": {"properties": nested},
    }
    assert owner.post(f"/access/v1/search/{search}", json=body).status_code in (200, 400)
    assert owner.post("/access/v1/evaluation", json=body).status_code in (200, 400)
    described = {"type": "data_mart", "id": "x", "properties": nested}
    question = {"action": "see", "resource": described}
    is_problem(owner.post("/api/v1/access/check", json=question), 400, 422)
    changes = [{"change": "change_resource", "resource": described, "properties": nested}]
    is_problem(owner.post("/api/v1/access/what-if", json={"changes": changes}), 400, 422)


# Paths, queries and headers ------------------------------------------------------------------------------------------

CURSORS = {
    "no cursor": "x",
    "not base64": "%%%",
    "another alphabet": "\N{LATIN SMALL LETTER O WITH DIAERESIS}",
    "no list": packed("{}"),
    "numbers": packed("[1, 2]"),
    "of another list": write_cursor("x"),
    "with one too many": write_cursor("x", str(new_id()), "y"),
    "no id": write_cursor("x", "y"),
    "half a letter": packed(r'["\ud800", "01980000-0000-7000-8000-000000000001"]'),
    "a zero": packed(r'["\u0000", "01980000-0000-7000-8000-000000000001"]'),
    "very deep": packed("[" * 1400),
    "many digits": packed("9" * 1400),
    "not UTF-8": base64.urlsafe_b64encode(b"\xff\xfe\xfd").decode(),
}
LISTS = (
    *("/api/v1/members", "/api/v1/groups", "/api/v1/projects", "/api/v1/tokens", "/api/v1/sessions", "/api/v1/audit"),
    *("/api/v1/tenant/plan/preview?plan=starter", "{project}/members", "{project}/groups"),
    *("{project}/notifications/run_failed/receivers", "{group}/members"),
)


@pytest.mark.parametrize("path", LISTS)
def test_a_cursor_that_is_none_of_this_list(database: Database, sign_in_as: SignInAs, path: str) -> None:
    with database.session() as session:
        olga = make_member(session, "Olga", role="owner")
        project, group = make_project(session, "Sales", olga), make_group(session, "Readers")
    client = sign_in_as(olga)
    at = path.format(project=f"/api/v1/projects/{project.id}", group=f"/api/v1/groups/{group.id}")
    for name, cursor in CURSORS.items():
        if name == "of another list" and path in ("/api/v1/tokens", "/api/v1/sessions", "/api/v1/audit"):
            cursor = write_cursor("x", str(new_id()))
        answer = client.get(at, params={**_query(at), "cursor": cursor})
        is_problem(answer, 422)
        for limit in ("0", "-1", "201", "9" * 5000, "1e3", "NaN", ""):
            is_problem(client.get(at, params={**_query(at), "limit": limit}), 422)


def _query(path: str) -> dict[str, str]:
    return {"plan": "starter"} if "plan=" in path else {}


@pytest.mark.parametrize("cursor", CURSORS.values(), ids=CURSORS)
def test_a_page_token_that_is_none(owner: TestClient, cursor: str) -> None:
    body: dict[str, Any] = {"subject": {"type": "member"}, "action": {"name": "see_members"}}
    body |= {"resource": {"type": "tenant", "id": "tenant"}, "page": {"token": cursor}}
    is_problem(owner.post("/access/v1/search/subject", json=body), 400)
    body["page"] = {"limit": -1}
    is_problem(owner.post("/access/v1/search/subject", json=body), 400)
    body["page"] = {"limit": 10**30}
    assert owner.post("/access/v1/search/subject", json=body).status_code == 200
    question = {"action": "see_members", "resource": {"type": "tenant"}, "cursor": cursor}
    is_problem(owner.post("/api/v1/access/who", json=question), 422)


IDS = (
    "x",
    "%00",
    "1",
    "..",
    "%2e%2e",
    "0" * 3000,
    "01980000-0000-7000-8000-00000000000g",
    "%F0%9F%98%80",
    "%ff",
    "%0d%0aX-Evil:1",
)


@pytest.mark.parametrize("id_", IDS)
def test_an_id_that_is_none(database: Database, sign_in_as: SignInAs, id_: str) -> None:
    with database.session() as session:
        olga, nia = make_member(session, "Olga", role="owner"), make_member(session, "Nia")
    clients = [sign_in_as(olga), sign_in_as(nia), sign_in_as(olga, token={"read_only": True})]
    clients.append(sign_in_as(olga, token={"tables": [str(new_id())]}))
    for client in clients:
        for method, path in (
            *(("GET", f"/api/v1/{noun}/{id_}") for noun in ("members", "groups", "projects")),
            *(("DELETE", f"/api/v1/{noun}/{id_}") for noun in ("members", "groups", "projects", "tokens", "sessions")),
            ("PATCH", f"/api/v1/projects/{id_}"),
            ("DELETE", f"/api/v1/projects/{id_}/groups/{id_}"),
            ("DELETE", f"/api/v1/projects/{new_id()}/groups/{id_}"),
            ("PATCH", f"/api/v1/projects/{new_id()}/notifications/{id_}"),
            ("GET", f"/api/v1/access/tables/{id_}"),
        ):
            is_problem(client.request(method, path), 403, 404, 405, 422)


@pytest.mark.parametrize(
    "given", ["x", "3", '"', '"x"', '"-1"', '"99999999999999999999"', 'W/"x"', '"1", "2"', "\xff", ""]
)
def test_an_if_match_that_is_no_version(owner: TestClient, given: str) -> None:
    for path in ("/api/v1/me", "/api/v1/tenant/settings"):
        answer = owner.patch(path, json={"name": "Other"}, headers={"If-Match": given.encode("latin-1")})
        is_problem(answer, 409, 422)


@pytest.mark.parametrize(
    "query",
    [
        "since=0001-01-01T00:00:00%2B14:00",
        "until=9999-12-31T23:59:59-14:00",
        "since=yesterday",
        "since=2026-01-01T00:00:00",
        "since=99999999999999999999",
        "since=-1e400",
        "actor=x",
        "action=%00",
        "request_id=%00",
        "resource_id=" + "x" * 1000,
    ],
)
def test_an_audit_query_that_makes_no_sense(owner: TestClient, query: str) -> None:
    answer = owner.get(f"/api/v1/audit?{query}")
    if answer.status_code != 200:
        is_problem(answer, 422)
        assert all(one["field"] == query.partition("=")[0] and one["fix"] for one in answer.json()["errors"])
    assert answer.status_code == 422 or not answer.json()["items"] or "until" in query


@pytest.mark.parametrize("end", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "1e400", -1, 10**40])
def test_a_token_that_ends_at_no_time(owner: TestClient, end: Any) -> None:
    is_problem(owner.post("/api/v1/tokens", json={"name": "t", "expires_at": end}), 422)
    is_problem(owner.post("/api/v1/tokens", json={"name": "t", "expires_in_days": end}), 422)


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "TRACE", "CONNECT", "PROPFIND"])
def test_a_method_nobody_offers(owner: TestClient, method: str) -> None:
    for path in ("/api/v1/me", "/api/v1/members", "/healthz", f"/api/v1/projects/{new_id()}"):
        answer = owner.request(method, path)
        assert answer.status_code in (404, 405), answer.text
        assert "Bearer" not in answer.text


def test_headers_cannot_be_injected(owner: TestClient) -> None:
    answer = owner.get("/api/v1/me", headers={"X-Request-Id": "a\\r\\nSet-Cookie: x=1", "X-Forwarded-For": "\x01" * 50})
    assert "set-cookie" not in answer.headers
    named = owner.post("/api/v1/groups", json={"name": "a\r\nX-Evil: 1"})
    is_problem(named, 422)


@pytest.mark.parametrize("secret", ["", "x", "bws_", "bwt_", "bwl_x", "bws_" + "x" * 60_000, "\xff\x00", "bws_\xff"])
def test_a_secret_that_opens_nothing(app_client: TestClient, secret: str) -> None:
    given: Any = {"Authorization": b"Bearer " + secret.encode("latin-1")}
    is_problem(app_client.get("/api/v1/me", headers=given), 401)
    is_problem(app_client.get("/api/v1/me", headers={"Cookie": b"bailiwick_session=" + secret.encode("latin-1")}), 401)


def test_a_path_cannot_reach_into_the_log(app_client: TestClient, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody has to sign in to be logged."""
    app_client.get("/api/v1/%1b[2J%0aforged=line%c2%9b2J")
    written = capsys.readouterr()
    assert "/api/v1/%1B%5B2J%0Aforged%3Dline%C2%9B2J" in written.out + written.err


def test_the_document_itself_is_json(app_client: TestClient) -> None:
    assert json.loads(app_client.get("/api/v1/openapi.json").text)["openapi"].startswith("3.")
