"""API tokens: shown once, decided with their maker's rights at each call, narrowed and never widened."""

from datetime import timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select, update

from bailiwick.audit.models import AuditEntry
from bailiwick.database.base import new_id, utc_now
from bailiwick.database.engine import Database
from bailiwick.tenancy.models import ApiToken, Member, MemberState
from tests.people import SignInAs, TestClient, make_member, make_token


def make_mia(database: Database, role: str = "none") -> Member:
    with database.session() as session:
        return make_member(session, "Mia", role=role)


def with_secret(app: FastAPI, secret: str) -> TestClient:
    return TestClient(app, headers={"Authorization": f"Bearer {secret}"}, raise_server_exceptions=False)


def test_a_token_is_shown_once_and_works(database: Database, app: FastAPI, sign_in_as: SignInAs) -> None:
    mia = make_mia(database)
    made = sign_in_as(mia).post("/api/v1/tokens", json={"name": "Nightly", "expires_in_days": 30})
    assert made.status_code == 201
    secret = made.json()["secret"]
    assert secret.startswith("bwt_")
    assert made.json()["hint"] == secret[:10]
    program = with_secret(app, secret)
    assert program.get("/api/v1/session").json()["token"]["name"] == "Nightly"
    listed = program.get("/api/v1/tokens")
    assert [item["name"] for item in listed.json()["items"]] == ["Nightly"]
    assert secret not in listed.text
    with database.read() as session:
        row = session.scalars(select(ApiToken)).one()
        assert secret not in str(vars(row))
        entry = session.scalars(select(AuditEntry).where(AuditEntry.action == "create_token")).one()
        assert secret not in str(vars(entry))
        assert row.secret_hash not in str(vars(entry))


def test_a_program_needs_no_csrf_token(database: Database, sign_in_as: SignInAs) -> None:
    program = sign_in_as(make_mia(database, "owner"), token={})
    assert program.post("/api/v1/groups", json={"name": "Another"}).status_code == 201


def test_what_a_token_does_is_recorded_with_the_token(database: Database, sign_in_as: SignInAs) -> None:
    mia = make_mia(database, "owner")
    assert sign_in_as(mia, token={}).post("/api/v1/groups", json={"name": "Another"}).status_code == 201
    with database.read() as session:
        entry = session.scalars(select(AuditEntry)).one()
        assert entry.actor_id == mia.id
        assert entry.token_id is not None


def test_a_revoked_or_expired_token_opens_nothing(database: Database, app: FastAPI, sign_in_as: SignInAs) -> None:
    client = sign_in_as(make_mia(database))
    made = [client.post("/api/v1/tokens", json={"name": name}).json() for name in ("One", "Two")]
    assert client.delete(f"/api/v1/tokens/{made[0]['id']}").status_code == 204
    assert client.delete(f"/api/v1/tokens/{made[0]['id']}").status_code == 404
    assert with_secret(app, made[0]["secret"]).get("/api/v1/session").status_code == 401
    assert with_secret(app, made[1]["secret"]).get("/api/v1/session").status_code == 200
    with database.session() as session:
        session.execute(update(ApiToken).values(expires_at=utc_now() - timedelta(seconds=1)))
    assert with_secret(app, made[1]["secret"]).get("/api/v1/session").status_code == 401
    assert [item["name"] for item in client.get("/api/v1/tokens").json()["items"]] == ["Two"]


@pytest.mark.parametrize("state", [MemberState.SUSPENDED, MemberState.REMOVED])
def test_a_token_stops_at_once_when_its_maker_is_suspended_or_removed(
    database: Database, sign_in_as: SignInAs, state: str
) -> None:
    mia = make_mia(database)
    program = sign_in_as(mia, token={})
    assert program.get("/api/v1/me").status_code == 200
    with database.session() as session:
        session.get_one(Member, mia.id).state = state
    answers = [program.get("/api/v1/me"), program.post("/api/v1/tokens", json={"name": "Another"})]
    assert [answer.status_code for answer in answers] == [401, 401]


def test_a_token_can_no_more_when_its_maker_was_demoted(database: Database, sign_in_as: SignInAs) -> None:
    with database.session() as session:
        ada, mia = make_member(session, "Ada", role="admin"), make_member(session, "Mia")
    program = sign_in_as(ada, token={})
    assert program.post(f"/api/v1/members/{mia.id}/links", json={}).status_code == 201
    assert "add_members" in program.get("/api/v1/me").json()["tenant"]["actions"]
    with database.session() as session:
        session.get_one(Member, ada.id).tenant_role = "none"
    assert program.post(f"/api/v1/members/{mia.id}/links", json={}).status_code == 404
    assert program.get("/api/v1/me").json()["tenant"]["actions"] == ["see_groups"]


