"""
The file that asks for a release: there, the driver is let go; gone, it is taken up again.

Its first word may be a duration, the rest is the reason.  Only root and the exporter's own user
may ask; the file lies where nobody else can make one, and its owner is looked at all the same.
Only a regular file is followed, no link, and no more than its first words are read.
"""

import logging
import os
import stat
from pathlib import Path
from typing import Final

from exporter.clock import Clock
from exporter.release import LONGEST, USUAL, DurationError, Release, duration

log = logging.getLogger(__name__)

_LONGEST_TEXT: Final = 256
#: A pipe is opened without waiting for its writer, and no link is followed.
_READ: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC


class ReleaseFile:
    """Looks at one path and opens or closes the window."""

    def __init__(self, path: Path, release: Release, clock: Clock) -> None:
        self._path = path
        self._release = release
        self._clock = clock
        self._served: tuple[int, int] | None = None
        self._refused = ""

    def look(self) -> None:
        """Follow the file: once per making or touching of it."""
        try:
            status = self._path.lstat()
        except OSError:
            self._refused = ""
            self._end()
            return
        if not stat.S_ISREG(status.st_mode):
            self._refuse("it is no regular file")
        elif status.st_uid not in {0, os.geteuid()}:
            self._refuse("neither root nor this account owns it")
        elif (status.st_ino, status.st_mtime_ns) != self._served:
            self._serve(status)

    def _end(self) -> None:
        if self._served is not None:
            self._served = None
            self._release.close(by="file")

    def _serve(self, status: os.stat_result) -> None:
        self._served = (status.st_ino, status.st_mtime_ns)
        seconds, reason = _request(self._words(status))
        left = seconds - (self._clock.wall() - status.st_mtime)
        if left > 0:
            now = self._clock.monotonic()
            self._release.open(min(left, LONGEST), by="file", reason=reason, now=now)

    def _words(self, status: os.stat_result) -> bytes:
        """Return the first words; none where root keeps them to itself, or the file was changed."""
        try:
            descriptor = os.open(self._path, _READ)
        except OSError:
            return b""
        try:
            same = os.path.samestat(status, os.fstat(descriptor))
            return os.read(descriptor, _LONGEST_TEXT) if same else b""
        finally:
            os.close(descriptor)

    def _refuse(self, why: str) -> None:
        if why != self._refused:
            log.warning("--release-file %s is not followed: %s", self._path, why)
        self._refused = why
        self._end()


def _request(words: bytes) -> tuple[float, str]:
    text = words.decode(errors="replace")
    first, _, rest = text.strip().partition(" ")
    try:
        return duration(first), rest
    except DurationError:
        return USUAL, text
