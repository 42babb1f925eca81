"""Routes of queries, saved queries, pipeline queries, histories, destinations, notebooks, integrations and versions."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from bailiwick.database.base import utc_now
from bailiwick.lakehouse.models import Pipeline
from bailiwick.runs.models import Run, RunState
from bailiwick.runs.queue import enqueue
from bailiwick.tenancy.models import Member
from tests.lakehouse.making import levels_on_raw, make_pipeline, make_saved_query, make_table

ROUTES = """
method path                                                  body            A   S   N   V   B   T   P   D   O   R   C
POST   /api/v1/queries?wait=0                                hq-sql          401 401 202 202 202 202 202 202 202 202 202
GET    /api/v1/queries                                       -               401 401 200 200 200 200 200 200 200 200 200
GET    /api/v1/queries/{hq_query}                            -               401 401 404 404 404 404 404 404 200 200 404
GET    /api/v1/queries/{hq_query}/rows                       -               401 401 404 404 404 404 404 404 200 200 404
GET    /api/v1/queries/{hq_query}/download                   -               401 401 404 404 404 404 404 404 200 200 404
GET    /api/v1/saved-queries                                 -               401 401 200 200 200 200 200 200 200 200 403
POST   /api/v1/saved-queries?wait=0                          hq-saved        401 401 202 202 202 202 202 202 202 403 403
GET    /api/v1/saved-queries/{hq_saved}                      -               401 401 404 404 200 200 200 200 200 200 403
PATCH  /api/v1/saved-queries/{hq_saved}?wait=0               hq-words        401 401 404 404 403 200 403 403 403 403 403
DELETE /api/v1/saved-queries/{hq_saved}                      -               401 401 404 404 403 204 204 204 204 403 403
POST   /api/v1/saved-queries/{hq_saved}/runs?wait=0          -               401 401 404 404 202 202 202 202 202 202 403
GET    /api/v1/pipeline-queries                              -               401 401 200 200 200 200 200 200 200 200 403
POST   /api/v1/pipeline-queries?wait=0                       hq-query        401 401 422 422 403 202 202 202 202 403 403
POST   /api/v1/pipeline-queries/dry-run?wait=0               hq-statement    401 401 422 422 403 202 202 202 202 403 403
GET    /api/v1/pipeline-queries/{hq_pipeline}                -               401 401 404 404 200 200 200 200 200 200 403
PATCH  /api/v1/pipeline-queries/{hq_pipeline}?wait=0         hq-words        401 401 404 404 403 200 200 200 200 403 403
POST   /api/v1/pipeline-queries/{hq_pipeline}/activate       -               401 401 404 404 403 200 200 200 200 403 403
POST   /api/v1/pipeline-queries/{hq_pipeline}/deactivate     -               401 401 404 404 403 200 200 200 200 403 403
POST   /api/v1/pipeline-queries/{hq_pipeline}/runs           -               401 401 404 404 403 202 202 202 202 403 403
PUT    /api/v1/pipeline-queries/{hq_pipeline}/owner          hq-owner        401 401 404 404 403 403 403 200 200 403 403
DELETE /api/v1/pipeline-queries/{hq_pipeline}?confirm=query  -               401 401 404 404 403 403 200 200 200 403 403
GET    /api/v1/histories                                     -               401 401 200 200 200 200 200 200 200 200 403
POST   /api/v1/histories                                     hq-history      401 401 422 422 403 201 201 201 201 403 403
GET    /api/v1/histories/{hq_history}                        -               401 401 404 404 200 200 200 200 200 200 403
PATCH  /api/v1/histories/{hq_history}                        hq-words        401 401 404 404 403 200 200 200 200 403 403
POST   /api/v1/histories/{hq_history}/activate               -               401 401 404 404 403 200 200 200 200 403 403
POST   /api/v1/histories/{hq_history}/deactivate             -               401 401 404 404 403 200 200 200 200 403 403
POST   /api/v1/histories/{hq_history}/runs                   -               401 401 404 404 403 202 202 202 202 403 403
PUT    /api/v1/histories/{hq_history}/owner                  hq-owner        401 401 404 404 403 403 403 200 200 403 403
DELETE /api/v1/histories/{hq_history}?confirm=history        -               401 401 404 404 403 403 200 200 200 403 403
GET    /api/v1/lakehouse-destinations                        -               401 401 200 200 200 200 200 200 200 200 403
POST   /api/v1/lakehouse-destinations                        hq-destination  401 401 422 422 403 201 201 201 201 403 403
GET    /api/v1/lakehouse-destinations/{hq_destination}       -               401 401 404 404 200 200 200 200 200 200 403
PATCH  /api/v1/lakehouse-destinations/{hq_destination}       hq-words        401 401 404 404 403 200 200 200 200 403 403
POST   /api/v1/lakehouse-destinations/{hq_destination}/test?wait=0 -         401 401 404 404 403 202 202 202 202 403 403
POST   /api/v1/lakehouse-destinations/{hq_destination}/activate   -          401 401 404 404 403 200 200 200 200 403 403
POST   /api/v1/lakehouse-destinations/{hq_destination}/deactivate -          401 401 404 404 403 200 200 200 200 403 403
POST   /api/v1/lakehouse-destinations/{hq_destination}/runs  -               401 401 404 404 403 202 202 202 202 403 403
PUT    /api/v1/lakehouse-destinations/{hq_destination}/owner hq-owner        401 401 404 404 403 403 403 200 200 403 403
DELETE /api/v1/lakehouse-destinations/{hq_destination}?confirm=destination - 401 401 404 404 403 403 200 200 200 403 403
GET    /api/v1/notebooks                                     -               401 401 200 200 200 200 200 200 200 200 403
POST   /api/v1/notebooks                                     hq-notebook     401 401 422 422 403 201 201 201 201 403 403
GET    /api/v1/notebooks/{hq_notebook}                       -               401 401 404 404 200 200 200 200 200 200 403
PATCH  /api/v1/notebooks/{hq_notebook}                       hq-words        401 401 404 404 403 200 200 200 200 403 403
POST   /api/v1/notebooks/{hq_notebook}/activate              -               401 401 404 404 403 200 200 200 200 403 403
POST   /api/v1/notebooks/{hq_notebook}/deactivate            -               401 401 404 404 403 200 200 200 200 403 403
POST   /api/v1/notebooks/{hq_notebook}/runs                  -               401 401 404 404 403 409 409 409 409 403 403
PUT    /api/v1/notebooks/{hq_notebook}/owner                 hq-owner        401 401 404 404 403 403 403 200 200 403 403
DELETE /api/v1/notebooks/{hq_notebook}?confirm=notebook      -               401 401 404 404 403 403 200 200 200 403 403
GET    /api/v1/integrations                                  -               401 401 200 200 200 200 200 200 200 200 403
POST   /api/v1/integrations                                  hq-notebook     401 401 422 422 403 403 403 201 201 403 403
GET    /api/v1/integrations/{hq_integration}                 -               401 401 404 404 200 200 200 200 200 200 403
PATCH  /api/v1/integrations/{hq_integration}                 hq-words        401 401 404 404 403 403 403 200 200 403 403
POST   /api/v1/integrations/{hq_integration}/activate        -               401 401 404 404 403 403 403 200 200 403 403
POST   /api/v1/integrations/{hq_integration}/deactivate      -               401 401 404 404 403 403 403 200 200 403 403
POST   /api/v1/integrations/{hq_integration}/runs            -               401 401 404 404 403 403 403 409 409 403 403
PUT    /api/v1/integrations/{hq_integration}/owner           hq-owner        401 401 404 404 403 403 403 200 200 403 403
DELETE /api/v1/integrations/{hq_integration}?confirm=integration -           401 401 404 404 403 403 403 200 200 403 403
GET    /api/v1/tables/{hq_table}/sample?wait=0               -               401 401 404 404 202 202 202 202 202 202 404
GET    /api/v1/tables/{hq_table}/versions?wait=0             -               401 401 404 404 202 202 202 202 202 202 404
POST   /api/v1/tables/{hq_table}/restore                     hq-version      401 401 404 404 403 202 202 202 202 403 404
GET    /api/v1/layers/{hq_layer}/maintenance                 -               401 401 404 404 200 200 200 200 200 200 403
PUT    /api/v1/layers/{hq_layer}/maintenance                 hq-maintenance  401 401 404 404 403 403 200 200 200 403 403
POST   /api/v1/layers/{hq_layer}/maintenance/runs            -               401 401 404 404 403 403 202 202 202 403 403
"""

STATEMENT = {"sql": "SELECT * FROM raw.hq_input", "output_layer_id": "{hq_layer}", "output_name": "hq_new"}
BODIES: dict[str, Any] = {
    "hq-sql": {"sql": "SELECT 1"},
    "hq-saved": {"name": "Mine", "sql": "SELECT 1"},
    "hq-words": {"description": "In other words."},
    "hq-statement": STATEMENT,
    "hq-query": {**STATEMENT, "name": "New"},
    "hq-owner": {"owner_id": "{target}"},
    "hq-history": {
        **{"name": "New", "table_id": "{hq_table}", "keys": ["id"]},
        **{"output_layer_id": "{hq_layer}", "output_name": "hq_past"},
    },
    "hq-destination": {
        "name": "New",
        "table_id": "{hq_table}",
        "target": {"type": "webhook", "url": "https://example.com/rows"},
    },
    "hq-notebook": {"name": "New", "output_layer_id": "{hq_layer}", "input_table_ids": ["{hq_table}"]},
    "hq-version": {"version": 1},
    "hq-maintenance": {"active": True, "compact": True, "keep_days": 14},
}


def prepare(session: Session, people: dict[str, Member]) -> dict[str, Any]:
    raw = levels_on_raw(session, people)
    table = make_table(session, "hq_input", layer=raw, data_version=3)
    owner = people["O"]
    query: dict[str, Any] = {"sql": "SELECT 1", "mode": "overwrite", "keys": []}
    of_table = {"table_id": str(table.id), "columns": None}
    settings: dict[str, dict[str, Any]] = {
        "query": {**query, "replace_schema": False, "expectations": []},
        "history": {**of_table, "keys": ["id"], "as_of_column": None},
        "destination": {**of_table, "target": {"type": "webhook", "url": "https://example.com/rows"}},
        "notebook": {"content": ""},
        "integration": {},
    }
    made: dict[str, Pipeline] = {}
    for kind, said in settings.items():
        writes: dict[str, Any] = {} if kind == "destination" else {"output_layer": raw, "output_name": f"hq_{kind}"}
        made[kind] = make_pipeline(session, kind, owner, kind=kind, reads=[table], settings=said, **writes)
    return {
        "hq_layer": raw,
        "hq_table": table,
        "hq_query": _asked(session, owner),
        "hq_saved": make_saved_query(session, "Shared", people["T"], reads=[table], shared=True),
        "hq_pipeline": made["query"],
        **{f"hq_{kind}": made[kind] for kind in ("history", "destination", "notebook", "integration")},
    }


def _asked(session: Session, who: Member) -> Run:
    """A query that has ended, with no rows."""
    run = enqueue(
        session,
        kind="query",
        subject_type="query",
        subject_id=None,
        subject_name="SELECT 1",
        acts_as=who,
        started_by=who,
        parameters={"sql": "SELECT 1"},
    )
    run.state, run.ended_at = RunState.SUCCEEDED, utc_now()
    run.result = {"columns": [{"name": "1", "type": "int"}], "rows": 0, "cut": False, "files": []}
    session.flush()
    return run
