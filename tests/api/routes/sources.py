"""The routes of sources, called as every kind of member. On the layer raw B is Viewer, T Editor and P Manager."""
# ruff: noqa: E501 - a table is read by its columns

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from bailiwick.tenancy.models import Member
from tests.lakehouse.making import levels_on_raw, make_pipeline, make_stream

READ = {"type": "http", "path": "orders"}
BODIES: dict[str, Any] = {
    "source": {
        "name": "Another source",
        "connection": {"type": "http", "url": "https://shop.example.com"},
        "output_layer_id": "{source_layer}",
    },
    "source-name": {"name": "Renamed"},
    "source-owner": {"owner_id": "{source_owner}"},
    "stream": {"name": "returns", "settings": {"read": {"type": "http", "path": "returns"}}},
    "stream-change": {"enabled": False},
}

# A source is seen with Viewer on everything it lands in, which only who has raw has.
ROUTES = """
method path                                                          body             A   S   N   V   B   T   P   D   O   R   C
GET    /api/v1/sources                                               -               401 401 200 200 200 200 200 200 200 200 403
POST   /api/v1/sources                                               source          401 401 422 422 403 201 201 201 201 403 403
GET    /api/v1/sources/{source}                                      -               401 401 404 404 200 200 200 200 200 200 403
PATCH  /api/v1/sources/{source}                                      source-name     401 401 404 404 403 200 200 200 200 403 403
DELETE /api/v1/sources/{source}?confirm=Shop                         -               401 401 404 404 403 403 200 200 200 403 403
POST   /api/v1/sources/{source}/activate                             -               401 401 404 404 403 200 200 200 200 403 403
POST   /api/v1/sources/{source}/deactivate                           -               401 401 404 404 403 200 200 200 200 403 403
POST   /api/v1/sources/{source}/runs                                 -               401 401 404 404 403 202 202 202 202 403 403
PUT    /api/v1/sources/{source}/owner                                source-owner    401 401 404 404 403 403 403 200 200 403 403
POST   /api/v1/sources/{source}/test?wait=0                          -               401 401 404 404 403 202 202 202 202 403 403
POST   /api/v1/sources/{source}/discover?wait=0                      -               401 401 404 404 403 202 202 202 202 403 403
GET    /api/v1/sources/{source}/streams                              -               401 401 404 404 200 200 200 200 200 200 403
POST   /api/v1/sources/{source}/streams                              stream          401 401 404 404 403 201 201 201 201 403 403
GET    /api/v1/sources/{source}/streams/{stream}                     -               401 401 404 404 200 200 200 200 200 200 403
PATCH  /api/v1/sources/{source}/streams/{stream}                     stream-change   401 401 404 404 403 200 200 200 200 403 403
DELETE /api/v1/sources/{source}/streams/{stream}                     -               401 401 404 404 403 204 204 204 204 403 403
POST   /api/v1/sources/{source}/streams/{stream}/start-over          -               401 401 404 404 403 200 200 200 200 403 403
"""


def prepare(session: Session, people: dict[str, Member]) -> dict[str, Any]:
    raw = levels_on_raw(session, people)
    settings = {"type": "http", "url": "https://shop.example.com"}
    source = make_pipeline(session, "Shop", people["T"], kind="source", output_layer=raw, settings=settings)
    stream = make_stream(session, source, "orders", layer=raw, settings={"read": READ, "mode": "full"})
    return {"source": source, "stream": stream, "source_layer": str(raw.id), "source_owner": str(people["P"].id)}
