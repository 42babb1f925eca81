"""The rules of the OpenID AuthZEN Authorization API 1.0, as a client of the standard relies on them."""

from __future__ import annotations

from typing import Any

import pytest

from bailiwick.access.resource_types import RESOURCE_TYPES
from tests.people import TestClient
from tests.questions.company import NOBODY, Company, Json, described, project

EVALUATION, EVALUATIONS = "/access/v1/evaluation", "/access/v1/evaluations"
SEARCH = "/access/v1/search"


def subject(company: Company, name: str, type_: str = "member") -> Json:
    return {"type": type_, "id": company.id(name)}


def action(name: str) -> Json:
    return {"name": name}


def evaluation(company: Company, name: str, what: str) -> Json:
    return {"subject": subject(company, name), "action": action(what), "resource": project(company.atlas)}


def post(company: Company, name: str, path: str, body: Any) -> Json:
    answer = company.post(name, path, body)
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"] == "application/json"
    found: Json = answer.json()
    return found


# Evaluation ---------------------------------------------------------------------------------------------------------


def test_a_decision_is_a_boolean_with_its_reason_in_the_context(company: Company) -> None:
    yes = post(company, "tim", EVALUATION, evaluation(company, "tim", "edit_project_metadata"))
    assert yes["decision"] is True
    assert yes["context"]["row"] == "Edit project metadata"
    assert yes["context"]["column"] == "Technical User"
    no = post(company, "tim", EVALUATION, evaluation(company, "tim", "delete_project"))
    assert no["decision"] is False
    assert set(no["context"]) == {"reason", "document", "table", "page", "row", "column", "facts", "missing"}
    assert no["context"]["missing"][0][0]["needs"] == "Admin"
    assert "does not allow" in no["context"]["reason"]


@pytest.mark.parametrize("type_", ["member", "user"])
def test_a_subject_is_a_member_by_id_or_address(company: Company, type_: str) -> None:
    for id_ in (company.id("tim"), "tim@example.com"):
        body = {**evaluation(company, "tim", "see_project"), "subject": {"type": type_, "id": id_}}
        assert post(company, "olga", EVALUATION, body)["decision"] is True


def test_context_properties_and_unknown_fields_are_taken_along(company: Company) -> None:
    body = evaluation(company, "tim", "see_project")
    body |= {"context": {"time": "2026-01-26T01:22-07:00"}, "shiny": True}
    body["subject"] |= {"properties": {"department": "Sales"}, "mood": "good"}
    body["action"] |= {"properties": {"method": "GET"}}
    body["resource"] |= {"properties": {"colour": "blue"}}
    assert post(company, "tim", EVALUATION, body)["decision"] is True
    mart = {"project": str(company.atlas.id), "available_for_reporting": True, "title": "Orders"}
    body["action"], body["resource"] = action("use"), {"type": "data_mart", "id": "1", "properties": mart}
    assert post(company, "tim", EVALUATION, body)["decision"] is True


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda body: body.pop("subject"), "subject: It is missing. Give it."),
        (lambda body: body.pop("action"), "action: It is missing. Give it."),
        (lambda body: body.pop("resource"), "resource: It is missing. Give it."),
        (lambda body: body["subject"].pop("id"), "subject.id: It is missing. Give it."),
        (lambda body: body["subject"].pop("type"), "subject.type: It is missing. Give it."),
        (lambda body: body["resource"].pop("id"), "resource.id: It is missing. Give it."),
        (lambda body: body["resource"].pop("type"), "resource.type: It is missing. Give it."),
        (lambda body: body["action"].pop("name"), "action.name: It is missing. Give it."),
        (lambda body: body.update(subject="tim"), "subject: This is no JSON object. Give an object."),
        (lambda body: body["action"].update(name=7), "action.name: This is no text. Give a text."),
        (lambda body: body.update(context=[]), "context: This is no JSON object. Give an object."),
    ],
)
def test_a_malformed_request_is_a_bad_request(company: Company, spoil: Any, said: str) -> None:
    body = evaluation(company, "tim", "see_project")
    spoil(body)
    answer = company.post("tim", EVALUATION, body)
    assert answer.status_code == 400
    assert answer.json()["detail"] == said
    assert company.post("tim", EVALUATIONS, body).status_code == 400


