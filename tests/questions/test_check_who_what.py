"""Check, who and what are one question asked in three directions."""

from __future__ import annotations

from functools import partial

import pytest
from sqlalchemy import select

from bailiwick.access.decision import slug
from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.lakehouse.models import Layer
from bailiwick.questions import listed
from bailiwick.tenancy.models import Group
from tests.questions.company import Company, Json, described, membership, project


def stored(company: Company) -> list[Json]:
    return [
        {"type": "tenant", "id": "tenant"},
        {"type": "lakehouse", "id": "lakehouse"},
        project(company.atlas),
        project(company.borealis),
        membership(company.atlas),
        membership(company.borealis),
        {"type": "group", "id": str(company.analysts.id)},
        {"type": "member", "id": company.id("tim")},
        {"type": "member", "id": company.id("sam")},
        {"type": "member", "id": company.id("olga")},
    ]


def test_check_and_who_agree_on_every_action_of_everything(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listed, "AT_ONCE", 3)
    mart = described("data_mart", project=str(company.atlas.id), technical_owners=[company.id("bea")])
    for resource in [*stored(company), mart]:
        everything = company.ask("olga", "actions", subject=company.id("tim"), resource=resource)["decisions"]
        allowed = company.allowed(resource)
        assert {decision["action"] for decision in everything if decision["allowed"]} == allowed["tim"]
        for action in (decision["action"] for decision in everything):
            names = sorted(name for name, actions in allowed.items() if action in actions and name != "sam")
            assert company.who("olga", action, resource, limit=5) == names, (resource, action)


def test_check_and_what_agree_on_every_action_of_everything(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listed, "AT_ONCE", 1)
    monkeypatch.setattr(listed, "PEOPLE_AT_ONCE", 3)
    with company.database.read() as session:
        groups = [str(id_) for id_ in session.scalars(select(Group.id).order_by(Group.name))]
        layers = [str(id_) for id_ in session.scalars(select(Layer.id).order_by(Layer.name))]
    every = {
        "tenant": ["tenant"],
        "lakehouse": ["lakehouse"],
        "project": [str(company.atlas.id), str(company.borealis.id)],
        "project_membership": [str(company.atlas.id), str(company.borealis.id)],
        "group": groups,
        "layer": layers,
        "member": [company.id(name) for name in sorted(company.people)],
    }
    for type_, ids in every.items():
        allowed = [company.allowed({"type": type_, "id": id_}) for id_ in ids]
        for name in ("paula", "gus", "sam"):
            for action in map(slug, RESOURCE_TYPES[type_].actions):
                may = [id_ for id_, actions in zip(ids, allowed, strict=True) if action in actions[name]]
                told = company.what(name, action, type_, asked_by="olga", limit=2)
                assert told == (may if name != "sam" else []), (name, type_, action)


def test_what_names_only_what_the_asker_sees(company: Company) -> None:
    assert company.what("bea", "see", "member", asked_by="bea") == [
        company.id(name) for name in sorted(company.people) if name not in ("nils", "quinn")
    ]
    assert company.what("nils", "see", "member", asked_by="nils") == [company.id("nils")]
    assert company.what("bea", "see_project", "project", asked_by="bea") == [str(company.atlas.id)]


def test_who_and_what_are_searched_and_sorted(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listed, "AT_ONCE", 2)
    monkeypatch.setattr(listed, "PEOPLE_AT_ONCE", 2)
    seeing = ("olga", "see_project", project(company.atlas))
    everybody = company.who(*seeing)
    assert len(everybody) > 3
    assert company.who(*seeing, limit=2, sort="-name") == everybody[::-1]
    with_u = [name for name in everybody if "u" in name or "u" in f"{company.people[name].email}".lower()]
    assert 0 < len(with_u) < len(everybody)
    assert company.who(*seeing, limit=1, search="U") == with_u
    assert company.who(*seeing, limit=1, search="U", sort="-name") == with_u[::-1]

    both = [str(company.atlas.id), str(company.borealis.id)]
    for type_ in ("project", "project_membership"):
        action = "see_project" if type_ == "project" else "see_members"
        told = partial(company.what, "olga", action, type_, asked_by="olga")
        assert told(limit=1, sort="-name") == both[::-1]
        assert told(search="BOREAL") == both[1:]
        assert told(search="nothing like it") == []
    seen = [name for name in sorted(company.people) if "a" in name or "a" in company.people[name].email.lower()]
    told = partial(company.what, "olga", "see", "member", asked_by="olga", search="a")
    assert told(limit=2) == [company.id(name) for name in seen]
    assert told(limit=2, sort="-name") == [company.id(name) for name in seen[::-1]]
    assert company.what("olga", "see_members", "tenant", asked_by="olga", search="no such tenant") == []


