"""A context for work on Spark that no worker runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bailiwick.spark.jobs import Name, TableRef


class Alone:
    """Remembers what it is told, and lets everything be read that it was given."""

    def __init__(self, run_id: str = "test", tables: Mapping[Name, TableRef] | None = None) -> None:
        self._run_id = run_id
        self.tables = dict(tables or {})
        self.logged: list[str] = []
        self.told: dict[str, Any] = {}
        self.statements: list[str] = []
        self.on_check: Callable[[], None] = lambda: None
        self.on_confirm: Callable[[], None] = lambda: None

    @property
    def run_id(self) -> str:
        return self._run_id

    def log(self, text: str, level: str = "info") -> None:
        self.logged.append(text)

    def progress(self, **told: Any) -> None:
        self.told |= {name: value for name, value in told.items() if value is not None}

    def executed(self, sql: str) -> None:
        self.statements.append(sql)

    def resolve(self, names: Sequence[Name]) -> Mapping[Name, TableRef]:
        return {name: self.tables[name] for name in names if name in self.tables}

    def check(self) -> None:
        self.on_check()

    def confirm(self) -> None:
        self.on_confirm()
