"""Saved queries: who sees them, who runs them as whom, who deletes them."""

from __future__ import annotations

from typing import Any

import pytest

from bailiwick.database.engine import Database
from bailiwick.worker.working import Worker
from tests.lakehouse.deltas import MakeDelta
from tests.lakehouse.making import make_grant, make_layer, make_saved_query, make_table
from tests.lakehouse.queries.test_pipeline import saved
from tests.people import SignInAs, TestClient, make_member

BODY = {"name": "Orders", "sql": "SELECT count(*) AS n FROM raw.orders"}


@pytest.fixture
def people(database: Database) -> dict[str, Any]:
    """Ann and Vic see raw, Ed edits it, Noa has nothing, Olga owns the place."""
    with database.session() as session:
        raw = make_layer(session, "raw")
        found = {name: make_member(session, name) for name in ("Ann", "Vic", "Ed", "Noa")}
        for name, level in {"Ann": "Viewer", "Vic": "Viewer", "Ed": "Editor"}.items():
            make_grant(session, raw, found[name], level)
        return {**found, "Olga": make_member(session, "Olga", role="owner")}


def listed(client: TestClient) -> list[str]:
    return [one["name"] for one in client.get("/api/v1/saved-queries").json()["items"]]


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_query_is_saved_with_what_it_reads_and_run_as_whoever_runs_it(
    database: Database, people: dict[str, Any], make_delta: MakeDelta, worker: Worker, sign_in_as: SignInAs
) -> None:
    orders = make_delta("raw.orders", "SELECT id FROM range(4)")
    ann = sign_in_as(people["Ann"])
    query = saved(ann, worker, "/api/v1/saved-queries", {**BODY, "shared": True})
    assert query["reads"] == [{"id": str(orders.id), "name": "raw.orders"}]
    path = f"/api/v1/saved-queries/{query['id']}"
    vic = sign_in_as(people["Vic"])
    started = vic.post(f"{path}/runs?wait=0").json()
    worker.drain()
    assert vic.get(f"/api/v1/queries/{started['id']}/rows").json()["rows"] == [[4]]
    assert ann.get(f"/api/v1/queries/{started['id']}").status_code == 404  # Vic ran it, so the rows are Vic's
    noa = sign_in_as(people["Noa"])
    assert noa.get(path).status_code == 404
    assert noa.post(f"{path}/runs?wait=0").status_code == 404


def test_a_query_keeps_how_it_is_drawn(database: Database, people: dict[str, Any], sign_in_as: SignInAs) -> None:
    with database.session() as session:
        query = make_saved_query(session, "Orders", people["Ann"])
    ann, path = sign_in_as(people["Ann"]), f"/api/v1/saved-queries/{query.id}"

    def drawn(**chosen: Any) -> Any:
        answer = ann.patch(path, json=chosen)
        assert answer.status_code == 200, answer.text
        return answer.json()["chart"]

    undecided = {"mark": None, "x": None, "y": None, "colour": None, "how": None}
    assert ann.get(path).json()["chart"] is None
    assert drawn(chart={}) == undecided
    assert drawn(chart={"mark": "line", "x": 0, "colour": -1}) == {**undecided, "mark": "line", "x": 0, "colour": -1}
    assert drawn(name="Other orders") == {**undecided, "mark": "line", "x": 0, "colour": -1}
    (latest, *_) = ann.get("/api/v1/audit", params={"resource_id": str(query.id)}).json()["items"][1:]
    assert (latest["before"]["chart"], latest["after"]["chart"]) == ({}, {"mark": "line", "x": 0, "colour": -1})
    assert drawn(chart=None) is None
    for wrong, field in (({"mark": "pie"}, "mark"), ({"x": -1}, "x"), ({"colour": -2}, "colour"), ({"z": 1}, "z")):
        refused = ann.patch(path, json={"chart": wrong})
        assert refused.status_code == 422
        assert f"chart.{field}" in refused.text
    assert ann.get(path).json()["chart"] is None


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_query_on_what_one_may_not_read_is_not_saved(
    people: dict[str, Any], make_delta: MakeDelta, worker: Worker, sign_in_as: SignInAs
) -> None:
    make_delta("raw.orders", "SELECT 1 AS id")
    noa = sign_in_as(people["Noa"])
    refused = saved(noa, worker, "/api/v1/saved-queries", BODY, expect=422)
    assert "raw.orders" in str(refused)
    assert listed(noa) == []


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_an_analysis_belongs_to_its_statement_and_to_whoever_asked(
    people: dict[str, Any], make_delta: MakeDelta, worker: Worker, sign_in_as: SignInAs
) -> None:
    make_delta("raw.orders", "SELECT 1 AS id")
    ann, vic = sign_in_as(people["Ann"]), sign_in_as(people["Vic"])
    started = ann.post("/api/v1/saved-queries?wait=0", json=BODY).json()
    assert ann.post(f"/api/v1/saved-queries?analysis={started['run_id']}", json=BODY).status_code == 409
    worker.drain()
    other = {**BODY, "sql": "SELECT 2"}
    assert ann.post(f"/api/v1/saved-queries?analysis={started['run_id']}", json=other).status_code == 422
    assert vic.post(f"/api/v1/saved-queries?analysis={started['run_id']}", json=BODY).status_code == 422
    assert ann.post(f"/api/v1/saved-queries?analysis={started['run_id']}", json=BODY).status_code == 201


