"""An empty table, made on Spark."""

from __future__ import annotations

import pytest

from bailiwick.database.engine import Database
from bailiwick.lakehouse import creating_tables
from bailiwick.lakehouse.models import Table
from bailiwick.runs.models import Run, RunState
from bailiwick.settings import Settings
from bailiwick.spark.engine import Engine
from bailiwick.worker.working import Worker
from tests.lakehouse.making import make_layer
from tests.people import as_caller, make_member

COLUMNS = [
    {"name": "id", "type": "bigint"},
    {"name": "tags", "type": "array<string>"},
    {"name": "amount", "type": "decimal(10,2)", "description": "In EUR."},
]


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_table_that_was_asked_for_is_there_and_empty(
    database: Database, settings: Settings, engine: Engine, worker: Worker
) -> None:
    with database.session() as session:
        ada = as_caller(make_member(session, "Ada", role="admin"))
        run = creating_tables.ask_for_table(session, ada, make_layer(session).id, "made", columns=COLUMNS)
    assert worker.drain() == 1
    with database.read() as session:
        ended = session.get_one(Run, run.id)
        assert ended.state == RunState.SUCCEEDED, ended.problem
        table = session.get_one(Table, run.subject_id)
        assert (table.name, table.rows, table.data_version) == ("made", 0, 0)
        assert [(column["name"], column["type"]) for column in table.columns] == [
            *(("id", "bigint"), ("tags", "array<string>"), ("amount", "decimal(10,2)")),
        ]
        assert table.field_descriptions == {"amount": "In EUR."}
    made = engine.session_for("look").read.format("delta").load(f"{settings.warehouse}/{table.location}")
    assert made.count() == 0
    assert made.columns == ["id", "tags", "amount"]
