"""
The doors to the pages: TLS and passwords as the web configuration file says at this moment.

The file and the certificates are looked at again, at most once a second, when somebody knocks.
A file that became wrong changes nothing but the log: what was last right stays in force.
"""

import asyncio
import hmac
import logging
import os
import ssl
from base64 import b64decode
from binascii import Error as Base64Error
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from exporter.clock import Clock
from exporter.webconfig import WebConfig, WebConfigError, read

log = logging.getLogger(__name__)

_LOOK: Final = 1.0
_KEPT: Final = 100
_LONGEST_PASSWORD: Final = 72
#: Compared with for a name that is not known, so that names cannot be told by the time it takes.
_NOBODY: Final = b"$2b$10$6YU35iRMw53V1G9kKN8jSeqc0DdN85btkgcdDpcsMrDRnqxuymshq"

_Stamp = tuple[tuple[int, int], ...]


class Doors:
    """What is in force; without a file everything is open."""

    def __init__(self, path: Path | None, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        self._config = read(path) if path is not None else WebConfig()
        self._context = self._config.tls.context() if self._config.tls is not None else None
        self._stamp = self._stamped()
        self._looked = clock.monotonic()
        self._passwords = Passwords()

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

    async def user(self, header: str) -> str | None:
        """Return whose name and password an Authorization header holds; None when nobody's."""
        scheme, _, rest = header.partition(" ")
        try:
            name, mark, password = b64decode(rest.strip(), validate=True).decode().partition(":")
        except (Base64Error, UnicodeDecodeError):
            return None
        if scheme.lower() != "basic" or not mark:
            return None
        hashed = self.config().users.get(name)
        right = await self._passwords.match(password.encode(), hashed or _NOBODY)
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


class Passwords:
    """Compares passwords with bcrypt hashes, in one thread of its own, and remembers answers.

    A comparison costs some 60 ms of a core by design, so a scraper's must not be made each time.
    Remembered is a digest under a key that no other process knows.
    """

    def __init__(self) -> None:
        self._key = os.urandom(32)
        self._known: OrderedDict[bytes, bool] = OrderedDict()
        self._thread: ThreadPoolExecutor | None = None

    async def match(self, password: bytes, hashed: bytes) -> bool:
        """Say whether a password is the one that was hashed."""
        digest = hmac.digest(self._key, hashed + b"\0" + password, "sha256")
        if digest in self._known:
            self._known.move_to_end(digest)
            return self._known[digest]
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, thread_name_prefix="passwords")
        loop = asyncio.get_running_loop()
        right = await loop.run_in_executor(self._thread, _matches, password, hashed)
        self._known[digest] = right
        if len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return right

    def close(self) -> None:
        """Leave no thread behind."""
        if self._thread is not None:
            self._thread.shutdown(wait=False, cancel_futures=True)


def _matches(password: bytes, hashed: bytes) -> bool:
    import bcrypt  # only where there are passwords

    try:
        return bcrypt.checkpw(password[:_LONGEST_PASSWORD], hashed)
    except ValueError:
        return False
