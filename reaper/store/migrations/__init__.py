"""
The tables' versions, in order; run at start, in the transaction that opens the store.

It knows how to bring tables from any version to this one and back.
It refuses to guess: a store of a newer version is refused, an unknown one too.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, inspect, text

from reaper.ports import StoreError

if TYPE_CHECKING:
    from alembic.config import Config

HEAD: Final = "0007"
"""The newest version; a test compares it with the files in `versions`."""

PLACE: Final = Path(__file__).parent

#: Key of PostgreSQL's advisory lock: two replicas that start together migrate one after the other.
_LOCK: Final = 0x67707572


def upgrade(connection: Connection) -> None:
    """Bring the tables up to date within the connection's transaction."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    if revision(connection) == HEAD:
        return
    from alembic import command
    from alembic.util import CommandError

    try:
        command.upgrade(configuration(connection), "head")
    except CommandError as error:
        raise StoreError(
            f"the store's tables are of version {revision(connection)}, which this program does "
            f"not know (it knows {HEAD}); start the newer program, or restore a backup"
        ) from error


def check_revision(connection: Connection) -> None:
    """Raise StoreError unless the tables are of this program's version."""
    found = revision(connection)
    if found != HEAD:
        raise StoreError(
            f"the store's tables are of version {found or 'none'}, this program reads {HEAD}; "
            "start `gpu-reaper run` of the same version once, or use the program that wrote them"
        )


def revision(connection: Connection) -> str | None:
    """Return the version of the tables; None for an empty database."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found


def configuration(connection: Connection) -> "Config":
    """Return Alembic's configuration for an open connection."""
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(PLACE).replace("%", "%%"))
    return config