def test_what_is_no_json_object_is_a_bad_request(company: Company) -> None:
    client = company.as_("tim")
    for content in (b"{", b"[]", b'"text"', b""):
        answer = client.post(EVALUATION, content=content, headers={"Content-Type": "application/json"})
        assert answer.status_code == 400


@pytest.mark.parametrize(
    "path", [EVALUATION, EVALUATIONS, f"{SEARCH}/subject", f"{SEARCH}/resource", f"{SEARCH}/action"]
)
def test_whoever_does_not_authenticate_is_unauthorised(company: Company, app_client: TestClient, path: str) -> None:
    assert app_client.post(path, json=evaluation(company, "tim", "see_project")).status_code == 401


def test_whoever_may_not_ask_is_forbidden_the_same_for_everybody(company: Company) -> None:
    answers = []
    for id_ in (company.id("paula"), NOBODY, "nobody@example.com"):
        body = {**evaluation(company, "bea", "see_project"), "subject": {"type": "member", "id": id_}}
        answers.append(company.post("bea", EVALUATION, body))
    assert [answer.status_code for answer in answers] == [403] * 3
    assert len({answer.json()["detail"] for answer in answers}) == 1
    assert len(company.refusals()) == 3


def test_what_may_not_be_seen_is_denied_like_what_does_not_exist(company: Company) -> None:
    answers = [
        post(company, "nils", EVALUATION, {**evaluation(company, "nils", "see_project"), "resource": resource})
        for resource in (project(company.atlas), project(NOBODY), project("no id"))
    ]
    denied = {"decision": False, "context": {"error": {"status": 404, "message": "There is no such project."}}}
    assert answers == [denied] * 3


def test_what_nobody_knows_is_denied(company: Company) -> None:
    body = evaluation(company, "tim", "see_project")
    for part in (
        {"subject": {"type": "robot", "id": "r2"}},
        {"action": action("fly")},
        {"resource": {"type": "spaceship", "id": "1"}},
        {"resource": {"type": "data_mart", "id": "1"}},
    ):
        answer = post(company, "tim", EVALUATION, {**body, **part})
        assert answer["decision"] is False
        assert answer["context"]["error"]["message"]


def test_the_request_id_comes_back(company: Company) -> None:
    given = "bfe9eb29-ab87-4ca3-be83-a1d5d8305716"
    client = company.as_("tim")
    for body in (evaluation(company, "tim", "see_project"), {}):
        answer = client.post(EVALUATION, json=body, headers={"X-Request-ID": given})
        assert answer.headers["X-Request-ID"] == given


# Evaluations --------------------------------------------------------------------------------------------------------


def boxcar(company: Company, name: str, actions: list[str], semantic: str | None = None) -> list[bool]:
    body: Json = {
        "subject": subject(company, name),
        "resource": project(company.atlas),
        "evaluations": [{"action": action(one)} for one in actions],
    }
    if semantic:
        body["options"] = {"evaluations_semantic": semantic, "another_option": "value"}
    answer = post(company, name, EVALUATIONS, body)
    assert set(answer) == {"evaluations"}
    return [one["decision"] for one in answer["evaluations"]]


YES, NO = "edit_project_metadata", "delete_project"


@pytest.mark.parametrize(
    ("semantic", "asked", "answered"),
    [
        (None, [YES, NO, YES], [True, False, True]),
        ("execute_all", [NO, YES, NO], [False, True, False]),
        ("deny_on_first_deny", [YES, NO, YES], [True, False]),
        ("deny_on_first_deny", [YES, YES], [True, True]),
        ("deny_on_first_deny", [NO, NO], [False]),
        ("permit_on_first_permit", [YES, NO, YES], [True]),
        ("permit_on_first_permit", [NO, YES, NO], [False, True]),
        ("permit_on_first_permit", [NO, NO], [False, False]),
    ],
)
def test_the_three_semantics(company: Company, semantic: str | None, asked: list[str], answered: list[bool]) -> None:
    assert boxcar(company, "tim", asked, semantic) == answered


