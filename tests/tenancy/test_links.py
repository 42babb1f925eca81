"""One-time links: asked for, sent by somebody else, looked at, used once, and of no use to anybody else."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import func, select, update

from bailiwick.audit.models import AuditEntry
from bailiwick.database.base import new_id, utc_now
from bailiwick.database.engine import Database
from bailiwick.settings import Settings
from bailiwick.tenancy import links, passwords
from bailiwick.tenancy.models import LinkPurpose, Member, MemberState, OneTimeLink, SignInSession
from tests.people import SignInAs, TestClient, emails_to, make_app, make_group, make_member, make_project

PASSWORD = "violet tram in the rain"
pytestmark = pytest.mark.usefixtures("quick_passwords")


def make_link(database: Database, purpose: LinkPurpose = LinkPurpose.SIGN_IN, **more: Any) -> tuple[Member, str]:
    with database.session() as session:
        mia = make_member(session, "Mia Miller", email="mia@example.com", **more)
        return mia, links.make_link(session, mia, purpose)


def use(client: TestClient, page: str, secret: str, **more: Any) -> Any:
    return client.post(f"/api/v1/links/{page}", json={"secret": secret, "as": "bearer", **more})


def secret_in(text: str | None) -> str:
    assert text is not None
    return "bwl_" + text.split("#bwl_")[1].split()[0]


def test_a_link_that_was_asked_for_comes_by_email_and_signs_in(
    database: Database, app_client: TestClient, settings: Settings
) -> None:
    with database.session() as session:
        make_member(session, "Mia")
    answer = app_client.post("/api/v1/links", json={"email": "Mia@example.com"})
    assert answer.status_code == 202
    with database.read() as session:
        (email,) = emails_to(session, "mia@example.com")
    assert f"{settings.public_url}/sign-in#bwl_" in str(email.text)
    signed_in = use(app_client, "sign-in", secret_in(email.text))
    assert signed_in.json()["name"] == "Mia"


def test_asking_for_a_link_tells_nobody_whether_there_is_an_account(database: Database, app_client: TestClient) -> None:
    with database.session() as session:
        make_member(session, "Mia")
        make_member(session, "Sue", state=MemberState.SUSPENDED)
    answers = [
        app_client.post("/api/v1/links", json={"email": f"{name}@example.com", "purpose": purpose})
        for name in ("mia", "nobody", "sue")
        for purpose in ("sign_in", "reset_password")
    ]
    assert {answer.status_code for answer in answers} == {202}
    assert len({answer.text for answer in answers}) == 1
    with database.read() as session:
        assert len(emails_to(session, "mia@example.com")) == 2
        assert not emails_to(session, "nobody@example.com")
        assert not emails_to(session, "sue@example.com")


def test_the_answer_leaves_before_anybody_is_looked_up(
    database: Database, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = []
    monkeypatch.setattr("bailiwick.tenancy.sign_in.ask_for_link", lambda *_: order.append("looked up"))

    async def recording(scope: Any, receive: Any, send: Any) -> None:
        async def record(message: Any) -> None:
            if message["type"] == "http.response.body":
                order.append("answered")
            await send(message)

        await app(scope, receive, record)

    TestClient(recording).post("/api/v1/links", json={"email": "mia@example.com"})
    assert order == ["answered", "looked up"]


def test_nobodys_mailbox_can_be_flooded(database: Database, app_client: TestClient, settings: Settings) -> None:
    with database.session() as session:
        make_member(session, "Mia")
    for _ in range(settings.sign_in_attempts_per_account):
        assert app_client.post("/api/v1/links", json={"email": "mia@example.com"}).status_code == 202
    refused = app_client.post("/api/v1/links", json={"email": "mia@example.com"})
    assert refused.status_code == 429
    assert "Retry-After" in refused.headers
    with database.read() as session:
        assert len(emails_to(session, "mia@example.com")) == settings.sign_in_attempts_per_account


def test_looking_at_a_link_hints_at_its_owner_and_uses_nothing_up(database: Database, app_client: TestClient) -> None:
    _, secret = make_link(database)
    for _ in range(3):
        seen = app_client.post("/api/v1/links/look", json={"secret": secret})
        assert seen.status_code == 200
        assert seen.json()["purpose"] == "sign_in"
        assert seen.json()["name"] == "M••• M•••"
        assert seen.json()["email"] == "m•••@example.com"
    assert use(app_client, "sign-in", secret).status_code == 200


def test_a_link_works_once(database: Database, app_client: TestClient) -> None:
    _, secret = make_link(database)
    assert use(app_client, "sign-in", secret).status_code == 200
    again = use(app_client, "sign-in", secret)
    assert again.status_code == 410
    assert app_client.post("/api/v1/links/look", json={"secret": secret}).status_code == 410


def test_of_many_who_use_a_link_at_the_same_moment_one_gets_in(database: Database, app: FastAPI) -> None:
    _, secret = make_link(database)
    gate = threading.Barrier(4)
    statuses: list[int] = []

    def press() -> None:
        client = TestClient(app, raise_server_exceptions=False)
        gate.wait()
        statuses.append(use(client, "sign-in", secret).status_code)

    threads = [threading.Thread(target=press) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200, 410, 410, 410]
    with database.read() as session:
        assert session.scalar(select(func.count()).select_from(SignInSession)) == 1


def test_two_who_make_links_for_each_other_both_do(database: Database, sign_in_as: SignInAs) -> None:
    with database.session() as session:
        both = [make_member(session, name, role="admin") for name in ("Adam", "Bruno")]
    gate = threading.Barrier(2)

    def make(one: int) -> list[int]:
        client, path = sign_in_as(both[one]), f"/api/v1/members/{both[1 - one].id}/links"
        made = []
        for _ in range(8):
            gate.wait()
            made.append(client.post(path, json={"purpose": "sign_in"}).status_code)
        return made

    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(make, (0, 1))) == [[201] * 8] * 2


def test_every_link_that_opens_nothing_gets_the_same_answer(database: Database, app_client: TestClient) -> None:
    with database.session() as session:
        secrets = []
        for name in ("Expired", "Suspended", "Removed", "Replaced", "Joining"):
            member = make_member(session, name)
            purpose = LinkPurpose.JOIN if name == "Joining" else LinkPurpose.SIGN_IN
            secrets.append(links.make_link(session, member, purpose))
            if name == "Expired":
                session.execute(update(OneTimeLink).values(expires_at=utc_now() - timedelta(seconds=1)))
            elif name == "Replaced":
                links.make_link(session, member, LinkPurpose.SIGN_IN)
            elif name != "Joining":
                member.state = name.lower()
    answers = [use(app_client, "sign-in", secret) for secret in [*secrets, "bwl_never_made", "\x00"]]
    assert {answer.status_code for answer in answers} == {410}
    bodies = [{k: v for k, v in answer.json().items() if k != "request_id"} for answer in answers]
    assert all(body == bodies[0] for body in bodies)


def test_a_failed_use_leaves_the_link_for_the_second_try(database: Database, app_client: TestClient) -> None:
    _, secret = make_link(database, LinkPurpose.RESET_PASSWORD)
    weak = use(app_client, "reset-password", secret, password="short")
    assert weak.status_code == 422
    assert weak.json()["errors"][0]["field"] == "password"
    assert use(app_client, "sign-in", secret).status_code == 410
    assert use(app_client, "reset-password", secret, password=PASSWORD).status_code == 200


def test_guessing_links_is_limited(
    database: Database, app: FastAPI, app_client: TestClient, settings: Settings
) -> None:
    app.state.settings = settings.model_copy(update={"sign_in_attempts_per_address": 3})
    _, secret = make_link(database)
    for number in range(3):
        assert use(app_client, "sign-in", f"bwl_{number}").status_code == 410
    assert use(app_client, "sign-in", secret).status_code == 429


def test_a_reset_link_ends_all_sessions_and_other_links(
    database: Database, app_client: TestClient, sign_in_as: SignInAs
) -> None:
    mia, secret = make_link(database, LinkPurpose.RESET_PASSWORD)
    with database.session() as session:
        other = links.make_link(session, mia, LinkPurpose.SIGN_IN)
    before = sign_in_as(mia)
    done = use(app_client, "reset-password", secret, password=PASSWORD)
    assert done.status_code == 200
    assert before.get("/api/v1/me").status_code == 401
    assert use(app_client, "sign-in", other).status_code == 410
    by_password = {"email": "mia@example.com", "password": PASSWORD}
    assert app_client.post("/api/v1/session", json=by_password).status_code == 200
    bearer = {"Authorization": f"Bearer {done.json()['secret']}"}
    assert app_client.get("/api/v1/me", headers=bearer).status_code == 200


def test_a_newcomer_joins_with_a_name_a_password_and_a_time_zone(database: Database, app_client: TestClient) -> None:
    mia, secret = make_link(database, LinkPurpose.JOIN, state=MemberState.INVITED)
    bad = use(app_client, "join", secret, password=PASSWORD, time_zone="Mars/Olympus")
    assert bad.json()["errors"][0]["field"] == "time_zone"
    joined = use(app_client, "join", secret, password=PASSWORD, name="Mia M.", time_zone="Europe/Berlin")
    assert joined.status_code == 200
    assert joined.json()["name"] == "Mia M."
    with database.read() as session:
        member = session.get_one(Member, mia.id)
        assert (member.state, member.name, member.time_zone) == ("active", "Mia M.", "Europe/Berlin")
        assert member.joined_at is not None
        entry = session.scalars(select(AuditEntry).where(AuditEntry.action == "join")).one()
        assert entry.before is not None
        assert entry.before["state"] == "invited"
    assert use(app_client, "join", secret, password=PASSWORD).status_code == 410


def test_an_invitation_works_for_a_week_and_a_magic_link_for_an_hour(database: Database) -> None:
    make_link(database, LinkPurpose.JOIN)
    with database.session() as session:
        make_time = utc_now()
        mia = session.scalars(select(Member)).one()
        links.make_link(session, mia, LinkPurpose.SIGN_IN)
        for link in session.scalars(select(OneTimeLink)):
            lasts = timedelta(days=7) if link.purpose == "join" else timedelta(hours=1)
            assert abs(link.expires_at - make_time - lasts) < timedelta(minutes=1)


def test_whoever_still_waits_for_confirmation_cannot_join(database: Database, app_client: TestClient) -> None:
    _, secret = make_link(database, LinkPurpose.JOIN, state=MemberState.WAITING)
    assert use(app_client, "join", secret, password=PASSWORD).status_code == 410


# Links for somebody else ---------------------------------------------------------------------------------------------


def ask_for(client: TestClient, member: Member, **body: Any) -> Any:
    return client.post(f"/api/v1/members/{member.id}/links", json=body)


def test_an_admin_sends_a_magic_link_and_may_see_it(
    database: Database, app_client: TestClient, sign_in_as: SignInAs
) -> None:
    with database.session() as session:
        ada, mia = make_member(session, "Ada", role="admin"), make_member(session, "Mia")
    hidden = ask_for(sign_in_as(ada), mia, purpose="sign_in")
    assert hidden.status_code == 201
    assert hidden.json()["link"] is None
    shown = ask_for(sign_in_as(ada), mia, purpose="sign_in", show=True)
    secret = secret_in(shown.json()["link"])
    with database.read() as session:
        first, second = emails_to(session, "mia@example.com")
        assert "Ada made this link" in str(second.text)
        assert secret in str(second.text)
        made = select(AuditEntry).where(AuditEntry.action == "make_magic_link")
        entries = session.scalars(made.order_by(AuditEntry.at)).all()
        assert [entry.after for entry in entries] == [
            {"purpose": "sign_in", "shown": False},
            {"purpose": "sign_in", "shown": True},
        ]
        assert all(entry.about_id == mia.id and secret not in str(vars(entry)) for entry in entries)
    assert use(app_client, "sign-in", secret_in(first.text)).status_code == 410
    assert use(app_client, "sign-in", secret).json()["name"] == "Mia"


@pytest.mark.parametrize("mail_server", [None, "mail.example.com"])
def test_whoever_asks_for_a_link_to_somebody_takes_none_from_them(
    database: Database, sign_in_as: SignInAs, app: FastAPI, settings: Settings, mail_server: str | None
) -> None:
    """Anybody can ask. What an admin made stays; of what was asked for, the newest counts, if it can arrive."""
    app_client = TestClient(make_app(settings.model_copy(update={"smtp_host": mail_server}), database))
    with database.session() as session:
        ada, mia = make_member(session, "Ada", role="admin"), make_member(session, "Mia")
    made = secret_in(ask_for(sign_in_as(ada), mia, purpose="reset_password", show=True).json()["link"])
    with database.session() as session:
        asked_before = links.make_link(session, session.get_one(Member, mia.id), LinkPurpose.SIGN_IN)
    for purpose in ("sign_in", "reset_password"):
        assert (
            app_client.post("/api/v1/links", json={"email": "mia@example.com", "purpose": purpose}).status_code == 202
        )
    works = app_client.post("/api/v1/links/look", json={"secret": asked_before}).status_code
    assert works == (410 if mail_server else 200)
    assert use(app_client, "reset-password", made, password=PASSWORD).status_code == 200


def test_a_link_is_used_while_another_is_made(database: Database, app: FastAPI, sign_in_as: SignInAs) -> None:
    with database.session() as session:
        ada, mia = make_member(session, "Ada", role="admin"), make_member(session, "Mia")
    admin, gate = sign_in_as(ada), threading.Barrier(2)

    def press(secret: str) -> int:
        gate.wait()
        return int(use(TestClient(app, raise_server_exceptions=False), "sign-in", secret).status_code)

    def make() -> int:
        gate.wait()
        return int(ask_for(admin, mia, purpose="sign_in").status_code)

    with ThreadPoolExecutor(2) as threads:
        for _ in range(8):
            link = ask_for(admin, mia, purpose="sign_in", show=True).json()["link"]
            pressed, made = threads.submit(press, secret_in(link)), threads.submit(make)
            assert (pressed.result() in (200, 410), made.result()) == (True, 201)


def test_resetting_somebodys_password_ends_their_sessions_and_the_password_at_once(
    database: Database, app_client: TestClient, sign_in_as: SignInAs
) -> None:
    with database.session() as session:
        ada = make_member(session, "Ada", role="admin")
        mia = make_member(session, "Mia", password_hash=passwords.hash_password(PASSWORD))
        magic = links.make_link(session, mia, LinkPurpose.SIGN_IN)
    theirs = sign_in_as(mia)
    assert ask_for(sign_in_as(ada), mia, purpose="reset_password").status_code == 201
    assert theirs.get("/api/v1/me").status_code == 401
    by_password = {"email": "mia@example.com", "password": PASSWORD}
    assert app_client.post("/api/v1/session", json=by_password).status_code == 401
    assert use(app_client, "sign-in", magic).status_code == 410
    with database.read() as session:
        secret = secret_in(emails_to(session, "mia@example.com")[0].text)
    assert use(app_client, "reset-password", secret, password="seven green umbrellas").status_code == 200


def test_nobody_gets_a_link_of_somebody_higher(database: Database, sign_in_as: SignInAs) -> None:
    with database.session() as session:
        owner, admin = make_member(session, "Olga", role="owner"), make_member(session, "Ada", role="admin")
        viewer, guarded = make_member(session, "Vic", role="viewer"), make_member(session, "Dan", data_admin=True)
        make_project(session, "Sales", owner, {viewer: "Admin", guarded: "Business User"})
    for maker, target, status in [
        (admin, owner, 403),
        (admin, admin, 403),  # for oneself there is the way through the front door
        (viewer, admin, 403),
        (viewer, guarded, 403),  # holds a security role the maker does not
        (admin, guarded, 201),
        (owner, admin, 201),
    ]:
        for purpose in ("sign_in", "reset_password"):
            assert ask_for(sign_in_as(maker), target, purpose=purpose).status_code == status, (maker.name, target.name)
    with database.read() as session:
        assert not emails_to(session, "olga@example.com")


def test_a_project_admin_sends_links_and_does_not_see_them(database: Database, sign_in_as: SignInAs) -> None:
    with database.session() as session:
        pat, bea = make_member(session, "Pat"), make_member(session, "Bea")
        make_project(session, "Sales", pat, {pat: "Admin", bea: "Business User"})
    assert ask_for(sign_in_as(pat), bea).status_code == 201
    refused = ask_for(sign_in_as(pat), bea, show=True)
    assert refused.status_code == 403
    assert refused.json()["decision"]["action"] == "see_the_link"
    assert ask_for(sign_in_as(bea), pat).status_code == 403


def test_whom_one_may_not_see_one_sends_no_link_and_learns_nothing(database: Database, sign_in_as: SignInAs) -> None:
    with database.session() as session:
        mia, stranger = make_member(session, "Mia"), make_member(session, "Stranger")
    client = sign_in_as(mia)
    hidden = ask_for(client, stranger)
    missing = client.post(f"/api/v1/members/{utc_now().strftime('%Y%m%d')}-0000-7000-8000-000000000000/links", json={})
    assert hidden.status_code == missing.status_code == 404
    bodies = [{k: v for k, v in answer.json().items() if k != "request_id"} for answer in (hidden, missing)]
    assert bodies[0] == bodies[1]


def test_only_an_active_member_gets_a_link(database: Database, sign_in_as: SignInAs) -> None:
    with database.session() as session:
        ada = make_member(session, "Ada", role="admin")
        others = [make_member(session, state=state) for state in MemberState if state != MemberState.ACTIVE]
    for member in others:
        for purpose in ("sign_in", "reset_password"):
            assert ask_for(sign_in_as(ada), member, purpose=purpose).status_code == 409


def test_a_token_gets_no_link_to_see(database: Database, sign_in_as: SignInAs) -> None:
    with database.session() as session:
        ada, mia = make_member(session, "Ada", role="admin"), make_member(session, "Mia")
    through_token = sign_in_as(ada, token={})
    assert ask_for(through_token, mia, show=True).status_code == 403
    assert ask_for(through_token, mia).status_code == 201


def test_no_one_is_asked_to_make_an_invitation_here(database: Database, sign_in_as: SignInAs) -> None:
    with database.session() as session:
        ada, mia = make_member(session, "Ada", role="admin"), make_member(session, "Mia")
    assert ask_for(sign_in_as(ada), mia, purpose="join").status_code == 422


@pytest.mark.parametrize("purpose", ["sign_in", "reset_password"])
def test_a_link_does_not_open_what_its_maker_could_not_open_now(
    database: Database, sign_in_as: SignInAs, app_client: TestClient, purpose: str
) -> None:
    """Adam sees a link for Mia, and before he uses it she becomes an owner, or he is no admin any more."""
    page, more = purpose.replace("_", "-"), {"password": PASSWORD} if purpose == "reset_password" else {}
    changes: list[tuple[str, dict[str, Any]]] = [
        ("Mia", {"tenant_role": "owner"}),
        ("Adam", {"tenant_role": "none"}),
        ("Adam", {"state": MemberState.SUSPENDED}),
        ("Adam", {"state": MemberState.REMOVED}),
    ]
    for name, change in changes:
        with database.session() as session:
            session.execute(update(Member).values(name="Earlier"))
            people = {who: make_member(session, who, email=f"{who}.{new_id()}@example.com") for who in ("Mia", "Adam")}
            people["Adam"].tenant_role = "admin"
        shown = ask_for(sign_in_as(people["Adam"]), people["Mia"], purpose=purpose, show=True)
        secret = secret_in(shown.json()["link"])
        assert app_client.post("/api/v1/links/look", json={"secret": secret}).status_code == 200
        with database.session() as session:
            session.execute(update(Member).where(Member.id == people[name].id).values(**change))
        assert app_client.post("/api/v1/links/look", json={"secret": secret}).status_code == 410
        assert use(app_client, page, secret, **more).status_code == 410
        with database.read() as session:
            sessions = select(SignInSession).where(SignInSession.member_id == people["Mia"].id)
            assert not session.scalars(sessions).all()


def test_a_project_admins_link_ends_where_the_member_has_risen_elsewhere(
    database: Database, sign_in_as: SignInAs, app_client: TestClient
) -> None:
    with database.session() as session:
        olga, ann = make_member(session, "Olga", role="owner"), make_member(session, "Ann")
        mia = make_member(session, "Mia", email="mia@example.com")
        make_project(session, "Sales", olga, {ann: "Admin", mia: "Business User"})
        group = make_group(session, "Leads", mia)
        other = make_project(session, "Other", olga)
    assert ask_for(sign_in_as(ann), mia, purpose="sign_in").status_code == 201
    with database.session() as session:
        (email,) = emails_to(session, "mia@example.com")
    granted = sign_in_as(olga).put(f"/api/v1/projects/{other.id}/groups/{group.id}", json={"role": "Business User"})
    assert granted.status_code == 200
    assert use(app_client, "sign-in", secret_in(email.text)).status_code == 410
    sign_in_as(olga).delete(f"/api/v1/projects/{other.id}/groups/{group.id}")
    assert use(app_client, "sign-in", secret_in(email.text)).status_code == 200
