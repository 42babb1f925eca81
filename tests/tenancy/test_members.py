"""Members over HTTP: the directory, newcomers, roles, suspending, removing, and the bad days of each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import product
from typing import Any
from uuid import UUID

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select
from sqlalchemy.orm import Session

from bailiwick.access.tables.standing import TENANT_ROLES
from bailiwick.audit.models import AuditEntry
from bailiwick.database.base import new_id
from bailiwick.database.engine import Database
from bailiwick.database.paging import write_cursor
from bailiwick.errors import Conflict
from bailiwick.tenancy import areas, directory, members
from bailiwick.tenancy.caller import ALL_GROUP_ID
from bailiwick.tenancy.models import (
    ApiToken,
    Group,
    GroupMembership,
    LinkPurpose,
    Member,
    MemberState,
    OneTimeLink,
    SignInSession,
)
from bailiwick.tenancy.standing import on_member
from tests.people import (
    SignInAs,
    as_caller,
    emails_to,
    make_group,
    make_member,
    make_project,
    make_session,
    make_token,
)

WAITING, INVITED, ACTIVE, SUSPENDED, REMOVED = MemberState
MEMBERS = "/api/v1/members"


@pytest.fixture
def olga(database: Database) -> Member:
    """A tenant owner."""
    return made(database, "Olga", role="owner")


@pytest.fixture
def adam(database: Database) -> Member:
    """A tenant admin."""
    return made(database, "Adam", role="admin")


@pytest.fixture
def mia(database: Database) -> Member:
    """A member with no tenant role."""
    return made(database, "Mia")


@pytest.fixture
def as_olga(sign_in_as: SignInAs, olga: Member) -> TestClient:
    return sign_in_as(olga)


@pytest.fixture
def as_adam(sign_in_as: SignInAs, adam: Member) -> TestClient:
    return sign_in_as(adam)


@pytest.fixture
def as_mia(sign_in_as: SignInAs, mia: Member) -> TestClient:
    return sign_in_as(mia)


@pytest.fixture
def told() -> Iterator[list[Any]]:
    """What the areas were told."""
    heard: list[Any] = []

    def roles(session: Session, ids: Any) -> None:
        heard.append(ids)

    def removed(session: Session, member: Member) -> None:
        heard.append(member.name)

    areas.roles_changed.append(roles)
    areas.member_removed.append(removed)
    yield heard
    areas.roles_changed.remove(roles)
    areas.member_removed.remove(removed)


def made(database: Database, name: str, **what: Any) -> Member:
    with database.session() as session:
        return make_member(session, name, **what)


def again(database: Database, member: Member) -> Member:
    with database.read() as session:
        return session.get_one(Member, member.id)


def audited(database: Database, action: str) -> AuditEntry:
    with database.read() as session:
        return session.scalars(
            select(AuditEntry).where(AuditEntry.action == action, AuditEntry.outcome == "done")
        ).one()


def without_request_id(answer: Any) -> str:
    return re.sub(r'"request_id": ?"[^"]*"', "", answer.text)


# The directory ---------------------------------------------------------------------------------------------------


def test_the_directory_is_in_the_order_of_names_and_paged(database: Database, as_adam: TestClient) -> None:
    with database.session() as session:
        for name in ("Carl", "Bea", "Dora", "Bea"):
            make_member(session, name, email=f"{new_id().hex}@example.com")
    names, cursor = [], None
    while True:
        page = as_adam.get(MEMBERS, params={"limit": 2, **({"cursor": cursor} if cursor else {})}).json()
        assert len(page["items"]) <= 2
        names += [item["name"] for item in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert names == ["Adam", "Bea", "Bea", "Carl", "Dora"]


@pytest.mark.parametrize("few", [directory.FEW, 0], ids=["few fit", "many fit"])
def test_the_directory_is_searched_and_filtered(
    database: Database, as_adam: TestClient, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(directory, "FEW", few)
    with database.session() as session:
        make_member(session, "Änne Öztürk", email="anne@example.com", role="viewer")
        make_member(session, "Bob 100%", email="bob_x@example.com", state=SUSPENDED)
        make_member(session, "Gone", state=REMOVED)

    def found(**params: str) -> list[str]:
        return [item["name"] for item in as_adam.get(MEMBERS, params=params).json()["items"]]

    assert found() == ["Adam", "Bob 100%", "Änne Öztürk"] or found() == ["Adam", "Änne Öztürk", "Bob 100%"]
    assert found(search="änne") == found(search="ÄNNE") == found(search="ÖZTÜRK") == ["Änne Öztürk"]
    assert found(search="BOB_X@") == found(search="100%") == ["Bob 100%"]
    assert found(search="o%x") == found(search="'; DROP TABLE member; --") == []
    assert found(search="Gone") == found(search="100% bob_x") == []
    assert found(search="example", sort="-name", tenant_role="viewer") == ["Änne Öztürk"]
    assert found(state="removed") == ["Gone"]
    assert found(state="suspended", tenant_role="none") == ["Bob 100%"]
    assert found(tenant_role="viewer") == ["Änne Öztürk"]
    assert found(state="suspended", tenant_role="viewer") == []


def test_members_are_counted_in_each_state(database: Database, as_adam: TestClient, as_mia: TestClient) -> None:
    made(database, "New", state=INVITED)
    assert as_adam.get(f"{MEMBERS}/counts").json() == {
        "waiting": 0,
        "invited": 1,
        "active": 2,
        "suspended": 0,
        "removed": 0,
    }
    assert as_mia.get(f"{MEMBERS}/counts").status_code == 403


@pytest.mark.parametrize("role", TENANT_ROLES)
def test_the_directory_is_for_owners_and_admins(database: Database, sign_in_as: SignInAs, role: str) -> None:
    answer = sign_in_as(made(database, "Somebody", role=role)).get(MEMBERS)
    assert answer.status_code == (200 if role in ("owner", "admin") else 403)
    if answer.status_code == 403:
        assert answer.json()["decision"]["row"] == "See members"


def test_actions_in_the_directory_are_those_of_each_member_by_itself(
    database: Database, as_olga: TestClient, as_adam: TestClient, as_mia: TestClient, olga: Member, mia: Member
) -> None:
    with database.session() as session:
        bea = make_member(session, "Bea", role="editor", data_admin=True)
        make_project(session, "Atlas", olga, {mia: "Admin", bea: "Technical User"})
    for client in (as_olga, as_adam):
        for item in client.get(MEMBERS).json()["items"]:
            alone = client.get(f"{MEMBERS}/{item['id']}").json()
            assert {key: alone[key] for key in item} == item
    assert (
        "change_tenant_role"
        not in next(item for item in as_adam.get(MEMBERS).json()["items"] if item["name"] == "Olga")["actions"]
    )


def test_many_members_get_the_actions_each_would_get_alone(database: Database) -> None:
    with database.session() as session:
        people = [
            make_member(session, f"{role} {admin}", role=role, data_admin=admin)
            for role in TENANT_ROLES
            for admin in (False, True)
        ]
        group = make_group(session, "Finance", people[0], people[2])
        make_project(session, "Atlas", people[-1], {people[0]: "Admin", people[1]: "Business User"})
        make_project(session, "Boreas", people[-1], {group: "Technical User", people[3]: "Admin"})
        make_project(session, "Cirrus", people[-1])
        for person in people:
            caller = as_caller(person, *([group] if person in (people[0], people[2]) else []))
            for seen in directory.seen(session, caller, people):
                alone = on_member(session, caller, seen.member).actions(caller.id)
                assert len(seen.actions) == len(alone), (person.name, seen.member.name)


@pytest.mark.parametrize(
    ("field", "values"),
    {
        "limit": ["0", "201", "x"],
        "state": ["asleep"],
        "tenant_role": ["king"],
        "search": ["", "x" * 201, "\0"],
        "cursor": [
            *("x", "!!", "é" * 10, "x" * 5000),
            *(write_cursor(), write_cursor("a"), write_cursor("a", "b"), write_cursor("\0", str(new_id()))),
            write_cursor("\ud800", str(new_id())),
        ],
    }.items(),
)
def test_a_wrong_question_to_the_directory_names_the_field(as_adam: TestClient, field: str, values: list[str]) -> None:
    for value in values:
        answer = as_adam.get(MEMBERS, params={field: value})
        assert answer.status_code == 422, value
        assert answer.json()["errors"][0]["field"] == field
        assert answer.headers["Content-Type"] == "application/problem+json"


# One member ------------------------------------------------------------------------------------------------------


def test_everybody_looks_at_themselves(as_mia: TestClient, mia: Member) -> None:
    answer = as_mia.get(f"{MEMBERS}/{mia.id}")
    assert answer.headers["ETag"] == '"1"'
    body = answer.json()
    assert (body["name"], body["version"], body["groups"], body["invited_by"]) == ("Mia", 1, [], None)
    assert body["actions"] == ["see", "edit_profile", "ask_about_their_access"]


def test_somebody_unseen_reads_like_nobody(database: Database, as_mia: TestClient) -> None:
    stranger = made(database, "Stranger")
    missing = as_mia.get(f"{MEMBERS}/{new_id()}")
    assert missing.status_code == 404
    for method, path, body in CHANGES:
        unseen = as_mia.request(method, f"{MEMBERS}/{stranger.id}{path}", json=body)
        nobody = as_mia.request(method, f"{MEMBERS}/{new_id()}{path}", json=body)
        assert unseen.status_code == nobody.status_code == 404
        assert without_request_id(unseen) == without_request_id(nobody) == without_request_id(missing)


CHANGES: list[tuple[str, str, Any]] = [
    ("POST", "/confirm", None),
    ("POST", "/decline", None),
    ("POST", "/resend-invitation", None),
    ("POST", "/withdraw-invitation", None),
    ("PUT", "/tenant-role", {"tenant_role": "viewer"}),
    ("PUT", "/security-roles", {"security_roles": ["data admin"]}),
    ("POST", "/suspend", None),
    ("POST", "/reactivate", None),
    ("DELETE", "", None),
]


def test_whoever_shares_a_project_is_seen_and_not_changed(database: Database, as_mia: TestClient, mia: Member) -> None:
    with database.session() as session:
        bea = make_member(session, "Bea")
        make_project(session, "Atlas", bea, {mia: "Admin", bea: "Business User"})
    assert as_mia.get(f"{MEMBERS}/{bea.id}").json()["email"] == "bea@example.com"
    for method, path, body in CHANGES:
        answer = as_mia.request(method, f"{MEMBERS}/{bea.id}{path}", json=body)
        assert answer.status_code == 403, path
        assert answer.json()["decision"]["document"] == "tenant"
    assert again(database, bea).version == 1


def test_the_removed_are_seen_by_owners_and_admins_alone(
    database: Database, as_adam: TestClient, as_mia: TestClient, mia: Member
) -> None:
    with database.session() as session:
        gone = make_member(session, "Gone", state=REMOVED)
        everyone = session.get_one(Group, ALL_GROUP_ID)
        make_project(session, "Atlas", mia, {everyone: "Business User"})
    assert as_adam.get(f"{MEMBERS}/{gone.id}").json()["state"] == "removed"
    assert as_mia.get(f"{MEMBERS}/{gone.id}").status_code == 404


def test_of_a_members_groups_others_see_those_they_are_in_themselves(
    database: Database, as_adam: TestClient, as_mia: TestClient, mia: Member, adam: Member
) -> None:
    with database.session() as session:
        bea = make_member(session, "Bea", invited_by=adam)
        make_group(session, "Finance", bea, mia)
        make_group(session, "Secret", bea)
        make_project(session, "Atlas", bea, {mia: "Business User", bea: "Business User"})
    for client, groups, inviter in ((as_adam, ["Finance", "Secret"], "Adam"), (as_mia, ["Finance"], None)):
        body = client.get(f"{MEMBERS}/{bea.id}").json()
        assert [group["name"] for group in body["groups"]] == groups
        assert (body["invited_by"] or {}).get("name") == inviter


# Adding ----------------------------------------------------------------------------------------------------------


def test_whoever_is_added_is_invited_by_e_mail(database: Database, as_adam: TestClient, adam: Member) -> None:
    body = {"email": "Neu@Example.COM ", "name": " Neu Mann ", "tenant_role": "editor"}
    answer = as_adam.post(MEMBERS, json={**body, "security_roles": ["data admin"]})
    assert answer.status_code == 201
    new = answer.json()
    assert answer.headers["Location"] == f"{MEMBERS}/{new['id']}"
    assert answer.headers["ETag"] == f'"{new["version"]}"'
    assert (new["email"], new["name"], new["state"]) == ("neu@example.com", "Neu Mann", "invited")
    assert (new["tenant_role"], new["security_roles"]) == ("editor", ["data admin"])
    assert new["invited_by"]["name"] == "Adam"
    with database.read() as session:
        (email,) = emails_to(session, "neu@example.com")
        assert "/join#bwl_" in str(email.text)
        link = session.scalars(select(OneTimeLink)).one()
        assert (link.member_id, link.purpose, link.made_by_id) == (UUID(new["id"]), LinkPurpose.JOIN, adam.id)
    entry = audited(database, "add_member")
    assert (entry.actor_id, entry.about_id, entry.before) == (adam.id, UUID(new["id"]), None)
    assert entry.after is not None
    assert entry.after["tenant_role"] == "editor"
    assert entry.decision is not None
    assert entry.decision["row"] == "Grant tenant roles"


def test_owners_and_admins_add_people_and_only_owners_owners(database: Database, sign_in_as: SignInAs) -> None:
    for role in TENANT_ROLES:
        client = sign_in_as(made(database, f"Somebody {role}", role=role))
        for given in TENANT_ROLES:
            body = {"email": f"{role}-{given}@example.com", "name": "New", "tenant_role": given}
            answer = client.post(MEMBERS, json=body)
            allowed = role == "owner" or (role == "admin" and given != "owner")
            assert answer.status_code == (201 if allowed else 403)
            if role == "admin" and given == "owner":
                assert answer.json()["decision"]["row"] == "Make and unmake owners"


def test_whether_an_address_is_known_is_not_told_to_who_may_not_add(as_mia: TestClient, adam: Member) -> None:
    known, unknown = (
        as_mia.post(MEMBERS, json={"email": email, "name": "X"}) for email in (adam.email, "nobody@example.com")
    )
    assert known.status_code == unknown.status_code == 403
    assert without_request_id(known) == without_request_id(unknown)


@pytest.mark.parametrize("state", [WAITING, INVITED, ACTIVE, SUSPENDED])
def test_whoever_is_here_already_is_named_with_what_to_do(
    database: Database, as_adam: TestClient, state: MemberState
) -> None:
    bea = made(database, "Bea", state=state)
    answer = as_adam.post(MEMBERS, json={"email": "BEA@example.com", "name": "Bea"})
    assert answer.status_code == 409
    assert (answer.json()["state"], answer.json()["member_id"]) == (state, str(bea.id))
    assert "already" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("ana@example.com", "ANA@EXAMPLE.COM"),
        ("änne@example.com", "ÄNNE@example.com"),
        ("a\u0308nne@example.com", "\u00e4nne@example.com"),
        ("ana@bücher.example", "ana@xn--bcher-kva.example"),
        ("ana@bücher.example", "ana@BÜCHER.example"),
    ],
)
def test_two_spellings_of_an_address_are_one_person(as_adam: TestClient, first: str, second: str) -> None:
    assert as_adam.post(MEMBERS, json={"email": first, "name": "Ana"}).status_code == 201
    assert as_adam.post(MEMBERS, json={"email": second, "name": "Ana"}).status_code == 409


WRONG: list[tuple[Any, str]] = [
    ({"name": "X"}, "email"),
    ({"email": "x@example.com"}, "name"),
    ({"email": "", "name": "X"}, "email"),
    ({"email": "no address", "name": "X"}, "email"),
    ({"email": "a@b@c", "name": "X"}, "email"),
    ({"email": "x\r\nBcc: y@example.com", "name": "X"}, "email"),
    ({"email": "x" * 300 + "@example.com", "name": "X"}, "email"),
    ({"email": "x" * 1_000_000, "name": "X"}, "email"),
    ({"email": 7, "name": "X"}, "email"),
    ({"email": "x@example.com", "name": "  "}, "name"),
    ({"email": "x@example.com", "name": "x" * 201}, "name"),
    ({"email": "x@example.com", "name": "a\0b"}, "name"),
    ({"email": "x@example.com", "name": "a\nb"}, "name"),
    ({"email": "x@example.com", "name": "X", "tenant_role": "king"}, "tenant_role"),
    ({"email": "x@example.com", "name": "X", "security_roles": ["spy"]}, "security_roles.0"),
    ({"email": "x@example.com", "name": "X", "state": "active"}, "state"),
    ([], "body"),
    (None, "body"),
]


def test_wrong_input_is_answered_with_field_and_problem(as_adam: TestClient) -> None:
    for body, field in WRONG:
        answer = as_adam.post(MEMBERS, json=body)
        assert answer.status_code == 422, body
        error = answer.json()["errors"][0]
        assert error["field"] == field
        assert error["problem"]
        assert len(answer.text) < 5000


def test_text_that_is_no_unicode_is_refused(as_adam: TestClient) -> None:
    wrong = b'{"email": "x@example.com", "name": "\\ud800"}'
    answer = as_adam.post(MEMBERS, content=wrong, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422


def test_whoever_comes_back_has_nothing_of_the_old(database: Database, as_adam: TestClient, mia: Member) -> None:
    with database.session() as session:
        bea = make_member(session, "Bea", role="editor", data_admin=True, password_hash="old")
        group = make_group(session, "Finance", bea)
        make_project(session, "Atlas", mia, {bea: "Admin"})
        make_token(session, bea)
    assert as_adam.delete(f"{MEMBERS}/{bea.id}").status_code == 200
    back = as_adam.post(MEMBERS, json={"email": "bea@example.com", "name": "Beatrice"}).json()
    assert (back["id"], back["name"], back["state"]) == (str(bea.id), "Beatrice", "invited")
    assert (back["tenant_role"], back["security_roles"], back["groups"]) == ("none", [], [])
    now = again(database, bea)
    assert (now.password_hash, now.joined_at) == (None, None)
    assert as_adam.get(f"/api/v1/groups/{group.id}/members").json()["items"] == []
    with database.read() as session:
        assert all(token.revoked_at for token in session.scalars(select(ApiToken)))


# Roles -----------------------------------------------------------------------------------------------------------


def change_role(client: TestClient, member: Member, role: str, **headers: str) -> Any:
    return client.put(f"{MEMBERS}/{member.id}/tenant-role", json={"tenant_role": role}, headers=headers)


@pytest.mark.parametrize("role", TENANT_ROLES)
def test_owners_grant_every_role_and_admins_every_role_but_owner(
    database: Database, sign_in_as: SignInAs, role: str
) -> None:
    with database.session() as session:
        somebody = make_member(session, "Somebody", role=role)
        bea = make_member(session, "Bea")
        make_project(session, "Atlas", bea, {somebody: "Business User", bea: "Business User"})
    client = sign_in_as(somebody)
    for had, given in product(TENANT_ROLES, TENANT_ROLES):
        with database.session() as session:
            session.get_one(Member, bea.id).tenant_role = had
        allowed = role == "owner" or (role == "admin" and "owner" not in (had, given))
        assert change_role(client, bea, given).status_code == (200 if allowed else 403), (had, given)
        assert again(database, bea).tenant_role == (given if allowed else had)


def test_a_changed_role_goes_on_record_and_the_areas_are_told(
    database: Database, as_adam: TestClient, mia: Member, told: list[Any]
) -> None:
    answer = change_role(as_adam, mia, "editor")
    assert (answer.json()["tenant_role"], answer.json()["version"], answer.headers["ETag"]) == ("editor", 2, '"2"')
    entry = audited(database, "change_tenant_role")
    assert entry.before is not None
    assert entry.after is not None
    assert (entry.before["tenant_role"], entry.after["tenant_role"]) == ("none", "editor")
    assert entry.about_id == mia.id
    assert entry.decision is not None
    assert (entry.decision["table"], entry.decision["row"]) == ("Members", "Tenant admin")
    assert told == [[mia.id]]


def test_the_role_somebody_has_already_changes_nothing(
    database: Database, as_adam: TestClient, mia: Member, told: list[Any]
) -> None:
    assert change_role(as_adam, mia, "none").json()["version"] == 1
    assert told == []
    with database.read() as session:
        assert session.scalars(select(AuditEntry)).all() == []


@pytest.mark.parametrize("role", ["owner", "admin"])
def test_nobody_changes_their_own_role(database: Database, sign_in_as: SignInAs, role: str) -> None:
    with database.session() as session:
        somebody = make_member(session, "Somebody", role=role)
        make_member(session, "Other", role="owner")
    answer = change_role(sign_in_as(somebody), somebody, "viewer")
    assert answer.status_code == 403
    assert answer.json()["decision"]["column"] == "Oneself"
    assert again(database, somebody).tenant_role == role
    with database.read() as session:
        assert session.scalars(select(AuditEntry.outcome)).all() == ["refused"]


def test_the_last_owner_can_neither_demote_suspend_nor_remove_themselves(
    database: Database, as_olga: TestClient, olga: Member
) -> None:
    made(database, "Sleeping", role="owner", state=SUSPENDED)
    assert change_role(as_olga, olga, "admin").status_code == 403
    assert as_olga.post(f"{MEMBERS}/{olga.id}/suspend").status_code == 403
    assert as_olga.delete(f"{MEMBERS}/{olga.id}").status_code == 403
    now = again(database, olga)
    assert (now.tenant_role, now.state) == ("owner", "active")


def test_the_last_active_owner_is_kept_whatever_the_tables_allow(database: Database, olga: Member) -> None:
    with database.session() as session:
        other = make_member(session, "Other", role="owner", state=SUSPENDED)
        members.keep_an_owner(session, other)
        with pytest.raises(Conflict, match="last active owner"):
            members.keep_an_owner(session, olga)
        other.state = ACTIVE
        session.flush()
        members.keep_an_owner(session, olga)


def test_an_owner_who_is_not_active_can_be_demoted(database: Database, as_olga: TestClient) -> None:
    for state in (INVITED, SUSPENDED):
        other = made(database, f"Other {state}", role="owner", state=state)
        assert change_role(as_olga, other, "none").status_code == 200


UNMAKING: list[tuple[str, str, Any]] = [
    ("PUT", "/tenant-role", {"tenant_role": "admin"}),
    ("POST", "/suspend", None),
    ("DELETE", "", None),
]


@pytest.mark.parametrize(("method", "path", "body"), UNMAKING)
def test_two_owners_unmaking_each_other_at_once_leave_one(
    database: Database, sign_in_as: SignInAs, method: str, path: str, body: Any
) -> None:
    for round_ in range(5):
        with database.session() as session:
            for member in session.scalars(select(Member)):
                member.tenant_role = "none"
            two = [make_member(session, f"Owner {round_} {number}", role="owner") for number in range(2)]
        one, other = (
            partial(sign_in_as(owner).request, method, f"{MEMBERS}/{target.id}{path}", json=body)
            for owner, target in (two, reversed(two))
        )
        answers = at_once(one, other)
        codes = sorted(answer.status_code for answer in answers)
        assert codes[0] == 200
        assert codes[1] in (401, 403, 409)
        with database.read() as session:
            left = select(Member).where(Member.tenant_role == "owner", Member.state == ACTIVE)
            assert len(session.scalars(left).all()) == 1


def test_two_admins_changing_one_role_at_once_notice(
    database: Database, as_olga: TestClient, as_adam: TestClient, mia: Member
) -> None:
    etag = as_adam.get(f"{MEMBERS}/{mia.id}").headers["ETag"]
    answers = at_once(
        lambda: change_role(as_olga, mia, "viewer", **{"If-Match": etag}),
        lambda: change_role(as_adam, mia, "editor", **{"If-Match": etag}),
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    won = next(answer for answer in answers if answer.status_code == 200)
    assert again(database, mia).tenant_role == won.json()["tenant_role"]
    assert again(database, mia).version == 2


def test_a_change_based_on_an_old_version_is_refused(as_adam: TestClient, mia: Member) -> None:
    assert change_role(as_adam, mia, "viewer", **{"If-Match": '"1"'}).status_code == 200
    stale = change_role(as_adam, mia, "editor", **{"If-Match": '"1"'})
    assert stale.status_code == 409
    assert "Read it again" in stale.json()["detail"]
    assert change_role(as_adam, mia, "editor", **{"If-Match": "*"}).status_code == 200
    assert change_role(as_adam, mia, "viewer", **{"If-Match": 'W/"3"'}).status_code == 200
    for wrong in ("3", "x", '"' + "9" * 30 + '"'):
        answer = change_role(as_adam, mia, "viewer", **{"If-Match": wrong})
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "If-Match")


def test_security_roles_are_granted_and_revoked(
    database: Database, as_adam: TestClient, mia: Member, told: list[Any]
) -> None:
    path = f"{MEMBERS}/{mia.id}/security-roles"
    both = ["data admin", "data space creator"]
    assert as_adam.put(path, json={"security_roles": both}).json()["security_roles"] == both
    assert as_adam.put(path, json={"security_roles": both[1:]}).json()["security_roles"] == both[1:]
    assert as_adam.put(path, json={"security_roles": []}).json()["security_roles"] == []
    assert as_adam.put(path, json={"security_roles": []}).json()["version"] == 4
    assert as_adam.put(path, json={}).status_code == 422
    assert told == [[mia.id]] * 3
    with database.read() as session:
        entries = session.scalars(select(AuditEntry).order_by(AuditEntry.id)).all()
        assert [(entry.after or {})["security_roles"] for entry in entries] == [both, both[1:], []]


def test_an_admin_has_no_hold_on_an_owner(database: Database, as_adam: TestClient, olga: Member) -> None:
    suspended = made(database, "Sleeping", role="owner", state=SUSPENDED)
    invited = made(database, "Coming", role="owner", state=INVITED)
    for member, method, path, body in (
        (olga, "POST", "/suspend", None),
        (olga, "DELETE", "", None),
        (olga, "PUT", "/tenant-role", {"tenant_role": "none"}),
        (suspended, "POST", "/reactivate", None),
        (suspended, "DELETE", "", None),
        (invited, "POST", "/withdraw-invitation", None),
    ):
        answer = as_adam.request(method, f"{MEMBERS}/{member.id}{path}", json=body)
        assert answer.status_code == 403, path
        assert answer.json()["decision"]["column"] == "Somebody with a higher role"


def test_security_roles_are_granted_to_owners_and_to_oneself_too(as_adam: TestClient, olga: Member) -> None:
    """They give nothing that owners and admins do not have already."""
    me = as_adam.get("/api/v1/me").json()["id"]
    for member in (olga.id, me):
        answer = as_adam.put(f"{MEMBERS}/{member}/security-roles", json={"security_roles": ["data admin"]})
        assert answer.status_code == 200
        assert answer.json()["security_roles"] == ["data admin"]


# States ----------------------------------------------------------------------------------------------------------

STATES_AFTER: dict[str, dict[str, str]] = {
    "/confirm": {WAITING: INVITED},
    "/decline": {WAITING: REMOVED},
    "/resend-invitation": {INVITED: INVITED},
    "/withdraw-invitation": {INVITED: REMOVED},
    "/tenant-role": {INVITED: INVITED, ACTIVE: ACTIVE, SUSPENDED: SUSPENDED},
    "/security-roles": {INVITED: INVITED, ACTIVE: ACTIVE, SUSPENDED: SUSPENDED},
    "/suspend": {ACTIVE: SUSPENDED},
    "/reactivate": {SUSPENDED: ACTIVE},
    "": {ACTIVE: REMOVED, SUSPENDED: REMOVED},
}


@pytest.mark.parametrize("state", MemberState)
def test_each_change_is_possible_from_its_states_and_from_no_other(
    database: Database, as_adam: TestClient, state: MemberState
) -> None:
    for method, path, body in CHANGES:
        somebody = made(database, f"Somebody {path[1:]}", state=state)
        answer = as_adam.request(method, f"{MEMBERS}/{somebody.id}{path}", json=body)
        now = again(database, somebody)
        with database.read() as session:
            recorded = session.scalars(select(AuditEntry).where(AuditEntry.about_id == somebody.id)).all()
        after = STATES_AFTER[path].get(state)
        if after is None:
            assert (answer.status_code, answer.json()["state"]) == (409, state), path
            assert answer.json()["detail"].startswith(f"{somebody.name} ")
            assert (now.state, now.version, len(recorded)) == (state, 1, 0)
        else:
            assert (answer.status_code, answer.json()["state"], now.state) == (200, after, after), path
            assert len(recorded) == 1


def test_a_confirmed_newcomer_gets_the_link(database: Database, as_adam: TestClient, mia: Member) -> None:
    new = made(database, "New", state=WAITING, invited_by=mia)
    assert as_adam.post(f"{MEMBERS}/{new.id}/confirm").json()["invited_by"]["name"] == "Mia"
    with database.read() as session:
        assert "/join#bwl_" in str(emails_to(session, new.email)[0].text)


def test_the_inviter_of_a_declined_newcomer_is_told(
    database: Database, as_adam: TestClient, mia: Member, told: list[Any]
) -> None:
    with database.session() as session:
        new = make_member(session, "New", state=WAITING, invited_by=mia)
        make_project(session, "Atlas", mia, {new: "Business User"})
    assert as_adam.post(f"{MEMBERS}/{new.id}/decline").json()["state"] == "removed"
    assert "New" in told
    with database.read() as session:
        (email,) = emails_to(session, mia.email)
        assert "declined" in email.subject
        assert new.email in str(email.text)
        assert emails_to(session, new.email) == []


def test_an_invitation_sent_again_replaces_the_link(database: Database, as_adam: TestClient) -> None:
    as_adam.post(MEMBERS, json={"email": "new@example.com", "name": "New"})
    with database.read() as session:
        new = session.scalars(select(Member).where(Member.email == "new@example.com")).one()
    assert as_adam.post(f"{MEMBERS}/{new.id}/resend-invitation").status_code == 200
    with database.read() as session:
        texts = [str(email.text) for email in emails_to(session, "new@example.com")]
        secrets = [match[0] for text in texts if (match := re.search("bwl_[A-Za-z0-9_-]+", text))]
        assert len(set(secrets)) == 2
        assert [link.used_at is None for link in session.scalars(select(OneTimeLink).order_by(OneTimeLink.id))] == [
            False,
            True,
        ]


def test_a_withdrawn_invitation_leaves_no_link(database: Database, as_adam: TestClient) -> None:
    new = as_adam.post(MEMBERS, json={"email": "new@example.com", "name": "New"}).json()
    assert as_adam.post(f"{MEMBERS}/{new['id']}/withdraw-invitation").json()["state"] == "removed"
    with database.read() as session:
        assert session.scalars(select(OneTimeLink)).one().used_at is not None


def test_suspending_shuts_out_at_once_and_only_tokens_come_back(
    database: Database, sign_in_as: SignInAs, as_adam: TestClient, mia: Member, told: list[Any]
) -> None:
    by_session, by_token = sign_in_as(mia), sign_in_as(mia, token={})
    me = f"{MEMBERS}/{mia.id}"
    assert (by_session.get(me).status_code, by_token.get(me).status_code) == (200, 200)
    assert as_adam.post(f"{me}/suspend").status_code == 200
    assert (by_session.get(me).status_code, by_token.get(me).status_code) == (401, 401)
    assert as_adam.post(f"{me}/reactivate").status_code == 200
    assert (by_session.get(me).status_code, by_token.get(me).status_code) == (401, 200)
    assert told == [[mia.id], [mia.id]]


def test_removing_ends_everything_and_tells_the_areas(database: Database, as_adam: TestClient, told: list[Any]) -> None:
    with database.session() as session:
        bea = make_member(session, "Bea", role="editor", data_admin=True, password_hash="x")
        make_group(session, "Finance", bea)
        make_session(session, bea)
        make_token(session, bea)
    answer = as_adam.delete(f"{MEMBERS}/{bea.id}")
    assert (answer.json()["state"], answer.json()["tenant_role"]) == ("removed", "none")
    assert told == ["Bea", [bea.id]]
    with database.read() as session:
        of_bea = select(SignInSession).where(SignInSession.member_id == bea.id)
        assert all(row.revoked_at for row in session.scalars(of_bea))
        assert session.scalars(select(ApiToken)).one().revoked_at
        assert session.scalars(select(GroupMembership)).all() == []
    entry = audited(database, "remove_member")
    assert entry.before is not None
    assert (entry.before["tenant_role"], entry.before["groups"]) == ("editor", ["Finance"])


def test_a_read_only_token_changes_nobody(database: Database, sign_in_as: SignInAs, adam: Member, mia: Member) -> None:
    through = sign_in_as(adam, token={"read_only": True})
    assert through.get(MEMBERS).status_code == 200
    assert change_role(through, mia, "editor").status_code == 403
    assert again(database, mia).tenant_role == "none"


def test_without_signing_in_nothing_is_told(app_client: TestClient, mia: Member) -> None:
    assert app_client.get(MEMBERS).status_code == 401
    known, unknown = (app_client.get(f"{MEMBERS}/{id_}") for id_ in (mia.id, new_id()))
    assert known.status_code == 401
    assert without_request_id(known) == without_request_id(unknown)


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    with ThreadPoolExecutor(len(calls)) as threads:
        return [call.result() for call in [threads.submit(call) for call in calls]]


def test_who_comes_back_has_nothing_of_what_reached_them_while_they_were_removed(
    database: Database, sign_in_as: SignInAs
) -> None:
    """A token they made, a group they were put into, a role they were granted at that very moment."""
    with database.session() as session:
        olga = make_member(session, "Olga", role="owner")
        rae = make_member(session, "Rae", state=MemberState.REMOVED, email="rae@example.com")
        make_token(session, rae)
        group = make_group(session, "Readers", rae)
        project = make_project(session, "Sales", olga, {rae: "Admin"})
    as_rae = sign_in_as(rae)
    again = sign_in_as(olga).post("/api/v1/members", json={"email": "Rae@example.com", "name": "Rae"})
    assert (again.status_code, again.json()["id"], again.json()["groups"]) == (201, str(rae.id), [])
    with database.session() as session:
        session.get_one(Member, rae.id).state = MemberState.ACTIVE
    assert as_rae.get("/api/v1/me").status_code == 401
    fresh = sign_in_as(rae)
    assert fresh.get("/api/v1/tokens").json()["items"] == []
    assert fresh.get("/api/v1/projects").json()["items"] == []
    assert [one["name"] for one in fresh.get("/api/v1/me").json()["groups"]] == ["All"]
    assert fresh.get(f"/api/v1/groups/{group.id}/members").status_code == 403
    assert fresh.get(f"/api/v1/projects/{project.id}").status_code == 404