def test_an_unknown_semantic_is_a_bad_request(company: Company) -> None:
    body = {**evaluation(company, "tim", YES), "evaluations": [{}], "options": {"evaluations_semantic": "whatever"}}
    assert company.post("tim", EVALUATIONS, body).status_code == 400


def test_without_evaluations_it_is_a_single_evaluation(company: Company) -> None:
    body = evaluation(company, "tim", YES)
    single = post(company, "tim", EVALUATION, body)
    assert post(company, "tim", EVALUATIONS, body) == single
    assert post(company, "tim", EVALUATIONS, {**body, "evaluations": []}) == single


def test_defaults_fill_what_an_evaluation_leaves_out_and_never_what_it_says(company: Company) -> None:
    defaults = evaluation(company, "tim", NO)
    body = {
        **defaults,
        "context": {"time": "now"},
        "evaluations": [
            {},
            {"action": action(YES)},
            {"subject": subject(company, "paula")},
            {"resource": project(company.borealis), "action": action("see_project")},
            {"subject": {"type": "member", "id": "quinn@example.com"}, "resource": project(company.borealis)},
        ],
    }
    answer = post(company, "olga", EVALUATIONS, body)
    assert [one["decision"] for one in answer["evaluations"]] == [False, True, True, False, True]


def test_a_required_part_without_a_default_is_a_bad_request(company: Company) -> None:
    body = {
        "subject": subject(company, "tim"),
        "evaluations": [evaluation(company, "tim", YES), {"action": action(YES)}],
    }
    answer = company.post("tim", EVALUATIONS, body)
    assert answer.status_code == 400
    assert "evaluations.1" in answer.json()["detail"]


def test_errors_of_single_evaluations_are_denials_with_the_error_in_the_context(company: Company) -> None:
    rows = company.rows()
    body = {
        "action": action("see_project"),
        "resource": project(company.atlas),
        "evaluations": [
            {"subject": subject(company, "bea")},
            {"subject": subject(company, "tim")},
            {"subject": {"type": "member", "id": NOBODY}},
            {"subject": subject(company, "bea"), "resource": project(company.borealis)},
            {"subject": subject(company, "bea"), "action": action("fly")},
            {"subject": subject(company, "bea"), "resource": described("layer", grants=5)},
        ],
    }
    answers = post(company, "bea", EVALUATIONS, body)["evaluations"]
    assert [one["decision"] for one in answers] == [True, False, False, False, False, False]
    assert [one["context"].get("error", {}).get("status") for one in answers] == [None, 403, 403, 404, 400, 400]
    assert answers[5]["context"]["error"]["message"].startswith(
        "resource.properties.grants: This is no JSON object. Give an object. How to describe it: "
    )
    assert answers[1] == answers[2]
    (entry,) = company.refusals()  # once for the request
    assert entry.action == "ask_about_anybody_s_access"
    assert company.rows() == {
        **rows,
        "audit_entry": rows["audit_entry"] + 1,
        "sign_in_session": rows["sign_in_session"] + 1,
    }


def test_more_evaluations_than_anybody_needs_are_a_bad_request(company: Company) -> None:
    body = {**evaluation(company, "tim", YES), "evaluations": [{}] * 1001}
    assert company.post("tim", EVALUATIONS, body).status_code == 400


# Search -------------------------------------------------------------------------------------------------------------


