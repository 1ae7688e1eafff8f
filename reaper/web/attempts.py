"""How often somebody may be wrong: tokens and codes that are refused, counted by address."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from reaper.ports import ReaperError

#: Refused attempts in a minute, of one address and of all together.
MOST: Final = 20
MOST_TOGETHER: Final = 1000

_WINDOW: Final = 60.0


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
        together = sum(self._wrong.values()) >= MOST_TOGETHER
        if together or self._wrong.get(address, 0) >= MOST:
            raise TooManyError("too many attempts that were refused: try again in a minute")

    def refuse(self, address: str) -> None:
        """Note that an address was wrong."""
        self._wrong[address] = self._wrong.get(address, 0) + 1
