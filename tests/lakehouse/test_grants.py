"""Levels: who gives, changes and takes them, who is told of them, and where one's own comes from."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import func, select

from bailiwick.database.base import new_id
from bailiwick.lakehouse import grants
from bailiwick.lakehouse.models import Grant
from bailiwick.tenancy.caller import ALL_GROUP_ID
from bailiwick.tenancy.models import Member, MemberState
from tests.lakehouse.company import API, Company
from tests.people import make_group, make_member, make_project


def at(company: Company, kind: str) -> str:
    id_ = {"layers": company.raw.id, "tables": company.orders.id, "volumes": company.files.id}[kind]
    return f"{API}/{kind}/{id_}/grants"


def give(company: Company, who: str, to: str, level: str, kind: str = "tables", **more: Any) -> Any:
    return company.as_(who).post(at(company, kind), json={"member": str(company.id(to)), "level": level, **more})


@pytest.mark.parametrize("kind", ["layers", "tables", "volumes"])
@pytest.mark.parametrize(
    ("who", "level", "code"),
    [
        *(("nora", "Viewer", 404), ("edda", "Viewer", 404), ("vic", "Viewer", 403), ("eve", "Editor", 403)),
        *(("mia", "Viewer", 201), ("mia", "Editor", 201), ("mia", "Manager", 403)),
        *(("adam", "Manager", 201), ("olga", "Manager", 201)),
    ],
)
def test_managers_give_viewer_and_editor_and_admins_every_level(
    company: Company, kind: str, who: str, level: str, code: int
) -> None:
    answer = give(company, who, "gus", level, kind)
    assert answer.status_code == code, answer.text
    if code == 201:
        given = answer.json()
        assert given["level"] == level
        assert given["holder"] == {
            **{"kind": "member", "id": str(company.id("gus"))},
            # Mia named him by his address; what more there is of him is for who sees him.
            **{"name": "Gus", "email": None if who == "mia" else "gus@example.com"},
        }
        path = at(company, kind).removeprefix(API).removesuffix("/grants")
        assert company.get("gus", path).json()["level"] == level
        (entry,) = company.audited("give_level")
        assert entry.after == {"member": "Gus", "level": level, "expires_at": None}
        assert entry.about_id == company.id("gus")
    elif code == 403:
        expected = "Manage users (Manager)" if level == "Manager" else "Manage users (Viewer, Editor)"
        assert answer.json()["decision"]["row"] == expected


def test_one_member_is_found_among_the_levels_by_who_they_are(company: Company) -> None:
    """Whoever does not see addresses names one, and is told of nobody else."""

    def found(who: str, member: str) -> list[tuple[str, str, str | None]]:
        items = company.as_(who).get(at(company, "tables"), params={"member": member}).json()["items"]
        return [(one["holder"]["name"], one["on"], one["holder"]["email"]) for one in items]

    assert found("mia", "tab@example.com") == found("mia", str(company.id("tab"))) == [("Tab", "table", None)]
    assert found("mia", "EVE@example.com ") == [("Eve", "layer", None)]
    assert found("adam", "eve@example.com") == [("Eve", "layer", "eve@example.com")]
    assert found("mia", "eve") == found("mia", "nora@example.com") == []


def test_a_grant_that_is_or_would_become_manager_is_for_admins(company: Company) -> None:
    path = at(company, "tables")
    manager = give(company, "adam", "nora", "Manager").json()
    editor = give(company, "mia", "gus", "Editor").json()
    one, other = f"{path}/{manager['id']}", f"{path}/{editor['id']}"
    assert company.as_("mia").patch(one, json={"level": "Viewer"}).status_code == 403
    assert company.as_("mia").patch(one, json={"expires_at": company.in_(days=1).isoformat()}).status_code == 403
    assert company.as_("mia").delete(one).status_code == 403
    assert company.as_("mia").patch(other, json={"level": "Manager"}).status_code == 403
    assert company.as_("mia").patch(other, json={"level": "Viewer"}).json()["level"] == "Viewer"
    assert company.as_("mia").delete(other).status_code == 204
    assert company.as_("adam").patch(one, json={"level": "Viewer"}).status_code == 200
    assert company.as_("mia").delete(one).status_code == 204
    assert company.names("nora", "/tables") == []
    assert [entry.before["level"] for entry in company.audited("take_level")] == ["Viewer", "Viewer"]  # type: ignore[index]


def test_a_manager_of_a_table_does_not_touch_the_levels_on_its_layer(company: Company) -> None:
    company.grant(company.orders, "gus", "Manager")
    listed = company.get("gus", f"/tables/{company.orders.id}/grants").json()["items"]
    by_layer = [item for item in listed if item["on"] == "layer"]
    assert {item["holder"]["name"] for item in by_layer} == {"Vic", "Eve", "Mia"}
    assert all(item["actions"] == [] for item in by_layer)
    viewer = next(item for item in by_layer if item["level"] == "Viewer")
    assert company.as_("gus").delete(f"{at(company, 'tables')}/{viewer['id']}").status_code == 404
    assert company.as_("gus").delete(f"{at(company, 'layers')}/{viewer['id']}").status_code == 403
    assert company.as_("gus").get(at(company, "layers")).status_code == 403


def test_the_levels_are_listed_for_who_may_hand_them_out(company: Company) -> None:
    path = f"/tables/{company.orders.id}/grants"
    for who, code in (("nora", 404), ("vic", 403), ("eve", 403), ("tab", 403), ("mia", 200), ("adam", 200)):
        assert company.get(who, path).status_code == code
    items = company.get("mia", path).json()["items"]
    shown = {(item["holder"]["name"], item["level"], item["on"]): item["actions"] for item in items}
    assert shown == {
        ("Vic", "Viewer", "layer"): [],
        ("Eve", "Editor", "layer"): [],
        ("Mia", "Manager", "layer"): [],
        ("Tab", "Editor", "table"): ["change", "take"],
    }
    pages = company.get("mia", path, limit=3).json()
    rest = company.get("mia", path, limit=3, cursor=pages["next_cursor"]).json()
    assert [item["id"] for item in [*pages["items"], *rest["items"]]] == [item["id"] for item in items]


def test_a_level_goes_to_whom_one_names_exactly(company: Company) -> None:
    path = at(company, "tables")
    by_mail = company.as_("mia").post(path, json={"member": " Nora@Example.com ", "level": "Viewer"})
    assert by_mail.json()["holder"]["name"] == "Nora"
    to_group = company.as_("mia").post(path, json={"group": str(company.group.id), "level": "Editor"})
    assert to_group.json()["holder"] == {
        **{"kind": "group", "id": str(company.group.id)},
        **{"name": "Analysts", "email": None},
    }
    assert company.names("gus", "/tables") == ["raw.orders"]
    to_all = company.as_("mia").post(path, json={"group": str(ALL_GROUP_ID), "level": "Viewer"})
    assert to_all.status_code == 201
    assert company.names("edda", "/tables") == ["raw.orders"]
    for body in (
        {"member": "nora", "level": "Viewer"},
        {"member": "nobody@example.com", "level": "Viewer"},
        {"member": str(new_id()), "level": "Viewer"},
        {"group": str(new_id()), "level": "Viewer"},
        {"level": "Viewer"},
        {"member": "gus@example.com", "group": str(company.group.id), "level": "Viewer"},
        {"member": "gus@example.com", "level": "Owner"},
        {"member": "gus@example.com", "level": "none"},
    ):
        assert company.as_("mia").post(path, json=body).status_code == 422, body


def test_removed_and_waiting_members_are_given_nothing(company: Company) -> None:
    with company.database.session() as session:
        for state in (MemberState.REMOVED, MemberState.WAITING):
            make_member(session, f"Wes {state}", state=state)
    answers = [
        company.as_("mia").post(at(company, "tables"), json={"member": email, "level": "Viewer"})
        for email in ("wes.removed@example.com", "wes.waiting@example.com", "nobody@example.com")
    ]
    assert {(answer.status_code, answer.json()["detail"]) for answer in answers} == {(422, answers[0].json()["detail"])}


def test_who_holds_a_level_already_is_changed_not_given_another(company: Company) -> None:
    answer = give(company, "mia", "tab", "Viewer")
    assert answer.status_code == 409
    assert answer.json()["level"] == "Editor"
    (mine,) = (
        item
        for item in company.get("mia", f"/tables/{company.orders.id}/grants").json()["items"]
        if item["on"] == "table"
    )
    stale = company.as_("mia").patch(
        f"{at(company, 'tables')}/{mine['id']}", json={"level": "Viewer"}, headers={"If-Match": '"7"'}
    )
    assert stale.status_code == 409


def test_a_level_can_expire_and_its_end_can_be_moved(company: Company) -> None:
    soon, late = company.in_(hours=1), company.in_(hours=9)
    given = give(company, "mia", "gus", "Viewer", expires_at=soon.isoformat()).json()
    path = f"{at(company, 'tables')}/{given['id']}"
    with company.later(hours=2):
        assert company.names("gus", "/tables") == []
        again = give(company, "mia", "gus", "Editor", expires_at=late.isoformat())
        assert again.status_code == 201
        assert again.json()["id"] == given["id"]
        assert company.names("gus", "/tables") == ["raw.orders"]
    for_ever = company.as_("mia").patch(path, json={"expires_at": None}).json()
    assert (for_ever["level"], for_ever["expires_at"]) == ("Editor", None)
    kept = company.as_("mia").patch(path, json={"level": "Viewer"}).json()
    assert (kept["level"], kept["expires_at"]) == ("Viewer", None)
    past = company.as_("mia").patch(path, json={"expires_at": company.in_(days=-1).isoformat()})
    assert (past.status_code, past.json()["errors"][0]["field"]) == (422, "expires_at")
    assert give(company, "mia", "nora", "Viewer", expires_at=company.in_(days=9999).isoformat()).status_code == 422


def test_expired_levels_are_not_listed_changed_or_kept(company: Company) -> None:
    given = give(company, "mia", "gus", "Viewer", expires_at=company.in_(hours=1).isoformat()).json()
    with company.later(hours=2):
        assert "Gus" not in company.get("mia", f"/tables/{company.orders.id}/grants").text
        assert company.as_("mia").delete(f"{at(company, 'tables')}/{given['id']}").status_code == 404
        with company.database.session() as session:
            assert grants.drop_expired(session) == 1
            assert grants.drop_expired(session) == 0


def test_that_a_level_has_ended_is_on_record_once_for_who_held_it(company: Company) -> None:
    soon = company.in_(hours=1)
    for who in ("gus", "edda"):
        assert give(company, "mia", who, "Viewer", expires_at=soon.isoformat()).status_code == 201
    company.grant(company.raw, "group", "Editor", expires_at=soon)
    with company.later(hours=2):
        assert give(company, "mia", "edda", "Editor").status_code == 201  # before it was swept up
        for _ in range(2):
            with company.database.session() as session:
                grants.drop_expired(session)
    ended = {(entry.about_id, entry.resource_type): entry for entry in company.audited("end_level")}
    assert len(company.audited("end_level")) == len(ended) == 3
    gus = ended[company.id("gus"), "table"]
    assert (gus.actor_id, gus.resource_name, gus.after) == (None, "raw.orders", None)
    assert gus.before == {"member": "Gus", "level": "Viewer", "expires_at": soon.isoformat()}
    assert (company.id("edda"), "table") in ended
    of_group = ended[None, "layer"]
    assert of_group.before is not None
    assert (of_group.resource_name, of_group.before["group"], of_group.before["level"]) == ("raw", "Analysts", "Editor")
    (read,) = company.get("gus", "/audit", action="end_level").json()["items"]
    assert (read["said"], read["actor"], read["about"]["name"]) == ("let a level end", None, "Gus")


def test_what_is_refused_names_a_table_or_volume_with_its_layer(company: Company) -> None:
    for kind, name in (("tables", "raw.orders"), ("volumes", "raw.files")):
        refused = company.as_("vic").post(at(company, kind), json={"member": str(company.id("gus")), "level": "Viewer"})
        assert refused.status_code == 403
        (entry,) = [one for one in company.audited("manage_users_viewer_editor") if one.resource_type == kind[:-1]]
        assert entry.resource_name == name


def test_on_starter_levels_are_not_given_and_the_refusal_says_why(company: Company) -> None:
    given = give(company, "adam", "gus", "Viewer").json()
    company.change_plan("starter")
    path = f"{at(company, 'tables')}/{given['id']}"
    for who in ("adam", "olga", "nora"):
        refused = give(company, who, "edda", "Viewer")
        assert refused.status_code == 409
        assert "starter" in refused.json()["detail"]
        assert company.as_(who).patch(path, json={"level": "Editor"}).status_code == 409
        assert company.as_(who).delete(path).status_code == 409
    hidden = company.get("nora", f"/tables/{company.orders.id}/grants").json()
    assert hidden["items"] == []
    assert "starter" in hidden["note"]
    assert len(company.get("adam", f"/tables/{company.orders.id}/grants").json()["items"]) == 5
    company.change_plan("growth")
    assert company.names("gus", "/tables") == ["raw.orders"]


def test_ones_level_is_shown_with_where_it_comes_from(company: Company) -> None:
    def origins(who: str, path: str) -> list[tuple[str, str, str | None]]:
        answer = company.get(who, f"{path}/access").json()
        return [(one["level"], one["source"], one["group"]) for one in answer["origins"]]

    table, layer = f"/tables/{company.orders.id}", f"/layers/{company.raw.id}"
    company.grant(company.raw, "group", "Viewer")
    company.grant(company.orders, "gus", "Editor")
    company.grant(company.orders, "All", "Viewer")
    assert origins("gus", table)[0] == ("Editor", "table", None)  # the highest first
    assert set(origins("gus", table)) == {
        ("Editor", "table", None),
        ("Viewer", "layer", "Analysts"),
        ("Viewer", "table", "All"),
    }
    assert set(origins("gus", layer)) == {("Viewer", "layer", "Analysts"), ("Viewer", "below", None)}
    assert origins("tab", layer) == [("Viewer", "below", None)]
    assert origins("adam", table)[0] == ("Admin", "tenant role", None)
    assert company.get("adam", f"{table}/access").json()["standing"] == "Admin"
    company.change_plan("starter")
    assert origins("gus", table) == [("Manager", "plan", None)]


def test_two_who_give_at_once_leave_one_level(company: Company) -> None:
    clients = [company.sign_in_as(company.people[who]) for who in ("adam", "olga", "mia", "adam")]

    def post(client: Any) -> int:
        body = {"member": "gus@example.com", "level": "Viewer"}
        return int(client.post(at(company, "tables"), json=body).status_code)

    with ThreadPoolExecutor(4) as pool:
        codes = sorted(pool.map(post, clients))
    assert codes == [201, 409, 409, 409]
    with company.database.read() as session:
        held = select(func.count()).select_from(Grant).where(Grant.member_id == company.id("gus"))
        assert session.scalar(held) == 1


def test_of_two_who_change_a_level_at_once_none_is_half_heard(company: Company) -> None:
    given = give(company, "adam", "gus", "Viewer").json()
    path = f"{at(company, 'tables')}/{given['id']}"
    clients = [(company.sign_in_as(company.people["adam"]), level) for level in ("Editor", "Manager", "Viewer")]

    def patch(one: Any) -> tuple[int, str]:
        client, level = one
        return client.patch(path, json={"level": level}, headers={"If-Match": '"1"'}).status_code, level

    with ThreadPoolExecutor(3) as pool:
        answers = list(pool.map(patch, clients))
    changed = [level for code, level in answers if code == 200 and level != "Viewer"]
    assert len(changed) <= 1
    assert {code for code, _ in answers} <= {200, 409}
    final = company.get("gus", f"/tables/{company.orders.id}").json()["level"]
    assert final == (changed[0] if changed else "Viewer")


def test_a_removed_member_loses_their_levels_and_a_deleted_group_its_own(company: Company) -> None:
    company.grant(company.raw, "group", "Editor")
    company.grant(company.orders, "group", "Viewer")
    listed = company.get("adam", f"/groups/{company.group.id}/grants").json()["items"]
    assert [item["what"] for item in listed] == ["Editor on the layer raw", "Viewer on the table raw.orders"]
    deleted = company.as_("adam").delete(f"{API}/groups/{company.group.id}?confirm=Analysts")
    assert deleted.status_code == 200
    assert company.names("gus", "/tables") == []
    assert company.as_("adam").delete(f"{API}/members/{company.id('vic')}").status_code in (200, 204)
    with company.database.read() as session:
        gone = session.get_one(Member, company.id("vic"))
        assert session.scalars(select(Grant).where(Grant.member_id == gone.id)).all() == []


def test_everybody_sees_what_their_groups_were_given(company: Company) -> None:
    def given(who: str) -> list[tuple[str, str, str]]:
        items = company.get(who, "/groups/given").json()["items"]
        return [(one["group"]["name"], one["given"], one["resource_name"]) for one in items]

    with company.database.session() as session:
        make_group(session, "Others")
        make_project(session, "Sales", session.merge(company.people["olga"]), {session.merge(company.group): "Admin"})
    company.grant(company.orders, "group", "Editor")
    company.grant(company.trusted, "All", "Viewer")
    company.grant(company.files, "group", "Viewer", expires_at=company.in_(hours=1))
    company.grant(company.revenue, "gus", "Manager")  # not through a group
    everybody = [("All", "Viewer", "trusted")]
    assert given("nora") == given("olga") == everybody
    assert given("gus") == [
        ("Analysts", "Viewer", "raw.files"),
        *everybody,
        ("Analysts", "Editor", "raw.orders"),
        ("Analysts", "Admin", "Sales"),
    ]
    (latest,) = company.get("gus", "/groups/given", limit=1).json()["items"]
    assert (latest["resource_type"], latest["resource_id"]) == ("volume", str(company.files.id))
    assert latest["expires_at"] is not None
    with company.later(hours=2):
        assert ("Analysts", "Viewer", "raw.files") not in given("gus")
    company.change_plan("starter")  # on which levels sleep
    assert given("gus") == [("Analysts", "Admin", "Sales")]
