"""What a listener knows of its own silences, told on at every change."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from reaper.domain.escalation.hearing import Hearing, Silence
from reaper.ports import Clock, SourceError

KEPT: Final = 64
"""Silences that are remembered: more than come between two turns."""

Tell = Callable[[Hearing], None]
"""Takes what is heard now, at once."""


@dataclass(slots=True, kw_only=True)
class Ear:
    """One channel's ear; it is deaf from when it is made until it first hears."""

    channel: str
    clock: Clock
    tell: Tell
    silences: tuple[Silence, ...] = ()

    def deaf(self, why: str) -> None:
        """Note that nothing is heard from now on; a silence that lasts goes on, for this reason."""
        last = self._lasting
        if last is None:
            lasting = Silence(begin=self.clock.now(), why=why)
            self.silences = (*self.silences, lasting)[-KEPT:]
        else:
            self.silences = (*self.silences[:-1], replace(last, why=why))
        self.tell(self._now())

    def hears(self) -> None:
        """Note that everything is heard from now on."""
        last = self._lasting
        if last is not None:
            self.silences = (*self.silences[:-1], replace(last, end=self.clock.now()))
        self.tell(self._now())

    def hearing(self) -> Hearing:
        """Return what is heard now; raise SourceError with the reason when nothing is."""
        now = self._now()
        if now.silent is not None:
            raise SourceError(now.silent.why)
        return now

    @property
    def _lasting(self) -> Silence | None:
        return self._now().silent

    def _now(self) -> Hearing:
        return Hearing(as_of=self.clock.now(), channel=self.channel, silences=self.silences)
