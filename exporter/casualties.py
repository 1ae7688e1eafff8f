"""
What follows from the kernel log: Xids are counted, and a card that it calls dead is left alone.

====  ====================================  ==================================================
Xid   what died                             why no call is made any more
====  ====================================  ==================================================
62    the card's own controller             calls wait for it, each for its full time
79    the card fell off the bus             calls may hang in the kernel and cannot be killed
119   its system processor timed out        the same, and they hold locks that others need
120   its system processor failed           the same
====  ====================================  ==================================================

It is touched again once its recovery was seen: the driver was loaded anew, the card left the bus
and came back, the driver withdrew its wish for a reset (Xid 154), or the driver was let go on
request.  Time alone revives nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from exporter.kernellog import Event, Loaded, Xid
from exporter.quarantine import Quarantine
from exporter.state import NodeState
from exporter.unidentified import Unidentified

FATAL: Final[Mapping[int, str]] = {
    62: "its controller stopped",
    79: "it fell off the bus",
    119: "its system processor does not answer",
    120: "its system processor failed",
}
_UNTIL: Final = (
    "no call is made on it until the driver is loaded anew, the GPU reset"
    " or the driver let go by `gpu-exporter release`"
)
_NOBODY: Final = b"\xff\xff"

_Stamp = tuple[int, int]
"""Inode numbers of the driver's module and of the card's PCI function; 0 while it is not there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Death:
    reason: str
    stamp: _Stamp


class Casualties:
    """Keeps the dead of one node; `sys` is where the kernel shows modules and PCI functions."""

    def __init__(self, state: NodeState, quarantine: Quarantine, sys: Path) -> None:
        self._state = state
        self._quarantine = quarantine
        self._sys = sys
        self._dead: dict[str, _Death] = {}
        self._forgiven = quarantine.forgiven

    def hear(self, events: Iterable[Event]) -> None:
        """Take what the kernel log said, in its order."""
        self._forget()
        for event in events:
            match event:
                case Loaded():
                    self._revive(*self._dead)
                case Xid(recovered=True):
                    self._revive(event.bus)
                case Xid():
                    self._state.take_xid(event.bus, event.number, event.wall)
                    self._examine(event)
        self._bury()

    def look(self) -> None:
        """Revive those whose recovery shows; cheap, and without a word to the driver."""
        self._forget()
        if not self._dead:
            return
        back = [bus for bus, death in self._dead.items() if self._recovered(bus, death)]
        self._revive(*back)
        self._bury()

    @property
    def strangers(self) -> tuple[Unidentified, ...]:
        """The dead that the driver does not list: their address is all that is known."""
        return tuple(
            Unidentified(pci_bus_id=f"{bus}.0", reason=death.reason)
            for bus, death in self._dead.items()
            if self._state.card_at(bus) is None
        )

    def _examine(self, event: Xid) -> None:
        """An Xid from before this exporter may be repaired since: the bus tells."""
        words = FATAL.get(event.number)
        if words is None or (event.past and not self._mute(event.bus)):
            return
        reason = f"Xid {event.number}: {words}; {_UNTIL}"
        self._dead[event.bus] = _Death(reason=reason, stamp=self._stamp(event.bus))

    def _recovered(self, bus: str, death: _Death) -> bool:
        """Say whether driver and card are there, and one of them is another than at the death."""
        now = self._stamp(bus)
        known = [place for place, then in enumerate(death.stamp) if then or now[place]]
        return now != death.stamp and all(now[place] for place in known)

    def _bury(self) -> None:
        for bus, death in self._dead.items():
            card = self._state.card_at(bus)
            if card is not None:
                self._quarantine.bury(card, death.reason)

    def _revive(self, *buses: str) -> None:
        for bus in buses:
            card = self._state.card_at(bus)
            if self._dead.pop(bus, None) is not None and card is not None:
                self._quarantine.revive(card)

    def _forget(self) -> None:
        if self._quarantine.forgiven != self._forgiven:
            self._forgiven = self._quarantine.forgiven
            self._dead.clear()

    def _function(self, bus: str) -> Path:
        return self._sys / f"bus/pci/devices/{bus}.0"

    def _stamp(self, bus: str) -> _Stamp:
        return _inode(self._sys / "module/nvidia"), _inode(self._function(bus))

    def _mute(self, bus: str) -> bool:
        """Say whether nobody answers on the bus: all ones, or no such function."""
        try:
            with (self._function(bus) / "config").open("rb") as config:
                return config.read(2) in {_NOBODY, b""}
        except OSError:
            return (self._sys / "bus/pci/devices").is_dir()


def _inode(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError:
        return 0
