"""Pipelines that would stop or work again: told before, and so at the start of a run after the change was made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import delete, select

from bailiwick.lakehouse.models import Grant, Pipeline
from bailiwick.lakehouse.pipeline_runs import acting_owner
from bailiwick.runs.errors import Restricted
from bailiwick.runs.models import Run
from bailiwick.tenancy.models import GroupMembership, Member
from tests.lakehouse.company import Company, company
from tests.lakehouse.making import make_pipeline, make_stream
from tests.people import make_group

__all__ = ["company"]

Json = dict[str, Any]


def what_if(company: Company, who: str, *changes: Json, **more: Any) -> Json:
    told = company.as_(who).post("/api/v1/access/what-if", json={"changes": list(changes), **more})
    assert told.status_code == 200, told.text
    found: Json = told.json()
    return found


def told(answer: Json) -> dict[str, str]:
    return {one["resource"]["name"]: one["then"] for one in answer["pipelines"]}


def works(company: Company) -> dict[str, bool]:
    """Of each pipeline, whether a run that starts now goes on."""
    found = {}
    with company.database.session() as session:
        for pipeline in session.scalars(select(Pipeline)).all():
            run = company.make_run(session, pipeline)
            try:
                acting_owner(session, run)
                found[pipeline.name] = True
            except Restricted:
                found[pipeline.name] = False
        session.execute(delete(Run))
    return found


@pytest.fixture
def pipelines(company: Company) -> None:
    """Eve's are Clean and the source Shop, within raw; Gus owns Sum, which he may not run yet, and Adam, the admin,
    Export."""
    people = company.people
    with company.database.session() as session:
        make_pipeline(session, "Clean", people["eve"], reads=[company.orders], output=company.customers)
        shop = make_pipeline(session, "Shop", people["eve"], kind="source")
        make_stream(session, shop, table=company.orders, reads=[company.files])
        make_pipeline(session, "Sum", people["gus"], reads=[company.orders], output=company.revenue)
        make_pipeline(session, "Export", people["adam"], kind="destination", reads=[company.revenue])
        make_pipeline(session, "New", people["eve"], output_layer=company.raw, output_name="new")


@dataclass(frozen=True)
class Case:
    change: Callable[[Company], Json]
    do: Callable[[Company], Any]
    then: dict[str, str]


def _grant(company: Company, who: str) -> str:
    with company.database.read() as session:
        return str(session.scalars(select(Grant.id).where(Grant.member_id == company.id(who))).one())


CASES: dict[str, Case] = {
    "a level is taken": Case(
        lambda c: {"change": "take_level", "layer": str(c.raw.id), "member": "eve@example.com"},
        lambda c: c.as_("olga").delete(f"/api/v1/layers/{c.raw.id}/grants/{_grant(c, 'eve')}"),
        {"Clean": "restricted", "Shop": "restricted", "New": "restricted"},
    ),
    "a level is lowered": Case(
        lambda c: {
            "change": "change_level",
            "layer": str(c.raw.id),
            "member": "eve@example.com",
            "level": "Viewer",
        },
        lambda c: c.as_("olga").patch(f"/api/v1/layers/{c.raw.id}/grants/{_grant(c, 'eve')}", json={"level": "Viewer"}),
        {"Clean": "restricted", "Shop": "restricted", "New": "restricted"},
    ),
    "a level is raised": Case(
        lambda c: {
            "change": "change_level",
            "layer": str(c.raw.id),
            "member": "eve@example.com",
            "level": "Manager",
        },
        lambda c: c.as_("olga").patch(
            f"/api/v1/layers/{c.raw.id}/grants/{_grant(c, 'eve')}", json={"level": "Manager"}
        ),
        {},
    ),
    "the plan becomes starter": Case(
        lambda _: {"change": "plan", "plan": "starter"},
        lambda c: c.as_("olga").put("/api/v1/tenant/plan", json={"plan": "starter", "confirm": True}),
        {"Sum": "works again"},
    ),
    "an admin is none any more": Case(
        lambda _: {"change": "tenant_role", "member": "adam@example.com", "role": "none"},
        lambda c: c.as_("olga").put(f"/api/v1/members/{c.id('adam')}/tenant-role", json={"tenant_role": "none"}),
        {"Export": "restricted"},
    ),
    "an owner of pipelines becomes admin": Case(
        lambda _: {"change": "tenant_role", "member": "gus@example.com", "role": "admin"},
        lambda c: c.as_("olga").put(f"/api/v1/members/{c.id('gus')}/tenant-role", json={"tenant_role": "admin"}),
        {"Sum": "works again"},
    ),
}


@pytest.mark.usefixtures("pipelines")
@pytest.mark.parametrize("case", CASES)
def test_what_is_told_is_what_happens(company: Company, case: str) -> None:
    one = CASES[case]
    before = works(company)
    answer = what_if(company, "olga", one.change(company))
    assert told(answer) == one.then
    assert works(company) == before
    done = one.do(company)
    assert done.status_code < 300, done.text
    after = works(company)
    words = {True: "works again", False: "restricted"}
    assert {name: words[after[name]] for name in before if after[name] != before[name]} == one.then


@pytest.mark.usefixtures("pipelines")
def test_a_group_takes_along_what_its_members_own(company: Company) -> None:
    with company.database.session() as session:
        builders = make_group(session, "Builders")
    company.grant(company.trusted, "group", "Editor")
    put = {"change": "add_to_group", "group": str(builders.id), "member": "gus@example.com"}
    give = {"change": "give_level", "table": str(company.orders.id), "group": str(builders.id), "level": "Editor"}
    assert told(what_if(company, "olga", put)) == {}
    assert told(what_if(company, "olga", give)) == {}
    answer = what_if(company, "olga", put, give)
    assert told(answer) == {"Sum": "works again"}
    (one,) = answer["pipelines"]
    assert one["because"] == "Gus would have at least Editor on raw.orders."
    assert one["owner"] == {"id": str(company.id("gus")), "name": "Gus"}
    assert one["kind"] == "query"
    company.grant(company.orders, "gus", "Editor")
    assert works(company)["Sum"]
    out = {"change": "remove_from_group", "group": str(company.group.id), "member": "gus@example.com"}
    answer = what_if(company, "olga", out)
    assert told(answer) == {"Sum": "restricted"}
    assert answer["pipelines"][0]["because"] == "Gus would have no level on trusted.revenue, where it needs Editor."
    with company.database.session() as session:
        session.execute(delete(GroupMembership).where(GroupMembership.group_id == company.group.id))
    assert not works(company)["Sum"]


@pytest.mark.usefixtures("pipelines")
def test_pipelines_that_the_caller_does_not_see_are_not_told_of(company: Company) -> None:
    """Mia sees raw. Sum writes to trusted, which she does not; and she may not ask about Gus's other levels."""
    company.grant(company.orders, "gus", "Editor")
    company.grant(company.trusted, "gus", "Editor")
    take = {"change": "take_level", "table": str(company.orders.id), "member": "gus@example.com"}
    assert told(what_if(company, "olga", take)) == {"Sum": "restricted"}
    answer = what_if(company, "mia", take)
    assert answer["pipelines"] == []
    eve = {"change": "take_level", "layer": str(company.raw.id), "member": "eve@example.com"}
    mine = what_if(company, "mia", eve)
    assert told(mine) == {"Clean": "restricted", "Shop": "restricted", "New": "restricted"}
    because = {one["resource"]["name"]: one["because"] for one in mine["pipelines"]}
    assert because["New"] == "Eve would have no level on raw, where it needs Editor."
    assert "raw.orders" in because["Clean"]
    assert "raw.customers" in because["Clean"]


