"""Who receives a project's news: rows of what happens to somebody, and whether they receive it then."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import ColumnElement, select, update

from bailiwick.access.tables.roles.notifications import NOTIFICATIONS
from bailiwick.audit.models import AuditEntry
from bailiwick.database.base import utc_now
from bailiwick.projects.expired import drop_expired
from bailiwick.projects.models import ProjectGrant, ReceiverChoice
from bailiwick.tenancy.caller import ALL_GROUP_ID
from tests.projects.company import ADMIN, BUSINESS, DONE, TECHNICAL, Company

FAILED = "run_failed"


def receivers(company: Company, kind: str = FAILED, limit: int = 50) -> list[str]:
    found, cursor = [], None
    while True:
        params = {"limit": limit, **({"cursor": cursor} if cursor else {})}
        answer = company.as_("ann").get(f"{company.at}/notifications/{kind}/receivers", params=params)
        assert answer.status_code == 200, answer.text
        found += [item["name"] for item in answer.json()["items"]]
        cursor = answer.json()["next_cursor"]
        if cursor is None:
            return found


def receives(company: Company, who: str) -> bool:
    """By the list; and, while they are in the project, by their own look at the channel, which must agree."""
    on_list = company.people[who].name in receivers(company)
    own = company.as_(who).get(f"{company.at}/notifications")
    if own.status_code == 200:
        assert {item["kind"]: item["receives"] for item in own.json()["items"]}[FAILED] is on_list
    return on_list


def expire(company: Company, grants: ColumnElement[bool], *, keep_house: bool) -> Any:
    """The end of these roles has come; and, for good, they were dropped since."""
    with company.database.session() as session:
        session.execute(update(ProjectGrant).where(grants).values(expires_at=utc_now()))
        if keep_house:
            assert drop_expired(session)
    return company.as_("ann").get(company.at)


def happens(company: Company, who: str, what: str) -> None:
    """One thing that happens to somebody."""
    word, _, rest = what.partition(" ")
    person = company.as_(who)
    receiver = f"{company.at}/notifications/{FAILED}/receivers/{company.id(who)}"
    member = f"/api/v1/members/{company.id(who)}"
    todo: dict[str, Any] = {
        "invited": lambda: company.invite(f"{who}@example.com", rest),
        "becomes": lambda: company.change_role(who, rest),
        "leaves": lambda: company.remove(who),
        "enters": lambda: person.get(company.at),
        "opts": lambda: person.put(receiver) if rest == "in" else person.delete(receiver),
        "added": lambda: company.as_("ann").put(receiver),
        "taken": lambda: company.as_("ann").delete(receiver),
        "tenant": lambda: company.as_("olga").put(f"{member}/tenant-role", json={"tenant_role": rest}),
        "everyone": lambda: company.as_("ann").put(f"{company.at}/groups/{ALL_GROUP_ID}", json={"role": rest}),
        "nobody": lambda: company.as_("ann").delete(f"{company.at}/groups/{ALL_GROUP_ID}"),
        "analysts": lambda: company.as_("ann").put(f"{company.at}/groups/{company.analysts.id}", json={"role": rest}),
        "suspended": lambda: company.as_("olga").post(f"{member}/suspend"),
        "reactivated": lambda: company.as_("olga").post(f"{member}/reactivate"),
        "expires": lambda: expire(company, ProjectGrant.member_id == company.id(who), keep_house=rest == "for good"),
        "group's": lambda: expire(company, ProjectGrant.group_id.is_not(None), keep_house=rest == "for good"),
    }
    answer = todo[word]()
    assert answer.is_success, (what, answer.text)


@pytest.mark.parametrize(
    ("who", "story"),
    [
        # By grant
        ("nora", [("invited Technical User", True), ("leaves", False), ("invited Admin", True)]),
        ("nora", [("invited Admin", True), ("becomes Technical User", True), ("becomes Business User", False)]),
        ("nora", [("invited Business User", False), ("becomes Technical User", True)]),
        # Opting out is remembered, through falling and through leaving
        ("tim", [("opts out", False), ("becomes Business User", False), ("becomes Admin", False), ("opts in", True)]),
        ("tim", [("opts out", False), ("leaves", False), ("invited Technical User", False), ("opts in", True)]),
        # Added by hand: gone after rising and falling back, and after leaving
        ("bea", [("added", True), ("taken", False), ("opts in", True), ("opts out", False)]),
        ("bea", [("added", True), ("becomes Technical User", True), ("becomes Business User", False)]),
        ("bea", [("added", True), ("leaves", False), ("invited Business User", False)]),
        # Inherited: from first entering on
        ("edda", [("enters", True), ("tenant viewer", False), ("tenant editor", True), ("tenant none", False)]),
        ("edda", [("enters", True), ("tenant none", False), ("tenant editor", False), ("enters", True)]),
        ("edda", [("opts out", False), ("enters", False), ("opts in", True)]),
        ("edda", [("opts in", True)]),
        ("vera", [("enters", False), ("added", True), ("tenant editor", True), ("tenant viewer", False)]),
        ("vera", [("added", True), ("tenant none", False), ("tenant viewer", False)]),
        ("vera", [("becomes Technical User", True), ("leaves", False)]),
        # Through groups
        ("gus", [("analysts Admin", True), ("analysts Business User", False), ("added", True)]),
        ("gus", [("opts out", False), ("analysts Business User", False), ("analysts Admin", False)]),
        ("nora", [("everyone Technical User", True), ("everyone Business User", False), ("added", True)]),
        ("nora", [("everyone Business User", False), ("added", True), ("nobody", False), ("everyone Admin", True)]),
        ("edda", [("everyone Business User", True), ("nobody", False)]),
        # Until a role expires, and as if it had been taken afterwards, whether it was dropped yet or not
        ("tim", [("expires", False), ("invited Technical User", True)]),
        ("tim", [("opts out", False), ("expires for good", False), ("invited Technical User", False)]),
        ("bea", [("added", True), ("expires", False), ("invited Business User", False)]),
        ("bea", [("added", True), ("expires for good", False), ("invited Business User", False)]),
        ("vera", [("becomes Technical User", True), ("expires", False), ("added", True)]),
        ("gus", [("analysts Business User", False), ("added", True), ("group's", False), ("analysts Admin", True)]),
        (
            "gus",
            [("analysts Business User", False), ("added", True), ("group's", False), ("analysts Business User", False)],
        ),
        ("nora", [("everyone Technical User", True), ("group's", False), ("everyone Admin", True)]),
        (
            "nora",
            [
                ("everyone Business User", False),
                ("added", True),
                ("group's for good", False),
                ("everyone Business User", False),
            ],
        ),
        # A suspended member receives nothing, and is no other afterwards
        ("tim", [("suspended", False), ("reactivated", True)]),
        ("bea", [("added", True), ("suspended", False), ("reactivated", True)]),
    ],
    ids=lambda value: value if isinstance(value, str) else " · ".join(what for what, _ in value),
)
def test_receiving_follows_the_role_and_what_was_chosen(
    company: Company, who: str, story: list[tuple[str, bool]]
) -> None:
    for what, expected in story:
        happens(company, who, what)
        if what == "suspended":
            assert company.people[who].name not in receivers(company)
            company._clients.pop(who)  # their session has ended
        else:
            assert receives(company, who) is expected, what


def test_receiving_by_role_is_what_the_documents_table_says(company: Company) -> None:
    subscribed = NOTIFICATIONS.rows["Subscribed to every channel upon joining"]
    for role, expected in zip((ADMIN, TECHNICAL, BUSINESS), subscribed, strict=True):
        company.change_role("bea", role)
        assert receives(company, "bea") is expected


def test_receivers_come_in_pages_with_their_roles(company: Company) -> None:
    assert receivers(company) == ["Ann", "Gus", "Tim"]
    for who in ("olga", "edda", "vera"):
        company.as_(who).get(company.at)
    happens(company, "bea", "added")
    assert receivers(company, limit=1) == receivers(company) == ["Ann", "Bea", "Edda", "Gus", "Olga", "Tim"]
    assert receivers(company, "run_succeeded") == ["Ann", "Edda", "Gus", "Olga", "Tim"]
    items = company.as_("tim").get(f"{company.at}/notifications/{FAILED}/receivers").json()["items"]
    assert {item["name"]: item["added"] for item in items if item["role"] == BUSINESS} == {"Bea": True}
    assert company.as_("bea").get(f"{company.at}/notifications/{FAILED}/receivers").status_code == 403
    happens(company, "nora", "everyone Business User")
    assert receivers(company, limit=2) == ["Adam", "Ann", "Bea", "Edda", "Gus", "Olga", "Tim"]


def test_nobody_overrules_somebody_elses_opting_out(company: Company) -> None:
    happens(company, "tim", "opts out")
    ann, path = company.as_("ann"), f"{company.at}/notifications/{FAILED}/receivers"
    refused = ann.put(f"{path}/{company.id('tim')}")
    assert (refused.status_code, "opted out" in refused.json()["detail"]) == (409, True)
    assert ann.put(f"{path}/{company.id('edda')}").status_code == 409
    assert ann.delete(f"{path}/{company.id('gus')}").status_code == 409
    assert ann.put(f"{path}/{company.id('nora')}").status_code == 404
    for who in ("tim", "bea"):
        for method in ("PUT", "DELETE"):
            assert company.as_(who).request(method, f"{path}/{company.id('gus')}").status_code == 403


def test_choices_are_on_record_and_repeating_one_changes_nothing(company: Company) -> None:
    for _ in range(2):
        happens(company, "bea", "added")
    for _ in range(2):
        happens(company, "tim", "opts out")
    with company.database.read() as session:
        entries = session.scalars(
            select(AuditEntry).where(AuditEntry.action.contains("receiver"), DONE).order_by(AuditEntry.id)
        )
        said = [(entry.actor_id, entry.about_id, entry.after, entry.seen_from) for entry in entries]
        assert said == [
            (company.id("ann"), company.id("bea"), {"channel": FAILED, "receives": True}, ADMIN),
            (company.id("tim"), company.id("tim"), {"channel": FAILED, "receives": False}, ADMIN),
        ]
        assert len(session.scalars(select(ReceiverChoice)).all()) == 2


def test_admins_set_up_channels_and_only_they_see_the_web_address(company: Company) -> None:
    path, ann = f"{company.at}/notifications", company.as_("ann")
    change = {"is_on": True, "delay_minutes": 15, "webhook_url": "https://example.com/hook?key=secret"}
    answer = ann.patch(f"{path}/run_succeeded", json=change, headers={"If-Match": '"1"'})
    assert answer.status_code == 200, answer.text
    assert {field: answer.json()[field] for field in change} == change
    assert ann.patch(f"{path}/run_succeeded", json={"is_on": False}, headers={"If-Match": '"1"'}).status_code == 409
    for who in ("tim", "bea"):
        assert company.as_(who).patch(f"{path}/run_succeeded", json={"is_on": False}).status_code == 403
        seen = {item["kind"]: item for item in company.as_(who).get(path).json()["items"]}
        assert seen["run_succeeded"]["is_on"] is True
        assert "secret" not in str(seen)
    cleared = ann.patch(f"{path}/run_succeeded", json={"webhook_url": None}).json()
    assert (cleared["webhook_url"], cleared["delay_minutes"], cleared["version"]) == (None, 15, 3)
    with company.database.read() as session:
        found = select(AuditEntry).where(AuditEntry.action == "set_notification_channel", DONE)
        entries = session.scalars(found).all()
        assert [entry.seen_from for entry in entries] == [ADMIN, ADMIN]
        assert "secret" not in str([(entry.before, entry.after) for entry in entries])
        assert {str((entry.after or {})["webhook_url"]) for entry in entries} == {"https://example.com/…", "None"}


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"is_on": None},
        {"is_on": "yes"},
        {"delay_minutes": -1},
        {"delay_minutes": 1441},
        {"delay_minutes": "5"},
        {"webhook_url": "ftp://example.com/x"},
        {"webhook_url": "javascript:alert(1)"},
        {"webhook_url": "nonsense"},
        {"webhook_url": "https://example.com/" + "x" * 2000},
        {"webhook_url": "https://example.com/" + "ü" * 700},
        {"webhook_url": "https://name:secret@example.com/x"},
        {"webhook_url": "http://127.0.0.1:8000/x"},
        {"webhook_url": "http://api.localhost/x"},
        {"webhook_url": "https://[::ffff:10.0.0.1]/x"},
        {"kind": "run_failed"},
    ],
)
def test_a_wrong_channel_names_the_field(company: Company, body: Any) -> None:
    answer = company.as_("ann").patch(f"{company.at}/notifications/{FAILED}", json=body)
    assert answer.status_code == 422
    assert answer.json()["errors"]


def test_there_are_no_other_channels(company: Company) -> None:
    assert company.as_("ann").get(f"{company.at}/notifications/run_burnt/receivers").status_code == 422
