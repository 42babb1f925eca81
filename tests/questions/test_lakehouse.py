"""Questions about what is stored in the lakehouse: by id, listed, and as it would be with other levels."""

from __future__ import annotations

from typing import Any

import pytest

from bailiwick.database.base import new_id
from bailiwick.lakehouse.models import SavedQuery
from bailiwick.questions import lakehouse
from tests.lakehouse.company import Company, company
from tests.lakehouse.making import make_pipeline, make_saved_query, make_stream, make_table, make_volume

__all__ = ["company"]

ACCESS = "/api/v1/access"


def ask(company: Company, who: str, question: str, **body: Any) -> Any:
    return company.as_(who).post(f"{ACCESS}/{question}", json=body)


def on(type_: str, row: Any) -> dict[str, str]:
    return {"type": type_, "id": str(row.id)}


def test_a_stored_table_is_asked_about_by_its_id(company: Company) -> None:
    answer = ask(company, "vic", "check", action="change_descriptions", resource=on("table", company.orders)).json()
    assert not answer["decision"]["allowed"]
    assert answer["resource"] == {**on("table", company.orders), "name": "raw.orders"}
    assert answer["decision"]["facts"]["level"] == "Viewer"
    assert answer["could_give"] == []  # Vic does not see who is there
    by_admin = ask(
        company,
        "adam",
        "check",
        action="change_descriptions",
        resource=on("table", company.orders),
        subject="vic@example.com",
    ).json()
    assert {giver["name"] for giver in by_admin["could_give"]} == {"Adam", "Mia", "Olga"}
    delete = ask(
        company,
        "adam",
        "check",
        action="manage_users_manager",
        resource=on("table", company.orders),
        subject="mia@example.com",
    ).json()
    assert not delete["decision"]["allowed"]


def test_what_is_hidden_is_not_there_to_ask_about(company: Company) -> None:
    for type_, row in (("table", company.revenue), ("layer", company.trusted), ("volume", company.files)):
        for question in ("check", "actions", "who"):
            body = {} if question == "actions" else {"action": "change_descriptions"}
            hidden = ask(company, "tab", question, resource=on(type_, row), **body)
            nowhere = ask(company, "tab", question, resource={"type": type_, "id": str(new_id())}, **body)
            assert hidden.status_code == nowhere.status_code == 404
            assert hidden.json()["detail"] == nowhere.json()["detail"]
    assert ask(company, "adam", "check", action="see_tables", resource={"type": "table", "id": "x"}).status_code == 404
    pipeline = {"type": "pipeline", "id": str(company.orders.id)}
    assert ask(company, "adam", "check", action="see_pipelines", resource=pipeline).status_code == 404


def test_what_is_stored_can_still_be_described(company: Company) -> None:
    described = {"type": "table", "properties": {"layer": {"grants": {"All": "Editor"}}}}
    answer = ask(company, "nora", "check", action="change_descriptions", resource=described).json()
    assert answer["decision"]["allowed"]
    both = {**described, "id": str(company.orders.id)}
    assert ask(company, "nora", "check", action="change_descriptions", resource=both).json()["decision"]["allowed"]
    types = {one["name"]: one for one in company.get("nora", "/access/types").json()["items"]}
    assert types["table"]["by"] == "id"
    assert types["table"]["properties"]
    assert types["query"]["by"] == "description"


def test_everybody_who_can_is_listed(company: Company) -> None:
    company.grant(company.orders, "group", "Editor")
    answer = ask(company, "adam", "who", action="change_descriptions", resource=on("table", company.orders)).json()
    assert [one["name"] for one in answer["items"]] == ["Adam", "Eve", "Gus", "Mia", "Olga", "Tab"]
    layer = ask(company, "adam", "who", action="see_layers", resource=on("layer", company.raw)).json()
    assert [one["name"] for one in layer["items"]] == ["Adam", "Eve", "Gus", "Mia", "Olga", "Tab", "Val", "Vic"]
    assert ask(company, "mia", "who", action="see_tables", resource=on("table", company.orders)).status_code == 403


