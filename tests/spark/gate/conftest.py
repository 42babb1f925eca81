"""A small lakehouse on disk, and Ann, who may read some of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from bailiwick.spark.engine import Engine
from bailiwick.spark.jobs import Name, TableRef

SECRET = "the secret nobody may read"
_ROWS = """
    select id, id * 2 as x, '{who}' as who, array(1, 2) as arr, named_struct('f', 1) as s,
           date '2026-01-31' as day, timestamp '2026-01-31 12:00:00' as ts
    from range({rows})
"""


class Lakehouse:
    """Tables on disk, and what Ann may read of them."""

    def __init__(self, folder: Path, session: SparkSession) -> None:
        self.folder = folder
        self.secret = str(folder / "secret")
        for name, who in (("a", "p"), ("b", "q"), ("secret", SECRET)):
            rows = session.sql(_ROWS.format(who=who, rows=3))
            rows.coalesce(1).write.format("delta").save(str(folder / name))
        session.sql("select 4L as id, 'n' as note").coalesce(1).write.format("delta").save(str(folder / "c"))
        session.sql(_ROWS.format(who="p", rows=5)).write.format("delta").mode("overwrite").save(str(folder / "a"))
        self.asked: list[Name] = []

    def ref(self, layer: str, name: str) -> TableRef:
        return TableRef(f"{layer}.{name}", layer, name, str(self.folder / name))

    def ann(self, names: Sequence[Name]) -> Mapping[Name, TableRef]:
        """What Ann may read, out of these names."""
        self.asked.extend(names)
        readable = {("raw", "a"), ("raw", "b"), ("trusted", "c")}
        return {name: self.ref(*name) for name in names if name in readable}

    def owner(self, names: Sequence[Name]) -> Mapping[Name, TableRef]:
        """An owner may read the secret too."""
        return {**self.ann(names), **{name: self.ref(*name) for name in names if name == ("raw", "secret")}}

    def files(self) -> set[Path]:
        return {path for path in self.folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def lakehouse(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Lakehouse:
    return Lakehouse(tmp_path_factory.mktemp("lakehouse"), engine.session_for("lakehouse"))


@pytest.fixture(scope="module")
def left_behind(engine: Engine, lakehouse: Lakehouse) -> Iterator[SparkSession]:
    """A session in which somebody left views on the secret table and the table itself; the gate has to hold even so."""
    session = engine.session_for("left behind")
    session.read.format("delta").load(lakehouse.secret).createOrReplaceTempView("left_view")
    session.sql("create temporary view left_view_on_view as select * from left_view")
    session.sql("create global temporary view left_global as select * from left_view")
    session.sql("create temporary function left_function() returns string return (select max(who) from left_view)")
    session.sql("create temporary function left_rows() returns table (who string) return select who from left_view")
    session.sql(f"declare variable left_variable string default '{SECRET}'")
    session.sql(f"create table left_table using delta location '{lakehouse.secret}'")
    yield session
    session.sql("drop table left_table")
    session.sql("drop view global_temp.left_global")
