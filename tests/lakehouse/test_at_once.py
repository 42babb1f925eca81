"""Several people at one thing at the same moment: one of them does it, and nothing is left that names what is gone."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Thread
from types import ModuleType
from typing import Any

import pytest
from httpx import Response
from sqlalchemy import select
from sqlalchemy.orm.exc import StaleDataError

from bailiwick.lakehouse import outputs, pipelines
from bailiwick.lakehouse.models import Pipeline, Stream, Table
from bailiwick.lakehouse.sources import streams, syncing
from bailiwick.runs.models import Run, Trigger, TriggerUpstream
from bailiwick.settings import Settings
from bailiwick.spark.jobs import Column, Written
from bailiwick.spark.sources.jobs import StreamOutcome, SyncOutcome
from tests.lakehouse.company import API, Company
from tests.lakehouse.making import make_layer, make_pipeline, make_stream, make_table, make_volume
from tests.people import make_group


def at_once(*calls: Callable[[], Response]) -> list[int]:
    with ThreadPoolExecutor(len(calls)) as pool:
        return [answer.result().status_code for answer in [pool.submit(call) for call in calls]]


def test_of_two_who_delete_the_same_thing_one_does_and_the_other_finds_nothing(company: Company) -> None:
    olga, adam = company.as_("olga"), company.as_("adam")
    with company.database.session() as session:
        layer, group = make_layer(session, "spare"), make_group(session, "Spare")
        table, volume = make_table(session, "spare"), make_volume(session, "spare")
        pipeline, timed = (
            make_pipeline(session, name, company.people["olga"], output=company.customers)
            for name in ("Spare", "Timed")
        )
    subject = {"type": "pipeline", "id": str(timed.id)}
    trigger = olga.post(f"{API}/triggers", json={"subject": subject, "cron": "0 0 * * *"}).json()["id"]
    for path in (
        f"layers/{layer.id}",
        f"groups/{group.id}?confirm=Spare",
        f"tables/{table.id}?confirm=raw.spare",
        f"volumes/{volume.id}?confirm=raw.spare",
        f"pipeline-queries/{pipeline.id}?confirm=Spare",
        f"triggers/{trigger}",
    ):
        first, second = sorted(at_once(*(partial(who.delete, f"{API}/{path}") for who in (olga, adam))))
        assert (first // 100, second) == (2, 404), path


def test_nothing_is_started_or_waits_for_a_pipeline_that_is_being_deleted(company: Company) -> None:
    olga, adam, owner = company.as_("olga"), company.as_("adam"), company.people["olga"]
    for number in range(4):
        with company.database.session() as session:
            gone, other = (
                make_pipeline(session, f"{name} {number}", owner, reads=[company.orders], output=company.customers)
                for name in ("Gone", "Other")
            )
        at, subject = f"{API}/pipeline-queries/{gone.id}", {"type": "pipeline", "id": str(gone.id)}
        after = {"subject": {"type": "pipeline", "id": str(other.id)}, "after": [subject]}
        deleted, *others = at_once(
            partial(olga.delete, at, params={"confirm": f"Gone {number}"}),
            partial(adam.post, f"{at}/runs"),
            partial(adam.post, f"{API}/triggers", json={"subject": subject, "cron": "0 0 * * *"}),
            partial(adam.post, f"{API}/triggers", json=after),
        )
        assert deleted == 200
        assert set(others) <= {201, 202, 404, 422}
    with company.database.read() as session:
        there = set(session.scalars(select(Pipeline.id)))
        assert set(session.scalars(select(Trigger.subject_id))) <= there
        assert set(session.scalars(select(TriggerUpstream.subject_id))) <= there
        unended = select(Run.subject_id).where(Run.ended_at.is_(None), Run.cancel_asked_at.is_(None))
        assert set(session.scalars(unended)) <= there


# A run ends while somebody edits what it writes ----------------------------------------------------------------------

on_postgresql = pytest.mark.parametrize("database", ["postgresql"], indirect=True)  # SQLite lets one write at a time
LANDED = {"number": 1, "files": "until one"}


def meanwhile(monkeypatch: pytest.MonkeyPatch, module: ModuleType, act: Callable[[], None]) -> list[Thread]:
    """Whoever is about to change something has read it: before they do, this happens, or waits for them."""
    real = module.require_unchanged
    begun: list[Thread] = []

    def look(*told: Any) -> None:
        real(*told)
        if not begun:
            begun.append(Thread(target=act))
            begun[0].start()
            begun[0].join(1)

    monkeypatch.setattr(module, "require_unchanged", look)
    return begun


def end_sync(company: Company, stream: Stream) -> None:
    with company.database.session() as session:
        run = session.scalars(select(Run).where(Run.subject_id == stream.pipeline_id)).one()
        output = str(stream.planned_table_id)
        columns = (Column("id", "bigint"),)
        done = StreamOutcome(str(stream.id), "sales", True, LANDED, columns, 0, 1, output_id=output)
        syncing.finish(session, run, SyncOutcome((done,)))


def make_source(company: Company) -> Stream:
    with company.database.session() as session:
        settings = {"type": "files", "volume_id": str(company.files.id), "format": "csv"}
        source = make_pipeline(
            session, "Shop", company.people["eve"], kind="source", output_layer=company.raw, settings=settings
        )
        how = {"read": {"type": "files", "pattern": "*.csv"}, "mode": "incremental"}
        stream = make_stream(session, source, "sales", layer=company.raw, settings=how)
        company.make_run(session, source, state="running")
        return stream


@on_postgresql
def test_what_is_to_land_elsewhere_is_not_tied_to_where_a_run_has_just_landed_it(
    company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = make_source(company)
    begun = meanwhile(monkeypatch, streams, partial(end_sync, company, stream))
    path = f"{API}/sources/{stream.pipeline_id}/streams/{stream.id}"
    assert company.as_("eve").patch(path, json={"output_name": "elsewhere"}).status_code == 200
    begun[0].join()
    with company.database.read() as session:
        now = session.get_one(Stream, stream.id)
        assert (now.output_name, now.output_table_id, now.state) == ("elsewhere", None, {})


@on_postgresql
def test_a_pipeline_with_another_output_is_not_tied_to_the_table_that_its_run_has_just_made(
    company: Company, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    with company.database.session() as session:
        said = {"table_id": str(company.customers.id), "keys": ["id"], "columns": None, "as_of_column": None}
        history = make_pipeline(
            session,
            "Changes",
            company.people["eve"],
            kind="history",
            reads=[company.customers],
            output_layer=company.raw,
            output_name="first",
            settings=said,
        )
        run = company.make_run(session, history, state="running")
    refused: list[StaleDataError] = []

    def end() -> None:
        written = Written(f"{settings.warehouse}/tables/{history.planned_table_id}", 0, 1, 1, 10, (), {})
        try:
            with company.database.session() as session:
                pipeline = session.get_one(Pipeline, history.id)
                outputs.note_written(session, session.get_one(Run, run.id), pipeline, written, settings)
        except StaleDataError as error:  # the worker looks again
            refused.append(error)

    begun = meanwhile(monkeypatch, pipelines, end)
    answer = company.as_("eve").patch(f"{API}/histories/{history.id}", json={"output_name": "elsewhere"})
    begun[0].join()
    assert (answer.status_code, len(refused)) == (200, 1)
    with company.database.read() as session:
        now = session.get_one(Pipeline, history.id)
        assert (now.output_name, now.output_table_id) == ("elsewhere", None)
        assert "first" not in session.scalars(select(Table.name)).all()
