"""Runs, triggers and lineage; layers, tables, volumes, grants, pipelines and saved queries."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "discarded",
        sa.Column("location", sa.String(length=1000), nullable=False),
        sa.Column("discarded_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("location", name=op.f("pk_discarded")),
    )
    op.create_table(
        "run_counter",
        sa.Column("subject_id", sa.Uuid(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("subject_id", name=op.f("pk_run_counter")),
    )
    op.create_table(
        "tenant_channel",
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("is_on", sa.Boolean(), nullable=False),
        sa.Column("delay_minutes", sa.Integer(), nullable=False),
        sa.Column("webhook_url", sa.Text(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint("kind IN ('run_failed', 'run_succeeded')", name=op.f("ck_tenant_channel_kind")),
        sa.PrimaryKeyConstraint("kind", name=op.f("pk_tenant_channel")),
    )
    op.create_table(
        "worker",
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("spark", sa.String(length=20), nullable=False),
        sa.Column("problem", sa.String(length=500), nullable=False),
        sa.Column("slots", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_worker")),
    )
    op.create_table(
        "layer",
        sa.Column(
            "name", sa.String(length=63).with_variant(sa.String(length=63, collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("description", sa.String(length=2000), nullable=False),
        sa.Column("created_by_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(["created_by_id"], ["member.id"], name=op.f("fk_layer_created_by_id_member")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_layer")),
        sa.UniqueConstraint("name", name=op.f("uq_layer_name")),
    )
    with op.batch_alter_table("layer", schema=None) as batch_op:
        batch_op.create_index("ix_layer_name_id", ["name", "id"], unique=False)

    op.create_table(
        "run_trigger",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("subject_type", sa.String(length=40), nullable=False),
        sa.Column("subject_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("cron", sa.String(length=200), nullable=True),
        sa.Column("time_zone", sa.String(length=64), nullable=False),
        sa.Column("needs_all", sa.Boolean(), nullable=False),
        sa.Column("paused", sa.Boolean(), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_fired_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_scheduled_for", sa.DateTime(timezone=True), nullable=True),
        sa.Column("note", sa.String(length=500), nullable=False),
        sa.Column("saved_by_id", sa.Uuid(), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint("(kind = 'cron') = (cron IS NOT NULL)", name=op.f("ck_run_trigger_cron_has_its_times")),
        sa.CheckConstraint("kind IN ('cron', 'after')", name=op.f("ck_run_trigger_kind")),
        sa.ForeignKeyConstraint(["saved_by_id"], ["member.id"], name=op.f("fk_run_trigger_saved_by_id_member")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run_trigger")),
    )
    with op.batch_alter_table("run_trigger", schema=None) as batch_op:
        batch_op.create_index("ix_run_trigger_next_at", ["next_at"], unique=False)
        batch_op.create_index("ix_run_trigger_subject_id", ["subject_type", "subject_id"], unique=False)

    op.create_table(
        "saved_query",
        sa.Column("description", sa.String(length=2000), nullable=False),
        sa.Column("sql", sa.Text(), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=False),
        sa.Column("shared", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["author_id"], ["member.id"], name=op.f("fk_saved_query_author_id_member")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_saved_query")),
        sa.UniqueConstraint("author_id", "name", name=op.f("uq_saved_query_author_id_name")),
    )
    with op.batch_alter_table("saved_query", schema=None) as batch_op:
        batch_op.create_index("ix_saved_query_author_id_name_id", ["author_id", "name", "id"], unique=False)
        batch_op.create_index("ix_saved_query_name_id", ["name", "id"], unique=False)
        batch_op.create_index("ix_saved_query_shared_name_id", ["shared", "name", "id"], unique=False)

    op.create_table(
        "tenant_receiver_choice",
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("member_id", sa.Uuid(), nullable=False),
        sa.Column("receives", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["member_id"], ["member.id"], name=op.f("fk_tenant_receiver_choice_member_id_member")),
        sa.PrimaryKeyConstraint("kind", "member_id", name=op.f("pk_tenant_receiver_choice")),
    )
    op.create_table(
        "lakehouse_table",
        sa.Column("layer_id", sa.Uuid(), nullable=False),
        sa.Column(
            "name", sa.String(length=63).with_variant(sa.String(length=63, collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("description", sa.String(length=2000), nullable=False),
        sa.Column("location", sa.String(length=1000), nullable=False),
        sa.Column("columns", sa.JSON(), nullable=False),
        sa.Column("field_descriptions", sa.JSON(), nullable=False),
        sa.Column("data_version", sa.Integer(), nullable=True),
        sa.Column("rows", sa.BigInteger(), nullable=True),
        sa.Column("bytes", sa.BigInteger(), nullable=True),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("holds_rejects_of_id", sa.Uuid(), nullable=True),
        sa.Column("created_by_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(["created_by_id"], ["member.id"], name=op.f("fk_lakehouse_table_created_by_id_member")),
        sa.ForeignKeyConstraint(["layer_id"], ["layer.id"], name=op.f("fk_lakehouse_table_layer_id_layer")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lakehouse_table")),
        sa.UniqueConstraint("layer_id", "name", name=op.f("uq_lakehouse_table_layer_id_name")),
    )
    with op.batch_alter_table("lakehouse_table", schema=None) as batch_op:
        batch_op.create_index("ix_lakehouse_table_layer_id_name_id", ["layer_id", "name", "id"], unique=False)
        batch_op.create_index("ix_lakehouse_table_name_id", ["name", "id"], unique=False)

    op.create_table(
        "run",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("subject_type", sa.String(length=40), nullable=False),
        sa.Column("subject_id", sa.Uuid(), nullable=False),
        sa.Column("subject_name", sa.String(length=200), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=True),
        sa.Column("parameters", sa.JSON(), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("trigger_id", sa.Uuid(), nullable=True),
        sa.Column("scheduled_for", sa.DateTime(timezone=True), nullable=True),
        sa.Column("started_by_id", sa.Uuid(), nullable=True),
        sa.Column("acts_as_id", sa.Uuid(), nullable=False),
        sa.Column("token_id", sa.Uuid(), nullable=True),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("most_attempts", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("not_before", sa.DateTime(timezone=True), nullable=True),
        sa.Column("time_limit_seconds", sa.Integer(), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("worker", sa.String(length=100), nullable=True),
        sa.Column("lease", sa.Uuid(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("cancel_asked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("cancel_asked_by_id", sa.Uuid(), nullable=True),
        sa.Column("progress", sa.JSON(), nullable=False),
        sa.Column("rows_read", sa.Integer(), nullable=True),
        sa.Column("rows_written", sa.Integer(), nullable=True),
        sa.Column("executed_sql", sa.Text(), nullable=True),
        sa.Column("problem", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("missing", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("result", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("result_expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "state IN ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'restricted')",
            name=op.f("ck_run_state"),
        ),
        sa.ForeignKeyConstraint(["acts_as_id"], ["member.id"], name=op.f("fk_run_acts_as_id_member")),
        sa.ForeignKeyConstraint(["cancel_asked_by_id"], ["member.id"], name=op.f("fk_run_cancel_asked_by_id_member")),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_run_project_id_project"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(["started_by_id"], ["member.id"], name=op.f("fk_run_started_by_id_member")),
        sa.ForeignKeyConstraint(["token_id"], ["api_token.id"], name=op.f("fk_run_token_id_api_token")),
        sa.ForeignKeyConstraint(
            ["trigger_id"], ["run_trigger.id"], name=op.f("fk_run_trigger_id_run_trigger"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run")),
        sa.UniqueConstraint("subject_id", "number", name=op.f("uq_run_subject_id_number")),
        sa.UniqueConstraint("trigger_id", "scheduled_for", name=op.f("uq_run_trigger_id_scheduled_for")),
    )
    with op.batch_alter_table("run", schema=None) as batch_op:
        batch_op.create_index(
            "ix_run_claim",
            ["priority", "id"],
            unique=False,
            sqlite_where=sa.text("state IN ('queued', 'running')"),
            postgresql_where=sa.text("state IN ('queued', 'running')"),
        )
        batch_op.create_index("ix_run_expires_at", ["result_expires_at"], unique=False)
        batch_op.create_index("ix_run_started_by_id_id", ["started_by_id", "kind", "id"], unique=False)
        batch_op.create_index("ix_run_state_id", ["state", "id"], unique=False)
        batch_op.create_index("ix_run_subject_id_id", ["subject_type", "subject_id", "id"], unique=False)

    op.create_table(
        "run_trigger_upstream",
        sa.Column("trigger_id", sa.Uuid(), nullable=False),
        sa.Column("subject_id", sa.Uuid(), nullable=False),
        sa.Column("subject_type", sa.String(length=40), nullable=False),
        sa.Column("succeeded_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["trigger_id"],
            ["run_trigger.id"],
            name=op.f("fk_run_trigger_upstream_trigger_id_run_trigger"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("trigger_id", "subject_id", name=op.f("pk_run_trigger_upstream")),
    )
    with op.batch_alter_table("run_trigger_upstream", schema=None) as batch_op:
        batch_op.create_index("ix_run_trigger_upstream_subject_id", ["subject_id"], unique=False)

    op.create_table(
        "table_maintenance",
        sa.Column("layer_id", sa.Uuid(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("compact", sa.Boolean(), nullable=False),
        sa.Column("keep_days", sa.Integer(), nullable=False),
        sa.Column("owner_id", sa.Uuid(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["layer_id"], ["layer.id"], name=op.f("fk_table_maintenance_layer_id_layer"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["owner_id"], ["member.id"], name=op.f("fk_table_maintenance_owner_id_member")),
        sa.PrimaryKeyConstraint("layer_id", name=op.f("pk_table_maintenance")),
    )
    op.create_table(
        "volume",
        sa.Column("layer_id", sa.Uuid(), nullable=False),
        sa.Column(
            "name", sa.String(length=63).with_variant(sa.String(length=63, collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("description", sa.String(length=2000), nullable=False),
        sa.Column("created_by_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(["created_by_id"], ["member.id"], name=op.f("fk_volume_created_by_id_member")),
        sa.ForeignKeyConstraint(["layer_id"], ["layer.id"], name=op.f("fk_volume_layer_id_layer")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_volume")),
        sa.UniqueConstraint("layer_id", "name", name=op.f("uq_volume_layer_id_name")),
    )
    with op.batch_alter_table("volume", schema=None) as batch_op:
        batch_op.create_index("ix_volume_layer_id_name_id", ["layer_id", "name", "id"], unique=False)
        batch_op.create_index("ix_volume_name_id", ["name", "id"], unique=False)

    op.create_table(
        "lakehouse_grant",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("layer_id", sa.Uuid(), nullable=False),
        sa.Column("table_id", sa.Uuid(), nullable=True),
        sa.Column("volume_id", sa.Uuid(), nullable=True),
        sa.Column("member_id", sa.Uuid(), nullable=True),
        sa.Column("group_id", sa.Uuid(), nullable=True),
        sa.Column("level", sa.String(length=10), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("granted_by_id", sa.Uuid(), nullable=True),
        sa.Column("granted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint("level IN ('Viewer', 'Editor', 'Manager')", name=op.f("ck_lakehouse_grant_level")),
        sa.CheckConstraint("(member_id IS NULL) <> (group_id IS NULL)", name=op.f("ck_lakehouse_grant_one_holder")),
        sa.CheckConstraint("table_id IS NULL OR volume_id IS NULL", name=op.f("ck_lakehouse_grant_one_thing")),
        sa.ForeignKeyConstraint(["granted_by_id"], ["member.id"], name=op.f("fk_lakehouse_grant_granted_by_id_member")),
        sa.ForeignKeyConstraint(
            ["group_id"], ["member_group.id"], name=op.f("fk_lakehouse_grant_group_id_member_group"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["layer_id"], ["layer.id"], name=op.f("fk_lakehouse_grant_layer_id_layer"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["member_id"], ["member.id"], name=op.f("fk_lakehouse_grant_member_id_member")),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["lakehouse_table.id"],
            name=op.f("fk_lakehouse_grant_table_id_lakehouse_table"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["volume_id"], ["volume.id"], name=op.f("fk_lakehouse_grant_volume_id_volume"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lakehouse_grant")),
        sa.UniqueConstraint("table_id", "group_id", name=op.f("uq_lakehouse_grant_table_id_group_id")),
        sa.UniqueConstraint("table_id", "member_id", name=op.f("uq_lakehouse_grant_table_id_member_id")),
        sa.UniqueConstraint("volume_id", "group_id", name=op.f("uq_lakehouse_grant_volume_id_group_id")),
        sa.UniqueConstraint("volume_id", "member_id", name=op.f("uq_lakehouse_grant_volume_id_member_id")),
    )
    with op.batch_alter_table("lakehouse_grant", schema=None) as batch_op:
        batch_op.create_index("ix_lakehouse_grant_expires_at", ["expires_at"], unique=False)
        batch_op.create_index(
            "ix_lakehouse_grant_group_id",
            ["group_id", "layer_id", "table_id", "volume_id"],
            unique=False,
            sqlite_where=sa.text("group_id IS NOT NULL"),
            postgresql_where=sa.text("group_id IS NOT NULL"),
        )
        batch_op.create_index(
            "ix_lakehouse_grant_member_id",
            ["member_id", "layer_id", "table_id", "volume_id"],
            unique=False,
            sqlite_where=sa.text("member_id IS NOT NULL"),
            postgresql_where=sa.text("member_id IS NOT NULL"),
        )
        batch_op.create_index(
            "uq_lakehouse_grant_layer_id_group_id",
            ["layer_id", "group_id"],
            unique=True,
            sqlite_where=sa.text("table_id IS NULL AND volume_id IS NULL"),
            postgresql_where=sa.text("table_id IS NULL AND volume_id IS NULL"),
        )
        batch_op.create_index(
            "uq_lakehouse_grant_layer_id_member_id",
            ["layer_id", "member_id"],
            unique=True,
            sqlite_where=sa.text("table_id IS NULL AND volume_id IS NULL"),
            postgresql_where=sa.text("table_id IS NULL AND volume_id IS NULL"),
        )

    op.create_table(
        "lineage_edge",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("subject_type", sa.String(length=40), nullable=False),
        sa.Column("subject_id", sa.Uuid(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=True),
        sa.Column("from_table_id", sa.Uuid(), nullable=True),
        sa.Column("from_column", sa.String(length=255), nullable=True),
        sa.Column("to_table_id", sa.Uuid(), nullable=True),
        sa.Column("to_column", sa.String(length=255), nullable=True),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_lineage_edge_run_id_run"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lineage_edge")),
    )
    with op.batch_alter_table("lineage_edge", schema=None) as batch_op:
        batch_op.create_index("ix_lineage_edge_from_table_id", ["from_table_id"], unique=False)
        batch_op.create_index("ix_lineage_edge_subject_id", ["subject_id"], unique=False)
        batch_op.create_index("ix_lineage_edge_to_table_id", ["to_table_id"], unique=False)

    op.create_table(
        "pipeline",
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("description", sa.String(length=2000), nullable=False),
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("credentials", sa.Text(), nullable=True),
        sa.Column("output_layer_id", sa.Uuid(), nullable=True),
        sa.Column("output_name", sa.String(length=63), nullable=True),
        sa.Column("output_table_id", sa.Uuid(), nullable=True),
        sa.Column("planned_table_id", sa.Uuid(), nullable=False),
        sa.Column("created_by_id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("saved_by_id", sa.Uuid(), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.CheckConstraint(
            "kind IN ('source', 'query', 'notebook', 'history', 'destination', 'integration')",
            name=op.f("ck_pipeline_kind"),
        ),
        sa.ForeignKeyConstraint(["created_by_id"], ["member.id"], name=op.f("fk_pipeline_created_by_id_member")),
        sa.ForeignKeyConstraint(["output_layer_id"], ["layer.id"], name=op.f("fk_pipeline_output_layer_id_layer")),
        sa.ForeignKeyConstraint(
            ["output_table_id"],
            ["lakehouse_table.id"],
            name=op.f("fk_pipeline_output_table_id_lakehouse_table"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(["owner_id"], ["member.id"], name=op.f("fk_pipeline_owner_id_member")),
        sa.ForeignKeyConstraint(["saved_by_id"], ["member.id"], name=op.f("fk_pipeline_saved_by_id_member")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pipeline")),
        sa.UniqueConstraint("kind", "name", name=op.f("uq_pipeline_kind_name")),
    )
    with op.batch_alter_table("pipeline", schema=None) as batch_op:
        batch_op.create_index("ix_pipeline_kind_name_id", ["kind", "name", "id"], unique=False)
        batch_op.create_index("ix_pipeline_name_id", ["name", "id"], unique=False)
        batch_op.create_index("ix_pipeline_output_layer_id", ["output_layer_id"], unique=False)
        batch_op.create_index("ix_pipeline_output_table_id", ["output_table_id"], unique=False)

    op.create_table(
        "run_log",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("level", sa.String(length=10), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_run_log_run_id_run"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run_log")),
    )
    with op.batch_alter_table("run_log", schema=None) as batch_op:
        batch_op.create_index("ix_run_log_run_id_id", ["run_id", "id"], unique=False)

    op.create_table(
        "run_notice",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("channel", sa.String(length=20), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=True),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("told_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("webhook_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("webhook_attempts", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["project.id"], name=op.f("fk_run_notice_project_id_project"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_run_notice_run_id_run"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run_notice")),
        sa.UniqueConstraint("run_id", "channel", name=op.f("uq_run_notice_run_id_channel")),
    )
    with op.batch_alter_table("run_notice", schema=None) as batch_op:
        batch_op.create_index("ix_run_notice_due_at", ["told_at", "due_at"], unique=False)
        batch_op.create_index("ix_run_notice_webhook_at", ["webhook_at"], unique=False)

    op.create_table(
        "saved_query_read",
        sa.Column("saved_query_id", sa.Uuid(), nullable=False),
        sa.Column("table_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["saved_query_id"],
            ["saved_query.id"],
            name=op.f("fk_saved_query_read_saved_query_id_saved_query"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["lakehouse_table.id"],
            name=op.f("fk_saved_query_read_table_id_lakehouse_table"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("saved_query_id", "table_id", name=op.f("pk_saved_query_read")),
    )
    with op.batch_alter_table("saved_query_read", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_saved_query_read_table_id"), ["table_id"], unique=False)

    op.create_table(
        "history_snapshot",
        sa.Column("pipeline_id", sa.Uuid(), nullable=False),
        sa.Column("taken_at", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(
            ["pipeline_id"], ["pipeline.id"], name=op.f("fk_history_snapshot_pipeline_id_pipeline"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("pipeline_id", "taken_at", name=op.f("pk_history_snapshot")),
    )
    op.create_table(
        "pipeline_volume",
        sa.Column("pipeline_id", sa.Uuid(), nullable=False),
        sa.Column("volume_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["pipeline_id"], ["pipeline.id"], name=op.f("fk_pipeline_volume_pipeline_id_pipeline"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["volume_id"], ["volume.id"], name=op.f("fk_pipeline_volume_volume_id_volume"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("pipeline_id", "volume_id", name=op.f("pk_pipeline_volume")),
    )
    with op.batch_alter_table("pipeline_volume", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_pipeline_volume_volume_id"), ["volume_id"], unique=False)

    op.create_table(
        "stream",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("pipeline_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("columns", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("state", sa.JSON(), nullable=False),
        sa.Column("output_layer_id", sa.Uuid(), nullable=False),
        sa.Column("output_name", sa.String(length=63), nullable=False),
        sa.Column("output_table_id", sa.Uuid(), nullable=True),
        sa.Column("planned_table_id", sa.Uuid(), nullable=False),
        sa.Column("rejects_table_id", sa.Uuid(), nullable=True),
        sa.Column("planned_rejects_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["output_layer_id"], ["layer.id"], name=op.f("fk_stream_output_layer_id_layer")),
        sa.ForeignKeyConstraint(
            ["output_table_id"],
            ["lakehouse_table.id"],
            name=op.f("fk_stream_output_table_id_lakehouse_table"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["pipeline_id"], ["pipeline.id"], name=op.f("fk_stream_pipeline_id_pipeline"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["rejects_table_id"],
            ["lakehouse_table.id"],
            name=op.f("fk_stream_rejects_table_id_lakehouse_table"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_stream")),
        sa.UniqueConstraint("pipeline_id", "name", name=op.f("uq_stream_pipeline_id_name")),
    )
    with op.batch_alter_table("stream", schema=None) as batch_op:
        batch_op.create_index("ix_stream_output_layer_id", ["output_layer_id"], unique=False)
        batch_op.create_index("ix_stream_output_table_id", ["output_table_id"], unique=False)
        batch_op.create_index("ix_stream_rejects_table_id", ["rejects_table_id"], unique=False)

    op.create_table(
        "pipeline_input",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("pipeline_id", sa.Uuid(), nullable=False),
        sa.Column("stream_id", sa.Uuid(), nullable=True),
        sa.Column("table_id", sa.Uuid(), nullable=True),
        sa.Column("volume_id", sa.Uuid(), nullable=True),
        sa.CheckConstraint("(table_id IS NULL) <> (volume_id IS NULL)", name=op.f("ck_pipeline_input_one_thing")),
        sa.ForeignKeyConstraint(
            ["pipeline_id"], ["pipeline.id"], name=op.f("fk_pipeline_input_pipeline_id_pipeline"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["stream_id"], ["stream.id"], name=op.f("fk_pipeline_input_stream_id_stream"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["lakehouse_table.id"],
            name=op.f("fk_pipeline_input_table_id_lakehouse_table"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["volume_id"], ["volume.id"], name=op.f("fk_pipeline_input_volume_id_volume"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pipeline_input")),
    )
    with op.batch_alter_table("pipeline_input", schema=None) as batch_op:
        batch_op.create_index("ix_pipeline_input_pipeline_id", ["pipeline_id"], unique=False)
        batch_op.create_index("ix_pipeline_input_table_id", ["table_id"], unique=False)
        batch_op.create_index("ix_pipeline_input_volume_id", ["volume_id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("pipeline_input", schema=None) as batch_op:
        batch_op.drop_index("ix_pipeline_input_volume_id")
        batch_op.drop_index("ix_pipeline_input_table_id")
        batch_op.drop_index("ix_pipeline_input_pipeline_id")

    op.drop_table("pipeline_input")
    with op.batch_alter_table("stream", schema=None) as batch_op:
        batch_op.drop_index("ix_stream_rejects_table_id")
        batch_op.drop_index("ix_stream_output_table_id")
        batch_op.drop_index("ix_stream_output_layer_id")

    op.drop_table("stream")
    with op.batch_alter_table("pipeline_volume", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_pipeline_volume_volume_id"))

    op.drop_table("pipeline_volume")
    op.drop_table("history_snapshot")
    with op.batch_alter_table("saved_query_read", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_saved_query_read_table_id"))

    op.drop_table("saved_query_read")
    with op.batch_alter_table("run_notice", schema=None) as batch_op:
        batch_op.drop_index("ix_run_notice_webhook_at")
        batch_op.drop_index("ix_run_notice_due_at")

    op.drop_table("run_notice")
    with op.batch_alter_table("run_log", schema=None) as batch_op:
        batch_op.drop_index("ix_run_log_run_id_id")

    op.drop_table("run_log")
    with op.batch_alter_table("pipeline", schema=None) as batch_op:
        batch_op.drop_index("ix_pipeline_output_table_id")
        batch_op.drop_index("ix_pipeline_output_layer_id")
        batch_op.drop_index("ix_pipeline_name_id")
        batch_op.drop_index("ix_pipeline_kind_name_id")

    op.drop_table("pipeline")
    with op.batch_alter_table("lineage_edge", schema=None) as batch_op:
        batch_op.drop_index("ix_lineage_edge_to_table_id")
        batch_op.drop_index("ix_lineage_edge_subject_id")
        batch_op.drop_index("ix_lineage_edge_from_table_id")

    op.drop_table("lineage_edge")
    with op.batch_alter_table("lakehouse_grant", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_lakehouse_grant_layer_id_member_id",
            sqlite_where=sa.text("table_id IS NULL AND volume_id IS NULL"),
            postgresql_where=sa.text("table_id IS NULL AND volume_id IS NULL"),
        )
        batch_op.drop_index(
            "uq_lakehouse_grant_layer_id_group_id",
            sqlite_where=sa.text("table_id IS NULL AND volume_id IS NULL"),
            postgresql_where=sa.text("table_id IS NULL AND volume_id IS NULL"),
        )
        batch_op.drop_index(
            "ix_lakehouse_grant_member_id",
            sqlite_where=sa.text("member_id IS NOT NULL"),
            postgresql_where=sa.text("member_id IS NOT NULL"),
        )
        batch_op.drop_index(
            "ix_lakehouse_grant_group_id",
            sqlite_where=sa.text("group_id IS NOT NULL"),
            postgresql_where=sa.text("group_id IS NOT NULL"),
        )
        batch_op.drop_index("ix_lakehouse_grant_expires_at")

    op.drop_table("lakehouse_grant")
    with op.batch_alter_table("volume", schema=None) as batch_op:
        batch_op.drop_index("ix_volume_name_id")
        batch_op.drop_index("ix_volume_layer_id_name_id")

    op.drop_table("volume")
    op.drop_table("table_maintenance")
    with op.batch_alter_table("run_trigger_upstream", schema=None) as batch_op:
        batch_op.drop_index("ix_run_trigger_upstream_subject_id")

    op.drop_table("run_trigger_upstream")
    with op.batch_alter_table("run", schema=None) as batch_op:
        batch_op.drop_index("ix_run_subject_id_id")
        batch_op.drop_index("ix_run_state_id")
        batch_op.drop_index("ix_run_started_by_id_id")
        batch_op.drop_index("ix_run_expires_at")
        batch_op.drop_index(
            "ix_run_claim",
            sqlite_where=sa.text("state IN ('queued', 'running')"),
            postgresql_where=sa.text("state IN ('queued', 'running')"),
        )

    op.drop_table("run")
    with op.batch_alter_table("lakehouse_table", schema=None) as batch_op:
        batch_op.drop_index("ix_lakehouse_table_name_id")
        batch_op.drop_index("ix_lakehouse_table_layer_id_name_id")

    op.drop_table("lakehouse_table")
    op.drop_table("tenant_receiver_choice")
    with op.batch_alter_table("saved_query", schema=None) as batch_op:
        batch_op.drop_index("ix_saved_query_shared_name_id")
        batch_op.drop_index("ix_saved_query_name_id")
        batch_op.drop_index("ix_saved_query_author_id_name_id")

    op.drop_table("saved_query")
    with op.batch_alter_table("run_trigger", schema=None) as batch_op:
        batch_op.drop_index("ix_run_trigger_subject_id")
        batch_op.drop_index("ix_run_trigger_next_at")

    op.drop_table("run_trigger")
    with op.batch_alter_table("layer", schema=None) as batch_op:
        batch_op.drop_index("ix_layer_name_id")

    op.drop_table("layer")
    op.drop_table("worker")
    op.drop_table("tenant_channel")
    op.drop_table("run_counter")
    op.drop_table("discarded")