def test_a_read_only_token_reads_and_changes_nothing(database: Database, sign_in_as: SignInAs) -> None:
    mia = make_mia(database)
    program = sign_in_as(mia, token={"read_only": True})
    assert program.get("/api/v1/me").status_code == 200
    for method, path, body in [
        ("POST", "/api/v1/tokens", {"name": "Another"}),
        ("PATCH", "/api/v1/me", {"name": "Eve"}),
        ("POST", "/api/v1/me/password", {"old_password": "x", "new_password": "y"}),
        ("DELETE", "/api/v1/sessions", None),
    ]:
        refused = program.request(method, path, json=body)
        assert refused.status_code == 403, path
        assert refused.json()["decision"]["table"] == "API tokens"
    with database.read() as session:
        refusals = session.scalars(select(AuditEntry).where(AuditEntry.outcome == "refused")).all()
        assert len(refusals) == 4
        assert all(entry.token_id and entry.decision for entry in refusals)


def test_a_token_for_chosen_tables_reaches_nothing_else(database: Database, sign_in_as: SignInAs) -> None:
    mia = make_mia(database, "owner")
    for narrowed in ({"tables": [str(new_id())]}, {"tables": [str(new_id())], "read_only": True}):
        program = sign_in_as(mia, token=narrowed)
        for path in ("/api/v1/me", "/api/v1/session", "/api/v1/tokens", "/api/v1/sessions"):
            assert program.get(path).status_code == 403
        assert program.post("/api/v1/tokens", json={"name": "Wide"}).status_code == 403


def test_what_is_for_the_member_in_person_is_not_for_a_token(database: Database, sign_in_as: SignInAs) -> None:
    mia = make_mia(database, "owner")
    browser, program = sign_in_as(mia), sign_in_as(mia, token={})
    current = browser.get("/api/v1/session").json()["session"]["id"]
    other = browser.post("/api/v1/tokens", json={"name": "Another"}).json()["id"]
    for method, path, body in [
        ("PATCH", "/api/v1/me", {"name": "Eve"}),
        ("POST", "/api/v1/me/password", {"old_password": "x", "new_password": "y"}),
        ("DELETE", f"/api/v1/sessions/{current}", None),
        ("DELETE", "/api/v1/sessions", None),
        ("DELETE", "/api/v1/session", None),
        ("POST", "/api/v1/tokens", {"name": "A successor that outlives this token"}),
        ("DELETE", f"/api/v1/tokens/{other}", None),
    ]:
        refused = program.request(method, path, json=body)
        assert refused.status_code == 403, path
        assert "sign in as yourself" in refused.json()["detail"]
    assert browser.get("/api/v1/me").json()["name"] == "Mia"
    token = program.get("/api/v1/session").json()["token"]
    entries = browser.get("/api/v1/audit", params={"outcome": "refused"}).json()["items"]
    assert {(one["resource_type"], one["resource_id"], one["resource_name"]) for one in entries} == {
        ("api_token", token["id"], token["name"])
    }
    assert entries[0]["after"] == {"path": f"/api/v1/tokens/{other}"}
    assert entries[0]["said"] == "came with a token, and tried what takes a session"


def test_what_a_read_only_token_tries_is_on_record_as_the_tokens(database: Database, sign_in_as: SignInAs) -> None:
    mia = make_mia(database, "owner")
    program = sign_in_as(mia, token={"read_only": True})
    assert program.delete(f"/api/v1/groups/{new_id()}").status_code == 403
    token = program.get("/api/v1/session").json()["token"]
    (entry,) = sign_in_as(mia).get("/api/v1/audit", params={"outcome": "refused"}).json()["items"]
    assert (entry["resource_type"], entry["resource_id"]) == ("api_token", token["id"])
    assert entry["after"]["path"].startswith("/api/v1/groups/")


def test_a_token_may_revoke_itself(database: Database, sign_in_as: SignInAs) -> None:
    program = sign_in_as(make_mia(database), token={})
    (item,) = program.get("/api/v1/tokens").json()["items"]
    assert item["actions"] == ["revoke"]
    assert program.delete(f"/api/v1/tokens/{item['id']}").status_code == 204
    assert program.get("/api/v1/tokens").status_code == 401


