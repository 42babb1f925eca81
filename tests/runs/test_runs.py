"""Runs through the API: seen with what they belong to, cancelled by who may start them, deleted by Admins."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select

from bailiwick.audit.models import AuditEntry
from bailiwick.database.base import new_id, utc_now
from bailiwick.database.engine import Database
from bailiwick.runs import ending, queue
from bailiwick.runs.errors import Restricted, RunProblem
from bailiwick.runs.lineage import Edge, set_lineage
from bailiwick.runs.models import Run, RunLog, RunState
from bailiwick.runs.subjects import SEEN
from bailiwick.tenancy.models import Member
from tests.people import SignInAs, TestClient, make_member, make_project
from tests.runs.making import ERRAND, Errands, make_run

RUNS = "/api/v1/runs"


class Office:
    """Ada owns an errand; Sam starts it, Vic sees it, Nia knows nothing of it; Dan is tenant admin."""

    def __init__(self, database: Database, sign_in_as: SignInAs, errands: Errands) -> None:
        self.database, self.errands, self._sign_in_as = database, errands, sign_in_as
        with database.session() as session:
            names = ("Ada", "Sam", "Vic", "Nia", "Dan")
            self.people = {
                name.lower(): make_member(session, name, role="admin" if name == "Dan" else "none") for name in names
            }
        ada, sam, vic, dan = (self.people[name] for name in ("ada", "sam", "vic", "dan"))
        self.errand = errands.add("Count the stars", ada, see=[vic], start=[sam, dan], edit=[dan])

    def as_(self, name: str) -> TestClient:
        return self._sign_in_as(self.people[name])

    def run(self, by: str = "sam", **more: Any) -> Run:
        with self.database.session() as session:
            return make_run(session, self.people[by], subject_id=self.errand, subject_name="Count the stars", **more)

    def ended(self, how: str = "succeeded", by: str = "sam") -> Run:
        run = self.run(by)
        with self.database.session() as session:
            claimed = queue.claim(session, "a worker", queue.Wanted(["errand"]))
            assert claimed is not None
            if how == "succeeded":
                claimed.rows_read = 7
                claimed.result = {"rows": 3}
                ending.succeed(session, claimed)
            elif how == "failed":
                ending.fail(session, claimed, RunProblem("bad", "It went wrong.", "Mend it."))
        return run


@pytest.fixture
def office(database: Database, sign_in_as: SignInAs, errands: Errands) -> Office:
    return Office(database, sign_in_as, errands)


def test_a_run_is_seen_with_what_it_belongs_to(office: Office) -> None:
    run = office.ended()
    for name, actions in (("sam", ["see", "run_again"]), ("vic", ["see"]), ("dan", ["see", "run_again", "delete"])):
        seen = office.as_(name).get(f"{RUNS}/{run.id}").json()
        assert seen["actions"] == actions
        assert (seen["state"], seen["number"], seen["rows_read"]) == ("succeeded", 1, 7)
        assert seen["subject"] == {"type": ERRAND, "id": str(office.errand), "name": "Count the stars"}
        assert seen["started_by"]["name"] == "Sam"
    answer = office.as_("nia").get(f"{RUNS}/{run.id}")
    assert (answer.status_code, answer.json()["detail"]) == (404, "There is no such run.")
    with office.database.read() as session:
        tried = session.scalars(select(AuditEntry).where(AuditEntry.outcome == "refused")).one()
    assert tried.actor_id == office.people["nia"].id


def test_a_result_is_for_who_started_it(office: Office) -> None:
    run = office.ended(by="sam")
    assert office.as_("sam").get(f"{RUNS}/{run.id}").json()["result"] == {"rows": 3}
    assert office.as_("ada").get(f"{RUNS}/{run.id}").json()["result"] is None


def test_lists_hold_what_one_may_see_newest_first_and_page_by_page(office: Office) -> None:
    others = office.errands.add("Something else", office.people["dan"])
    with office.database.session() as session:
        make_run(session, office.people["dan"], subject_id=others)
    runs = [office.run() for _ in range(5)]
    wanted = [str(run.id) for run in reversed(runs)]
    found: list[str] = []
    cursor: str | None = None
    while True:
        page = office.as_("vic").get(RUNS, params={"limit": 2, **({"cursor": cursor} if cursor else {})}).json()
        found += [item["id"] for item in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert found == wanted
    assert office.as_("nia").get(RUNS).json()["items"] == []


def test_lists_can_be_narrowed(office: Office) -> None:
    done, failed, waits = office.ended(), office.ended("failed", by="ada"), office.run(by="ada")

    def listed(name: str = "vic", **wanted: Any) -> list[str]:
        answer = office.as_(name).get(RUNS, params=wanted)
        assert answer.status_code == 200, answer.text
        return [item["id"] for item in answer.json()["items"]]

    everything = [str(run.id) for run in (waits, failed, done)]
    assert listed(subject_id=str(office.errand), subject_type=ERRAND, kind="errand") == everything
    assert listed(state=["failed", "queued"]) == everything[:2]
    assert listed(kind="other") == listed(subject_type="other") == listed(subject_id=str(new_id())) == []
    assert listed(project_id=str(new_id())) == []
    assert listed("ada", mine=True) == everything[:2]
    assert office.as_("vic").get(RUNS, params={"state": "lost"}).status_code == 422
    assert office.as_("vic").get(RUNS, params={"cursor": "nonsense"}).status_code == 422


def test_lists_can_be_searched_by_the_name_of_what_ran(office: Office) -> None:
    hidden = office.errands.add("Count the stars at home", office.people["dan"])
    planets = office.errands.add("Mind the Ärmel", office.people["ada"], see=[office.people["vic"]])
    with office.database.session() as session:
        make_run(session, office.people["dan"], subject_id=hidden, subject_name="Count the stars at home")
        named: dict[str, Any] = {"subject_id": planets, "subject_name": "Mind the Ärmel"}
        other = [str(make_run(session, office.people["ada"], **named).id) for _ in range(2)]
    stars = [str(office.run().id) for _ in range(3)]

    def listed(search: str, **more: Any) -> list[str]:
        answer = office.as_("vic").get(RUNS, params={"search": search, **more})
        assert answer.status_code == 200, answer.text
        return [item["id"] for item in answer.json()["items"]]

    assert listed("STARS") == stars[::-1]  # and not what is not Vic's to see
    assert listed("ärmel") == listed("the Ä") == other[::-1]
    assert listed("Count the stars #2") == listed("stars#2") == [stars[1]]
    assert listed("#2") == [stars[1], other[1]]
    with office.database.session() as session:
        ticket = make_run(session, office.people["ada"], subject_id=planets, subject_name="Ticket #2")
    assert listed("ticket #2") == [str(ticket.id)]
    assert set(listed("#2")) == {stars[1], other[1], str(ticket.id)}
    assert listed("stars", subject_id=str(planets)) == listed("home") == listed("stars #9") == []
    assert listed("#12345678901") == listed("100%") == listed("_") == []
    assert office.as_("vic").get(RUNS, params={"search": ""}).status_code == 422


def test_lists_can_be_in_another_order(office: Office) -> None:
    named = ["b", "c", "a", "b", "c"]
    ids = {name: office.errands.add(name, office.people["ada"], see=[office.people["vic"]]) for name in set(named)}
    with office.database.session() as session:
        runs = [
            (name, str(make_run(session, office.people["ada"], subject_id=ids[name], subject_name=name).id))
            for name in named
        ]

    def read(sort: str | None) -> list[str]:
        found: list[str] = []
        more: dict[str, Any] = {"sort": sort} if sort else {}
        while True:
            page = office.as_("vic").get(RUNS, params={"limit": 2, **more}).json()
            found += [item["id"] for item in page["items"]]
            if page["next_cursor"] is None:
                return found
            more["cursor"] = page["next_cursor"]

    made = [id_ for _, id_ in runs]
    assert (read("created"), read("-created"), read(None)) == (made, made[::-1], made[::-1])
    by_name = [id_ for _, id_ in sorted(runs)]
    assert (read("name"), read("-name")) == (by_name, by_name[::-1])
    cursors = {
        sort: office.as_("vic").get(RUNS, params={"limit": 2, "sort": sort}).json()["next_cursor"]
        for sort in ("created", "-created", "name", "-name")
    }
    for sort, cursor in cursors.items():
        for other in cursors:
            answer = office.as_("vic").get(RUNS, params={"sort": other, "cursor": cursor})
            assert answer.status_code == (200 if other == sort else 422)
    assert office.as_("vic").get(RUNS, params={"sort": "state"}).status_code == 422


def test_a_log_is_read_oldest_line_first(office: Office) -> None:
    run = office.run()
    with office.database.session() as session:
        for number in range(5):
            session.add(RunLog(run_id=run.id, text=f"line {number}"))
            session.flush()
    page = office.as_("vic").get(f"{RUNS}/{run.id}/log", params={"limit": 3}).json()
    rest = office.as_("vic").get(f"{RUNS}/{run.id}/log", params={"cursor": page["next_cursor"]}).json()
    assert [line["text"] for line in [*page["items"], *rest["items"]]] == [f"line {number}" for number in range(5)]
    assert office.as_("nia").get(f"{RUNS}/{run.id}/log").status_code == 404


def test_lineage_names_only_tables_one_may_see(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    run = office.run()
    seen, hidden, made = new_id(), new_id(), new_id()
    monkeypatch.setitem(SEEN, "table", lambda session, caller, ids: {seen, made})
    with office.database.session() as session:
        edges = [Edge(seen, "a", made, "a"), Edge(hidden, "b", made, "b"), Edge(None, None, made, None)]
        set_lineage(session, session.get_one(Run, run.id), [*edges, edges[0]])
    answer = office.as_("vic").get(f"{RUNS}/{run.id}/lineage").json()
    assert answer["hidden"] == 1
    assert [edge["from_table_id"] for edge in answer["items"]] == [str(seen), None]
    with office.database.session() as session:
        set_lineage(session, session.get_one(Run, run.id), [])
    assert office.as_("vic").get(f"{RUNS}/{run.id}/lineage").json() == {"items": [], "hidden": 0}


def test_what_is_missing_is_named_to_who_may_see_it(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    seen, hidden = new_id(), new_id()
    monkeypatch.setitem(SEEN, "table", lambda session, caller, ids: {seen})
    run = office.run()
    lacks = [
        {"resource_type": "table", "resource_id": str(id_), "name": name, "has": "Viewer", "needs": "Editor"}
        for id_, name in ((seen, "raw.orders"), (hidden, "raw.secrets"))
    ]
    with office.database.session() as session:
        claimed = queue.claim(session, "one", queue.Wanted(["errand"]))
        assert claimed is not None
        ending.restrict(session, claimed, Restricted(None, lacks))
    answer = office.as_("vic").get(f"{RUNS}/{run.id}")
    assert answer.json()["state"] == "restricted"
    assert [lack["name"] for lack in answer.json()["missing"]] == ["raw.orders"]
    assert answer.json()["hidden"] == 1
    log = office.as_("vic").get(f"{RUNS}/{run.id}/log")
    assert "secrets" not in answer.text + log.text


# Changing ------------------------------------------------------------------------------------------------------------


def test_cancelling_is_for_who_may_start_it(office: Office) -> None:
    run = office.run()
    refused = office.as_("vic").post(f"{RUNS}/{run.id}/cancel")
    assert refused.status_code == 403
    assert refused.json()["decision"]["action"] == "trigger_pipelines"
    assert office.as_("nia").post(f"{RUNS}/{run.id}/cancel").status_code == 404
    answer = office.as_("sam").post(f"{RUNS}/{run.id}/cancel")
    assert (answer.status_code, answer.json()["state"]) == (200, "cancelled")
    assert office.as_("sam").post(f"{RUNS}/{run.id}/cancel").status_code == 409
    with office.database.read() as session:
        entry = session.scalars(select(AuditEntry).where(AuditEntry.action == "cancel_run")).one()
    assert (entry.resource_name, entry.actor_id) == ("Count the stars, run 1", office.people["sam"].id)
    assert (entry.before, entry.after) == ({"state": "queued"}, {"state": "cancelled"})


def test_cancelling_what_runs_is_a_wish(office: Office) -> None:
    run = office.run()
    with office.database.session() as session:
        queue.claim(session, "one", queue.Wanted(["errand"]))
    answer = office.as_("sam").post(f"{RUNS}/{run.id}/cancel")
    assert (answer.status_code, answer.json()["state"]) == (202, "running")
    assert answer.json()["cancel_asked_at"] is not None
    with office.database.read() as session:
        entry = session.scalars(select(AuditEntry).where(AuditEntry.action == "cancel_run")).one()
    assert (entry.before, entry.after) == ({"state": "running"}, {"state": "to be cancelled"})
    assert office.as_("sam").post(f"{RUNS}/{run.id}/cancel").status_code == 202


def test_running_again_is_a_new_run_by_who_may_start_it(office: Office) -> None:
    run = office.ended("failed")
    assert office.as_("vic").post(f"{RUNS}/{run.id}/again").status_code == 403
    answer = office.as_("dan").post(f"{RUNS}/{run.id}/again")
    assert answer.status_code == 201, answer.text
    assert (answer.json()["number"], answer.json()["started_by"]["name"]) == (2, "Dan")
    assert answer.headers["Location"] == f"{RUNS}/{answer.json()['id']}"
    assert office.as_("dan").post(f"{RUNS}/{answer.json()['id']}/again").status_code == 409  # it waits still


def test_deleting_is_for_tenant_admins_and_the_audit_stays(office: Office) -> None:
    run, waits = office.ended(), office.run()
    assert office.as_("sam").delete(f"{RUNS}/{run.id}").status_code == 403
    assert office.as_("dan").delete(f"{RUNS}/{waits.id}").status_code == 409
    assert office.as_("dan").delete(f"{RUNS}/{run.id}").status_code == 204
    assert office.as_("dan").get(f"{RUNS}/{run.id}").status_code == 404
    with office.database.read() as session:
        entry = session.scalars(select(AuditEntry).where(AuditEntry.action == "delete_run")).one()
    assert entry.resource_id == str(run.id)
    assert entry.before is not None
    assert entry.before["state"] == "succeeded"


def test_runs_of_a_project_are_deleted_by_its_admins(office: Office) -> None:
    with office.database.session() as session:
        project = make_project(
            session,
            "Sales",
            office.people["dan"],
            {office.people["sam"]: "Admin", office.people["vic"]: "Technical User"},
        )
    run = office.run(project_id=project.id)
    with office.database.session() as session:
        ending.ask_to_cancel(session, session.get_one(Run, run.id), office.people["sam"])
    assert office.as_("vic").delete(f"{RUNS}/{run.id}").status_code == 403
    assert office.as_("sam").delete(f"{RUNS}/{run.id}").status_code == 204


def test_of_what_is_gone_the_runs_are_left_to_those_who_may_delete_them(office: Office) -> None:
    run = office.ended()
    del office.errands.names[office.errand]
    assert office.as_("sam").get(f"{RUNS}/{run.id}").status_code == 404
    assert office.as_("dan").get(f"{RUNS}/{run.id}").json()["actions"] == ["see", "delete"]
    assert "gone" in office.as_("dan").post(f"{RUNS}/{run.id}/again").json()["detail"]
    assert office.as_("dan").delete(f"{RUNS}/{run.id}").status_code == 204


def test_what_somebody_asked_once_is_stopped_by_admins_unseen(office: Office) -> None:
    """The words of a query are theirs alone; that it can be stopped is everybody's concern."""
    from bailiwick.lakehouse.queries import adhoc
    from tests.people import as_caller

    with office.database.session() as session:
        run = adhoc.ask(session, as_caller(office.people["sam"]), "SELECT 'a secret'")
    assert office.as_("sam").get(f"{RUNS}/{run.id}").json()["subject"]["name"] == "SELECT 'a secret'"
    for name in ("dan", "nia"):
        assert office.as_(name).get(f"{RUNS}/{run.id}").status_code == 404
        assert str(run.id) not in office.as_(name).get(RUNS).text
    assert office.as_("nia").post(f"{RUNS}/{run.id}/cancel").status_code == 404
    answer = office.as_("dan").post(f"{RUNS}/{run.id}/cancel")
    assert (answer.status_code, answer.json()["state"]) == (200, "cancelled")
    assert "secret" not in answer.text
    assert "secret" not in office.as_("dan").get("/api/v1/audit").text


