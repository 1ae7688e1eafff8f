"""What the web library complains of: a line a minute at most, however many ask for it."""

import logging
from typing import Final

from aiohttp.http_exceptions import HttpProcessingError

from exporter.clock import Clock

_PAUSE: Final = 60.0


class Complaints(logging.Filter):
    """Lets the first complaint of a kind through, and counts those of the next minute.

    What is no HTTP is the doing of whoever sent it: it gets a line, no traceback, and nothing of
    what was sent.
    """

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock
        self._until: dict[str, float] = {}
        self._untold: dict[str, int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Say whether a line is written; make it short and add how many were not."""
        error = record.exc_info[1] if record.exc_info else None
        noise = isinstance(error, HttpProcessingError)
        kind = "a request is no HTTP" if noise else "answering a request failed"
        now = self._clock.monotonic()
        if now < self._until.get(kind, now):
            self._untold[kind] = self._untold.get(kind, 0) + 1
            return False
        self._until[kind] = now + _PAUSE
        untold = self._untold.pop(kind, 0)
        if noise:
            record.exc_info = None
        record.msg = f"{kind} ({type(error).__name__}); {untold} more since the last such line"
        record.args = ()
        return True


def logger(clock: Clock) -> logging.Logger:
    """Return where the web library complains."""
    made = logging.getLogger(f"{__name__}.web")
    for known in list(made.filters):
        made.removeFilter(known)
    made.addFilter(Complaints(clock))
    return made
