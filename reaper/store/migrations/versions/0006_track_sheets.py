"""Letters of the hour that is not over: a sheet a minute for many names, each with its number."""

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

from reaper.store.letters import HOUR, pieces
from reaper.store.sheets import Sheet, drawn
from reaper.store.sql import tables

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "track_numbers",
        sa.Column("cluster", tables.Key(), nullable=False),
        sa.Column("gpu", tables.Key(), nullable=False),
        sa.Column("number", tables.Count, nullable=False),
        sa.ForeignKeyConstraint(["cluster"], ["clusters.cluster"], name="fk_track_numbers_cluster"),
        sa.PrimaryKeyConstraint("cluster", "gpu", name="pk_track_numbers"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_track_numbers_cluster_number", "track_numbers", ["cluster", "number"], unique=True
    )
    op.create_table(
        "track_sheets",
        sa.Column("cluster", tables.Key(), nullable=False),
        sa.Column("minute", tables.Count, autoincrement=False, nullable=False),
        sa.Column("sheet", tables.Count, autoincrement=False, nullable=False),
        sa.Column("letters", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["cluster"], ["clusters.cluster"], name="fk_track_sheets_cluster"),
        sa.PrimaryKeyConstraint("cluster", "minute", "sheet", name="pk_track_sheets"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    for cluster in _rows("SELECT DISTINCT cluster FROM track_sheets"):
        _into_hours(*cluster)
    op.drop_table("track_sheets")
    op.drop_table("track_numbers")


def _into_hours(cluster: str) -> None:
    """Write what the sheets of a cluster say where a program of before reads it."""
    own = {"cluster": cluster}
    names = dict(_rows("SELECT number, gpu FROM track_numbers WHERE cluster = :cluster", own))
    known = dict(_rows("SELECT gpu, minute FROM frontiers WHERE cluster = :cluster", own))
    found = _rows("SELECT minute, sheet, letters FROM track_sheets WHERE cluster = :cluster", own)
    said = drawn(Sheet(minute=row[0], sheet=row[1], letters=row[2]) for row in found)
    tracks = {names[number]: track for number, track in said}
    for piece in pieces(tracks, known, size=HOUR):
        row = own | {"hour": piece.span, "gpu": piece.gpu}
        new = row | {"start": piece.start, "letters": piece.letters}
        _write(
            "INSERT INTO track_hours (cluster, hour, gpu, start, letters) "
            "VALUES (:cluster, :hour, :gpu, :start, :letters) ON CONFLICT (cluster, hour, gpu) "
            "DO UPDATE SET letters = track_hours.letters || excluded.letters",
            new,
        )
    for gpu, track in tracks.items():
        _write(
            "INSERT INTO frontiers (cluster, gpu, minute) VALUES (:cluster, :gpu, :minute) "
            "ON CONFLICT (cluster, gpu) DO UPDATE SET minute = excluded.minute",
            own | {"gpu": gpu, "minute": track.end},
        )


def _rows(query: str, given: dict[str, Any] | None = None) -> Iterator[tuple[Any, ...]]:
    return map(tuple, op.get_bind().execute(sa.text(query), given or {}).all())


def _write(statement: str, given: dict[str, Any]) -> None:
    op.get_bind().execute(sa.text(statement), given)
