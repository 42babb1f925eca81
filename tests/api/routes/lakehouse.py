"""Layers, tables, volumes and levels, called as every kind of member. On the layer raw, and so on what lies in it, B is
Viewer, T Editor and P Manager; C comes through a token for a table that is not there."""
# ruff: noqa: E501 - a table is read by its columns

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from bailiwick.tenancy.models import Member
from tests.lakehouse.making import (
    LEVELS_ON_RAW,
    levels_on_raw,
    make_grant,
    make_layer,
    make_table,
    make_volume,
)

BODIES: dict[str, Any] = {
    "new-layer": {"name": "finance"},
    "described": {"description": "As everybody should know."},
    "level": {"member": "{target}", "level": "Viewer"},
    "other-level": {"level": "Editor"},
    "new-table": {"layer": "{raw}", "name": "made_here", "columns": [{"name": "id", "type": "bigint"}]},
    "new-volume": {"layer": "{raw}", "name": "made_here"},
}

ROUTES = """
method path                                                          body             A   S   N   V   B   T   P   D   O   R   C
GET    /api/v1/layers                                                -               401 401 200 200 200 200 200 200 200 200 403
POST   /api/v1/layers                                                new-layer       401 401 403 403 403 403 403 201 201 403 403
GET    /api/v1/layers/{raw}                                          -               401 401 404 404 200 200 200 200 200 200 403
PATCH  /api/v1/layers/{raw}                                          described       401 401 404 404 403 200 200 200 200 403 403
DELETE /api/v1/layers/{empty_layer}                                  -               401 401 404 404 403 403 204 204 204 403 403
GET    /api/v1/layers/{raw}/access                                   -               401 401 404 404 200 200 200 200 200 200 403
GET    /api/v1/layers/{raw}/grants                                   -               401 401 404 404 403 403 200 200 200 200 403
POST   /api/v1/layers/{raw}/grants                                   level           401 401 404 404 403 403 201 201 201 403 403
PATCH  /api/v1/layers/{raw}/grants/{layer_grant}                     other-level     401 401 404 404 403 403 200 200 200 403 403
DELETE /api/v1/layers/{raw}/grants/{layer_grant}                     -               401 401 404 404 403 403 204 204 204 403 403
GET    /api/v1/tables                                                -               401 401 200 200 200 200 200 200 200 200 200
POST   /api/v1/tables?wait=0                                         new-table       401 401 404 404 403 202 202 202 202 403 403
GET    /api/v1/tables/{orders}                                       -               401 401 404 404 200 200 200 200 200 200 404
PATCH  /api/v1/tables/{orders}                                       described       401 401 404 404 403 200 200 200 200 403 404
DELETE /api/v1/tables/{orders}?confirm=orders                        -               401 401 404 404 403 403 200 200 200 403 403
GET    /api/v1/tables/{orders}/used-by                               -               401 401 404 404 200 200 200 200 200 200 403
GET    /api/v1/tables/{orders}/lineage                               -               401 401 404 404 200 200 200 200 200 200 403
GET    /api/v1/tables/{orders}/access                                -               401 401 404 404 200 200 200 200 200 200 404
GET    /api/v1/tables/{orders}/grants                                -               401 401 404 404 403 403 200 200 200 200 403
POST   /api/v1/tables/{orders}/grants                                level           401 401 404 404 403 403 201 201 201 403 403
PATCH  /api/v1/tables/{orders}/grants/{table_grant}                  other-level     401 401 404 404 403 403 200 200 200 403 403
DELETE /api/v1/tables/{orders}/grants/{table_grant}                  -               401 401 404 404 403 403 204 204 204 403 403
GET    /api/v1/completion?prefix=raw.                                -               401 401 200 200 200 200 200 200 200 200 200
GET    /api/v1/search?q=orders                                       -               401 401 200 200 200 200 200 200 200 200 403
GET    /api/v1/flow?layer={raw}&around={orders}                      -               401 401 404 404 200 200 200 200 200 200 403
GET    /api/v1/volumes                                               -               401 401 200 200 200 200 200 200 200 200 403
POST   /api/v1/volumes                                               new-volume      401 401 404 404 403 201 201 201 201 403 403
GET    /api/v1/volumes/{volume}                                      -               401 401 404 404 200 200 200 200 200 200 403
PATCH  /api/v1/volumes/{volume}                                      described       401 401 404 404 403 200 200 200 200 403 403
DELETE /api/v1/volumes/{volume}?confirm=routes                       -               401 401 404 404 403 403 200 200 200 403 403
GET    /api/v1/volumes/{volume}/used-by                              -               401 401 404 404 200 200 200 200 200 200 403
GET    /api/v1/volumes/{volume}/access                               -               401 401 404 404 200 200 200 200 200 200 403
GET    /api/v1/volumes/{volume}/grants                               -               401 401 404 404 403 403 200 200 200 200 403
POST   /api/v1/volumes/{volume}/grants                               level           401 401 404 404 403 403 201 201 201 403 403
PATCH  /api/v1/volumes/{volume}/grants/{volume_grant}                other-level     401 401 404 404 403 403 200 200 200 403 403
DELETE /api/v1/volumes/{volume}/grants/{volume_grant}                -               401 401 404 404 403 403 204 204 204 403 403
GET    /api/v1/volumes/{volume}/files                                -               401 401 404 404 200 200 200 200 200 200 403
GET    /api/v1/volumes/{volume}/files/{file}                         -               401 401 404 404 404 404 404 404 404 404 403
PUT    /api/v1/volumes/{volume}/files/{file}                         -               401 401 404 404 403 201 201 201 201 403 403
DELETE /api/v1/volumes/{volume}/files/{file}                         -               401 401 404 404 403 404 404 404 404 403 403
"""


def prepare(session: Session, people: dict[str, Member]) -> dict[str, Any]:
    """A table and a volume on the layer raw, a layer that is empty, and somebody with a level on each."""
    raw = levels_on_raw(session, people)
    empty = make_layer(session, "empty_layer")
    for kind, level in LEVELS_ON_RAW.items():
        make_grant(session, empty, people[kind], level)
    table, volume = make_table(session, "orders"), make_volume(session, "routes")
    somebody = people["S"]  # suspended, and so in nobody's way
    grants = {
        "layer_grant": make_grant(session, raw, somebody),
        "table_grant": make_grant(session, table, somebody),
        "volume_grant": make_grant(session, volume, somebody),
    }
    return {"raw": raw, "empty_layer": empty, "orders": table, "volume": volume, "file": "2026.csv", **grants}
