"""Groups, projects, pipelines and saved queries are sought by name along an index of their own, as members are."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

TABLES = ("member_group", "project", "pipeline", "saved_query")


def upgrade() -> None:
    # PostgreSQL has no index on what is not kept; SQLite adds to a table nothing that is, and keeps it in the index.
    # There it has to stay the last column, see 0009.
    kept = op.get_bind().dialect.name == "postgresql"
    sorted_by_code = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    for table in TABLES:
        made = sa.Computed("lower(name)", persisted=kept)
        op.add_column(table, sa.Column("sought", sorted_by_code, made, nullable=False))
        op.create_index(f"ix_{table}_sought", table, ["sought", "id"], unique=False)


def downgrade() -> None:
    for table in TABLES:
        op.drop_index(f"ix_{table}_sought", table_name=table)
        op.drop_column(table, "sought")
