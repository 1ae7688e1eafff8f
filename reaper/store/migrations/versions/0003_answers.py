"""Answers of people: single-use tokens that were used, and disputes that wait for a ruling."""

import sqlalchemy as sa
from alembic import op

from reaper.store.sql import tables

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "used_tokens",
        sa.Column("cluster", tables.Key(), nullable=False),
        sa.Column("id", tables.Key(), nullable=False),
        sa.Column("by", tables.Key(), nullable=False),
        sa.Column("at", tables.Time, nullable=False),
        sa.ForeignKeyConstraint(["cluster"], ["clusters.cluster"], name="fk_used_tokens_cluster"),
        sa.PrimaryKeyConstraint("cluster", "id", name="pk_used_tokens"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_used_tokens_cluster_at", "used_tokens", ["cluster", "at"])

    op.add_column("cases", sa.Column("disputed", tables.Count, nullable=False, server_default="0"))
    op.execute(r"""UPDATE cases SET disputed = 1 WHERE body LIKE '%"disputed"\:true%'""")
    op.create_index("ix_cases_cluster_disputed", "cases", ["cluster", "disputed"])


def downgrade() -> None:
    op.drop_index("ix_cases_cluster_disputed", table_name="cases")
    op.drop_column("cases", "disputed")
    op.drop_index("ix_used_tokens_cluster_at", table_name="used_tokens")
    op.drop_table("used_tokens")
