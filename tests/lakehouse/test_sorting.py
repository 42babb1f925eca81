"""The order of lists: from either end, page by page, for whoever sees whatever part; a cursor is good for one order."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from bailiwick.database.base import new_id
from bailiwick.database.paging import write_cursor
from bailiwick.lakehouse.models import Pipeline, PipelineKind
from bailiwick.runs.models import Trigger
from bailiwick.tenancy.models import MemberState
from tests.lakehouse.company import Company
from tests.lakehouse.making import make_layer, make_pipeline, make_saved_query, make_table, make_volume
from tests.people import make_group, make_member, make_project

PIPELINES = {
    PipelineKind.SOURCE: "/sources",
    PipelineKind.QUERY: "/pipeline-queries",
    PipelineKind.NOTEBOOK: "/notebooks",
    PipelineKind.HISTORY: "/histories",
    PipelineKind.DESTINATION: "/lakehouse-destinations",
    PipelineKind.INTEGRATION: "/integrations",
}
LISTS = ("/members", "/groups", "/projects", "/layers", "/tables", "/volumes", "/saved-queries", *PIPELINES.values())
SETTINGS: dict[str, dict[str, Any]] = {
    PipelineKind.SOURCE: {"type": "files", "format": "csv", "volume_id": str(new_id())},
    PipelineKind.HISTORY: {"keys": ["id"], "columns": None, "as_of_column": None},
    PipelineKind.DESTINATION: {"columns": None, "target": {}},
}
THEN = datetime(2026, 5, 1, tzinfo=UTC)


@pytest.fixture
def filled(company: Company) -> Company:
    """Names that are equal, moments that are equal, and moments that are missing; all over the layers."""
    with company.database.session() as session:
        olga = session.merge(company.people["olga"])
        service = make_layer(session, "service")
        for number in range(4):
            make_member(session, "Same Name", email=f"same{number}@example.com").joined_at = THEN
            make_member(session, f"Guest {number}", state=MemberState.INVITED, role="viewer")
            make_group(session, f"Group {number}")
            make_project(session, f"Project {number}", olga)
            make_layer(session, f"layer_{number}")
            make_saved_query(session, f"Saved {number}", olga)
            for kind in PIPELINES:
                settings = {"table_id": str(company.orders.id)} if kind != PipelineKind.SOURCE else {}
                make_pipeline(
                    session,
                    f"{kind} {number}",
                    olga,
                    kind=kind,
                    reads=[company.orders],
                    settings=settings | SETTINGS.get(kind, {}),
                )
        started = session.scalars(select(Pipeline).where(Pipeline.kind == PipelineKind.QUERY))
        subjects = [("pipeline", one.id) for one in started] + [
            ("layer", one.id) for one in (company.raw, company.trusted)
        ]
        for type_, id_ in subjects:
            session.add(Trigger(subject_type=type_, subject_id=id_, kind="cron", cron="0 6 * * *", saved_by_id=olga.id))
        for number in range(9):
            changed = None if number % 3 == 0 else THEN + timedelta(microseconds=number // 2)
            for layer in (company.raw, company.trusted, service):
                make_table(session, f"t{number:02}", layer=layer, changed_at=changed)
            make_volume(session, f"v{number:02}", layer=service if number % 2 else company.raw)
    company.grant(service, "nora")
    company.grant(company.revenue, "nora")
    company.grant(company.orders, "All")
    company.grant(company.raw, "group")
    return company


def pages(company: Company, who: str, path: str, **query: Any) -> Iterator[dict[str, Any]]:
    cursor = None
    while True:
        answer = company.get(who, path, limit=3, **query, **({"cursor": cursor} if cursor else {}))
        assert answer.status_code == 200, answer.text
        yield from answer.json()["items"]
        if (cursor := answer.json()["next_cursor"]) is None:
            return


def ids(company: Company, who: str, path: str, **query: Any) -> list[str]:
    found = [item["id"] for item in pages(company, who, path, **query)]
    assert len(found) == len(set(found)), "something comes twice"
    return found


def _in_order(moments: dict[str, str | None], *, backwards: bool) -> list[str]:
    """By these moments and by id, from either end; what has none comes last in both."""
    by_id = sorted(moments, reverse=backwards)
    dated = {id_: datetime.fromisoformat(text) for id_ in by_id if (text := moments[id_])}
    return [*sorted(dated, key=dated.__getitem__, reverse=backwards), *(id_ for id_ in by_id if id_ not in dated)]


@pytest.mark.parametrize("path", LISTS)
def test_the_other_way_round_is_the_list_reversed(filled: Company, path: str) -> None:
    forwards = [*pages(filled, "olga", path)]
    assert len(forwards) > 3
    assert forwards == [*pages(filled, "olga", path, sort="name")]
    assert [*pages(filled, "olga", path, sort="-name")] == forwards[::-1]
    names = [item["name"] for item in filled.get("olga", path, limit=200, sort="-name").json()["items"]]
    assert names == [item["name"] for item in forwards[::-1]]


@pytest.mark.parametrize("who", ["olga", "vic", "tab", "nora", "gus"])
def test_tables_by_when_they_changed(filled: Company, who: str, monkeypatch: pytest.MonkeyPatch) -> None:
    by_name = {item["id"]: item["changed_at"] for item in pages(filled, who, "/tables")}
    for few in (1000, 0):  # who holds very many one by one walks through the list
        monkeypatch.setattr("bailiwick.lakehouse.seeing_data.FEW", few)
        assert ids(filled, who, "/tables", sort="-changed") == _in_order(by_name, backwards=True)
        assert ids(filled, who, "/tables", sort="changed") == _in_order(by_name, backwards=False)
        assert ids(filled, who, "/tables", sort="-name") == [*by_name][::-1]
    found = [item["name"] for item in pages(filled, who, "/tables", sort="-changed", search="t0")]
    assert set(found) == {item["name"] for item in pages(filled, who, "/tables", search="t0")}


def test_tables_of_one_layer_by_when_they_changed(filled: Company) -> None:
    for who in ("olga", "vic", "tab"):
        raw = {"layer": str(filled.raw.id)}
        by_name = {item["id"]: item["changed_at"] for item in pages(filled, who, "/tables", **raw)}
        assert ids(filled, who, "/tables", sort="-changed", **raw) == _in_order(by_name, backwards=True)
        assert ids(filled, who, "/tables", sort="changed", **raw) == _in_order(by_name, backwards=False)


@pytest.mark.parametrize("narrowed", [{}, {"state": "invited"}, {"tenant_role": "none"}, {"search": "same"}])
def test_members_by_when_they_joined(filled: Company, narrowed: dict[str, str]) -> None:
    by_name = {item["id"]: item["joined_at"] for item in pages(filled, "adam", "/members", **narrowed)}
    assert ids(filled, "adam", "/members", sort="-joined", **narrowed) == _in_order(by_name, backwards=True)
    assert ids(filled, "adam", "/members", sort="joined", **narrowed) == _in_order(by_name, backwards=False)


@pytest.mark.parametrize("who", ["olga", "vic", "nora"])
def test_triggers_by_the_name_of_what_they_start(filled: Company, who: str) -> None:
    def told(**query: Any) -> list[str]:
        return [item["subject"]["name"] for item in pages(filled, who, "/triggers", **query)]

    # Everybody may see raw.orders, which the pipelines read; Nora only glimpses its layer, and trusted.
    pipelines = [f"{PipelineKind.QUERY} {number}" for number in range(4)]
    layers = {"olga": ["raw", "trusted"], "vic": ["raw"], "nora": []}[who]
    names = [*(f"Maintenance of {name}" for name in layers), *pipelines]
    assert told(sort="name") == names
    assert told(sort="-name") == names[::-1]
    assert sorted(told()) == names
    assert told(search="maintenance of r") == (["Maintenance of raw"] if who != "nora" else [])
    assert told(search="QUERY 2") == [pipelines[2]]
    assert told(search="trusted") == (["Maintenance of trusted"] if who == "olga" else [])


def test_a_cursor_is_good_for_its_own_order_alone(filled: Company) -> None:
    for path, orders in (
        ("/tables", ("name", "-name", "changed", "-changed")),
        ("/members", ("name", "-name", "joined", "-joined")),
        ("/volumes", ("name", "-name")),
        ("/triggers", ("created", "-created", "name", "-name", "next", "-next", "fired", "-fired")),
    ):
        for sort in orders:
            cursor = filled.get("olga", path, sort=sort, limit=2).json()["next_cursor"]
            for other in orders:
                answer = filled.get("olga", path, sort=other, limit=2, cursor=cursor)
                if other == sort:
                    assert answer.status_code == 200
                else:
                    _refused(answer, "cursor", "This is not a cursor of this list.")


@pytest.mark.parametrize("moment", ["x", "\0", "2026-13-01", "0001-01-01T00:00:00+12:00", "9999-12-31T23:59:59-12:00"])
def test_a_cursor_with_no_moment_is_none(filled: Company, moment: str) -> None:
    for who in ("olga", "edda"):  # who sees nothing is told the same
        cursor = write_cursor("changed", moment, str(new_id()))
        _refused(filled.get(who, "/tables", sort="changed", cursor=cursor), "cursor", "This is not a cursor")
    cursor = write_cursor("changed", THEN.isoformat(), "no id")
    _refused(filled.get("olga", "/tables", sort="changed", cursor=cursor), "cursor", "This is not a cursor")


@pytest.mark.parametrize("path", LISTS)
def test_an_order_that_is_none_is_refused_by_its_field(filled: Company, path: str) -> None:
    for sort in ("", "size", "--name", "-", "NAME", *(["changed"] if path != "/tables" else ["joined"])):
        _refused(filled.get("olga", path, sort=sort), "sort")


def _refused(answer: Any, field: str, message: str = "") -> None:
    assert answer.status_code == 422, answer.text
    (error,) = answer.json()["errors"]
    assert error["field"] == field
    assert message in error["problem"]
