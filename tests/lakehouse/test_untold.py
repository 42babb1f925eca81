"""What somebody may not see is told by nothing that hangs on what they do see: runs, logs, entries, cursors."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import delete

from bailiwick.lakehouse.models import Grant, Pipeline, Stream
from bailiwick.lakehouse.pipeline_runs import acting_owner
from bailiwick.runs import ending
from bailiwick.runs.errors import Restricted
from bailiwick.runs.models import Run
from tests.lakehouse.company import API, Company
from tests.lakehouse.making import make_pipeline, make_stream
from tests.people import make_member

FACES = "\N{GRINNING FACE}" * 200


@pytest.fixture
def shop(company: Company) -> Pipeline:
    """A source of Olga's that lands in raw, and with a stream that rests in trusted, which of Members nobody sees."""
    with company.database.session() as session:
        settings = {"type": "files", "volume_id": str(company.files.id), "format": "csv"}
        of: dict[str, Any] = {"kind": "source", "output_layer": company.raw, "settings": settings}
        source = make_pipeline(session, "Shop", company.people["olga"], **of)
        how = {"read": {"type": "files", "pattern": "*.csv"}, "mode": "incremental"}
        make_stream(session, source, "sales", layer=company.raw, table=company.orders, settings=how)
        make_stream(session, source, "salaries", table=company.revenue, enabled=False, settings=how)
    return source


def stream_id(company: Company, name: str) -> UUID:
    with company.database.read() as session:
        return session.query(Stream.id).filter_by(name=name).scalar()  # type: ignore[no-any-return]


def told(company: Company, who: str, **query: Any) -> str:
    return json.dumps(company.get(who, "/audit", **query).json()["items"])


def test_an_entry_tells_of_the_streams_that_were_changed(company: Company, shop: Pipeline) -> None:
    path = f"{API}/sources/{shop.id}/streams/{stream_id(company, 'sales')}"
    change = {"settings": {"read": {"type": "files", "pattern": "new-*.csv"}}}
    assert company.as_("eve").patch(path, json=change).status_code == 200
    for reader in ("eve", "olga"):
        (entry,) = company.get(reader, "/audit", resource_id=str(shop.id)).json()["items"]
        assert set(entry["after"]) == {"kind", "stream sales"}
        assert entry["before"]["stream sales"]["settings"]["read"]["pattern"] == "*.csv"
        assert entry["after"]["stream sales"]["settings"]["read"]["pattern"] == "new-*.csv"


def test_what_is_deleted_unseen_is_on_record_for_who_reads_everything(company: Company, shop: Pipeline) -> None:
    assert company.as_("mia").delete(f"{API}/sources/{shop.id}", params={"confirm": "Shop"}).status_code == 200
    assert "stream sales" in told(company, "mia", resource_id=str(shop.id))
    assert "salaries" not in told(company, "mia", resource_id=str(shop.id))
    entries = company.get("olga", "/audit", resource_id=str(shop.id)).json()["items"]
    assert {entry["actor"] and entry["actor"]["name"] for entry in entries} == {None, "Mia"}
    (of_platform,) = (entry for entry in entries if entry["actor"] is None)
    assert of_platform["before"]["stream salaries"]["output_name"] == "revenue"


def run_of_both(company: Company, shop: Pipeline) -> Run:
    """From a time when both streams were at work."""
    counted = {"rows_written": 4711, "rows_rejected": 0}
    problems = {"sales": None, "salaries": "No file."}
    with company.database.session() as session:
        run = company.make_run(
            session,
            shop,
            state="failed",
            subject_name="Shop",
            result={"streams": [{"name": name, "problem": one, **counted} for name, one in problems.items()]},
            problem={"code": "no_file", "message": "salaries: No file.", "fix": "Bring salaries."},
        )
        run.kind = "sync"
        for line in ("Begun.", "sales: 1 row written.", "salaries: No file."):
            ending.log_line(session, run, line)
    return run


def test_a_run_tells_nothing_of_streams_that_its_reader_may_not_see(company: Company, shop: Pipeline) -> None:
    run = run_of_both(company, shop)
    whole, part = (company.get(who, f"/runs/{run.id}") for who in ("olga", "vic"))
    assert [one["name"] for one in whole.json()["result"]["streams"]] == ["sales", "salaries"]
    assert whole.json()["problem"]["message"] == "salaries: No file."
    assert [one["name"] for one in part.json()["result"]["streams"]] == ["sales"]
    assert part.json()["result"]["hidden"] == 1
    assert "salaries" not in part.text
    assert part.json()["problem"]["code"] == "no_file"
    assert "salaries" not in company.get("vic", "/runs").text

    def log(who: str, limit: int = 50) -> list[str]:
        return [line["text"] for line in company.get(who, f"/runs/{run.id}/log", limit=limit).json()["items"]]

    assert log("olga") == ["Begun.", "sales: 1 row written.", "salaries: No file."]
    assert log("vic") == ["Begun.", "sales: 1 row written."]
    assert company.get("vic", f"/runs/{run.id}/log", limit=2).json()["next_cursor"] is None
    events = company.as_("vic").get(f"{API}/runs/{run.id}/events")
    assert "1 row written" in events.text
    assert "salaries" not in events.text