@pytest.mark.usefixtures("pipelines")
def test_pipelines_do_not_tell_who_is_in_a_group(company: Company) -> None:
    """Eve keeps her level through a group, or loses it with the group's: Mia, who is not in it, is told the same as if
    Eve were not."""
    take = {"change": "take_level", "layer": str(company.raw.id), "member": "eve@example.com"}
    alone = what_if(company, "mia", take)
    company.grant(company.raw, "group", "Editor")
    with company.database.session() as session:
        session.add(GroupMembership(group_id=company.group.id, member_id=company.id("eve")))
    through = what_if(company, "mia", take)
    assert through == alone
    assert told(what_if(company, "olga", take)) == {}
    theirs = {"change": "take_level", "layer": str(company.raw.id), "group": str(company.group.id)}
    assert what_if(company, "mia", theirs)["pipelines"] == []
    assert what_if(company, "mia", theirs)["hidden_members"] is True


@pytest.mark.usefixtures("pipelines")
def test_everybody_is_told_of_their_own_pipelines(company: Company) -> None:
    lower = {"change": "change_level", "layer": str(company.raw.id), "member": "eve@example.com", "level": "Viewer"}
    assert set(told(what_if(company, "eve", lower))) == {"Clean", "Shop", "New"}


@pytest.mark.usefixtures("pipelines")
def test_there_are_as_many_as_asked_for(company: Company) -> None:
    take = {"change": "take_level", "layer": str(company.raw.id), "member": "eve@example.com"}
    answer = what_if(company, "olga", take, limit=1)
    assert (list(told(answer)), answer["more_pipelines"]) == (["Clean"], True)
    assert what_if(company, "olga", take)["more_pipelines"] is False


@pytest.mark.usefixtures("pipelines")
def test_what_does_not_run_does_not_stop(company: Company) -> None:
    """Notebooks and integrations do not execute; whoever is not active could not run anything before either."""
    with company.database.session() as session:
        make_pipeline(session, "Book", company.people["eve"], kind="notebook", reads=[company.orders])
    take = {"change": "take_level", "layer": str(company.raw.id), "member": "eve@example.com"}
    assert "Book" not in told(what_if(company, "olga", take))
    with company.database.session() as session:
        session.get_one(Member, company.id("eve")).state = "suspended"
    assert told(what_if(company, "olga", take)) == {}


@pytest.mark.usefixtures("pipelines")
def test_other_questions_tell_of_no_pipelines(company: Company) -> None:
    roles = {"change": "security_roles", "member": "eve@example.com", "roles": ["data admin"]}
    assert what_if(company, "olga", roles)["pipelines"] == []
