"""Sessions, tokens and passwords that a link opened name who saw it."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

COLUMNS = {
    "api_token": ("handed_over", "seen_by_id"),
    "member": ("password_handed_over", "password_seen_by_id"),
    "sign_in_session": ("handed_over", "seen_by_id"),
}


def upgrade() -> None:
    # Nobody knows who saw the links of before, so that what they opened ends now.
    member = sa.table("member", sa.column("password_handed_over", sa.Boolean()), sa.column("password_hash"))
    op.execute(sa.update(member).where(member.c.password_handed_over).values(password_hash=None))
    for name in ("api_token", "sign_in_session"):
        kind = sa.table(name, sa.column("handed_over", sa.Boolean()), sa.column("revoked_at"))
        live = sa.update(kind).where(kind.c.handed_over, kind.c.revoked_at.is_(None))
        op.execute(live.values(revoked_at=sa.func.now()))
    for table, (old, new) in COLUMNS.items():
        names = sa.ForeignKey("member.id", name=op.f(f"fk_{table}_{new}_member"))
        op.add_column(table, sa.Column(new, sa.Uuid(), names, nullable=True), inline_references=True)
        op.create_index(op.f(f"ix_{table}_{new}"), table, [new], unique=False)
        op.drop_column(table, old)
    if op.get_bind().dialect.name == "sqlite":
        # It lies in the index alone, and has to stay last: SQLAlchemy reads on to the last parenthesis of its line.
        op.drop_index("ix_member_sought", table_name="member")
        op.drop_column("member", "sought")
        made = sa.Computed("lower(name) || '\t' || email", persisted=False)
        op.add_column("member", sa.Column("sought", sa.Text(), made, nullable=False))
        op.create_index("ix_member_sought", "member", ["sought", "id", "state"], unique=False)


def downgrade() -> None:
    for table, (old, new) in COLUMNS.items():
        op.add_column(table, sa.Column(old, sa.Boolean(), nullable=False, server_default=sa.false()))
        seen = sa.table(table, sa.column(old), sa.column(new))
        op.execute(sa.update(seen).where(seen.c[new].is_not(None)).values({old: sa.true()}))
        op.drop_index(op.f(f"ix_{table}_{new}"), table_name=table)
        op.drop_column(table, new)