@pytest.mark.parametrize("how", ["as it is", "through a group", "through All", "expired", "starter"])
def test_whoever_is_listed_can_and_nobody_else(company: Company, how: str) -> None:
    if how == "through a group":
        company.grant(company.customers, "group", "Editor")
        company.grant(company.trusted, "group")
    elif how == "through All":
        company.grant(company.raw, "All")
        company.grant(company.revenue, "All", "Editor")
    elif how == "expired":
        company.grant(company.trusted, "nora", "Manager", expires_at=company.in_(hours=-1))
        company.grant(company.files, "group", "Manager", expires_at=company.in_(hours=-1))
    elif how == "starter":
        company.change_plan("starter")
    stored: dict[str, list[Any]] = {
        "layer": [company.raw, company.trusted],
        "table": [company.orders, company.customers, company.revenue],
        "volume": [company.files],
    }
    for type_, row in ((type_, row) for type_, rows in stored.items() for row in rows):
        may: dict[str, list[str]] = {}
        for _, member in sorted(company.people.items()):
            answer = ask(company, "olga", "actions", subject=str(member.id), resource=on(type_, row)).json()
            for decision in answer["decisions"]:
                may.setdefault(decision["action"], []).extend([member.name] if decision["allowed"] else [])
        for action, names in may.items():
            listed = ask(company, "olga", "who", action=action, resource=on(type_, row)).json()["items"]
            assert [one["name"] for one in listed] == names, (type_, row.name, action)


@pytest.mark.parametrize(
    ("who", "type_", "action", "names"),
    [
        ("tab", "table", "see_tables", ["raw.orders"]),
        ("tab", "table", "delete_the_resource", []),
        ("tab", "layer", "see_layers", ["raw"]),
        ("vic", "table", "see_tables", ["raw.customers", "raw.orders"]),
        ("val", "volume", "see_tables", ["raw.files"]),
        ("nora", "table", "see_tables", []),
        ("adam", "table", "manage_users_manager", ["raw.customers", "raw.orders", "trusted.revenue"]),
    ],
)
def test_what_one_can_do_it_on_is_listed(company: Company, who: str, type_: str, action: str, names: list[str]) -> None:
    answer = ask(company, who, "what", action=action, resource_type=type_).json()
    assert [one["name"] for one in answer["items"]] == names
    by_admin = ask(company, "adam", "what", action=action, resource_type=type_, subject=f"{who}@example.com").json()
    assert [one["name"] for one in by_admin["items"]] == names


def test_pipelines_integrations_and_saved_queries_are_asked_about_by_id(company: Company) -> None:
    adam = company.people["adam"]
    with company.database.session() as session:
        clean = make_pipeline(session, "Clean", adam, reads=[company.orders], output=company.customers)
        crm = make_pipeline(session, "CRM", adam, kind="integration", reads=[company.orders])
        query = make_saved_query(session, "Big orders", company.people["vic"], reads=[company.orders], shared=True)
        assert isinstance(query, SavedQuery)
    names = {
        type_: [one["name"] for one in ask(company, "eve", "what", action=action, resource_type=type_).json()["items"]]
        for type_, action in (("pipeline", "edit_pipelines"), ("integration", "see_pipelines"), ("saved_query", "see"))
    }
    assert names == {"pipeline": ["Clean"], "integration": ["CRM"], "saved_query": ["Big orders"]}
    assert ask(company, "tab", "check", action="see_pipelines", resource=on("pipeline", clean)).status_code == 404
    edit = ask(company, "vic", "check", action="edit_pipelines", resource=on("pipeline", clean)).json()
    assert edit["decision"]["facts"]["level"] == "Viewer"
    assert ask(company, "vic", "actions", resource=on("integration", crm)).status_code == 200
    assert ask(company, "vic", "actions", resource=on("pipeline", crm)).status_code == 404
    mine = ask(company, "vic", "check", action="edit", resource=on("saved_query", query)).json()
    assert mine["decision"]["row"] == "Its author"


def test_data_is_found_by_its_own_name_and_by_its_layer(company: Company) -> None:
    def found(search: str, type_: str = "table") -> list[str]:
        answer = ask(company, "olga", "what", action="see_tables", resource_type=type_, search=search)
        return [one["name"] for one in answer.json()["items"]]

    assert found("raw", "volume") == ["raw.files"]
    assert found("RAW") == ["raw.customers", "raw.orders"]
    assert found("raw.or") == ["raw.orders"]
    assert found("e") == ["raw.customers", "raw.orders", "trusted.revenue"]
    assert found("trusted") == ["trusted.revenue"]
    assert found("reven") == ["trusted.revenue"]
    seen = ask(company, "tab", "what", action="see_tables", resource_type="table", search="raw").json()["items"]
    assert [one["name"] for one in seen] == ["raw.orders"]


