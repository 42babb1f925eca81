"""Sessions: listed, ended, protected against other sites' pages; and one's own profile."""

from datetime import timedelta

import pytest
from fastapi import FastAPI
from sqlalchemy import select, update

from bailiwick.audit.models import AuditEntry
from bailiwick.database.base import utc_now
from bailiwick.database.engine import Database
from bailiwick.settings import Settings, load_settings
from bailiwick.tenancy.calling import COOKIE, CSRF_HEADER, Knocking
from bailiwick.tenancy.models import Member, MemberState, SignInSession
from tests.people import SignInAs, TestClient, make_group, make_member, make_session


def make_mia(database: Database, role: str = "none") -> Member:
    with database.session() as session:
        return make_member(session, "Mia", role=role)


def test_a_member_lists_their_sessions_and_ends_one(database: Database, sign_in_as: SignInAs) -> None:
    mia = make_mia(database)
    here, there = sign_in_as(mia), sign_in_as(mia)
    with database.session() as session:
        make_session(session, make_member(session, "Somebody else"))
    listed = here.get("/api/v1/sessions").json()["items"]
    assert [item["current"] for item in listed] == [False, True]
    assert all(item["actions"] == ["revoke"] for item in listed)
    assert here.delete(f"/api/v1/sessions/{listed[0]['id']}").status_code == 204
    assert there.get("/api/v1/session").status_code == 401
    assert here.delete(f"/api/v1/sessions/{listed[0]['id']}").status_code == 404
    assert len(here.get("/api/v1/sessions").json()["items"]) == 1


