"""Runs are listed and searched by the name of what ran, along an index of their own."""

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    columns = ["subject_type", "subject_name", "id", "subject_id", "kind"]
    op.create_index("ix_run_subject_name", "run", columns, unique=False)


def downgrade() -> None:
    op.drop_index("ix_run_subject_name", table_name="run")
