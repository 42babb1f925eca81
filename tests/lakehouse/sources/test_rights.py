"""Who may add, change, see and start a source: the lowest level of what its enabled streams read and write."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import delete, select

from bailiwick.database.base import new_id
from bailiwick.lakehouse.models import Grant, Pipeline, Stream, Table
from bailiwick.runs.models import Run
from tests.lakehouse.company import Company
from tests.lakehouse.making import make_pipeline, make_stream

HTTP = {"type": "http", "url": "https://shop.example.com", "authentication": "bearer"}
SOURCES = "/api/v1/sources"


def add(company: Company, who: str, *, name: str = "Shop", streams: Any = (), **more: Any) -> Any:
    body = {"name": name, "connection": HTTP, "output_layer_id": str(company.raw.id), "streams": list(streams), **more}
    return company.as_(who).post(SOURCES, json=body)


def stream(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "settings": {"read": {"type": "http", "path": name}}, **more}


@pytest.fixture
def shop(company: Company) -> Pipeline:
    """A source of Mia's with an enabled stream into raw.orders and a disabled one into raw.customers."""
    with company.database.session() as session:
        source = make_pipeline(
            session, "Shop", company.people["mia"], kind="source", output_layer=company.raw, settings=HTTP
        )
        read = {"type": "http", "path": ""}
        settings = {"read": read, "mode": "full", "primary_key": []}
        make_stream(session, source, "orders", table=company.orders, settings=settings)
        make_stream(session, source, "customers", table=company.customers, enabled=False, settings=settings)
    return source


def streams_of(company: Company, source: Pipeline) -> dict[str, Stream]:
    with company.database.read() as session:
        found = session.scalars(select(Stream).where(Stream.pipeline_id == source.id))
        return {one.name: one for one in found}


def test_streams_are_searched_sorted_narrowed_and_paged(company: Company, shop: Pipeline) -> None:
    def listed(who: str, **query: Any) -> list[str]:
        return company.names(who, f"/sources/{shop.id}/streams", **query)

    assert listed("mia") == ["customers", "orders"]
    assert listed("mia", sort="-name") == ["orders", "customers"]
    assert listed("mia", search="ORD") == listed("mia", enabled=True) == ["orders"]
    assert listed("mia", enabled=False) == ["customers"]
    assert listed("mia", search="ord", enabled=False) == []
    assert listed("tab") == listed("tab", limit=1) == ["orders"]
    for who, names in {"mia": ["orders", "customers"], "tab": ["orders"]}.items():
        seen: list[str] = []
        cursor: dict[str, str] = {}
        for _ in names:
            page = company.get(who, f"/sources/{shop.id}/streams", sort="-name", limit=1, **cursor).json()
            seen += [one["name"] for one in page["items"]]
            cursor = {"cursor": page["next_cursor"]}
        assert (seen, page["next_cursor"]) == (names, None)
    refused = company.get("mia", f"/sources/{shop.id}/streams", cursor="x")
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "cursor")
    assert company.get("nora", f"/sources/{shop.id}/streams").status_code == 404


def test_adding_a_source_asks_for_editor_on_its_layer(company: Company) -> None:
    assert add(company, "nora").status_code == 422
    refused = add(company, "vic")
    assert refused.status_code == 403
    assert refused.json()["decision"]["action"] == "add_pipelines"
    assert add(company, "tab").status_code == 403  # Editor on one of its tables is not enough
    added = add(company, "eve", streams=[stream("new")])
    assert added.status_code == 201
    assert added.json()["owner"]["id"] == str(company.id("eve"))


def test_a_stream_into_a_layer_beyond_ones_level_lets_nothing_of_the_source_stay(company: Company) -> None:
    company.grant(company.trusted, "eve", "Viewer")
    refused = add(company, "eve", streams=[stream("new", output_layer_id=str(company.trusted.id))])
    assert refused.status_code == 403
    assert company.names("olga", "/sources") == []


def test_creating_a_source_gives_no_level(company: Company) -> None:
    source = add(company, "eve").json()["id"]
    with company.database.session() as session:
        session.execute(delete(Grant).where(Grant.member_id == company.id("eve")))
    assert company.get("eve", f"/sources/{source}").status_code == 404
    assert company.names("eve", "/sources") == []