def test_lists_show_what_looking_shows(database: Database, people: dict[str, Any], sign_in_as: SignInAs) -> None:
    with database.session() as session:
        seen, hidden = make_table(session, "seen"), make_table(session, "hidden", layer="service")
        for author in ("Ann", "Noa"):
            for reads in ((), (seen,), (seen, hidden)):
                for shared in (True, False):
                    name = f"{author} {len(reads)} {'shared' if shared else 'own'}"
                    make_saved_query(session, name, people[author], reads=reads, shared=shared)
    everything = {f"{a} {n} {s}" for a in ("Ann", "Noa") for n in (0, 1, 2) for s in ("shared", "own")}
    expected = {
        "Ann": {"Ann 0 own", "Ann 0 shared", "Ann 1 own", "Ann 1 shared", "Noa 0 shared", "Noa 1 shared"},
        "Vic": {"Ann 0 shared", "Ann 1 shared", "Noa 0 shared", "Noa 1 shared"},
        "Ed": {"Ann 0 shared", "Ann 1 shared", "Noa 0 shared", "Noa 1 shared"},
        "Noa": {"Noa 0 own", "Noa 0 shared", "Ann 0 shared"},  # of what they read, they may read nothing
        "Olga": everything,
    }
    ids = {one["name"]: one["id"] for one in sign_in_as(people["Olga"]).get("/api/v1/saved-queries").json()["items"]}
    for name, wanted in expected.items():
        client = sign_in_as(people[name])
        assert set(listed(client)) == wanted, name
        for query, id_ in ids.items():
            assert client.get(f"/api/v1/saved-queries/{id_}").status_code == (200 if query in wanted else 404)


def test_its_author_shares_it_and_editors_delete_what_is_shared(
    database: Database, people: dict[str, Any], sign_in_as: SignInAs
) -> None:
    with database.session() as session:
        orders = make_table(session, "orders")
        query = make_saved_query(session, "Orders", people["Ann"], reads=[orders])
    path = f"/api/v1/saved-queries/{query.id}"
    ann, vic, ed = (sign_in_as(people[name]) for name in ("Ann", "Vic", "Ed"))
    assert ed.get(path).status_code == 404
    assert ann.patch(path, json={"shared": True}).json()["shared"] is True
    assert vic.get(path).json()["actions"] == ["see", "execute"]
    assert vic.patch(path, json={"name": "Mine"}).status_code == 403
    assert vic.delete(path).status_code == 403
    assert ed.get(path).json()["actions"] == ["see", "execute", "delete"]
    assert ed.delete(path).status_code == 204
    assert ann.get(path).status_code == 404


def test_a_name_is_taken_once_by_each_author(database: Database, people: dict[str, Any], sign_in_as: SignInAs) -> None:
    with database.session() as session:
        make_saved_query(session, "Orders", people["Ann"])
        mine = make_saved_query(session, "Others", people["Ann"])
    ann, vic = sign_in_as(people["Ann"]), sign_in_as(people["Vic"])
    assert ann.post("/api/v1/saved-queries?wait=0", json={"name": "orders", "sql": "SELECT 1"}).status_code == 409
    assert ann.patch(f"/api/v1/saved-queries/{mine.id}", json={"name": "Orders"}).status_code == 409
    assert vic.post("/api/v1/saved-queries?wait=0", json={"name": "Orders", "sql": "SELECT 1"}).status_code == 202