def beat(office: Office, spark: str, problem: str = "") -> dict[str, Any]:
    from bailiwick.runs.models import WorkerBeat

    with office.database.session() as session:
        session.merge(WorkerBeat(name="one", seen_at=utc_now(), spark=spark, problem=problem))
    found: dict[str, Any] = office.as_("nia").get("/api/v1/spark").json()
    return found


def test_everybody_is_told_whether_spark_is_ready(office: Office) -> None:
    assert office.as_("nia").get("/api/v1/spark").json()["state"] == "none"
    assert "still starting (Fetching jars)" in beat(office, "starting", "Fetching jars")["detail"]
    assert beat(office, "failed", "No Java at /opt/secret")["problem"] == ""
    assert office.as_("dan").get("/api/v1/spark").json()["problem"] == "No Java at /opt/secret"
    assert beat(office, "ready")["state"] == "ready"


def test_who_left_is_still_named(office: Office) -> None:
    run = office.ended()
    with office.database.session() as session:
        session.get_one(Member, office.people["sam"].id).state = "removed"
    assert office.as_("vic").get(f"{RUNS}/{run.id}").json()["acts_as"]["name"] == "Sam"
    assert UUID(office.as_("vic").get(RUNS).json()["items"][0]["id"]) == run.id
    assert run.state != RunState.SUCCEEDED  # the row as it was when it joined


def test_a_run_that_waits_for_spark_says_so(office: Office) -> None:
    run = office.run()
    beat(office, "starting")
    assert "still starting" in office.as_("sam").get(f"{RUNS}/{run.id}").json()["progress"]["note"]
    beat(office, "ready")
    assert office.as_("sam").get(f"{RUNS}/{run.id}").json()["progress"]["note"] is None
