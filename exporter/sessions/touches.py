"""
Whether a terminal's access time was moved by input, or set by its owner; pure, times are given.

Reading input moves the access time alone.  Setting times (``utime``, ``touch``) moves the change
time too, as does a change of mode or owner; so an access time that moved together with the change
time proves nothing until input moves it alone.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

#: Seconds by which a terminal may be older than its first process, or the clock behind.
_SLACK: Final = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """A terminal's access and change time in nanoseconds since the epoch."""

    access: int
    change: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    times: Times
    doubtful: bool


class Touches:
    """Remembers the times of each terminal from one look to the next."""

    def __init__(self) -> None:
        self._before: dict[Hashable, _Seen] = {}
        self._now: dict[Hashable, _Seen] = {}

    def doubtful(self, terminal: Hashable, times: Times, *, started: float, now: float) -> bool:
        """Say whether the access time may be its owner's word alone.

        `started` is when the terminal's first process began, both in Unix seconds.
        """
        before = self._before.get(terminal)
        doubt = (
            _set_at_once(times, started)
            if before is None
            else (before.doubtful if times.access == before.times.access else _moved(before, times))
        )
        doubt = doubt or times.access / 1e9 > now + _SLACK
        self._now[terminal] = _Seen(times=times, doubtful=doubt)
        return doubt

    def turn(self) -> None:
        """End a look: terminals that were not in it are forgotten."""
        self._before, self._now = self._now, {}


def _moved(before: _Seen, times: Times) -> bool:
    return times.change != before.times.change


def _set_at_once(times: Times, started: float) -> bool:
    """Say whether both times are one moment: so they are when it is made, and when touched."""
    return times.access == times.change and times.access / 1e9 > started + _SLACK
