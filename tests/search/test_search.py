"""Search: the best first, of everything that one may see, and nothing of what one may not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.orm import Session

from bailiwick.database.engine import Database
from bailiwick.tenancy.models import GroupMembership, Member, MemberState
from tests.lakehouse.company import Company
from tests.lakehouse.making import make_layer, make_pipeline, make_saved_query, make_stream, make_table, make_volume
from tests.people import make_group, make_member, make_project


def found(company: Company, who: str, q: str, **more: Any) -> list[tuple[str, str]]:
    answer = company.get(who, "/search", q=q, **more)
    assert answer.status_code == 200, answer.text
    return [(one["type"], one["name"]) for one in answer.json()["items"]]


def is_all(company: Company, who: str, q: str, **more: Any) -> bool:
    return bool(company.get(who, "/search", q=q, **more).json()["is_all"])


@pytest.fixture
def company(company: Company) -> Company:
    """With something of every kind that is called after orders."""
    people = company.people
    with company.database.session() as session:
        make_layer(session, "orders_layer", description="For orders.")
        source = make_pipeline(session, "Orders from the shop", people["eve"], kind="source")
        make_stream(session, source, table=company.orders)
        make_pipeline(session, "Sum of orders", people["adam"], reads=[company.orders], output=company.revenue)
        make_saved_query(session, "Big orders", people["eve"], reads=[company.orders], shared=True)
        make_saved_query(session, "My orders", people["eve"], reads=[company.orders])
        make_project(session, "Orders", people["olga"], {people["mia"]: "Admin", people["vic"]: "Business User"})
        make_group(session, "Reorders")
        make_member(session, "Otto Orders")
    return company


def test_the_best_comes_first(company: Company) -> None:
    assert found(company, "olga", "orders") == [
        ("table", "raw.orders"),
        ("project", "Orders"),
        ("layer", "orders_layer"),
        ("source", "Orders from the shop"),
        ("query", "Sum of orders"),
        ("saved_query", "Big orders"),
        ("saved_query", "My orders"),
        ("member", "Otto Orders"),
        ("group", "Reorders"),
    ]


def test_case_and_several_words_do_not_matter(company: Company) -> None:
    assert found(company, "olga", "  SHOP   orders ") == [("source", "Orders from the shop")]
    assert found(company, "olga", "orders shop nowhere") == []
    assert found(company, "olga", "   ") == []
    assert found(company, "olga", "100%") == found(company, "olga", "_rders") == []


NAMES = ["Änne İpek Strauß", "GROẞ", "ΣΊΣΥΦΟΣ", "Σίσυφος", "İ.ẞ.Σ"]


def test_a_name_is_found_as_it_is_written(company: Company) -> None:
    with company.database.session() as session:
        for place, name in enumerate(NAMES):
            make_member(session, name, email=f"{place}@example.com")
            make_project(session, name, company.people["olga"])
        for number in range(101):  # where many fit, they are looked for in each way of fitting
            make_group(session, f"{NAMES[0]} {number}")
    for name in NAMES:
        for text in (name, *name.split(), name[:3]):
            assert {("member", name), ("project", name)} <= set(found(company, "olga", text, limit=50)), text
            listed = company.get("olga", "/members", search=text).json()["items"]
            assert name in [one["name"] for one in listed], text
    assert ("group", f"{NAMES[0]} 0") in found(company, "olga", "İpek", limit=50)


OF_RAW = {("table", "raw.orders"), ("source", "Orders from the shop"), ("saved_query", "Big orders")}
NAMED = {("group", "Reorders")}  # the names of groups are for everybody


@pytest.mark.parametrize(
    ("who", "kinds"), [("nora", NAMED), ("tab", OF_RAW | NAMED), ("vic", OF_RAW | NAMED | {("project", "Orders")})]
)
def test_what_one_may_not_see_is_not_found(company: Company, who: str, kinds: set[tuple[str, str]]) -> None:
    assert set(found(company, who, "orders")) == kinds


def test_a_table_is_found_as_it_is_written_in_statements(company: Company) -> None:
    assert found(company, "vic", "raw.ord") == [("table", "raw.orders")]
    assert found(company, "vic", "raw.") == [
        ("table", "raw.customers"),
        ("table", "raw.orders"),
        ("volume", "raw.files"),
    ]
    assert found(company, "vic", "trusted.rev") == found(company, "vic", "nowhere.rev") == []
    assert found(company, "vic", "file") == [("volume", "raw.files")]
    assert found(company, "vic", "rders")[0] == ("table", "raw.orders")


def test_members_are_found_by_who_sees_them(company: Company) -> None:
    def people(who: str, q: str) -> list[str]:
        return [name for type_, name in found(company, who, q) if type_ == "member"]

    assert people("adam", "nora") == ["Nora"]
    assert people("adam", "nora@exam") == ["Nora"]
    assert people("mia", "nora") == []
    assert people("mia", "vic") == ["Vic"]  # of the same project
    assert people("mia", "olga") == ["Olga"]  # in every project, by her tenant role
    assert people("nora", "olga") == []
    assert people("nora", "nora") == ["Nora"]
    with company.database.session() as session:
        group = make_group(session, "Helpers", company.people["nora"])
        make_project(session, "Help", company.people["olga"], {group: "Business User", company.people["mia"]: "Admin"})
    assert people("mia", "nora") == ["Nora"]
    with company.database.session() as session:
        session.delete(session.get_one(GroupMembership, (group.id, company.id("nora"))))
        session.get_one(Member, company.id("vic")).state = MemberState.REMOVED
    assert people("mia", "nora") == []
    assert people("adam", "vic") == []


def test_of_many_people_those_whose_name_or_address_begins_so_come_first(company: Company) -> None:
    with company.database.session() as session:
        for number in range(120):
            make_member(session, f"Abe Banzo {number:03}", email=f"abe.{number}@example.com")
        make_member(session, "Zoë Last", email="last@example.com")
        make_member(session, "Otto", email="zora@example.com")
        make_member(session, "Anna de Zorn", email="anna@example.com")
    assert [name for type_, name in found(company, "adam", "zo") if type_ == "member"][:4] == [
        "Otto",  # by the address
        "Zoë Last",
        "Anna de Zorn",
        "Abe Banzo 000",
    ]
    assert found(company, "adam", "ZOË") == found(company, "adam", "zoë last@") == [("member", "Zoë Last")]


@pytest.mark.parametrize("name", ["zq1", "ärger"])
def test_the_very_name_comes_first_however_many_begin_so(company: Company, name: str) -> None:
    olga = company.people["olga"]
    with company.database.session() as session:
        for number in range(110):
            for called in (f"{name.title()} {number:03}", f"{name} {number:03}", f"A {name} {number:03}"):
                make_group(session, called)
        for called in (f"{name.title()} {number:03}" for number in range(110)):
            make_project(session, called, olga)
            make_pipeline(session, called, olga)
            make_saved_query(session, called, olga)
        make_group(session, name)
        make_project(session, name, olga)
        make_pipeline(session, name, olga, kind="source")
        make_saved_query(session, name, olga)
    listed = found(company, "olga", name.upper(), limit=50)
    assert listed[:4] == [("source", name), ("saved_query", name), ("project", name), ("group", name)]
    assert len(listed) == 4 * 8


def test_who_is_found_is_who_may_be_looked_at(company: Company) -> None:
    """The same as each member's own page says, for everybody about everybody."""
    with company.database.session() as session:
        make_project(session, "For all", company.people["olga"], {company.people["val"]: "Admin"})
    for who in ("nora", "edda", "val", "mia"):
        for name, member in company.people.items():
            seen = company.get(who, f"/members/{member.id}").status_code == 200
            listed = ("member", member.name) in found(company, who, name)
            assert seen == listed, (who, name)


