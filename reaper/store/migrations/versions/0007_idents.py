"""The id of a run beside the event of its begin; what was written before goes without."""

import sqlalchemy as sa
from alembic import op

from reaper.store.sql import tables

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("events", sa.Column("ident", tables.Key(), nullable=True))
    op.create_index("ix_events_cluster_ident", "events", ["cluster", "ident"])


def downgrade() -> None:
    op.drop_index("ix_events_cluster_ident", table_name="events")
    op.drop_column("events", "ident")