def all_pages(company: Company, name: str, kind: str, body: Json, limit: int | None) -> list[Json]:
    """Everything, page by page, as the standard says: until the next token is empty."""
    found: list[Json] = []
    page: Json = {} if limit is None else {"limit": limit}
    while True:
        answer = post(company, name, f"{SEARCH}/{kind}", {**body, "page": page})
        assert next(iter(answer)) == "page"
        assert answer["page"]["count"] == len(answer["results"])
        assert limit is None or len(answer["results"]) <= limit
        found += answer["results"]
        if answer["page"]["next_token"] == "":
            return found
        page = {**page, "token": answer["page"]["next_token"]}


@pytest.mark.parametrize("limit", [None, 1, 3, 100])
@pytest.mark.parametrize("type_", ["member", "user"])
def test_search_for_subjects_finds_everybody_who_is_allowed(company: Company, limit: int | None, type_: str) -> None:
    body = {"subject": {"type": type_}, "action": action("see_project"), "resource": project(company.atlas)}
    found = all_pages(company, "paula", "subject", body, limit)
    names = ["adam", "bea", "edda", "gus", "olga", "paula", "tim", "vera"]
    assert [one["id"] for one in found] == [company.id(name) for name in names]
    assert {one["type"] for one in found} == {type_}
    for one in found:
        asked = {"subject": one, "action": action("see_project"), "resource": project(company.atlas)}
        assert post(company, "paula", EVALUATION, asked)["decision"] is True


@pytest.mark.parametrize("limit", [None, 1, 100])
def test_search_for_resources_finds_everything_that_is_allowed(company: Company, limit: int | None) -> None:
    body = {"subject": subject(company, "vera"), "action": action("see_project"), "resource": {"type": "project"}}
    found = all_pages(company, "olga", "resource", body, limit)
    assert [one["id"] for one in found] == [str(company.atlas.id), str(company.borealis.id)]
    for one in found:
        asked = {"subject": subject(company, "vera"), "action": action("see_project"), "resource": one}
        assert post(company, "olga", EVALUATION, asked)["decision"] is True


@pytest.mark.parametrize("limit", [None, 1, 2, 100])
def test_search_for_actions_finds_every_action_that_is_allowed(company: Company, limit: int | None) -> None:
    body = {"subject": subject(company, "tim"), "resource": project(company.atlas)}
    found = [one["name"] for one in all_pages(company, "tim", "action", body, limit)]
    for slug in RESOURCE_TYPES["project"].by_slug:
        decision = post(company, "tim", EVALUATION, evaluation(company, "tim", slug))["decision"]
        assert decision is (slug in found)


def test_the_id_of_what_is_searched_for_is_ignored(company: Company) -> None:
    body = {
        "subject": {"type": "member", "id": company.id("nils")},
        "action": action("delete_project"),
        "resource": project(company.atlas),
    }
    assert len(post(company, "olga", f"{SEARCH}/subject", body)["results"]) == 3
    body = {"subject": subject(company, "quinn"), "action": action("see_project"), "resource": project(company.atlas)}
    (found,) = post(company, "olga", f"{SEARCH}/resource", body)["results"]
    assert found["id"] == str(company.borealis.id)


def test_a_page_without_a_limit_of_its_own_goes_on_with_the_first_one_s(company: Company) -> None:
    body = {"subject": {"type": "member"}, "action": action("see_project"), "resource": project(company.atlas)}
    first = post(company, "olga", f"{SEARCH}/subject", {**body, "page": {"limit": 3}})
    token = first["page"]["next_token"]
    second = post(company, "olga", f"{SEARCH}/subject", {**body, "page": {"token": token}})
    assert second["page"]["count"] == 3
    assert not {one["id"] for one in first["results"]} & {one["id"] for one in second["results"]}


