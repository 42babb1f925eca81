"""Deciding: who may, what comes of it, and what happens when two do at once, or when something is gone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import delete, event, func, select

from bailiwick.lakehouse.models import Grant, Layer, Table
from bailiwick.projects.models import Project, ProjectGrant
from bailiwick.requests import seeing
from bailiwick.tenancy.models import GroupMembership, Member, MemberState
from tests.lakehouse.company import API, Company
from tests.people import make_project
from tests.requests.asking import AT, REASON, ask, asked, do, listed, mail, see, waiting


def origin(company: Company, who: str) -> Any:
    return company.get(who, f"/tables/{company.orders.id}/access").json()["origins"]


# Who ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "deciders"),
    [("Viewer", {"mia", "adam", "olga"}), ("Editor", {"mia", "adam", "olga"}), ("Manager", {"adam", "olga"})],
)
def test_whoever_could_give_a_level_sees_the_request_and_nobody_else(
    company: Company, wanted: str, deciders: set[str]
) -> None:
    requests = [asked(company, "nora", thing, wanted) for thing in ("raw", "raw.orders", "volume:raw.files")]
    ids = [request["id"] for request in reversed(requests)]
    for who in company.people:
        expected = ids if who in deciders else []
        if who != "nora":
            assert waiting(company, who) == listed(company, who) == expected
            assert company.as_(who).get(f"{AT}/waiting-for-me/count").json() == {"count": len(expected), "more": False}
        for request in requests:
            seen = see(company, who, request)
            if who in deciders:
                assert seen.json()["actions"] == ["grant", "decline"]
            elif who != "nora":
                assert seen.status_code == 404
                assert do(company, who, "grant", request).status_code == 404
                assert do(company, who, "decline", request, reason="No.").status_code == 404
                assert do(company, who, "withdraw", request).status_code == 404
    others = {company.id(who) for who in company.people} - {company.id(who) for who in (*deciders, "nora")}
    for looked_for in ("see_layers", "see_tables"):  # volumes are seen like tables
        assert {entry.actor_id for entry in company.audited(looked_for)} == others


@pytest.mark.parametrize("wanted", ["Business User", "Technical User", "Admin"])
def test_whoever_gives_roles_in_a_project_sees_the_request(company: Company, sales: Project, wanted: str) -> None:
    request = asked(company, "nora", "project:Sales", wanted)
    for who in company.people:
        expected = [request["id"]] if who in ("ann", "adam", "olga") else []
        assert waiting(company, who) == expected
        assert see(company, who, request).status_code == (200 if expected or who == "nora" else 404)


def test_managers_by_group_and_for_a_time_are_deciders_as_long_as_they_are(company: Company) -> None:
    request = asked(company, "nora", "trusted.revenue")
    company.grant(company.revenue, "group", "Manager")
    company.grant(company.trusted, "tab", "Manager", expires_at=company.in_(hours=1))
    assert waiting(company, "gus") == waiting(company, "tab") == [request["id"]]
    with company.later(hours=2):
        assert waiting(company, "tab") == []
        assert see(company, "tab", request).status_code == 404
        assert waiting(company, "gus") == [request["id"]]


def test_an_admin_by_group_or_for_a_time_decides_about_roles(company: Company, sales: Project) -> None:
    request = asked(company, "nora", "project:Sales", "Business User")
    with company.database.session() as session:
        soon = company.in_(hours=1)
        to_group = ProjectGrant(project_id=sales.id, group_id=company.group.id, role="Admin", expires_at=soon)
        to_group.granted_by_id = company.id("olga")
        session.add(to_group)
    assert waiting(company, "gus") == [request["id"]]
    with company.later(hours=2):
        assert waiting(company, "gus") == []


def test_whoever_asked_decides_nothing_and_whoever_decides_withdraws_nothing(company: Company) -> None:
    request = asked(company, "vic", company.orders, "Editor")
    refused = do(company, "vic", "grant", request)
    assert refused.status_code == 403
    assert refused.json()["decision"]["facts"]["level"] == "Viewer"
    assert do(company, "vic", "decline", request, reason="No.").status_code == 403
    assert do(company, "mia", "withdraw", request).status_code == 409
    tried = [entry for entry in company.audited("manage_users_viewer_editor") if entry.outcome == "refused"]
    filed = ("access_request", request["id"], "raw.orders")
    assert [(entry.resource_type, entry.resource_id, entry.resource_name) for entry in tried] == [filed] * 2


def test_a_request_looked_for_in_vain_is_on_record_and_not_for_who_looked(company: Company) -> None:
    request = asked(company, "vic", company.orders, "Editor")
    assert see(company, "nora", request).status_code == 404
    (tried,) = [entry for entry in company.audited("see_tables") if entry.outcome == "refused"]
    filed = ("access_request", request["id"], "")
    assert (tried.resource_type, tried.resource_id, tried.resource_name) == filed
    assert company.get("nora", "/audit").json()["items"] == []
    assert len(company.get("olga", "/audit", resource_id=request["id"], outcome="refused").json()["items"]) == 1


# What comes of it ----------------------------------------------------------------------------------------------------


def test_granted_as_asked_it_is_an_ordinary_grant(company: Company) -> None:
    end = company.in_(days=30)
    request = asked(company, "nora", "RAW.orders", "Editor", expires_at=end.isoformat())
    answer = do(company, "mia", "grant", request)
    assert answer.status_code == 200, answer.text
    granted = answer.json()
    assert (granted["state"], granted["actions"], granted["version"]) == ("granted", [], 2)
    outcome = granted["outcome"]
    assert (outcome["level"], outcome["role"], outcome["by"], outcome["reason"]) == ("Editor", None, "Mia", None)
    assert outcome["expires_at"] == request["expires_at"]
    (one,) = origin(company, "nora")
    assert (one["level"], one["source"], one["expires_at"]) == ("Editor", "table", request["expires_at"])
    (given,), (decided,) = company.audited("give_level"), company.audited("grant_access_request")
    assert given.actor_id == decided.actor_id == company.id("mia")
    assert decided.about_id == company.id("nora")
    assert decided.resource_name == "RAW.orders"
    kept = {"level": "Editor", "expires_at": end.isoformat(), "type": "table", "reason": REASON}
    assert (decided.before, decided.after) == ({"state": "waiting", **kept}, {"state": "granted", **kept})
    assert decided.decision is not None
    assert decided.decision["row"] == "Manage users (Viewer, Editor)"
    assert see(company, "nora", request).json()["resource"]["name"] == "raw.orders"
    (sent,) = mail(company, "nora")
    assert sent.subject == "You are now Editor on the table raw.orders"
    assert sent.text is not None
    assert "Mia granted" in sent.text
    assert f"/requests/{request['id']}" in sent.text


def test_granted_with_another_level_or_end(company: Company) -> None:
    request = asked(company, "nora", "raw.orders", "Editor", expires_at=company.in_(days=30).isoformat())
    granted = do(company, "mia", "grant", request, level="Viewer", expires_at=None).json()
    assert (granted["outcome"]["level"], granted["outcome"]["expires_at"]) == ("Viewer", None)
    assert (granted["level"], granted["expires_at"]) == ("Editor", request["expires_at"])
    (one,) = origin(company, "nora")
    assert (one["level"], one["expires_at"]) == ("Viewer", None)
    other = asked(company, "gus", "raw.orders")
    assert do(company, "mia", "grant", other, level="Manager").status_code == 403
    assert do(company, "mia", "grant", other, role="Admin").status_code == 422
    assert do(company, "mia", "grant", other, expires_at=company.in_(days=-1).isoformat()).status_code == 422
    assert see(company, "mia", other).json()["state"] == "waiting"
    assert do(company, "adam", "grant", other, level="Manager").status_code == 200


def test_an_end_that_has_passed_has_to_be_chosen_anew(company: Company) -> None:
    request = asked(company, "nora", "raw.orders", expires_at=company.in_(days=1).isoformat())
    with company.later(days=2):
        assert do(company, "mia", "grant", request).status_code == 422
        assert do(company, "mia", "grant", request, expires_at=company.in_(days=4).isoformat()).status_code == 200


def test_who_holds_a_level_has_it_changed_and_never_lessened(company: Company) -> None:
    company.grant(company.orders, "nora", "Viewer")
    for_a_day = {"expires_at": company.in_(days=1).isoformat()}
    request = asked(company, "nora", company.orders, "Editor", **for_a_day)
    shortened = do(company, "mia", "grant", request)
    assert shortened.status_code == 409
    assert "without an end" in shortened.json()["detail"]
    assert do(company, "mia", "grant", request, level="Viewer", expires_at=None).status_code == 409
    assert do(company, "mia", "grant", request, **for_a_day).status_code == 200
    (entry,) = company.audited("change_level")
    assert (entry.before, entry.after) != (None, None)
    (one,) = origin(company, "nora")
    assert one["level"] == "Editor"
    higher = asked(company, "nora", company.orders, "Manager")
    assert do(company, "adam", "grant", higher, level="Viewer").status_code == 409
    assert do(company, "adam", "grant", higher).json()["state"] == "granted"


@pytest.mark.parametrize("wanted", ["Business User", "Admin"])
def test_a_role_is_granted_to_somebody_without_one(company: Company, sales: Project, wanted: str) -> None:
    end = company.in_(days=7)
    request = asked(company, "nora", "project:Sales", wanted, expires_at=end.isoformat())
    granted = do(company, "ann", "grant", request).json()
    assert (granted["state"], granted["outcome"]["role"], granted["outcome"]["level"]) == ("granted", wanted, None)
    assert company.get("nora", f"/projects/{sales.id}").json()["role"] == wanted
    (given,) = company.audited("invite_to_project")
    assert given.actor_id == company.id("ann")
    with company.later(days=8):
        assert company.get("nora", f"/projects/{sales.id}").status_code == 404
    (only,) = mail(company, "nora")  # and not another one for having come into the project
    assert only.subject == f"You are now {wanted} in the project Sales"


def test_a_role_is_raised_and_never_lowered(company: Company, sales: Project) -> None:
    request = asked(company, "tim", sales, "Admin")
    assert do(company, "ann", "grant", request, role="Business User").status_code == 409
    assert do(company, "ann", "grant", request, level="Viewer").status_code == 422
    assert do(company, "ann", "grant", request).status_code == 200
    assert company.get("tim", f"/projects/{sales.id}").json()["role"] == "Admin"
    (entry,) = company.audited("change_project_role")
    assert (entry.actor_id, entry.about_id) == (company.id("ann"), company.id("tim"))
    above = asked(company, "edda", sales, "Admin")  # Technical User by tenant role
    assert do(company, "ann", "grant", above, role="Technical User").status_code == 409
    assert do(company, "ann", "grant", above).status_code == 200


def test_a_level_that_ends_is_extended(company: Company) -> None:
    company.grant(company.customers, "tab", "Viewer", expires_at=company.in_(days=3))
    request = asked(company, "tab", company.customers, "Viewer", expires_at=company.in_(days=30).isoformat())
    assert do(company, "mia", "grant", request).status_code == 200
    with company.later(days=20):
        assert company.get("tab", f"/tables/{company.customers.id}").status_code == 200
    with company.later(days=31):
        assert company.get("tab", f"/tables/{company.customers.id}").status_code == 404
    company.grant(company.files, "group", "Viewer", expires_at=company.in_(days=3))
    through_group = asked(company, "gus", company.files, "Viewer")
    assert do(company, "mia", "grant", through_group).status_code == 200
    with company.later(days=20):
        assert company.get("gus", f"/volumes/{company.files.id}").status_code == 200


def test_a_role_that_ends_is_extended(company: Company, sales: Project) -> None:
    with company.database.session() as session:
        for holder in ({"member_id": company.id("nora")}, {"group_id": company.group.id}):
            by, end = company.id("olga"), company.in_(days=3)
            grant = ProjectGrant(project_id=sales.id, role="Business User", granted_by_id=by, expires_at=end, **holder)
            session.add(grant)
    for who in ("nora", "gus"):
        request = asked(company, who, sales, "Business User")
        assert do(company, "ann", "grant", request).status_code == 200
    with company.later(days=20):
        for who in ("nora", "gus"):
            assert company.get(who, f"/projects/{sales.id}").json()["role"] == "Business User"


def test_declined_with_a_reason_that_is_told(company: Company) -> None:
    request = asked(company, "nora", "raw.orders")
    assert do(company, "mia", "decline", request).status_code == 422
    assert do(company, "mia", "decline", request, reason=" ").status_code == 422
    declined = do(company, "mia", "decline", request, reason="Use trusted.revenue.").json()
    assert (declined["state"], declined["actions"]) == ("declined", [])
    seen = see(company, "nora", request).json()
    assert (seen["state"], seen["outcome"]["reason"]) == ("declined", "Use trusted.revenue.")
    assert (seen["outcome"]["level"], seen["resource"]["id"]) == (None, None)
    (sent,) = mail(company, "nora")
    assert sent.text is not None
    assert "> Use trusted.revenue." in sent.text
    (entry,) = company.audited("decline_access_request")
    assert entry.after is not None
    assert (entry.after["state"], entry.after["answer"]) == ("declined", "Use trusted.revenue.")
    assert origin_of_nothing(company, "nora")
    asked(company, "nora", "raw.orders")


def origin_of_nothing(company: Company, who: str) -> bool:
    return bool(company.get(who, f"/tables/{company.orders.id}").status_code == 404)


def test_withdrawn_it_is_over(company: Company) -> None:
    request = asked(company, "nora", "raw.orders")
    assert do(company, "nora", "withdraw", request).json()["state"] == "withdrawn"
    for who, action, body in (("nora", "withdraw", {}), ("mia", "grant", {}), ("mia", "decline", {"reason": "No."})):
        answer = do(company, who, action, request, **body)
        assert (answer.status_code, answer.json()["state"]) == (409, "withdrawn")
    assert waiting(company, "mia") == []
    assert listed(company, "mia", state="withdrawn") == [request["id"]]
    (entry,) = company.audited("withdraw_access_request")
    assert entry.after is not None
    assert entry.after["state"] == "withdrawn"
    assert mail(company, "nora") == []


def test_nobody_deciding_it_lapses_by_itself(company: Company) -> None:
    request = asked(company, "nora", "raw.orders")
    with company.later(days=29):
        assert waiting(company, "mia") == [request["id"]]
    with company.later(days=30, minutes=1):
        for who in ("nora", "mia"):
            seen = see(company, who, request).json()
            assert (seen["state"], seen["actions"]) == ("lapsed", [])
            assert listed(company, who, state="lapsed") == [request["id"]]
            assert listed(company, who, state="waiting") == []
        assert waiting(company, "mia") == []
        late = do(company, "mia", "grant", request)
        assert (late.status_code, late.json()["state"]) == (409, "lapsed")
        assert do(company, "nora", "withdraw", request).status_code == 409
        assert asked(company, "nora", "raw.orders")["state"] == "waiting"


# Two at once ---------------------------------------------------------------------------------------------------------


def test_the_second_of_two_deciders_is_told_that_it_is_decided(company: Company) -> None:
    request = asked(company, "nora", "raw.orders")
    at = f"{AT}/{request['id']}"
    calls = [
        (company.as_("mia"), f"{at}/grant", {}),
        (company.as_("adam"), f"{at}/decline", {"reason": "No."}),
        (company.as_("olga"), f"{at}/grant", {"level": "Editor"}),
        (company.as_("nora"), f"{at}/withdraw", {}),
    ]
    with ThreadPoolExecutor(4) as four:
        answers = list(four.map(lambda call: call[0].post(call[1], json=call[2]), calls))
    codes = sorted(answer.status_code for answer in answers)
    assert codes == [200, 409, 409, 409], [answer.text for answer in answers]
    with company.database.read() as session:
        given = session.scalar(select(func.count()).select_from(Grant).where(Grant.member_id == company.id("nora")))
    assert given == (1 if see(company, "nora", request).json()["state"] == "granted" else 0)


def test_deciding_while_it_is_deleted_or_who_asked_is_removed_ends_one_way_or_the_other(company: Company) -> None:
    request = asked(company, "nora", "raw.orders")
    calls = [
        lambda: company.as_("mia").post(f"{AT}/{request['id']}/grant", json={}),
        lambda: company.as_("olga").delete(f"{API}/tables/{company.orders.id}?confirm=orders"),
        lambda: company.as_("adam").delete(f"{API}/members/{company.id('nora')}"),
    ]
    with ThreadPoolExecutor(3) as three:
        granted, deleted, removed = three.map(lambda call: call(), calls)
    assert deleted.status_code == 200, deleted.text
    assert removed.status_code == 200, removed.text
    assert granted.status_code in (200, 404, 409), granted.text


def test_a_version_that_has_changed_is_noticed(company: Company) -> None:
    request = asked(company, "nora", "raw.orders")
    at = f"{AT}/{request['id']}"
    stale = {"If-Match": '"7"'}
    for who, action, body in (("mia", "grant", {}), ("mia", "decline", {"reason": "No."}), ("nora", "withdraw", {})):
        assert company.as_(who).post(f"{at}/{action}", json=body, headers=stale).status_code == 409
    assert company.as_("mia").post(f"{at}/grant", headers={"If-Match": '"1"'}).status_code == 200


# What and who is gone ------------------------------------------------------------------------------------------------


def test_a_deleted_table_lets_its_requests_lapse_at_once(company: Company) -> None:
    request = asked(company, "vic", company.orders, "Editor")
    with company.database.session() as session:
        session.execute(delete(Table).where(Table.id == company.orders.id))
    for who in ("vic", "mia", "adam"):
        seen = see(company, who, request).json()
        assert (seen["state"], seen["actions"]) == ("lapsed", [])
        assert seen["resource"] == {"type": "table", "id": None, "name": "raw.orders"}
        assert listed(company, who, state="lapsed") == [request["id"]]
    assert waiting(company, "mia") == waiting(company, "adam") == []
    for who in ("mia", "adam"):
        answer = do(company, who, "grant", request)
        assert answer.status_code == 409
        assert "deleted" in answer.json()["detail"]
    assert do(company, "vic", "withdraw", request).status_code == 409


def test_a_deleted_layer_or_project_too(company: Company, sales: Project) -> None:
    company.grant(company.trusted, "vic", "Viewer")
    requests = [asked(company, "vic", company.trusted, "Editor"), asked(company, "tim", sales, "Admin")]
    with company.database.session() as session:
        session.execute(delete(Table).where(Table.layer_id == company.trusted.id))
        session.execute(delete(Layer).where(Layer.id == company.trusted.id))
        session.execute(delete(Project).where(Project.id == sales.id))
    for who, request in zip(("vic", "tim"), requests, strict=True):
        assert see(company, who, request).json()["state"] == "lapsed"
        assert see(company, "ann", request).status_code == 404
        answer = do(company, "olga", "grant", request)
        assert answer.status_code == 409
        assert "deleted" in answer.json()["detail"]


@pytest.mark.parametrize("state", [MemberState.SUSPENDED, MemberState.REMOVED])
def test_whoever_is_not_there_waits_for_nothing(company: Company, state: MemberState) -> None:
    request, decided = asked(company, "nora", "raw.orders"), asked(company, "nora", "raw.customers")
    do(company, "mia", "decline", decided, reason="No.")
    path = f"{API}/members/{company.id('nora')}"
    done = company.as_("olga").delete(path) if state == "removed" else company.as_("olga").post(f"{path}/suspend")
    assert done.status_code == 200, done.text
    for who in ("mia", "adam"):
        assert waiting(company, who) == []
        if state == MemberState.SUSPENDED:
            assert see(company, who, request).status_code == 404
            assert do(company, who, "grant", request).status_code == 404
        assert decided["id"] in listed(company, who)
    with company.database.session() as session:
        session.get_one(Member, company.id("nora")).state = MemberState.ACTIVE
    assert waiting(company, "mia") == ([request["id"]] if state == MemberState.SUSPENDED else [])


# Lists ---------------------------------------------------------------------------------------------------------------


def test_lists_are_newest_first_by_state_and_in_pages(company: Company, sales: Project) -> None:
    with company.database.session() as session:
        make_project(session, "Other", company.people["olga"], {company.people["mia"]: "Admin"})
    on_data = [
        asked(company, who, thing) for who in ("nora", "gus", "edda") for thing in ("raw.orders", "raw.customers")
    ]
    role = asked(company, "nora", "project:Other", "Business User")
    own = asked(company, "mia", "project:Sales", "Business User")
    every = [request["id"] for request in (*on_data, role, own)][::-1]
    assert listed(company, "mia") == every
    assert listed(company, "mia", mine=True) == [own["id"]]
    assert waiting(company, "mia") == every[1:]
    assert listed(company, "mia", mine=True, waiting_for_me=True) == []
    do(company, "mia", "grant", on_data[0])
    assert listed(company, "mia", state="granted") == [on_data[0]["id"]]
    assert listed(company, "mia", waiting_for_me=True, state="granted") == []
    for who, whole in (("mia", every), ("adam", every)):
        found: list[str] = []
        cursor = None
        while True:
            query = {"limit": 3, **({"cursor": cursor} if cursor else {})}
            page = company.as_(who).get(AT, params=query).json()
            found += [item["id"] for item in page["items"]]
            cursor = page["next_cursor"]
            if cursor is None:
                break
        assert found == whole
    assert company.as_("mia").get(AT, params={"cursor": "nonsense"}).status_code == 422


def test_the_badge_counts_no_further_than_it_shows(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeing, "MOST_COUNTED", 2)
    for who in ("nora", "gus", "edda"):
        asked(company, who, "raw.orders")
    assert company.as_("mia").get(f"{AT}/waiting-for-me/count").json() == {"count": 2, "more": True}


def test_what_one_manages_alone_is_all_one_finds(company: Company) -> None:
    company.grant(company.orders, "gus", "Manager")
    here, there = asked(company, "nora", "raw.orders"), asked(company, "nora", "raw.customers")
    on_layer, as_manager = asked(company, "nora", "raw"), asked(company, "vic", "raw.orders", "Manager")
    assert waiting(company, "gus") == [here["id"]]
    assert set(waiting(company, "mia")) == {here["id"], there["id"], on_layer["id"]}
    assert as_manager["id"] in waiting(company, "olga")


def test_what_one_manages_is_found_by_its_index(company: Company, sales: Project) -> None:
    """On SQLite, which tells; a small table is read whole by PostgreSQL, and rightly so."""
    if company.database.engine.dialect.name != "sqlite":
        return
    company.grant(company.trusted, "ann", "Manager")
    company.grant(company.orders, "ann", "Manager")
    company.grant(company.files, "ann", "Manager")
    asked(company, "nora", "raw.orders")
    said: list[tuple[str, Any]] = []

    def listen(_connection: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        if "FROM access_request" in statement:
            said.append((statement, values))

    event.listen(company.database.engine, "before_cursor_execute", listen)
    for query in ({"waiting_for_me": True}, {"state": "granted"}, {}):
        listed(company, "ann", **query)
    event.remove(company.database.engine, "before_cursor_execute", listen)
    assert len(said) == 3
    with company.database.read() as session:
        for statement, values in said:
            plan = session.connection().exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values).all()
            steps = [row[3] for row in plan if "access_request" in row[3]]
            assert len(steps) >= 4
            assert [step for step in steps if step.startswith("SCAN")] == []


# Access questions ----------------------------------------------------------------------------------------------------


def test_a_no_says_what_to_ask_for(company: Company, sales: Project) -> None:
    def requestable(who: str, action: str, type_: str, id_: Any, **more: Any) -> Any:
        body = {"action": action, "resource": {"type": type_, "id": str(id_)}, **more}
        return company.as_(who).post(f"{API}/access/check", json=body).json()["requestable"]

    table = requestable("vic", "change_descriptions", "table", company.orders.id)
    assert table == {
        "resource": {"type": "table", "id": str(company.orders.id), "name": "raw.orders"},
        **{"level": "Editor", "role": None},
    }
    assert company.as_("vic").post(AT, json={**_without_name(table), "reason": "x"}).status_code == 201
    role = requestable("tim", "delete_project", "project", sales.id)
    assert (role["resource"]["type"], role["role"]) == ("project", "Admin")
    assert requestable("vic", "see_tables", "table", company.orders.id) is None
    assert requestable("adam", "delete_project", "project", sales.id, subject="tim@example.com") is None
    assert requestable("vic", "manage_billing", "tenant", "tenant") is None
    company.change_plan("starter")
    assert requestable("vic", "manage_users_manager", "table", company.orders.id) is None


def _without_name(found: Any) -> Any:
    resource = {key: value for key, value in found["resource"].items() if key != "name"}
    return {key: value for key, value in {**found, "resource": resource}.items() if value is not None}


def test_asking_again_after_an_answer_is_a_new_request(company: Company) -> None:
    first = asked(company, "nora", "raw.orders")
    do(company, "mia", "grant", first)
    assert ask(company, "nora", "raw.orders").status_code == 409  # they have it
    assert asked(company, "nora", "raw.orders", "Editor")["id"] != first["id"]


# What is said of who asks --------------------------------------------------------------------------------------------


def stands(company: Company, who: str, request: Any) -> Any:
    return see(company, who, request).json().get("standing")


def test_who_decides_sees_how_who_asks_stands_there(company: Company, sales: Project) -> None:
    soon = company.in_(days=3)
    company.grant(company.orders, "nora", "Viewer", expires_at=soon)
    request = asked(company, "nora", "raw.orders", "Editor")
    nothing: dict[str, Any] = {"role": None, "groups": []}
    own = {"level": "Viewer", "granted": "Viewer", "granted_until": soon.isoformat().replace("+00:00", "Z")}
    assert stands(company, "adam", request) == {**nothing, **own, "tenant_role": "none"}
    # Mia does not see the directory, and so neither tenant role nor groups.
    assert stands(company, "mia", request) == {**nothing, **own, "tenant_role": None}
    assert stands(company, "nora", request) is None
    (item,) = company.as_("mia").get(AT, params={"waiting_for_me": True}).json()["items"]
    assert item["standing"] is None
    do(company, "mia", "grant", request)
    assert stands(company, "mia", request) is None
    role = asked(company, "tim", "project:Sales", "Admin")
    assert stands(company, "ann", role) == {
        **{"level": None, "role": "Technical User", "granted": "Technical User", "granted_until": None},
        **{"tenant_role": "none", "groups": []},  # they share a project
    }


def test_who_is_in_a_group_is_not_told_by_what_it_brings_them(company: Company) -> None:
    company.grant(company.raw, "group", "Viewer")
    request = asked(company, "gus", "raw.orders", "Editor")
    assert stands(company, "mia", request)["level"] == "none"
    assert stands(company, "adam", request)["level"] == "Viewer"
    assert [group["name"] for group in stands(company, "adam", request)["groups"]] == ["Analysts"]
    with company.database.session() as session:
        session.add(GroupMembership(group_id=company.group.id, member_id=company.id("mia")))
    told = stands(company, "mia", request)
    assert (told["level"], told["granted"], [group["name"] for group in told["groups"]]) == (
        "Viewer",
        None,
        ["Analysts"],
    )
    company.grant(company.raw, "All", "Editor")
    assert stands(company, "mia", asked(company, "nora", "raw.orders", "Manager")) is None  # not hers to decide
    assert stands(company, "mia", request)["level"] == "Editor"


def test_a_glimpse_of_a_layer_is_not_shown_as_a_level_on_it(company: Company) -> None:
    assert stands(company, "mia", asked(company, "tab", company.raw, "Viewer"))["level"] == "none"