def test_sessions_come_in_pages(database: Database, sign_in_as: SignInAs) -> None:
    mia = make_mia(database)
    client, *_ = [sign_in_as(mia) for _ in range(5)]
    seen, cursor = [], None
    while True:
        page = client.get("/api/v1/sessions", params={"limit": 2, **({"cursor": cursor} if cursor else {})}).json()
        seen += [item["id"] for item in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == 5
    assert client.get("/api/v1/sessions", params={"cursor": "nonsense"}).status_code == 422


def test_sessions_are_found_by_program_and_address_and_sorted(database: Database, sign_in_as: SignInAs) -> None:
    mia = make_mia(database)
    client, *_ = [sign_in_as(mia) for _ in range(3)]
    seen = [utc_now() - timedelta(hours=hours) for hours in (3, 1, 2)]
    with database.session() as session:
        rows = session.scalars(select(SignInSession).order_by(SignInSession.id)).all()
        for row, program, address, at in zip(
            rows, ["Firefox", "curl/8", "Chrome"], ["10.0.0.1", "10.0.0.2", "192.168.7.9"], seen, strict=True
        ):
            row.client, row.address, row.last_seen_at = program, address, at

    def found(**wanted: str) -> list[str]:
        named, cursor = [], None
        while True:
            asked = {"limit": 1, **wanted, **({"cursor": cursor} if cursor else {})}
            page = client.get("/api/v1/sessions", params=asked).json()
            named += [item["client"] for item in page["items"]]
            if (cursor := page["next_cursor"]) is None:
                return named

    assert found() == ["Chrome", "curl/8", "Firefox"]
    assert found(sort="created") == ["Firefox", "curl/8", "Chrome"]
    assert found(sort="-seen", search="e") == ["Chrome", "Firefox"]
    assert found(search="10.0.", sort="seen") == ["Firefox", "curl/8"]
    assert found(search="CHROME") == ["Chrome"]
    edge = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0"
    with database.session() as session:
        session.get_one(SignInSession, rows[0].id).client = edge
    assert found(search="Edge on macOS") == [edge]
    assert found(search="Edge on Linux") == []


def test_nobody_ends_somebody_elses_session(database: Database, sign_in_as: SignInAs) -> None:
    with database.session() as session:
        owner, mia = make_member(session, "Olga", role="owner"), make_member(session, "Mia")
        theirs, _ = make_session(session, mia)
    client = sign_in_as(owner)
    hidden = client.delete(f"/api/v1/sessions/{theirs.id}")
    missing = client.delete(f"/api/v1/sessions/{owner.id}")
    assert hidden.status_code == missing.status_code == 404
    assert hidden.json()["detail"] == missing.json()["detail"]


def test_all_other_sessions_end_at_once(database: Database, sign_in_as: SignInAs) -> None:
    mia = make_mia(database)
    here, *others = [sign_in_as(mia) for _ in range(3)]
    assert here.delete("/api/v1/sessions").json() == {"ended": 2}
    assert here.get("/api/v1/session").status_code == 200
    assert [other.get("/api/v1/session").status_code for other in others] == [401, 401]
    assert here.delete("/api/v1/sessions").json() == {"ended": 0}


@pytest.mark.parametrize("state", [MemberState.SUSPENDED, MemberState.REMOVED])
def test_a_suspended_or_removed_members_session_opens_nothing(
    database: Database, sign_in_as: SignInAs, state: str
) -> None:
    mia = make_mia(database)
    client = sign_in_as(mia)
    assert client.get("/api/v1/session").status_code == 200
    with database.session() as session:
        session.get_one(Member, mia.id).state = state
    assert client.get("/api/v1/session").status_code == 401


def test_an_expired_session_opens_nothing(database: Database, sign_in_as: SignInAs) -> None:
    client = sign_in_as(make_mia(database))
    with database.session() as session:
        session.execute(update(SignInSession).values(expires_at=utc_now() - timedelta(seconds=1)))
    assert client.get("/api/v1/session").status_code == 401


def test_another_sites_page_cannot_change_anything(database: Database, sign_in_as: SignInAs) -> None:
    browser = sign_in_as(make_mia(database), browser=True)
    right = browser.headers.pop(CSRF_HEADER)
    for headers in ({}, {CSRF_HEADER: ""}, {CSRF_HEADER: "wrong"}, {CSRF_HEADER: "ü".encode()}):
        refused = browser.patch("/api/v1/me", json={"name": "Eve"}, headers=headers)
        assert refused.status_code == 401
        assert CSRF_HEADER in refused.json()["detail"]
        passwords = {"old_password": "x", "new_password": "y"}
        assert browser.post("/api/v1/me/password", json=passwords, headers=headers).status_code == 401
    assert browser.get("/api/v1/me").json()["name"] == "Mia"
    assert browser.patch("/api/v1/me", json={"name": "Mia M."}, headers={CSRF_HEADER: right}).status_code == 200


def test_a_cookie_is_of_no_use_as_another_kind_of_secret(database: Database, app_client: TestClient) -> None:
    with database.session() as session:
        mia = make_member(session, "Mia")
        signed_in, _ = make_session(session, mia)
    for secret in ("", "bws_", "bws_nothing", "bwt_nothing", "bwl_x", signed_in.secret_hash, "nonsense", "x" * 5000):
        app_client.cookies.set(COOKIE, secret)
        assert app_client.get("/api/v1/session").status_code == 401
        bearer = {"Authorization": f"Bearer {secret}"}
        assert app_client.get("/api/v1/session", headers=bearer).status_code == 401


def test_when_a_session_was_last_seen_is_written_beside_the_request_and_once_a_minute(
    database: Database, app: FastAPI, sign_in_as: SignInAs
) -> None:
    client = sign_in_as(make_mia(database))

    def last_seen_after_a_request() -> float:
        assert client.get("/api/v1/session").status_code == 200
        app.state.last_seen.write()
        with database.read() as session:
            return (utc_now() - session.scalars(select(SignInSession)).one().last_seen_at).total_seconds()

    with database.session() as session:
        session.execute(update(SignInSession).values(last_seen_at=utc_now() - timedelta(seconds=50)))
    assert last_seen_after_a_request() >= 50
    with database.session() as session:
        session.execute(update(SignInSession).values(last_seen_at=utc_now() - timedelta(seconds=61)))
    assert last_seen_after_a_request() < 40


def test_the_address_is_believed_of_our_own_proxies_only(app: FastAPI, settings: Settings) -> None:
    @app.get("/where")
    def where(knock: Knocking) -> str:
        return knock.address

    def address(trusted: str, peer: str) -> str:
        app.state.settings = load_settings(home=settings.home, trusted_proxies=trusted)
        forwarded = {"X-Forwarded-For": "198.51.100.1, 203.0.113.9, 10.0.0.2"}
        return str(TestClient(app, client=(peer, 1)).get("/where", headers=forwarded).json())

    assert address("", "192.0.2.7") == "192.0.2.7"
    assert address("10.0.0.0/8", "192.0.2.7") == "192.0.2.7"
    assert address("192.0.2.7", "192.0.2.7") == "10.0.0.2"
    assert address("192.0.2.0/24,10.0.0.0/8", "192.0.2.7") == "203.0.113.9"
    assert address("0.0.0.0/0", "192.0.2.7") == "198.51.100.1"


# The profile ---------------------------------------------------------------------------------------------------------


def test_everybody_sees_their_own_profile_with_what_they_may_do(database: Database, sign_in_as: SignInAs) -> None:
    with database.session() as session:
        mia = make_member(session, "Mia", role="viewer", data_admin=True)
        make_group(session, "Sales", mia)
        olga = make_member(session, "Olga", role="owner")
    answer = sign_in_as(mia).get("/api/v1/me")
    me = answer.json()
    assert answer.headers["ETag"] == '"1"'
    assert (me["name"], me["tenant_role"], me["security_roles"]) == ("Mia", "viewer", ["data admin"])
    assert [group["name"] for group in me["groups"]] == ["All", "Sales"]
    assert "edit_profile" in me["actions"]
    assert me["tenant"]["actions"] == ["see_groups"]
    assert "manage_billing" in sign_in_as(olga).get("/api/v1/me").json()["tenant"]["actions"]
    assert "password_hash" not in me


def test_a_member_changes_their_name_and_time_zone(database: Database, sign_in_as: SignInAs) -> None:
    mia = make_mia(database)
    client = sign_in_as(mia)
    changed = client.patch("/api/v1/me", json={"time_zone": "Asia/Tokyo"}, headers={"If-Match": '"1"'})
    assert changed.status_code == 200
    assert changed.headers["ETag"] == '"2"'
    assert changed.json()["time_zone"] == "Asia/Tokyo"
    assert changed.json()["name"] == "Mia"
    assert client.patch("/api/v1/me", json={"name": "Mia M."}, headers={"If-Match": '"1"'}).status_code == 409
    with database.read() as session:
        entry = session.scalars(select(AuditEntry).where(AuditEntry.action == "edit_profile")).one()
        assert entry.before == {"name": "Mia", "time_zone": "UTC"}
        assert entry.decision is not None
        assert entry.decision["table"] == "Members"


@pytest.mark.parametrize(
    "body",
    [
        *({"time_zone": "Mars/Olympus"}, {"time_zone": "../../etc/passwd"}, {"time_zone": ""}, {"name": "   "}),
        *({"name": "x" * 201}, {"name": "a\nb"}, {"tenant_role": "owner"}, {"email": "eve@example.com"}),
    ],
)
def test_a_profile_takes_no_nonsense_and_no_role(
    database: Database, sign_in_as: SignInAs, body: dict[str, str]
) -> None:
    client = sign_in_as(make_mia(database))
    assert client.patch("/api/v1/me", json=body).status_code == 422
    assert client.get("/api/v1/me").json()["version"] == 1
