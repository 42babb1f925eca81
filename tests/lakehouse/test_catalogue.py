"""The catalogue: which tables a statement may read, what SHOW and DESCRIBE tell, what completion offers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import event

from bailiwick.lakehouse import catalogue
from bailiwick.runs.errors import RunProblem
from bailiwick.settings import Settings
from bailiwick.spark.jobs import Name
from tests.lakehouse.company import Company
from tests.people import as_caller

NAMES: list[Name] = [
    *(("raw", "orders"), ("RAW", "Orders"), ("raw", "customers"), ("trusted", "revenue"), ("raw", "nothing")),
    *(("nowhere", "orders"), ("orders",), ("spark_catalog", "raw", "orders"), ("raw", "files")),
]


@pytest.mark.parametrize(
    ("who", "found"),
    [
        ("adam", [("raw", "orders"), ("RAW", "Orders"), ("raw", "customers"), ("trusted", "revenue")]),
        ("vic", [("raw", "orders"), ("RAW", "Orders"), ("raw", "customers")]),
        ("tab", [("raw", "orders"), ("RAW", "Orders")]),
        ("nora", []),
    ],
)
def test_a_name_stands_for_a_table_only_for_who_may_read_it(
    company: Company, settings: Settings, who: str, found: list[Name]
) -> None:
    with company.database.read() as session:
        answer = catalogue.resolve(session, as_caller(company.people[who]), NAMES, settings)
    assert list(answer) == found
    for name, ref in answer.items():
        assert (ref.layer, ref.name) == (name[0].lower(), name[1].lower())
        assert ref.location == f"{settings.warehouse}/tables/{ref.id}"


def test_a_hidden_table_costs_the_same_questions_as_one_that_is_not_there(company: Company, settings: Settings) -> None:
    asked: list[str] = []

    def count(*args: Any) -> None:
        asked.append(args[2])

    event.listen(company.database.engine, "before_cursor_execute", count)
    statements = []
    for name in (("trusted", "revenue"), ("trusted", "nothing"), ("nowhere", "nothing"), ("raw", "orders")):
        with company.database.read() as session:
            caller = as_caller(session.merge(company.people["nora"], load=False))
            asked.clear()
            assert catalogue.resolve(session, caller, [name], settings) == {}
            catalogue.hidden(session, caller, [name])
            statements.append([text for text in asked if "PRAGMA" not in text and "BEGIN" not in text])
    assert len({len(one) for one in statements}) == 1


@dataclass(frozen=True)
class Question:
    kind: str
    name: Name = ()
    like: str | None = None
    limit: int | None = None


def told(company: Company, who: str, *question: Any, **more: Any) -> list[tuple[Any, ...]]:
    with company.database.read() as session:
        return catalogue.answer_question(session, as_caller(company.people[who]), Question(*question, **more)).rows


def test_show_lists_what_one_may_see(company: Company) -> None:
    assert [row[0] for row in told(company, "adam", "layers")] == ["raw", "service", "trusted"]
    assert [row[0] for row in told(company, "tab", "layers")] == ["raw"]
    assert told(company, "nora", "layers") == []
    assert [row[:2] for row in told(company, "vic", "tables")] == [("raw", "customers"), ("raw", "orders")]
    assert [row[:2] for row in told(company, "tab", "tables", ("raw",))] == [("raw", "orders")]
    assert [row[1] for row in told(company, "adam", "tables", like="REV*|cust*")] == ["customers", "revenue"]
    assert [row[1] for row in told(company, "adam", "tables", limit=1)] == ["customers"]
    assert told(company, "adam", "columns", ("raw", "orders")) == [("id",), ("customer",), ("amount",)]
    assert told(company, "vic", "table", ("raw", "orders"))[2] == ("amount", "decimal(10,2)", None)


def test_what_is_hidden_is_told_of_like_what_is_not_there(company: Company) -> None:
    for kind in ("columns", "table", "history"):
        messages = set()
        for name in (("raw", "customers"), ("raw", "nothing")):
            with pytest.raises(RunProblem) as problem:
                told(company, "tab", kind, name)
            messages.add((problem.value.code, problem.value.message.replace(".".join(name), "…"), problem.value.fix))
        assert messages == {("table_not_found", "Table not found: ….", "")}
    for layer in ("trusted", "nowhere"):
        with pytest.raises(RunProblem) as problem:
            told(company, "tab", "tables", (layer,))
        assert problem.value.message == f"Layer not found: {layer}."


def offered(company: Company, who: str, prefix: str, **query: Any) -> list[str]:
    items = company.get(who, "/completion", prefix=prefix, **query).json()["items"]
    return [f"{item['kind']} {item['text']}" for item in items]


def test_completion_offers_what_begins_so_and_may_be_seen(company: Company) -> None:
    assert offered(company, "adam", "r") == ["layer raw", "table trusted.revenue"]
    assert offered(company, "vic", "r") == ["layer raw"]
    assert offered(company, "nora", "r") == []
    assert offered(company, "vic", "raw.") == ["table raw.customers", "table raw.orders"]
    assert offered(company, "tab", "RAW.") == ["table raw.orders"]
    assert offered(company, "tab", "trusted.") == []
    assert offered(company, "vic", "nowhere.") == []
    assert offered(company, "vic", "raw.or") == ["table raw.orders"]
    assert offered(company, "vic", "raw.orders.") == [
        *("column raw.orders.id", "column raw.orders.customer", "column raw.orders.amount"),
    ]
    assert offered(company, "tab", "raw.customers.") == []
    assert offered(company, "vic", "c", tables=["raw.orders", "trusted.revenue"]) == [
        *("column customer", "table raw.customers"),
    ]
    assert offered(company, "vic", "raw.orders.id.deeper") == []
    assert offered(company, "vic", "raw.", limit=1) == ["table raw.customers"]
    assert offered(company, "vic", "o_") == []


def test_what_is_hidden_behind_a_name_is_told_for_the_record_and_what_is_not_there_is_not(company: Company) -> None:
    with company.database.read() as session:
        found = {
            who: catalogue.hidden(session, as_caller(company.people[who]), NAMES) for who in ("vic", "nora", "adam")
        }
    assert {who: [one.name for one in hidden] for who, hidden in found.items()} == {
        "vic": ["trusted.revenue"],
        "nora": ["raw.orders", "raw.customers", "trusted.revenue"],
        "adam": [],
    }
    (revenue,) = found["vic"]
    assert (revenue.id, revenue.decision.row, revenue.decision.allowed) == (
        company.revenue.id,
        "Execute queries",
        False,
    )


def test_show_and_describe_tell_for_the_record_what_they_hid(company: Company) -> None:
    for question in (("tables", ("trusted",)), ("table", ("trusted", "revenue")), ("columns", ("raw", "orders"))):
        with pytest.raises(RunProblem) as hidden:
            told(company, "nora", *question)
        (one,) = hidden.value.hidden
        assert one.name == ".".join(question[1])
    for question in (("tables", ("nowhere",)), ("table", ("trusted", "nothing"))):
        with pytest.raises(RunProblem) as absent:
            told(company, "nora", *question)
        assert absent.value.hidden == ()
