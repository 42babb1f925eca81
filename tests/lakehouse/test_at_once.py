"""Several people at one thing at the same moment: one of them does it, and nothing is left that names what is gone."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from httpx import Response
from sqlalchemy import select

from bailiwick.lakehouse.models import Pipeline
from bailiwick.runs.models import Run, Trigger, TriggerUpstream
from tests.lakehouse.company import API, Company
from tests.lakehouse.making import make_layer, make_pipeline, make_table, make_volume
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
