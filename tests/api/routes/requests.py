"""Access requests, called as every kind of member. Tom, who has no level on the layer raw, asks for one on a table in
it; of those who call, P manages the layer."""
# ruff: noqa: E501 - a table is read by its columns

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy.orm import Session

from bailiwick.database.base import utc_now
from bailiwick.requests.models import AccessRequest
from bailiwick.tenancy.models import Member
from tests.lakehouse.making import levels_on_raw, make_table

BODIES: dict[str, Any] = {
    "ask-access": {
        "resource": {"type": "table", "id": "{requested}"},
        **{"level": "Manager", "reason": "To give others what they need."},
    },
    "as-asked": {},
    "no": {"reason": "Not this one."},
}

# B and T see the table, and ask; they do not see what others ask for. Who decides does not withdraw.
ROUTES = """
method path                                                          body             A   S   N   V   B   T   P   D   O   R   C
GET    /api/v1/access-requests                                       -               401 401 200 200 200 200 200 200 200 200 403
POST   /api/v1/access-requests                                       ask-access      401 401 404 404 201 201 409 409 409 403 403
GET    /api/v1/access-requests/waiting-for-me/count                  -               401 401 200 200 200 200 200 200 200 200 403
GET    /api/v1/access-requests/{access_request}                      -               401 401 404 404 404 404 200 200 200 200 403
POST   /api/v1/access-requests/{access_request}/grant                as-asked        401 401 404 404 404 404 200 200 200 403 403
POST   /api/v1/access-requests/{access_request}/decline              no              401 401 404 404 404 404 200 200 200 403 403
POST   /api/v1/access-requests/{access_request}/withdraw             -               401 401 404 404 404 404 409 409 409 403 403
"""


def prepare(session: Session, people: dict[str, Member]) -> dict[str, Any]:
    """A request for a table on the layer raw."""
    raw = levels_on_raw(session, people)
    table = make_table(session, "requested")
    request = AccessRequest(
        **{"member_id": people["target"].id, "kind": "table", "name": "raw.requested", "was_seen": False},
        **{"layer_id": raw.id, "table_id": table.id, "wanted": "Viewer", "reason": "I build the report."},
        lapses_at=utc_now() + timedelta(days=30),
    )
    session.add(request)
    session.flush()
    return {"requested": table, "access_request": request}
