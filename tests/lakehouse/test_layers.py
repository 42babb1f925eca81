"""Layers: who sees them, makes them, describes them and deletes them."""

from __future__ import annotations

import pytest

from tests.lakehouse.company import API, Company
from tests.lakehouse.making import make_layer, make_pipeline, make_stream, make_table, make_volume

EVERYTHING = ["raw", "service", "trusted"]


@pytest.mark.parametrize(
    ("who", "seen", "level"),
    [
        *(("olga", EVERYTHING, "none"), ("adam", EVERYTHING, "none")),
        *(("vic", ["raw"], "Viewer"), ("eve", ["raw"], "Editor"), ("mia", ["raw"], "Manager")),
        *(("tab", ["raw"], "Viewer"), ("val", ["raw"], "Viewer")),
        *(("edda", [], ""), ("nora", [], ""), ("gus", [], "")),
    ],
)
def test_a_layer_is_seen_by_who_holds_something_on_it_or_in_it(
    company: Company, who: str, seen: list[str], level: str
) -> None:
    assert company.names(who, "/layers") == seen
    for layer in (company.raw, company.trusted):
        answer = company.get(who, f"/layers/{layer.id}")
        assert answer.status_code == (200 if layer.name in seen else 404)
        if layer.name == "raw" and seen:
            assert answer.json()["level"] == level
            assert answer.json()["in_part"] == (who in ("tab", "val"))
            (listed,) = (one for one in company.get(who, "/layers").json()["items"] if one["name"] == "raw")
            assert listed == answer.json()
            assert company.get(who, f"/layers/{layer.id}/access").json()["in_part"] == (who in ("tab", "val"))


def test_a_level_on_something_in_a_layer_is_told_apart_from_one_on_the_layer(company: Company) -> None:
    """However it came, and for as long as it holds."""

    def in_part(who: str) -> bool:
        layer = company.get(who, f"/layers/{company.raw.id}").json()
        assert layer["level"] != "none" or who == "adam"
        return bool(layer["in_part"])

    company.grant(company.orders, "group", "Manager")
    assert in_part("gus")
    assert not in_part("adam")
    company.grant(company.raw, "group", "Viewer", expires_at=company.in_(minutes=1))
    assert not in_part("gus")
    with company.later(minutes=2):
        assert in_part("gus")
    company.change_plan("starter")
    assert not in_part("tab")


def test_on_starter_everybody_manages_every_layer_and_makes_none(company: Company) -> None:
    company.change_plan("starter")
    assert company.names("nora", "/layers") == EVERYTHING
    assert company.get("nora", f"/layers/{company.raw.id}").json()["level"] == "Manager"
    assert company.as_("nora").post(f"{API}/layers", json={"name": "mine"}).status_code == 403


def test_only_admins_create_layers_and_it_gives_no_level(company: Company) -> None:
    for who in ("mia", "eve", "nora", "edda"):
        answer = company.as_(who).post(f"{API}/layers", json={"name": "finance"})
        assert answer.status_code == 403
        assert answer.json()["decision"]["row"] == "Create layers"
    made = company.as_("adam").post(f"{API}/layers", json={"name": "finance", "description": "Books."})
    assert made.status_code == 201
    assert made.headers["Location"] == f"{API}/layers/{made.json()['id']}"
    assert made.json()["level"] == "none"
    assert company.names("adam", "/layers", search="fin") == ["finance"]
    assert company.as_("adam").post(f"{API}/layers", json={"name": "finance"}).status_code == 409
    assert [entry.after for entry in company.audited("create_layer")] == [{"name": "finance", "description": "Books."}]


@pytest.mark.parametrize("name", ["Finance", "1st", "", "a-b", "a.b", "a" * 64, "_a", "übung", "delta", "default"])
def test_a_layers_name_can_be_written_in_statements(company: Company, name: str) -> None:
    answer = company.as_("adam").post(f"{API}/layers", json={"name": name})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "name"


def test_editors_change_the_description_and_admins_the_name(company: Company) -> None:
    path = f"{API}/layers/{company.raw.id}"
    for who, code in (("nora", 404), ("vic", 403), ("tab", 403), ("eve", 200), ("mia", 200), ("adam", 200)):
        answer = company.as_(who).patch(path, json={"description": f"Said by {who}."})
        assert answer.status_code == code, who
    for who, code in (("eve", 403), ("mia", 403), ("adam", 200)):
        answer = company.as_(who).patch(path, json={"name": "landing"})
        assert answer.status_code == code, who
    assert answer.json()["name"] == "landing"
    assert answer.headers["ETag"] == f'"{answer.json()["version"]}"'
    stale = company.as_("adam").patch(path, json={"name": "landed"}, headers={"If-Match": '"1"'})
    assert stale.status_code == 409
    assert company.as_("adam").patch(path, json={"name": "trusted"}).status_code == 409


