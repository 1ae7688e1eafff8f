"""
The file that asks for a release: there, the driver is let go; gone, it is taken up again.

Its first word may be a duration, the rest is the reason.  Only root and the exporter's own user
may ask; the file lies where nobody else can make one, and its owner is looked at all the same.
"""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from exporter.clock import Clock
from exporter.release import LONGEST, USUAL, DurationError, Release, duration

_LONGEST_TEXT: Final = 256


class ReleaseFile:
    """Looks at one path and opens or closes the window."""

    def __init__(self, path: Path, release: Release, clock: Clock) -> None:
        self._path = path
        self._release = release
        self._clock = clock
        self._served: tuple[int, int] | None = None

    def look(self) -> None:
        """Follow the file: once per making or touching of it."""
        try:
            status = self._path.stat()
        except OSError:
            if self._served is not None:
                self._served = None
                self._release.close(by="file")
            return
        stamp = (status.st_ino, status.st_mtime_ns)
        if stamp == self._served or status.st_uid not in {0, os.geteuid()}:
            return
        self._served = stamp
        seconds, reason = self._request()
        left = seconds - (self._clock.wall() - status.st_mtime)
        if left > 0:
            now = self._clock.monotonic()
            self._release.open(min(left, seconds, LONGEST), by="file", reason=reason, now=now)

    def _request(self) -> tuple[float, str]:
        text = ""
        with suppress(OSError):
            text = self._path.read_bytes()[:_LONGEST_TEXT].decode(errors="replace")
        first, _, rest = text.strip().partition(" ")
        try:
            return duration(first), rest
        except DurationError:
            return USUAL, text
