"""A saved query keeps how what it gives is drawn."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("saved_query", sa.Column("chart", sa.JSON(none_as_null=True), nullable=True))
    if op.get_bind().dialect.name == "sqlite":  # it has to stay last, see 0009
        op.drop_index("ix_saved_query_sought", table_name="saved_query")
        op.drop_column("saved_query", "sought")
        made = sa.Computed("lower(name)", persisted=False)
        op.add_column("saved_query", sa.Column("sought", sa.Text(), made, nullable=False))
        op.create_index("ix_saved_query_sought", "saved_query", ["sought", "id"], unique=False)


def downgrade() -> None:
    op.drop_column("saved_query", "chart")
