"""Closed weeks, their figures, and who got a report."""

import sqlalchemy as sa
from alembic import op

from reaper.store.sql import tables

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "closings",
        sa.Column("cluster", tables.Key(), nullable=False),
        sa.Column("zone", tables.Key(), nullable=False),
        sa.Column("week", tables.Key(), nullable=False),
        sa.Column("version", tables.Count, autoincrement=False, nullable=False),
        sa.Column("begins", tables.Time, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["cluster"], ["clusters.cluster"], name="fk_closings_cluster"),
        sa.PrimaryKeyConstraint("cluster", "zone", "week", "version", name="pk_closings"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_closings_cluster_zone_begins", "closings", ["cluster", "zone", "begins"])

    op.create_table(
        "figures",
        sa.Column("cluster", tables.Key(), nullable=False),
        sa.Column("zone", tables.Key(), nullable=False),
        sa.Column("week", tables.Key(), nullable=False),
        sa.Column("owner", tables.Key(), nullable=False),
        sa.Column("team", tables.Key(), nullable=False),
        sa.Column("class", tables.Key(), nullable=False),
        sa.Column("model", tables.Key(), nullable=False),
        sa.Column("partition", tables.Key(), nullable=False),
        sa.Column("site", tables.Key(), nullable=False),
        sa.Column("of", tables.Key(), nullable=False),
        sa.Column("version", tables.Count, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["cluster"], ["clusters.cluster"], name="fk_figures_cluster"),
        sa.PrimaryKeyConstraint(
            "cluster",
            "zone",
            "week",
            "owner",
            "team",
            "class",
            "model",
            "partition",
            "site",
            "of",
            name="pk_figures",
        ),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "handovers",
        sa.Column("cluster", tables.Key(), nullable=False),
        sa.Column("zone", tables.Key(), nullable=False),
        sa.Column("week", tables.Key(), nullable=False),
        sa.Column("version", tables.Count, autoincrement=False, nullable=False),
        sa.Column("recipient", tables.Key(), nullable=False),
        sa.Column("at", tables.Time, nullable=False),
        sa.ForeignKeyConstraint(["cluster"], ["clusters.cluster"], name="fk_handovers_cluster"),
        sa.PrimaryKeyConstraint(
            "cluster", "zone", "week", "version", "recipient", name="pk_handovers"
        ),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("handovers")
    op.drop_table("figures")
    op.drop_index("ix_closings_cluster_zone_begins", table_name="closings")

    op.drop_table("closings")
