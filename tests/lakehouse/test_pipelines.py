"""Pipelines of all kinds: the list shows exactly those that can be looked at, whatever they read and write."""

from __future__ import annotations

import random

import pytest

from bailiwick.lakehouse.models import Layer, PipelineKind, Table, Volume
from bailiwick.lakehouse.pipelines import SEE, decide, list_pipelines
from bailiwick.tenancy.models import Group, Member, Tenant
from tests.lakehouse.company import Company
from tests.lakehouse.making import make_grant, make_layer, make_pipeline, make_stream, make_table, make_volume
from tests.people import as_caller
from tests.runs.making import make_run

KINDS = [PipelineKind.SOURCE, PipelineKind.QUERY, PipelineKind.DESTINATION]


@pytest.mark.parametrize("plan", ["growth", "starter"])
@pytest.mark.parametrize("seed", range(4))
def test_the_list_and_the_decision_agree_on_random_worlds(company: Company, seed: int, plan: str) -> None:
    chance = random.Random(seed)
    with company.database.session() as session:
        session.get_one(Tenant, 1).plan = plan
        layers = [make_layer(session, name) for name in ("raw", "trusted", "third")]
        tables = [make_table(session, f"t{n}", layer=chance.choice(layers)) for n in range(6)]
        volumes = [make_volume(session, f"v{n}", layer=chance.choice(layers)) for n in range(3)]
        people = [company.people[name] for name in ("gus", "nora", "edda", "adam")]
        things: list[Layer | Table | Volume] = [*layers, *tables, *volumes]
        data: list[Table | Volume] = [*tables, *volumes]
        holders: list[Member | Group | str] = [*people[:3], company.group, "All"]
        for thing in chance.sample(things, 6):
            level = chance.choice(["Viewer", "Editor"])
            make_grant(session, thing, chance.choice(holders), level)
        for number in range(25):
            kind = chance.choice(KINDS)
            reads = chance.sample(data, chance.choice([0, 0, 1, 2]))
            layer = chance.choice([None, *layers])
            if kind == PipelineKind.SOURCE:
                source = make_pipeline(session, f"p{number}", people[0], kind=kind, output_layer=layer)
                for stream in range(chance.randrange(3)):
                    lands = {"table": chance.choice(tables)} if chance.random() < 0.6 else {"layer": layers[0]}
                    enabled = chance.random() < 0.6
                    make_stream(session, source, f"s{stream}", enabled=enabled, reads=reads, **lands)
            elif kind == PipelineKind.QUERY:
                output = chance.choice([None, *tables])
                name = "new" if output is None and layer is not None else None
                make_pipeline(
                    session,
                    f"p{number}",
                    people[0],
                    kind=kind,
                    reads=reads,
                    output=output,
                    output_layer=layer,
                    output_name=name,
                )
            else:
                writes = chance.sample(volumes, chance.randrange(2))
                make_pipeline(session, f"p{number}", people[0], kind=kind, reads=reads, writes=writes)
    with company.database.read() as session:
        for person in people:
            caller = as_caller(person, *([company.group] if person.name == "Gus" else []))
            admin = as_caller(company.people["olga"])
            for kind in KINDS:
                everything = [seen.pipeline for seen in list_pipelines(session, admin, kind, limit=100).items]
                listed = [seen.pipeline.name for seen in list_pipelines(session, caller, kind, limit=100).items]
                seen = [one.name for one in everything if decide(session, caller, one, SEE).allowed]
                assert listed == seen


def test_a_pipeline_tells_of_its_last_run_and_a_run_its_counts_to_whoever_sees_it(company: Company) -> None:
    with company.database.session() as session:
        olga = session.get_one(Member, company.id("olga"))
        orders = session.get_one(Table, company.orders.id)
        for name, runs in (("Never", 0), ("Twice", 2)):
            pipeline = make_pipeline(session, name, olga, output=orders, settings={"sql": "SELECT 1"})
            made = [
                make_run(session, olga, subject_id=pipeline.id, subject_type="pipeline", kind="pipeline_query")
                for _ in range(runs)
            ]
        made[-1].result = {"rows": 3}
    subject = {"type": "pipeline", "id": str(pipeline.id)}
    answer = company.as_("olga").post("/api/v1/triggers", json={"subject": subject, "cron": "0 6 * * *"})
    assert answer.json()["subject"] == {**subject, "name": "Twice", "kind": "query"}
    listed = {one["name"]: one["last_run"] for one in company.get("vic", "/pipeline-queries").json()["items"]}
    assert listed["Never"] is None
    assert (listed["Twice"]["number"], listed["Twice"]["state"]) == (2, "queued")
    assert company.get("vic", f"/runs/{made[-1].id}").json()["result"] == {"rows": 3}
