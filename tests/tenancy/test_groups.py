"""Groups over HTTP: who sees into them, who changes them, and what falls away with one."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select
from sqlalchemy.orm import Session

from bailiwick.audit.models import AuditEntry
from bailiwick.database.base import new_id
from bailiwick.database.engine import Database
from bailiwick.projects.models import ProjectGrant
from bailiwick.tenancy import areas
from bailiwick.tenancy.caller import ALL_GROUP_ID
from bailiwick.tenancy.members import remove_member
from bailiwick.tenancy.models import Group, GroupMembership, Member, MemberState
from tests.people import SignInAs, as_caller, make_group, make_member, make_project

GROUPS = "/api/v1/groups"
ALL = f"{GROUPS}/{ALL_GROUP_ID}"


@pytest.fixture
def adam(database: Database) -> Member:
    """A tenant admin."""
    return made(database, "Adam", role="admin")


@pytest.fixture
def mia(database: Database) -> Member:
    """A member with no tenant role."""
    return made(database, "Mia")


@pytest.fixture
def bea(database: Database) -> Member:
    """Another one."""
    return made(database, "Bea")


@pytest.fixture
def finance(database: Database, mia: Member, bea: Member) -> Group:
    """A group that holds Mia and Bea."""
    with database.session() as session:
        return make_group(session, "Finance", mia, bea)


@pytest.fixture
def as_adam(sign_in_as: SignInAs, adam: Member) -> TestClient:
    return sign_in_as(adam)


@pytest.fixture
def as_mia(sign_in_as: SignInAs, mia: Member) -> TestClient:
    return sign_in_as(mia)


@pytest.fixture
def as_stranger(database: Database, sign_in_as: SignInAs) -> TestClient:
    """An editor who is in no group."""
    return sign_in_as(made(database, "Stranger", role="editor"))


@pytest.fixture
def told() -> Iterator[list[Any]]:
    """Whose roles the areas were told to have changed."""
    heard: list[Any] = []

    def hear(session: Session, ids: Any) -> None:
        heard.append(ids if ids is None else sorted(ids))

    areas.roles_changed.append(hear)
    yield heard
    areas.roles_changed.remove(hear)


@pytest.fixture
def granted() -> Iterator[None]:
    """An area that lists what groups were granted, whatever other areas do."""

    def read(session: Session, group: Group) -> list[dict[str, Any]]:
        grants = session.scalars(select(ProjectGrant).where(ProjectGrant.group_id == group.id))
        return [{"project_id": str(grant.project_id), "role": grant.role} for grant in grants]

    before, areas.group_grants[:] = areas.group_grants[:], [read]
    yield
    areas.group_grants[:] = before


def made(database: Database, name: str, **what: Any) -> Member:
    with database.session() as session:
        return make_member(session, name, **what)


def inside(database: Database, group: Group) -> set[Any]:
    with database.read() as session:
        listed = select(GroupMembership.member_id).where(GroupMembership.group_id == group.id)
        return set(session.scalars(listed))


def without_request_id(answer: Any) -> str:
    return re.sub(r'"request_id": ?"[^"]*"', "", answer.text)


def test_everybody_sees_groups_and_their_size_only_who_may_look_into_them(
    database: Database, finance: Group, as_adam: TestClient, as_mia: TestClient, as_stranger: TestClient
) -> None:
    made(database, "Waiting", state=MemberState.WAITING)
    made(database, "Removed", state=MemberState.REMOVED)

    def sizes(client: TestClient) -> dict[str, int | None]:
        return {item["name"]: item["size"] for item in client.get(GROUPS).json()["items"]}

    assert sizes(as_adam) == {"All": 4, "Finance": 2}
    assert sizes(as_mia) == {"All": None, "Finance": 2}
    assert sizes(as_stranger) == {"All": None, "Finance": None}
    one = as_stranger.get(f"{GROUPS}/{finance.id}")
    assert (one.json()["actions"], one.json()["version"], one.headers["ETag"]) == (["see"], 1, '"1"')
    assert as_adam.get(f"{GROUPS}/{finance.id}").json()["actions"] == ["see", "see_who_is_in_it", "edit", "delete"]
    assert as_adam.get(ALL).json()["actions"] == ["see", "see_who_is_in_it"]


def test_groups_are_searched_and_paged(database: Database, as_mia: TestClient) -> None:
    with database.session() as session:
        for name in ("Berlin", "Bern", "Oslo"):
            make_group(session, name)
    first = as_mia.get(GROUPS, params={"search": "ber", "limit": 1}).json()
    second = as_mia.get(GROUPS, params={"search": "ber", "limit": 1, "cursor": first["next_cursor"]}).json()
    assert [page["items"][0]["name"] for page in (first, second)] == ["Berlin", "Bern"]
    assert second["next_cursor"] is None


def test_who_is_in_a_group_is_for_its_members_and_for_admins(
    finance: Group, as_adam: TestClient, as_mia: TestClient, as_stranger: TestClient
) -> None:
    path = f"{GROUPS}/{finance.id}/members"
    for_adam, for_mia = as_adam.get(path).json()["items"], as_mia.get(path).json()["items"]
    assert [item["name"] for item in for_adam] == [item["name"] for item in for_mia] == ["Bea", "Mia"]
    assert [item["email"] for item in for_adam] == ["bea@example.com", "mia@example.com"]
    # Of Bea, with whom she shares no project, Mia learns the name and nothing she could do.
    assert [item["email"] for item in for_mia] == [None, "mia@example.com"]
    assert [bool(item["actions"]) for item in for_mia] == [False, True]
    refused = as_stranger.get(path)
    assert refused.status_code == 403
    assert refused.json()["decision"]["row"] == "Anybody else"
    page = as_adam.get(path, params={"limit": 1}).json()
    assert as_adam.get(path, params={"cursor": page["next_cursor"]}).json()["items"][0]["name"] == "Mia"


def test_all_lists_everyone_to_admins_alone(
    database: Database, as_adam: TestClient, as_mia: TestClient, mia: Member
) -> None:
    made(database, "Removed", state=MemberState.REMOVED)
    assert [item["name"] for item in as_adam.get(f"{ALL}/members").json()["items"]] == ["Adam", "Mia"]
    assert as_mia.get(f"{ALL}/members").status_code == 403


def test_a_group_is_created_edited_and_deleted_on_record(database: Database, as_adam: TestClient, adam: Member) -> None:
    created = as_adam.post(GROUPS, json={"name": " Finance ", "description": "Books\nand figures"})
    assert created.status_code == 201
    group = created.json()
    assert created.headers["Location"] == f"{GROUPS}/{group['id']}"
    assert (group["name"], group["size"], group["is_all"], group["version"]) == ("Finance", 0, False, 1)
    path = created.headers["Location"]
    edited = as_adam.patch(path, json={"name": "Control"}, headers={"If-Match": '"1"'})
    assert (edited.json()["name"], edited.json()["description"]) == ("Control", "Books\nand figures")
    assert (edited.json()["version"], edited.headers["ETag"]) == (2, '"2"')
    assert as_adam.patch(path, json={"name": "Control"}).json()["version"] == 2
    assert as_adam.delete(path).json() == {"items": []}
    assert as_adam.get(path).status_code == 404
    with database.read() as session:
        entries = session.scalars(select(AuditEntry).order_by(AuditEntry.id)).all()
    assert [entry.action for entry in entries] == ["create_group", "edit_group", "delete_group"]
    assert all(entry.actor_id == adam.id and entry.decision for entry in entries)
    assert (entries[1].before or {})["name"] == "Finance"
    assert (entries[1].after or {})["name"] == "Control"


def test_only_owners_and_admins_change_groups(
    database: Database, finance: Group, as_mia: TestClient, bea: Member
) -> None:
    path, ids = f"{GROUPS}/{finance.id}", {"member_ids": [str(bea.id)]}
    for method, where, body in (
        ("POST", GROUPS, {"name": "Mine"}),
        ("PATCH", path, {"name": "Mine"}),
        ("DELETE", path, None),
        ("GET", f"{path}/grants", None),
        ("POST", f"{path}/members", ids),
        ("POST", f"{path}/members/remove", ids),
        ("DELETE", f"{path}/members/{bea.id}", None),
    ):
        answer = as_mia.request(method, where, json=body)
        assert answer.status_code == 403, (method, where)
        assert answer.json()["decision"]["document"] == "tenant"
    # Nor does a refusal tell who exists: an unknown member reads like a known one.
    known, unknown = (as_mia.delete(f"{path}/members/{id_}") for id_ in (bea.id, new_id()))
    assert without_request_id(known) == without_request_id(unknown)
    assert len(inside(database, finance)) == 2


def test_the_group_all_is_neither_edited_nor_deleted(database: Database, as_adam: TestClient, mia: Member) -> None:
    ids = {"member_ids": [str(mia.id)]}
    for method, where, body in (
        ("PATCH", ALL, {"name": "Nobody"}),
        ("DELETE", ALL, None),
        ("DELETE", f"{ALL}?confirm=All", None),
        ("POST", f"{ALL}/members", ids),
        ("POST", f"{ALL}/members/remove", ids),
        ("DELETE", f"{ALL}/members/{mia.id}", None),
    ):
        answer = as_adam.request(method, where, json=body)
        assert answer.status_code == 403, (method, where)
        assert answer.json()["decision"]["column"] == "The group All"
    with database.read() as session:
        assert session.get_one(Group, ALL_GROUP_ID).name == "All"


def test_what_all_was_granted_is_told_like_any_other_group_s(
    database: Database, granted: None, as_adam: TestClient, as_mia: TestClient, adam: Member
) -> None:
    with database.session() as session:
        everybody = session.get_one(Group, ALL_GROUP_ID)
        project = make_project(session, "Atlas", session.get_one(Member, adam.id), {everybody: "Business User"})
    found = as_adam.get(f"{ALL}/grants").json()["items"]
    assert found == [{"project_id": str(project.id), "role": "Business User"}]
    assert as_mia.get(f"{ALL}/grants").status_code == 403


@pytest.mark.parametrize("name", ["Finance", "FINANCE", "all", "All"])
def test_no_two_groups_have_one_name(finance: Group, as_adam: TestClient, name: str) -> None:
    answer = as_adam.post(GROUPS, json={"name": name})
    assert answer.status_code == 409
    assert "already" in answer.json()["detail"]
    other = as_adam.post(GROUPS, json={"name": "Other"}).json()
    assert as_adam.patch(f"{GROUPS}/{other['id']}", json={"name": name}).status_code == 409
    assert as_adam.patch(f"{GROUPS}/{finance.id}", json={"name": "fINANCE"}).status_code == 200


def test_wrong_input_names_the_field(finance: Group, as_adam: TestClient) -> None:
    path = f"{GROUPS}/{finance.id}"
    for method, where, body, field in (
        ("POST", GROUPS, {}, "name"),
        ("POST", GROUPS, {"name": ""}, "name"),
        ("POST", GROUPS, {"name": "x" * 201}, "name"),
        ("POST", GROUPS, {"name": "a\tb"}, "name"),
        ("POST", GROUPS, {"name": "X", "description": "x" * 2001}, "description"),
        ("POST", GROUPS, {"name": "X", "description": "\0"}, "description"),
        ("POST", GROUPS, {"name": "X", "is_all": True}, "is_all"),
        ("PATCH", path, {}, "body"),
        ("PATCH", path, {"name": None}, "body"),
        ("PATCH", path, {"name": 3}, "name"),
        ("POST", f"{path}/members", {"member_ids": []}, "member_ids"),
        ("POST", f"{path}/members", {"member_ids": ["x"]}, "member_ids.0"),
        ("POST", f"{path}/members", {"member_ids": [str(new_id()) for _ in range(201)]}, "member_ids"),
        ("POST", f"{path}/members", {"member_ids": [str(new_id())]}, "member_ids"),
        ("GET", f"{GROUPS}/x", None, "group_id"),
        ("GET", f"{GROUPS}?search=%00", None, "search"),
    ):
        answer = as_adam.request(method, where, json=body)
        assert answer.status_code == 422, (method, where, body)
        assert answer.json()["errors"][0]["field"] == field


def test_members_are_put_in_and_taken_out(
    database: Database, finance: Group, as_adam: TestClient, mia: Member, bea: Member, adam: Member, told: list[Any]
) -> None:
    path = f"{GROUPS}/{finance.id}/members"
    invited = made(database, "Invited", state=MemberState.INVITED)
    ids = [str(member.id) for member in (mia, adam, invited)]
    added = as_adam.post(path, json={"member_ids": [*ids, ids[0]]})
    assert added.json() == {"added": sorted([str(adam.id), str(invited.id)])}
    assert told.pop() == sorted([adam.id, invited.id])
    assert as_adam.post(path, json={"member_ids": ids}).json() == {"added": []}
    removed = as_adam.post(f"{path}/remove", json={"member_ids": [str(bea.id), str(new_id())]})
    assert removed.json() == {"removed": [str(bea.id)]}
    assert told.pop() == [bea.id]
    assert as_adam.delete(f"{path}/{mia.id}").status_code == 204
    assert told.pop() == [mia.id]
    assert as_adam.delete(f"{path}/{mia.id}").status_code == 404
    assert told == []
    assert inside(database, finance) == {adam.id, invited.id}
    with database.read() as session:
        entries = session.scalars(select(AuditEntry).order_by(AuditEntry.id)).all()
    assert sorted((entry.action, str(entry.about_id)) for entry in entries) == sorted(
        [
            ("add_to_group", str(adam.id)),
            ("add_to_group", str(invited.id)),
            ("remove_from_group", str(bea.id)),
            ("remove_from_group", str(mia.id)),
        ]
    )


@pytest.mark.parametrize("state", [MemberState.WAITING, MemberState.SUSPENDED, MemberState.REMOVED])
def test_only_active_and_invited_members_join_a_group(
    database: Database, finance: Group, as_adam: TestClient, state: MemberState
) -> None:
    somebody = made(database, "Somebody", state=state)
    answer = as_adam.post(f"{GROUPS}/{finance.id}/members", json={"member_ids": [str(somebody.id)]})
    assert answer.status_code == 409
    assert f"Somebody ({state})" in answer.json()["detail"]


@pytest.mark.usefixtures("granted")
def test_a_group_that_holds_grants_is_deleted_only_when_confirmed(
    database: Database, finance: Group, as_adam: TestClient, adam: Member, mia: Member, bea: Member, told: list[Any]
) -> None:
    with database.session() as session:
        project = make_project(session, "Atlas", adam, {finance: "Technical User", mia: "Business User"})
    path, expected = f"{GROUPS}/{finance.id}", [{"project_id": str(project.id), "role": "Technical User"}]
    assert as_adam.get(f"{path}/grants").json()["items"] == expected
    for wrong in ("", "?confirm=", "?confirm=finance"):
        answer = as_adam.delete(path + wrong)
        assert answer.status_code == 409
        assert answer.json()["grants"] == expected
        assert "1 grant," in answer.json()["detail"]
    assert inside(database, finance) == {mia.id, bea.id}
    assert as_adam.delete(path, params={"confirm": "Finance"}).json()["items"] == expected
    with database.read() as session:
        left = session.scalars(select(ProjectGrant)).all()
        assert [grant.member_id for grant in left] == [mia.id]
        entry = session.scalars(select(AuditEntry).where(AuditEntry.action == "delete_group")).one()
    assert (entry.before or {})["grants"] == expected
    assert (entry.before or {})["size"] == 2
    assert told == [sorted([mia.id, bea.id])]


def test_a_stale_edit_is_refused_and_of_two_at_once_one_wins(
    database: Database, finance: Group, as_adam: TestClient
) -> None:
    path = f"{GROUPS}/{finance.id}"
    with ThreadPoolExecutor(2) as threads:
        edit = partial(as_adam.patch, path, headers={"If-Match": '"1"'})
        running = [threads.submit(edit, json={"description": text}) for text in ("one", "two")]
        codes = sorted(answer.result().status_code for answer in running)
    assert codes == [200, 409]
    assert as_adam.delete(path, headers={"If-Match": '"1"'}).status_code == 409
    assert as_adam.get(path).json()["version"] == 2


def test_two_admins_putting_the_same_member_in_at_once_break_nothing(
    database: Database, finance: Group, as_adam: TestClient, adam: Member
) -> None:
    with ThreadPoolExecutor(2) as threads:
        add = partial(as_adam.post, f"{GROUPS}/{finance.id}/members", json={"member_ids": [str(adam.id)]})
        codes = [answer.result().status_code for answer in [threads.submit(add) for _ in range(2)]]
    assert 200 in codes
    assert set(codes) <= {200, 409}
    assert adam.id in inside(database, finance)


def test_somebody_who_is_removed_meanwhile_is_not_put_in(
    database: Database, finance: Group, as_adam: TestClient, adam: Member, mia: Member
) -> None:
    """Else they would come back one day with a group, and all it was granted."""
    with ThreadPoolExecutor(1) as threads:
        with database.session() as session:
            caller = as_caller(session.get_one(Member, adam.id))
            remove_member(session, caller, mia.id, if_match=None)
            putting_in = partial(as_adam.post, f"{GROUPS}/{finance.id}/members", json={"member_ids": [str(mia.id)]})
            answer = threads.submit(putting_in)
            time.sleep(0.3)
        assert answer.result().status_code == 409
    assert mia.id not in inside(database, finance)


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_what_is_granted_at_the_last_moment_does_not_fall_away_unasked(
    database: Database, finance: Group, as_adam: TestClient, adam: Member
) -> None:
    with ThreadPoolExecutor(1) as threads:
        with database.session() as session:
            make_project(session, "Sales", adam, {finance: "Admin"})
            answer = threads.submit(as_adam.delete, f"{GROUPS}/{finance.id}")
            time.sleep(0.3)
        assert answer.result().status_code == 409
        assert "Admin in the project Sales" in answer.result().text


@pytest.mark.parametrize("name", ["All\u200b", "Sa\u200bles", "a\u200eb", "Sales\ufeff", "Sa\u00adles", "\u2060Sales"])
def test_no_name_holds_what_nobody_sees(database: Database, sign_in_as: SignInAs, name: str) -> None:
    with database.session() as session:
        ada = make_member(session, "Ada", role="admin")
    answer = sign_in_as(ada).post("/api/v1/groups", json={"name": name})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "name"


def test_a_name_is_the_same_however_its_letters_were_typed(database: Database, sign_in_as: SignInAs) -> None:
    with database.session() as session:
        ada = make_member(session, "Ada", role="admin")
    client = sign_in_as(ada)
    made = client.post("/api/v1/groups", json={"name": "Cafe\u0301"})
    assert made.json()["name"] == "Café"
    assert client.post("/api/v1/groups", json={"name": "Café"}).status_code == 409
    shaped = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"  # the joiner in it is part of how it is written
    assert client.post("/api/v1/groups", json={"name": shaped}).json()["name"] == shaped
