"""The layers every lakehouse starts with."""

from datetime import UTC, datetime
from uuid import UUID

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

# The same in every deployment. No member made them.
LAYERS = (
    ("00000000-0000-7000-8000-0000000001a1", "raw", "Data as it came from its source."),
    ("00000000-0000-7000-8000-0000000001a2", "trusted", "Data that was checked, cleaned and joined."),
    ("00000000-0000-7000-8000-0000000001a3", "service", "Data in the shape that others use."),
)


def upgrade() -> None:
    layers = sa.table(
        "layer",
        sa.column("id", sa.Uuid),
        sa.column("name"),
        sa.column("description"),
        sa.column("created_at", sa.DateTime(timezone=True)),
        sa.column("version", sa.Integer),
    )
    made = {"created_at": datetime(2026, 1, 1, tzinfo=UTC), "version": 1}
    op.bulk_insert(layers, [{"id": UUID(id_), "name": name, "description": text, **made} for id_, name, text in LAYERS])


def downgrade() -> None:
    op.execute("DELETE FROM layer")
