"""What Managers ask before they share: what a level would bring whom they name, and nothing that they do not know."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select

from bailiwick.lakehouse.models import Grant
from bailiwick.tenancy.models import GroupMembership, Member, MemberState
from tests.lakehouse.company import Company, company
from tests.lakehouse.making import make_pipeline, make_saved_query
from tests.people import make_project

__all__ = ["company"]

Json = dict[str, Any]


def what_if(company: Company, who: str, *changes: Json, **more: Any) -> Any:
    return company.as_(who).post("/api/v1/access/what-if", json={"changes": list(changes), **more})


def answer(company: Company, who: str, *changes: Json) -> Json:
    told = what_if(company, who, *changes)
    assert told.status_code == 200, told.text
    found: Json = told.json()
    return found


def differences(told: Json) -> dict[tuple[str, str], tuple[list[str], list[str]]]:
    return {(one["member"]["name"], one["resource"]["name"]): (one["gained"], one["lost"]) for one in told["items"]}


def may(company: Company, who: str) -> dict[str, set[str]]:
    """What somebody may do with what lies in raw, and with raw itself."""
    found = {}
    named: dict[str, tuple[str, UUID]] = {
        "raw": ("layer", company.raw.id),
        "raw.orders": ("table", company.orders.id),
        "raw.customers": ("table", company.customers.id),
        "raw.files": ("volume", company.files.id),
    }
    for name, (type_, id_) in named.items():
        told = company.as_(who).post("/api/v1/access/actions", json={"resource": {"type": type_, "id": str(id_)}})
        decisions = told.json()["decisions"] if told.status_code == 200 else []
        found[name] = {one["action"] for one in decisions if one["allowed"]}
    return found


def give(on: str, row: Any, level: str = "Viewer", **whom: Any) -> Json:
    return {"change": "give_level", on: str(row.id), "level": level, **whom}


def join(company: Company, who: str) -> None:
    with company.database.session() as session:
        session.add(GroupMembership(group_id=company.group.id, member_id=company.id(who)))


@pytest.mark.parametrize(
    ("whom", "on", "level"),
    [("nora", "layer", "Viewer"), ("nora", "layer", "Editor"), ("nora", "table", "Editor"), ("tab", "layer", "Viewer")],
)
def test_a_manager_is_told_what_giving_a_level_brings_about(company: Company, whom: str, on: str, level: str) -> None:
    row = company.raw if on == "layer" else company.orders
    told = answer(company, "mia", give(on, row, level, member=f"{whom}@example.com"))
    before = may(company, whom)
    given = company.as_("mia").post(
        f"/api/v1/{on}s/{row.id}/grants", json={"member": f"{whom}@example.com", "level": level}
    )
    assert given.status_code == 201, given.text
    after = may(company, whom)
    happened = {
        (whom.title(), name): (after[name] - before[name], before[name] - after[name])
        for name in before
        if before[name] != after[name] and (on == "layer" or name == "raw.orders")
    }
    assert {key: (set(gained), set(lost)) for key, (gained, lost) in differences(told).items()} == happened
    assert happened
    assert told["hidden_members"] is False
    assert told["count"] == len(happened)


def test_changing_and_taking_are_told_as_well(company: Company) -> None:
    lower = {"change": "change_level", "layer": str(company.raw.id), "member": "eve@example.com", "level": "Viewer"}
    told = answer(company, "mia", lower)
    assert {name for _, name in differences(told)} == {"raw", "raw.orders", "raw.customers", "raw.files"}
    take = {"change": "take_level", "table": str(company.orders.id), "member": "tab@example.com"}
    assert set(differences(answer(company, "mia", take))) == {("Tab", "raw.orders")}


def test_only_levels_that_the_caller_could_give_are_asked_about(company: Company) -> None:
    company.grant(company.orders, "nora", "Manager")
    gus = {"member": "gus@example.com"}
    assert what_if(company, "mia", give("table", company.orders, "Manager", **gus)).status_code == 403
    assert what_if(company, "eve", give("table", company.orders, **gus)).status_code == 403
    assert what_if(company, "mia", give("table", company.revenue, **gus)).status_code == 404
    take = {"change": "take_level", "table": str(company.orders.id), "member": "nora@example.com"}
    assert what_if(company, "mia", take).status_code == 403
    both = [give("table", company.orders, **gus), {"change": "plan", "plan": "custom"}]
    assert what_if(company, "mia", *both).status_code == 403
    on = [{"type": "layer", "id": str(company.raw.id)}]
    assert what_if(company, "mia", give("table", company.orders, **gus), resources=on).status_code == 403
    told = what_if(company, "mia", give("table", company.orders, member="nobody@example.com"))
    assert (told.status_code, told.json()["errors"][0]["field"]) == (422, "changes.0.member")
    refused = what_if(company, "eve", give("table", company.orders, member="nobody@example.com"))
    assert refused.status_code == 403  # of who may not ask, nobody learns who is there


def test_what_a_group_would_gain_is_told_to_who_sees_into_it(company: Company) -> None:
    change = give("table", company.orders, "Editor", group=str(company.group.id))
    hidden = answer(company, "mia", change)
    assert (hidden["items"], hidden["count"], hidden["pipelines"]) == ([], 0, [])
    assert hidden["hidden_members"] is True
    join(company, "mia")
    told = answer(company, "mia", change)
    assert set(differences(told)) == {("Gus", "raw.orders")}
    assert told["hidden_members"] is False
    assert told["items"][0]["member"]["email"] is None  # of a fellow member one sees the name


def test_the_address_is_shown_of_whom_the_caller_sees(company: Company) -> None:
    with company.database.session() as session:
        make_project(session, "Atlas", company.people["olga"], {company.people[n]: "Admin" for n in ("mia", "gus")})
    join(company, "mia")
    told = answer(company, "mia", give("table", company.orders, group=str(company.group.id)))
    assert told["items"][0]["member"]["email"] == "gus@example.com"


def test_all_is_everybody_and_who_that_is_is_not_told(company: Company) -> None:
    all_ = next(group for group in company.get("mia", "/groups").json()["items"] if group["is_all"])
    told = answer(company, "mia", give("layer", company.raw, group=all_["id"]))
    assert (told["items"], told["hidden_members"]) == ([], True)
    # That the named one is in All is no secret: with it, they gain nothing by a level of their own.
    both = answer(
        company,
        "mia",
        give("layer", company.raw, group=all_["id"]),
        give("table", company.orders, member="nora@example.com"),
    )
    assert differences(both)["Nora", "raw.customers"][0]


def test_nobody_learns_who_is_in_a_group(company: Company) -> None:
    """Neither by a level that the group holds there, on the layer or below, nor by one that it would hold."""
    company.grant(company.orders, "group", "Editor")
    company.grant(company.raw, "group", "Viewer")
    group = {"group": str(company.group.id)}
    for others in (
        [],
        [{"change": "take_level", "table": str(company.orders.id), **group}],
        [{"change": "change_level", "layer": str(company.raw.id), "level": "Editor", **group}],
    ):
        for level in ("Viewer", "Editor"):
            asked = {
                who: answer(company, "mia", *others, give("layer", company.raw, level, member=f"{who}@example.com"))
                for who in ("gus", "nora")
            }
            found = {who: [(n, v) for (_, n), v in differences(told).items()] for who, told in asked.items()}
            assert found["gus"] == found["nora"] != []
            assert asked["gus"]["hidden_members"] is bool(others)
    join(company, "mia")
    known = answer(company, "mia", give("layer", company.raw, "Viewer", member="gus@example.com"))
    assert known["items"] == []


def test_nobody_learns_who_is_an_admin(company: Company) -> None:
    change = give("layer", company.raw, "Editor")
    found = {
        who: [
            (n, v)
            for (_, n), v in differences(answer(company, "mia", {**change, "member": f"{who}@example.com"})).items()
        ]
        for who in ("adam", "nora")
    }
    assert found["adam"] == found["nora"] != []
    with company.database.session() as session:
        make_project(session, "Atlas", company.people["olga"], {company.people["mia"]: "Business User"})
    # Who shares a project sees the tenant role, and then it counts.
    told = answer(company, "mia", {**change, "member": "adam@example.com"})
    assert told["items"] == []


def test_who_manages_one_table_learns_nothing_of_its_layer_and_of_what_is_made_of_it(company: Company) -> None:
    company.grant(company.customers, "nora", "Viewer")
    with company.database.session() as session:
        grant = session.scalars(select(Grant).where(Grant.member_id == company.id("tab"))).one()
        grant.level = "Manager"
        make_pipeline(session, "Clean", company.people["adam"], reads=[company.orders], output=company.orders)
        make_saved_query(session, "Big", company.people["adam"], reads=[company.orders], shared=True)
    for who in ("nora", "gus"):  # Nora sees the layer already, for a table that Tab does not see
        told = answer(company, "tab", give("table", company.orders, "Editor", member=f"{who}@example.com"))
        assert {name for _, name in differences(told)} == {"raw.orders"}


def test_a_manager_who_asks_for_themselves_is_told_as_everybody_is(company: Company) -> None:
    with company.database.session() as session:
        make_pipeline(session, "Clean", company.people["adam"], reads=[company.orders], output=company.customers)
    lower = {"change": "change_level", "layer": str(company.raw.id), "member": "mia@example.com", "level": "Viewer"}
    assert ("Mia", "Clean") in differences(answer(company, "mia", lower))


def test_who_left_is_nobody_to_give_a_level_to(company: Company) -> None:
    with company.database.session() as session:
        session.get_one(Member, company.id("nora")).state = "removed"
    told = what_if(company, "mia", give("table", company.orders, member="nora@example.com"))
    assert told.status_code == 422


@pytest.mark.parametrize("state", [MemberState.SUSPENDED, MemberState.INVITED])
def test_whether_somebody_is_active_is_told_only_to_who_sees_them(company: Company, state: MemberState) -> None:
    """That nothing changes for somebody would tell that they are suspended, or have not joined."""
    company.grant(company.raw, "nora", "Editor")
    with company.database.session() as session:
        nora = company.people["nora"]
        make_pipeline(session, "Clean", nora, reads=[company.orders], output=company.customers)
    taken = {"change": "take_level", "layer": str(company.raw.id), "member": "nora@example.com"}
    given = give("layer", company.raw, "Viewer", member="val@example.com")

    def told(who: str) -> list[Json]:
        return [answer(company, who, change) for change in (given, taken)]

    active = told("mia")
    assert all(one["count"] > 0 for one in active)
    assert [one["resource"]["name"] for one in active[1]["pipelines"]] == ["Clean"]
    with company.database.session() as session:
        for who in ("nora", "val"):
            session.get_one(Member, company.id(who)).state = state
    assert told("mia") == active
    assert [(one["count"], one["pipelines"]) for one in told("adam")] == [(0, []), (0, [])]
