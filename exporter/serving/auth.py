"""
Who may read the pages: TLS and passwords as the web configuration file says at this moment.

The file and the certificates are looked at again, at most once a second, when somebody knocks.
A file that became wrong changes nothing but the log: what was last right stays in force.
"""

import logging
import ssl
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from exporter.clock import Clock
from exporter.serving.passwords import Passwords
from exporter.serving.webconfig import WebConfig, WebConfigError, read

log = logging.getLogger(__name__)

_LOOK: Final = 1.0
#: Compared with for a name that is not known, so that names cannot be told by the time it takes.
_NOBODY: Final = b"$2b$10$6YU35iRMw53V1G9kKN8jSeqc0DdN85btkgcdDpcsMrDRnqxuymshq"

_Stamp = tuple[tuple[int, int], ...]


class Authentication:
    """What is in force; without a file everything is open."""

    def __init__(self, path: Path | None, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        self._config = read(path) if path is not None else WebConfig()
        self._context = self._config.tls.context() if self._config.tls is not None else None
        self._stamp = self._stamped()
        self._looked = clock.monotonic()
        self._passwords = Passwords(clock)

    @property
    def tls(self) -> ssl.SSLContext | None:
        """The context to listen with; each new connection gets the newest one."""
        if self._context is None:
            return None
        context = _Renewed(ssl.PROTOCOL_TLS_SERVER)
        context.newest = self._newest_context
        return context

    def config(self) -> WebConfig:
        """Return what is in force now."""
        now = self._clock.monotonic()
        if self._path is not None and now - self._looked >= _LOOK:
            self._looked = now
            self._renew(self._path)
        return self._config

    def _newest_context(self) -> ssl.SSLContext | None:
        self.config()
        return self._context

    def _renew(self, path: Path) -> None:
        stamp = self._stamped()
        if stamp == self._stamp:
            return
        self._stamp = stamp
        try:
            config = read(path)
            context = config.tls.context() if config.tls is not None else None
        except WebConfigError as error:
            log.warning("%s; what was last right stays in force", error)
            return
        if (context is None) != (self._context is None):
            log.warning("%s: TLS is switched on or off by a restart only", path)
            return
        self._config, self._context = config, context
        log.info("%s is in force anew", path)

    def _stamped(self) -> _Stamp:
        files = self._config.tls.files if self._config.tls is not None else ()
        return tuple(map(_stamp, (*filter(None, (self._path,)), *files)))

    async def user(self, header: str, caller: str = "") -> str | None:
        """Return whose name and password an Authorization header holds; None when nobody's.

        Raise :class:`Crowded` where it is not known and too many of those wait already; `caller`
        is the address that asks.
        """
        scheme, _, rest = header.partition(" ")
        try:
            name, mark, password = b64decode(rest.strip(), validate=True).decode().partition(":")
        except (Base64Error, UnicodeDecodeError):
            return None
        if scheme.lower() != "basic" or not mark:
            return None
        hashed = self.config().users.get(name)
        right = await self._passwords.match(password.encode(), hashed or _NOBODY, caller)
        return name if right and hashed is not None else None

    def close(self) -> None:
        """Leave no thread behind."""
        self._passwords.close()


def _stamp(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_ino, status.st_mtime_ns


class _Renewed(ssl.SSLContext):
    """Makes each connection with another context: the newest."""

    newest: Callable[[], ssl.SSLContext | None]

    def wrap_bio(self, *words: Any, **more: Any) -> ssl.SSLObject:  # noqa: ANN401
        context = self.newest()
        return context.wrap_bio(*words, **more) if context else super().wrap_bio(*words, **more)