def test_a_layer_that_holds_something_is_not_deleted_and_the_refusal_lists_it(company: Company) -> None:
    path = f"{API}/layers/{company.raw.id}"
    for who, code in (("nora", 404), ("vic", 403), ("eve", 403)):
        assert company.as_(who).delete(path).status_code == code
    answer = company.as_("mia").delete(path)
    assert answer.status_code == 409
    assert {one["name"] for one in answer.json()["held_by"]} == {"raw.orders", "raw.customers", "raw.files"}
    assert not answer.json()["held_by_more"]
    assert "the table raw.orders" in answer.json()["detail"]


def test_what_holds_a_layer_is_not_named_to_who_may_not_see_it(company: Company) -> None:
    with company.database.session() as session:
        empty = make_layer(session, "empty")
        make_pipeline(
            session, "Secret", company.people["adam"], reads=[company.revenue], output_layer=empty, output_name="later"
        )
    company.grant(empty, "mia", "Manager")
    answer = company.as_("mia").delete(f"{API}/layers/{empty.id}")
    assert answer.status_code == 409
    assert answer.json()["held_by"] == []
    assert answer.json()["held_by_more"]
    assert "held by something that you may not see" in answer.json()["detail"]
    assert "Secret" not in answer.text


def test_a_source_whose_stream_writes_there_holds_a_layer(company: Company) -> None:
    with company.database.session() as session:
        service = make_layer(session, "service")
        source = make_pipeline(session, "Shop", company.people["adam"], kind="source")
        make_stream(session, source, "orders", layer=service, enabled=False)
    answer = company.as_("adam").delete(f"{API}/layers/{service.id}")
    assert answer.status_code == 409
    assert answer.json()["held_by"][0]["kind"] == "source"


def test_what_maintains_a_layer_goes_with_it_and_what_waited_for_that_says_so(company: Company) -> None:
    olga = company.as_("olga")
    layer = olga.post(f"{API}/layers", json={"name": "short_lived"}).json()["id"]
    with company.database.session() as session:
        reads, writes = session.merge(company.orders), session.merge(company.customers)
        weekly = make_pipeline(session, "Weekly", session.merge(company.people["eve"]), reads=[reads], output=writes).id
    own, after = (
        olga.post(f"{API}/triggers", json=body).json()
        for body in (
            {"subject": {"type": "layer", "id": layer}, "cron": "0 3 * * *"},
            {"subject": {"type": "pipeline", "id": str(weekly)}, "after": [{"type": "layer", "id": layer}]},
        )
    )
    run = olga.post(f"{API}/layers/{layer}/maintenance/runs").json()
    assert olga.delete(f"{API}/layers/{layer}").status_code == 204
    assert olga.get(f"{API}/triggers/{own['id']}").status_code == 404
    waits = olga.get(f"{API}/triggers/{after['id']}").json()
    assert (waits["paused"], waits["hidden"], waits["note"]) == (True, 0, "What it waited for was deleted.")
    assert olga.get(f"{API}/runs/{run['run_id']}").json()["state"] == "cancelled"


def test_an_empty_layer_is_deleted_by_its_manager_with_its_grants(company: Company) -> None:
    with company.database.session() as session:
        service = make_layer(session, "service")
    company.grant(service, "mia", "Manager")
    assert company.as_("mia").delete(f"{API}/layers/{service.id}").status_code == 204
    assert company.names("olga", "/layers") == ["raw", "trusted"]
    assert company.names("mia", "/layers") == ["raw"]
    assert company.audited("delete_layer")[0].resource_name == "service"


def test_pages_of_layers_follow_each_other(company: Company) -> None:
    with company.database.session() as session:
        for number in range(7):
            company_layer = make_layer(session, f"l{number}")
            make_table(session, "t", layer=company_layer)
            make_volume(session, "v", layer=company_layer)
    seen: list[str] = []
    cursor = None
    while True:
        query = {"limit": 3} | ({"cursor": cursor} if cursor else {})
        page = company.get("olga", "/layers", **query).json()
        seen += [item["name"] for item in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == sorted([*EVERYTHING, *(f"l{number}" for number in range(7))])
