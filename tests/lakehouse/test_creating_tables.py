"""New tables without data: who may ask for one, of which columns, and what is written down when it was made."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from bailiwick.access.decision import Refused
from bailiwick.errors import Conflict
from bailiwick.lakehouse import creating_tables
from bailiwick.lakehouse.models import Grant, Table
from bailiwick.runs.errors import RunProblem
from bailiwick.runs.models import Run
from bailiwick.runs.queue import enqueue
from bailiwick.runs.subjects import SUBJECTS
from bailiwick.settings import Settings
from bailiwick.spark.jobs import Column, Written
from tests.lakehouse.company import API, Company
from tests.lakehouse.making import make_layer, make_table
from tests.people import as_caller

COLUMNS = [{"name": "id", "type": "bigint"}, {"name": "Amount", "type": "Decimal(10, 2)", "description": "In EUR."}]


def ask(company: Company, who: str, **changes: Any) -> Any:
    body = {"layer": str(company.raw.id), "name": "made", "columns": COLUMNS, **changes}
    return company.as_(who).post(f"{API}/tables?wait=0", json=body)


def written(*columns: Column) -> Written:
    return Written(location="", delta_version=0, rows_written=0, rows=0, bytes=0, columns=columns, metadata={})


def test_editors_of_a_layer_ask_for_tables_in_it(company: Company) -> None:
    for who, code in (("nora", 404), ("vic", 403), ("tab", 403), ("val", 403), ("eve", 202), ("adam", 202)):
        answer = ask(company, who, name=f"made_by_{who}")
        assert answer.status_code == code, answer.text
    assert answer.json()["state"] == "queued"
    assert answer.json()["table"] is None
    assert company.names("eve", "/tables", search="made") == []  # it is there once it was made
    assert ask(company, "eve", name="orders").status_code == 409


@pytest.mark.parametrize(
    "columns",
    [
        [],
        [{"name": "a", "type": "nothing"}],
        [{"name": "a", "type": "int, b string"}],
        [{"name": "a", "type": "int) LOCATION '/tmp"}],
        [{"name": "a", "type": "decimal(39,2)"}],
        [{"name": "a", "type": "decimal(5,6)"}],
        [{"name": "a", "type": "array<array<int>>"}],
        [{"name": "a", "type": "struct<b:int>"}],
        [{"name": "a b", "type": "int"}],
        [{"name": "a`", "type": "int"}],
        [{"name": "1a", "type": "int"}],
        [{"name": "a", "type": "int"}, {"name": "A", "type": "int"}],
    ],
)
@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_columns_have_a_name_of_their_own_and_a_type_from_the_list(company: Company, columns: Any) -> None:
    assert ask(company, "eve", columns=columns).status_code == 422


@pytest.mark.parametrize(
    "type_", ["STRING", "timestamp_ntz", "array<string>", "array<decimal(38,38)>", "decimal( 1 , 0 )"]
)
@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_types_are_written_in_any_case(company: Company, type_: str) -> None:
    assert ask(company, "eve", columns=[{"name": "a", "type": type_}]).status_code == 202


def test_what_was_made_is_written_down(company: Company, settings: Settings) -> None:
    run_id = UUID(ask(company, "eve", description="By hand.").json()["run_id"])
    with company.database.session() as session:
        run = session.get_one(Run, run_id)
        job = creating_tables.prepare(session, run, settings)
        assert job.location == f"{settings.warehouse}/tables/{run.subject_id}"
        assert [(column.name, column.type) for column in job.columns] == [("id", "bigint"), ("Amount", "decimal(10,2)")]
        creating_tables.finish(session, run, written(*job.columns))
    table = company.get("eve", f"/tables/{run.subject_id}").json()
    assert (table["full_name"], table["description"], table["rows"]) == ("raw.made", "By hand.", 0)
    assert [(field["name"], field["description"]) for field in table["fields"]] == [("id", ""), ("Amount", "In EUR.")]
    (entry,) = company.audited("create_table")
    assert (entry.actor_id, entry.resource_name) == (company.id("eve"), "raw.made")
    assert entry.decision is not None


def test_who_lost_the_level_meanwhile_makes_nothing(company: Company, settings: Settings) -> None:
    run_id = UUID(ask(company, "eve").json()["run_id"])
    with company.database.session() as session:
        run = session.get_one(Run, run_id)
        job = creating_tables.prepare(session, run, settings)
        session.query(Grant).where(Grant.member_id == company.id("eve")).delete()
        session.flush()
        with pytest.raises(Refused):
            creating_tables.prepare(session, run, settings)
        with pytest.raises(Refused):
            creating_tables.finish(session, run, written(*job.columns))


def test_a_name_that_was_taken_meanwhile_or_a_layer_that_is_gone_stops_it(company: Company, settings: Settings) -> None:
    with company.database.session() as session:
        empty = make_layer(session, "empty")
    runs = [
        UUID(ask(company, "adam").json()["run_id"]),
        UUID(ask(company, "adam", layer=str(empty.id)).json()["run_id"]),
    ]
    with company.database.session() as session:
        taken, gone = (session.get_one(Run, id_) for id_ in runs)
        make_table(session, "made")
        with pytest.raises(Conflict):
            creating_tables.prepare(session, taken, settings)
        session.delete(session.merge(empty))
        session.flush()
        with pytest.raises(RunProblem):
            creating_tables.prepare(session, gone, settings)


def test_its_run_is_seen_by_who_could_make_it_and_later_with_the_table(company: Company, settings: Settings) -> None:
    run_id = UUID(ask(company, "eve").json()["run_id"])
    for who, code in (("nora", 404), ("vic", 404), ("tab", 404), ("eve", 200), ("mia", 200), ("adam", 200)):
        assert company.get(who, f"/runs/{run_id}").status_code == code, who
    with company.database.session() as session:
        run = session.get_one(Run, run_id)
        creating_tables.finish(session, run, written(Column("id", "bigint")))
        assert session.get(Table, run.subject_id) is not None
        with pytest.raises(Conflict):
            SUBJECTS["new_table"].start(session, as_caller(company.people["adam"]), run.subject_id, None, None)
    for who, code in (("nora", 404), ("tab", 404), ("vic", 200), ("eve", 200)):
        assert company.get(who, f"/runs/{run_id}").status_code == code, who


def test_running_again_is_offered_where_it_can_be_had(company: Company) -> None:
    """A table is made once, a version restored once; what was looked at on the way to something is asked for anew."""
    with company.database.session() as session:
        eve = as_caller(session.merge(company.people["eve"]))
        common: dict[str, Any] = {"acts_as": eve.member, "started_by": eve.member, "subject_name": "raw.orders"}
        about: dict[str, tuple[str, str, UUID | None]] = {
            "a table that was made": ("create_table", "new_table", company.orders.id),
            "a restore": ("restore", "table", company.orders.id),
            "a look": ("preview_table", "query", None),
            "a query": ("query", "query", None),
        }
        runs = {}
        for what, (kind, type_, id_) in about.items():
            parameters = {"sql": "SELECT 1", "layer_id": str(company.raw.id)}
            runs[what] = enqueue(
                session, kind=kind, subject_type=type_, subject_id=id_, parameters=parameters, **common
            )
            runs[what].state = "failed"
        session.flush()
    asked = ask(company, "eve").json()
    with company.database.session() as session:
        runs["a table that is not there"] = session.get_one(Run, UUID(asked["run_id"]))
        runs["a table that is not there"].state = "failed"
    offered = {
        what: "run_again" in company.get("eve", f"/runs/{run.id}").json()["actions"] for what, run in runs.items()
    }
    assert offered == {
        "a table that was made": False,
        "a restore": False,
        "a look": False,
        "a query": True,
        "a table that is not there": True,
    }
    for what, run in runs.items():
        answer = company.as_("eve").post(f"{API}/runs/{run.id}/again")
        assert answer.status_code == (201 if offered[what] else 409), answer.text