def test_owners_and_admins_see_and_revoke_a_members_tokens(
    database: Database, app: FastAPI, sign_in_as: SignInAs
) -> None:
    with database.session() as session:
        olga, ada = make_member(session, "Olga", role="owner"), make_member(session, "Ada", role="admin")
        mia, stranger = make_member(session, "Mia"), make_member(session, "Stranger")
        token, secret = make_token(session, mia)
    path = f"/api/v1/members/{mia.id}/tokens"
    (item,) = sign_in_as(ada).get(path).json()["items"]
    assert item["actions"] == ["revoke"]
    assert sign_in_as(stranger).get(path).status_code == 404
    assert sign_in_as(ada).get(f"/api/v1/members/{olga.id}/tokens").status_code == 403
    assert sign_in_as(stranger).delete(f"{path}/{token.id}").status_code == 404
    assert sign_in_as(ada).delete(f"/api/v1/members/{stranger.id}/tokens/{token.id}").status_code == 404
    assert with_secret(app, secret).get("/api/v1/me").status_code == 200
    assert sign_in_as(ada).delete(f"{path}/{token.id}").status_code == 204
    assert with_secret(app, secret).get("/api/v1/me").status_code == 401
    with database.read() as session:
        entry = session.scalars(select(AuditEntry).where(AuditEntry.action == "revoke_token")).one()
        assert (entry.actor_id, entry.about_id) == (ada.id, mia.id)


@pytest.mark.parametrize("whose", ["own", "a member's"])
def test_tokens_are_found_by_name_and_sorted(database: Database, sign_in_as: SignInAs, whose: str) -> None:
    with database.session() as session:
        ada, mia = make_member(session, "Ada", role="admin"), make_member(session, "Mia")
        make_token(session, ada, name="Nightly of Ada")
        for name, hours in [("Nightly", 2), ("export", None), ("Night watch", 1)]:
            token, _ = make_token(session, mia, name=name)
            token.last_used_at = None if hours is None else utc_now() - timedelta(hours=hours)
    client = sign_in_as(mia if whose == "own" else ada)
    path = "/api/v1/tokens" if whose == "own" else f"/api/v1/members/{mia.id}/tokens"

    def found(**wanted: str) -> list[str]:
        named, cursor = [], None
        while True:
            page = client.get(path, params={"limit": 1, **wanted, **({"cursor": cursor} if cursor else {})}).json()
            named += [item["name"] for item in page["items"]]
            if (cursor := page["next_cursor"]) is None:
                return named

    assert found() == ["Night watch", "export", "Nightly"]
    assert found(sort="created") == ["Nightly", "export", "Night watch"]
    assert found(search="NIGHT", sort="name") == ["Night watch", "Nightly"]
    assert found(sort="-used") == ["Night watch", "Nightly", "export"]  # what was never used comes last
    assert found(sort="used") == ["Nightly", "Night watch", "export"]
    assert client.get(path, params={"sort": "age"}).status_code == 422


def test_nobody_revokes_somebody_elses_token_as_their_own(database: Database, sign_in_as: SignInAs) -> None:
    with database.session() as session:
        olga, mia = make_member(session, "Olga", role="owner"), make_member(session, "Mia")
        token, _ = make_token(session, mia)
    assert sign_in_as(olga).delete(f"/api/v1/tokens/{token.id}").status_code == 404


def test_when_a_token_was_last_used_is_written_once_a_minute(
    database: Database, app: FastAPI, sign_in_as: SignInAs
) -> None:
    program = sign_in_as(make_mia(database), token={})
    assert program.get("/api/v1/tokens").json()["items"][0]["last_used_at"] is None
    app.state.last_seen.write()
    first = program.get("/api/v1/tokens").json()["items"][0]["last_used_at"]
    app.state.last_seen.write()
    assert first is not None
    assert program.get("/api/v1/tokens").json()["items"][0]["last_used_at"] == first


@pytest.mark.parametrize(
    "body",
    [
        *({}, {"name": ""}, {"name": "x" * 201}, {"name": "x", "tables": []}, {"name": "x", "tables": ["nonsense"]}),
        *({"name": "x", "expires_in_days": 0}, {"name": "x", "expires_in_days": 10**9}),
        *({"name": "x", "expires_at": "2020-01-01T00:00:00Z"}, {"name": "x", "expires_at": "2999-01-01T00:00:00"}),
        *(
            {"name": "x", "expires_at": "9999-12-31T23:59:59-14:00"},
            {"name": "x", "expires_at": "0001-01-01T00:00:00+14:00"},
        ),
        *({"name": "x", "expires_at": "2999-01-01T00:00:00Z", "expires_in_days": 5}, {"name": "x", "rights": "all"}),
    ],
)
def test_wrong_input_is_named(database: Database, sign_in_as: SignInAs, body: dict[str, Any]) -> None:
    refused = sign_in_as(make_mia(database)).post("/api/v1/tokens", json=body)
    assert refused.status_code == 422
    assert refused.json()["errors"]
