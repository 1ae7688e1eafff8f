"""The first tables."""

import sqlalchemy as sa
from alembic import op

from reaper.store.sql import tables

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "clusters",
        sa.Column("cluster", tables.Key(), nullable=False),
        sa.Column("step", tables.Time, nullable=False),
        sa.PrimaryKeyConstraint("cluster", name="pk_clusters"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "capacity",
        sa.Column("cluster", tables.Key(), nullable=False),
        sa.Column("node", tables.Key(), nullable=False),
        sa.Column("model", tables.Key(), nullable=False),
        sa.Column("state", tables.Key(), nullable=False),
        sa.Column("begins", tables.Time, nullable=False),
        sa.Column("ends", tables.Time, nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["cluster"], ["clusters.cluster"], name="fk_capacity_cluster"),
        sa.PrimaryKeyConstraint("cluster", "node", "model", "state", "begins", name="pk_capacity"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_capacity_cluster_begins", "capacity", ["cluster", "begins"])
    op.create_index("ix_capacity_cluster_ends", "capacity", ["cluster", "ends"])

    op.create_table(
        "cases",
        sa.Column("cluster", tables.Key(), nullable=False),
        sa.Column("id", tables.Key(), nullable=False),
        sa.Column("run_key", tables.Key(), nullable=False),
        sa.Column("state", tables.Key(), nullable=False),
        sa.Column("opened", tables.Time, nullable=False),
        sa.Column("closed", tables.Time, nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["cluster"], ["clusters.cluster"], name="fk_cases_cluster"),
        sa.PrimaryKeyConstraint("cluster", "id", name="pk_cases"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_cases_cluster_closed", "cases", ["cluster", "closed"])
    op.create_index("ix_cases_cluster_opened", "cases", ["cluster", "opened"])
    op.create_index("ix_cases_cluster_run_key", "cases", ["cluster", "run_key"])
    op.create_index("ix_cases_cluster_state", "cases", ["cluster", "state"])

    op.create_table(
        "confirmations",
        sa.Column("cluster", tables.Key(), nullable=False),
        sa.Column("node", tables.Key(), nullable=False),
        sa.Column(
            "index",
            tables.Count,
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("gpu", tables.Key(), nullable=False),
        sa.Column("generation", tables.Key(), nullable=False),
        sa.ForeignKeyConstraint(["cluster"], ["clusters.cluster"], name="fk_confirmations_cluster"),
        sa.PrimaryKeyConstraint(
            "cluster", "node", "index", "gpu", "generation", name="pk_confirmations"
        ),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "demand",
        sa.Column("cluster", tables.Key(), nullable=False),
        sa.Column(
            "minute",
            tables.Count,
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("gpus", tables.Count, nullable=False),
        sa.ForeignKeyConstraint(["cluster"], ["clusters.cluster"], name="fk_demand_cluster"),
        sa.PrimaryKeyConstraint("cluster", "minute", name="pk_demand"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "events",
        sa.Column("cluster", tables.Key(), nullable=False),
        sa.Column(
            "number",
            tables.Count,
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("at", tables.Time, nullable=False),
        sa.Column("run_key", tables.Key(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["cluster"], ["clusters.cluster"], name="fk_events_cluster"),
        sa.PrimaryKeyConstraint("cluster", "number", name="pk_events"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_events_cluster_at", "events", ["cluster", "at"])
    op.create_index("ix_events_cluster_run_key", "events", ["cluster", "run_key"])

    op.create_table(
        "frontiers",
        sa.Column("cluster", tables.Key(), nullable=False),
        sa.Column("gpu", tables.Key(), nullable=False),
        sa.Column("minute", tables.Count, nullable=False),
        sa.ForeignKeyConstraint(["cluster"], ["clusters.cluster"], name="fk_frontiers_cluster"),
        sa.PrimaryKeyConstraint("cluster", "gpu", name="pk_frontiers"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "heartbeats",
        sa.Column("cluster", tables.Key(), nullable=False),
        sa.Column("at", tables.Time, nullable=False),
        sa.ForeignKeyConstraint(["cluster"], ["clusters.cluster"], name="fk_heartbeats_cluster"),
        sa.PrimaryKeyConstraint("cluster", name="pk_heartbeats"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "holds",
        sa.Column("cluster", tables.Key(), nullable=False),
        sa.Column("id", tables.Key(), nullable=False),
        sa.Column("begins", tables.Time, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["cluster"], ["clusters.cluster"], name="fk_holds_cluster"),
        sa.PrimaryKeyConstraint("cluster", "id", name="pk_holds"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "intents",
        sa.Column("cluster", tables.Key(), nullable=False),
        sa.Column("id", tables.Key(), nullable=False),
        sa.Column("open", sa.Boolean(), nullable=False),
        sa.Column("created", tables.Time, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["cluster"], ["clusters.cluster"], name="fk_intents_cluster"),
        sa.PrimaryKeyConstraint("cluster", "id", name="pk_intents"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_intents_cluster_created", "intents", ["cluster", "created"])
    op.create_index("ix_intents_cluster_open", "intents", ["cluster", "open"])

    op.create_table(
        "keeps",
        sa.Column("cluster", tables.Key(), nullable=False),
        sa.Column("id", tables.Key(), nullable=False),
        sa.Column("begins", tables.Time, nullable=False),
        sa.Column("ends", tables.Time, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["cluster"], ["clusters.cluster"], name="fk_keeps_cluster"),
        sa.PrimaryKeyConstraint("cluster", "id", name="pk_keeps"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_keeps_cluster_begins", "keeps", ["cluster", "begins"])
    op.create_index("ix_keeps_cluster_ends", "keeps", ["cluster", "ends"])

    op.create_table(
        "leadership",
        sa.Column("cluster", tables.Key(), nullable=False),
        sa.Column("epoch", tables.Count, nullable=False),
        sa.Column("holder", tables.Key(), nullable=False),
        sa.Column("since", tables.Time, nullable=False),
        sa.ForeignKeyConstraint(["cluster"], ["clusters.cluster"], name="fk_leadership_cluster"),
        sa.PrimaryKeyConstraint("cluster", name="pk_leadership"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "notices",
        sa.Column("cluster", tables.Key(), nullable=False),
        sa.Column("id", tables.Key(), nullable=False),
        sa.Column("case_id", tables.Key(), nullable=False),
        sa.Column("delivery", tables.Key(), nullable=False),
        sa.Column("created", tables.Time, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["cluster"], ["clusters.cluster"], name="fk_notices_cluster"),
        sa.PrimaryKeyConstraint("cluster", "id", name="pk_notices"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_notices_cluster_case_id", "notices", ["cluster", "case_id"])
    op.create_index("ix_notices_cluster_delivery", "notices", ["cluster", "delivery"])

    op.create_table(
        "pictures",
        sa.Column("cluster", tables.Key(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["cluster"], ["clusters.cluster"], name="fk_pictures_cluster"),
        sa.PrimaryKeyConstraint("cluster", name="pk_pictures"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "policies",
        sa.Column("cluster", tables.Key(), nullable=False),
        sa.Column("version", tables.Key(), nullable=False),
        sa.Column("since", tables.Time, nullable=False),
        sa.ForeignKeyConstraint(["cluster"], ["clusters.cluster"], name="fk_policies_cluster"),
        sa.PrimaryKeyConstraint("cluster", "version", name="pk_policies"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "records",
        sa.Column("cluster", tables.Key(), nullable=False),
        sa.Column("gpu", tables.Key(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["cluster"], ["clusters.cluster"], name="fk_records_cluster"),
        sa.PrimaryKeyConstraint("cluster", "gpu", name="pk_records"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tenures",
        sa.Column("cluster", tables.Key(), nullable=False),
        sa.Column("run_key", tables.Key(), nullable=False),
        sa.Column("gpu", tables.Key(), nullable=False),
        sa.Column("begins", tables.Time, nullable=False),
        sa.Column("ends", tables.Time, nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["cluster"], ["clusters.cluster"], name="fk_tenures_cluster"),
        sa.PrimaryKeyConstraint("cluster", "run_key", "gpu", "begins", name="pk_tenures"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_tenures_cluster_begins", "tenures", ["cluster", "begins"])
    op.create_index("ix_tenures_cluster_ends", "tenures", ["cluster", "ends"])

    op.create_table(
        "track_days",
        sa.Column("cluster", tables.Key(), nullable=False),
        sa.Column(
            "day",
            tables.Count,
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("gpu", tables.Key(), nullable=False),
        sa.Column("packed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["cluster"], ["clusters.cluster"], name="fk_track_days_cluster"),
        sa.PrimaryKeyConstraint("cluster", "day", "gpu", name="pk_track_days"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "track_hours",
        sa.Column("cluster", tables.Key(), nullable=False),
        sa.Column(
            "hour",
            tables.Count,
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("gpu", tables.Key(), nullable=False),
        sa.Column("start", tables.Count, nullable=False),
        sa.Column("letters", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["cluster"], ["clusters.cluster"], name="fk_track_hours_cluster"),
        sa.PrimaryKeyConstraint("cluster", "hour", "gpu", name="pk_track_hours"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("track_hours")
    op.drop_table("track_days")
    op.drop_index("ix_tenures_cluster_ends", table_name="tenures")
    op.drop_index("ix_tenures_cluster_begins", table_name="tenures")

    op.drop_table("tenures")
    op.drop_table("records")
    op.drop_table("policies")
    op.drop_table("pictures")
    op.drop_index("ix_notices_cluster_delivery", table_name="notices")
    op.drop_index("ix_notices_cluster_case_id", table_name="notices")

    op.drop_table("notices")
    op.drop_table("leadership")
    op.drop_index("ix_keeps_cluster_ends", table_name="keeps")
    op.drop_index("ix_keeps_cluster_begins", table_name="keeps")

    op.drop_table("keeps")
    op.drop_index("ix_intents_cluster_open", table_name="intents")
    op.drop_index("ix_intents_cluster_created", table_name="intents")

    op.drop_table("intents")
    op.drop_table("holds")
    op.drop_table("heartbeats")
    op.drop_table("frontiers")
    op.drop_index("ix_events_cluster_run_key", table_name="events")
    op.drop_index("ix_events_cluster_at", table_name="events")

    op.drop_table("events")
    op.drop_table("demand")
    op.drop_table("confirmations")
    op.drop_index("ix_cases_cluster_state", table_name="cases")
    op.drop_index("ix_cases_cluster_run_key", table_name="cases")
    op.drop_index("ix_cases_cluster_opened", table_name="cases")
    op.drop_index("ix_cases_cluster_closed", table_name="cases")

    op.drop_table("cases")
    op.drop_index("ix_capacity_cluster_ends", table_name="capacity")
    op.drop_index("ix_capacity_cluster_begins", table_name="capacity")

    op.drop_table("capacity")
    op.drop_table("clusters")
