"""`bailiwick sql`, its shell, and the commands of what is made of queries, against a platform that works."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from bailiwick.cli.command import Here
from bailiwick.cli.failures import Failure
from bailiwick.cli.find import one_of
from bailiwick.cli.text import rejected
from bailiwick.lakehouse.commands import sql_shell
from bailiwick.lakehouse.commands.queries import expectation
from bailiwick.lakehouse.schemas.pipeline_queries import Expectation
from bailiwick.runs.commands.runs import SHOWN
from tests.cli.terminal import Platform


def test_a_statement_and_its_rows(working: Platform, tmp_path: Path) -> None:
    ada = working.member("Ada")
    shown = ada("sql", "SELECT id, concat('n', id) AS name, NULL AS nothing FROM range(3) ORDER BY id")
    assert [line.split() for line in shown.splitlines() if line.strip()][2:] == [
        ["0", "n0", "NULL"],
        ["1", "n1", "NULL"],
        ["2", "n2", "NULL"],
        ["3", "rows."],
    ]
    answer = ada.json("sql", "SELECT id FROM range(1500) ORDER BY id")
    assert [row[0] for row in answer["rows"]] == list(range(1500))
    listed = list(csv.reader(io.StringIO(ada("sql", "--csv", typed="SELECT 1 AS a, '=1' AS b;"))))
    assert listed == [["a", "b"], ["1", "=1"]]
    file = tmp_path / "out.parquet"
    ada("sql", "SELECT id FROM range(5)", "--output", str(file))
    assert pq.read_table(file).column("id").to_pylist() == [0, 1, 2, 3, 4]
    assert "SELECT id FROM range(5)" in ada("sql", "--history")
    assert "raise --limit" in ada("sql", "--history", "--limit", "1")
    last = ada.json("sql", "--history")["items"][0]["id"]
    assert ada.json("sql", "--result", last)["row_count"] == 5


def test_mistakes_are_said_without_a_traceback(working: Platform) -> None:
    ada = working.member("Ada")
    assert "raw.nothing" in ada.refused("sql", "SELECT * FROM raw.nothing")
    assert ada.problem("sql", "SELECT * FROM raw.nothing")["title"] == "Failed"
    assert "no kind of file" in ada.refused("sql", "SELECT 1", "--output", "x.doc")
    assert "no statement" in ada.refused("sql", typed="  ")
    assert "--history" in ada.refused("sql", "--search", "orders")


def test_a_query_becomes_a_table_and_a_table_a_history(working: Platform, tmp_path: Path) -> None:
    olga = working.member("Olga", role="owner")
    add = ("queries", "add", "Numbers", "--sql", "SELECT id, id * 2 AS twice FROM range(4)", "--to", "trusted.numbers")
    assert "trusted.numbers (new)" in olga(*add, "--dry-run")
    added = olga.json(*add, "--expect", "!not_null:id", "--expect", "row_count:1:")
    assert [one["kind"] for one in added["expectations"]] == ["not_null", "row_count"]
    assert "has written 4 rows" in olga("queries", "run", "Numbers", "--wait")
    assert olga.json("sql", "SELECT sum(twice) FROM trusted.numbers")["rows"] == [[12]]
    olga("histories", "add", "Past", "--of", "trusted.numbers", "--key", "id", "--to", "trusted.past")
    assert "has written 4 rows" in olga("histories", "run", "Past", "--wait")
    assert "Past" in olga("histories", "list")
    drawn = ("--chart", "bar x=0 how=count")
    olga("saved", "add", "All", "--sql", "SELECT count(*) AS n FROM trusted.numbers", "--share", *drawn)
    assert "bar x=0 how=count" in olga("saved", "show", "All")
    olga("saved", "edit", "All", "--chart", "auto")
    assert olga.json("saved", "show", "All")["chart"]["mark"] is None
    assert "not both" in olga.refused("saved", "edit", "All", "--chart", "line", "--rows")
    assert "'area'" in olga.refused("saved", "edit", "All", "--chart", "pie")
    olga("saved", "edit", "All", "--rows")
    assert olga.json("saved", "show", "All")["chart"] is None
    assert olga.json("saved", "run", "All")["rows"] == [[4]]
    assert "not possible yet" in _notebook(olga)
    assert "is deleted" in olga("queries", "delete", "Numbers", "--yes")


def _notebook(olga: Any) -> str:
    olga("notebooks", "add", "Notes", "--layer", "trusted", "--reads", "trusted.numbers")
    said: str = olga.refused("notebooks", "run", "Notes")
    return said


@pytest.mark.parametrize(
    ("text", "ended"),
    [("SELECT 1", False), ("SELECT 1;", True), ("SELECT\n1 ; ", True), (r"\d", True), ("", True), ("quit", True)],
)
def test_the_shell_knows_when_a_statement_ends(text: str, ended: bool) -> None:
    assert sql_shell.ends(text) is ended


def test_the_shell_runs_describes_and_completes(
    working: Platform, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = working.member("Olga", role="owner")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(terminal.folder))
    here = Here(False, working.address)
    try:
        query = sql_shell.done(here, "SELECT 42 AS answer;", None)
        assert "42" in capsys.readouterr().out
        assert query is not None
        sql_shell.done(here, r"\d", query)
        sql_shell.done(here, r"\?", query)
        assert "leave" in capsys.readouterr().out
        offered = dict(sql_shell.offers(here, "SELECT * FROM ra"))
        assert "raw" in {text.rstrip(".") for text in offered}
        assert ("SELECT", "") in set(sql_shell.offers(here, "sel"))
        assert list(sql_shell.offers(here, "SELECT ")) == []
    finally:
        here.close()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("!not_null:id", {"kind": "not_null", "stop": True, "column": "id"}),
        ("accepted_values:kind:a,2", {"kind": "accepted_values", "stop": False, "column": "kind", "values": ["a", 2]}),
        ("range:price:0:", {"kind": "range", "stop": False, "column": "price", "least": 0}),
        ("range:price:0..1", {"kind": "range", "stop": False, "column": "price", "least": 0, "most": 1}),
        ("row_count::10", {"kind": "row_count", "stop": False, "most": 10}),
        ("freshness:at:60", {"kind": "freshness", "stop": False, "column": "at", "minutes": 60}),
    ],
)
def test_expectations_are_typed_in_a_word(text: str, said: dict[str, Any]) -> None:
    assert expectation(text) == said
    assert json.dumps(said)


@pytest.mark.parametrize(
    ("end", "fits"), [(1.5, True), ("2026-01-31", True), ("2026-01-31T10:00:00Z", True), ("abc", False)]
)
def test_a_range_ends_at_numbers_and_times(end: float | str, fits: bool) -> None:
    said = {"kind": "range", "column": "n", "least": end}
    if fits:
        assert Expectation.model_validate(said).least == end
    else:
        with pytest.raises(ValueError, match="numbers, dates or times"):
            Expectation.model_validate(said)


def test_what_a_run_shows_of_rejects_and_expectations() -> None:
    streams = {"streams": [{"rows_rejected": 2}, {"rows_rejected": 0}, {"rows_rejected": None}]}
    assert (rejected({"result": streams}), rejected({"result": None})) == (2, 0)
    checks = [
        {"kind": "not_null", "column": "id", "met": False, "found": "3 rows are NULL"},
        {"kind": "row_count", "met": True, "found": ""},
    ]
    shown = SHOWN["Expectations"]
    assert callable(shown)
    assert shown({"result": {"expectations": checks}}) == ["not_null(id): not met 3 rows are NULL", "row_count: met"]


@pytest.mark.parametrize(
    ("what", "lists"),
    [("saved query", "saved"), ("pipeline query", "queries"), ("history", "histories"), ("table", "tables")],
)
def test_whoever_finds_nothing_is_told_where_to_look(what: str, lists: str) -> None:
    with pytest.raises(Failure, match="There is no") as failed:
        one_of([], "Nothing", what, lambda it: [it["name"]])
    assert f"bailiwick {lists} list" in failed.value.hint
    with pytest.raises(Failure, match="There is no") as failed:
        one_of(
            [{"id": "1", "name": "Big orders"}, {"id": "2", "name": "All"}], "Big ordrs", what, lambda it: [it["name"]]
        )
    assert failed.value.hint == "Did you mean Big orders?"
