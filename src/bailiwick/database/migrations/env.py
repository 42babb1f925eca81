"""What Alembic runs to migrate: in the caller's transaction or, from the command line, on the configured database."""

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import Connection
from sqlalchemy.types import TypeDecorator

from bailiwick.database.engine import make_engine
from bailiwick.models import metadata
from bailiwick.settings import load_settings


def migrate(connection: Connection) -> None:
    """Run whatever Alembic was asked for on this connection."""
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_as_batch=True,
        render_item=render_plain_types,
        compare_server_default=True,
    )
    with context.begin_transaction():
        context.run_migrations()


def render_plain_types(kind: str, item: Any, _context: AutogenContext) -> str | Literal[False]:
    """Write our column types as the plain ones they are stored as, so that old migrations need no code of ours."""
    return f"sa.{item.impl_instance!r}" if kind == "type" and isinstance(item, TypeDecorator) else False


if (given := context.config.attributes.get("connection")) is not None:
    migrate(given)
else:
    engine = make_engine(load_settings().database_url)
    with engine.begin() as connection:
        migrate(connection)
    engine.dispose()