def test_pages_of_what_one_can_follow_each_other(company: Company) -> None:
    first = ask(company, "vic", "what", action="see_tables", resource_type="table", limit=1).json()
    second = ask(
        company, "vic", "what", action="see_tables", resource_type="table", limit=1, cursor=first["next_cursor"]
    ).json()
    assert [one["name"] for one in (*first["items"], *second["items"])] == ["raw.customers", "raw.orders"]
    assert second["next_cursor"] is None


def test_programs_ask_about_stored_tables_in_the_words_of_authzen(company: Company) -> None:
    def evaluate(who: str, row: Any, **more: Any) -> Any:
        body = {
            "subject": {"type": "member", "id": str(company.id(who))},
            "action": {"name": "see_tables"},
            "resource": {**on("table", row), **more},
        }
        return company.as_(who).post("/access/v1/evaluation", json=body).json()

    assert evaluate("tab", company.orders)["decision"]
    assert evaluate("tab", company.orders, properties={"color": "green"})["decision"]  # nobody knows colours
    hidden = evaluate("tab", company.customers)
    assert not hidden["decision"]
    assert hidden["context"]["error"]["status"] == 404
    search = {
        "subject": {"type": "member", "id": str(company.id("tab"))},
        "action": {"name": "see_tables"},
        "resource": {"type": "table"},
    }
    found = company.as_("tab").post("/access/v1/search/resource", json=search).json()
    assert [one["properties"]["name"] for one in found["results"]] == ["raw.orders"]


# What if -------------------------------------------------------------------------------------------------------------


def what_if(company: Company, who: str, *changes: dict[str, Any]) -> Any:
    return ask(company, who, "what-if", changes=list(changes))


def differences(answer: Any) -> dict[tuple[str, str], tuple[list[str], list[str]]]:
    assert answer.status_code == 200, answer.text
    assert answer.json()["count"] == len(answer.json()["items"])
    return {
        (one["member"]["name"], one["resource"]["name"]): (one["gained"], one["lost"]) for one in answer.json()["items"]
    }


def test_giving_a_level_shows_who_gains_what_pipelines_included(company: Company) -> None:
    adam = company.people["adam"]
    with company.database.session() as session:
        make_pipeline(session, "Clean", adam, reads=[company.orders], output=company.customers)
        source = make_pipeline(session, "Shop", adam, kind="source")
        make_stream(session, source, table=company.orders)
        make_saved_query(session, "Big orders", adam, reads=[company.orders], shared=True)
    change = {
        "change": "give_level",
        "table": str(company.orders.id),
        "group": str(company.group.id),
        "level": "Editor",
    }
    found = differences(what_if(company, "adam", change))
    assert set(found) == {("Gus", "raw.orders"), ("Gus", "raw"), ("Gus", "Shop"), ("Gus", "Big orders")}
    assert found["Gus", "raw"] == (["see_layers"], [])
    assert "trigger_pipelines" in found["Gus", "Shop"][0]
    company.grant(company.customers, "gus", "Viewer")
    found = differences(what_if(company, "adam", change))
    assert found["Gus", "Clean"] == (["see_pipelines", "see_runs"], [])  # the lowest of its tables decides
    assert company.names("gus", "/tables") == ["raw.customers"]  # nothing was changed


def test_taking_and_changing_a_level_show_what_is_lost(company: Company) -> None:
    take = {"change": "take_level", "table": str(company.orders.id), "member": "tab@example.com"}
    found = differences(what_if(company, "adam", take))
    assert found["Tab", "raw"] == ([], ["see_layers"])
    assert "change_descriptions" in found["Tab", "raw.orders"][1]
    lower = {"change": "change_level", "layer": str(company.raw.id), "member": "eve@example.com", "level": "Viewer"}
    found = differences(what_if(company, "adam", lower))
    assert {name for _, name in found} == {"raw", "raw.orders", "raw.customers", "raw.files"}
    assert all(gained == [] for gained, _ in found.values())
    both = {"change": "give_level", "table": str(company.orders.id), "member": "eve@example.com", "level": "Editor"}
    found = differences(what_if(company, "adam", lower, both))
    assert {name for _, name in found} == {"raw", "raw.customers", "raw.files"}


