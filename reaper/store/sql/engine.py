"""Connections: what SQLite and PostgreSQL need so that the same code is safe on both."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, unquote

from sqlalchemy import URL, Connection, event, make_url
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from reaper.ports import StoreError

#: Seconds that a writer waits for another process that writes.
BUSY: Final = 10.0

#: Seconds after which PostgreSQL ends a transaction whose process hangs, so that it holds no lock.
HANGING: Final = 60

#: The rights of a new file: it names people, and when they were last there.
_PRIVATE: Final = 0o600

_PRAGMAS: Final = ("foreign_keys = ON", f"busy_timeout = {BUSY * 1000:.0f}")

_WRITER_PRAGMAS: Final = (
    "journal_mode = WAL",
    # An intent must survive a power cut, or its effect would be repeated blindly.
    "synchronous = FULL",
    "journal_size_limit = 67108864",
    # A page that every turn writes goes into the file once in some minutes, not in each.
    "wal_autocheckpoint = 4000",
)


def url_of(address: str, *, password: str | None = None) -> URL:
    """Return the SQLAlchemy URL of an address, with the driver that the store uses."""
    url = make_url(address)
    drivers = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
    if url.drivername not in drivers:
        raise StoreError(
            f"store.url: scheme {url.drivername!r} is not known; {', '.join(drivers)} are"
        )
    with_driver = url.set(drivername=drivers[url.drivername])
    return with_driver if password is None else with_driver.set(password=password)


def writer(url: URL) -> AsyncEngine:
    """Return the engine of the one writer."""
    if is_sqlite(url):
        make_directory(file_of(url))
        make_private(file_of(url))
        return _sqlite(url, (*_PRAGMAS, *_WRITER_PRAGMAS), begin="BEGIN IMMEDIATE", pool_size=1)
    return _postgresql(url, pool_size=1)


def reader(url: URL) -> AsyncEngine:
    """Return the engine of readers: each sees one moment and none blocks the writer."""
    if is_sqlite(url):
        return _sqlite(read_only(url), (*_PRAGMAS, "query_only = ON"), begin="BEGIN", pool_size=5)
    return _postgresql(url, pool_size=5).execution_options(
        isolation_level="REPEATABLE READ", postgresql_readonly=True
    )


def is_sqlite(url: URL) -> bool:
    """Tell whether the URL names a SQLite file."""
    return url.get_backend_name() == "sqlite"


def vendor_errors(url: URL) -> tuple[type[Exception], ...]:
    """Return what the driver raises by itself while it connects."""
    if is_sqlite(url):
        return ()
    import asyncpg

    return (asyncpg.PostgresError, asyncpg.InterfaceError)


def file_of(url: URL) -> Path:
    """Return the file of a SQLite URL."""
    return Path(url.database or "")


def place_of(url: URL) -> str:
    """Name a database for people; never with a password."""
    if is_sqlite(url):
        return unquote((url.database or "").removeprefix("file:"))
    return url.set(drivername="postgresql").render_as_string(hide_password=True)


def make_directory(file: Path) -> None:
    """Make the state directory; raise StoreError where that is not allowed."""
    try:
        file.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"{file.parent}: {error.strerror}; make it, or set store.directory to a place that "
            "this user may write"
        ) from error


def make_private(file: Path) -> None:
    """
    Make an empty file that its owner alone may read, whatever the umask; what lies there stays.

    SQLite gives its journals the rights of this file, and says itself what cannot be opened.
    """
    with suppress(OSError):
        os.close(os.open(file, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, _PRIVATE))


def read_only(url: URL) -> URL:
    """
    Return the URL of a SQLite file that is opened for reading.

    Without a write-ahead log nobody writes; where none can be made either, the file is taken
    as it lies.
    """
    file = file_of(url)
    log = file.with_name(f"{file.name}-wal")
    lies_still = not log.exists() and not os.access(file.parent, os.W_OK, effective_ids=True)
    query = {"mode": "ro", "uri": "true"} | ({"immutable": "1"} if lies_still else {})
    return url.set(database=f"file:{quote(str(file.absolute()))}", query=query)


def _sqlite(url: URL, pragmas: tuple[str, ...], *, begin: str, pool_size: int) -> AsyncEngine:
    # The driver's own transaction control would begin too late; `begin` does it instead.
    engine = create_async_engine(
        url, pool_size=pool_size, max_overflow=0, connect_args={"isolation_level": None}
    )

    @event.listens_for(engine.sync_engine, "connect")
    def _prepare(connection: Any, _record: object) -> None:  # noqa: ANN401 - a driver's connection
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _postgresql(url: URL, *, pool_size: int) -> AsyncEngine:
    limits = {"idle_in_transaction_session_timeout": f"{HANGING}s"}
    return create_async_engine(
        url,
        pool_size=pool_size,
        max_overflow=0,
        pool_pre_ping=True,
        connect_args={"server_settings": limits, "timeout": BUSY},
    )
