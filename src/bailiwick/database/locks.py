"""Locks on rows, as `with_for_update` takes them: each holds until the transaction ends.

Every row that names a member, a project or a run by a foreign key holds on to it for a moment. A lock against those
as well is for deleting alone: anywhere else two ordinary changes would wait for each other, and one of them fail."""

from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy.orm import Session

from bailiwick.errors import NotFound

LOCKED: dict[str, Any] = {"key_share": True}  # to look at it and change it; rows that name it may come meanwhile
KEPT: dict[str, Any] = {"read": True, "key_share": True}  # against deleting only; it may be edited meanwhile
TO_DELETE = True  # nothing comes to name it between this look and its end

Row = TypeVar("Row")


def hold(session: Session, kind: type[Row], id_: UUID, how: dict[str, Any] | bool, what: str) -> Row:
    """The row as it is now, with this lock on it; what somebody else has deleted a moment ago is not there."""
    row = session.get(kind, id_, with_for_update=how, populate_existing=True)
    if row is None:
        raise NotFound(what)
    return row
