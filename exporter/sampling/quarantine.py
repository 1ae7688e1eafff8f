"""
Which targets are left alone, why, and until when.

A target whose call never returned is tried again: after a minute, and each time twice as long.
A card that the kernel log calls dead is not tried until its recovery is seen, or until the whole
driver was let go on request: a call on it may hang in the kernel and take the worker with it.
Pure; times are given.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from exporter.sampling.snapshot import Device

_FIRST: Final = 60.0
_LONGEST: Final = 3600.0
_CARD: Final = "gpu "
_HUNG: Final = "a driver call on this device did not return; it is left alone for a while"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Spell:
    until: float
    length: float


class Quarantine:
    """Remembers targets such as ``"gpu 3"`` and the identities last seen on each card."""

    def __init__(self) -> None:
        self._spells: dict[str, _Spell] = {}
        self._dead: dict[str, str] = {}
        self._known: dict[int, tuple[Device, ...]] = {}
        self.forgiven = 0

    def add(self, target: str, now: float) -> None:
        """Leave a target alone for a while; a call without target is nobody's fault."""
        if not target:
            return
        before = self._spells.get(target)
        length = min(before.length * 2, _LONGEST) if before else _FIRST
        self._spells[target] = _Spell(until=now + length, length=length)

    def give_up(self, card: int, reason: str) -> None:
        """Leave a card alone until it is revived."""
        self._dead[f"{_CARD}{card}"] = reason

    def revive(self, card: int) -> None:
        """Touch a card again."""
        self._dead.pop(f"{_CARD}{card}", None)
        self._spells.pop(f"{_CARD}{card}", None)

    def forgive(self) -> None:
        """Touch everything again; `forgiven` counts how often that was."""
        self.forgiven += 1
        self._spells.clear()
        self._dead.clear()

    def learn(self, devices: tuple[Device, ...]) -> None:
        """Remember who lives on which card."""
        for index in {device.index for device in devices}:
            self._known[index] = tuple(device for device in devices if device.index == index)

    def targets(self, now: float) -> frozenset[str]:
        """Return the targets to leave alone."""
        waiting = {name for name, spell in self._spells.items() if now < spell.until}
        return frozenset(waiting | self._dead.keys())

    def spared(self, now: float) -> dict[int, tuple[Device, ...]]:
        """Return the cards to leave alone with their last known identities."""
        return {card: self._known.get(card, ()) for card in self._cards(now)}

    def reasons(self, now: float) -> dict[int, str]:
        """Return the cards to leave alone and why."""
        return {card: self._dead.get(f"{_CARD}{card}", _HUNG) for card in self._cards(now)}

    def _cards(self, now: float) -> Iterator[int]:
        for name in self.targets(now):
            number = name.removeprefix(_CARD)
            if name.startswith(_CARD) and number.isdecimal():
                yield int(number)