def test_other_changes_reach_the_lakehouse_too(company: Company) -> None:
    company.grant(company.orders, "group", "Manager")
    put = {"change": "add_to_group", "group": str(company.group.id), "member": "nora@example.com"}
    found = differences(what_if(company, "adam", put))
    assert {name for who, name in found if who == "Nora"} >= {"raw.orders", "raw"}
    plan = differences(what_if(company, "olga", {"change": "plan", "plan": "starter"}))
    assert ("Nora", "trusted") in plan
    role = differences(
        what_if(company, "olga", {"change": "tenant_role", "member": "nora@example.com", "role": "admin"})
    )
    assert ("Nora", "raw") in role


def test_a_level_that_cannot_be_given_so_is_said(company: Company) -> None:
    table, eve = str(company.orders.id), "eve@example.com"
    for change in (
        {"change": "give_level", "table": table, "member": "tab@example.com", "level": "Viewer"},
        {"change": "change_level", "table": table, "member": eve, "level": "Viewer"},
        {"change": "change_level", "table": table, "member": "tab@example.com", "level": "Editor"},
        {"change": "take_level", "table": table, "member": eve},
        {"change": "take_level", "table": table, "member": "tab@example.com", "level": "Viewer"},
        {"change": "give_level", "table": table, "member": eve},
        {"change": "give_level", "table": table, "level": "Viewer"},
        {"change": "give_level", "member": eve, "level": "Viewer"},
        {"change": "give_level", "table": table, "layer": str(company.raw.id), "member": eve, "level": "Viewer"},
    ):
        assert what_if(company, "adam", change).status_code == 422, change
    company.change_plan("starter")
    refused = what_if(company, "adam", {"change": "give_level", "table": table, "member": eve, "level": "Viewer"})
    assert refused.status_code == 422
    assert "starter" in refused.json()["detail"]


def test_what_a_level_would_bring_is_asked_about_oneself_by_anybody_and_about_others_by_admins(
    company: Company,
) -> None:
    change = {"change": "give_level", "table": str(company.orders.id), "level": "Manager"}
    assert what_if(company, "mia", {**change, "member": "nora@example.com"}).status_code == 403
    assert what_if(company, "mia", {**change, "group": str(company.group.id)}).status_code == 403
    assert what_if(company, "nora", {**change, "member": "nora@example.com"}).status_code == 404
    own = differences(what_if(company, "vic", {**change, "member": "vic@example.com"}))
    assert set(own) == {("Vic", "raw.orders")}
    adam = company.people["adam"]
    with company.database.session() as session:
        make_pipeline(session, "Secret", adam, reads=[company.orders], output=company.revenue)
    assert "Secret" not in what_if(company, "vic", {**change, "member": "vic@example.com"}).text


def test_what_is_hidden_takes_no_room_from_what_is_seen(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each kind so many are compared, counted among those that whoever asks may see."""
    monkeypatch.setattr(lakehouse, "MOST", 2)
    adam, tab = company.people["adam"], company.people["tab"]
    with company.database.session() as session:
        for name in ("a", "b", "c"):
            make_table(session, name, layer=company.raw)
            make_volume(session, name, layer=company.raw)
            make_saved_query(session, name, adam, reads=[company.orders])
            make_pipeline(session, name, adam, reads=[company.orders, company.customers], output=company.orders)
        make_saved_query(session, "x", tab, reads=[company.orders], shared=True)
        make_pipeline(session, "y", adam, reads=[company.orders], output=company.orders)
    more = {"change": "give_level", "layer": str(company.raw.id), "member": "tab@example.com", "level": "Manager"}
    told = ask(company, "tab", "what-if", changes=[more]).json()
    assert {item["resource"]["name"] for item in told["items"]} == {"raw", "raw.orders", "y"}
    company.grant(company.raw, "tab", "Viewer")
    more["change"] = "change_level"
    told = ask(company, "tab", "what-if", changes=[more]).json()
    assert {item["resource"]["name"] for item in told["items"]} == {"raw", "raw.a", "raw.b", "a", "b"}
