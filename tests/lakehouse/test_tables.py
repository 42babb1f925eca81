"""Tables: who sees them and from where, what is said of them, what uses them, and their end."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from bailiwick.lakehouse import dependents, outputs
from bailiwick.lakehouse.models import Discarded, Pipeline, SavedQuery, Stream, Table
from bailiwick.runs.models import LineageEdge
from bailiwick.spark.jobs import Column, Written
from tests.lakehouse.company import API, Company
from tests.lakehouse.making import make_layer, make_pipeline, make_saved_query, make_stream, make_table

RAW = ["raw.customers", "raw.orders"]
EVERYTHING = [*RAW, "trusted.revenue"]


@pytest.mark.parametrize(
    ("who", "seen"),
    [
        *(("olga", EVERYTHING), ("adam", EVERYTHING)),
        *(("vic", RAW), ("eve", RAW), ("mia", RAW)),
        *(("tab", ["raw.orders"]), ("val", []), ("edda", []), ("nora", []), ("gus", [])),
    ],
)
def test_tables_are_listed_for_who_holds_a_level_on_them_or_on_their_layer(
    company: Company, who: str, seen: list[str]
) -> None:
    assert company.names(who, "/tables") == seen
    for table, name in ((company.orders, "raw.orders"), (company.revenue, "trusted.revenue")):
        assert company.get(who, f"/tables/{table.id}").status_code == (200 if name in seen else 404)


def test_a_table_that_is_hidden_answers_like_one_that_is_not_there(company: Company) -> None:
    nowhere = "01980000-0000-7000-8000-000000000001"
    for path in ("", "/used-by", "/lineage", "/access", "/grants"):
        hidden = company.get("nora", f"/tables/{company.orders.id}{path}")
        missing = company.get("nora", f"/tables/{nowhere}{path}")
        assert (hidden.status_code, hidden.json()["detail"]) == (404, missing.json()["detail"])
        assert missing.status_code == 404


def test_the_level_is_the_highest_of_all_that_reach_a_member(company: Company) -> None:
    def level() -> str:
        return str(company.get("gus", f"/tables/{company.orders.id}").json().get("level", ""))

    company.grant(company.orders, "All", "Viewer")
    assert level() == "Viewer"
    company.grant(company.raw, "group", "Editor")
    assert level() == "Editor"
    company.grant(company.orders, "gus", "Viewer")
    assert level() == "Editor"
    company.grant(company.orders, "group", "Manager")
    assert level() == "Manager"
    assert company.get("gus", f"/tables/{company.customers.id}").json()["level"] == "Editor"
    assert company.names("nora", "/tables") == ["raw.orders"]


def test_a_glimpse_of_the_layer_does_not_flow_down_to_its_other_tables(company: Company) -> None:
    assert company.get("tab", f"/layers/{company.raw.id}").json()["level"] == "Viewer"
    assert company.names("tab", "/tables", layer=str(company.raw.id)) == ["raw.orders"]
    assert company.get("tab", f"/tables/{company.customers.id}").status_code == 404
    assert company.names("val", "/tables", layer=str(company.raw.id)) == []


def test_a_list_of_one_layer_is_for_who_sees_the_layer(company: Company) -> None:
    assert company.names("vic", "/tables", layer=str(company.raw.id)) == RAW
    assert company.get("vic", "/tables", layer=str(company.trusted.id)).status_code == 404
    assert company.names("adam", "/tables", layer=str(company.trusted.id)) == ["trusted.revenue"]


def test_an_expired_level_has_no_effect_at_once(company: Company) -> None:
    company.grant(company.revenue, "nora", "Viewer", expires_at=company.in_(hours=1))
    assert company.names("nora", "/tables") == ["trusted.revenue"]
    with company.later(hours=2):
        assert company.names("nora", "/tables") == []
        assert company.names("nora", "/layers") == []
        assert company.get("nora", f"/tables/{company.revenue.id}").status_code == 404


def test_on_starter_everybody_manages_every_table_and_grants_sleep(company: Company) -> None:
    company.change_plan("starter")
    assert company.names("nora", "/tables") == EVERYTHING
    assert company.get("vic", f"/tables/{company.revenue.id}").json()["level"] == "Manager"
    company.change_plan("growth")
    assert company.names("nora", "/tables") == []
    assert company.names("vic", "/tables") == RAW


def test_tables_are_found_by_part_of_their_name_among_those_one_sees(company: Company) -> None:
    assert company.names("vic", "/tables", search="ORD") == ["raw.orders"]
    assert company.names("vic", "/tables", search="rev") == []
    assert company.names("olga", "/tables", search="rev") == ["trusted.revenue"]
    assert company.names("olga", "/tables", search="%") == []


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("raw.ord", ["raw.orders"]),
        ("RAW.Orders", ["raw.orders"]),
        ("raw.", ["raw.customers", "raw.orders"]),
        ("aw.ord", []),
    ],
)
def test_tables_are_found_by_their_whole_name(company: Company, text: str, named: list[str]) -> None:
    assert company.names("vic", "/tables", search=text) == named
    assert company.names("vic", "/tables", search=text.replace("raw", "trusted").replace("RAW", "trusted")) == []


def test_pages_of_tables_follow_each_other_over_all_ways_of_seeing_them(company: Company) -> None:
    with company.database.session() as session:
        mine = [make_table(session, f"t{number:02}", layer="trusted") for number in range(0, 20, 2)]
        for number in range(1, 20, 2):
            make_table(session, f"t{number:02}", layer="service")
        service = make_layer(session, "service")
    company.grant(service, "nora")
    for table in mine:
        company.grant(table, "nora")
        company.grant(table, "All")  # two ways to the same table show it once
    seen: list[str] = []
    cursor = None
    while True:
        page = company.get("nora", "/tables", limit=3, **({"cursor": cursor} if cursor else {})).json()
        seen += [item["name"] for item in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == [f"t{number:02}" for number in range(20)]


def test_whoever_holds_very_many_tables_sees_the_same(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bailiwick.lakehouse.seeing_data.FEW", 1)
    company.grant(company.customers, "tab")
    company.grant(company.revenue, "group")
    assert company.names("tab", "/tables") == RAW
    assert company.names("gus", "/tables") == ["trusted.revenue"]
    assert company.names("val", "/volumes") == ["raw.files"]


def test_whoever_holds_very_many_layers_sees_the_same(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bailiwick.lakehouse.seeing_data.MOST_WAYS", 1)
    company.grant(company.trusted, "vic")
    assert company.names("vic", "/tables") == EVERYTHING


def test_a_table_shows_its_fields_and_its_location_to_admins_only(company: Company) -> None:
    seen = company.get("vic", f"/tables/{company.orders.id}").json()
    assert [field["name"] for field in seen["fields"]] == ["id", "customer", "amount"]
    assert seen["fields"][2] == {"name": "amount", "type": "decimal(10,2)", "nullable": True, "description": ""}
    assert seen["location"] is None
    assert company.get("adam", f"/tables/{company.orders.id}").json()["location"] == f"tables/{company.orders.id}"


def test_editors_describe_a_table_and_its_fields(company: Company) -> None:
    path = f"{API}/tables/{company.orders.id}"
    for who, code in (("nora", 404), ("vic", 403), ("tab", 200), ("eve", 200), ("adam", 200)):
        answer = company.as_(who).patch(path, json={"description": f"Said by {who}.", "fields": {"amount": "In EUR."}})
        assert answer.status_code == code, who
    assert answer.json()["fields"][2]["description"] == "In EUR."
    cleared = company.as_("eve").patch(path, json={"fields": {"amount": "", "customer": "Who bought."}}).json()
    assert [field["description"] for field in cleared["fields"]] == ["", "Who bought.", ""]
    wrong = company.as_("eve").patch(path, json={"fields": {"secret": "?"}})
    assert (wrong.status_code, wrong.json()["errors"][0]["field"]) == (422, "fields")
    assert company.as_("eve").patch(path, json={}).status_code == 422
    entries = company.audited("edit_table")
    assert entries[-1].before["fields"] == {"amount": "In EUR."}  # type: ignore[index]
    assert entries[-1].resource_name == "raw.orders"


def test_what_is_noted_late_takes_nothing_back_that_is_known(company: Company) -> None:
    seen = company.get("mia", f"/tables/{company.orders.id}").json()["version"]
    with company.database.session() as session:
        table = session.get_one(Table, company.orders.id)
        for version, rows in [(8, 80), (7, 70)]:  # two runs, of which the first to commit is the last to say so
            written = Written("", version, rows, rows, 1000 + rows, (Column("id", "bigint"),), {})
            outputs.note(session, table, written)
        assert (table.data_version, table.rows) == (8, 80)
    shown = company.get("mia", f"/tables/{company.orders.id}").json()
    assert (shown["rows"], shown["bytes"], shown["version"]) == (80, 1080, seen)


def test_what_uses_a_table_is_shown_as_far_as_one_sees_it(company: Company) -> None:
    adam = company.people["adam"]
    with company.database.session() as session:
        make_pipeline(session, "Clean", adam, reads=[company.orders], output=company.customers)
        make_pipeline(session, "Secret", adam, reads=[company.orders], output=company.revenue)
        source = make_pipeline(session, "Shop", adam, kind="source")
        make_stream(session, source, table=company.orders)
        make_saved_query(session, "Mine", company.people["vic"], reads=[company.orders])
        make_saved_query(session, "Shared", adam, reads=[company.orders], shared=True)
        make_saved_query(session, "Private", adam, reads=[company.orders])
    path = f"/tables/{company.orders.id}/used-by"
    assert {*company.names("vic", path)} == {"Clean", "Shop", "Mine", "Shared"}
    assert {*company.names("tab", path)} == {"Shop", "Shared"}
    assert {*company.names("adam", path)} == {"Clean", "Secret", "Shop", "Mine", "Shared", "Private"}
    assert "more" not in company.get("vic", path).text


def test_what_is_hidden_pushes_nothing_out_of_what_uses_a_table(company: Company) -> None:
    with company.database.session() as session:
        for number in range(dependents.MOST + 10):
            make_pipeline(
                session, f"aa {number}", company.people["olga"], reads=[company.orders], output=company.revenue
            )
        make_pipeline(session, "zz", company.people["olga"], reads=[company.orders], output=company.orders)
    items = company.get("vic", f"/tables/{company.orders.id}/used-by").json()["items"]
    assert {one["name"] for one in items} == {"zz"}


def test_lineage_ends_at_what_one_may_not_see(company: Company) -> None:
    adam = company.people["adam"]
    with company.database.session() as session:
        gold = make_table(session, "gold", layer="service")
        clean = make_pipeline(session, "Clean", adam, reads=[company.orders], output=company.customers)
        hidden = make_pipeline(session, "Secret", adam, reads=[company.customers], output=company.revenue)
        last = make_pipeline(session, "Last", adam, reads=[company.revenue], output=gold)
        for pipeline, start, end in (
            (clean, company.orders, company.customers),
            (hidden, company.customers, company.revenue),
            (last, company.revenue, gold),
        ):
            session.add_all(
                LineageEdge(
                    subject_type="pipeline",
                    subject_id=pipeline.id,
                    from_table_id=start.id,
                    from_column=column,
                    to_table_id=end.id,
                    to_column=column,
                )
                for column in ("id", "amount")
            )
    path = f"/tables/{company.orders.id}/lineage"
    whole = company.get("adam", path, down=5).json()
    assert {table["full_name"] for table in whole["tables"]} == {
        *("raw.orders", "raw.customers", "trusted.revenue", "service.gold")
    }
    assert [flow["through"]["name"] for flow in whole["flows"]] == ["Clean", "Secret", "Last"]
    assert whole["flows"][0]["columns"] == [
        {"from_column": "amount", "to_column": "amount"},
        {"from_column": "id", "to_column": "id"},
    ]
    company.grant(gold, "vic")  # beyond a hidden table, nothing is told
    part = company.get("vic", path, down=5)
    assert {table["full_name"] for table in part.json()["tables"]} == {"raw.orders", "raw.customers"}
    assert "Secret" not in part.text
    up = company.get("adam", f"/tables/{gold.id}/lineage", up=2, down=0).json()
    assert {table["full_name"] for table in up["tables"]} == {"service.gold", "trusted.revenue", "raw.customers"}
    assert company.get("tab", path).json()["flows"] == []


def test_a_table_is_deleted_by_its_manager_who_has_seen_what_depends_on_it(company: Company) -> None:
    adam = company.people["adam"]
    with company.database.session() as session:
        make_pipeline(session, "Clean", adam, reads=[company.orders], output=company.customers)
        make_pipeline(session, "Secret", adam, reads=[company.orders], output=company.revenue)
        source = make_pipeline(session, "Shop", adam, kind="source")
        stream = make_stream(session, source, table=company.orders, state={"cursor": 7})
        shared = make_saved_query(session, "Shared", adam, reads=[company.orders], shared=True)
        session.add(
            LineageEdge(
                subject_type="pipeline", subject_id=source.id, from_table_id=None, to_table_id=company.orders.id
            )
        )
    path = f"{API}/tables/{company.orders.id}"
    for who, code in (("nora", 404), ("vic", 403), ("eve", 403), ("tab", 403)):
        assert company.as_(who).delete(f"{path}?confirm=orders").status_code == code
    asked = company.as_("mia").delete(path)
    assert asked.status_code == 409
    assert {one["name"] for one in asked.json()["depends_on_it"]} == {"Clean", "Shop", "Shared"}
    assert asked.json()["depends_on_it_more"]
    assert "Secret" not in asked.text
    assert company.as_("mia").delete(f"{path}?confirm=other").status_code == 409
    done = company.as_("mia").delete(f"{path}?confirm=raw.orders")
    assert done.status_code == 200
    with company.database.read() as session:
        assert session.get(Table, company.orders.id) is None
        assert session.scalars(select(Discarded.location)).all() == [company.orders.location]
        again = session.get_one(Stream, stream.id)
        assert again.output_table_id is None
        assert again.planned_table_id not in (stream.planned_table_id, company.orders.id)
        assert again.state == {}
        assert not session.get_one(SavedQuery, shared.id).shared
        assert session.scalars(select(LineageEdge)).all() == []
    assert company.names("tab", "/layers") == []
    assert company.audited("delete_table")[0].resource_name == "raw.orders"


def test_looking_at_a_table_is_no_work_and_listed_only_on_demand(company: Company) -> None:
    vic = company.as_("vic")
    looked = vic.get(f"{API}/tables/{company.orders.id}/sample", params={"wait": 0}).json()["id"]
    asked = vic.post(f"{API}/queries", params={"wait": 0}, json={"sql": "SELECT 1"}).json()["id"]

    def listed(**wanted: object) -> list[str]:
        return [run["id"] for run in vic.get(f"{API}/runs", params=wanted).json()["items"]]

    assert listed() == listed(kind="query") == [asked]
    assert listed(looks=True) == [asked, looked]
    assert listed(kind="preview_table") == [looked]


def test_a_table_that_a_run_writes_right_now_is_not_deleted(company: Company) -> None:
    with company.database.session() as session:
        pipeline = make_pipeline(session, "Clean", company.people["adam"], reads=[], output=company.orders)
        run = company.make_run(session, pipeline, state="running")
    path = f"{API}/tables/{company.orders.id}?confirm=orders"
    answer = company.as_("mia").delete(path)
    assert answer.status_code == 409
    assert "right now" in answer.json()["detail"]
    with company.database.session() as session:
        session.merge(run).state = "succeeded"
    assert company.as_("mia").delete(path).status_code == 200
    with company.database.read() as session:
        assert session.get_one(Pipeline, pipeline.id).planned_table_id != pipeline.planned_table_id
