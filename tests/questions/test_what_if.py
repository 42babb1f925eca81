"""What-if: it writes nothing, and tells what really doing it brings about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import ColumnElement, update

from bailiwick.database.base import utc_now
from bailiwick.projects.models import ProjectGrant
from tests.people import make_member
from tests.questions.company import NOBODY, Company, Json, described, membership, project

Do = Callable[[Company], Any]
Actions = dict[tuple[str, str, str], set[str]]


def mart_of(company: Company, **more: Any) -> Json:
    return described("data_mart", project=str(company.atlas.id), available_for_reporting=True, **more)


def layer_of(company: Company) -> Json:
    return described("layer", grants={str(company.pilots.id): "Editor"})


def space_of(_company: Company) -> Json:
    return described("data_space")


def compared(company: Company) -> list[Json]:
    """Everything that the cases below can change something about."""
    return [
        {"type": "tenant", "id": "tenant"},
        {"type": "lakehouse", "id": "lakehouse"},
        {"type": "group", "id": str(company.analysts.id)},
        {"type": "group", "id": str(company.pilots.id)},
        project(company.atlas),
        project(company.borealis),
        membership(company.atlas),
        membership(company.borealis),
        mart_of(company),
        layer_of(company),
        space_of(company),
    ]


def everything(company: Company) -> Actions:
    """Who may do what on all of it."""
    return {
        (name, resource["type"], resource["id"]): actions
        for resource in compared(company)
        for name, actions in company.allowed(resource).items()
    }


def differences(answer: Json) -> dict[tuple[str, str, str], tuple[set[str], set[str]]]:
    return {
        (item["member"]["name"].lower(), item["resource"]["type"], item["resource"]["id"]): (
            set(item["gained"]),
            set(item["lost"]),
        )
        for item in answer["items"]
    }


def members_of(company: Company, name: str) -> str:
    return f"/api/v1/projects/{company.atlas.id}/members/{company.id(name)}"


# Each change, and how it is really done by Olga.
CASES: dict[str, tuple[Callable[[Company], Json], Do]] = {
    "grant a role": (
        lambda c: {
            "change": "grant_project_role",
            "project": str(c.atlas.id),
            "member": c.id("nils"),
            "role": "Business User",
        },
        lambda c: c.post(
            "olga",
            f"/api/v1/projects/{c.atlas.id}/members",
            {"email": "nils@example.com", "name": "Nils", "role": "Business User"},
        ),
    ),
    "change a role": (
        lambda c: {
            "change": "change_project_role",
            "project": str(c.atlas.id),
            "member": "tim@example.com",
            "role": "Admin",
        },
        lambda c: c.as_("olga").patch(members_of(c, "tim"), json={"role": "Admin"}),
    ),
    "revoke a role": (
        lambda c: {"change": "revoke_project_role", "project": str(c.atlas.id), "member": c.id("bea")},
        lambda c: c.as_("olga").delete(members_of(c, "bea")),
    ),
    "grant a group a role": (
        lambda c: {
            "change": "grant_project_role",
            "project": str(c.borealis.id),
            "group": str(c.analysts.id),
            "role": "Technical User",
        },
        lambda c: c.as_("olga").put(
            f"/api/v1/projects/{c.borealis.id}/groups/{c.analysts.id}", json={"role": "Technical User"}
        ),
    ),
    "take a group's role": (
        lambda c: {"change": "revoke_project_role", "project": str(c.atlas.id), "group": str(c.analysts.id)},
        lambda c: c.as_("olga").delete(f"/api/v1/projects/{c.atlas.id}/groups/{c.analysts.id}"),
    ),
    "grant everybody a role": (
        lambda c: {
            "change": "grant_project_role",
            "project": str(c.borealis.id),
            "group": "00000000-0000-7000-8000-000000000a11",
            "role": "Business User",
        },
        lambda c: c.as_("olga").put(
            f"/api/v1/projects/{c.borealis.id}/groups/00000000-0000-7000-8000-000000000a11",
            json={"role": "Business User"},
        ),
    ),
    "raise a tenant role": (
        lambda c: {"change": "tenant_role", "member": c.id("nils"), "role": "admin"},
        lambda c: c.as_("olga").put(f"/api/v1/members/{c.id('nils')}/tenant-role", json={"tenant_role": "admin"}),
    ),
    "lower a tenant role": (
        lambda c: {"change": "tenant_role", "member": c.id("edda"), "role": "none"},
        lambda c: c.as_("olga").put(f"/api/v1/members/{c.id('edda')}/tenant-role", json={"tenant_role": "none"}),
    ),
    "grant security roles": (
        lambda c: {"change": "security_roles", "member": c.id("tim"), "roles": ["data admin", "data space creator"]},
        lambda c: c.as_("olga").put(
            f"/api/v1/members/{c.id('tim')}/security-roles",
            json={"security_roles": ["data admin", "data space creator"]},
        ),
    ),
    "put somebody into a group": (
        lambda c: {"change": "add_to_group", "group": str(c.analysts.id), "member": c.id("nils")},
        lambda c: c.post("olga", f"/api/v1/groups/{c.analysts.id}/members", {"member_ids": [c.id("nils")]}),
    ),
    "take somebody out of a group": (
        lambda c: {"change": "remove_from_group", "group": str(c.pilots.id), "member": c.id("nils")},
        lambda c: c.as_("olga").delete(f"/api/v1/groups/{c.pilots.id}/members/{c.id('nils')}"),
    ),
    "go down to starter": (
        lambda c: {"change": "plan", "plan": "starter"},
        lambda c: c.as_("olga").put("/api/v1/tenant/plan", json={"plan": "starter", "confirm": True}),
    ),
    "set a switch": (
        lambda c: {
            "change": "project_switch",
            "project": str(c.atlas.id),
            "switch": "ownership_adds_to_availability",
            "on": True,
        },
        lambda c: c.as_("olga").patch(
            f"/api/v1/projects/{c.atlas.id}/settings", json={"ownership_adds_to_availability": True}
        ),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_if_tells_what_doing_it_brings_about_and_writes_nothing(company: Company, case: str) -> None:
    change, do = CASES[case]
    company.as_("olga")  # signing in writes
    before, rows = everything(company), company.rows()
    answer = company.ask("olga", "what-if", changes=[change(company)], resources=compared(company), limit=1000)
    told = differences(answer)
    assert answer["count"] == len(answer["items"]) == len(told)
    assert everything(company) == before
    assert company.rows() == rows

    done = do(company)
    assert done.status_code < 300, done.text
    after = everything(company)
    happened = {
        key: (after[key] - before[key], before[key] - after[key]) for key in before if before[key] != after[key]
    }
    known = {key: value for key, value in told.items() if key in before}
    assert known == happened
    if case != "set a switch":
        assert happened


def test_several_changes_are_seen_together(company: Company) -> None:
    changes = [
        {"change": "add_to_group", "group": str(company.pilots.id), "member": company.id("bea")},
        {
            "change": "grant_project_role",
            "project": str(company.borealis.id),
            "group": str(company.pilots.id),
            "role": "Admin",
        },
        {"change": "revoke_project_role", "project": str(company.atlas.id), "member": company.id("bea")},
    ]
    told = differences(company.ask("olga", "what-if", changes=changes))
    atlas, borealis = str(company.atlas.id), str(company.borealis.id)
    assert "delete_project" in told["bea", "project", borealis][0]
    assert "delete_project" in told["nils", "project", borealis][0]
    assert told["bea", "project", atlas][1] == {"see_project", "list_data_products"}
    assert ("nils", "project", atlas) not in told


def test_a_role_that_comes_from_elsewhere_too_is_not_lost(company: Company) -> None:
    changes = [
        {"change": "add_to_group", "group": str(company.analysts.id), "member": company.id("bea")},
        {"change": "revoke_project_role", "project": str(company.atlas.id), "member": company.id("bea")},
    ]
    told = differences(company.ask("olga", "what-if", changes=changes))
    assert set(told) == {("bea", "group", str(company.analysts.id))}


def expire(company: Company, *grants: ColumnElement[bool]) -> None:
    with company.database.session() as session:
        session.execute(update(ProjectGrant).where(*grants).values(expires_at=utc_now()))


def test_a_role_that_expired_is_granted_anew_and_neither_changed_nor_taken(company: Company) -> None:
    expire(company, ProjectGrant.member_id == company.people["bea"].id)
    bea = {"project": str(company.atlas.id), "member": company.id("bea")}
    for change in ({"change": "change_project_role", "role": "Admin"}, {"change": "revoke_project_role"}):
        refused = company.post("olga", "what-if", {"changes": [{**bea, **change}]})
        assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "changes.0.change")
    granted = {**bea, "change": "grant_project_role", "role": "Business User"}
    told = differences(company.ask("olga", "what-if", changes=[granted]))
    assert "see_project" in told["bea", "project", str(company.atlas.id)][0]


def test_a_group_whose_role_expired_opens_no_project_to_who_joins_it(company: Company) -> None:
    joins = {"change": "add_to_group", "group": str(company.analysts.id), "member": company.id("nils")}
    told = differences(company.ask("olga", "what-if", changes=[joins]))
    assert ("nils", "project", str(company.atlas.id)) in told
    expire(company, ProjectGrant.group_id == company.analysts.id)
    told = differences(company.ask("olga", "what-if", changes=[joins]))
    assert {type_ for _, type_, _ in told} == {"group"}


# Described resources -----------------------------------------------------------------------------------------------


def test_owners_toggles_levels_and_space_roles_of_described_resources(company: Company) -> None:
    mart = described("data_mart", project=str(company.atlas.id), technical_owners=[company.id("tim")])
    changes: list[Json] = [
        {
            "change": "resource",
            "resource": {**mart, "id": "mart"},
            "properties": {"technical_owners": [company.id("paula")], "available_for_reporting": True},
        },
        {
            "change": "resource",
            "resource": {**described("table", layer={}, grants={company.id("bea"): "Viewer"}), "id": "table"},
            "properties": {"grants": {company.id("bea"): "Manager", str(company.pilots.id): "Viewer"}},
        },
        {
            "change": "resource",
            "resource": {**described("data_space", roles={company.id("gus"): ["Can view"]}), "id": "space"},
            "properties": {"roles": {company.id("gus"): ["Can operate"]}, "owner": company.id("vera")},
        },
        {
            "change": "resource",
            "resource": {
                **described("destination", project=str(company.atlas.id), owners=[company.id("bea")]),
                "id": "d",
            },
            "properties": {"deleted": True},
        },
    ]
    told = differences(company.ask("olga", "what-if", changes=changes))
    lost = {"edit", "delete", "configure_availability", "manage_owners", "manage_triggers"}
    assert told["tim", "data_mart", "mart"] == (set(), lost)
    assert told["bea", "data_mart", "mart"] == ({"see", "use"}, set())
    assert ("paula", "data_mart", "mart") not in told
    assert told["bea", "table", "table"][0] == {
        "change_descriptions",
        "manage_users_viewer_editor",
        "delete_the_resource",
    }
    assert told["nils", "table", "table"] == ({"see_tables", "execute_queries"}, set())
    assert "delete_space" in told["vera", "data_space", "space"][0]
    assert told["bea", "deleted_destination", "d"][0] == {"restore"}
    assert {name for name, type_, _ in told if type_ == "deleted_destination"} == {"adam", "bea", "olga", "paula"}


def test_the_list_is_capped_and_counted(company: Company) -> None:
    with company.database.session() as session:
        for number in range(30):
            make_member(session, f"Zoe {number:02}")
    change = {"change": "resource", "resource": described("layer"), "properties": {"grants": {"All": "Viewer"}}}
    answer = company.ask("olga", "what-if", changes=[change], limit=5)
    assert len(answer["items"]) == 5
    assert answer["count"] == 30 + 8  # everybody active but owners and admins, who see it anyway
    assert [item["member"]["name"] for item in answer["items"]] == ["Bea", "Edda", "Gus", "Nils", "Paula"]


# Who may ask ---------------------------------------------------------------------------------------------------------


def test_a_project_admin_asks_about_their_project(company: Company) -> None:
    change = {
        "change": "change_project_role",
        "project": str(company.atlas.id),
        "member": company.id("bea"),
        "role": "Admin",
    }
    told = differences(company.ask("paula", "what-if", changes=[change]))
    assert {name for name, _, _ in told} == {"bea"}
    group = {"change": "revoke_project_role", "project": str(company.atlas.id), "group": str(company.analysts.id)}
    assert {name for name, _, _ in differences(company.ask("paula", "what-if", changes=[group]))} == {"gus"}
    toggle = {
        "change": "resource",
        "resource": described("data_mart", project=str(company.atlas.id)),
        "properties": {"available_for_reporting": True},
    }
    told = differences(company.ask("paula", "what-if", changes=[toggle]))
    assert {name for name, _, _ in told} == {"bea", "edda", "gus", "tim", "vera"}


def test_a_project_admin_learns_nothing_about_groups_and_strangers(company: Company) -> None:
    atlas = str(company.atlas.id)
    group = {"change": "grant_project_role", "project": atlas, "group": str(company.pilots.id), "role": "Business User"}
    assert company.post("paula", "what-if", {"changes": [group]}).status_code == 403
    answers = [
        company.post(
            "paula",
            "what-if",
            {"changes": [{"change": "grant_project_role", "project": atlas, "member": who, "role": "Business User"}]},
        )
        for who in (company.id("nils"), NOBODY, "nobody@example.com")
    ]
    bodies = [{**answer.json(), "request_id": ""} for answer in answers]
    assert bodies[0] == bodies[1] == bodies[2]
    assert answers[0].status_code == 404


@pytest.mark.parametrize("name", ["paula", "tim", "edda"])
def test_changes_of_the_tenant_are_for_who_may_ask_about_anybody(company: Company, name: str) -> None:
    for change in (
        {"change": "tenant_role", "member": company.id(name), "role": "admin"},
        {"change": "security_roles", "member": NOBODY, "roles": ["data admin"]},
        {"change": "add_to_group", "group": str(company.pilots.id), "member": company.id(name)},
        {"change": "plan", "plan": "starter"},
    ):
        assert company.post(name, "what-if", {"changes": [change]}).status_code == 403


def test_everybody_may_ask_what_a_change_would_bring_themselves(company: Company) -> None:
    atlas = str(company.atlas.id)
    mine = {"change": "change_project_role", "project": atlas, "member": "bea@example.com", "role": "Technical User"}
    told = differences(company.ask("bea", "what-if", changes=[mine]))
    assert "edit_project_metadata" in told["bea", "project", atlas][0]
    toggle = {
        "change": "resource",
        "resource": described("data_mart", project=atlas),
        "properties": {"available_for_reporting": True},
    }
    told = differences(company.ask("bea", "what-if", changes=[toggle]))
    assert {name for name, _, _ in told} == {"bea"}
    for member in (company.id("tim"), NOBODY):
        other = {"change": "revoke_project_role", "project": atlas, "member": member}
        assert company.post("bea", "what-if", {"changes": [mine, other]}).status_code == 403


# What cannot be ------------------------------------------------------------------------------------------------------


INVALID: dict[str, Callable[[Company], Json]] = {
    "changes.0.change": lambda c: {
        "change": "grant_project_role",
        "project": str(c.atlas.id),
        "member": c.id("tim"),
        "role": "Admin",
    },
    "changes.0.change ": lambda c: {
        "change": "revoke_project_role",
        "project": str(c.atlas.id),
        "member": c.id("vera"),
    },
    "changes.0.role": lambda c: {
        "change": "change_project_role",
        "project": str(c.atlas.id),
        "member": c.id("tim"),
        "role": "Technical User",
    },
    "changes.0.role ": lambda c: {"change": "grant_project_role", "project": str(c.atlas.id), "member": c.id("nils")},
    "changes.0.member": lambda c: {"change": "revoke_project_role", "project": str(c.atlas.id)},
    "changes.0.role  ": lambda c: {"change": "tenant_role", "member": c.id("adam"), "role": "admin"},
    "changes": lambda c: {"change": "tenant_role", "member": c.id("olga"), "role": "admin"},
    "changes.0.roles": lambda c: {"change": "security_roles", "member": c.id("adam"), "roles": []},
    "changes.0.member ": lambda c: {"change": "add_to_group", "group": str(c.analysts.id), "member": c.id("gus")},
    "changes.0.group": lambda c: {
        "change": "add_to_group",
        "group": "00000000-0000-7000-8000-000000000a11",
        "member": c.id("gus"),
    },
    "changes.0.plan": lambda c: {"change": "plan", "plan": "growth"},
    "changes.0.resource.type": lambda c: {
        "change": "resource",
        "resource": project(c.atlas),
        "properties": {"name": "x"},
    },
    "changes.0.properties.owners": lambda c: {
        "change": "resource",
        "resource": described("storage", project=str(c.atlas.id), owners=[c.id("tim")]),
        "properties": {"owners": []},
    },
    "changes.0.properties.project": lambda c: {
        "change": "resource",
        "resource": described("storage", project=str(c.atlas.id)),
        "properties": {"project": str(c.borealis.id)},
    },
    "changes.0.resource.properties.levels": lambda c: {
        "change": "resource",
        "resource": described("layer", levels={}),
        "properties": {"grants": {}},
    },
    "changes.0.properties.level": lambda c: {
        "change": "resource",
        "resource": described("layer"),
        "properties": {"level": "Viewer"},
    },
}


@pytest.mark.parametrize("field", INVALID)
def test_a_change_that_cannot_be_is_refused_with_field_and_fix(company: Company, field: str) -> None:
    answer = company.post("olga", "what-if", {"changes": [INVALID[field](company)]})
    assert answer.status_code == 422
    (error,) = answer.json()["errors"]
    assert error["field"] == field.strip()
    assert error["fix"]


def test_a_resource_that_cannot_be_is_named_as_in_the_list(company: Company) -> None:
    plan = {"change": "plan", "plan": "starter"}
    for resource, field in (({"type": "spaceship"}, "type"), (described("layer", grants=5), "properties.grants")):
        asked = {"changes": [plan], "resources": [{"type": "tenant"}, resource]}
        (error,) = company.post("olga", "what-if", asked).json()["errors"]
        assert error["field"] == f"resources.1.{field}"


def test_a_demoted_owner_is_no_problem_where_another_stays(company: Company) -> None:
    changes = [
        {"change": "tenant_role", "member": company.id("adam"), "role": "owner"},
        {"change": "tenant_role", "member": company.id("olga"), "role": "admin"},
    ]
    told = differences(company.ask("olga", "what-if", changes=changes))
    assert "manage_billing" in told["adam", "tenant", "tenant"][0]
    assert "manage_billing" in told["olga", "tenant", "tenant"][1]


def test_members_and_things_that_do_not_exist_are_not_found(company: Company) -> None:
    for change in (
        {"change": "tenant_role", "member": NOBODY, "role": "admin"},
        {"change": "add_to_group", "group": NOBODY, "member": company.id("tim")},
        {"change": "revoke_project_role", "project": NOBODY, "member": company.id("tim")},
    ):
        assert company.post("olga", "what-if", {"changes": [change]}).status_code == 404
    body = {
        "changes": [{"change": "plan", "plan": "starter"}],
        "resources": [{"type": "member", "id": company.id("tim")}],
    }
    assert company.post("olga", "what-if", body).status_code == 422
