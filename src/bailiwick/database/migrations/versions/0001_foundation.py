"""The first tables: tenant, members, groups, projects, sessions, links, tokens, e-mail and audit."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "audit_lane",
        sa.Column("lane", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("lane", name=op.f("pk_audit_lane")),
    )
    op.create_table(
        "member",
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("tenant_role", sa.String(length=20), nullable=False),
        sa.Column("data_admin", sa.Boolean(), nullable=False),
        sa.Column("data_space_creator", sa.Boolean(), nullable=False),
        sa.Column("time_zone", sa.String(length=64), nullable=False),
        sa.Column("password_hash", sa.String(length=200), nullable=True),
        sa.Column("password_handed_over", sa.Boolean(), nullable=False),
        sa.Column("invited_by_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.CheckConstraint(
            "state IN ('waiting', 'invited', 'active', 'suspended', 'removed')", name=op.f("ck_member_state")
        ),
        sa.CheckConstraint(
            "tenant_role IN ('none', 'viewer', 'editor', 'admin', 'owner')", name=op.f("ck_member_tenant_role")
        ),
        sa.ForeignKeyConstraint(["invited_by_id"], ["member.id"], name=op.f("fk_member_invited_by_id_member")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_member")),
        sa.UniqueConstraint("email", name=op.f("uq_member_email")),
    )
    with op.batch_alter_table("member", schema=None) as batch_op:
        batch_op.create_index("ix_member_name", ["name", "id"], unique=False)
        batch_op.create_index("ix_member_state_name", ["state", "name", "id"], unique=False)
        batch_op.create_index("ix_member_tenant_role_name", ["tenant_role", "name", "id"], unique=False)

    op.create_table(
        "member_group",
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("description", sa.String(length=2000), nullable=False),
        sa.Column("is_all", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_member_group")),
        sa.UniqueConstraint("name", name=op.f("uq_member_group_name")),
    )
    with op.batch_alter_table("member_group", schema=None) as batch_op:
        batch_op.create_index("ix_member_group_name_id", ["name", "id"], unique=False)

    op.create_table(
        "outgoing_email",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("recipient", sa.String(length=254), nullable=False),
        sa.Column("subject", sa.String(length=300), nullable=False),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("try_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("problem", sa.String(length=500), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outgoing_email")),
    )
    with op.batch_alter_table("outgoing_email", schema=None) as batch_op:
        batch_op.create_index("ix_outgoing_email_sent_at_try_at", ["sent_at", "try_at"], unique=False)

    op.create_table(
        "sign_in_attempt",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("key", sa.String(length=100), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in_attempt")),
    )
    with op.batch_alter_table("sign_in_attempt", schema=None) as batch_op:
        batch_op.create_index("ix_sign_in_attempt_key_at", ["key", "at"], unique=False)

    op.create_table(
        "tenant",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("plan", sa.String(length=20), nullable=False),
        sa.Column("reading_needs_only_viewer", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint("plan IN ('starter', 'growth', 'custom')", name=op.f("ck_tenant_plan")),
        sa.CheckConstraint("id = 1", name=op.f("ck_tenant_only_one")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tenant")),
    )
    op.create_table(
        "api_token",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("member_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("secret_hash", sa.String(length=64), nullable=False),
        sa.Column("hint", sa.String(length=20), nullable=False),
        sa.Column("read_only", sa.Boolean(), nullable=False),
        sa.Column("tables", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("handed_over", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["member_id"], ["member.id"], name=op.f("fk_api_token_member_id_member")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_token")),
        sa.UniqueConstraint("secret_hash", name=op.f("uq_api_token_secret_hash")),
    )
    with op.batch_alter_table("api_token", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_api_token_member_id"), ["member_id"], unique=False)

    op.create_table(
        "audit_entry",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor_id", sa.Uuid(), nullable=True),
        sa.Column("token_id", sa.Uuid(), nullable=True),
        sa.Column("request_id", sa.String(length=64), nullable=False),
        sa.Column("action", sa.String(length=100), nullable=False),
        sa.Column("outcome", sa.String(length=10), nullable=False),
        sa.Column("resource_type", sa.String(length=40), nullable=False),
        sa.Column("resource_id", sa.String(length=64), nullable=False),
        sa.Column("resource_name", sa.String(length=300), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=True),
        sa.Column("seen_from", sa.String(length=20), nullable=True),
        sa.Column("about_id", sa.Uuid(), nullable=True),
        sa.Column("decision", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("before", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("after", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("lane", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("previous_hash", sa.String(length=64), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["about_id"], ["member.id"], name=op.f("fk_audit_entry_about_id_member")),
        sa.ForeignKeyConstraint(["actor_id"], ["member.id"], name=op.f("fk_audit_entry_actor_id_member")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_entry")),
    )
    with op.batch_alter_table("audit_entry", schema=None) as batch_op:
        batch_op.create_index("ix_audit_entry_about_id_id", ["about_id", "id"], unique=False)
        batch_op.create_index("ix_audit_entry_actor_id_id", ["actor_id", "id"], unique=False)
        batch_op.create_index("ix_audit_entry_project_id_seen_from_id", ["project_id", "seen_from", "id"], unique=False)
        batch_op.create_index("ix_audit_entry_resource_id_id", ["resource_id", "id"], unique=False)
        batch_op.create_index("ix_audit_entry_seen_from_id", ["seen_from", "id"], unique=False)
        batch_op.create_index("uq_audit_entry_lane_number", ["lane", "number"], unique=True)

    op.create_table(
        "group_membership",
        sa.Column("group_id", sa.Uuid(), nullable=False),
        sa.Column("member_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["group_id"],
            ["member_group.id"],
            name=op.f("fk_group_membership_group_id_member_group"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["member_id"], ["member.id"], name=op.f("fk_group_membership_member_id_member")),
        sa.PrimaryKeyConstraint("group_id", "member_id", name=op.f("pk_group_membership")),
    )
    with op.batch_alter_table("group_membership", schema=None) as batch_op:
        batch_op.create_index("ix_group_membership_member_id_group_id", ["member_id", "group_id"], unique=False)

    op.create_table(
        "one_time_link",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("member_id", sa.Uuid(), nullable=False),
        sa.Column("purpose", sa.String(length=20), nullable=False),
        sa.Column("secret_hash", sa.String(length=64), nullable=False),
        sa.Column("made_by_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("shown", sa.Boolean(), nullable=False),
        sa.CheckConstraint("purpose IN ('sign_in', 'reset_password', 'join')", name=op.f("ck_one_time_link_purpose")),
        sa.ForeignKeyConstraint(["made_by_id"], ["member.id"], name=op.f("fk_one_time_link_made_by_id_member")),
        sa.ForeignKeyConstraint(["member_id"], ["member.id"], name=op.f("fk_one_time_link_member_id_member")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_one_time_link")),
        sa.UniqueConstraint("secret_hash", name=op.f("uq_one_time_link_secret_hash")),
    )
    with op.batch_alter_table("one_time_link", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_one_time_link_member_id"), ["member_id"], unique=False)

    op.create_table(
        "project",
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("description", sa.String(length=2000), nullable=False),
        sa.Column("technical_users_control_all_reports", sa.Boolean(), nullable=False),
        sa.Column("ownership_adds_to_availability", sa.Boolean(), nullable=False),
        sa.Column("created_by_id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(["created_by_id"], ["member.id"], name=op.f("fk_project_created_by_id_member")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_project")),
        sa.UniqueConstraint("name", name=op.f("uq_project_name")),
    )
    with op.batch_alter_table("project", schema=None) as batch_op:
        batch_op.create_index("ix_project_name_id", ["name", "id"], unique=False)

    op.create_table(
        "sign_in_session",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("member_id", sa.Uuid(), nullable=False),
        sa.Column("secret_hash", sa.String(length=64), nullable=False),
        sa.Column("csrf_token", sa.String(length=64), nullable=False),
        sa.Column("client", sa.String(length=300), nullable=False),
        sa.Column("address", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("handed_over", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["member_id"], ["member.id"], name=op.f("fk_sign_in_session_member_id_member")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in_session")),
        sa.UniqueConstraint("secret_hash", name=op.f("uq_sign_in_session_secret_hash")),
    )
    with op.batch_alter_table("sign_in_session", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sign_in_session_member_id"), ["member_id"], unique=False)

    op.create_table(
        "notification_channel",
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("is_on", sa.Boolean(), nullable=False),
        sa.Column("delay_minutes", sa.Integer(), nullable=False),
        sa.Column("webhook_url", sa.Text(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint("kind IN ('run_failed', 'run_succeeded')", name=op.f("ck_notification_channel_kind")),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_notification_channel_project_id_project"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "kind", name=op.f("pk_notification_channel")),
    )
    op.create_table(
        "project_entry",
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("member_id", sa.Uuid(), nullable=False),
        sa.Column("entered_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["member_id"], ["member.id"], name=op.f("fk_project_entry_member_id_member")),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_project_entry_project_id_project"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "member_id", name=op.f("pk_project_entry")),
    )
    op.create_table(
        "project_grant",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("member_id", sa.Uuid(), nullable=True),
        sa.Column("group_id", sa.Uuid(), nullable=True),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("granted_by_id", sa.Uuid(), nullable=False),
        sa.Column("granted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint("role IN ('Business User', 'Technical User', 'Admin')", name=op.f("ck_project_grant_role")),
        sa.CheckConstraint("(member_id IS NULL) <> (group_id IS NULL)", name=op.f("ck_project_grant_one_holder")),
        sa.ForeignKeyConstraint(["granted_by_id"], ["member.id"], name=op.f("fk_project_grant_granted_by_id_member")),
        sa.ForeignKeyConstraint(
            ["group_id"], ["member_group.id"], name=op.f("fk_project_grant_group_id_member_group"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["member_id"], ["member.id"], name=op.f("fk_project_grant_member_id_member")),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_project_grant_project_id_project"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_project_grant")),
        sa.UniqueConstraint("project_id", "group_id", name=op.f("uq_project_grant_project_id_group_id")),
        sa.UniqueConstraint("project_id", "member_id", name=op.f("uq_project_grant_project_id_member_id")),
    )
    with op.batch_alter_table("project_grant", schema=None) as batch_op:
        batch_op.create_index("ix_project_grant_group_id_project_id", ["group_id", "project_id"], unique=False)
        batch_op.create_index("ix_project_grant_member_id_project_id", ["member_id", "project_id"], unique=False)

    op.create_table(
        "receiver_choice",
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("member_id", sa.Uuid(), nullable=False),
        sa.Column("receives", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["member_id"], ["member.id"], name=op.f("fk_receiver_choice_member_id_member")),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_receiver_choice_project_id_project"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "kind", "member_id", name=op.f("pk_receiver_choice")),
    )


def downgrade() -> None:
    op.drop_table("receiver_choice")
    with op.batch_alter_table("project_grant", schema=None) as batch_op:
        batch_op.drop_index("ix_project_grant_member_id_project_id")
        batch_op.drop_index("ix_project_grant_group_id_project_id")

    op.drop_table("project_grant")
    op.drop_table("project_entry")
    op.drop_table("notification_channel")
    with op.batch_alter_table("sign_in_session", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_sign_in_session_member_id"))

    op.drop_table("sign_in_session")
    with op.batch_alter_table("project", schema=None) as batch_op:
        batch_op.drop_index("ix_project_name_id")

    op.drop_table("project")
    with op.batch_alter_table("one_time_link", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_one_time_link_member_id"))

    op.drop_table("one_time_link")
    with op.batch_alter_table("group_membership", schema=None) as batch_op:
        batch_op.drop_index("ix_group_membership_member_id_group_id")

    op.drop_table("group_membership")
    with op.batch_alter_table("audit_entry", schema=None) as batch_op:
        batch_op.drop_index("uq_audit_entry_lane_number")
        batch_op.drop_index("ix_audit_entry_seen_from_id")
        batch_op.drop_index("ix_audit_entry_resource_id_id")
        batch_op.drop_index("ix_audit_entry_project_id_seen_from_id")
        batch_op.drop_index("ix_audit_entry_actor_id_id")
        batch_op.drop_index("ix_audit_entry_about_id_id")

    op.drop_table("audit_entry")
    with op.batch_alter_table("api_token", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_api_token_member_id"))

    op.drop_table("api_token")
    op.drop_table("tenant")
    with op.batch_alter_table("sign_in_attempt", schema=None) as batch_op:
        batch_op.drop_index("ix_sign_in_attempt_key_at")

    op.drop_table("sign_in_attempt")
    with op.batch_alter_table("outgoing_email", schema=None) as batch_op:
        batch_op.drop_index("ix_outgoing_email_sent_at_try_at")

    op.drop_table("outgoing_email")
    with op.batch_alter_table("member_group", schema=None) as batch_op:
        batch_op.drop_index("ix_member_group_name_id")

    op.drop_table("member_group")
    with op.batch_alter_table("member", schema=None) as batch_op:
        batch_op.drop_index("ix_member_tenant_role_name")
        batch_op.drop_index("ix_member_state_name")
        batch_op.drop_index("ix_member_name")

    op.drop_table("member")
    op.drop_table("audit_lane")