def test_a_token_goes_with_the_search_it_came_from(company: Company) -> None:
    body = {"subject": {"type": "member"}, "action": action("see_project"), "resource": project(company.atlas)}
    path = f"{SEARCH}/subject"
    token = post(company, "olga", path, {**body, "page": {"limit": 2}})["page"]["next_token"]
    for changed in (
        {**body, "page": {"token": token, "limit": 5}},
        {**body, "page": {"token": token}, "action": action("delete_project")},
        {**body, "page": {"token": token}, "resource": project(company.borealis)},
        {**body, "page": {"token": token}, "context": {"time": "later"}},
        {**body, "page": {"token": token, "properties": {"sort": "down"}}},
        {**body, "page": {"token": "made up"}},
        {**body, "page": {"limit": -1}},
    ):
        answer = company.post("olga", path, changed)
        assert answer.status_code == 400
        assert answer.json()["detail"].startswith("page.")
    asked = {"subject": subject(company, "tim"), "resource": project(company.atlas), "page": {"token": token}}
    assert company.post("olga", f"{SEARCH}/action", asked).status_code == 400


def test_a_search_takes_any_context(company: Company) -> None:
    content = (
        b'{"subject": {"type": "member"}, "action": {"name": "see_groups"}, "resource": {"type": "tenant", "id": "t"}, '
        b'"context": {"odd": "\\ud800", "number": NaN}, "page": {"limit": 1}}'
    )
    answer = company.as_("olga").post(
        f"{SEARCH}/subject", content=content, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 200
    assert answer.json()["page"]["next_token"]


def test_a_limit_of_nothing_shows_nothing_and_that_there_is_more(company: Company) -> None:
    body = {"subject": {"type": "member"}, "action": action("see_project"), "resource": project(company.atlas)}
    answer = post(company, "olga", f"{SEARCH}/subject", {**body, "page": {"limit": 0}})
    assert answer["results"] == []
    assert answer["page"]["next_token"] != ""


def test_a_search_that_may_not_be_asked_is_forbidden(company: Company) -> None:
    body: Json = {"subject": {"type": "member"}, "action": action("see_project"), "resource": project(company.atlas)}
    assert company.post("bea", f"{SEARCH}/subject", body).status_code == 403
    for id_ in (company.id("tim"), NOBODY):
        who = {"type": "member", "id": id_}
        body = {"subject": who, "action": action("see_project"), "resource": {"type": "project"}}
        assert company.post("bea", f"{SEARCH}/resource", body).status_code == 403
        body = {"subject": who, "resource": project(company.atlas)}
        assert company.post("bea", f"{SEARCH}/action", body).status_code == 403


def test_a_search_for_what_is_not_there_finds_nothing(company: Company) -> None:
    for resource in (project(company.atlas), project(NOBODY)):
        body: Json = {"subject": {"type": "member"}, "action": action("see_project"), "resource": resource}
        answer = post(company, "nils", f"{SEARCH}/subject", body)
        assert answer["results"] == []
        assert answer["page"] == {"next_token": "", "count": 0}
        assert answer["context"] == {"error": {"status": 404, "message": "There is no such project."}}
    body = {"subject": {"type": "robot"}, "action": action("see_project"), "resource": project(company.atlas)}
    assert post(company, "olga", f"{SEARCH}/subject", body)["results"] == []
    body = {"subject": subject(company, "tim"), "action": action("see"), "resource": {"type": "data_mart"}}
    assert post(company, "olga", f"{SEARCH}/resource", body)["results"] == []


@pytest.mark.parametrize("kind", ["subject", "resource", "action"])
def test_a_search_without_its_required_parts_is_a_bad_request(company: Company, kind: str) -> None:
    assert company.post("olga", f"{SEARCH}/{kind}", {"action": action("see_project")}).status_code == 400


# Metadata -----------------------------------------------------------------------------------------------------------


def test_the_metadata_names_every_endpoint_and_each_answers(app_client: TestClient) -> None:
    answer = app_client.get("/.well-known/authzen-configuration")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/json"
    metadata = answer.json()
    base = metadata.pop("policy_decision_point")
    assert set(metadata) == {
        "access_evaluation_endpoint",
        "access_evaluations_endpoint",
        "search_subject_endpoint",
        "search_resource_endpoint",
        "search_action_endpoint",
    }
    for address in metadata.values():
        assert address.startswith(f"{base}/access/v1/")
        assert app_client.post(address.removeprefix(base), json={}).status_code in (400, 401)