def test_who_edits_one_table_edits_a_source_that_lands_there_and_adds_no_stream(
    company: Company, shop: Pipeline
) -> None:
    tab = company.as_("tab")
    assert tab.patch(f"{SOURCES}/{shop.id}", json={"description": "Orders of the shop"}).status_code == 200
    refused = tab.post(f"{SOURCES}/{shop.id}/streams", json=stream("returns"))
    assert refused.status_code == 403
    assert refused.json()["decision"]["resource_type"] == "layer"


def test_a_disabled_stream_does_not_count_and_enabling_it_asks_for_its_table(company: Company, shop: Pipeline) -> None:
    tab, customers = company.as_("tab"), streams_of(company, shop)["customers"]
    path = f"{SOURCES}/{shop.id}/streams/{customers.id}"
    assert [one["name"] for one in tab.get(f"{SOURCES}/{shop.id}/streams").json()["items"]] == ["orders"]
    assert tab.get(path).status_code == 404
    assert tab.patch(path, json={"enabled": True}).status_code == 404
    company.grant(company.customers, "tab", "Viewer")
    assert tab.get(path).status_code == 200
    refused = tab.patch(path, json={"enabled": True})
    assert refused.status_code == 403
    assert refused.json()["decision"]["facts"]["level"] == "Viewer"
    assert not streams_of(company, shop)["customers"].enabled
    assert company.as_("eve").patch(path, json={"enabled": True}).status_code == 200
    # Now it counts: Tab, Viewer on customers, no longer edits the source, nor starts it.
    assert tab.patch(f"{SOURCES}/{shop.id}", json={"description": "Mine"}).status_code == 403
    assert tab.post(f"{SOURCES}/{shop.id}/runs").status_code == 403


def test_what_one_changes_has_to_lie_within_ones_level_after_the_change_too(company: Company, shop: Pipeline) -> None:
    orders = streams_of(company, shop)["orders"]
    company.grant(company.trusted, "tab", "Editor")
    path = f"{SOURCES}/{shop.id}/streams/{orders.id}"
    onto_hidden = {"output_layer_id": str(company.raw.id), "output_name": "customers"}
    assert company.as_("tab").patch(path, json=onto_hidden).status_code == 403  # the layer raw is not Tab's
    elsewhere = {"output_layer_id": str(company.trusted.id), "output_name": "orders"}
    assert company.as_("tab").patch(path, json=elsewhere).status_code == 200


def test_a_source_of_a_volume_asks_for_the_volume(company: Company, shop: Pipeline) -> None:
    files = {"type": "files", "volume_id": str(company.files.id), "format": "csv"}
    pattern = {"name": "all", "settings": {"read": {"type": "files", "pattern": "*"}}}
    body = {"name": "Files", "connection": files, "output_layer_id": str(company.trusted.id), "streams": [pattern]}
    company.grant(company.trusted, "val", "Editor")
    company.grant(company.trusted, "gus", "Editor")
    assert company.as_("gus").post(SOURCES, json=body).status_code == 422  # for Gus there is no such volume
    refused = company.as_("val").post(SOURCES, json=body)
    assert refused.status_code == 403  # inputs count like outputs, and Val is Viewer there
    company.as_("olga").patch("/api/v1/tenant/settings", json={"reading_needs_only_viewer": True})
    assert company.as_("val").post(SOURCES, json=body).status_code == 201
    assert company.names("gus", "/sources") == []


def test_a_source_of_a_table_asks_for_the_table(company: Company) -> None:
    read = {"type": "table", "table_id": str(company.revenue.id)}
    body = {
        "name": "Copy",
        "connection": {"type": "table"},
        "output_layer_id": str(company.raw.id),
        "streams": [{"name": "revenue", "settings": {"read": read}}],
    }
    assert company.as_("eve").post(SOURCES, json=body).status_code == 422
    company.grant(company.revenue, "eve", "Viewer")
    assert company.as_("eve").post(SOURCES, json=body).status_code == 403
    company.grant(company.revenue, "group", "Editor")
    company.grant(company.raw, "gus", "Editor")
    assert company.as_("gus").post(SOURCES, json=body).status_code == 201


