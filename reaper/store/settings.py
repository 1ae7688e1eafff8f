"""Where the store lies, as an operator writes it."""

from pathlib import Path
from typing import Annotated, Final, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator

from reaper.schema import Mistake, Secret, Settings

_FORMS: Final = "write sqlite:///<path> or postgresql://<user>@<host>/<database>"


def _url(url: str) -> str:
    """Return a URL that names a database and holds no password; raise Mistake."""
    parts = urlsplit(url)
    if parts.scheme not in ("sqlite", "postgresql"):
        raise Mistake(f"scheme {parts.scheme!r} is not known", _FORMS)
    if parts.password is not None:
        raise Mistake("the URL holds a password", "take it out and write it as store.password")
    if parts.path in ("", "/") or ":memory:" in url:
        raise Mistake("the URL names no database", f"{_FORMS}, or kind: memory")
    return url


class StoreSettings(Settings):
    """
    Where everything is kept.

    ```yaml
    store:
      url: postgresql://reaper@db.example/reaper
      password: {file: /etc/gpu-reaper/db-password}
    ```
    """

    kind: Literal["sql", "memory"] = "sql"
    """`memory` forgets everything at exit: for tests and replay."""

    directory: Path = Path("/var/lib/gpu-reaper")
    """State directory; holds `reaper.sqlite` while no `url` is given."""

    url: Annotated[str, AfterValidator(_url)] | None = None
    """
    `sqlite:///<path>` or `postgresql://<user>@<host>/<database>`.

    SQLite in the state directory by default: nothing else is needed to start.
    """

    password: Secret | None = None
    """For PostgreSQL; without it the file that PGPASSFILE names is asked."""

    @property
    def address(self) -> str:
        """Return the URL in force; it holds no password."""
        return self.url or f"sqlite:///{self.directory / 'reaper.sqlite'}"
