"""
Letting the driver go for a while, on request, and taking it up again by itself.

Pure; times are seconds of the exporter's monotonic clock and are given.  No request lasts longer
than :data:`LONGEST`, so that a forgotten one blinds the node for an hour at most.
"""

from dataclasses import dataclass
from typing import Final, Literal

from exporter.contract import durations

LONGEST: Final = 3600.0
SHORTEST: Final = 10.0
USUAL: Final = 600.0
_REASON: Final = 80
#: A pending change of MIG mode is made room for so often, then left to the operator.
_MIG_WINDOWS: Final = 3
_MIG_WINDOW: Final = 60.0
_MIG_BETWEEN: Final = 60.0

By = Literal["command", "endpoint", "file", "mig"]
"""Who asked: the local command, the authenticated endpoint, the file, a pending MIG change."""


class DurationError(ValueError):
    """The text is no duration that can be granted; the message says what to write."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A time without the driver: until when, who asked, and why in the asker's words."""

    until: float
    by: By
    reason: str


def duration(text: str) -> float:
    """Read ``90s``, ``10m`` or ``1h`` as seconds; a number alone is seconds, too."""
    words = text.strip()
    seconds = durations.read(f"{words}s" if words.isdecimal() else words) or 0.0
    if not SHORTEST <= seconds <= LONGEST:
        raise DurationError(f"{text[:20]!r}: write 10s to 1h, for example 10m")
    return seconds


class Release:
    """The one window that may be open."""

    def __init__(self) -> None:
        self._window: Window | None = None
        self._pending: frozenset[str] = frozenset()
        self._windows = 0
        self._quiet_until = 0.0

    def open(self, seconds: float, *, by: By, reason: str, now: float) -> Window:
        """Let go for at least `seconds` from `now`; a window that ends later stays."""
        known = self.window(now)
        if known is None or known.until <= now + seconds:
            words = "".join(one if one.isprintable() else " " for one in reason)[:_REASON]
            self._window = Window(until=now + seconds, by=by, reason=words.strip())
        return self._window or Window(until=now, by=by, reason="")

    def close(self, *, by: By | None = None) -> None:
        """Take the driver up again; with `by` only if that opened the window."""
        if self._window is not None and by in {None, self._window.by}:
            self._window = None

    def window(self, now: float) -> Window | None:
        """Return the open window."""
        if self._window is not None and self._window.until <= now:
            self._window = None
        return self._window

    def make_room(self, pending: frozenset[str], now: float) -> None:
        """Let go for cards whose MIG mode waits for every user of theirs to be gone.

        Whether it still waits shows only while the driver is open, so windows and looks alternate;
        after three windows the operator has given up, and the node is measured again.
        """
        if pending != self._pending:
            self._pending, self._windows, self._quiet_until = pending, 0, now
        if not pending or self._windows >= _MIG_WINDOWS or now < self._quiet_until:
            return
        self._windows += 1
        self._quiet_until = now + _MIG_WINDOW + _MIG_BETWEEN
        self.open(_MIG_WINDOW, by="mig", reason="a change of MIG mode is pending", now=now)
