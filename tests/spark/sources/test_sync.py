"""Runs that die at the worst moment, and are done again: nothing is lost, nothing is there twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bailiwick.spark.engine import Engine
from bailiwick.spark.jobs import TableRef
from bailiwick.spark.sources import sync as module
from bailiwick.spark.sources.jobs import FilesAt, TablesAt
from bailiwick.spark.writing import write
from tests.spark.contexts import Alone
from tests.spark.sources.making import Source, make_source

MODES: list[tuple[str, tuple[str, ...]]] = [("full", ()), ("incremental", ()), ("incremental", ("id",))]
modes = pytest.mark.parametrize(("mode", "key"), MODES, ids=["full", "append", "merge"])


class Killed(BaseException):
    """The process is gone: nobody catches this."""


def files(engine: Engine, tmp_path: Path, **more: Any) -> Source:
    (tmp_path / "landing").mkdir()
    at = FilesAt(str(tmp_path / "landing"), str(tmp_path / "staging"), "csv")
    return make_source(engine, tmp_path, at, {"pattern": "*.csv"}, **more)


def put(tmp_path: Path, name: str, first: int, last: int) -> None:
    rows = "".join(f"{n},v{n}\n" for n in range(first, last + 1))
    (tmp_path / "landing" / name).write_text(f"id,v\n{rows}oops,bad\n")


@modes
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_run_that_dies_around_its_commit_is_done_once(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str, key: tuple[str, ...], moment: str
) -> None:
    here = files(engine, tmp_path, mode=mode, primary_key=key, types={"id": "bigint"})
    put(tmp_path, "a.csv", 1, 3)
    here.run()
    put(tmp_path, "b.csv", 4, 6)

    def dying(*what: Any, **how: Any) -> Any:
        if moment == "after":
            write(*what, **how)
        raise Killed

    monkeypatch.setattr(module, "write", dying)
    with pytest.raises(Killed):
        here.run()
    monkeypatch.undo()
    put(tmp_path, "c.csv", 7, 7)  # it goes on outside meanwhile
    outcome = here.run(again=True)
    assert outcome.committed
    expected = 6 if moment == "after" else 7
    assert here.rows("id") == [(n,) for n in range(1, expected + 1)]
    bad = 2 if moment == "after" else 3  # one in every file
    assert outcome.rows_rejected == (bad if mode == "full" else bad - 1)
    here.run()
    assert here.rows("id") == [(n,) for n in range(1, 8)]
    assert len(here.rejects()) == 3


def test_a_run_that_was_overtaken_writes_nothing_twice(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = files(engine, tmp_path, mode="incremental")
    put(tmp_path, "a.csv", 1, 3)
    held = module.Landing._held

    def slow(self: module.Landing, reading: Any) -> Any:
        monkeypatch.undo()
        assert here.run(note=False).committed  # another run of the same source, while this one has read already
        return held(self, reading)

    here.run()
    put(tmp_path, "b.csv", 4, 5)
    monkeypatch.setattr(module.Landing, "_held", slow)
    problem = here.run().problem
    assert problem is not None
    assert problem["code"] in ("outrun", "write_conflict")
    assert here.rows("id") == [(str(n),) for n in range(1, 6)] + [("oops",), ("oops",)]


def test_another_table_is_read_at_its_version_in_full_and_by_cursor(engine: Engine, tmp_path: Path) -> None:
    place = str(tmp_path / "upstream")
    table = TableRef("x", "raw", "upstream", place)
    engine.spark.sql("SELECT id, id * 10 AS n FROM range(1, 4)").write.format("delta").save(place)
    full = make_source(engine, tmp_path, TablesAt(), {}, table=table)
    growing = make_source(
        engine, tmp_path, TablesAt(), {}, table=table, mode="incremental", cursor_column="ID", only_columns=("id",)
    )
    assert full.run().rows_written == growing.run().rows_written == 3
    assert not growing.run().committed
    engine.spark.sql("SELECT 9L AS id, 90L AS n").write.format("delta").mode("append").save(place)
    assert growing.run().rows_written == 1
    assert full.run().rows_written == 4
    assert growing.rows() == [(1,), (2,), (3,), (9,)]
    assert full.rows("n") == [(10,), (20,), (30,), (90,)]


def test_a_right_that_is_lost_while_it_reads_lets_nothing_be_written(engine: Engine, tmp_path: Path) -> None:
    here = files(engine, tmp_path, types={"id": "bigint"})
    put(tmp_path, "a.csv", 1, 3)

    def lost() -> None:
        raise Killed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Alone, "confirm", lambda self: lost())
        with pytest.raises(Killed):
            here.run()
    assert here.rows() == here.rejects() == []


def test_what_was_committed_and_never_noted_is_noted_by_the_next_run(engine: Engine, tmp_path: Path) -> None:
    here = files(engine, tmp_path, mode="incremental")
    put(tmp_path, "a.csv", 1, 3)
    here.run(note=False)
    outcome = here.run(note=False)
    assert (outcome.committed, outcome.rows_written, outcome.version) == (True, 0, 0)
    assert outcome.state["number"] == 1