def test_deleting_needs_manager_says_what_hangs_on_it_and_leaves_the_tables(company: Company, shop: Pipeline) -> None:
    path = f"{SOURCES}/{shop.id}"
    assert company.as_("eve").delete(path, params={"confirm": "Shop"}).status_code == 403
    asked = company.as_("mia").delete(path)
    assert asked.status_code == 409
    assert asked.json()["tables_that_stay"] == ["raw.customers", "raw.orders"]
    assert company.as_("mia").delete(path, params={"confirm": "Shop"}).status_code == 200
    assert company.get("mia", f"/sources/{shop.id}").status_code == 404
    with company.database.read() as session:
        assert session.get(Table, company.orders.id) is not None
    assert [entry.resource_name for entry in company.audited("delete_pipeline")] == ["Shop"]


def test_admins_change_the_owner_and_runs_act_as_them(company: Company, shop: Pipeline) -> None:
    path = f"{SOURCES}/{shop.id}"
    owner = {"owner_id": str(company.id("eve"))}
    assert company.as_("mia").put(f"{path}/owner", json=owner).status_code == 403
    assert company.as_("adam").put(f"{path}/owner", json=owner).json()["owner"]["name"] == "Eve"
    started = company.as_("mia").post(f"{path}/runs")
    assert started.status_code == 202
    with company.database.read() as session:
        run = session.get_one(Run, UUID(started.json()["run_id"]))
        assert (run.acts_as_id, run.started_by_id) == (company.id("eve"), company.id("mia"))


def test_what_rests_is_started_by_nobody(company: Company, shop: Pipeline) -> None:
    path = f"{SOURCES}/{shop.id}"
    assert company.as_("eve").post(f"{path}/deactivate").json()["active"] is False
    assert company.as_("eve").post(f"{path}/runs").status_code == 409
    assert company.as_("eve").post(f"{path}/activate").json()["active"] is True
    assert company.as_("eve").post(f"{path}/runs").status_code == 202


def test_what_reads_nothing_is_not_started(company: Company, shop: Pipeline) -> None:
    empty = add(company, "eve", name="Nothing yet").json()["id"]
    refused = company.as_("eve").post(f"{SOURCES}/{empty}/runs")
    assert refused.status_code == 409
    assert "Add a stream first" in refused.json()["detail"]
    orders = streams_of(company, shop)["orders"]
    assert company.as_("mia").patch(f"{SOURCES}/{shop.id}/streams/{orders.id}", json={"enabled": False}).is_success
    assert company.as_("mia").post(f"{SOURCES}/{shop.id}/runs").status_code == 409


def test_settings_that_do_not_go_together_are_named_as_they_were_sent(company: Company, shop: Pipeline) -> None:
    orders, mia = streams_of(company, shop)["orders"], company.as_("mia")
    of_database, path = {"type": "postgresql", "table": "orders"}, f"{SOURCES}/{shop.id}/streams"
    other = {"name": "other", "settings": {"read": of_database}}
    of_nothing = {"type": "table", "table_id": str(new_id())}
    tables = {"connection": {"type": "table"}, "output_layer_id": str(company.raw.id), "name": "Tables"}
    for wrong, field, fix in (
        (
            mia.patch(f"{path}/{orders.id}", json={"settings": {"read": of_database}}),
            "settings.read.type",
            "Give http.",
        ),
        (
            mia.patch(f"{path}/{orders.id}", json={"settings": {"mode": "incremental", "read": of_database}}),
            "settings.cursor_column",
            "Give a column whose values grow, or read in full.",
        ),
        (mia.post(path, json=other), "settings.read.type", "Give http."),
        (
            company.as_("eve").post(
                SOURCES, json={**tables, "streams": [{"name": "orders", "settings": {"read": of_nothing}}]}
            ),
            "streams.0.settings.read.table_id",
            "List the tables you see: GET /api/v1/tables",
        ),
    ):
        assert wrong.status_code == 422
        (error,) = wrong.json()["errors"]
        assert error["field"] == field, wrong.text
        assert error["fix"] == fix