def test_there_are_a_few_of_each_kind(company: Company) -> None:
    with company.database.session() as session:
        for number in range(60):
            make_table(session, f"orders_{number:02}", layer=company.raw)
    listed = found(company, "olga", "orders", limit=50)
    assert [name for type_, name in listed if type_ == "table"] == [
        "raw.orders",
        *(f"raw.orders_{number:02}" for number in range(7)),
    ]
    assert ("group", "Reorders") in listed
    assert len(found(company, "olga", "orders", limit=3)) == 3
    assert found(company, "olga", "ders_59") == [("table", "raw.orders_59")]
    for limit in (0, 51):
        assert company.get("olga", "/search", q="orders", limit=limit).status_code == 422


def test_many_that_are_hidden_do_not_hide_the_one_that_is_seen(company: Company) -> None:
    with company.database.session() as session:
        for number in range(250):
            name = f"Orders {number:03}"
            make_pipeline(session, name, company.people["adam"], reads=[company.revenue], output=company.revenue)
            make_saved_query(session, name, company.people["adam"], reads=[company.revenue], shared=True)
    assert {kind for kind, _ in found(company, "vic", "orders")} >= {"source", "saved_query", "table"}
    assert ("query", "Orders 000") not in found(company, "vic", "orders")
    assert is_all(company, "vic", "orders")  # nothing is said of what vic does not see
    assert not is_all(company, "olga", "orders")