def test_of_streams_that_are_gone_only_who_sees_everything_is_told(company: Company, shop: Pipeline) -> None:
    run = run_of_both(company, shop)
    with company.database.session() as session:
        session.delete(session.get_one(Stream, stream_id(company, "salaries")))
    assert "salaries" in company.get("olga", f"/runs/{run.id}").text
    assert "salaries" not in company.get("vic", f"/runs/{run.id}").text


def test_whoever_lost_a_pipeline_is_not_told_what_it_is_called_now(company: Company) -> None:
    with company.database.session() as session:
        said = {"table_id": str(company.customers.id), "keys": ["id"], "columns": None, "as_of_column": None}
        to: dict[str, Any] = {"output_layer": company.raw, "output_name": "first"}
        kept = make_pipeline(
            session, "Harmless", company.people["eve"], kind="history", reads=[company.customers], settings=said, **to
        )
        session.execute(delete(Grant).where(Grant.member_id == company.id("eve")))
    path = f"{API}/histories/{kept.id}"
    assert company.as_("eve").get(path).status_code == 404
    assert company.as_("olga").patch(path, json={"name": "Layoffs of 2027"}).status_code == 200
    run_id = company.as_("olga").post(f"{path}/runs").json()["run_id"]
    with company.database.session() as session:
        run = session.get_one(Run, UUID(run_id))
        with pytest.raises(Restricted) as restricted:
            acting_owner(session, run)
        ending.restrict(session, run, restricted.value)
    assert "Layoffs" not in told(company, "eve")
    (entry,) = (one for one in company.audited("run") if one.outcome == "refused")
    assert (entry.actor_id, entry.after["acts_as"]) == (None, str(company.id("eve")))  # type: ignore[index]
    assert "Layoffs" in told(company, "olga", outcome="refused")


def test_a_wrong_cursor_is_refused_whatever_waits_unseen(company: Company) -> None:
    with company.database.session() as session:
        seen = make_pipeline(session, "Seen", company.people["olga"], reads=[company.orders], output=company.customers)
        to: dict[str, Any] = {"reads": [company.revenue], "output": company.revenue}
        hidden = make_pipeline(session, "Hidden", company.people["olga"], **to)

    def answered() -> tuple[int, int]:
        found = company.get("vic", "/triggers", after_id=str(seen.id))
        assert found.json()["items"] == []
        return found.status_code, company.get("vic", "/triggers", after_id=str(seen.id), cursor="wrong").status_code

    assert answered() == (200, 422)
    after = [{"type": "pipeline", "id": str(seen.id)}]
    body = {"subject": {"type": "pipeline", "id": str(hidden.id)}, "after": after}
    assert company.as_("olga").post(f"{API}/triggers", json=body).status_code == 201
    assert answered() == (200, 422)


def test_runs_of_what_is_gone_are_listed_to_who_may_delete_them(company: Company) -> None:
    with company.database.session() as session:
        gone = make_pipeline(session, "Gone", company.people["olga"], reads=[company.orders], output=company.customers)
        run = company.make_run(session, gone, state="succeeded", subject_name="Gone")
    assert company.as_("olga").delete(f"{API}/pipeline-queries/{gone.id}?confirm=Gone").status_code == 200
    for query in ({}, {"subject_id": str(gone.id)}, {"search": "gone"}, {"sort": "name"}, {"looks": True}):
        listed = {who: company.get(who, "/runs", **query).json()["items"] for who in ("olga", "mia")}
        assert [one["id"] for one in listed["olga"]] == [str(run.id)], query
        assert listed["mia"] == [], query
    assert company.as_("olga").delete(f"{API}/runs/{run.id}").status_code == 204
    assert company.get("olga", "/runs").json()["items"] == []


def test_runs_that_maintain_a_layer_are_not_for_who_glimpses_it(company: Company) -> None:
    """Tab sees raw for the sake of one table; what maintains it tells of all of them."""
    with company.database.session() as session:
        run = Run(
            kind="maintenance", subject_type="layer", subject_id=company.raw.id, subject_name="Maintenance of raw"
        )
        run.number, run.acts_as_id, run.state = 1, company.id("olga"), "failed"
        run.problem = {"code": "maintenance", "message": "1 of 2 tables: customers: broken", "fix": ""}
        session.add(run)
    assert company.get("tab", f"/layers/{company.raw.id}").status_code == 200
    for who, sees in {"olga": True, "mia": True, "vic": True, "tab": False, "nora": False}.items():
        assert (company.get(who, f"/runs/{run.id}").status_code == 200) is sees, who
        assert bool(company.get(who, "/runs").json()["items"]) is sees, who
    company.change_plan("starter")
    assert company.get("nora", f"/runs/{run.id}").status_code == 200
    assert company.get("nora", "/runs").json()["items"] != []


def test_a_name_of_faces_does_not_stop_a_list(company: Company) -> None:
    assert company.as_("nora").patch(f"{API}/me", json={"name": FACES}).status_code == 200
    with company.database.session() as session:
        make_member(session, "\N{FAMILY}")
    for sort in ("name", "-name"):
        seen: list[str] = []
        cursor = None
        while True:
            page = company.get("olga", "/members", limit=1, sort=sort, **({"cursor": cursor} if cursor else {}))
            assert page.status_code == 200, page.text
            seen += [one["name"] for one in page.json()["items"]]
            cursor = page.json()["next_cursor"]
            if cursor is None:
                break
        assert FACES in seen
        assert seen == company.names("olga", "/members", sort=sort)
