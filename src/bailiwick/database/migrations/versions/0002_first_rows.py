"""The rows every deployment starts with, and an audit that the database itself lets nobody change."""

from datetime import UTC, datetime
from uuid import UUID

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

LANES = 16
ALL_GROUP_ID = UUID("00000000-0000-7000-8000-000000000a11")
REFUSAL = "The audit is append-only."


def upgrade() -> None:
    lanes = sa.table("audit_lane", sa.column("lane", sa.Integer), sa.column("number", sa.Integer), sa.column("hash"))
    op.bulk_insert(lanes, [{"lane": lane, "number": 0, "hash": ""} for lane in range(LANES)])
    groups = sa.table(
        "member_group",
        sa.column("id", sa.Uuid),
        sa.column("name"),
        sa.column("description"),
        sa.column("is_all", sa.Boolean),
        sa.column("created_at", sa.DateTime(timezone=True)),
        sa.column("version", sa.Integer),
    )
    everyone = {"id": ALL_GROUP_ID, "name": "All", "description": "Everyone in the tenant, always.", "is_all": True}
    op.bulk_insert(groups, [{**everyone, "created_at": datetime.now(UTC), "version": 1}])
    if op.get_bind().dialect.name == "sqlite":
        for change in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER audit_entry_no_{change.lower()} BEFORE {change} ON audit_entry "
                f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
            )
    else:
        op.execute(
            "CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION '{REFUSAL}'; END $$"
        )
        op.execute(
            "CREATE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entry "
            "FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only()"
        )


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TRIGGER audit_entry_no_update")
        op.execute("DROP TRIGGER audit_entry_no_delete")
    else:
        op.execute("DROP TRIGGER audit_entry_append_only ON audit_entry")
        op.execute("DROP FUNCTION audit_is_append_only")
    op.execute("DELETE FROM member_group")
    op.execute("DELETE FROM audit_lane")
