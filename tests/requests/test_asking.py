"""Asking: for what, by whom, how often, and that nothing is learnt by it."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import delete, select

from bailiwick.database.base import new_id
from bailiwick.lakehouse.models import Table
from bailiwick.projects.models import Project
from bailiwick.requests import asking
from bailiwick.requests.models import AccessRequest
from tests.lakehouse.company import API, Company
from tests.lakehouse.making import make_grant
from tests.people import make_group, make_member, make_project
from tests.requests.asking import AT, REASON, ask, asked, do, listed, mail, see, told, waiting


def test_a_level_is_asked_for_and_shown_as_waiting(company: Company) -> None:
    end = company.in_(days=30)
    answer = ask(company, "vic", company.orders, "Editor", expires_at=end.isoformat())
    assert answer.status_code == 201
    request = answer.json()
    assert answer.headers["Location"] == f"{AT}/{request['id']}"
    assert answer.headers["ETag"] == '"1"'
    assert request["state"] == "waiting"
    assert request["resource"] == {"type": "table", "id": str(company.orders.id), "name": "raw.orders"}
    assert (request["level"], request["role"], request["reason"]) == ("Editor", None, REASON)
    assert request["requester"]["name"] == "Vic"
    assert request["outcome"] is None
    assert request["actions"] == ["withdraw"]
    assert see(company, "vic", request).json() == request
    assert listed(company, "vic", mine=True) == [request["id"]]
    (entry,) = company.audited("ask_for_access")
    assert (entry.resource_name, entry.about_id) == ("raw.orders", company.id("vic"))
    assert entry.after == {
        **{"state": "waiting", "type": "table", "level": "Editor", "reason": REASON},
        "expires_at": request["expires_at"].replace("Z", "+00:00"),
    }


@pytest.mark.parametrize("name", ["raw", "layer:raw", "raw.orders", "RAW.Orders", "volume:raw.files", "project:sales"])
def test_what_one_sees_is_asked_for_by_name_too(company: Company, sales: Project, name: str) -> None:
    who = "tim" if "sales" in name else "vic"
    request = asked(company, who, name, "Admin" if who == "tim" else "Manager")
    assert request["resource"]["id"] is not None
    assert request["resource"]["name"] in ("raw", "raw.orders", "raw.files", "Sales")


def test_by_id_one_asks_only_for_what_one_sees(company: Company, sales: Project) -> None:
    for thing, wanted in ((company.orders, "Viewer"), (company.raw, "Viewer"), (sales, "Admin")):
        hidden = ask(company, "nora", thing, wanted)
        assert hidden.status_code == 404
        body = json.loads(hidden.request.read())
        body["resource"]["id"] = str(new_id())
        missing = company.as_("nora").post(AT, json=body)
        assert {**hidden.json(), "request_id": ""} == {**missing.json(), "request_id": ""}
    with company.database.read() as session:
        assert session.scalars(select(AccessRequest)).all() == []


# Nothing leaks -------------------------------------------------------------------------------------------------------

HIDDEN = [
    *(("raw.orders", "raw.nothere", "Viewer"), ("raw.orders", "nothere.orders", "Manager"), ("raw", "nope", "Editor")),
    *(("volume:raw.files", "volume:raw.nofiles", "Viewer"), ("project:Sales", "project:Fails", "Admin")),
]


@pytest.mark.parametrize(("hidden", "missing", "wanted"), HIDDEN)
def test_what_is_hidden_is_answered_like_what_is_not_there_to_the_letter(
    company: Company, sales: Project, hidden: str, missing: str, wanted: str
) -> None:
    """Everything that one request after another answers, the name and what every request has of its own aside."""

    def story(name: str) -> list[Any]:
        own = name.rpartition(":")[2]
        answers = [ask(company, "nora", name, wanted)]
        request = answers[0].json()
        answers += [
            see(company, "nora", request),
            company.as_("nora").get(AT, params={"mine": True, "state": "waiting"}),
            ask(company, "nora", name, wanted),
            ask(company, "nora", name.upper().replace("VOLUME", "volume").replace("PROJECT", "project"), wanted),
            do(company, "nora", "grant", request),
            do(company, "nora", "decline", request, reason="No."),
            company.as_("nora").get(f"{AT}/waiting-for-me/count"),
            do(company, "nora", "withdraw", request),
            do(company, "nora", "withdraw", request),
            see(company, "nora", request),
            company.as_("nora").get(f"{API}/audit", params={"resource_id": request["id"]}),
        ]
        return [_scrubbed(answer, {request["id"]: "ID", own: "NAME", own.upper(): "NAME"}) for answer in answers]

    assert story(hidden) == story(missing)


PASSING = {"request_id", "asked_at", "lapses_at", "at", "hash", "previous_hash", "number", "chain"}


def _scrubbed(answer: Any, own: dict[str, str]) -> tuple[int, str, list[str]]:
    """What was answered, without what is another each time."""
    body = answer.json()
    if "/audit" in str(answer.request.url):
        body = [{key: value for key, value in item.items() if key != "id"} for item in body["items"]]
        assert len(body) == 4  # asked, twice refused to decide, withdrawn
    said = json.dumps(_without(body, PASSING))
    for value, stands_for in own.items():
        said = said.replace(f'"{value}"', f'"{stands_for}"')
    return answer.status_code, said, sorted(set(answer.headers) - {"content-length"})


def _without(value: Any, names: set[str]) -> Any:
    if isinstance(value, dict):
        return {key: _without(one, names) for key, one in value.items() if key not in names}
    return [_without(one, names) for one in value] if isinstance(value, list) else value


def test_only_where_it_is_real_do_people_hear_of_it(company: Company, sales: Project) -> None:
    asked(company, "nora", "raw.nothere")
    asked(company, "nora", "nothere.orders")
    asked(company, "nora", "volume:raw.orders")  # a table
    asked(company, "nora", "project:Fails", "Business User")
    assert told(company) == set()
    for who in ("mia", "adam", "olga", "ann"):
        assert waiting(company, who) == []
        assert listed(company, who) == []
    real = asked(company, "nora", "raw.orders")
    assert waiting(company, "mia") == waiting(company, "adam") == [real["id"]]
    assert see(company, "mia", real).json()["resource"]["id"] == str(company.orders.id)
    assert see(company, "nora", real).json()["resource"] == {"type": "table", "id": None, "name": "raw.orders"}


def test_a_hidden_thing_that_is_deleted_goes_on_being_waited_for(company: Company) -> None:
    hidden, missing = asked(company, "nora", "raw.orders"), asked(company, "nora", "raw.nothere")
    with company.database.session() as session:
        session.execute(delete(Table).where(Table.id == company.orders.id))
    for request in (hidden, missing):
        seen = see(company, "nora", request)
        assert (seen.json()["state"], seen.json()["actions"], seen.headers["ETag"]) == ("waiting", ["withdraw"], '"1"')
        assert listed(company, "nora", state="lapsed") == []
        assert ask(company, "nora", request["resource"]["name"]).status_code == 409
    with company.later(days=31):
        assert set(listed(company, "nora", state="lapsed")) == {hidden["id"], missing["id"]}


def test_two_names_of_one_hidden_thing_are_not_told_to_be_one(company: Company, sales: Project) -> None:
    asked(company, "nora", "project:Sales", "Business User")
    company.as_("olga").patch(f"{API}/projects/{sales.id}", json={"name": "Marketing"})
    asked(company, "nora", "project:Marketing", "Business User")
    request = see(company, "nora", {"id": listed(company, "nora")[-1]}).json()
    assert request["resource"]["name"] == "Sales"
    assert see(company, "ann", request).json()["resource"]["name"] == "Marketing"


def test_once_it_is_seen_it_is_shown_as_what_it_is(company: Company) -> None:
    request = asked(company, "nora", "RAW.orders", "Editor")
    assert request["resource"] == {"type": "table", "id": None, "name": "RAW.orders"}
    company.grant(company.orders, "nora", "Viewer")
    seen = see(company, "nora", request).json()["resource"]
    assert seen == {"type": "table", "id": str(company.orders.id), "name": "raw.orders"}
    again = ask(company, "nora", company.orders, "Editor")
    assert (again.status_code, again.json()["access_request_id"]) == (409, request["id"])


# What is not taken ---------------------------------------------------------------------------------------------------


def test_who_has_it_already_is_told_so(company: Company, sales: Project) -> None:
    for who, thing, wanted in (
        *(("vic", company.orders, "Viewer"), ("eve", "raw", "Viewer"), ("tab", "raw.orders", "Editor")),
        *(("mia", "volume:raw.files", "Manager"), ("tim", sales, "Business User"), ("ann", "project:Sales", "Admin")),
        *(("edda", "project:Sales", "Technical User"), ("adam", "project:Sales", "Admin")),
    ):
        answer = ask(company, who, thing, wanted)
        assert answer.status_code == 409, answer.text
        assert "already" in answer.json()["detail"]
    for who in ("olga", "adam"):
        assert "reach everything" in ask(company, who, company.orders, "Manager").json()["detail"]


def test_what_ends_sooner_can_be_asked_for_again(company: Company, sales: Project) -> None:
    """What one has is not asked for, unless for longer; and of what comes from several sides the last end counts."""
    company.grant(company.revenue, "nora", "Editor", expires_at=company.in_(days=3))
    for days in (2, 3):
        answer = ask(
            company, "nora", company.revenue, "Viewer", expires_at=company.in_(days=days, hours=-1).isoformat()
        )
        assert answer.status_code == 409
        assert "You have Editor on trusted.revenue already, until " in answer.json()["detail"]
    company.grant(company.trusted, "nora", "Viewer", expires_at=company.in_(days=10))
    assert ask(company, "nora", company.revenue, expires_at=company.in_(days=9).isoformat()).status_code == 409
    assert (
        ask(company, "nora", company.revenue, "Editor", expires_at=company.in_(days=9).isoformat()).status_code == 201
    )
    company.grant(company.trusted, "vic", "Viewer", expires_at=company.in_(days=10))
    assert ask(company, "vic", company.trusted, expires_at=company.in_(days=9).isoformat()).status_code == 409
    assert ask(company, "vic", company.trusted).status_code == 201
    company.grant(company.trusted, "All", "Viewer")
    refused = ask(company, "tab", company.trusted)
    assert refused.json()["detail"] == "You have Viewer on trusted already."


def test_a_glimpse_of_a_layer_is_no_level_on_it(company: Company) -> None:
    assert company.get("tab", f"/layers/{company.raw.id}").json()["level"] == "Viewer"
    assert asked(company, "tab", company.raw, "Viewer")["resource"]["id"] == str(company.raw.id)


def test_one_request_waits_for_a_member_and_a_thing(company: Company) -> None:
    first = asked(company, "vic", company.orders, "Editor")
    for again in (ask(company, "vic", company.orders, "Manager"), ask(company, "vic", "raw.ORDERS", "Editor")):
        assert (again.status_code, again.json()["access_request_id"]) == (409, first["id"])
    asked(company, "vic", company.raw, "Editor")
    asked(company, "nora", "raw.orders")
    do(company, "vic", "withdraw", first)
    asked(company, "vic", company.orders, "Manager")


def test_not_too_many_wait_at_once_nor_are_made_in_a_day(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "MOST_WAITING", 3)
    monkeypatch.setattr(asking, "MOST_A_DAY", 5)
    requests = [asked(company, "nora", f"raw.t{number}") for number in range(3)]
    refused = ask(company, "nora", "raw.t3")
    assert (refused.status_code, refused.json()["detail"].split()[0]) == (409, "3")
    asked(company, "vic", "raw.t3")
    for number in (4, 5):
        do(company, "nora", "withdraw", requests.pop())
        requests.append(asked(company, "nora", f"raw.t{number}"))
    do(company, "nora", "withdraw", requests[0])
    refused = ask(company, "nora", "raw.t6")
    assert refused.status_code == 409
    assert "within a day" in refused.json()["detail"]
    with company.later(days=1, hours=1):
        asked(company, "nora", "raw.t6")


def test_two_wishes_at_once_make_one_request(company: Company) -> None:
    with ThreadPoolExecutor(2) as two:
        clients = [company.sign_in_as(company.people["nora"]) for _ in range(2)]
        body = {"resource": {"type": "table", "name": "raw.orders"}, "level": "Viewer", "reason": REASON}
        codes = sorted(answer.status_code for answer in two.map(lambda client: client.post(AT, json=body), clients))
    assert codes == [201, 409]


def test_on_starter_no_level_is_asked_for(company: Company, sales: Project) -> None:
    before = asked(company, "nora", "raw.orders")
    company.change_plan("starter")
    for name in ("raw.orders", "raw.nothere", "trusted"):
        answer = ask(company, "nora", name)
        assert answer.status_code == 409
        assert "starter" in answer.json()["detail"]
    asked(company, "nora", "project:Sales", "Business User")
    # Everybody manages everything there; what waits from before is for those who always do.
    assert waiting(company, "vic") == waiting(company, "mia") == []
    assert see(company, "mia", before).status_code == 404
    assert see(company, "adam", before).json()["actions"] == ["decline"]
    assert do(company, "adam", "grant", before).status_code == 409
    assert do(company, "adam", "decline", before, reason="You manage it.").status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        {"resource": {"type": "table", "name": "raw.orders"}, "level": "Viewer"},
        {"resource": {"type": "table", "name": "raw.orders"}, "level": "Viewer", "reason": "  "},
        {"resource": {"type": "table", "name": "raw.orders"}, "level": "Viewer", "reason": "x" * 1001},
        {"resource": {"type": "table", "name": "raw.orders"}, "level": "none", "reason": "x"},
        {"resource": {"type": "table", "name": "raw.orders"}, "role": "Admin", "reason": "x"},
        {"resource": {"type": "table", "name": "raw.orders"}, "level": "Viewer", "role": "Admin", "reason": "x"},
        {"resource": {"type": "project", "name": "Sales"}, "level": "Viewer", "reason": "x"},
        {"resource": {"type": "table", "name": "orders"}, "level": "Viewer", "reason": "x"},
        {"resource": {"type": "layer", "name": "raw.orders"}, "level": "Viewer", "reason": "x"},
        {"resource": {"type": "table", "name": "raw.or ders"}, "level": "Viewer", "reason": "x"},
        {"resource": {"type": "table"}, "level": "Viewer", "reason": "x"},
        {"resource": {"type": "table", "name": "a.b", "id": str(new_id())}, "level": "Viewer", "reason": "x"},
        {"resource": {"type": "pipeline", "name": "a"}, "level": "Viewer", "reason": "x"},
    ],
)
def test_a_wish_has_one_form(company: Company, body: Any) -> None:
    assert company.as_("nora").post(AT, json=body).status_code == 422


def test_a_reason_holds_nothing_that_a_terminal_obeys_or_that_turns_text_around(company: Company) -> None:
    for hidden in ("\x1b[2J", "\x9b2J", "\u202e", "\u2066", "\r", "\x00", "\x0b"):
        answer = ask(company, "nora", "raw.orders", reason=f"Please{hidden}!")
        assert answer.status_code == 422, hidden
        assert "turn text around" in answer.json()["errors"][0]["fix"]


def test_an_end_lies_ahead_whatever_is_asked_for(company: Company) -> None:
    for name in ("raw.orders", "raw.nothere"):
        for days in (-1, 9999):
            answer = ask(company, "nora", name, expires_at=company.in_(days=days).isoformat())
            assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "expires_at")


# Tokens --------------------------------------------------------------------------------------------------------------


def test_a_read_only_token_looks_and_a_token_for_tables_does_not(company: Company) -> None:
    request = asked(company, "nora", "raw.orders")
    for who, token, reads in (
        *(("nora", {"read_only": True}, 200), ("mia", {"read_only": True}, 200)),
        *(("nora", {"tables": [str(company.orders.id)]}, 403), ("mia", {"tables": [str(company.orders.id)]}, 403)),
    ):
        client = company.sign_in_as(company.people[who], token=token)
        for path in ("", f"/{request['id']}", "/waiting-for-me/count"):
            assert client.get(f"{AT}{path}").status_code == reads
        body = {"resource": {"type": "table", "name": "raw.customers"}, "level": "Viewer", "reason": "x"}
        assert client.post(AT, json=body).status_code == 403
        assert client.post(f"{AT}/{request['id']}/grant", json={}).status_code == 403
        assert client.post(f"{AT}/{request['id']}/decline", json={"reason": "No."}).status_code == 403
        assert client.post(f"{AT}/{request['id']}/withdraw").status_code == 403
    assert see(company, "nora", request).json()["state"] == "waiting"


# Who is told ---------------------------------------------------------------------------------------------------------


def test_those_nearest_are_told(company: Company) -> None:
    asked(company, "nora", "raw.orders")
    assert told(company) == {"mia"}  # Manager of the layer, as the table has none of its own
    company.grant(company.orders, "group", "Manager")
    asked(company, "vic", "raw.orders", "Editor")
    assert told(company) == {"mia", "gus"}
    assert len(mail(company, "mia")) == 1
    asked(company, "nora", "trusted.revenue")
    assert told(company) == {"mia", "gus", "adam", "olga"}


def test_manager_is_asked_of_those_who_give_it(company: Company) -> None:
    asked(company, "vic", "raw.orders", "Manager")
    assert told(company) == {"adam", "olga"}


def test_of_a_project_its_admins_are_told_or_else_the_tenants(company: Company, sales: Project) -> None:
    asked(company, "nora", "project:Sales", "Business User")
    assert told(company) == {"ann"}
    with company.database.session() as session:
        make_project(session, "Empty", company.people["olga"])
    asked(company, "nora", "project:Empty", "Admin")
    assert told(company) == {"ann", "adam", "olga"}


def test_an_email_says_who_asks_for_what_and_why_and_leads_there(company: Company) -> None:
    reason = "I build the report.\r\nHello Mia,\n\tclick 👩‍💻 here."
    request = asked(company, "nora", "RAW.orders", reason=reason, expires_at="2031-05-04T10:30:00+02:00")
    (sent,) = mail(company, "mia")
    assert sent.subject == "Nora (nora@example.com) asks to be Viewer on the table raw.orders"
    assert sent.text is not None
    assert "until 04 May 2031, 08:30 UTC" in sent.text
    assert "> I build the report.\n> Hello Mia,\n> \tclick 👩‍💻 here.\n" in sent.text
    assert f"/requests/{request['id']}\n" in sent.text


def test_no_more_than_twenty_are_told_and_nobody_who_is_not_active(company: Company) -> None:
    with company.database.session() as session:
        members = [
            make_member(session, f"M{number:02}", state="suspended" if number < 5 else "active") for number in range(30)
        ]
        company.people |= {member.name.lower(): member for member in members}
        make_grant(session, company.revenue, make_group(session, "Stewards", *members), "Manager")
    asked(company, "nora", "trusted.revenue")
    assert told(company) == {f"m{number:02}" for number in range(5, 25)}
