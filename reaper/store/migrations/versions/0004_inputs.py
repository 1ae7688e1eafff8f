"""What was known of idle runs, so that what was decided on them can be decided again."""

import sqlalchemy as sa
from alembic import op

from reaper.store.sql import tables

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "inputs",
        sa.Column("cluster", tables.Key(), nullable=False),
        sa.Column("minute", tables.Count, autoincrement=False, nullable=False),
        sa.Column("run_key", tables.Key(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["cluster"], ["clusters.cluster"], name="fk_inputs_cluster"),
        sa.PrimaryKeyConstraint("cluster", "minute", "run_key", name="pk_inputs"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("inputs")
