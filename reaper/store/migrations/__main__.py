"""Write a version for what changed in the tables: `python -m reaper.store.migrations "…"`."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from alembic import command
from sqlalchemy import create_engine

from reaper.store.migrations import HEAD, configuration, upgrade


def main(message: str) -> None:
    """Compare the tables in code with those of a scratch database of the newest version."""
    with TemporaryDirectory() as directory:
        engine = create_engine(f"sqlite:///{Path(directory) / 'scratch.sqlite'}")
        with engine.begin() as connection:
            upgrade(connection)
            command.revision(
                configuration(connection),
                message=message,
                autogenerate=True,
                rev_id=f"{int(HEAD) + 1:04}",
            )
        engine.dispose()


if __name__ == "__main__":
    main(sys.argv[1])
