"""What every turn writes, packed: the records of devices and the picture."""

import zlib
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.types import TypeEngine

from reaper.store.sql import tables

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_KEYS = {"records": ("cluster", "gpu"), "pictures": ("cluster",)}


def upgrade() -> None:
    _written_anew(sa.LargeBinary(), lambda body: zlib.compress(body.encode("ascii"), 1))


def downgrade() -> None:
    _written_anew(sa.Text(), lambda body: zlib.decompress(body).decode("ascii"))


def _written_anew(kind: TypeEngine[Any], change: Callable[[Any], Any]) -> None:
    """Make both tables anew with a body of another type, and write every row over."""
    for name, keys in _KEYS.items():
        columns: list[sa.ColumnClause[Any]] = [sa.column(key) for key in (*keys, "body")]
        rows = op.get_bind().execute(sa.select(*columns).select_from(sa.table(name))).mappings()
        kept = [{**row, "body": change(row["body"])} for row in rows]
        op.drop_table(name)
        op.create_table(
            name,
            *(sa.Column(key, tables.Key(), nullable=False) for key in keys),
            sa.Column("body", kind, nullable=False),
            sa.ForeignKeyConstraint(["cluster"], ["clusters.cluster"], name=f"fk_{name}_cluster"),
            sa.PrimaryKeyConstraint(*keys, name=f"pk_{name}"),
            sqlite_with_rowid=False,
        )
        if kept:
            op.bulk_insert(
                sa.table(name, *(sa.column(key) for key in keys), sa.column("body", kind)), kept
            )
