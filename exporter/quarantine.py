"""
Which targets are left alone because a call on them never returned, and until when.

Pure; times are given.  The first hang costs a minute, each further one twice as long.
"""

from dataclasses import dataclass
from typing import Final

from exporter.snapshot import Device

_FIRST: Final = 60.0
_LONGEST: Final = 3600.0
_CARD: Final = "gpu "


@dataclass(frozen=True, slots=True, kw_only=True)
class _Spell:
    until: float
    length: float


class Quarantine:
    """Remembers targets such as ``"gpu 3"`` and the identities last seen on each card."""

    def __init__(self) -> None:
        self._spells: dict[str, _Spell] = {}
        self._known: dict[int, tuple[Device, ...]] = {}

    def add(self, target: str, now: float) -> None:
        """Leave a target alone for a while; a call without target is nobody's fault."""
        if not target:
            return
        before = self._spells.get(target)
        length = min(before.length * 2, _LONGEST) if before else _FIRST
        self._spells[target] = _Spell(until=now + length, length=length)

    def learn(self, devices: tuple[Device, ...]) -> None:
        """Remember who lives on which card."""
        for index in {device.index for device in devices}:
            self._known[index] = tuple(device for device in devices if device.index == index)

    def targets(self, now: float) -> frozenset[str]:
        """Return the targets to leave alone."""
        return frozenset(name for name, spell in self._spells.items() if now < spell.until)

    def spared(self, now: float) -> dict[int, tuple[Device, ...]]:
        """Return the cards to leave alone with their last known identities."""
        cards = [name.removeprefix(_CARD) for name in self.targets(now) if name.startswith(_CARD)]
        return {int(card): self._known.get(int(card), ()) for card in cards if card.isdecimal()}
