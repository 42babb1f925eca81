"""Members are sought by name and address at once, along an index that holds nothing else."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # PostgreSQL has no index on what is not kept; SQLite adds to a table nothing that is, and keeps it in the index.
    kept = op.get_bind().dialect.name == "postgresql"
    made = sa.Computed("lower(name) || '\t' || email", persisted=kept)
    sorted_by_code = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    op.add_column("member", sa.Column("sought", sorted_by_code, made, nullable=False))
    op.create_index("ix_member_sought", "member", ["sought", "id", "state"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_member_sought", table_name="member")
    op.drop_column("member", "sought")
