"""Tables are listed by when their data changed, members by when they joined."""

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

INDEXES = {
    "lakehouse_table": {
        "ix_lakehouse_table_changed_at": ["changed_at", "id", "name"],
        "ix_lakehouse_table_layer_id_changed_at": ["layer_id", "changed_at", "id", "name"],
    },
    "member": {
        "ix_member_joined_at": ["joined_at", "id"],
        "ix_member_state_joined_at": ["state", "joined_at", "id"],
        "ix_member_tenant_role_joined_at": ["tenant_role", "joined_at", "id"],
    },
}


def upgrade() -> None:
    for table, indexes in INDEXES.items():
        for name, columns in indexes.items():
            op.create_index(name, table, columns, unique=False)


def downgrade() -> None:
    for table, indexes in INDEXES.items():
        for name in indexes:
            op.drop_index(name, table_name=table)
