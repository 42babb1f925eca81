"""Access requests."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "access_request",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("member_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("layer_id", sa.Uuid(), nullable=True),
        sa.Column("table_id", sa.Uuid(), nullable=True),
        sa.Column("volume_id", sa.Uuid(), nullable=True),
        sa.Column("project_id", sa.Uuid(), nullable=True),
        sa.Column("was_seen", sa.Boolean(), nullable=False),
        sa.Column("wanted", sa.String(length=20), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reason", sa.String(length=1000), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lapses_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("decided_by_id", sa.Uuid(), nullable=True),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("given", sa.String(length=20), nullable=True),
        sa.Column("given_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("answer", sa.String(length=1000), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "(state IN ('granted', 'declined')) = (decided_at IS NOT NULL)", name=op.f("ck_access_request_decided")
        ),
        sa.CheckConstraint("kind IN ('layer', 'table', 'volume', 'project')", name=op.f("ck_access_request_kind")),
        sa.CheckConstraint(
            "state IN ('waiting', 'granted', 'declined', 'withdrawn')", name=op.f("ck_access_request_state")
        ),
        sa.CheckConstraint(
            "wanted IN ('Viewer', 'Editor', 'Manager', 'Business User', 'Technical User', 'Admin')",
            name=op.f("ck_access_request_wanted"),
        ),
        sa.ForeignKeyConstraint(["decided_by_id"], ["member.id"], name=op.f("fk_access_request_decided_by_id_member")),
        sa.ForeignKeyConstraint(
            ["layer_id"], ["layer.id"], name=op.f("fk_access_request_layer_id_layer"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(["member_id"], ["member.id"], name=op.f("fk_access_request_member_id_member")),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_access_request_project_id_project"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["lakehouse_table.id"],
            name=op.f("fk_access_request_table_id_lakehouse_table"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["volume_id"], ["volume.id"], name=op.f("fk_access_request_volume_id_volume"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_access_request")),
    )
    with op.batch_alter_table("access_request", schema=None) as batch_op:
        batch_op.create_index("ix_access_request_layer_id_id", ["layer_id", "id"], unique=False)
        batch_op.create_index("ix_access_request_member_id_id", ["member_id", "id"], unique=False)
        batch_op.create_index("ix_access_request_project_id_id", ["project_id", "id"], unique=False)
        batch_op.create_index("ix_access_request_table_id_id", ["table_id", "id"], unique=False)
        batch_op.create_index("ix_access_request_volume_id_id", ["volume_id", "id"], unique=False)


def downgrade() -> None:
    op.drop_table("access_request")
