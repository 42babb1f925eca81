"""Which saved queries a caller sees, as conditions for the database: Viewer on everything they read."""

from __future__ import annotations

from sqlalchemy import ColumnElement, and_, exists, or_, select, true
from sqlalchemy.orm import Session

from bailiwick.access.resource_types import RESOURCE_TYPES
from bailiwick.access.roles import lakehouse_standing
from bailiwick.access.tables.lakehouse.levels import LEVELS
from bailiwick.lakehouse.models import Grant, SavedQuery, SavedQueryRead, Table
from bailiwick.lakehouse.standing import on_layer_itself, reaches
from bailiwick.tenancy.caller import Caller
from bailiwick.tenancy.standing import the_tenant

TYPE, TABLE = RESOURCE_TYPES["saved_query"], RESOURCE_TYPES["table"]
SEE, SEE_TABLES = "See", "See tables"


def ways_to_see(session: Session, caller: Caller) -> list[ColumnElement[bool]]:
    """One's own, and what others share; for owners and admins everything."""
    standing = lakehouse_standing(caller.member.tenant_role)
    others = {"standing": standing, "its author": "no", "shared": "no"}
    if TYPE.allows(TYPE.pack(others), SEE):
        return [true()]
    own, shared = SavedQuery.author_id == caller.member.id, SavedQuery.shared.is_(True)
    if the_tenant(session).plan == "starter":  # everybody manages all data
        return [own, shared]
    return [and_(own, ~_reads_something_hidden(caller)), and_(shared, ~_reads_something_hidden(caller))]


def _reads_something_hidden(caller: Caller) -> ColumnElement[bool]:
    seeing = [level for level in LEVELS if TABLE.allows(TABLE.pack({"level": level}), SEE_TABLES)]
    enough = and_(reaches(caller), Grant.level.in_(seeing))
    tables = select(Grant.table_id).where(enough, Grant.table_id.is_not(None))
    layers = select(Grant.layer_id).where(enough, on_layer_itself())
    seen = exists().where(Table.id == SavedQueryRead.table_id, or_(Table.id.in_(tables), Table.layer_id.in_(layers)))
    return exists().where(SavedQueryRead.saved_query_id == SavedQuery.id, ~seen)
