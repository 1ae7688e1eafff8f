"""
How often somebody may be wrong: tokens and codes that are refused, counted by who sent them.

That is an address, or what a sign-in began with.  Only who was wrong is stopped: a token cannot be
guessed anyway, and nobody's guesses may shut out the others.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from reaper.ports import ReaperError

#: Refused attempts of one address in a minute.
MOST: Final = 20

_WINDOW: Final = 60.0

#: Addresses that are remembered; the one that was wrong first is forgotten first.
_ADDRESSES: Final = 10_000

#: The part of an IPv6 address that one subscriber has all of.
_SUBSCRIBER: Final = 64


class TooManyError(ReaperError):
    """Too many attempts; the message says when to try again."""


@dataclass(slots=True, kw_only=True)
class Attempts:
    """Counts refusals in windows of a minute; `elapsed` gives seconds that never go back."""

    elapsed: Callable[[], float]
    _begin: float = 0.0
    _wrong: dict[str, int] = field(default_factory=dict)

    def admit(self, address: str) -> None:
        """Let an address try; raise TooManyError where it was wrong too often."""
        now = self.elapsed()
        if now - self._begin >= _WINDOW:
            self._begin, self._wrong = now, {}
        if self._wrong.get(_whose(address), 0) >= MOST:
            raise TooManyError("too many attempts that were refused: try again in a minute")

    def refuse(self, address: str) -> None:
        """Note that an address was wrong."""
        whose = _whose(address)
        self._wrong[whose] = self._wrong.get(whose, 0) + 1
        if len(self._wrong) > _ADDRESSES:
            del self._wrong[next(iter(self._wrong))]


def _whose(address: str) -> str:
    """Return by what a subscriber is known, who has many IPv6 addresses."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        return str(ip_network((found, _SUBSCRIBER), strict=False))
    return address
