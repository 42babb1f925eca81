"""Who may ask about whom, and that neither an answer nor a refusal tells what the asker may not see."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import update

from bailiwick.database.base import utc_now
from bailiwick.projects.models import ProjectGrant
from tests.people import TestClient
from tests.questions.company import NOBODY, Company, Json, described, membership, project

IN_ATLAS = ("olga", "adam", "edda", "vera", "paula", "tim", "bea", "gus")
NOT_IN_ATLAS = ("quinn", "nils")


def without_request_id(answer: Any) -> Json:
    body: Json = answer.json()
    return {"http": answer.status_code, **{key: value for key, value in body.items() if key != "request_id"}}


@pytest.mark.parametrize("name", [*IN_ATLAS, *NOT_IN_ATLAS])
def test_everybody_may_ask_about_themselves(company: Company, name: str) -> None:
    for subject in (None, company.id(name), f"{name}@example.com", f" {name.upper()}@Example.com"):
        answer = company.ask(name, "check", subject=subject, action="see_groups", resource={"type": "tenant"})
        assert answer["decision"]["allowed"]
        assert answer["subject"]["id"] == company.id(name)


@pytest.mark.parametrize("name", IN_ATLAS)
def test_a_member_of_a_project_may_ask_about_themselves_in_it(company: Company, name: str) -> None:
    assert company.may(name, "see_project", project(company.atlas))


@pytest.mark.parametrize("name", NOT_IN_ATLAS)
@pytest.mark.parametrize("path", ["check", "actions", "who", "what-if"])
def test_a_project_that_may_not_be_seen_answers_like_one_that_does_not_exist(
    company: Company, name: str, path: str
) -> None:
    def question(id_: str) -> Json:
        if path == "what-if":
            change = {"change": "grant_project_role", "project": id_, "member": company.id(name), "role": "Admin"}
            return {"changes": [change]}
        action = {} if path == "actions" else {"action": "see_project"}
        return {"resource": project(id_), **action}

    unseen, missing = (company.post(name, path, question(id_)) for id_ in (str(company.atlas.id), NOBODY))
    assert without_request_id(unseen) == without_request_id(missing)
    assert unseen.status_code == 404


def test_a_description_in_a_project_that_may_not_be_seen_answers_like_one_in_no_project(company: Company) -> None:
    answers = [
        company.post("nils", "check", {"action": "see", "resource": described("data_mart", project=id_)})
        for id_ in (str(company.atlas.id), NOBODY)
    ]
    assert without_request_id(answers[0]) == without_request_id(answers[1])
    assert answers[0].status_code == 404


@pytest.mark.parametrize("name", ["edda", "vera", "tim", "bea", "gus"])
def test_whoever_may_not_ask_about_others_is_refused_the_same_for_everybody(company: Company, name: str) -> None:
    others = (company.id("paula"), "quinn@example.com", NOBODY, "nobody@example.com", "what is this", str(uuid4()))
    for resource in (project(company.atlas), membership(company.atlas), {"type": "tenant"}):
        answers = [
            without_request_id(company.post(name, "actions", {"subject": subject, "resource": resource}))
            for subject in others
        ]
        assert all(answer == answers[0] for answer in answers)
        assert answers[0]["http"] == 403
        assert answers[0]["decision"]["action"] == "ask_about_anybody_s_access"


def test_refusals_are_recorded_and_answers_are_not(company: Company) -> None:
    company.ask("paula", "check", subject=company.id("tim"), action="delete_project", resource=project(company.atlas))
    assert company.refusals() == []
    company.post("bea", "who", {"action": "delete_project", "resource": project(company.atlas)})
    (entry,) = company.refusals()
    assert entry.actor_id == company.people["bea"].id
    assert entry.action == "ask_about_anybody_s_access"
    assert entry.decision is not None
    assert entry.decision["row"] == "Ask about anybody's access"


@pytest.mark.parametrize("name", ["olga", "adam"])
def test_tenant_owners_and_admins_may_ask_about_anybody(company: Company, name: str) -> None:
    for subject in company.people:
        for resource in (project(company.borealis), {"type": "tenant"}, {"type": "lakehouse"}):
            assert company.ask(name, "actions", subject=company.id(subject), resource=resource)["decisions"]


def test_a_project_admin_may_ask_about_whoever_is_in_the_project(company: Company) -> None:
    for name in IN_ATLAS:
        answer = company.ask("paula", "actions", subject=company.id(name), resource=project(company.atlas))
        assert answer["subject"]["name"].lower() == name
    assert company.may("tim", "edit_project_metadata", project(company.atlas), asked_by="paula")
    assert not company.may("bea", "edit_project_metadata", project(company.atlas), asked_by="paula")
    assert company.may("tim", "see", described("storage", project=str(company.atlas.id), owners=[company.id("tim")]))


def test_a_project_admin_may_not_ask_about_the_project_s_people_elsewhere(company: Company) -> None:
    for resource in ({"type": "tenant"}, {"type": "group", "id": str(company.analysts.id)}, described("layer")):
        answer = company.post("paula", "actions", {"subject": company.id("tim"), "resource": resource})
        assert answer.status_code == 403


def test_to_a_project_admin_a_stranger_is_like_somebody_who_does_not_exist(company: Company) -> None:
    answers = [
        without_request_id(
            company.post("paula", "check", {"subject": s, "action": "see_project", "resource": project(company.atlas)})
        )
        for s in (company.id("nils"), "nils@example.com", company.id("quinn"), NOBODY, "nobody@example.com")
    ]
    assert all(answer == answers[0] for answer in answers)
    assert answers[0]["http"] == 404


def test_a_project_admin_learns_from_a_description_neither_groups_nor_strangers(company: Company) -> None:
    pilots = str(company.pilots.id)
    product = described("data_product", project=str(company.atlas.id), grants={pilots: ["curator"]})
    for path, body in (
        ("who", {"action": "view_insights", "resource": product}),
        ("actions", {"subject": company.id("tim"), "resource": product}),
    ):
        assert company.post("paula", path, body).status_code == 403
    to_nils = described("data_product", project=str(company.atlas.id), grants={company.id("nils"): ["curator"]})
    assert "nils" not in company.who("paula", "view_insights", to_nils)
    assert "nils" in company.who("olga", "view_insights", to_nils)
    assert "nils" in company.who("olga", "view_insights", product)


def test_a_project_admin_may_describe_grants_to_groups_that_are_in_the_project(company: Company) -> None:
    analysts = str(company.analysts.id)
    product = described("data_product", project=str(company.atlas.id), grants={analysts: ["curator"]})
    assert "gus" in company.who("paula", "view_insights", product)
    with company.database.session() as session:
        to_analysts = update(ProjectGrant).where(ProjectGrant.group_id == company.analysts.id)
        session.execute(to_analysts.values(expires_at=utc_now()))
    asked = {"action": "view_insights", "resource": product}
    assert company.post("paula", "who", asked).status_code == 403  # it expired: who is in it is not for her to know


@pytest.mark.parametrize("name", ["edda", "tim", "bea", "nils"])
def test_asking_what_somebody_else_can_do_is_refused_without_looking(company: Company, name: str) -> None:
    answers = [
        without_request_id(
            company.post(name, "what", {"subject": s, "action": "see_project", "resource_type": "project"})
        )
        for s in (company.id("paula"), NOBODY, "nobody@example.com")
    ]
    assert all(answer == answers[0] for answer in answers)
    assert answers[0]["http"] == 403


def test_a_project_admin_hears_of_their_own_projects_only(company: Company) -> None:
    assert company.what("vera", "see_project", "project", asked_by="olga") == [
        str(company.atlas.id),
        str(company.borealis.id),
    ]
    assert company.what("vera", "see_project", "project", asked_by="paula") == [str(company.atlas.id)]
    assert company.what("vera", "see_project", "project", asked_by="quinn") == [str(company.borealis.id)]


def test_members_who_may_not_be_seen_are_like_members_who_do_not_exist(company: Company) -> None:
    answers = [
        company.post("bea", "check", {"action": "see", "resource": {"type": "member", "id": id_}})
        for id_ in (company.id("nils"), NOBODY, "no id at all")
    ]
    assert all(without_request_id(answer) == without_request_id(answers[0]) for answer in answers)
    assert answers[0].status_code == 404


def test_whoever_is_not_active_may_do_nothing(company: Company) -> None:
    sam = company.id("sam")
    space = described("data_space", owner=sam)
    for resource in (
        {"type": "tenant"},
        {"type": "lakehouse"},
        {"type": "member", "id": sam},
        project(company.atlas),
        membership(company.atlas),
        space,
    ):
        decisions = company.ask("olga", "actions", subject=sam, resource=resource)["decisions"]
        assert not any(decision["allowed"] for decision in decisions)
        assert {decision["row"] for decision in decisions} == {"Not an active member"}
    assert company.what("sam", "see_groups", "tenant", asked_by="olga") == []
    assert "sam" not in company.who("olga", "see_project", project(company.atlas))


def test_a_read_only_token_may_ask_and_one_for_chosen_tables_may_not(company: Company) -> None:
    question = {"action": "see_project", "resource": project(company.atlas)}
    read_only = company.sign_in_as(company.people["tim"], token={"read_only": True})
    assert read_only.post("/api/v1/access/check", json=question).json()["decision"]["allowed"]
    chosen = company.sign_in_as(company.people["tim"], token={"tables": []})
    assert chosen.post("/api/v1/access/check", json=question).status_code == 403


def test_a_browser_needs_no_csrf_token_to_ask(company: Company) -> None:
    browser = company.sign_in_as(company.people["tim"], browser=True)
    browser.headers.pop("X-CSRF-Token")
    question = {"action": "see_project", "resource": project(company.atlas)}
    assert browser.post("/api/v1/access/check", json=question).status_code == 200


@pytest.mark.parametrize("path", ["check", "actions", "who", "what", "what-if"])
def test_whoever_has_not_signed_in_may_ask_nothing(app_client: TestClient, path: str) -> None:
    body = {"check": {"action": "see", "resource": {"type": "tenant"}}, "actions": {"resource": {"type": "tenant"}}}
    body["who"] = body["check"]
    body["what"] = {"action": "see", "resource_type": "tenant"}
    body["what-if"] = {"changes": [{"change": "plan", "plan": "starter"}]}
    assert app_client.post(f"/api/v1/access/{path}", json=body[path]).status_code == 401


LIST, OBJECT = ("This is no list.", "Give a list. How to"), ("This is no JSON object.", "Give an object. How to")
WRONG: dict[str, tuple[str, Json, tuple[str, str]]] = {
    "type": ("spaceship", {}, ("There is no such type", "Use tenant, ")),
    "id": ("project", {}, ("It is missing.", "Give the id of the project.")),
    "properties.project": ("data_mart", {}, ("It is missing.", "Give it. How to")),
    "properties.color": ("layer", {"color": "blue"}, ("There is no such field.", "Leave it out. How to")),
    "properties.grants": ("layer", {"grants": 5}, OBJECT),
    "properties.grants.me.[key]": (
        "layer",
        {"grants": {"me": "Viewer"}},
        ("This is no id.", "Give the id of a member"),
    ),
    "properties.granted_below": ("layer", {"granted_below": 5}, LIST),
    "properties.reads": ("query", {"reads": 5}, LIST),
    "properties.data_mart": ("report", {"data_mart": 5}, OBJECT),
    "properties.author": ("saved_query", {"author": "me"}, ("This is no id.", "Give the id of a member. How to")),
    "properties.outputs.0.layer": ("pipeline", {"outputs": [{"layer": 5}]}, OBJECT),
}


def test_a_wrong_question_is_answered_with_field_and_fix(company: Company) -> None:
    for field, (type_, properties, (problem, fix)) in WRONG.items():
        question = {"action": "see", "resource": {"type": type_, "properties": properties}}
        answer = company.post("tim", "check", question)
        assert answer.status_code == 422
        (error,) = answer.json()["errors"]
        assert error["field"] == f"resource.{field}"
        assert error["problem"].startswith(problem)
        assert error["fix"].startswith(fix)
    (error,) = company.post("tim", "check", {"action": "fly", "resource": {"type": "tenant"}}).json()["errors"]
    assert error["field"] == "action"
    assert error["fix"].startswith("It has: ")


HOSTILE = (
    b'{"action": "see_layers", "resource": {"type": "layer", "properties": {"\\ud800": 1}}}',
    b'{"action": "see_layers", "resource": {"type": "layer", "properties": {"grants": {"\\ud800": "Viewer"}}}}',
    b'{"action": "see_layers", "resource": {"type": "layer", "id": "\\u0000"}}',
    b'{"action": "\\ud800", "resource": {"type": "layer"}}',
    b'{"subject": "\\u0000@x", "action": "see_groups", "resource": {"type": "tenant"}}',
    b'{"action": "see_groups", "resource": {"type": "tenant"}, "cursor": "WyJcdTAwMDAiLCAiIl0"}',
    b'{"action": "see_layers", "resource": {"type": "layer", "properties": '
    + b'{"a":' * 5000
    + b"1"
    + b"}" * 5000
    + b"}}",
)


@pytest.mark.parametrize("content", HOSTILE)
@pytest.mark.parametrize("path", ["/api/v1/access/check", "/api/v1/access/who", "/access/v1/evaluation"])
def test_hostile_questions_are_refused_politely(company: Company, path: str, content: bytes) -> None:
    answer = company.as_("olga").post(path, content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422), answer.text