def test_a_search_in_what_finds_nothing_that_is_hidden(company: Company) -> None:
    assert company.what("nils", "see", "member", asked_by="nils", search="olga") == []
    assert company.what("nils", "see", "member", asked_by="nils", search="NIL") == [company.id("nils")]
    # Who does not see everybody finds nobody by an address either.
    assert company.what("nils", "see", "member", asked_by="nils", search="@") == []
    assert company.what("bea", "see_project", "project", asked_by="bea", search="o") == []
    assert company.what("bea", "see_project", "project", asked_by="bea", search="atl") == [str(company.atlas.id)]


@pytest.mark.parametrize(
    ("field", "value"), [("search", ""), ("search", "a\0b"), ("search", "x" * 201), ("sort", "age")]
)
def test_what_is_no_search_or_order_is_told_so(company: Company, field: str, value: str) -> None:
    asked = {"action": "see_project", "resource_type": "project", field: value}
    answer = company.post("olga", "what", asked)
    assert answer.status_code == 422
    assert [error["field"] for error in answer.json()["errors"]] == [field]


def test_a_cursor_is_good_for_its_order_only(company: Company) -> None:
    asked = {"action": "see_project", "resource_type": "project", "limit": 1}
    cursor = company.ask("olga", "what", **asked)["next_cursor"]
    answer = company.post("olga", "what", {**asked, "cursor": cursor, "sort": "-name"})
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "cursor")


def test_the_group_all_reaches_everybody_in_who(company: Company) -> None:
    product = described("data_product", project=str(company.borealis.id), grants={"All": ["viewer"]})
    active = sorted(set(company.people) - {"sam"})
    assert company.who("olga", "view_360_pages", product) == active


def test_a_described_type_is_not_listed(company: Company) -> None:
    answer = company.post("olga", "what", {"action": "see", "resource_type": "data_mart"})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "resource_type"


def test_a_cursor_of_another_list_is_refused(company: Company) -> None:
    question = {"action": "see_project", "resource": project(company.atlas), "cursor": "bm90IGEgY3Vyc29y"}
    assert company.post("olga", "who", question).status_code == 422
    for type_ in ("project", "member", "group", "tenant"):
        question = {"action": "see", "resource_type": type_, "cursor": "bm90IGEgY3Vyc29y"}
        if type_ in ("project", "tenant"):
            question["action"] = "see_project" if type_ == "project" else "see_groups"
        assert company.post("olga", "what", question).status_code == 422


def test_a_refusal_says_what_is_missing_and_who_could_give_it(company: Company) -> None:
    answer = company.ask("bea", "check", action="edit_project_metadata", resource=project(company.atlas))
    decision = answer["decision"]
    assert not decision["allowed"]
    assert (decision["document"], decision["table"]) == ("projects", "Project role permissions")
    assert (decision["row"], decision["column"]) == ("Edit project metadata", "Business User")
    assert decision["facts"]["project role"] == "Business User"
    assert decision["missing"][0][0]["needs"] == "Technical User"
    assert decision["given_by"] == ["Project Admins; tenant owners and admins"]
    assert [giver["name"] for giver in answer["could_give"]] == ["Adam", "Olga", "Paula"]
    assert "email" not in answer["could_give"][0]


def test_owners_who_manage_owners_could_give_ownership(company: Company) -> None:
    storage = described("storage", project=str(company.atlas.id), owners=[company.id("tim")])
    answer = company.ask("bea", "check", action="use", resource=storage)
    assert [giver["name"] for giver in answer["could_give"]] == [
        "Adam",
        "Olga",
        "Paula",
    ]  # a Business User needs a role
    trigger = described(
        "report_trigger",
        report={"data_mart": {"project": str(company.atlas.id), "technical_owners": [company.id("tim")]}},
    )
    answer = company.ask("bea", "check", action="see", resource=trigger)
    assert {"Tim", "Paula"} <= {giver["name"] for giver in answer["could_give"]}


def test_only_owners_could_make_somebody_an_owner(company: Company) -> None:
    answer = company.ask("adam", "check", action="manage_billing", resource={"type": "tenant", "id": "tenant"})
    assert answer["decision"]["missing"][0][0]["needs"] == "owner"
    assert [giver["name"] for giver in answer["could_give"]] == ["Olga"]


def test_names_are_given_only_to_whoever_sees_the_people(company: Company) -> None:
    layer = described("layer", grants={company.id("tim"): "Manager"})
    answer = company.ask("bea", "check", action="see_layers", resource=layer)
    assert not answer["decision"]["allowed"]
    assert answer["could_give"] == []
    answer = company.ask("olga", "check", subject=company.id("bea"), action="see_layers", resource=layer)
    assert [giver["name"] for giver in answer["could_give"]] == ["Adam", "Olga", "Tim"]


def test_an_action_may_be_named_in_the_document_s_words(company: Company) -> None:
    for action in ("Edit project metadata", "edit_project_metadata"):
        assert company.may("tim", action, project(company.atlas))