MAKING: dict[str, Callable[[Session, Company, str], object]] = {
    "tables": lambda session, company, name: make_table(session, name, layer=company.raw),
    "layers": lambda session, company, name: make_layer(session, name),
    "volumes": lambda session, company, name: make_volume(session, name, layer=company.raw),
    "pipelines": lambda session, company, name: make_pipeline(session, name, company.people["olga"]),
    "saved queries": lambda session, company, name: make_saved_query(session, name, company.people["olga"]),
    "projects": lambda session, company, name: make_project(session, name, company.people["olga"]),
    "members": lambda session, company, name: make_member(session, name),
    "groups": lambda session, company, name: make_group(session, name),
}


@pytest.mark.parametrize("kind", MAKING)
def test_whether_that_is_all_is_said(company: Company, kind: str) -> None:
    """So that whoever types on need not ask again: a longer text finds nothing that a shorter one does not."""

    def grow(*numbers: int) -> None:
        with company.database.session() as session:
            for number in numbers:
                MAKING[kind](session, company, f"zz_{number}")

    assert is_all(company, "olga", "zz_")
    grow(*range(7))
    assert is_all(company, "olga", "zz_")
    assert not is_all(company, "olga", "zz_", limit=6)
    grow(7, 8)
    assert not is_all(company, "olga", "zz_")
    assert is_all(company, "olga", "zz_8")


def test_whether_those_near_are_all_is_said(company: Company) -> None:
    with company.database.session() as session:
        many = [make_member(session, f"zz_{number}") for number in range(9)]
        make_project(
            session, "Near", company.people["olga"], dict.fromkeys([company.people["mia"], *many[:8]], "Admin")
        )
        make_project(session, "Far", company.people["olga"], dict.fromkeys([company.people["vic"], *many], "Admin"))
    assert is_all(company, "mia", "zz_")  # the ninth is nobody mia sees
    assert not is_all(company, "vic", "zz_")


def test_of_what_fits_equally_well_data_come_first(company: Company) -> None:
    """The palette puts what it narrows in the same order: web/src/app/narrowing.test.ts."""
    with company.database.session() as session:
        make_table(session, "net_sales", layer=make_layer(session, "sales"))
        make_table(session, "my_sales", layer=company.raw)
        make_table(session, "data_sales", layer=company.raw)
        for name in ("Sales report", "Sales and data"):
            make_project(session, name, company.people["olga"])
    named = ["sales.net_sales", "Sales report", "raw.my_sales"]
    assert [name for _, name in found(company, "olga", "sales") if name in named] == named
    assert [name for _, name in found(company, "olga", "sales d")] == ["raw.data_sales", "Sales and data"]


def test_what_is_said_of_it_comes_along(company: Company) -> None:
    items = company.get("olga", "/search", q="orders").json()["items"]
    about = {one["name"]: one["about"] for one in items}
    assert about["orders_layer"] == "For orders."
    assert about["Otto Orders"] == "otto.orders@example.com"
    assert {one["id"] for one in items} >= {str(company.orders.id)}


def test_what_is_hidden_pushes_nothing_out_and_takes_no_work(company: Company) -> None:
    """However many there are and however well they fit: nobody could tell by what is found, nor by a watch."""

    def asked(q: str) -> tuple[list[tuple[str, str]], int]:
        statements: list[str] = []
        with counted(company.database, statements):
            return found(company, "vic", q), len(statements)

    with company.database.session() as session:
        olga = company.people["olga"]
        make_pipeline(session, "aazz", olga, reads=[company.orders], output=company.orders)
    asked("at first somebody is looked up who is known afterwards")
    before = asked("aa"), asked("quiz"), asked("nolayer.rev")
    with company.database.session() as session:
        for number in range(130):
            make_pipeline(session, f"aa{number:03}", olga, reads=[company.revenue], output=company.revenue)
        make_pipeline(session, "quizzes", olga, reads=[company.revenue], output=company.revenue)
        make_saved_query(session, "quiz", olga, reads=[company.revenue], shared=True)
        make_table(session, "revolts", layer=make_layer(session, "nolayer"))
    assert before[0][0] == [("query", "aazz")]
    assert (asked("aa"), asked("quiz"), asked("nolayer.rev")) == before


@contextmanager
def counted(database: Database, statements: list[str]) -> Iterator[None]:
    def note(*told: Any) -> None:
        statements.append(told[2])

    event.listen(database.engine, "before_cursor_execute", note)
    yield
    event.remove(database.engine, "before_cursor_execute", note)
