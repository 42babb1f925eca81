"""A statement's way through the gate: read, decided, its tables put in, analysed, decided again; that plan runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from bailiwick.spark.gate import problems
from bailiwick.spark.gate.checks import check_analysed, check_parsed, check_size
from bailiwick.spark.gate.compiled import statement_on
from bailiwick.spark.gate.names import Use, not_found, uses
from bailiwick.spark.gate.questions import Question, question
from bailiwick.spark.gate.refusal import Refusal
from bailiwick.spark.gate.text import check_text
from bailiwick.spark.jobs import Column, ColumnEdge, Name, TableRef
from bailiwick.spark.lineage import column_lineage

Resolve = Callable[[Sequence[Name]], Mapping[Name, TableRef]]


@dataclass(frozen=True)
class Admitted:
    """A query that may run: what it reads, what comes out and from where, and the DataFrame of exactly that plan."""

    dataframe: DataFrame = field(repr=False)
    reads: tuple[TableRef, ...]
    columns: list[Column]
    lineage: list[ColumnEdge]


@dataclass(frozen=True)
class Select:
    """A query that was read and holds nothing that is refused. Its tables are not decided yet."""

    session: SparkSession = field(repr=False)
    statement: Any = field(repr=False)
    uses: list[Use | None] = field(repr=False)

    @property
    def names(self) -> tuple[Name, ...]:
        """The tables it names, as layer and table in lower case."""
        return tuple(sorted({use.name for use in self.uses if use}))

    def admit(self, resolve: Resolve) -> Admitted:
        """Let the query through, if whoever asks may read every table it names."""
        tables = self._decided(resolve)
        analysed = json.loads(self.statement.analyse(json.dumps(self._placed(tables))))
        if "error" in analysed:
            raise problems.of_analysis(analysed["error"])
        check_analysed(analysed)
        loaded = [tables[use.name].id for use in dict.fromkeys(use for use in self.uses if use)]
        return Admitted(
            DataFrame(self.statement.dataset(), self.session),
            tuple(tables[name] for name in self.names),
            [Column(name, kind, nullable) for _, name, kind, nullable in analysed["output"]],
            column_lineage(analysed, loaded),
        )

    def _decided(self, resolve: Resolve) -> Mapping[Name, TableRef]:
        names = self.names
        tables = resolve(names) if names else {}
        missing = sorted(use.written for use in self.uses if use and use.name not in tables)
        if missing:
            raise not_found(missing)
        return tables

    def _placed(self, tables: Mapping[Name, TableRef]) -> list[list[int | str] | None]:
        """Load each table once at each moment that is asked for, and say which one stands where."""
        numbers: dict[Use, int] = {}
        for use in self.uses:
            if use and use not in numbers:
                numbers[use] = self._load(use, tables[use.name])
        return [[numbers[use], *use.name] if use else None for use in self.uses]

    def _load(self, use: Use, table: TableRef) -> int:
        version = use.version if use.version is not None or use.timestamp is not None else table.version
        asked = None if version is None else str(version)
        answer = json.loads(self.statement.load(table.location, asked, use.timestamp))
        if isinstance(answer, dict):
            raise problems.of_loading(answer["error"], use)
        return int(answer)


@dataclass(frozen=True)
class Explain:
    """EXPLAIN of a query that may run, if its tables may be read: as it would be for the query itself."""

    select: Select
    mode: str


Statement = Select | Question | Explain


def read(session: SparkSession, sql: str) -> Statement:
    """Read a statement with Spark's own parser, and refuse all that is neither a query nor a question we answer."""
    check_text(sql)
    statement = statement_on(session)
    found = json.loads(statement.read(sql))
    if "error" in found:
        raise problems.of_parsing(found["error"], sql)
    asked = question(found["root"], found.get("fields"))
    if asked:
        return asked
    check_parsed(found)
    check_size(found["size"])
    select = Select(session, statement, uses(found["relations"], found["ctes"]))
    return Explain(select, found["explain"]) if "explain" in found else select


def admit(session: SparkSession, sql: str, resolve: Resolve) -> Admitted:
    """Let a query through the gate, or raise a `Refusal`. `resolve` gives what the acting member may read."""
    statement = read(session, sql)
    if not isinstance(statement, Select):
        raise Refusal("question", "SHOW, DESCRIBE and EXPLAIN are answered by the platform, not run as a query.")
    return statement.admit(resolve)