def test_a_secret_is_never_shown_and_forgotten_when_the_source_points_elsewhere(company: Company) -> None:
    secret = "hunter2-very-secret"
    added = add(company, "eve", secret=secret)
    path = f"{SOURCES}/{added.json()['id']}"
    eve = company.as_("eve")
    assert added.json()["has_secret"] is True
    assert eve.patch(path, json={"connection": {**HTTP, "url": "https://shop.example.com/v2"}}).json()["has_secret"]
    moved = eve.patch(path, json={"connection": {**HTTP, "url": "https://evil.example.com"}})
    assert moved.json()["has_secret"] is False
    again = eve.patch(path, json={"connection": HTTP, "secret": secret})
    assert again.json()["has_secret"] is True
    everything = [added.text, moved.text, again.text, eve.get(path).text, company.get("olga", "/audit").text]
    assert not any(secret in text for text in everything)
    with company.database.engine.connect() as connection:
        stored = connection.exec_driver_sql("SELECT credentials FROM pipeline").scalar_one()
    assert secret not in stored


@pytest.mark.parametrize(
    ("connection", "field"),
    [
        ({"type": "http", "url": "https://a:b@example.com"}, "url"),
        ({"type": "http", "url": "https://example.com", "headers": {"Authorization": "x"}}, "headers"),
        ({"type": "http", "url": "file:///etc/passwd"}, "url"),
        ({"type": "files", "format": "csv"}, "connection"),
        ({"type": "files", "format": "csv", "folder": "/etc"}, "connection.folder"),
        ({"type": "postgresql", "host": "/tmp", "database": "x", "user": "y"}, "host"),
    ],
)
def test_what_a_source_cannot_point_to_is_refused(company: Company, connection: dict[str, Any], field: str) -> None:
    body = {"name": "Odd", "connection": connection, "output_layer_id": str(company.raw.id)}
    refused = company.as_("eve").post(SOURCES, json=body)
    assert refused.status_code == 422
    assert field in refused.text


def test_a_stream_lands_in_no_table_that_others_replace_or_that_it_reads(company: Company, shop: Pipeline) -> None:
    add(company, "eve", name="Other")
    full = add(company, "eve", name="Third", streams=[stream("orders")])
    assert full.status_code == 409
    growing = stream("orders")
    growing["settings"] |= {"mode": "incremental", "cursor_column": "id"}
    assert add(company, "eve", name="Fourth", streams=[growing]).status_code == 201
    assert add(company, "eve", name="Fifth", streams=[stream("fresh")]).status_code == 201
    assert add(company, "eve", name="Sixth", streams=[stream("fresh")]).status_code == 409


def test_incremental_reading_needs_a_cursor(company: Company, shop: Pipeline) -> None:
    orders = streams_of(company, shop)["orders"]
    path = f"{SOURCES}/{shop.id}/streams/{orders.id}"
    refused = company.as_("eve").patch(path, json={"settings": {"mode": "incremental"}})
    assert refused.status_code == 422
    assert "cursor" in refused.text
    changed = company.as_("eve").patch(path, json={"settings": {"mode": "incremental", "cursor_column": "id"}})
    assert changed.json()["settings"]["cursor_column"] == "id"


def test_a_test_of_the_connection_is_seen_by_who_asked_only(company: Company, shop: Pipeline) -> None:
    asked = company.as_("eve").post(f"{SOURCES}/{shop.id}/discover", params={"wait": 0})
    assert asked.status_code == 202
    run = asked.json()["run_id"]
    assert company.get("eve", f"/runs/{run}").status_code == 200
    assert company.get("mia", f"/runs/{run}").status_code == 404
    assert company.get("olga", f"/runs/{run}").status_code == 404


def test_folders_are_allowed_by_setting_and_links_do_not_lead_out(tmp_path: Path, company: Company) -> None:
    from bailiwick.lakehouse.sources.service import is_allowed_folder
    from bailiwick.settings import load_settings

    allowed = tmp_path / "allowed"
    (allowed / "in").mkdir(parents=True)
    (allowed / "out").symlink_to("/etc")
    settings = load_settings(home=tmp_path / "home", source_folders=str(allowed))
    assert is_allowed_folder(str(allowed / "in"), settings)
    assert not is_allowed_folder(str(allowed / "out"), settings)
    assert not is_allowed_folder(str(allowed / "in" / ".." / ".."), settings)
