"""Roles in projects can expire."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("project_grant", schema=None) as batch_op:
        batch_op.add_column(sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True))
        batch_op.create_index("ix_project_grant_expires_at", ["expires_at"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("project_grant", schema=None) as batch_op:
        batch_op.drop_index("ix_project_grant_expires_at")
        batch_op.drop_column("expires_at")
