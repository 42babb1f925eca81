"""Viewing as another member: with their rights of now, reading only, for an hour, and on record."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from bailiwick.audit.models import AuditEntry
from bailiwick.audit.verify import verify
from bailiwick.database.base import new_id, pretending, utc_now
from bailiwick.database.engine import Database
from bailiwick.lakehouse.models import Layer
from bailiwick.runs.models import RunState
from bailiwick.runs.queue import enqueue
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.models import Member, MemberState
from bailiwick.tenancy.viewing import begin_viewing
from tests.lakehouse.making import make_grant, make_layer, make_pipeline, make_table
from tests.people import SignInAs, TestClient, make_group, make_member, make_project

VIEW_AS, HEADER, ANSWERED = "/api/v1/view-as", "X-View-As", "X-Viewing-As"


class Company:
    def __init__(self, database: Database) -> None:
        self.database = database
        with database.session() as session:
            self.olga, self.otto = (make_member(session, name, role="owner") for name in ("Olga", "Otto"))
            self.adam, self.abe = (make_member(session, name, role="admin") for name in ("Adam", "Abe"))
            self.ed = make_member(session, "Ed", role="editor")
            self.bea, self.nia = make_member(session, "Bea"), make_member(session, "Nia")
            self.pia = make_member(session, "Pia", data_admin=True)
            self.gone = [
                make_member(session, state.title(), state=state) for state in MemberState if state != MemberState.ACTIVE
            ]
            readers = make_group(session, "Readers", self.bea)
            self.sales = make_project(session, "Sales", self.olga, {self.bea: "Business User", self.pia: "Admin"})
            self.other = make_project(session, "Other", self.olga)
            self.raw, self.secret = make_layer(session, "raw"), make_layer(session, "secret")
            make_grant(session, self.raw, readers, "Viewer")
            self.orders = make_table(session, "orders", layer=self.raw)
            self.hidden = make_table(session, "hidden", layer=self.secret)

    def entries(self, *actions: str) -> list[AuditEntry]:
        with self.database.read() as session:
            found = select(AuditEntry).order_by(AuditEntry.id)
            return list(session.scalars(found.where(AuditEntry.action.in_(actions)) if actions else found))


@pytest.fixture
def company(database: Database, app: FastAPI) -> Company:
    return Company(database)


def begin(client: TestClient, member: Member) -> Any:
    return client.post(VIEW_AS, json={"member_id": str(member.id)})


def looking(client: TestClient, member: Member) -> TestClient:
    """Begin, and send the header from now on."""
    begun = begin(client, member)
    assert begun.status_code == 200, begun.text
    client.headers[HEADER] = str(member.id)
    return client


def names(client: TestClient, path: str) -> list[str]:
    answer = client.get(f"/api/v1/{path}")
    assert answer.status_code == 200, answer.text
    return [item["name"] for item in answer.json()["items"]]


# What is seen --------------------------------------------------------------------------------------------------------


def test_an_owner_sees_exactly_what_the_member_sees(company: Company, sign_in_as: SignInAs) -> None:
    client = looking(sign_in_as(company.olga), company.bea)
    assert names(client, "projects") == ["Sales"]
    assert names(client, "layers") == ["raw"]
    assert names(client, "tables") == ["orders"]
    assert client.get(f"/api/v1/tables/{company.hidden.id}").status_code == 404
    assert client.get("/api/v1/members").status_code == 403
    assert client.get("/api/v1/me").json() == sign_in_as(company.bea).get("/api/v1/me").json()
    assert client.get("/api/v1/me").headers[ANSWERED] == str(company.bea.id)
    project = client.get(f"/api/v1/projects/{company.sales.id}").json()
    assert "delete_project" not in project["actions"]
    del client.headers[HEADER]
    assert names(client, "projects") == ["Other", "Sales"]
    assert ANSWERED not in client.get("/api/v1/me").headers


def test_beginning_tells_who_they_are_and_what_to_send(company: Company, sign_in_as: SignInAs) -> None:
    begun = begin(sign_in_as(company.adam), company.bea).json()
    assert begun["member"] == sign_in_as(company.bea).get("/api/v1/me").json()
    assert begun["header"] == {"name": HEADER, "value": str(company.bea.id)}


def test_questions_are_answered_as_to_the_member(company: Company, sign_in_as: SignInAs) -> None:
    client = looking(sign_in_as(company.olga), company.bea)
    question = {"action": "delete_project", "resource": {"type": "project", "id": str(company.sales.id)}}
    answer = client.post("/api/v1/access/check", json=question).json()
    assert answer["subject"]["name"] == "Bea"
    assert not answer["decision"]["allowed"]
    about_others = {**question, "subject": str(company.pia.id)}
    assert client.post("/api/v1/access/check", json=about_others).status_code == 403


def test_what_the_member_asked_is_not_shown_not_even_as_a_run(
    company: Company, database: Database, sign_in_as: SignInAs
) -> None:
    with database.session() as session:
        bea = session.get_one(Member, company.bea.id)
        of_query: dict[str, Any] = {"kind": "query", "subject_type": "query", "subject_id": None}
        asked = enqueue(
            session, **of_query, subject_name="SELECT 1", acts_as=bea, started_by=bea, parameters={"sql": "SELECT 1"}
        )
        raw = session.get_one(Layer, company.raw.id)
        pipeline = make_pipeline(session, "Nightly", bea, reads=[company.orders], output_layer=raw, output_name="made")
        of_pipeline: dict[str, Any] = {"kind": "pipeline_query", "subject_type": "pipeline", "subject_id": pipeline.id}
        run = enqueue(session, **of_pipeline, subject_name="Nightly", acts_as=bea, started_by=bea)
        for one in (asked, run):
            one.state, one.ended_at, one.result = RunState.SUCCEEDED, utc_now(), {"rows": 1}
    own, client = sign_in_as(company.bea), looking(sign_in_as(company.olga), company.bea)
    assert [it["id"] for it in own.get("/api/v1/runs").json()["items"]] == [str(run.id), str(asked.id)]
    assert [it["id"] for it in client.get("/api/v1/runs").json()["items"]] == [str(run.id)]
    assert own.get(f"/api/v1/runs/{asked.id}").status_code == 200
    for path in ("", "/log", "/lineage"):
        assert client.get(f"/api/v1/runs/{asked.id}{path}").status_code == 404
    for seen in (own, client):  # what a pipeline's run counted is for all who see the run
        assert seen.get(f"/api/v1/runs/{run.id}").json()["result"] == {"rows": 1}


@pytest.mark.parametrize(
    "path",
    ["session", "sessions", "tokens", "queries", "queries/00000000-0000-7000-8000-000000000000/rows", "runs/events"],
)
def test_what_is_theirs_alone_is_refused(company: Company, sign_in_as: SignInAs, path: str) -> None:
    answer = looking(sign_in_as(company.olga), company.bea).get(f"/api/v1/{path}")
    assert answer.status_code == 403
    assert "theirs alone" in answer.json()["detail"]


# Who may -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("viewer", "viewed", "code"),
    [
        ("olga", "otto", 200),
        ("olga", "adam", 200),
        ("olga", "pia", 200),
        ("olga", "olga", 403),
        ("adam", "abe", 200),
        ("adam", "bea", 200),
        ("adam", "pia", 200),  # tenant admins cover every security role
        ("adam", "olga", 403),
        ("adam", "adam", 403),
        ("ed", "bea", 403),
        ("pia", "bea", 403),  # may make a link for them, in the project
        ("bea", "bea", 403),
    ],
)
def test_owners_and_admins_view_as_whom_they_may_make_a_link_for(
    company: Company, sign_in_as: SignInAs, viewer: str, viewed: str, code: int
) -> None:
    client, member = sign_in_as(getattr(company, viewer)), getattr(company, viewed)
    begun = begin(client, member)
    assert begun.status_code == code
    seen = client.get("/api/v1/me", headers={HEADER: str(member.id)})
    assert seen.status_code == code
    if code == 403:
        for answer in (begun, seen):
            decision = answer.json()["decision"]
            assert decision["document"] == "tenant"
            assert decision["action"] in ("view_as", "view_as_another_member")
        (first, second) = company.entries("view_as", "view_as_another_member")
        assert {entry.outcome for entry in (first, second)} == {"refused"}
        assert {entry.resource_id for entry in (first, second)} == {str(member.id)}


def test_who_is_not_active_or_not_there_is_not_found(company: Company, sign_in_as: SignInAs) -> None:
    client = sign_in_as(company.olga)
    for id_ in (*(str(member.id) for member in company.gone), str(new_id())):
        assert client.post(VIEW_AS, json={"member_id": id_}).status_code == 404
        assert client.get("/api/v1/me", headers={HEADER: id_}).status_code == 404


def test_who_may_not_view_as_anybody_learns_nothing_about_anybody(company: Company, sign_in_as: SignInAs) -> None:
    client = sign_in_as(company.nia)
    told = [
        client.post(VIEW_AS, json={"member_id": id_}).json()
        for id_ in (str(company.bea.id), str(company.gone[0].id), str(new_id()))
    ]
    assert told[0]["status"] == 403
    assert [{**one, "request_id": ""} for one in told] == [{**told[0], "request_id": ""}] * 3


def test_a_token_views_as_somebody_unless_it_is_for_chosen_tables(company: Company, sign_in_as: SignInAs) -> None:
    for narrowed in ({}, {"read_only": True}):
        client = looking(sign_in_as(company.olga, token=narrowed), company.bea)
        assert names(client, "tables") == ["orders"]
        assert client.post("/api/v1/groups", json={"name": "Mine"}).status_code == 403
    client = sign_in_as(company.olga, token={"tables": [str(company.orders.id)]})
    assert begin(client, company.bea).status_code == 403
    assert client.get("/api/v1/tables").status_code == 200
    assert client.get("/api/v1/tables", headers={HEADER: str(company.bea.id)}).status_code == 403


def test_a_browser_needs_its_csrf_token_to_begin_and_none_to_look(company: Company, sign_in_as: SignInAs) -> None:
    client = sign_in_as(company.olga, browser=True)
    looking(client, company.bea)
    del client.headers["X-CSRF-Token"]
    assert names(client, "tables") == ["orders"]
    del client.headers[HEADER]
    assert begin(client, company.bea).status_code == 401


@pytest.mark.parametrize("header", ["bea@example.com", "", "0", "x" * 10_000])
def test_a_header_that_names_nobody_is_wrong_input(company: Company, sign_in_as: SignInAs, header: str) -> None:
    answer = sign_in_as(company.olga).get("/api/v1/me", headers={HEADER: header})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == HEADER


def test_who_is_not_signed_in_views_as_nobody(company: Company, app_client: TestClient) -> None:
    app_client.headers[HEADER] = str(company.bea.id)
    assert app_client.get("/api/v1/me").status_code == 401
    wrong = {"email": "olga@example.com", "password": "not the right one"}
    assert app_client.post("/api/v1/session", json=wrong).status_code == 401
    assert app_client.post("/api/v1/links", json={"email": "olga@example.com"}).status_code == 202


# When ----------------------------------------------------------------------------------------------------------------


def test_the_header_alone_is_refused_until_it_was_begun(company: Company, sign_in_as: SignInAs) -> None:
    client, headers = sign_in_as(company.olga), {HEADER: str(company.bea.id)}
    answer = client.get("/api/v1/projects", headers=headers)
    assert answer.status_code == 403
    assert "POST /api/v1/view-as" in answer.json()["detail"]
    assert ANSWERED not in answer.headers
    begin(sign_in_as(company.otto), company.bea)  # somebody else's
    begin(client, company.nia)  # as somebody else
    assert client.get("/api/v1/projects", headers=headers).status_code == 403
    begin(client, company.bea)
    assert client.get("/api/v1/projects", headers=headers).status_code == 200


@pytest.mark.parametrize(("minutes", "code"), [(59, 200), (61, 403)])
def test_it_lasts_an_hour(company: Company, database: Database, sign_in_as: SignInAs, minutes: int, code: int) -> None:
    with pretending(utc_now() - timedelta(minutes=minutes)), database.session() as session:
        begin_viewing(session, Caller(session.get_one(Member, company.olga.id)), company.bea.id)
    client, headers = sign_in_as(company.olga), {HEADER: str(company.bea.id)}
    assert client.get("/api/v1/projects", headers=headers).status_code == code
    begin(client, company.bea)
    assert client.get("/api/v1/projects", headers=headers).status_code == 200


def test_it_can_be_ended(company: Company, sign_in_as: SignInAs) -> None:
    client = sign_in_as(company.olga)
    assert client.delete(VIEW_AS).status_code == 204  # as nobody
    assert company.entries("end_view_as") == []
    assert begin(client, company.nia).status_code == 200
    looking(client, company.bea)
    assert client.delete(VIEW_AS).status_code == 403  # it is not Bea who ends it
    del client.headers[HEADER]
    assert client.delete(VIEW_AS).status_code == 204
    for member in (company.bea, company.nia):
        assert client.get("/api/v1/projects", headers={HEADER: str(member.id)}).status_code == 403
    assert {entry.about_id for entry in company.entries("end_view_as")} == {company.bea.id, company.nia.id}
    assert client.delete(VIEW_AS).status_code == 204
    assert len(company.entries("end_view_as")) == 2


def test_what_changes_meanwhile_counts_at_once(company: Company, sign_in_as: SignInAs) -> None:
    client, olga = looking(sign_in_as(company.adam), company.bea), sign_in_as(company.olga)

    def status() -> int:
        return int(client.get("/api/v1/me").status_code)

    grants = f"/api/v1/layers/{company.secret.id}/grants"
    assert olga.post(grants, json={"member": str(company.bea.id), "level": "Viewer"}).status_code == 201
    assert names(client, "tables") == ["hidden", "orders"]
    bea, adam = (f"/api/v1/members/{member.id}" for member in (company.bea, company.adam))
    assert olga.put(f"{bea}/tenant-role", json={"tenant_role": "owner"}).status_code == 200
    assert status() == 403  # no longer within Adam's roles
    assert olga.put(f"{bea}/tenant-role", json={"tenant_role": "none"}).status_code == 200
    assert status() == 200
    assert olga.put(f"{adam}/tenant-role", json={"tenant_role": "editor"}).status_code == 200
    assert status() == 403
    assert olga.put(f"{adam}/tenant-role", json={"tenant_role": "admin"}).status_code == 200
    assert status() == 200
    assert olga.post(f"{bea}/suspend").status_code == 200
    assert status() == 404


# On record -----------------------------------------------------------------------------------------------------------


def test_beginning_is_on_record_and_for_the_member_to_read(
    company: Company, database: Database, sign_in_as: SignInAs
) -> None:
    looking(sign_in_as(company.adam), company.bea)
    (entry,) = company.entries("view_as")
    assert (entry.actor_id, entry.about_id, entry.resource_id) == (
        company.adam.id,
        company.bea.id,
        str(company.bea.id),
    )
    assert entry.decision is not None
    assert entry.decision["row"] == "Tenant admin"
    read = sign_in_as(company.bea).get("/api/v1/audit").json()["items"]
    assert [(one["action"], one["actor"]["name"]) for one in read] == [("view_as", "Adam")]
    with database.read() as session:
        assert verify(session).is_whole


def test_what_is_refused_says_who_looked_and_as_whom(company: Company, sign_in_as: SignInAs) -> None:
    client = looking(sign_in_as(company.adam), company.bea)
    as_whom = {"id": str(company.bea.id), "name": "Bea"}
    changed = client.patch(f"/api/v1/projects/{company.sales.id}", json={"name": "Mine"})
    assert changed.status_code == 403
    assert "cannot change anything" in changed.json()["detail"]
    assert client.get(f"/api/v1/projects/{company.sales.id}/settings").status_code == 403  # not for Bea
    assert client.get(f"/api/v1/projects/{company.other.id}").status_code == 404
    change, settings, unseen = [entry for entry in company.entries() if entry.outcome == "refused"]
    assert [entry.actor_id for entry in (change, settings, unseen)] == [company.adam.id] * 3
    for entry in (change, settings, unseen):
        assert entry.after is not None
        assert entry.after["viewing_as"] == as_whom
    assert change.action == "PATCH /api/v1/projects/{project_id}"
    assert (change.resource_id, change.resource_name) == (str(company.bea.id), "Bea")
    assert change.after is not None
    assert change.after["path"] == f"/api/v1/projects/{company.sales.id}"
    assert settings.decision is not None
    # What Bea may not see she does not learn of, though it was looked for with her eyes.
    read = sign_in_as(company.bea).get("/api/v1/audit").json()["items"]
    assert [one["action"] for one in read] == ["view_as"]


@pytest.mark.parametrize("path", ["a%00b", "%ff", "x" * 3000])
def test_whatever_the_path_holds_the_refusal_goes_on_record(
    company: Company, database: Database, sign_in_as: SignInAs, path: str
) -> None:
    client = looking(sign_in_as(company.olga), company.bea)
    assert client.get(f"/api/v1/volumes/{new_id()}/files/{path}").status_code == 403
    assert client.put(f"/api/v1/volumes/{new_id()}/files/{path}", content=b"x").status_code == 403
    assert len([entry for entry in company.entries() if entry.outcome == "refused"]) == 2
    with database.read() as session:
        assert verify(session).is_whole


def test_looking_leaves_no_trace_of_the_member(company: Company, database: Database, sign_in_as: SignInAs) -> None:
    """Neither in when they were last seen, nor as having set foot in a project."""
    client = looking(sign_in_as(company.olga), company.ed)
    assert client.get(f"/api/v1/projects/{company.sales.id}").status_code == 200
    assert company.entries("enter_project") == []
    assert sign_in_as(company.ed).get(f"/api/v1/projects/{company.sales.id}").status_code == 200
    assert [entry.actor_id for entry in company.entries("enter_project")] == [company.ed.id]
